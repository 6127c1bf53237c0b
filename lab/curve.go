package lab

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/gram"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/space"
	"example.org/mercer/supervised/gp"
	"example.org/mercer/supervised/krr"
	"gonum.org/v1/gonum/floats"
)

// curveScreen fits a function of one number: ridge regression with all that its path knows, or a
// Gaussian process with its band and draws.
var curveScreen = screen("curve", "Regression", answerCurve)

// curveRequest are points on a line with targets. Method is krr or gp.
type curveRequest struct {
	Method  string    `json:"method"`
	X       []float64 `json:"x"`
	Y       []float64 `json:"y"`
	Kernel  string    `json:"kernel"`
	Lambda  float64   `json:"lambda"` // of krr
	Noise   float64   `json:"noise"`  // variance, of gp
	From    float64   `json:"from"`
	To      float64   `json:"to"`
	Grid    int       `json:"grid"`
	Samples int       `json:"samples"` // of gp
	Seed    uint64    `json:"seed"`
}

type curveAnswer struct {
	Kernel string    `json:"kernel"`
	At     Numbers   `json:"at"`
	F      Numbers   `json:"f"`
	Low    Numbers   `json:"low,omitempty"` // mean ∓ 2 deviations of the function
	High   Numbers   `json:"high,omitempty"`
	Draws  []Numbers `json:"draws,omitempty"`
	// Coefficients are the αᵢ, and Residuals y − f of the fit and without each point.
	Coefficients Numbers `json:"coefficients,omitempty"`
	Bias         float64 `json:"bias"`
	LeftOut      Numbers `json:"left_out,omitempty"`
	Train        float64 `json:"train"`
	LOO          float64 `json:"loo,omitempty"`
	DOF          float64 `json:"dof,omitempty"`
	Evidence     float64 `json:"evidence"`
	// Path has the errors along λ, and Spectrum the eigenvalues of K from the largest.
	Path     []pathPoint `json:"path,omitempty"`
	Spectrum Numbers     `json:"spectrum,omitempty"`
	Says     string      `json:"says"`
}

type pathPoint struct {
	Lambda   float64 `json:"lambda"`
	LOO      float64 `json:"loo"`
	Train    float64 `json:"train"`
	GCV      float64 `json:"gcv"`
	DOF      float64 `json:"dof"`
	Evidence float64 `json:"evidence"`
}

func answerCurve(ctx context.Context, q curveRequest, o compute.Options) (*curveAnswer, error) {
	xs, err := line(q.X)
	if err != nil {
		return nil, err
	}
	if len(q.Y) != len(q.X) || slices.ContainsFunc(q.Y, func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) }) {
		return nil, invalid("%d points have %d targets, which must be numbers", len(q.X), len(q.Y))
	}
	if q.Grid < 2 || q.Grid > 2000 || !(q.To > q.From) || math.IsInf(q.To-q.From, 0) {
		return nil, invalid("a grid of %d numbers from %g to %g cannot be drawn; it has 2 to 2000", q.Grid, q.From, q.To)
	}
	k, err := kernelOn(ctx, q.Kernel, xs)
	if err != nil {
		return nil, err
	}
	at := floats.Span(make([]float64, q.Grid), q.From, q.To)
	grid, err := line(at)
	if err != nil {
		return nil, err
	}
	out := &curveAnswer{Kernel: k.String(), At: at}
	switch q.Method {
	case "krr":
		return out, out.ridge(ctx, k, xs, grid, q, o)
	case "gp":
		return out, out.process(ctx, k, xs, grid, q, o)
	}
	return nil, invalid("method %q is not known here; there are krr and gp", q.Method)
}

// ridge takes the function, and the path of λ around it, from one eigendecomposition.
func (a *curveAnswer) ridge(ctx context.Context, k vec.Kernel, xs, grid data.Vectors, q curveRequest, o compute.Options) error {
	if err := positive("lambda", q.Lambda); err != nil {
		return err
	}
	g, err := gram.Dense(ctx, kernel.Bind(k, xs, xs), o)
	if err != nil {
		return err
	}
	y := mat.NewDense(len(q.Y), 1, slices.Clone(q.Y))
	rows, err := space.DualOf(ctx, gram.FromMatrix(g), space.Options{Unsolved: true, Compute: o})
	if err != nil {
		return invalid("%v", err)
	}
	path, err := krr.NewPath(ctx, rows, y, krr.PathOptions{Compute: o})
	if err != nil {
		return invalid("%v", err)
	}
	lambdas := make([]float64, 0, 32)
	for e := -9.0; e <= 1; e += 1.0 / 3 {
		lambdas = append(lambdas, math.Pow(10, e))
	}
	all, err := path.Along(ctx, append(lambdas, q.Lambda))
	if err != nil {
		return err
	}
	here := all[len(lambdas)]
	for i, p := range all[:len(lambdas)] {
		a.Path = append(a.Path, pathPoint{lambdas[i], p.LOO.RMSE[0], p.Train.RMSE[0], math.Sqrt(p.GCV), p.DOF, p.Evidence})
	}
	a.Coefficients, a.Bias = mat.Col(nil, 0, here.Solution.Coef), here.Solution.Bias[0]
	a.LeftOut = mat.Col(nil, 0, here.LOOResiduals)
	a.Train, a.LOO, a.DOF, a.Evidence = here.Train.RMSE[0], here.LOO.RMSE[0], here.DOF, here.Evidence
	a.Spectrum = slices.Clone(path.Eigenvalues())
	slices.Sort(a.Spectrum)
	slices.Reverse(a.Spectrum)
	a.F = make(Numbers, grid.Len())
	for i := range a.F {
		a.F[i] = a.Bias
		for j, c := range a.Coefficients {
			a.F[i] += c * k.Eval(grid.At(i), xs.At(j))
		}
	}
	a.Says = fmt.Sprintf("%d points, %.3g effective degrees of freedom. Root mean square error %.3g of the points, %.3g of each point without it.", xs.Len(), a.DOF, a.Train, a.LOO)
	return nil
}

// process takes the band and draws of a Gaussian process.
func (a *curveAnswer) process(ctx context.Context, k vec.Kernel, xs, grid data.Vectors, q curveRequest, o compute.Options) error {
	if err := positive("noise", q.Noise); err != nil {
		return err
	}
	if q.Samples < 0 || q.Samples > 20 {
		return invalid("%d draws are asked for; there are at most 20", q.Samples)
	}
	p, r, err := gp.Fit(ctx, k, xs, q.Y, gp.Options{Noise: q.Noise, Compute: o})
	if err != nil {
		return invalid("%v", err)
	}
	m, err := p.Marginals(ctx, grid, o)
	if err != nil {
		return err
	}
	a.F, a.Evidence = m.Mean, r.LogEvidence
	for i, v := range m.Variance {
		half := 2 * math.Sqrt(max(0, v))
		a.Low, a.High = append(a.Low, m.Mean[i]-half), append(a.High, m.Mean[i]+half)
	}
	if q.Samples > 0 {
		draws, err := p.Sample(ctx, grid, q.Samples, q.Seed, o)
		if err != nil {
			return err
		}
		for i := range q.Samples {
			a.Draws = append(a.Draws, mat.Col(nil, i, draws))
		}
	}
	a.Says = fmt.Sprintf("%d points, log evidence %.4g. The band is the mean of the process and two deviations on either side.", xs.Len(), a.Evidence)
	return nil
}
