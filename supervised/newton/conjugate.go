package newton

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/space"
)

const (
	// loosest is the largest relative error of an inexact Newton step. Tying it to the
	// last decrement makes the iteration converge quadratically (Eisenstat and Walker,
	// Choosing the forcing terms in an inexact Newton method, 1996).
	loosest = 0.1
	// tightest is the smallest, which rounding allows.
	tightest = 1e-9
	// mostProducts bounds the conjugate gradients of one step.
	mostProducts = 1000
)

// conjugate solves ∇²P·d = −∇P for coupled outputs by conjugate gradients. The factor
// of the uncoupled model, one system for all outputs, is the preconditioner, so that
// each iteration takes one solve and one product with K. With an intercept everything
// stays where 1ᵀθ = 0, in the dual, and the constants move along.
//
// In the dual the inner product does not see coefficients in the null space of K, which
// the iteration may therefore blow up until they drown the others in rounding. On them
// the preconditioned Hessian is 1: the plain step at the end removes them, and it makes
// no other error larger as long as the preconditioned Hessian is at most 2.
func (n *newton) conjugate(ctx context.Context, f space.Factor, hessian func(dst, x *mat.Dense), covector *mat.Dense, beta []float64) (*space.Function, error) {
	rest, restBias := mat.DenseCopyOf(covector), append([]float64(nil), beta...)
	z, err := n.precondition(ctx, f, rest, restBias)
	if err != nil {
		return nil, err
	}
	x := &space.Function{Theta: zeroLike(z.Theta), Values: zeroLike(z.Values)}
	if z.Bias != nil {
		x.Bias = make([]float64, len(z.Bias))
	}
	p := z
	rz := n.s.Inner(rest, z.Theta, z.Values) + dot(restBias, z.Bias)
	target := n.forcing() * n.forcing() * rz
	eta, h := zeroLike(z.Values), zeroLike(z.Values)
	for range mostProducts {
		p.Predictor(eta)
		hessian(h, eta)
		image, err := n.gradient(ctx, h, p.Theta)
		if err != nil {
			return nil, err
		}
		n.trace.Products++
		var sums []float64
		if p.Bias != nil {
			sums = columnSums(h)
		}
		curvature := n.s.Inner(image, p.Theta, p.Values) + dot(sums, p.Bias)
		if !(curvature > 0) {
			break
		}
		step := rz / curvature
		x = x.Plus(step, p)
		addScaled(rest, -step, image)
		for c, s := range sums {
			restBias[c] -= step * s
		}
		if z, err = n.precondition(ctx, f, rest, restBias); err != nil {
			return nil, err
		}
		next := n.s.Inner(rest, z.Theta, z.Values) + dot(restBias, z.Bias)
		if !(next > target) {
			break
		}
		p, rz = z.Plus(next/rz, p), next
	}
	return x.Plus(1, z), nil
}

// precondition solves with the factor and keeps Σ_c b_c = 0: there the Hessian has no
// curvature, and rounding would grow.
func (n *newton) precondition(ctx context.Context, f space.Factor, covector *mat.Dense, beta []float64) (*space.Function, error) {
	z, err := n.solve(ctx, f, covector, beta)
	if err != nil || z.Bias == nil {
		return z, err
	}
	mean := 0.0
	for _, b := range z.Bias {
		mean += b / float64(len(z.Bias))
	}
	for c := range z.Bias {
		z.Bias[c] -= mean
	}
	return z, nil
}

// forcing is the relative error allowed to the next step.
func (n *newton) forcing() float64 {
	if n.trace.Iterations == 0 {
		return loosest
	}
	return math.Max(tightest, math.Min(loosest, n.trace.Decrement/math.Abs(n.value)))
}

func zeroLike(a *mat.Dense) *mat.Dense {
	r, c := a.Dims()
	return mat.NewDense(r, c, nil)
}

// addScaled adds t·x to dst.
func addScaled(dst *mat.Dense, t float64, x *mat.Dense) {
	for i := range dst.RawMatrix().Rows {
		row := dst.RawRowView(i)
		for c, v := range x.RawRowView(i) {
			row[c] += t * v
		}
	}
}

// columnSums returns 1ᵀa.
func columnSums(a *mat.Dense) []float64 {
	sums := make([]float64, a.RawMatrix().Cols)
	for i := range a.RawMatrix().Rows {
		for c, v := range a.RawRowView(i) {
			sums[c] += v
		}
	}
	return sums
}

// dot returns Σ aᵢbᵢ; either may be nil, which is zero.
func dot(a, b []float64) float64 {
	sum := 0.0
	for i := range min(len(a), len(b)) {
		sum += a[i] * b[i]
	}
	return sum
}
