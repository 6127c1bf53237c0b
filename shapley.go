package mercer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/prep"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/record"
	"example.org/mercer/model"
	"example.org/mercer/outcome"
	"example.org/mercer/rkhs/shapley"
	"example.org/mercer/task"
)

// Shapley are the exact Shapley values of the columns in predictions: of every row, and their mean
// size over the rows.
type Shapley struct {
	Rows    []ShapleyRow    `json:"rows"`
	Outputs []ShapleyOutput `json:"outputs"`
}

// ShapleyRow shares the prediction of one row among its columns:
// Prediction = Base + Σ Value + Rest.
type ShapleyRow struct {
	Row        string  `json:"row"`    // id, or number in the table from 1
	Output     string  `json:"output"` // name of the output
	Prediction float64 `json:"prediction"`
	// Base is the intercept and v(∅), the function without any column.
	Base float64 `json:"base"`
	Sides
	Columns []ShapleyColumn `json:"columns"` // largest values first
	Others  int             `json:"others"`  // how many are not listed
	Rest    float64         `json:"rest"`    // what these add up to
}

// ShapleyColumn is the share of one column.
type ShapleyColumn struct {
	Name  string  `json:"name"`
	Cell  string  `json:"cell"` // what the row has there; "" where it is missing
	Value float64 `json:"shapley"`
	// Number is that of the cell, or NaN.
	Number float64 `json:"-"`
}

// ShapleyOutput is the mean |φⱼ| of the columns over all rows that are explained.
type ShapleyOutput struct {
	Output  string        `json:"output"`
	Base    float64       `json:"base"`
	Rows    int           `json:"rows"`
	Columns []ShapleyMean `json:"columns"` // largest first
	Others  int           `json:"others"`  // how many are not listed
}

// ShapleyMean is the mean size of the values of one column, and their standard deviation.
type ShapleyMean struct {
	Name      string  `json:"name"`
	Mean      float64 `json:"mean"`
	Deviation float64 `json:"deviation"`
}

// Shapley shares predictions among the columns by [shapley.Explain]; the codes of a category, and
// the mark of missing cells, belong to their column. In the game
//
//	v(S) = b + Σᵢ αᵢ Π_{j∈S} kⱼ(xⱼ, xᵢⱼ)
//
// a column outside of S has the factor 1, as if it agreed with that of every training row. Under
// a linear term it is at 0, which is the mean of a standardised column. The values then hold a
// constant for every column, what its mere presence changes. With ExplainOptions.Means, where a
// column outside of S has the mean factor of the rows that the model keeps, they do not.
//
// O(n·d²) for every row of d columns and n training rows, and O(n²d) once for the means. Errors: a
// kernel that looks at columns together, a model without training rows, and one on anything but
// columns.
func (m *Model) Shapley(ctx context.Context, p *outcome.Prediction, e ExplainOptions, o compute.Options) (*Shapley, error) {
	rows, err := positionsOf(p, e.Rows)
	if err != nil {
		return nil, err
	}
	outputs, err := m.chosenOutputs(p, e.Output)
	if err != nil {
		return nil, err
	}
	var found *shapley.Values
	var points data.Set[[]float64]
	noColumns := func(what string) error {
		return fmt.Errorf("mercer: the model compares %s, which are no columns of numbers and categories to share a prediction among: explain it by features or by rows", what)
	}
	m.Function.Visit(task.FunctionVisitor{
		Vectors: func(f task.TypedFunction[[]float64]) {
			if points, err = f.Of(p.Rows); err == nil {
				points = data.Subset(points, rows)
				found, err = m.shares(ctx, f, outputs, points, e.Means, o)
			}
		},
		IDs:     func(task.TypedFunction[string]) { err = noColumns("rows by their ids") },
		Records: func(task.TypedFunction[record.Record]) { err = noColumns("sequences, graphs or texts") },
		Mixture: func(task.Mixture) { err = task.ErrMixture },
	})
	if err != nil {
		return nil, err
	}
	names := task.RowNames(p.Rows)
	s := &Shapley{}
	for i, row := range rows {
		cells := m.Prep.Written(points.At(i))
		for at, j := range outputs {
			x := ShapleyRow{Row: names[row], Output: p.Outputs[j], Base: m.Function.Bias()[j] + found.Base[at], Sides: m.sides(j)}
			x.share(found.Phi[i].RawRowView(at), cells)
			s.Rows = append(s.Rows, x)
		}
	}
	s.average(p.Outputs, outputs)
	s.Shorten(e.Top)
	return s, nil
}

