package models

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"example.org/mercer"
	"example.org/mercer/cmd/mercer/internal/verb"
	"example.org/mercer/compute"
	"example.org/mercer/onnx"
)

// exported is what `mercer export` prints.
type exported struct {
	exchanged
	Format string `json:"format"`
	// Single says that a graph has numbers of 32 bits; Verified is how far it is from the model.
	Single   bool                 `json:"single,omitempty"`
	Verified *mercer.Verification `json:"verified,omitempty"`
	Bytes    int64                `json:"bytes"`
}

func (e exported) Text(w io.Writer) {
	what := fmt.Sprintf("%s with %d points, kernel %s", e.Method, e.Size, verb.Brief(e.Kernel))
	if e.Verified == nil {
		e.exchanged.Text(w)
		return
	}
	fmt.Fprintf(w, "%s → %s: %s\n", e.From, e.To, what)
	fmt.Fprintf(w, "%s; off by %.2g of the largest value on %d self-test rows\n", compute.FormatBytes(e.Bytes), e.Verified.Worst, e.Verified.Rows)
}

// exportFlags are those of the verb export.
type exportFlags struct {
	out    string
	single bool
	// precomputed writes numbers of rows in place of vectors.
	precomputed bool
}

// writer writes a model in a format and says what it found.
type writer func(ctx context.Context, w io.Writer, m *mercer.Model, f exportFlags, o compute.Options, e *exported) error

// writers are the formats of other programs.
var writers = map[string]writer{
	"libsvm": func(_ context.Context, w io.Writer, m *mercer.Model, f exportFlags, _ compute.Options, _ *exported) error {
		if f.single {
			return verb.Usagef("--single is for graphs of ONNX")
		}
		return m.WriteLIBSVM(w, f.precomputed)
	},
	"onnx": func(ctx context.Context, w io.Writer, m *mercer.Model, f exportFlags, o compute.Options, e *exported) (err error) {
		if f.precomputed {
			return verb.Usagef("--precomputed is for models of LIBSVM")
		}
		p := onnx.Double
		if e.Single = f.single; f.single {
			p = onnx.Single
		}
		e.Verified, err = m.WriteONNX(ctx, w, p, o)
		return err
	},
}

// counted counts what is written.
type counted struct {
	io.Writer
	bytes int64
}

func (c *counted) Write(p []byte) (int, error) {
	n, err := c.Writer.Write(p)
	c.bytes += int64(n)
	return n, err
}

// run writes the model of a file.
func (f exportFlags) run(cmd *cobra.Command, inv *verb.Invocation, format, from string) error {
	write, ok := writers[format]
	if !ok {
		return verb.Usagef("%q is no format that models are written in: take %s", format, strings.Join(slices.Sorted(maps.Keys(writers)), " or "))
	}
	m, err := mercer.Load(from)
	if err != nil {
		return err
	}
	how, stop := inv.Compute()
	defer stop()
	e := exported{exchanged: newExchanged(from, f.out, m), Format: format}
	err = inv.WriteFile(cmd.Context(), f.out, func(w io.Writer) error {
		c := &counted{Writer: w}
		err := write(cmd.Context(), c, m, f, how, &e)
		e.Bytes = c.bytes
		return err
	})
	if err != nil {
		return err
	}
	return inv.EmitReport(e)
}

// NewExport returns `mercer export`.
func NewExport(inv *verb.Invocation) *cobra.Command {
	var f exportFlags
	cmd := &cobra.Command{
		Use:   "export [onnx|libsvm] MODEL -o FILE",
		Short: "Write a model for other programs: as a graph of ONNX, or for LIBSVM",
		Long: `export onnx writes a function of vectors, and the preparation of its table, as a graph of standard operators of ONNX
(ai.onnx, version 19) that onnxruntime and others run without mercer. Inputs are one matrix "table" where all columns are
numbers, else a column each by its name. Outputs are "values", for labels "label" and, where the method has them,
"probabilities". Numbers have 64 bits, or with --single 32, half the file and where it runs several times as fast. Before
it is written the graph is run on the self-test rows of the model.

export libsvm writes a model of svc, svr or one-class as svm-predict of LIBSVM reads it. LIBSVM prepares nothing and numbers its
labels: the model must have been fitted to columns as they are (--no-standardize), and its labels must be whole numbers. With
--precomputed it has the numbers of training rows in place of vectors, whatever kernel and preparation.

Without a format it is onnx for files that end in .onnx, else libsvm.`,
		Example: `  mercer export onnx house.mercer -o house.onnx
  mercer export kinds.mercer --single -o kinds.onnx
  mercer fit svc heart_scale --no-standardize -o heart.mercer
  mercer export libsvm heart.mercer -o heart.model
  svm-predict heart_scale heart.model out.txt`,
		Args: cobra.RangeArgs(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			if f.out == "" {
				return verb.Usagef("name the file to write with -o, such as -o heart.model or -o house.onnx")
			}
			format := "libsvm"
			if strings.HasSuffix(strings.ToLower(f.out), ".onnx") {
				format = "onnx"
			}
			if len(args) == 2 {
				format = args[0]
			}
			return f.run(cmd, inv, format, args[len(args)-1])
		},
	}
	cmd.Flags().StringVarP(&f.out, "output", "o", "", "file to write")
	cmd.Flags().BoolVar(&f.precomputed, "precomputed", false, "a model of LIBSVM with the numbers of its training rows in place of vectors (svm-train -t 4), for any kernel; mercer gram --libsvm writes the matrices")
	cmd.Flags().BoolVar(&f.single, "single", false, "a graph of numbers of 32 bits")
	return inv.Prints(cmd, exported{})
}
