package mercer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/learner"
	"example.org/mercer/outcome"
	"example.org/mercer/supervised/krr"
	"example.org/mercer/task"
)

// Everything here asks what would be without one of the training rows: intervals by
// the jackknife+, and explanations. It needs the training rows and their
// leave-one-out residuals.

// Intervals have a chance of at least level, or for the jackknife+ of 2·level − 1, to hold the
// targets of new rows: those of a Gaussian process, or from the leave-one-out residuals of kernel
// ridge regression by a method.
func (m *Model) Intervals(ctx context.Context, p *outcome.Prediction, level float64, method krr.IntervalMethod, o compute.Options) (lo, hi *mat.Dense, err error) {
	s, err := m.intervals()
	if err != nil {
		return nil, nil, err
	}
	learned := p.Learned()
	if found := learned.Intervals; found.For(outcome.Asked{Level: level, Method: method}) {
		lo, hi = found.Lo, found.Hi
	} else if lo, hi, err = s.Intervals(ctx, m.Fitted, learned, level, method, o); err != nil {
		return nil, nil, err
	}
	lo, hi = p.Bounded(lo, hi)
	return lo, hi, nil
}

// intervals returns what makes intervals of the method's own, or why there are none.
func (m *Model) intervals() (learner.Intervals, error) {
	if m.Compression != nil {
		return nil, errCompressed
	}
	s, ok := learner.StateOf[learner.Intervals](m.Fitted)
	if !ok {
		return nil, fmt.Errorf("mercer: models of krr and gp have intervals of their own, and this one was made by %q: fit it with --conformal for intervals", m.Method)
	}
	return s, m.keepsRows(s)
}

// keepsRows refuses to speak of single training rows by a state of a model that keeps its landmarks
// alone.
func (m *Model) keepsRows(s learner.State) error {
	if _, removals := s.(learner.Removals); removals && m.Approximation != nil {
		return errors.New("mercer: what removing a training row would change needs all of them, and the model keeps its landmarks alone; fit it without landmarks, or with --conformal for intervals")
	}
	return nil
}

// Explanation says what carries one prediction of one row.
type Explanation struct {
	Row        string  `json:"row"`    // id, or number in the table from 1
	Output     string  `json:"output"` // name of the output
	Prediction float64 `json:"prediction"`
	Bias       float64 `json:"bias"`
	Parts      []Part  `json:"parts"`  // largest contributions first
	Others     int     `json:"others"` // how many are not listed
	Rest       float64 `json:"rest"`   // what these add up to

	row, output int
}

// Part is the share of one training row in a prediction.
type Part struct {
	Name         string  `json:"name"`         // of the training row
	Kernel       float64 `json:"kernel"`       // k(x, xᵢ)
	Contribution float64 `json:"contribution"` // αᵢk(x, xᵢ)
	Share        float64 `json:"share"`        // of Σ|contribution|
	// Removal is what kernel ridge regression knows besides; nil for other methods.
	Removal *Removal `json:"removal,omitempty"`
}

// Removal says what one training row does to the fit.
type Removal struct {
	Leverage   float64 `json:"leverage"` // of the training row, ∂ŷᵢ/∂yᵢ
	Difference float64 `json:"change"`   // of the prediction, if the row were removed
}

// ExplainOptions choose what is explained.
type ExplainOptions struct {
	Top  int   // parts or features to list for every prediction; 0: all
	Rows []int // rows of the table, from 1; nil: all
	// Output is the name of the only output to explain, by features or columns; "": all.
	Output string
	// Means says of Shapley values that a column outside of S has the mean of its factors over the
	// rows that the model keeps, and not the factor 1.
	Means bool
	// Samples says to draw Shapley values, about as many orders of the columns for every row; 0:
	// only where there are no exact ones.
	Samples int
	Seed    uint64 // of what is drawn
	// Interactions says to add those of two columns to the Shapley values.
	Interactions bool
	// Columns are those to follow by dependence; nil: as many as Top says, the most important.
	Columns []string
}

// errDecoded is the error about outputs that mean nothing one by one.
func errDecoded(d outcome.Decision) error {
	return fmt.Errorf("mercer: the outputs of this model are no parts of an answer but what its decoder reads (loss %s): explain a model with the loss hamming of sets, or spearman of rankings", d.Structured.Loss)
}

