package learn

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/spf13/cobra"

	"example.org/mercer/cmd/mercer/internal/flags"
	"example.org/mercer/cmd/mercer/internal/verb"
	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/prep"
	"example.org/mercer/learner"
	"example.org/mercer/learner/distance"
	"example.org/mercer/outcome"
	"example.org/mercer/outcome/tabular"
	"example.org/mercer/search"
	"example.org/mercer/tune"
)

// crossValidation is what `mercer cv` prints.
type crossValidation struct {
	Method      string      `json:"method"`
	Kernel      string      `json:"kernel"`
	Rows        int         `json:"rows"`
	Folds       []fold      `json:"folds"`
	Means       []meanScore `json:"means"`
	Predictions string      `json:"predictions,omitempty"`
}

// fold is one part of the rows, which the others predict.
type fold struct {
	Train  int              `json:"train"`
	Test   int              `json:"test"`
	Scores []outcome.Scores `json:"scores"`

	lines [][]any // of predictions
	rows  []int   // of the table, one of each line
}

// meanScore is a score over the folds.
type meanScore struct {
	Score     string      `json:"score"`
	Mean      verb.Number `json:"mean"`
	Deviation verb.Number `json:"standard_deviation"`
}

func (c crossValidation) Text(w io.Writer) {
	fmt.Fprintf(w, "%s, %s: %d folds of %d rows\n", c.Method, verb.Brief(c.Kernel), len(c.Folds), c.Rows)
	lines := [][]string{{"fold", "train", "test"}}
	last := []string{"mean", "", ""}
	for _, m := range c.Means {
		lines[0] = append(lines[0], m.Score)
		last = append(last, verb.Num(float64(m.Mean))+" ± "+verb.Num(float64(m.Deviation)))
	}
	for k, f := range c.Folds {
		line := []string{fmt.Sprint(k + 1), fmt.Sprint(f.Train), fmt.Sprint(f.Test)}
		for _, v := range f.values() {
			line = append(line, verb.Num(v))
		}
		lines = append(lines, line)
	}
	verb.Columns(w, append(lines, last))
	fmt.Fprintln(w, "mean ± standard deviation over the folds")
}

// values are the scores of a fold, in the order of [scoreNames].
func (f fold) values() []float64 {
	var values []float64
	for _, s := range f.Scores {
		switch {
		case s.LabelScores != nil:
			values = append(values, s.Accuracy, s.Balanced, s.MacroF1)
		case s.NumberScores != nil:
			values = append(values, s.RMSE, s.MAE, s.R2)
		case s.StructuredScores != nil:
			values = append(values, s.Loss, s.Same)
		case s.QuantileScores != nil:
			values = append(values, s.Pinball...)
		}
	}
	return values
}

// scoreNames names the scores of a fold; those of several targets say of which.
func (f fold) scoreNames() []string {
	var names []string
	for _, s := range f.Scores {
		var own []string
		switch {
		case s.LabelScores != nil:
			own = []string{"accuracy", "balanced accuracy", "macro F1"}
		case s.NumberScores != nil:
			own = []string{"RMSE", "MAE", "R²"}
		case s.StructuredScores != nil:
			own = []string{"mean loss", "wholly right"}
		case s.QuantileScores != nil:
			for _, tau := range s.Taus {
				own = append(own, "pinball loss "+verb.Num(tau))
			}
		}
		if len(f.Scores) > 1 {
			for i := range own {
				own[i] = s.Target + " " + own[i]
			}
		}
		names = append(names, own...)
	}
	return names
}

// sum adds the means over the folds.
func (c *crossValidation) sum() {
	for j, name := range c.Folds[0].scoreNames() {
		var values []float64
		for _, f := range c.Folds {
			if v := f.values(); j < len(v) {
				values = append(values, v[j])
			}
		}
		mean, standardError := tune.MeanAndError(values)
		c.Means = append(c.Means, meanScore{name, verb.Number(mean), verb.Number(standardError * math.Sqrt(float64(len(values))))})
	}
}

func NewCV(inv *verb.Invocation) *cobra.Command {
	return inv.Prints(byMethod(inv, &cobra.Command{
		Use:     "cv [METHOD] TABLE",
		Aliases: []string{"crossval", "cross-validate"},
		Short:   "Test a method with given parameters by cross-validation",
		Long: `cv divides the rows into parts, and predicts each part by what fit learns from the others: scores of every part, their mean
and standard deviation, with --predictions the predictions of all rows by models that did not see them. The flags are
those of fit; nothing is searched (tune --nested does both).`,
		Example: `  mercer cv svc iris.csv --target species --C 10 --folds 10
  mercer cv krr train.csv --target price --kernel 'rbf(sigma=2)' --lambda 1e-3 --predictions held-out.csv`,
	}, func(s *learner.Spec) *cobra.Command {
		if s.Verb != "" || s.Target == learner.NoTarget {
			return nil
		}
		return newCVMethod(inv, s)
	}), crossValidation{})
}

// crossFlags are those of the verb cv.
type crossFlags struct {
	*flags.Problem
	own         *flags.Method
	splits      search.Splits
	predictions string
}

