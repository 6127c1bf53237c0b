package pipeline

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/gram"
	"example.org/mercer/outcome"
	"example.org/mercer/supervised/krr"
	"example.org/mercer/task"
)

// Everything here asks what would be without one of the training rows: intervals by
// the jackknife+, and explanations. It needs the training rows and their
// leave-one-out residuals.

// crossRows computes the kernel between some predicted rows and the training rows.
func (m *Model) crossRows(ctx context.Context, p *outcome.Prediction, rows []int, o compute.Options) (*mat.Dense, error) {
	pairs, err := m.f.Cross(p.Rows, rows)
	if err != nil {
		return nil, err
	}
	var cross mat.Dense
	return &cross, gram.Rect(ctx, &cross, pairs, o)
}

// intervalBatch is the number of rows whose kernel values are held at a time.
const intervalBatch = 1024

// Intervals returns the lower and the upper end of an interval for every predicted
// value, with the given coverage in (0, 1). The system of the fit is factored again:
// O(n³) once, O(n²) for every row with [krr.JackknifePlus]. A Gaussian process has
// intervals of its own, whatever the method.
func (m *Model) Intervals(ctx context.Context, p *outcome.Prediction, level float64, method krr.IntervalMethod, o compute.Options) (lo, hi *mat.Dense, err error) {
	if isProcess(m.Report) {
		return m.processIntervals(ctx, p, level, o)
	}
	k, fit, err := m.refit(o)
	if err != nil {
		return nil, nil, err
	}
	intervals, err := krr.NewIntervals(ctx, k, fit, o)
	if err != nil {
		return nil, nil, err
	}
	n, outputs := p.Values.Dims()
	lo, hi = mat.NewDense(n, outputs, nil), mat.NewDense(n, outputs, nil)
	for from := 0; from < n; from += intervalBatch {
		to := min(from+intervalBatch, n)
		cross, err := m.crossRows(ctx, p, span(from, to), o)
		if err != nil {
			return nil, nil, err
		}
		l, h, err := intervals.Predict(ctx, cross, level, method)
		if err != nil {
			return nil, nil, err
		}
		lo.Slice(from, to, 0, outputs).(*mat.Dense).Copy(l)
		hi.Slice(from, to, 0, outputs).(*mat.Dense).Copy(h)
	}
	return lo, hi, nil
}

func span(from, to int) []int {
	rows := make([]int, to-from)
	for i := range rows {
		rows[i] = from + i
	}
	return rows
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
	Leverage float64 `json:"leverage"` // of the training row, ∂ŷᵢ/∂yᵢ
	Change   float64 `json:"change"`   // of the prediction, if the row were removed
}

// ExplainOptions choose what is explained.
type ExplainOptions struct {
	Top  int   // parts or features to list for every prediction; 0: all
	Rows []int // rows of the table, from 1; nil: all
	// Output is the name of the only output to explain, by features; "": all.
	Output string
}

// errDecoded is the error about outputs that mean nothing one by one.
func errDecoded(d outcome.Decision) error {
	return fmt.Errorf("pipeline: the outputs of this model are no parts of an answer but what its decoder reads (loss %s): explain a model with the loss hamming of sets, or spearman of rankings", d.Structured.Loss)
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
	cross, err := m.crossRows(ctx, p, rows, o)
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
	if m.removable() {
		return m.explainRemovals(ctx, cross, o)
	}
	coef, bias := m.f.Coef(), m.f.Bias()
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
func (m *Model) explainRemovals(ctx context.Context, cross *mat.Dense, o compute.Options) ([]Explanation, error) {
	k, fit, err := m.refit(o)
	if err != nil {
		return nil, err
	}
	explained, err := krr.Explain(ctx, k, fit, cross, 0, o)
	if err != nil {
		return nil, err
	}
	var out []Explanation
	for _, e := range explained {
		x := Explanation{row: e.Row, output: e.Target, Prediction: e.Prediction, Bias: e.Bias}
		for _, t := range e.Terms {
			x.Parts = append(x.Parts, Part{Name: m.Trained[t.Row], Kernel: t.Kernel, Contribution: t.Contribution,
				Removal: &Removal{Leverage: t.Leverage, Change: -t.Removal}})
		}
		out = append(out, x)
	}
	return out, nil
}

// positionsOf turns numbers of rows in the table into positions among the predictions.
func positionsOf(p *outcome.Prediction, wanted []int) ([]int, error) {
	if wanted == nil {
		return span(0, len(p.Rows.Rows)), nil
	}
	var rows []int
	for _, w := range wanted {
		at := slices.Index(p.Rows.Rows, w-1)
		if at < 0 {
			return nil, fmt.Errorf("pipeline: row %d is not among the %d predicted rows; rows are counted from 1", w, len(p.Rows.Rows))
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
