package pipeline

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/prep"
	"example.org/mercer/gram"
	"example.org/mercer/linalg/level3"
	"example.org/mercer/supervised/krr"
	"example.org/mercer/task"
)

// LambdaPath is kernel ridge regression at many λ, from one eigendecomposition.
type LambdaPath struct {
	Kernel string       `json:"kernel"`
	Points []*krr.Point `json:"points"` // in the order of λ as given
	// Best is the point of the least Criterion.
	Criterion krr.Criterion `json:"criterion"`
	Best      int           `json:"best"`
	// Features is the number of features whose moments were decomposed; 0: the Gram matrix was.
	Features int `json:"features,omitempty"`
	// Approximation and FeatureMap are those of the problem.
	Approximation *task.LandmarkMap `json:"approximation,omitempty"`
	FeatureMap    *task.FeatureMap  `json:"feature_map,omitempty"`
	// Curves are the functions over the only feature, where the problem has one numeric
	// feature and one target: nil otherwise.
	Curves *LambdaCurves `json:"-"`
}

// LambdaCurves are f over a range of the only feature, for every λ of a path.
type LambdaCurves struct {
	Feature, Target string
	X, Y            []float64 // the rows
	Grid            []float64
	F               [][]float64 // [λ][grid]
}

// curvePoints is the number of points of a curve.
const curvePoints = 400

// NewLambdaPath solves the problem for every λ > 0, and says which has the least value of a
// criterion ("": [krr.LOO]). A kernel with D features, fewer than rows, such as one on
// landmarks, takes 3nD² flops and 5D³, and 2nD for each λ; any other 9n³ for the
// eigendecomposition of its Gram matrix, and 4n² for each λ.
func NewLambdaPath(ctx context.Context, p *task.Task, lambdas []float64, by krr.Criterion, noIntercept bool, o compute.Options) (*LambdaPath, error) {
	for _, l := range lambdas {
		if !(l > 0) || math.IsInf(l, 1) {
			return nil, fmt.Errorf("pipeline: λ = %v is not a finite number above 0", l)
		}
	}
	by = cmp.Or(by, krr.LOO)
	if err := by.Check(); err != nil {
		return nil, err
	}
	path, err := newRidgePath(ctx, p, noIntercept, o)
	if err != nil {
		return nil, err
	}
	out := &LambdaPath{Kernel: p.Kernel(), Criterion: by, Features: path.features, Approximation: p.LandmarkMap, FeatureMap: p.FeatureMap}
	if out.Points, err = path.Along(ctx, lambdas); err != nil {
		return nil, err
	}
	for i, point := range out.Points {
		if by.Of(point) < by.Of(out.Points[out.Best]) {
			out.Best = i
		}
	}
	out.Curves, err = path.curves(ctx, out.Points, o)
	return out, err
}

// ridgePath is kernel ridge regression on a problem at any λ.
type ridgePath struct {
	p        *task.Task
	primal   *krr.PrimalPath // in features; nil: dual
	features int
	dual     *krr.Path
	treated  *gram.Definite
}

// newRidgePath decomposes the moments of features where there are fewer than rows, and else the
// Gram matrix.
func newRidgePath(ctx context.Context, p *task.Task, noIntercept bool, o compute.Options) (*ridgePath, error) {
	y, err := p.Targets()
	if err != nil {
		return nil, err
	}
	path, with := &ridgePath{p: p}, krr.PathOptions{NoIntercept: noIntercept, Weights: p.Rows.W, Compute: o}
	if dim, primal := p.Points.ChoosePrimal(krr.Auto); primal && p.Indefinite == "" {
		f, _, err := p.Points.Features(nil)
		if err != nil {
			return nil, err
		}
		path.features = dim
		path.primal, err = krr.NewPrimalPath(ctx, f, y, with)
		return path, err
	}
	var k gram.Operator
	if k, path.treated, err = p.Operator(ctx, o); err != nil {
		return nil, err
	}
	path.dual, err = krr.NewPath(ctx, k, y, with)
	return path, err
}

// Along returns what is known at every λ.
func (r *ridgePath) Along(ctx context.Context, lambdas []float64) ([]*krr.Point, error) {
	if r.primal != nil {
		return r.primal.Along(ctx, lambdas)
	}
	return r.dual.Along(ctx, lambdas)
}

