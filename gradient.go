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
	"example.org/mercer/learner/distance"
	"example.org/mercer/model"
	"example.org/mercer/outcome"
	"example.org/mercer/rkhs/gradients"
	"example.org/mercer/supervised/tree"
	"example.org/mercer/task"
)

// Gradients are how much predictions change with each feature: at every row, and over the rows.
type Gradients struct {
	Rows    []GradientRow    `json:"rows"`
	Outputs []GradientOutput `json:"outputs"`
}

// GradientRow is the gradient of one output at one row.
type GradientRow struct {
	Row        string  `json:"row"`    // id, or number in the table from 1
	Output     string  `json:"output"` // name of the output
	Prediction float64 `json:"prediction"`
	Sides
	Features []GradientFeature `json:"features"` // the largest in a standard deviation first
	Others   int               `json:"others"`   // how many are not listed
}

// GradientOutput is how much one output changes over all rows that are explained.
type GradientOutput struct {
	Output   string            `json:"output"`
	Rows     int               `json:"rows"`
	Features []GradientFeature `json:"features"` // the largest mean square in a standard deviation first
	Others   int               `json:"others"`   // how many are not listed
}

// GradientFeature is the derivative in one feature: of a number, in units of its column as the
// table has it; of the code of a level, 0 or 1, or of a mark of missing cells, in the code.
type GradientFeature struct {
	Name string `json:"name"`
	// Slope is ∂f/∂xⱼ at a row, Mean and Square the means of |∂f/∂xⱼ| and (∂f/∂xⱼ)² over rows.
	Slope  float64 `json:"slope,omitempty"`
	Mean   float64 `json:"mean_absolute,omitempty"`
	Square float64 `json:"mean_square,omitempty"`
	// PerDeviation is the slope, or the root of Square, in units of the prepared feature: of a
	// standardised column for one standard deviation.
	PerDeviation float64 `json:"per_deviation"`
}

// Gradients returns ∂f/∂xⱼ of predictions in closed form,
//
//	∇f(x) = Σᵢ αᵢ ∇ₓk(x, xᵢ),
//
// by the chain rule in the units of the table, see [distance.Slope] and [gradients.All].
// Where a kernel has a corner at a training row, as laplace has, its own term there counts 0. Of a
// tree they are those of [tree.Tree.Gradients].
//
// O(n·d) for every row, n training rows and d features. Errors: a kernel without gradient, a model
// without training rows, and one on anything but columns.
func (m *Model) Gradients(ctx context.Context, p *outcome.Prediction, e ExplainOptions, o compute.Options) (*Gradients, error) {
	of, err := m.onColumns(p, e, "along which there are no derivatives")
	if err != nil {
		return nil, err
	}
	found, err := gradientsOf(ctx, of.TypedFunction, of.outputs, of.points, o)
	if err != nil {
		return nil, err
	}
	features, units := m.units()
	names, g := task.RowNames(p.Rows), &Gradients{}
	for i, row := range of.rows {
		for at, j := range of.outputs {
			x := GradientRow{Row: names[row], Output: p.Outputs[j], Prediction: p.Learned().Values.At(row, j), Sides: m.sides(j)}
			for c, slope := range found[at].RawRowView(i) {
				x.Features = append(x.Features, GradientFeature{Name: features[c], Slope: slope / units[c], PerDeviation: slope})
			}
			steepestFirst(x.Features)
			g.Rows = append(g.Rows, x)
		}
	}
	for at, j := range of.outputs {
		g.Outputs = append(g.Outputs, GradientOutput{Output: p.Outputs[j], Rows: len(of.rows), Features: meanGradients(found[at], features, units)})
	}
	g.Shorten(e.Top)
	return g, nil
}

// gradientsOf returns the gradients of some outputs at vectors, in units of the prepared features.
func gradientsOf(ctx context.Context, f task.TypedFunction[[]float64], outputs []int, rows data.Set[[]float64], o compute.Options) ([]*mat.Dense, error) {
	if t, ok := f.Predictor.(*tree.Tree); ok {
		all, err := t.Gradients(ctx, rows, func(ctx context.Context, leaf int, xs data.Set[[]float64]) ([]*mat.Dense, error) {
			return slopesAt(ctx, t.Predictors[leaf].(*model.Expansion[[]float64]), xs, o)
		}, o)
		if err != nil {
			return nil, err
		}
		return data.Pick(all, outputs), nil
	}
	some, err := expansionOf(f, outputs, rows)
	if err != nil {
		return nil, err
	}
	return slopesAt(ctx, some, rows, o)
}

// slopesAt returns the gradients of an expansion.
func slopesAt(ctx context.Context, of *model.Expansion[[]float64], rows data.Set[[]float64], o compute.Options) ([]*mat.Dense, error) {
	slopes, err := distance.Slope(of.Kernel)
	if errors.Is(err, errors.ErrUnsupported) {
		return nil, fmt.Errorf("mercer: %w; explain other kernels by rows, by features or by shapley", err)
	}
	if err != nil {
		return nil, err
	}
	return gradients.All(ctx, of, slopes, rows, o.WorkerCount())
}

// units returns the names of the features, and how much of its column one unit of each is: the
// standard deviation of one that was standardised.
func (m *Model) units() (names []string, units []float64) {
	names, _ = m.Prep.Features()
	units = make([]float64, len(names))
	for j := range names {
		units[j] = 1
		if one, ok := m.Prep.Original(j, 1); ok {
			zero, _ := m.Prep.Original(j, 0)
			units[j] = one - zero
		}
	}
	return names, units
}

// meanGradients takes the means over rows.
func meanGradients(slopes *mat.Dense, names []string, units []float64) []GradientFeature {
	n, _ := slopes.Dims()
	out := make([]GradientFeature, len(names))
	for c, name := range names {
		f := GradientFeature{Name: name}
		for i := range n {
			v := slopes.At(i, c)
			f.Mean += math.Abs(v) / float64(n)
			f.Square += v * v / float64(n)
		}
		f.PerDeviation = math.Sqrt(f.Square)
		f.Mean /= units[c]
		f.Square /= units[c] * units[c]
		out[c] = f
	}
	steepestFirst(out)
	return out
}

// steepestFirst sorts by the size of the slopes in units of the prepared features, which compare.
func steepestFirst(features []GradientFeature) {
	slices.SortStableFunc(features, func(a, b GradientFeature) int {
		return cmp.Compare(math.Abs(b.PerDeviation), math.Abs(a.PerDeviation))
	})
}

// Shorten keeps the features with the largest slopes; 0 keeps all.
func (g *Gradients) Shorten(top int) {
	if top <= 0 {
		return
	}
	short := func(features *[]GradientFeature, others *int) {
		*others += max(0, len(*features)-top)
		*features = slices.Clip((*features)[:min(top, len(*features))])
	}
	for i := range g.Rows {
		short(&g.Rows[i].Features, &g.Rows[i].Others)
	}
	for i := range g.Outputs {
		short(&g.Outputs[i].Features, &g.Outputs[i].Others)
	}
}
