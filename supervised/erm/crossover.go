package erm

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/space"
)

const (
	// proximity is the diagonal that the exact solve adds, relative to the kernel.
	proximity = 1e-6
	// crossoverSteps remove what it leaves.
	crossoverSteps = 8
	// crossoverPasses are those over rows that are not in memory: two for each step, one for the
	// system and one for the size of the kernel, two for the values of the corners, and one for
	// the gap before, after and at the end.
	crossoverPasses = 2*crossoverSteps + 7
	// snap is how far outside of its bounds a coefficient may be by rounding, relative
	// to them.
	snap = 1e-9
)

// crossover guesses from the interior point which rows lie on a corner, puts the
// coefficients of all others exactly at the end or the zero that is theirs, and solves
// for the rest: η = at ∓ ε on the corners. If the guess is right the result is exact
// but for rounding, with zeros for rows inside of a tube; it is taken only if its gap is
// smaller. Linear programmes call this the crossover from an interior point to a vertex.
func (ip *interior) crossover(ctx context.Context) error {
	before := ip.state()
	_, gap, err := ip.objective(ctx)
	if err != nil {
		return err
	}
	target, free := ip.corners()
	ip.coefficients()
	if err := ip.coordinates(ctx); err != nil {
		return err
	}
	ip.predict()
	ok := true
	if free > 0 {
		within := []float64{0}
		err := ip.compute.Step(ctx, "corners", append(coordinatesOf(ip.f), ip.a, ip.eta, within), func() error {
			ok, err := ip.interpolate(ctx, target)
			if ok {
				within[0] = 1
			}
			return err
		})
		if err != nil {
			return err
		}
		ok = within[0] == 1
	}
	_, after, err := ip.objective(ctx)
	if !ok || !(after < gap) {
		*ip = before
	}
	return err
}

// corners snaps the sides that are at an end, and returns the values that the rows on a
// corner must have, NaN for all others.
func (ip *interior) corners() (target []float64, free int) {
	target = make([]float64, len(ip.a))
	for i := range target {
		target[i] = math.NaN()
		if ip.up[i].snap(ip.spread) {
			target[i] = ip.p.at[i] - ip.p.width[i]
		}
		if ip.down[i].snap(ip.spread) {
			target[i] = ip.p.at[i] + ip.p.width[i]
		}
		if !math.IsNaN(target[i]) {
			free++
		}
	}
	return target, free
}

// snap moves a side to the end where its multiplier says that it is, and reports whether
// it is at neither.
func (s *side) snap(spread float64) (free bool) {
	switch {
	case s.bound == 0:
		return false
	case s.x*spread < s.z*s.bound:
		s.x = 0
	case (s.bound-s.x)*spread < s.t*s.bound:
		s.x = s.bound
	default:
		return true
	}
	return false
}

// interpolate moves the coefficients of the rows with a target until their values are
// the targets, by the method of multipliers: aᵢ grows by V(targetᵢ − ηᵢ). It reports
// whether they stayed within their bounds.
func (ip *interior) interpolate(ctx context.Context, target []float64) (bool, error) {
	n := len(target)
	size, err := ip.kernelSize(ctx)
	if err != nil {
		return false, err
	}
	v := ip.ridge / (proximity * size)
	for i := range ip.v {
		ip.v[i] = 0
		if !math.IsNaN(target[i]) {
			ip.v[i] = v
		}
	}
	factor, _, err := ip.s.Weigh(ctx, ip.v, ip.ridge, ip.f.Bias != nil, nil)
	if err != nil {
		return false, nil // singular on the corners: the interior point stands
	}
	values := mat.NewDense(n, 1, nil)
	for range crossoverSteps {
		rest, sum := make([]float64, n), 0.0
		for i := range n {
			if ip.v[i] > 0 {
				rest[i] = v * (target[i] - ip.eta[i])
			}
			sum += rest[i] + ip.a[i]
		}
		covector, err := ip.covector(ctx, rest)
		if err != nil {
			return false, err
		}
		var beta []float64
		if ip.f.Bias != nil {
			beta = []float64{sum}
		}
		theta, bias, err := factor.Solve(ctx, covector, beta)
		if err != nil {
			return false, err
		}
		if err := ip.s.Values(ctx, values, theta); err != nil {
			return false, err
		}
		for c := range bias {
			ip.f.Bias[c] += bias[c]
		}
		ip.pull(target, v, theta, values, bias)
		ip.f.Theta.Add(ip.f.Theta, theta)
		ip.f.Values.Add(ip.f.Values, values)
		ip.predict()
	}
	return ip.admissible(), nil
}

// pull moves the coefficients of the rows with a target by V(targetᵢ − ηᵢ), η after the step: by
// R·θᵢ where coordinates are coefficients.
func (ip *interior) pull(target []float64, v float64, theta, values *mat.Dense, bias []float64) {
	span, spanned := ip.s.(space.Spanned)
	for i := range target {
		switch {
		case ip.v[i] == 0:
		case spanned:
			ip.a[i] += ip.ridge * span.Coefficients(theta).At(i, 0)
		default:
			change := values.At(i, 0)
			if bias != nil {
				change += bias[0]
			}
			ip.a[i] += v * (target[i] - ip.eta[i] - change)
		}
	}
}

// kernelSize is the mean of the diagonal of K, estimated by one quadratic form.
func (ip *interior) kernelSize(ctx context.Context) (float64, error) {
	g := make([]float64, len(ip.a))
	for i := range g {
		g[i] = float64(1-2*(i%2)) / math.Sqrt(float64(len(g)))
	}
	covector, err := ip.covector(ctx, g)
	if err != nil {
		return 0, err
	}
	size, err := ip.s.Norm2(ctx, covector)
	return max(size, math.SmallestNonzeroFloat64/0x1p-52), err
}

// admissible reports whether −down ≤ a ≤ up, and removes rounding.
func (ip *interior) admissible() bool {
	for i, a := range ip.a {
		up, down := ip.p.up[i], ip.p.down[i]
		if a > up+snap*(up+down) || a < -down-snap*(up+down) {
			return false
		}
		ip.a[i] = max(-down, min(up, a))
	}
	return true
}
