package pipeline

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/mat"

	"mercer/data"
	"mercer/gram"
	"mercer/krr"
	"mercer/linalg/level3"
)

// LambdaPath is kernel ridge regression at many λ, from one eigendecomposition.
type LambdaPath struct {
	Kernel string       `json:"kernel"`
	Points []*krr.Point `json:"points"` // in the order of λ as given
	Best   int          `json:"best"`   // the point of the least leave-one-out error
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

// LambdaPath solves the problem for every λ > 0: 5n³ flops for the eigendecomposition,
// 4n² for each λ.
func (p *Problem) LambdaPath(ctx context.Context, lambdas []float64, noIntercept bool, o gram.Options) (*LambdaPath, error) {
	y, err := p.targets()
	if err != nil {
		return nil, err
	}
	for _, l := range lambdas {
		if !(l > 0) || math.IsInf(l, 1) {
			return nil, fmt.Errorf("pipeline: λ = %v is not a finite number above 0", l)
		}
	}
	k, treated, err := p.operator(ctx, o)
	if err != nil {
		return nil, err
	}
	path, err := krr.NewPath(ctx, k, y, krr.PathOptions{NoIntercept: noIntercept, Weights: p.Rows.W, Compute: o})
	if err != nil {
		return nil, err
	}
	out := &LambdaPath{Kernel: p.Kernel()}
	if out.Points, err = path.Along(ctx, lambdas); err != nil {
		return nil, err
	}
	for i, point := range out.Points {
		if mean(point.LOO.RMSE) < mean(out.Points[out.Best].LOO.RMSE) {
			out.Best = i
		}
	}
	out.Curves, err = p.lambdaCurves(ctx, out.Points, treated, o)
	return out, err
}

// lambdaCurves evaluates the functions of a path on a grid over the only feature.
func (p *Problem) lambdaCurves(ctx context.Context, points []*krr.Point, treated *gram.Definite, o gram.Options) (*LambdaCurves, error) {
	names, groups := p.Prep.Features()
	targets := p.Prep.Targets()
	if len(names) != 1 || names[0] != groups[0] || len(targets) != 1 || targets[0].Labels != nil || p.points.kind() != onVectors {
		return nil, nil
	}
	at, err := p.raw.Find(names[0])
	if err != nil {
		return nil, err
	}
	c := &LambdaCurves{Feature: names[0], Target: targets[0].Name, Y: mat.Col(nil, 0, p.Rows.Y), X: pick(p.raw.Columns[at].Numbers, p.Rows.Rows)}
	low, high := slices.Min(c.X), slices.Max(c.X)
	for i := range curvePoints {
		c.Grid = append(c.Grid, low+(high-low)*float64(i)/(curvePoints-1))
	}
	rows, err := p.Prep.ApplyInputs(gridTable(p.raw, map[string][]float64{names[0]: c.Grid}))
	if err != nil {
		return nil, err
	}
	pairs, err := p.points.cross(rows)
	if err != nil {
		return nil, err
	}
	var cross mat.Dense
	if err := gram.Rect(ctx, &cross, pairs, o); err != nil {
		return nil, err
	}
	fast, f := level3.Implementation{Workers: o.Workers}, mat.NewDense(curvePoints, 1, nil)
	for _, point := range points {
		coef := point.Solution.Coef
		if treated != nil {
			coef = treated.Coef(coef)
		}
		fast.Gemm(blas.NoTrans, blas.NoTrans, 1, cross.RawMatrix(), coef.RawMatrix(), 0, f.RawMatrix())
		curve := mat.Col(nil, 0, f)
		for i := range curve {
			curve[i] += point.Solution.Bias[0]
		}
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
