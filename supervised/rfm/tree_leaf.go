package rfm

import (
	"cmp"
	"context"
	"slices"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/model"
	"example.org/mercer/supervised/krr"
	"example.org/mercer/supervised/mahalanobis"
)

// mapped is a function of the images of points.
type mapped struct {
	*model.Expansion[[]float64]
	metric *mahalanobis.Metric // nil: the points themselves
}

func (m mapped) Predict(ctx context.Context, xs data.Set[[]float64], o compute.Options) (*mat.Dense, error) {
	if m.metric != nil {
		xs = m.metric.Images(xs)
	}
	return m.Expansion.Predict(ctx, xs, o)
}

// fittedLeaf is a leaf, and its function as it was before it had seen the judges, too.
type fittedLeaf struct {
	*Model
	judged mapped
	report *Report
}

// leaf fits the machine of a leaf, which is a step of the computation.
func (g *leafFits) leaf(ctx context.Context, rows []int) (*fittedLeaf, error) {
	o := g.Options
	o.Ridge, o.Judges, o.Compute.Progress, o.Compute.Checkpoint = g.ridge(rows), nil, nil, nil
	x := data.Gather(g.x, rows)
	y, w := picked(g.y, g.Weights, rows)
	o.Weights = w
	if bias, same := constant(y, w, nil); same {
		return g.constant(x, y, bias, w), nil
	}
	o.Judges = g.judgesOf(rows)
	if _, same := constant(y, w, o.Judges); same {
		o.Judges = nil // their function has no gradients
	}
	kept := newKept(x, y, o)
	var found *fittedLeaf
	err := g.Compute.Step(ctx, "leaf", kept.results(), func() error {
		m, before, report, err := fit(ctx, g.k, g.slope, x, y, o)
		if err != nil {
			return err
		}
		found = &fittedLeaf{m, mapped{before, m.Metric}, report}
		kept.from(found)
		return nil
	})
	if err == nil && found == nil {
		found = g.restored(kept, x, o)
	}
	return found, err
}

// judgesOf are the judges among the rows of a leaf, by their places there.
func (g *leafFits) judgesOf(rows []int) []int {
	judges, learners, judging := []int{}, 0.0, 0.0
	for at, i := range rows {
		if g.judges[i] {
			judges = append(judges, at)
			judging += model.Weight(g.Weights, i)
		} else {
			learners += model.Weight(g.Weights, i)
		}
	}
	switch {
	case g.Options.Judges != nil && len(g.Options.Judges) == 0:
		return []int{} // nobody judges
	case !(judging > 0 && learners > 0) || len(rows)-len(judges) < 2:
		return nil // too few for that: exact leave-one-out errors do
	}
	return judges
}

// constant reports whether the targets of all rows with a weight, but for some, are the same, and
// returns them.
func constant(y *mat.Dense, weights []float64, without []int) (value []float64, same bool) {
	n, _ := y.Dims()
	for i := range n {
		if _, left := slices.BinarySearch(without, i); left || model.Weight(weights, i) == 0 {
			continue
		}
		if value == nil {
			value = y.RawRowView(i)
		}
		if !slices.Equal(y.RawRowView(i), value) {
			return nil, false
		}
	}
	return value, value != nil
}

// constant is the machine of a leaf whose targets are all the same: its free constant.
func (g *leafFits) constant(x data.Vectors, y *mat.Dense, value, w []float64) *fittedLeaf {
	n, outputs := y.Dims()
	m := &Model{Coef: mat.NewDense(n, outputs, nil), Bias: slices.Clone(value)}
	f := &model.Expansion[[]float64]{Kernel: g.k, Points: x, Coef: m.Coef, Bias: m.Bias}
	return &fittedLeaf{m, mapped{f, nil}, &Report{N: n, Train: krr.Measure(y, y, w), Relevance: make([]float64, x.Dim())}}
}

// kept is what a leaf is made of again, as numbers.
type kept struct {
	shape                                     mahalanobis.Shape
	coef, bias, before, free, root, relevance []float64
	rmse, accuracy                            []float64
	head                                      []float64 // best round, and whether accuracy and decided are known; decided
	learners                                  []int     // the rows that the judged function stands on
}

func newKept(x data.Vectors, y *mat.Dense, o Options) *kept {
	n, outputs := y.Dims()
	k := &kept{shape: cmp.Or(o.Shape, mahalanobis.Diagonal)}
	for i := range n {
		if _, judge := slices.BinarySearch(o.Judges, i); !judge {
			k.learners = append(k.learners, i)
		}
	}
	numbers := func(count int) []float64 { return make([]float64, count) }
	k.coef, k.bias, k.before, k.free = numbers(n*outputs), numbers(outputs), numbers(len(k.learners)*outputs), numbers(outputs)
	k.root, k.relevance = numbers(x.Dim()), numbers(x.Dim())
	if k.shape == mahalanobis.Full {
		k.root = numbers(x.Dim() * x.Dim())
	}
	k.rmse, k.accuracy, k.head = numbers(outputs), numbers(outputs), numbers(4)
	return k
}

func (k *kept) results() [][]float64 {
	return [][]float64{k.coef, k.bias, k.before, k.free, k.root, k.relevance, k.rmse, k.accuracy, k.head}
}

// from keeps a leaf.
func (k *kept) from(f *fittedLeaf) {
	copy(k.coef, f.Coef.RawMatrix().Data)
	copy(k.bias, f.Bias)
	copy(k.before, f.judged.Coef.RawMatrix().Data)
	copy(k.free, f.judged.Bias)
	copy(k.relevance, f.report.Relevance)
	copy(k.rmse, f.report.Train.RMSE)
	copy(k.accuracy, f.report.Train.Accuracy)
	switch {
	case f.Metric == nil:
	case k.shape == mahalanobis.Full:
		copy(k.root, f.Metric.Matrix())
	default:
		copy(k.root, f.Metric.Scales())
	}
	k.head[0] = float64(f.report.Best)
	if f.report.Train.Accuracy != nil {
		k.head[1] = 1
	}
	if f.report.Train.Decided != nil {
		k.head[2], k.head[3] = 1, *f.report.Train.Decided
	}
}

// restored makes a leaf again from what is kept.
func (g *leafFits) restored(k *kept, x data.Vectors, o Options) *fittedLeaf {
	outputs := len(k.bias)
	report := &Report{N: x.Len(), Best: int(k.head[0]), Relevance: k.relevance, Train: &krr.Scores{RMSE: k.rmse}, Solver: krr.Cholesky}
	if k.head[1] != 0 {
		report.Train.Accuracy = k.accuracy
	}
	if k.head[2] != 0 {
		report.Train.Decided = &k.head[3]
	}
	m := &Model{Coef: mat.NewDense(x.Len(), outputs, k.coef), Bias: k.bias}
	seen := x
	if len(o.Judges) > 0 {
		seen = x.Gather(k.learners)
	}
	if report.Best > 0 {
		m.Metric = mahalanobis.Restored(k.shape, x.Dim(), k.root)
		seen = m.Metric.Images(seen)
	}
	f := &model.Expansion[[]float64]{Kernel: g.k, Points: seen, Coef: mat.NewDense(len(k.learners), outputs, k.before), Bias: k.free}
	return &fittedLeaf{m, mapped{f, m.Metric}, report}
}