func newCVMethod(inv *verb.Invocation, s *learner.Spec) *cobra.Command {
	f := &crossFlags{}
	f.Problem, f.own = flags.For(s)
	cmd := &cobra.Command{
		Use:     s.Name + " TABLE",
		Short:   "Test " + s.Title + " by cross-validation",
		Long:    s.Purpose,
		Example: examplesOf("cv", s),
		Args:    oneTable,
		RunE: func(cmd *cobra.Command, args []string) error {
			if f.predictions != "" {
				if err := verb.CanWrite(f.predictions); err != nil {
					return err
				}
			}
			c := &crossValidation{Method: s.Name, Kernel: f.Kernel, Predictions: f.predictions}
			header, err := f.run(cmd, inv, c, args[0])
			if err != nil {
				return err
			}
			c.sum()
			if f.predictions != "" {
				if err := c.write(cmd.Context(), inv, header); err != nil {
					return err
				}
			}
			return inv.Emit(c)
		},
	}
	f.Register(cmd)
	f.RegisterTreatment(cmd)
	f.own.Register(cmd)
	claimed := verb.SearchGroup.Claim(cmd.Flags())
	registerSplits(cmd.Flags(), &f.splits.Folds, &f.splits.File, &f.splits.Group, &f.splits.Forward)
	claimed()
	cmd.Flags().StringVar(&f.predictions, "predictions", "", "CSV file of the predictions of all rows by models that did not see them")
	return inv.Cached(cmd)
}

// run fits to every part of the rows, and returns the header of the predictions.
func (f *crossFlags) run(cmd *cobra.Command, inv *verb.Invocation, c *crossValidation, path string) ([]string, error) {
	spec, err := f.Prep.Spec()
	if err != nil {
		return nil, err
	}
	if f.splits.Group != "" {
		spec.Drop = append(slices.Clone(spec.Drop), f.splits.Group)
	}
	t, err := f.Table.Read(cmd.Context(), inv, path, f.Prep.ID)
	if err != nil {
		return nil, err
	}
	c.Rows = t.Rows()
	splits, err := search.SplitsOf(t, spec, f.Kernel, f.splits, inv.Seed)
	if err != nil {
		return nil, verb.Blame(err)
	}
	how, stop := inv.Compute()
	defer stop()
	silent := inv.Silent() // the notes of one fold are those of all
	var header []string
	for k, split := range splits {
		how.Progress("cv", int64(k), int64(len(splits)))
		if k > 0 {
			inv = silent
		}
		one, names, err := f.fold(cmd, inv, t, spec, split, how)
		if err != nil {
			return nil, fmt.Errorf("fold %d: %w", k+1, err)
		}
		if header == nil && names != nil {
			header = slices.Insert(names, 1, "fold")
		}
		for i, line := range one.lines {
			one.lines[i] = slices.Insert(line, 1, any(k+1))
		}
		if len(one.Scores) == 0 || len(one.values()) == 0 {
			return nil, errors.New("there are no scores of this method")
		}
		c.Folds = append(c.Folds, one)
	}
	how.Progress("cv", int64(len(splits)), int64(len(splits)))
	return header, nil
}

// fold fits to the training rows of a split, and predicts the others.
func (f *crossFlags) fold(cmd *cobra.Command, inv *verb.Invocation, t *data.Table, spec prep.Spec, split tune.Split, how compute.Options) (one fold, header []string, err error) {
	ctx := cmd.Context()
	p, err := f.TaskOn(ctx, inv, t.Gather(split.Train), spec)
	if err != nil {
		return one, nil, err
	}
	method, err := f.own.Learner(cmd, inv, p, how)
	if err != nil {
		return one, nil, err
	}
	if how.MaxMemory > 0 {
		plan, err := learner.Plan(ctx, p, method)
		if err != nil {
			return one, nil, err
		}
		if err := compute.CheckMemory(plan, how.MaxMemory); err != nil {
			return one, nil, err
		}
	}
	p, fitted, err := distance.Fit(ctx, p, method)
	if err != nil {
		return one, nil, err
	}
	held, err := search.HeldOut(ctx, p, fitted, t.Gather(split.Test), how)
	if err != nil {
		return one, nil, err
	}
	one = fold{Train: len(split.Train), Test: len(split.Test)}
	if one.Scores, err = held.Scores(); err != nil || f.predictions == "" {
		return one, nil, err
	}
	held.Rows.Rows = data.Pick(split.Test, held.Rows.Rows)
	one.rows = held.Rows.Rows
	header, one.lines = tabular.Tabulate(held, &tabular.Additions{})
	return one, header, nil
}

// write writes the predictions, in the order of the rows.
func (c *crossValidation) write(ctx context.Context, inv *verb.Invocation, header []string) error {
	type predictedRow struct {
		row  int
		line []any
	}
	var rows []predictedRow // a row may be in several splits of a file
	for k, f := range c.Folds {
		for i, line := range f.lines {
			if len(line) != len(header) {
				return fmt.Errorf("fold %d has other outputs than fold 1, because a label is in none of its training rows: take fewer folds", k+1)
			}
			rows = append(rows, predictedRow{f.rows[i], line})
		}
	}
	slices.SortStableFunc(rows, func(a, b predictedRow) int { return cmp.Compare(a.row, b.row) })
	lines := make([][]any, len(rows))
	for i, r := range rows {
		lines[i] = r.line
	}
	return inv.WriteFile(ctx, c.Predictions, func(w io.Writer) error { return tabular.WriteCSV(w, header, lines) })
}
