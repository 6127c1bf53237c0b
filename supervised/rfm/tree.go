package rfm

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/internal/progress"
	"example.org/mercer/kernel"
	"example.org/mercer/model"
	"example.org/mercer/rkhs/gradients"
	"example.org/mercer/supervised/mahalanobis"
	"example.org/mercer/supervised/tree"
)

// TreeOptions say how a tree of machines is fitted. Ridge of the options is that of every leaf.
type TreeOptions struct {
	Options
	// Leaf is the number of rows of a leaf at most.
	Leaf int
	// Lambda is λ, of which every leaf has R = λ·Σw of its rows, where there is no Ridge.
	Lambda float64
}

// Tree is a machine for every leaf of a tree.
type Tree struct {
	Splits      tree.Splits
	Temperature float64
	Leaves      []*Model
	Rows        [][]int // that every leaf has learned from, in rising order
	// Judged are the values at the judges of the tree that had not seen them; nil: nobody judged.
	Judged *mat.Dense
}

// The direction of a split is learned from directionRows rows, and is that of the gradients at
// directionGradients of them.
const directionRows, directionGradients = 2000, 500

// FitTree divides the rows by a tree until no leaf has too many, and fits a machine to each:
//
//  1. While a node has more than o.Leaf rows, solve a ridge regression on 2,000 of them, and split
//     at the median of ⟨v, x⟩, for the first eigenvector v of its average gradient outer product.
//  2. Fit a machine in every leaf, as [Fit] does, with those of the judges that come to it.
//  3. Take the temperature with the least error on all judges, of the functions that have not seen
//     them; without judges it is 0.
//
// Judges never choose a split. A leaf whose targets are all the same is a constant. For n rows it
// takes (n/o.Leaf) fits of o.Leaf rows. Errors are those of [Fit].
func FitTree(ctx context.Context, k kernel.Kernel[[]float64], slope gradients.Slope, x data.Set[[]float64], y *mat.Dense, o TreeOptions) (*Tree, *Report, error) {
	if err := o.check(x, y); err != nil {
		return nil, nil, err
	}
	watch := model.NewStopwatch()
	g := &leafFits{TreeOptions: o, k: k, slope: slope, x: x, y: y, judges: make([]bool, x.Len())}
	for _, i := range o.Judges {
		g.judges[i] = true
	}
	t, run, err := g.grow(ctx)
	if err != nil {
		return nil, nil, err
	}
	watch.Lap(run, "splits")
	meter := progress.Start(o.Compute.Progress, "leaves", int64(len(t.Rows)))
	judged := &tree.Tree{Splits: t.Splits}
	var reports []*Report
	for _, rows := range t.Rows {
		leaf, err := g.leaf(ctx, rows)
		if err != nil {
			return nil, nil, err
		}
		t.Leaves, reports, judged.Predictors = append(t.Leaves, leaf.Model), append(reports, leaf.report), append(judged.Predictors, leaf.judged)
		meter.Add(1)
	}
	meter.Done()
	watch.Lap(run, "leaves")
	out := g.report(t, reports)
	if len(o.Judges) > 0 {
		targets, weights := picked(y, o.Weights, o.Judges)
		best, err := tree.ChooseTemperature(ctx, judged, data.Subset(x, o.Judges), targets, weights, compute.Options{Workers: o.Compute.Workers})
		if err != nil {
			return nil, nil, err
		}
		t.Temperature, t.Judged = best.Temperature, best.Values
		out.Tree.Temperature, out.Tree.Error = best.Temperature, best.Error
		watch.Lap(run, "temperature")
	}
	out.Run = *run
	return t, out, nil
}

// leafFits are the fits of a tree.
type leafFits struct {
	TreeOptions
	k      kernel.Kernel[[]float64]
	slope  gradients.Slope
	x      data.Set[[]float64]
	y      *mat.Dense
	judges []bool
}

// grow divides the rows.
func (g *leafFits) grow(ctx context.Context) (*Tree, *model.Run, error) {
	n := g.x.Len()
	counted := make([]float64, n)
	for i := range n {
		if !g.judges[i] {
			counted[i] = model.Weight(g.Weights, i)
		}
	}
	most := g.Leaf
	if len(g.Judges) > 0 { // a leaf has its share of them beside
		most = max(1, g.Leaf*(n-len(g.Judges))/n)
	}
	t := &Tree{}
	var err error
	t.Splits, t.Rows, err = tree.Grow(ctx, g.x, tree.Options{Most: most, Weights: counted, Direction: g.direction})
	if err != nil {
		return nil, nil, err
	}
	return t, &model.Run{}, nil
}

// direction is the first eigenvector of the average gradient outer product of a ridge regression on
// some of the rows. Where that is 0, as where all targets are the same, it is that of their
// covariance.
func (g *leafFits) direction(ctx context.Context, rows []int) ([]float64, error) {
	some := make([]int, min(len(rows), directionRows))
	for at := range some {
		some[at] = rows[at*len(rows)/len(some)]
	}
	y, w := picked(g.y, g.Weights, some)
	r := &rounds{k: g.k, o: g.Options}
	r.o.Ridge = g.ridge(some)
	r.o.Compute.Progress, r.o.Compute.Checkpoint = nil, nil
	x := data.Gather(g.x, some)
	f, _, err := r.ridge(ctx, x, y, w, false)
	if err != nil {
		return nil, err
	}
	at := make([]int, min(len(some), directionGradients))
	for i := range at {
		at[i] = i * len(some) / len(at)
	}
	_, seen := picked(y, w, at)
	outer, err := mahalanobis.Outer(ctx, f, g.slope, data.Gather(x, at), seen, g.Compute.WorkerCount())
	if err != nil {
		return nil, err
	}
	v, ok := mahalanobis.Leading(outer)
	if !ok {
		if v, ok = mahalanobis.Leading(mahalanobis.Covariance(x, w)); !ok {
			v = make([]float64, x.Dim()) // all rows are the same, and no direction divides them
		}
	}
	return v, nil
}

// ridge is R of some rows.
func (g *leafFits) ridge(rows []int) float64 {
	if g.Options.Ridge > 0 {
		return g.Options.Ridge
	}
	total := 0.0
	for _, i := range rows {
		total += model.Weight(g.Weights, i)
	}
	return g.Lambda * total
}
