package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"mercer/data"
	"mercer/internal/atomicfile"
	"mercer/krr"
	"mercer/pipeline"
)

// applyFlags say which model to apply to which table.
type applyFlags struct {
	table  tableFlags
	files  fileFlags
	verify bool
}

func (f *applyFlags) register(cmd *cobra.Command) {
	f.table.register(cmd)
	f.files.register(cmd)
	cmd.Flags().BoolVar(&f.verify, "verify", false, "let the model predict its golden rows first, and stop if they differ")
}

// fileFlags say where the files are that a model on row ids names.
type fileFlags struct{ pipeline.Files }

func (f *fileFlags) register(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.Gram, "gram", "", "Gram matrix in place of the one that the kernel of a model on row ids names, such as new rows against training rows")
	cmd.Flags().StringVar(&f.Graph, "graph", "", "graph in place of the one that the kernel names, where the file has moved")
}

// load opens the model, reads the table of a verb "VERB MODEL TABLE" and predicts its
// rows; test says that its targets are wanted too.
func (f *applyFlags) load(cmd *cobra.Command, inv *invocation, args []string, test bool) (*pipeline.Model, *pipeline.Prediction, error) {
	m, err := pipeline.Load(args[0], f.files.Files)
	if err != nil {
		return nil, nil, err
	}
	f.table.outcomes = m.Prep.Columns
	t, err := f.read(cmd, inv, args[1], m.Prep.ID())
	if err != nil {
		return nil, nil, err
	}
	compute, stop := inv.compute()
	defer stop()
	if f.verify {
		v, err := m.Verify(cmd.Context(), compute)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", args[0], err)
		}
		inv.detail("%s: %d golden rows agree to %.2g", args[0], v.Rows, v.Worst)
	}
	apply := m.Predict
	if test {
		apply = m.Test
	}
	p, err := apply(cmd.Context(), t, compute)
	if err != nil {
		return nil, nil, err
	}
	inv.notes(p.Rows.Notes)
	return m, p, nil
}

// read reads a table to predict on. The column of ids is read as text, so that 007
// stays 007, but it may be missing there: then the table is read again without it.
func (f *applyFlags) read(cmd *cobra.Command, inv *invocation, path, id string) (*data.Table, error) {
	if path == "-" && id != "" {
		all, err := io.ReadAll(inv.stdin)
		if err != nil {
			return nil, fmt.Errorf("standard input: %w", err)
		}
		defer func(stdin io.Reader) { inv.stdin = stdin }(inv.stdin)
		inv.stdin = bytes.NewReader(all)
		t, err := f.table.read(cmd.Context(), inv, path, id)
		if !errors.Is(err, data.ErrNoColumn) {
			return t, err
		}
		inv.stdin = bytes.NewReader(all)
		return f.table.read(cmd.Context(), inv, path)
	}
	t, err := f.table.read(cmd.Context(), inv, path, id)
	if id != "" && errors.Is(err, data.ErrNoColumn) {
		return f.table.read(cmd.Context(), inv, path)
	}
	return t, err
}

// predictFlags are those of the verb predict.
type predictFlags struct {
	applyFlags
	out      string
	level    float64
	method   string
	sets     float64
	perClass bool
}

func (f *predictFlags) register(cmd *cobra.Command) {
	f.applyFlags.register(cmd)
	cmd.Flags().StringVarP(&f.out, "output", "o", "", "CSV file to write; default: standard output")
	cmd.Flags().Float64Var(&f.level, "interval", 0, "add prediction intervals with this coverage, such as 0.9")
	cmd.Flags().StringVar(&f.method, "interval-method", "", "jackknife+, jackknife or conformal; default: jackknife+ for krr, the predictive distribution for gp, else conformal")
	cmd.Flags().Float64Var(&f.sets, "sets", 0, "add the sets of labels with this coverage, such as 0.9")
	cmd.Flags().BoolVar(&f.perClass, "per-class", false, "let the sets cover the rows of every label as often, not only all rows")
	_ = cmd.RegisterFlagCompletionFunc("interval-method", cobra.FixedCompletions([]string{string(krr.JackknifePlus), string(krr.Jackknife), conformalIntervals}, cobra.ShellCompDirectiveNoFileComp))
}

