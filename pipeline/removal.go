package pipeline

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"mercer/gram"
	"mercer/krr"
)

// Everything here asks what would be without one of the training rows: intervals by
// the jackknife+, and explanations. It needs the training rows and their
// leave-one-out residuals.

// crossRows computes the kernel between some predicted rows and the training rows.
func (m *Model) crossRows(ctx context.Context, p *Prediction, rows []int, o gram.Options) (*mat.Dense, error) {
	pairs, err := m.f.cross(p.Rows, rows)
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
// O(n³) once, O(n²) for every row with [krr.JackknifePlus].
func (m *Model) Intervals(ctx context.Context, p *Prediction, level float64, method krr.IntervalMethod, o gram.Options) (lo, hi *mat.Dense, err error) {
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
}

// Part is the share of one training row in a prediction.
type Part struct {
	Name         string  `json:"name"`         // of the training row
	Kernel       float64 `json:"kernel"`       // k(x, xᵢ)
	Contribution float64 `json:"contribution"` // αᵢk(x, xᵢ)
	Share        float64 `json:"share"`        // of Σ|contribution|
	Leverage     float64 `json:"leverage"`     // of the training row, ∂ŷᵢ/∂yᵢ
	Change       float64 `json:"change"`       // of the prediction, if the row were removed
}

// ExplainOptions choose what is explained.
type ExplainOptions struct {
	Top  int   // parts to list for every prediction; 0: all
	Rows []int // rows of the table, from 1; nil: all
}

// Explain splits predictions into the contributions of the training rows, αᵢk(x, xᵢ).
// The change that removing a row makes is exact. O(n³) once and O(n²) for every row.
func (m *Model) Explain(ctx context.Context, p *Prediction, e ExplainOptions, o gram.Options) ([]Explanation, error) {
	rows, err := p.choose(e.Rows)
	if err != nil {
		return nil, err
	}
	k, fit, err := m.refit(o)
	if err != nil {
		return nil, err
	}
	cross, err := m.crossRows(ctx, p, rows, o)
	if err != nil {
		return nil, err
	}
	explained, err := krr.Explain(ctx, k, fit, cross, 0, o)
	if err != nil {
		return nil, err
	}
	names := rowNames(p.Rows)
	var out []Explanation
	for _, x := range explained {
		out = append(out, summarise(x, e.Top, names[rows[x.Row]], p.Outputs[x.Target], m.Trained))
	}
	return out, nil
}

// choose turns numbers of rows in the table into positions among the predictions.
func (p *Prediction) choose(wanted []int) ([]int, error) {
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

// summarise lists the largest parts and adds up the rest.
func summarise(x krr.Explanation, top int, row, output string, trained []string) Explanation {
	out := Explanation{Row: row, Output: output, Prediction: x.Prediction, Bias: x.Bias, Parts: []Part{}}
	total := 0.0
	for _, term := range x.Terms {
		total += math.Abs(term.Contribution)
	}
	for i, term := range x.Terms {
		if top > 0 && i >= top {
			out.Others++
			out.Rest += term.Contribution
			continue
		}
		part := Part{Name: trained[term.Row], Kernel: term.Kernel, Contribution: term.Contribution, Leverage: term.Leverage, Change: -term.Removal}
		if total > 0 {
			part.Share = math.Abs(term.Contribution) / total
		}
		out.Parts = append(out.Parts, part)
	}
	return out
}
