package mercer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/prep"
	"example.org/mercer/gram"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/rkhs"
	"example.org/mercer/task"
	"example.org/mercer/unsupervised/kmeans"
)

// WithKernel returns the problem of the same rows with another kernel.
func WithKernel(ctx context.Context, p *task.Task, text string) (*task.Task, error) {
	k, err := task.Parse(text)
	if err != nil {
		return nil, err
	}
	points, err := task.PreparedTable{Table: p.Raw, Kernel: k, Steps: p.Prep, Rows: p.Rows}.Bind(ctx)
	if err != nil {
		return nil, err
	}
	other := *p
	other.Points = points
	return &other, nil
}

// Silhouettes returns those of the rows of the problem in the feature space of its kernel,
// and their weighted mean, for clusters numbered from 0; see [kmeans.Silhouette].
func Silhouettes(ctx context.Context, p *task.Task, labels []int, o compute.Options) ([]float64, float64, error) {
	return kmeans.Silhouette(ctx, gram.Of(p.Pairs(), o), labels, p.Rows.W, o)
}

// DistancesFrom returns the distances of the rows of a table, prepared as the problem's own,
// to the set of the problem's rows, and the names of the former.
func DistancesFrom(ctx context.Context, p *task.Task, t *data.Table, o compute.Options) (*rkhs.Distances, []string, error) {
	rows, err := p.Prep.ApplyInputs(t)
	if err != nil {
		return nil, nil, err
	}
	cross, err := p.Points.Cross(rows)
	if err != nil {
		return nil, nil, err
	}
	self, err := p.Points.BindRows(rows)
	if err != nil {
		return nil, nil, err
	}
	b, err := rkhs.BarycentreOf(ctx, gram.Of(p.Pairs(), o), nil)
	if err != nil {
		return nil, nil, err
	}
	diag := make([]float64, len(rows.Rows))
	kernel.Diag(self, diag)
	d, err := rkhs.DistancesTo(ctx, cross, diag, b.Diagonal, b.Norm2, o)
	return d, task.RowNames(rows), err
}

// DistanceMapOf returns the distance to the barycentre of the rows on a grid of side points
// for each feature, or nil where there are not one or two numeric features.
func DistanceMapOf(ctx context.Context, p *task.Task, side int, o compute.Options) (*Landscape, error) {
	l, grid, err := landscapeOver(p, side)
	if l == nil || err != nil {
		return nil, err
	}
	d, _, err := DistancesFrom(ctx, p, grid, o)
	if err != nil {
		return nil, err
	}
	for _, d2 := range d.Barycentre {
		l.Values = append(l.Values, math.Sqrt(max(0, d2)))
	}
	return l, nil
}

// Side is one of two descriptions of the same rows.
type Side struct {
	Columns []string // references and patterns, see [data.Table.FindAll]
	Kernel  string   // an expression on these columns, or on row ids
}

// Pair is two descriptions of the same rows, with a kernel on each.
type Pair struct {
	Rows   *prep.Prepared
	Prep   *prep.Pipeline
	XNames []string // features of x
	YNames []string
	// Approximations and FeatureMaps are those of the kernels on x and y, where they are reduced.
	Approximations [2]*task.LandmarkMap
	FeatureMaps    [2]*task.FeatureMap
	x, y           task.Points
}