// Explain splits predictions into the contributions of the training rows, αᵢk(x, xᵢ):
// O(n) kernel values for every row. For kernel ridge regression it adds what removing
// each would change, exactly: O(n³) once and O(n²) for every row; not where landmarks stand
// for the rows.
func (m *Model) Explain(ctx context.Context, p *outcome.Prediction, e ExplainOptions, o compute.Options) ([]Explanation, error) {
	if m.Decision.Rule == outcome.PreImage && m.Decision.Shown(p.Targets) == 0 {
		return nil, errDecoded(m.Decision)
	}
	if err := m.explainable(); err != nil {
		return nil, err
	}
	rows, err := positionsOf(p, e.Rows)
	if err != nil {
		return nil, err
	}
	cross, err := m.Cross(ctx, p, rows, o)
	if err != nil {
		return nil, err
	}
	explained, err := m.explain(ctx, cross, o)
	if err != nil {
		return nil, err
	}
	names := task.RowNames(p.Rows)
	for i := range explained {
		x := &explained[i]
		x.Row, x.Output = names[rows[x.row]], p.Outputs[x.output]
		x.shorten(e.Top)
	}
	return explained, nil
}

// explain splits the predictions of rows of which cross holds the kernel values.
func (m *Model) explain(ctx context.Context, cross *mat.Dense, o compute.Options) ([]Explanation, error) {
	if s, ok := learner.StateOf[learner.Removals](m.Fitted); ok && m.Compression == nil && m.Approximation == nil {
		return m.explainRemovals(ctx, s, cross, o)
	}
	coef, bias := m.Function.Coef(), m.Function.Bias()
	var out []Explanation
	for r := range cross.RawMatrix().Rows {
		for j := range coef.RawMatrix().Cols {
			x := Explanation{row: r, output: j, Prediction: bias[j], Bias: bias[j]}
			for i, kx := range cross.RawRowView(r) {
				part := Part{Name: m.Trained[i], Kernel: kx, Contribution: coef.At(i, j) * kx}
				x.Prediction += part.Contribution
				x.Parts = append(x.Parts, part)
			}
			out = append(out, x)
		}
	}
	return out, nil
}

// explainRemovals adds what removing each training row would change.
func (m *Model) explainRemovals(ctx context.Context, s learner.Removals, cross *mat.Dense, o compute.Options) ([]Explanation, error) {
	explained, err := s.Explain(ctx, m.Fitted, cross, o)
	if err != nil {
		return nil, err
	}
	var out []Explanation
	for _, e := range explained {
		x := Explanation{row: e.Row, output: e.Target, Prediction: e.Prediction, Bias: e.Bias}
		for _, t := range e.Terms {
			x.Parts = append(x.Parts, Part{Name: m.Trained[t.Row], Kernel: t.Kernel, Contribution: t.Contribution,
				Removal: &Removal{Leverage: t.Leverage, Difference: -t.Removal}})
		}
		out = append(out, x)
	}
	return out, nil
}

// positionsOf turns numbers of rows in the table into positions among the predictions.
func positionsOf(p *outcome.Prediction, wanted []int) ([]int, error) {
	if wanted == nil {
		return data.Range(0, len(p.Rows.Rows)), nil
	}
	var rows []int
	for _, w := range wanted {
		at := slices.Index(p.Rows.Rows, w-1)
		if at < 0 {
			return nil, fmt.Errorf("mercer: row %d is not among the %d predicted rows; rows are counted from 1", w, len(p.Rows.Rows))
		}
		rows = append(rows, at)
	}
	return rows, nil
}

// shorten keeps the largest parts, 0 for all, and adds up the rest.
func (x *Explanation) shorten(top int) {
	slices.SortStableFunc(x.Parts, func(a, b Part) int { return cmp.Compare(math.Abs(b.Contribution), math.Abs(a.Contribution)) })
	total := 0.0
	for _, part := range x.Parts {
		total += math.Abs(part.Contribution)
	}
	for i := range x.Parts {
		if total > 0 {
			x.Parts[i].Share = math.Abs(x.Parts[i].Contribution) / total
		}
	}
	if top > 0 && top < len(x.Parts) {
		for _, part := range x.Parts[top:] {
			x.Others++
			x.Rest += part.Contribution
		}
		x.Parts = slices.Clip(x.Parts[:top])
	}
}
