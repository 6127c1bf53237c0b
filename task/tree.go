package task

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/prep"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/model"
	"example.org/mercer/supervised/mahalanobis"
	"example.org/mercer/supervised/rfm"
	"example.org/mercer/supervised/tree"
)

// The tensors of a tree in a model file, of L leaves, m outputs and d features, beside the points
// and the coefficients of all leaves one after the other.
const (
	tensorTree        = "tree"         // bytes: the shape, JSON
	tensorTreeBias    = "tree.bias"    // L×m
	tensorTreeMetrics = "tree.metrics" // rows of d numbers: one of a diagonal metric, d of a full one
)

// treeFunction is a tree with a function on vectors in every leaf, each under its own distance.
type treeFunction struct {
	TypedFunction[[]float64]
	leaves []treeLeaf
	shape  storedTree
}

// treeLeaf is the function of a leaf. Its kernel is that of the tree after a linear map: Scales
// times the features, or a d×d Matrix whose rows follow one another; both nil: no map.
type treeLeaf struct {
	Points data.Vectors
	Coef   *mat.Dense
	Bias   []float64
	Scales []float64
	Matrix []float64
}

// kernel is that of the leaf.
func (l *treeLeaf) kernel(of vec.Kernel) (vec.Kernel, error) {
	if l.Scales == nil && l.Matrix == nil {
		return of, nil
	}
	return vec.NewMahalanobis(of, l.Scales, l.Matrix)
}

// metric names the kind of map.
func (l *treeLeaf) metric() string {
	switch {
	case l.Scales != nil:
		return "diagonal"
	case l.Matrix != nil:
		return "full"
	}
	return ""
}

// storedTree is the shape of a tree as a file has it.
type storedTree struct {
	Splits      tree.Splits `json:"splits"`
	Temperature float64     `json:"temperature"`
	Rows        []int       `json:"rows"` // of every leaf
	// Metrics are "", "diagonal" or "full" for every leaf.
	Metrics []string `json:"metrics"`
}

// TreeOf returns the function of a tree that was learned from the rows of the task, in the order of
// its leaves. The error is about points that are no vectors.
func (p *Task) TreeOf(t *rfm.Tree) (Function, error) {
	on, ok := VectorPoints(p.Points)
	if !ok {
		return Function{}, errors.New("task: a tree divides vectors, and the points are others")
	}
	leaves := make([]treeLeaf, len(t.Leaves))
	for i, m := range t.Leaves {
		leaves[i] = treeLeaf{Points: data.Gather(on.Set, t.Rows[i]), Coef: m.Coef, Bias: m.Bias}
		switch {
		case m.Metric == nil:
		case m.Metric.Shape == mahalanobis.Diagonal:
			leaves[i].Scales = m.Metric.Scales()
		default:
			leaves[i].Matrix = m.Metric.Matrix()
		}
	}
	f, err := newTree(on.Encoding, on.Kernel, t.Splits, t.Temperature, leaves)
	return f.Any(), err
}

// newTree makes a function of a tree and of what its leaves are.
func newTree(s Encoding[[]float64], k vec.Kernel, splits tree.Splits, temperature float64, leaves []treeLeaf) (treeFunction, error) {
	f := treeFunction{leaves: leaves, shape: storedTree{Splits: splits, Temperature: temperature}}
	t := &tree.Tree{Splits: splits, Temperature: temperature}
	for i := range leaves {
		l := &leaves[i]
		under, err := l.kernel(k)
		if err != nil {
			return f, err
		}
		e := &model.Expansion[[]float64]{Kernel: under, Points: l.Points, Coef: l.Coef, Bias: l.Bias}
		if err := e.Check(); err != nil {
			return f, err
		}
		t.Predictors = append(t.Predictors, e)
		f.shape.Rows = append(f.shape.Rows, l.Points.Len())
		f.shape.Metrics = append(f.shape.Metrics, l.metric())
	}
	if err := splits.Check(leaves[0].Points.Dim()); err != nil {
		return f, err
	}
	f.TypedFunction = TypedFunction[[]float64]{Encoding: s, Kernel: k, Predictor: t, bound: func() (model.Predictor[[]float64], error) { return t, nil }}
	return f, nil
}

// Any hides that this is a tree.
func (f treeFunction) Any() Function { return Function{f, f, f} }

// errTree is why a tree cannot do what a single expansion can.
var errTree = errors.New("task: the model is a tree of kernel machines, each with a kernel of its own, and no single function of a kernel; fit without --leaves for that, or explain it by shapley, gradient or dependence")

func (f treeFunction) Form() string     { return formTree }
func (f treeFunction) Coef() *mat.Dense { return nil }
func (f treeFunction) Bias() []float64  { return make([]float64, f.Predictor.Outputs()) }

// Size is the number of training rows of all leaves.
func (f treeFunction) Size() int {
	n := 0
	for _, rows := range f.shape.Rows {
		n += rows
	}
	return n
}