// NewPair prepares the columns of both sides of a table, so that both have the same rows,
// and puts a kernel on either. No columns of y are all columns but those of x; other
// columns are dropped. A kernel on row ids looks at no columns.
func NewPair(ctx context.Context, t *data.Table, s prep.Spec, x, y Side) (*Pair, error) {
	xs, err := t.FindAll(x.Columns)
	if err != nil {
		return nil, err
	}
	ys, err := t.FindAll(y.Columns)
	if err != nil {
		return nil, err
	}
	side := make([]int, len(t.Columns)) // 1: x, 2: y
	for _, j := range xs {
		side[j] = 1
	}
	for _, j := range ys {
		if side[j] == 1 {
			return nil, &data.Error{Source: t.Source, Column: j + 1, Name: t.Columns[j].Name, Reason: "is in both descriptions", Fix: "what is part of both is not independent: name it in one"}
		}
		side[j] = 2
	}
	s.Drop = append([]string(nil), s.Drop...)
	for j := range side {
		if len(y.Columns) == 0 && side[j] == 0 {
			side[j] = 2
		}
		if name := t.Columns[j].Name; side[j] == 0 && name != cmp.Or(s.ID, t.ID) {
			s.Drop = append(s.Drop, name)
		}
	}
	in, err := task.Prepare(t, s, "")
	if err != nil {
		return nil, err
	}
	p := &Pair{Rows: in.Rows, Prep: in.Steps}
	var errX, errY error
	p.x, p.XNames, errX = sideOf(ctx, in, side, 1, x.Kernel)
	p.y, p.YNames, errY = sideOf(ctx, in, side, 2, y.Kernel)
	return p, errors.Join(errX, errY)
}

// sideOf puts a kernel on the features of some columns.
func sideOf(ctx context.Context, in task.PreparedTable, side []int, which int, text string) (task.Points, []string, error) {
	var err error
	if in.Kernel, err = task.Parse(text); err != nil {
		return task.Points{}, nil, err
	}
	if in.Kernel.Kind == task.OnRowIDs {
		l, err := in.Bind(ctx)
		return l, nil, err
	}
	names, groups := in.Steps.Features()
	var schema vec.Schema
	var index []int
	for j, group := range groups {
		if _, at := in.Table.Column(group); side[at] == which {
			index = append(index, j)
			schema.Names, schema.Groups = append(schema.Names, names[j]), append(schema.Groups, group)
		}
	}
	if index == nil {
		return task.Points{}, nil, &data.Error{Source: in.Table.Source, Reason: fmt.Sprintf("has no feature left for %s", [...]string{1: "x", 2: "y"}[which]), Fix: "name numeric or categorical columns that are not dropped; " + in.Table.Listing()}
	}
	rows := *in.Rows
	rows.X = data.MakeVectors(in.Rows.X.Len(), len(index))
	for i := range rows.X.Len() {
		from, to := in.Rows.X.At(i), rows.X.At(i)
		for k, j := range index {
			to[k] = from[j]
		}
	}
	k, err := task.VectorKernel(ctx, in.Kernel, rows.X, schema)
	if err != nil {
		return task.Points{}, nil, err
	}
	in.Rows = &rows
	l, err := task.BindTyped(ctx, task.VectorEncoding, k, in)
	return l, schema.Names, err
}

// Kernels returns the expressions in use, with every number filled in.
func (p *Pair) Kernels() (x, y string) { return p.x.Text(), p.y.Text() }

// Reduced returns the pair with a low-rank kernel on each side. The landmarks of y are drawn with
// the next seed: rows that were landmarks of both sides would make these depend on each other.
func (p *Pair) Reduced(ctx context.Context, r task.Approximation, how compute.Options) (*Pair, error) {
	if err := r.WithoutTargets(); err != nil {
		return nil, err
	}
	q := *p
	for i, side := range []*task.Points{&q.x, &q.y} {
		var err error
		switch {
		case r.Landmarks != nil && (*side).Derive().Verdict == kernel.Indefinite:
			return nil, task.NotDefinite((*side).Text())
		case r.Landmarks != nil:
			o := *r.Landmarks
			o.Compute = how
			o.Seed += uint64(i)
			*side, q.Approximations[i], _, err = (*side).LowRank(ctx, o, true)
		case r.Features != nil:
			*side, q.FeatureMaps[i], err = (*side).WithFeatures(ctx, *r.Features, how, true)
		}
		if err != nil {
			return nil, fmt.Errorf("the kernel on %s: %w", [2]string{"x", "y"}[i], err)
		}
	}
	return &q, nil
}

