package search

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
	"example.org/mercer/learner"
	"example.org/mercer/learner/distance"
	"example.org/mercer/linalg/level3"
	"example.org/mercer/supervised/dkl"
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
	// Network says how the network of the kernel was learned before; nil: there was none.
	Network *dkl.Report `json:"network,omitempty"`
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
			return nil, fmt.Errorf("search: λ = %v is not a finite number above 0", l)
		}
	}
	by = cmp.Or(by, krr.LOO)
	if err := by.Check(); err != nil {
		return nil, err
	}
	watching, read := p.CancelOnReadError(ctx)
	path, err := lambdaPath(watching, p, lambdas, by, noIntercept, o)
	return path, read(err)
}

// lambdaPath is [NewLambdaPath] with options that are checked.
func lambdaPath(ctx context.Context, p *task.Task, lambdas []float64, by krr.Criterion, noIntercept bool, o compute.Options) (*LambdaPath, error) {
	p, network, err := distance.LearnNetwork(ctx, p, o)
	if err != nil {
		return nil, err
	}
	path, err := learner.NewRidgePath(ctx, p, noIntercept, o)
	if err != nil {
		return nil, err
	}
	out := &LambdaPath{Network: network, Kernel: p.Kernel(), Criterion: by, Features: path.Features, Approximation: p.LandmarkMap, FeatureMap: p.FeatureMap}
	if out.Points, err = path.Along(ctx, lambdas); err != nil {
		return nil, err
	}
	for i, point := range out.Points {
		if by.Of(point) < by.Of(out.Points[out.Best]) {
			out.Best = i
		}
	}
	out.Curves, err = curvesOf(ctx, path, lambdas, o)
	return out, err
}

// PlanLambdaPath predicts memory and time of [NewLambdaPath] for so many λ.
func PlanLambdaPath(ctx context.Context, p *task.Task, lambdas int, o compute.Options) (compute.Plan, error) {
	m, err := p.Machine(ctx, o)
	if err != nil {
		return compute.Plan{}, err
	}
	n, columns, targets := p.Dims()
	work := krr.Work{Rows: n, Columns: columns, Targets: targets}
	work.Features, _ = p.Points.ChoosePrimal(krr.Auto)
	solver := "eigen"
	if work.Features > 0 && work.Features < n {
		solver = "moments"
	}
	plan := compute.NewPlan(solver, m, krr.PathCosts(work, max(lambdas, krr.FewLambdas+1), m, o.MaxMemory)...)
	switch {
	case p.FeatureMap != nil:
		plan = p.FeatureMap.Approximate(plan, columns, 1)
	case p.LandmarkMap != nil:
		plan = p.LandmarkMap.Approximate(plan, targets, 1, false)
	}
	return p.PlanElsewhere(p.CountReading(p.PlanStreaming(plan), pathPasses), pathPasses), nil
}

// pathPasses are those over rows in a file: for the mean, the moments, and the points.
const pathPasses = 3

// curvesOf evaluates the functions of a path on a grid over the only feature.
func curvesOf(ctx context.Context, r *learner.RidgePath, lambdas []float64, o compute.Options) (*LambdaCurves, error) {
	p := r.Task
	names, groups := p.Prep.Features()
	targets := p.Prep.Targets()
	if p.Streamed() || len(names) != 1 || names[0] != groups[0] || len(targets) != 1 || targets[0].Labels != nil || p.Points.Kind() != task.OnVectors {
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
	rows, err := p.Prep.ApplyInputs(data.GridTable(p.Raw, map[string][]float64{names[0]: c.Grid}))
	if err != nil {
		return nil, err
	}
	basis, err := r.Basis(ctx, rows, o)
	if err != nil {
		return nil, err
	}
	coef, bias, err := r.Functions(ctx, lambdas)
	if err != nil {
		return nil, err
	}
	fast, f := level3.Implementation{Workers: o.Workers}, mat.NewDense(curvePoints, 1, nil)
	for i := range lambdas {
		fast.Gemm(blas.NoTrans, blas.NoTrans, 1, basis.RawMatrix(), coef[i].RawMatrix(), 0, f.RawMatrix())
		curve := mat.Col(nil, 0, f)
		floats.AddConst(bias[i][0], curve)
		c.F = append(c.F, curve)
	}
	return c, nil
}
