package models

import (
	"io"

	"github.com/spf13/cobra"

	"example.org/mercer"
	"example.org/mercer/cmd/mercer/internal/flags"
	"example.org/mercer/cmd/mercer/internal/predicted"
	"example.org/mercer/cmd/mercer/internal/verb"
	"example.org/mercer/data"
	"example.org/mercer/internal/atomicfile"
	"example.org/mercer/outcome"
	"example.org/mercer/outcome/tabular"
	"example.org/mercer/supervised/krr"
)

// predictFlags are those of the verb predict.
type predictFlags struct {
	flags.Apply
	out      string
	level    float64
	method   string
	sets     float64
	perClass bool
	beside   bool
	digits   int
}

func (f *predictFlags) register(cmd *cobra.Command) {
	f.Apply.Register(cmd)
	cmd.Flags().StringVarP(&f.out, "output", "o", "", "file to write: Arrow or Parquet for names that end in .arrow, .feather or .parquet, else CSV; default: CSV on standard output")
	cmd.Flags().BoolVar(&f.beside, "append", false, "write the table itself, with the predictions as more columns")
	cmd.Flags().Float64Var(&f.level, "interval", 0, "add prediction intervals with this coverage, such as 0.9")
	cmd.Flags().StringVar(&f.method, "interval-method", "", "jackknife+, jackknife or conformal; default: jackknife+ for krr, the predictive distribution for gp, else conformal")
	cmd.Flags().Float64Var(&f.sets, "sets", 0, "add the sets of labels with this coverage, such as 0.9")
	cmd.Flags().BoolVar(&f.perClass, "per-class", false, "let the sets cover the rows of every label as often, not only all rows")
	cmd.Flags().IntVar(&f.digits, "digits", 0, predicted.DigitsHelp+"all that a number has")
	verb.Choices(cmd, "interval-method", []string{string(krr.JackknifePlus), string(krr.Jackknife), outcome.ConformalIntervals})
}

// check reports flags that contradict themselves, before anything is read.
func (f *predictFlags) check(cmd *cobra.Command) error {
	if cmd.Flags().Changed("interval") && !(f.level > 0 && f.level < 1) {
		return verb.Usagef("--interval is %g; give the coverage wanted, such as 0.9", f.level)
	}
	if cmd.Flags().Changed("sets") && !(f.sets > 0 && f.sets < 1) {
		return verb.Usagef("--sets is %g; give the coverage wanted, such as 0.9", f.sets)
	}
	if err := predicted.CheckDigits(cmd, f.digits); err != nil {
		return err
	}
	if f.perClass && f.sets == 0 {
		return verb.Usagef("--per-class says how label sets are made: ask for them with --sets")
	}
	if f.out == verb.Stdout {
		f.out = ""
	}
	if f.out != "" {
		return verb.CanWrite(f.out)
	}
	return nil
}

func NewPredict(inv *verb.Invocation) *cobra.Command {
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
  mercer predict house.mercer new.csv --append -o new-with-prices.csv
  cat new.csv | mercer predict house.mercer -`,
		Args: flags.ModelAndTable,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.check(cmd); err != nil {
				return err
			}
			m, blocks, err := f.Open(cmd, inv, args)
			if err != nil {
				return err
			}
			if f.beside && blocks != nil {
				return verb.Usagef("--append holds the table in memory, and it is read in passes: leave one of them out")
			}
			fill := func(to tabular.Writer) (int, error) {
				if f.digits > 0 {
					to = predicted.Rounded{To: to, Digits: f.digits}
				}
				return f.fill(cmd, inv, m, blocks, args[1], to)
			}
			return f.write(cmd, inv, fill)
		},
	}
	f.register(cmd)
	f.Passes.Register(cmd)
	return inv.Prints(inv.Cached(cmd), tabular.Table{})
}

// fill predicts a table line by line.
func (f *predictFlags) fill(cmd *cobra.Command, inv *verb.Invocation, m *mercer.Model, blocks data.Blocks, path string, to tabular.Writer) (int, error) {
	if blocks != nil {
		return f.predictBlocks(cmd, inv, m, blocks, to)
	}
	how, stop := inv.Compute()
	defer stop()
	t, err := f.Read(cmd, inv, path, m.Prep.ID())
	if err != nil {
		return 0, err
	}
	p, err := m.Predict(cmd.Context(), t, how)
	if err != nil {
		return 0, err
	}
	stop()
	inv.Notes(p.Rows.Notes)
	add, err := f.add(cmd, inv, m, p)
	if err != nil {
		return 0, err
	}
	header, lines := tabular.Tabulate(p, add)
	if f.beside {
		header, lines = predicted.Appended(t, p.Rows.Rows, header, lines)
	}
	if err := to.Write(header, lines); err != nil {
		return 0, err
	}
	return len(lines), to.End()
}

// predictBlocks predicts a table in passes, and writes its lines as they come.
func (f *predictFlags) predictBlocks(cmd *cobra.Command, inv *verb.Invocation, m *mercer.Model, t data.Blocks, to tabular.Writer) (rows int, err error) {
	how, stop := inv.Compute()
	defer stop()
	notes, err := m.PredictBlocks(cmd.Context(), t, outcome.Asked{Level: f.level, Method: krr.IntervalMethod(f.method)}, how, func(p *outcome.Prediction) error {
		add, err := f.add(cmd, inv, m, p)
		if err != nil {
			return err
		}
		header, lines := tabular.Tabulate(p, add)
		rows += len(lines)
		return to.Write(header, lines)
	})
	if err != nil {
		return rows, err
	}
	stop()
	inv.Notes(notes)
	return rows, to.End()
}

// write writes what fill makes to the file that was named, as JSON, or to standard output.
func (f *predictFlags) write(cmd *cobra.Command, inv *verb.Invocation, fill func(tabular.Writer) (int, error)) error {
	var to tabular.Several
	if inv.JSON {
		to = append(to, &tabular.JSON{W: inv.Stdout})
	}
	if f.out == "" {
		if !inv.JSON {
			to = append(to, &tabular.CSV{W: inv.Stdout})
		}
		_, err := fill(to)
		return err
	}
	count := 0
	err := atomicfile.Write(cmd.Context(), f.out, func(w io.Writer) (err error) {
		count, err = fill(append(to, predicted.WriterOf(f.out, w)))
		return err
	})
	if err == nil {
		inv.Note("%s: %d predictions", f.out, count)
	}
	return err
}

// add makes what the flags ask for beside the predictions.
func (f *predictFlags) add(cmd *cobra.Command, inv *verb.Invocation, m *mercer.Model, p *outcome.Prediction) (*tabular.Additions, error) {
	a := &tabular.Additions{}
	if f.level > 0 {
		how, stop := inv.Compute()
		defer stop()
		if err := m.IntervalsBeside(cmd.Context(), a, p, f.level, krr.IntervalMethod(f.method), how); err != nil {
			return nil, err
		}
	}
	var err error
	if f.sets > 0 {
		a.Sets, err = m.Sets(p, f.sets, f.perClass)
	}
	return a, err
}
