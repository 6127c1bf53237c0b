package mercer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/prep"
	"example.org/mercer/kernel"
	"example.org/mercer/model"
	"example.org/mercer/outcome"
	"example.org/mercer/rkhs/shapley"
	"example.org/mercer/supervised/tree"
	"example.org/mercer/task"
)

// Shapley are the Shapley values of the columns in predictions: of every row, and their mean size
// over the rows.
type Shapley struct {
	// Game says what a column has that is not there: the factor 1, its mean factor, or what it has
	// in rows of the model, [shapley.Interventional].
	Game string `json:"game"`
	// Samples is the number of orders of the columns that were drawn for every row, and Background
	// that of the rows that columns come from; 0: the values are exact.
	Samples    int             `json:"samples"`
	Background int             `json:"background"`
	Rows       []ShapleyRow    `json:"rows"`
	Outputs    []ShapleyOutput `json:"outputs"`
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
	// Pairs are the interactions of two columns, the strongest first, and MorePairs how many are
	// not listed; see [ExplainOptions.Interactions].
	Pairs     []ShapleyPair `json:"interactions,omitempty"`
	MorePairs int           `json:"other_interactions,omitempty"`
}

// ShapleyColumn is the share of one column.
type ShapleyColumn struct {
	Name  string  `json:"name"`
	Cell  string  `json:"cell"` // what the row has there; "" where it is missing
	Value float64 `json:"shapley"`
	Error float64 `json:"error"` // standard error; 0: exact
	// Number is that of the cell, or NaN.
	Number float64 `json:"-"`
}