// functions returns the functions f(x) = b + Σ cⱼ basisⱼ(x) of the first target.
func (r *ridgePath) functions(points []*krr.Point) (coef []*mat.Dense, bias []float64, err error) {
	if r.primal == nil {
		for _, p := range points {
			c := p.Solution.Coef
			if r.treated != nil {
				c = r.treated.Coef(c)
			}
			coef, bias = append(coef, c), append(bias, p.Solution.Bias[0])
		}
		return coef, bias, nil
	}
	var lambdas []float64
	for _, p := range points {
		lambdas = append(lambdas, p.Lambda)
	}
	coef, all, err := r.primal.Weights(lambdas)
	for _, b := range all {
		bias = append(bias, b[0])
	}
	return coef, bias, err
}

// basis returns the features of new rows, or their kernel values against those that were
// learned from.
func (r *ridgePath) basis(ctx context.Context, rows *prep.Prepared, o compute.Options) (*mat.Dense, error) {
	if r.primal != nil {
		f, _, err := r.p.Points.Features(rows)
		if err != nil {
			return nil, err
		}
		out := mat.NewDense(f.Rows, f.Dim, nil)
		return out, f.Fill(ctx, out, 0)
	}
	pairs, err := r.p.Points.Cross(rows)
	if err != nil {
		return nil, err
	}
	out := new(mat.Dense)
	return out, gram.Rect(ctx, out, pairs, o)
}

// curves evaluates the functions of a path on a grid over the only feature.
func (r *ridgePath) curves(ctx context.Context, points []*krr.Point, o compute.Options) (*LambdaCurves, error) {
	p := r.p
	names, groups := p.Prep.Features()
	targets := p.Prep.Targets()
	if len(names) != 1 || names[0] != groups[0] || len(targets) != 1 || targets[0].Labels != nil || p.Points.Kind() != task.OnVectors {
		return nil, nil
	}
	at, err := p.Raw.Find(names[0])
	if err != nil {
		return nil, err
	}
	c := &LambdaCurves{Feature: names[0], Target: targets[0].Name, Y: mat.Col(nil, 0, p.Rows.Y), X: data.Pick(p.Raw.Columns[at].Numbers, p.Rows.Rows)}
	low, high := slices.Min(c.X), slices.Max(c.X)
	for i := range curvePoints {
		c.Grid = append(c.Grid, low+(high-low)*float64(i)/(curvePoints-1))
	}
	rows, err := p.Prep.ApplyInputs(gridTable(p.Raw, map[string][]float64{names[0]: c.Grid}))
	if err != nil {
		return nil, err
	}
	basis, err := r.basis(ctx, rows, o)
	if err != nil {
		return nil, err
	}
	coef, bias, err := r.functions(points)
	if err != nil {
		return nil, err
	}
	fast, f := level3.Implementation{Workers: o.Workers}, mat.NewDense(curvePoints, 1, nil)
	for i := range points {
		fast.Gemm(blas.NoTrans, blas.NoTrans, 1, basis.RawMatrix(), coef[i].RawMatrix(), 0, f.RawMatrix())
		curve := mat.Col(nil, 0, f)
		floats.AddConst(bias[i], curve)
		c.F = append(c.F, curve)
	}
	return c, nil
}

// gridTable returns a table laid out like another, with the given numbers in some of its
// columns. What is in the others does not matter: a model that is asked about it looks
// at these only.
func gridTable(like *data.Table, numbers map[string][]float64) *data.Table {
	rows := 0
	for _, x := range numbers {
		rows = len(x)
	}
	t := &data.Table{Source: "a grid", Headed: like.Headed}
	for _, c := range like.Columns {
		column := data.Column{Name: c.Name, Kind: c.Kind}
		switch x, ok := numbers[c.Name]; {
		case ok:
			column.Numbers = x
		case c.Kind == data.Numeric:
			column.Numbers = make([]float64, rows)
		default:
			column.Strings = slices.Repeat([]string{""}, rows)
		}
		t.Columns = append(t.Columns, column)
	}
	return t
}