// shares returns the Shapley values of some outputs at vectors.
func (m *Model) shares(ctx context.Context, f task.TypedFunction[[]float64], outputs []int, rows data.Set[[]float64], means bool, o compute.Options) (*shapley.Values, error) {
	e, ok := f.Predictor.(*model.Expansion[[]float64])
	if !ok {
		return nil, task.ErrPrimal
	}
	if err := kernel.Validate(e.Kernel, rows); err != nil {
		return nil, err
	}
	n, _ := e.Coef.Dims()
	coef := mat.NewDense(n, len(outputs), nil)
	for at, j := range outputs {
		coef.SetCol(at, mat.Col(nil, j, e.Coef))
	}
	how := shapley.Options{Players: players(m.Prep), Compute: o}
	if means {
		how.Background = e.Points
	}
	found, err := shapley.Explain(ctx, e.Kernel, rows, e.Points, coef, how)
	if errors.Is(err, shapley.ErrNoProduct) {
		return nil, fmt.Errorf("mercer: %w; explain other kernels by rows or by features", err)
	}
	return found, err
}

// players gives every feature the number of its column.
func players(p *prep.Pipeline) []int {
	_, groups := p.Features()
	of := make([]int, len(groups))
	for j := range of {
		if j > 0 {
			of[j] = of[j-1]
			if groups[j] != groups[j-1] {
				of[j]++
			}
		}
	}
	return of
}

// share gives the cells of a row their values, the largest first.
func (x *ShapleyRow) share(phi []float64, cells []prep.Written) {
	x.Prediction = x.Base
	for j, cell := range cells {
		x.Prediction += phi[j]
		x.Columns = append(x.Columns, ShapleyColumn{Name: cell.Column, Cell: cell.Cell, Number: cell.Number, Value: phi[j]})
	}
	largestFirst(x.Columns, func(c ShapleyColumn) float64 { return c.Value })
}

// average takes the means over the rows, whose columns are all there still.
func (s *Shapley) average(names []string, outputs []int) {
	for at, j := range outputs {
		o := ShapleyOutput{Output: names[j]}
		values := map[string][]float64{}
		for i := at; i < len(s.Rows); i += len(outputs) {
			o.Rows++
			o.Base = s.Rows[i].Base
			for _, c := range s.Rows[i].Columns {
				values[c.Name] = append(values[c.Name], c.Value)
			}
		}
		for name, v := range values {
			o.Columns = append(o.Columns, ShapleyMean{Name: name, Mean: floats.Norm(v, 1) / float64(o.Rows), Deviation: stat.PopStdDev(v, nil)})
		}
		slices.SortFunc(o.Columns, func(a, b ShapleyMean) int { return cmp.Or(cmp.Compare(b.Mean, a.Mean), cmp.Compare(a.Name, b.Name)) })
		s.Outputs = append(s.Outputs, o)
	}
}

// Shorten keeps the largest values of every row, and the columns with the largest means; 0 keeps
// all.
func (s *Shapley) Shorten(top int) {
	if top <= 0 {
		return
	}
	for i := range s.Rows {
		x := &s.Rows[i]
		for _, c := range x.Columns[min(top, len(x.Columns)):] {
			x.Others++
			x.Rest += c.Value
		}
		x.Columns = slices.Clip(x.Columns[:min(top, len(x.Columns))])
	}
	for i := range s.Outputs {
		o := &s.Outputs[i]
		o.Others += max(0, len(o.Columns)-top)
		o.Columns = slices.Clip(o.Columns[:min(top, len(o.Columns))])
	}
}
