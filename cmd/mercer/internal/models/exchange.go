package models

import (
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"example.org/mercer"
	"example.org/mercer/cmd/mercer/internal/flags"
	"example.org/mercer/cmd/mercer/internal/verb"
)

// exchanged is what `mercer export` and `mercer import` print.
type exchanged struct {
	From    string   `json:"from"`
	To      string   `json:"to"`
	Method  string   `json:"method"`
	Kernel  string   `json:"kernel"`
	Size    int      `json:"size"`
	Outputs []string `json:"outputs"`
}

func (e exchanged) Text(w io.Writer) {
	fmt.Fprintf(w, "%s → %s: %s with %d points, kernel %s\n", e.From, e.To, e.Method, e.Size, verb.Brief(e.Kernel))
}

func newExchanged(from, to string, m *mercer.Model) exchanged {
	_, size := m.Form()
	return exchanged{From: from, To: to, Method: m.Method, Kernel: m.Kernel(), Size: size, Outputs: m.Decision.Outputs}
}

func NewImport(inv *verb.Invocation) *cobra.Command {
	f := &flags.Problem{}
	var out, kernel string
	cmd := &cobra.Command{
		Use:   "import FILE TABLE -o MODEL",
		Short: "Make a model of a model file of LIBSVM or scikit-learn",
		Long: `import reads a model file of another program and writes one of mercer, whose predictions are the same: one of LIBSVM (svm-train), or
of scikit-learn as skops.io.dump(model, "model.skops") writes it. TABLE is one that the model is meant for: it names the columns, the
target and its labels; nothing is learned from it but the self-test rows.

Of scikit-learn are read: KernelRidge, SVC, NuSVC, SVR, NuSVR, OneClassSVM, GaussianProcessRegressor, GaussianProcessClassifier of two
classes, KernelPCA, Nystroem and linear models behind it or alone; before them scalers, SimpleImputer, OneHotEncoder, Pipeline and
ColumnTransformer, and around them GridSearchCV. What else is there is refused by its name. A file is read as data: nothing is
unpickled, and no name in it is executed.`,
		Example: `  svm-train -c 1 -g 0.0769 heart_scale heart.model
  mercer import heart.model heart_scale -o heart.mercer
  mercer gram molecules.jsonl --kernel 'wl(h=3)' --libsvm -o gram.txt && svm-train -t 4 gram.txt gram.model
  mercer import gram.model molecules.jsonl --kernel 'wl(h=3)' -o molecules.mercer
  mercer import house.skops houses.csv --target price -o house.mercer
  mercer eval house.mercer houses.csv`,
		Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			if out == "" {
				return verb.Usagef("name the model file with -o, such as -o heart.mercer")
			}
			if err := verb.CanWrite(out); err != nil {
				return err
			}
			m, err := importForeign(inv, cmd, f, args[0], args[1], kernel)
			if err != nil {
				return err
			}
			if err := inv.Save(cmd.Context(), m, out); err != nil {
				return err
			}
			return inv.EmitReport(newExchanged(args[0], out, m))
		},
	}
	f.Table.Register(cmd)
	f.Prep.Register(cmd)
	cmd.Flags().StringVarP(&out, "output", "o", "", "model file to write")
	cmd.Flags().StringVar(&kernel, "kernel", "", "kernel of a model of LIBSVM that has numbers of rows (svm-train -t 4), whose TABLE is the one it was trained with")
	return inv.Prints(cmd, exchanged{})
}

func importForeign(inv *verb.Invocation, cmd *cobra.Command, f *flags.Problem, path, table, kernel string) (*mercer.Model, error) {
	spec, err := f.Prep.Spec()
	if err != nil {
		return nil, err
	}
	t, err := f.Table.Read(cmd.Context(), inv, table, f.Prep.ID)
	if err != nil {
		return nil, err
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	about, err := file.Stat()
	if err != nil {
		return nil, err
	}
	how, stop := inv.Compute()
	defer stop()
	return mercer.Import(cmd.Context(), path, io.NewSectionReader(file, 0, about.Size()), t, spec, kernel, inv.Budget(), how)
}
