package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"example.org/mercer"
	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/internal/atomicfile"
	"example.org/mercer/outcome"
	"example.org/mercer/supervised/krr"
	"example.org/mercer/task"
)

// applyFlags say which model to apply to which table.
type applyFlags struct {
	table  tableFlags
	files  fileFlags
	passes passFlags // registered by the verbs that can
	verify bool
}

func (f *applyFlags) register(cmd *cobra.Command) {
	f.table.register(cmd)
	f.files.register(cmd)
	defer modelGroup.claim(cmd.Flags())()
	cmd.Flags().BoolVar(&f.verify, "verify", false, "let the model predict its self-test rows first, and stop if they differ")
}

// fileFlags say where the files are that a model on row ids names.
type fileFlags struct{ task.Files }

func (f *fileFlags) register(cmd *cobra.Command) {
	defer modelGroup.claim(cmd.Flags())()
	cmd.Flags().StringVar(&f.Gram, "gram", "", "Gram matrix in place of the one that the kernel of a model on row ids names, such as new rows against training rows")
	cmd.Flags().StringVar(&f.Graph, "graph", "", "graph in place of the one that the kernel names, where the file has moved")
}

// load opens the model, reads the table of a verb "VERB MODEL TABLE" and predicts its
// rows; test says that its targets are wanted too.
func (f *applyFlags) load(cmd *cobra.Command, inv *invocation, args []string, test bool) (*mercer.Model, *outcome.Prediction, error) {
	m, blocks, err := f.open(cmd, inv, args)
	if err != nil {
		return nil, nil, err
	}
	how, stop := inv.compute()
	defer stop()
	p, err := f.apply(cmd, inv, m, blocks, args[1], test, how)
	if err != nil {
		return nil, nil, err
	}
	inv.notes(p.Rows.Notes)
	return m, p, nil
}

// open opens the model, and the table where it is to be read in passes.
func (f *applyFlags) open(cmd *cobra.Command, inv *invocation, args []string) (*mercer.Model, data.Blocks, error) {
	m, err := mercer.LoadWith(args[0], f.files.Files)
	if err != nil {
		return nil, nil, err
	}
	f.table.outcomes = m.Prep.Columns
	if f.verify {
		how, stop := inv.compute()
		defer stop()
		v, err := m.Verify(cmd.Context(), how)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", args[0], err)
		}
		inv.detail("%s: %d self-test rows agree to %.2g", args[0], v.Rows, v.Worst)
	}
	blocks, err := f.passes.open(cmd.Context(), inv, args[1], &f.table, m.Prep.ID())
	if m.Prep.ID() != "" && errors.Is(err, data.ErrNoColumn) {
		blocks, err = f.passes.open(cmd.Context(), inv, args[1], &f.table)
	}
	return m, blocks, err
}

// apply predicts a table, in passes or at once.
func (f *applyFlags) apply(cmd *cobra.Command, inv *invocation, m *mercer.Model, blocks data.Blocks, path string, test bool, how compute.Options) (*outcome.Prediction, error) {
	if blocks != nil {
		return m.TestBlocks(cmd.Context(), blocks, how)
	}
	t, err := f.read(cmd, inv, path, m.Prep.ID())
	if err != nil {
		return nil, err
	}
	if test {
		return m.Test(cmd.Context(), t, how)
	}
	return m.Predict(cmd.Context(), t, how)
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
			m, blocks, err := f.open(cmd, inv, args)
			if err != nil {
				return err
			}
			fill := func(to lineWriter) (int, error) { return f.fill(cmd, inv, m, blocks, args[1], to) }
			return f.write(cmd, inv, fill)
		},
	}
	f.register(cmd)
	f.passes.register(cmd)
	return inv.cached(cmd)
}

// fill predicts a table line by line.
func (f *predictFlags) fill(cmd *cobra.Command, inv *invocation, m *mercer.Model, blocks data.Blocks, path string, to lineWriter) (int, error) {
	if blocks != nil {
		return f.predictBlocks(cmd, inv, m, blocks, to)
	}
	how, stop := inv.compute()
	defer stop()
	p, err := f.apply(cmd, inv, m, nil, path, false, how)
	if err != nil {
		return 0, err
	}
	stop()
	inv.notes(p.Rows.Notes)
	add, err := f.add(cmd, inv, m, p)
	if err != nil {
		return 0, err
	}
	header, lines := tabulate(p, add)
	if err := to.write(header, lines); err != nil {
		return 0, err
	}
	return len(lines), to.end()
}

// write writes what fill makes to the file that was named, as JSON, or to standard output.
func (f *predictFlags) write(cmd *cobra.Command, inv *invocation, fill func(lineWriter) (int, error)) error {
	var to several
	if inv.json {
		to = append(to, &jsonLines{w: inv.stdout})
	}
	if f.out == "" {
		if !inv.json {
			to = append(to, &csvLines{w: inv.stdout})
		}
		_, err := fill(to)
		return err
	}
	count := 0
	err := atomicfile.Write(cmd.Context(), f.out, func(w io.Writer) (err error) {
		count, err = fill(append(to, &csvLines{w: w}))
		return err
	})
	if err == nil {
		inv.note("%s: %d predictions", f.out, count)
	}
	return err
}

// conformalIntervals is the interval method of models with conformal scores.
const conformalIntervals = "conformal"

// add makes what the flags ask for beside the predictions.
func (f *predictFlags) add(cmd *cobra.Command, inv *invocation, m *mercer.Model, p *outcome.Prediction) (*added, error) {
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
func (f *predictFlags) bound(cmd *cobra.Command, inv *invocation, m *mercer.Model, p *outcome.Prediction, a *added) (err error) {
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
	how, stop := inv.compute()
	defer stop()
	a.lo, a.hi, err = m.Intervals(cmd.Context(), p, f.level, krr.IntervalMethod(method), how)
	return err
}

// modelAndTable is the argument rule "MODEL TABLE".
func modelAndTable(_ *cobra.Command, args []string) error {
	if len(args) != 2 {
		return fmt.Errorf("expected a model file and a table, such as: house.mercer new.csv (got %d arguments)", len(args))
	}
	return nil
}