// check reports flags that contradict themselves, before anything is read.
func (f *predictFlags) check(cmd *cobra.Command) error {
	if cmd.Flags().Changed("interval") && !(f.level > 0 && f.level < 1) {
		return usagef("--interval is %g; give the coverage wanted, such as 0.9", f.level)
	}
	if cmd.Flags().Changed("sets") && !(f.sets > 0 && f.sets < 1) {
		return usagef("--sets is %g; give the coverage wanted, such as 0.9", f.sets)
	}
	if f.perClass && f.sets == 0 {
		return usagef("--per-class says how label sets are made: ask for them with --sets")
	}
	if f.out != "" {
		return canWrite(f.out)
	}
	return nil
}

func newPredict(inv *invocation) *cobra.Command {
	f := &predictFlags{}
	cmd := &cobra.Command{
		Use:   "predict MODEL TABLE",
		Short: "Predict the rows of a table",
		Long: `predict applies a model to the rows of a table: columns are matched by name where both tables have names,
by position otherwise. The result is CSV with one line per row: its id or number, the prediction of every target
(and its label, for a target with labels), and with --interval a lower and an upper bound.

Intervals of a Gaussian process are those of its predictive distribution. Those of kernel ridge regression come from its
leave-one-out residuals (by default up to 4000 rows, beyond with fit --loo): the method jackknife+ refits without each training row
in closed form; "jackknife" widens the prediction by a quantile of the leave-one-out residuals and costs nothing. A model of any
other method has "conformal" intervals if it was fitted with --conformal. So has one of labels, for --sets: all labels that are
not too unlikely, always with the predicted one.`,
		Example: `  mercer predict house.mercer new.csv -o predictions.csv
  mercer predict house.mercer new.csv --interval 0.9 --json
  mercer predict iris.mercer new.csv --sets 0.95 --per-class
  cat new.csv | mercer predict house.mercer -`,
		Args: modelAndTable,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.check(cmd); err != nil {
				return err
			}
			m, p, err := f.load(cmd, inv, args, false)
			if err != nil {
				return err
			}
			add, err := f.add(cmd, inv, m, p)
			if err != nil {
				return err
			}
			header, lines := tabulate(p, add)
			if f.out != "" {
				if err := atomicfile.Write(cmd.Context(), f.out, func(w io.Writer) error { return writeCSV(w, header, lines) }); err != nil {
					return err
				}
				inv.note("%s: %d predictions", f.out, len(lines))
				if !inv.json {
					return nil
				}
			}
			if inv.json {
				return inv.emit(jsonPredictions(header, lines))
			}
			return writeCSV(inv.stdout, header, lines)
		},
	}
	f.register(cmd)
	return cmd
}

// conformalIntervals is the interval method of models with conformal scores.
const conformalIntervals = "conformal"

// add makes what the flags ask for beside the predictions.
func (f *predictFlags) add(cmd *cobra.Command, inv *invocation, m *pipeline.Model, p *pipeline.Prediction) (*added, error) {
	a := &added{}
	if f.level > 0 {
		if err := f.bound(cmd, inv, m, p, a); err != nil {
			return nil, err
		}
	}
	var err error
	if f.sets > 0 {
		a.sets, err = m.Sets(p, f.sets, f.perClass)
	}
	return a, err
}

// bound adds intervals by the method named, or by the one that suits the model.
func (f *predictFlags) bound(cmd *cobra.Command, inv *invocation, m *pipeline.Model, p *pipeline.Prediction, a *added) (err error) {
	method := f.method
	if method == "" {
		method = string(krr.JackknifePlus)
		if !m.HasIntervals() {
			method = conformalIntervals
		}
	}
	if method == conformalIntervals {
		a.lower, a.upper, err = m.Bounds(p, f.level)
		return err
	}
	compute, stop := inv.compute()
	defer stop()
	a.lo, a.hi, err = m.Intervals(cmd.Context(), p, f.level, krr.IntervalMethod(method), compute)
	return err
}

// modelAndTable is the argument rule "MODEL TABLE".
func modelAndTable(_ *cobra.Command, args []string) error {
	if len(args) != 2 {
		return fmt.Errorf("expected a model file and a table, such as: house.mercer new.csv (got %d arguments)", len(args))
	}
	return nil
}