func (f treeFunction) Remapped(context.Context, *prep.Prepared, compute.Options) (Points, error) {
	return Points{}, errTree
}

// Store puts the tree among the tensors of a file.
func (f treeFunction) Store(tensors map[string]model.Tensor) error {
	shape, err := json.Marshal(f.shape)
	if err != nil {
		return err
	}
	d, outputs := f.leaves[0].Points.Dim(), f.Predictor.Outputs()
	points, coef, bias := make([]float64, 0, f.Size()*d), make([]float64, 0, f.Size()*outputs), []float64{}
	var metrics []float64
	for _, l := range f.leaves {
		points, bias = append(points, l.Points.Raw()...), append(bias, l.Bias...)
		metrics = append(append(metrics, l.Scales...), l.Matrix...)
		for i := range l.Points.Len() {
			coef = append(coef, l.Coef.RawRowView(i)...)
		}
	}
	stacked, err := data.NewVectors(f.Size(), d, points)
	if err != nil {
		return err
	}
	tensors[tensorTree] = model.Bytes(shape)
	tensors[tensorCoef] = model.Dense(mat.NewDense(f.Size(), outputs, coef))
	tensors[tensorTreeBias] = model.Dense(mat.NewDense(len(f.leaves), outputs, bias))
	if metrics != nil {
		tensors[tensorTreeMetrics] = model.Dense(mat.NewDense(len(metrics)/d, d, metrics))
	}
	return storePoints(stacked, tensors)
}

// decodeTree reads a tree on vectors of d numbers.
func decodeTree(file *model.File, k vec.Kernel, outputs, d int) (Function, error) {
	t, err := file.Tensor(tensorTree)
	if err != nil {
		return Function{}, err
	}
	text, err := t.Bytes()
	if err != nil {
		return Function{}, fmt.Errorf("tensor %q: %w", tensorTree, err)
	}
	var shape storedTree
	if err := json.Unmarshal(text, &shape); err != nil {
		return Function{}, fmt.Errorf("tensor %q: %w", tensorTree, err)
	}
	if err := shape.check(d); err != nil {
		return Function{}, fmt.Errorf("tensor %q: %w", tensorTree, err)
	}
	leaves, err := shape.leaves(file, outputs, d)
	if err != nil {
		return Function{}, err
	}
	f, err := newTree(VectorEncoding, k, shape.Splits, shape.Temperature, leaves)
	return f.Any(), err
}

// check returns what is wrong with a shape.
func (s *storedTree) check(d int) error {
	if n := s.Splits.Leaves(); len(s.Rows) != n || len(s.Metrics) != n {
		return fmt.Errorf("it has %d leaves, with %d numbers of rows and %d metrics", n, len(s.Rows), len(s.Metrics))
	}
	if !(s.Temperature >= 0) || math.IsInf(s.Temperature, 1) {
		return fmt.Errorf("the temperature is %v, and must be a finite number ≥ 0", s.Temperature)
	}
	if slices.ContainsFunc(s.Rows, func(n int) bool { return n < 1 || n > math.MaxInt32 }) {
		return fmt.Errorf("the leaves have %v rows, and must have 1 at least", s.Rows)
	}
	return s.Splits.Check(d)
}

// leaves cuts the tensors of all leaves into those of each.
func (s *storedTree) leaves(file *model.File, outputs, d int) ([]treeLeaf, error) {
	n, mapped := 0, 0
	for i, rows := range s.Rows {
		n += rows
		mapped += map[string]int{"diagonal": 1, "full": d}[s.Metrics[i]]
	}
	points, err := readPoints(file, n, d)
	if err != nil {
		return nil, err
	}
	coef, err := coefficients(file, n, outputs)
	if err != nil {
		return nil, err
	}
	bias, err := file.Matrix(tensorTreeBias, len(s.Rows), outputs)
	if err != nil {
		return nil, err
	}
	var metrics []float64
	if mapped > 0 {
		found, err := file.Matrix(tensorTreeMetrics, mapped, d)
		if err != nil {
			return nil, err
		}
		metrics = found.RawMatrix().Data
	}
	out := make([]treeLeaf, len(s.Rows))
	from := 0
	for i, rows := range s.Rows {
		to := from + rows
		out[i] = treeLeaf{Coef: coef.Slice(from, to, 0, outputs).(*mat.Dense), Bias: bias.RawRowView(i)}
		if out[i].Points, err = data.NewVectors(rows, d, points.Raw()[from*d:to*d]); err != nil {
			return nil, err
		}
		switch s.Metrics[i] {
		case "diagonal":
			out[i].Scales, metrics = metrics[:d], metrics[d:]
		case "full":
			out[i].Matrix, metrics = metrics[:d*d], metrics[d*d:]
		}
		from = to
	}
	return out, nil
}