// Independence tests whether the two descriptions are independent, in features where the kernels
// are reduced to these; see [rkhs.SolveHSIC].
func (p *Pair) Independence(ctx context.Context, o rkhs.HSICOptions) (*rkhs.Dependence, error) {
	if p.Approximations[0] == nil && p.FeatureMaps[0] == nil {
		return rkhs.SolveHSIC(ctx, gram.Of(p.x.Bind(), o.Compute), gram.Of(p.y.Bind(), o.Compute), o)
	}
	x, err := p.x.Operator(ctx, o.Compute)
	if err != nil {
		return nil, err
	}
	y, err := p.y.Operator(ctx, o.Compute)
	if err != nil {
		return nil, err
	}
	return rkhs.SolveHSIC(ctx, x, y, o)
}

// Element is the function of a model, without its constant, as an element of the space of
// its kernel.
type Element struct {
	Name  string  `json:"output"`
	Norm2 float64 `json:"norm2"` // ‖f‖²
	// Steepest is the pair of rows with the largest |f(x) − f(x')|/‖φ(x) − φ(x')‖, which is at
	// most ‖f‖; nil where there are no rows.
	Steepest *rkhs.LipschitzPair `json:"steepest,omitempty"`
	// Slopes are the pairs of up to 64 of the rows, for a picture.
	Slopes []Slope `json:"-"`
}

// Slope says how far a function rises between two points of some distance.
type Slope struct {
	Run  float64 // ‖φ(x) − φ(x′)‖
	Rise float64 // |f(x) − f(x′)|
}

// sampled is the number of rows whose pairs a picture shows.
const sampled = 64

// slopes compares every pair of a sample of points.
func slopes(p kernel.Pairs, values []float64) []Slope {
	var out []Slope
	n := min(sampled, len(values))
	at := func(i int) int { return i * len(values) / n }
	self := make([]float64, len(values))
	kernel.Diag(p, self)
	pair := kernel.NewTile(1, 1)
	for i := range n {
		for j := range i {
			x, y := at(i), at(j)
			p.Tile(pair, x, y)
			out = append(out, Slope{Run: math.Sqrt(max(0, self[x]+self[y]-2*pair.Data[0])), Rise: math.Abs(values[x] - values[y])})
		}
	}
	return out
}

// Elements measures the functions of the model, one per output, over the rows of a table
// or, where it is nil, over the training rows that the functions stand on, which a
// primal form has not. It returns the names of these rows.
func (m *Model) Elements(ctx context.Context, t *data.Table, o compute.Options) ([]Element, []string, error) {
	coef := m.Function.Coef()
	if coef == nil {
		return nil, nil, fmt.Errorf("mercer: a model of %s is no function in the space of a kernel, and has no norm there", m.Method)
	}
	_, outputs := coef.Dims()
	train, dual := m.Function.Train()
	norms, values := make([]float64, outputs), new(mat.Dense)
	if dual {
		op := gram.Of(train, o)
		if err := op.Mul(ctx, values, coef); err != nil {
			return nil, nil, err
		}
	}
	for j := range outputs {
		for i, a := range mat.Col(nil, j, coef) {
			if dual {
				norms[j] += a * values.At(i, j)
			} else {
				norms[j] += a * a // ‖f‖ = ‖w‖, as w lies in the span of the features of points
			}
		}
	}
	rows, names := train, m.Trained
	if t != nil {
		prepared, err := m.Prep.ApplyInputs(t)
		if err != nil {
			return nil, nil, err
		}
		if rows, err = m.Function.BindRows(prepared); err != nil {
			return nil, nil, err
		}
		if values, err = m.Function.Predict(ctx, prepared, o); err != nil {
			return nil, nil, err
		}
		names = task.RowNames(prepared)
	}
	out := make([]Element, outputs)
	for j := range out {
		if out[j] = (Element{Norm2: norms[j]}); j < len(m.Decision.Outputs) {
			out[j].Name = m.Decision.Outputs[j]
		}
		if rows == nil {
			continue
		}
		f := mat.Col(nil, j, values)
		s, err := rkhs.LargestSlope(ctx, rows, f, o)
		if err != nil {
			return nil, nil, err
		}
		out[j].Steepest, out[j].Slopes = s, slopes(rows, f)
	}
	return out, names, nil
}