// ShapleyPair is what two columns add together, beyond what each adds alone; see [shapley.Pair].
type ShapleyPair struct {
	First  string  `json:"first"`
	Second string  `json:"second"`
	Value  float64 `json:"interaction"`
	Error  float64 `json:"error"` // standard error; 0: exact
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

// Shapley shares predictions among the columns by [shapley.Explain], exactly; the codes of a
// category, and the mark of missing cells, belong to their column. In the game
//
//	v(S) = b + Σᵢ αᵢ Π_{j∈S} kⱼ(xⱼ, xᵢⱼ)
//
// a column outside of S has the factor 1, as if it agreed with that of every training row. Under
// a linear term it is at 0, which is the mean of a standardised column. The values then hold a
// constant for every column, what its mere presence changes. With ExplainOptions.Means, where a
// column outside of S has the mean factor of the rows that the model keeps, they do not.
//
// Where the kernel is no product over columns, the model a tree, or Samples asks for it, the values
// are drawn by [shapley.Sample]: the columns outside of S then come from up to 100 rows that the
// model keeps.
//
// O(n·d²) for every row of d columns and n training rows, and O(n²d) once for the means; drawn,
// about 400·d predictions for every row. Errors: means under a kernel that looks at columns
// together, a model without training rows, and one on anything but columns.
func (m *Model) Shapley(ctx context.Context, p *outcome.Prediction, e ExplainOptions, o compute.Options) (*Shapley, error) {
	of, err := m.onColumns(p, e, "which are no columns of numbers and categories to share a prediction among")
	if err != nil {
		return nil, err
	}
	s := &Shapley{}
	found, err := s.shares(ctx, of.TypedFunction, of.outputs, of.points, e, shapley.Options{Players: players(m.Prep), Pairs: e.Interactions, Compute: o})
	if err != nil {
		return nil, err
	}
	names := task.RowNames(p.Rows)
	for i, row := range of.rows {
		cells := m.Prep.Written(of.points.At(i))
		for at, j := range of.outputs {
			x := ShapleyRow{Row: names[row], Output: p.Outputs[j], Base: m.Function.Bias()[j] + found.Base[at], Sides: m.sides(j)}
			x.share(found, i, at, cells)
			s.Rows = append(s.Rows, x)
		}
	}
	s.average(p.Outputs, of.outputs)
	s.Shorten(e.Top)
	return s, nil
}

// mostBackground is how many of its rows a model lends to columns that are not there.
const mostBackground = 100

// shares returns the Shapley values of some outputs at vectors, and says in s what they are.
func (s *Shapley) shares(ctx context.Context, f task.TypedFunction[[]float64], outputs []int, rows data.Set[[]float64], e ExplainOptions, how shapley.Options) (*shapley.Values, error) {
	if e.Means && e.Samples > 0 {
		return nil, errors.New("mercer: means of factors are not sampled; ask for either")
	}
	if t, ok := f.Predictor.(*tree.Tree); ok {
		if e.Means {
			return nil, errors.New("mercer: means of factors are of one kernel, and the model is a tree of machines: without means its values are sampled")
		}
		var points data.Set[[]float64] = data.Slice[[]float64]{}
		for _, machine := range t.Predictors {
			var err error
			if points, err = data.Join(points, machine.(*model.Expansion[[]float64]).Points); err != nil {
				return nil, err
			}
		}
		return s.sampled(ctx, someOutputs{t, outputs}, points, rows, e, how)
	}
	some, err := expansionOf(f, outputs, rows)
	if err != nil {
		return nil, err
	}
	if e.Samples == 0 {
		s.Game = shapley.Ones
		if e.Means {
			s.Game, how.Background = shapley.Means, some.Points
		}
		found, err := shapley.Explain(ctx, some.Kernel, rows, some.Points, some.Coef, how)
		if errors.Is(err, shapley.ErrNoProduct) && e.Means {
			return nil, fmt.Errorf("mercer: %w; without means the values of other kernels are sampled", err)
		}
		if !errors.Is(err, shapley.ErrNoProduct) {
			return found, err
		}
	}
	bound, err := some.Bind()
	if err != nil {
		return nil, err
	}
	return s.sampled(ctx, bound, some.Points, rows, e, how)
}

// someOutputs are some outputs of a function.
type someOutputs struct {
	model.Predictor[[]float64]
	outputs []int
}

func (f someOutputs) Outputs() int { return len(f.outputs) }

func (f someOutputs) Predict(ctx context.Context, xs data.Set[[]float64], o compute.Options) (*mat.Dense, error) {
	all, err := f.Predictor.Predict(ctx, xs, o)
	if err != nil {
		return nil, err
	}
	out := mat.NewDense(xs.Len(), len(f.outputs), nil)
	for at, j := range f.outputs {
		out.SetCol(at, mat.Col(nil, j, all))
	}
	return out, nil
}

// sampled draws the values, with columns from some of the rows that the model keeps.
func (s *Shapley) sampled(ctx context.Context, f model.Predictor[[]float64], points, rows data.Set[[]float64], e ExplainOptions, how shapley.Options) (*shapley.Values, error) {
	n := points.Len()
	s.Game, s.Background = shapley.Interventional, min(n, mostBackground)
	chosen := rand.New(rand.NewPCG(e.Seed, backgroundStream)).Perm(n)[:s.Background]
	how.Background, how.Samples, how.Seed = data.Subset(points, chosen), e.Samples, e.Seed
	found, err := shapley.Sample(ctx, f, rows, how)
	if err != nil {
		return nil, err
	}
	s.Samples = found.Samples
	return found, nil
}

// backgroundStream is that of the random numbers that choose the rows of a background.
const backgroundStream = 0x6261636b

// expansionOf returns some outputs of a function without their intercepts, and refuses rows that
// its kernel does not take.
func expansionOf(f task.TypedFunction[[]float64], outputs []int, rows data.Set[[]float64]) (*model.Expansion[[]float64], error) {
	e, ok := f.Predictor.(*model.Expansion[[]float64])
	if !ok {
		return nil, f.NotExpanded()
	}
	if err := kernel.Validate(e.Kernel, rows); err != nil {
		return nil, err
	}
	n, _ := e.Coef.Dims()
	some := &model.Expansion[[]float64]{Kernel: e.Kernel, Points: e.Points, Coef: mat.NewDense(n, len(outputs), nil)}
	for at, j := range outputs {
		some.Coef.SetCol(at, mat.Col(nil, j, e.Coef))
	}
	return some, nil
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

// share gives the cells of row i and one of the outputs their values, the largest first.
func (x *ShapleyRow) share(found *shapley.Values, i, output int, cells []prep.Written) {
	x.Prediction = x.Base
	for j, cell := range cells {
		c := ShapleyColumn{Name: cell.Column, Cell: cell.Cell, Number: cell.Number, Value: found.Phi[i].At(output, j)}
		if found.Error != nil {
			c.Error = found.Error[i].At(output, j)
		}
		x.Prediction += c.Value
		x.Columns = append(x.Columns, c)
	}
	largestFirst(x.Columns, func(c ShapleyColumn) float64 { return c.Value })
	if found.Pairs == nil {
		return
	}
	for _, p := range found.Pairs[i][output] {
		x.Pairs = append(x.Pairs, ShapleyPair{First: cells[p.First].Column, Second: cells[p.Second].Column, Value: p.Value, Error: p.Error})
	}
	largestFirst(x.Pairs, func(p ShapleyPair) float64 { return p.Value })
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
		x.MorePairs += max(0, len(x.Pairs)-top)
		x.Pairs = slices.Clip(x.Pairs[:min(top, len(x.Pairs))])
	}
	for i := range s.Outputs {
		o := &s.Outputs[i]
		o.Others += max(0, len(o.Columns)-top)
		o.Columns = slices.Clip(o.Columns[:min(top, len(o.Columns))])
	}
}
