package erm

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/linalg"
	"example.org/mercer/space"
)

// programme is the dual of Σ upᵢ·max(atᵢ − ηᵢ − εᵢ, 0) + downᵢ·max(ηᵢ − atᵢ − εᵢ, 0) +
// (R/2)‖f‖², η = f + b, with weights and offsets within the numbers of the rows:
//
//	maximise Σ atᵢaᵢ − εᵢ|aᵢ| − ‖Σ aᵢk(·, xᵢ)‖²/(2R),  −downᵢ ≤ aᵢ ≤ upᵢ,  Σ aᵢ = 0,
//
// with R·f = Σ aᵢk(·, xᵢ) at the solution. Where ε > 0, a = p − q with p ∈ [0, up] and
// q ∈ [0, down]; where ε = 0, a = p − down with p ∈ [0, up + down], and no q.
type programme struct {
	at, up, down, width []float64
}

// side is a variable 0 ≤ x ≤ bound of the programme with the multipliers z of x ≥ 0 and
// t of x ≤ bound. A side with bound 0 does not exist.
// aimed is the next dx, while the last one is still needed.
type side struct{ x, bound, z, t, dx, dz, dt, aimed float64 }

// interior is Mehrotra's predictor-corrector method on a programme (Mehrotra 1992;
// Nocedal and Wright, Numerical Optimization, section 16.6). Each iteration is a
// weighted ridge regression that is solved for two right-hand sides: the weights are
// the curvature of the logarithmic barriers.
type interior struct {
	s      space.Space
	ridge  float64
	p      *programme
	up     []side // p
	down   []side // q
	f      *space.Function
	eta    []float64
	a      []float64
	v      []float64 // the weights
	damp   []float64 // ≤ 1: what a limit leaves of them
	factor space.Factor
	spread float64 // size of the first residuals: what a multiplier is compared with

	compute compute.Options
}

const (
	// gapTolerance is the duality gap, relative to the objective, that ends the method.
	gapTolerance = 1e-9
	// mostIterations is far above the 10 to 40 that interior points take.
	mostIterations = 150
	// patience is how many steps the gap may fail to fall.
	patience = 8
	// toBoundary is the part of the way to the boundary that a step may go.
	toBoundary = 0.995
)

// newInterior starts at the middle of every side, with the multipliers that make the
// first row of the optimality conditions hold.
func newInterior(ctx context.Context, j *job, p *programme) (*interior, error) {
	n := len(p.at)
	ip := &interior{s: j.s, ridge: j.ridge, p: p, compute: j.o.Compute, up: make([]side, n), down: make([]side, n), f: j.zero(),
		eta: make([]float64, n), a: make([]float64, n), v: make([]float64, n), damp: make([]float64, n)}
	for i := range n {
		ip.up[i].bound = p.up[i]
		if p.width[i] > 0 {
			ip.down[i].bound = p.down[i]
		} else {
			ip.up[i].bound += p.down[i]
		}
		ip.up[i].x, ip.down[i].x = ip.up[i].bound/2, ip.down[i].bound/2
	}
	ip.coefficients()
	if err := ip.coordinates(ctx); err != nil {
		return nil, err
	}
	if ip.f.Bias != nil {
		ip.f.Bias[0] = median(p.at, nil)
	}
	ip.predict()
	for i := range n {
		ip.spread += math.Abs(ip.eta[i]-p.at[i]) / float64(n)
	}
	ip.spread = cmp.Or(max(ip.spread, 1e-8*slices.Max(absolutes(p.at))), 1)
	for i := range n {
		d := ip.eta[i] - p.at[i]
		ip.up[i].multipliers(d+p.width[i], ip.spread)
		ip.down[i].multipliers(-d+p.width[i], ip.spread)
	}
	return ip, nil
}

// multipliers gives z − t = slope, both at least the spread.
func (s *side) multipliers(slope, spread float64) {
	if s.bound == 0 {
		return
	}
	s.z, s.t = max(slope, 0)+spread, max(-slope, 0)+spread
}

// coefficients sets a from the sides.
func (ip *interior) coefficients() {
	for i := range ip.a {
		ip.a[i] = ip.up[i].x - ip.down[i].x
		if ip.p.width[i] == 0 {
			ip.a[i] -= ip.p.down[i]
		}
	}
}

// coordinates sets f = Σ aᵢk(·, xᵢ)/R.
func (ip *interior) coordinates(ctx context.Context) error {
	covector, err := ip.covector(ctx, ip.a)
	if err != nil {
		return err
	}
	ip.f.Theta.Scale(1/ip.ridge, covector)
	return ip.s.Values(ctx, ip.f.Values, ip.f.Theta)
}

// predict sets η = f + b.
func (ip *interior) predict() {
	for i := range ip.eta {
		ip.eta[i] = ip.f.Values.At(i, 0)
		if ip.f.Bias != nil {
			ip.eta[i] += ip.f.Bias[0]
		}
	}
}

// objective returns the primal value, and the duality gap at a, with what Σ a ≠ 0 leaves.
// The dual value is computed from a alone, because R·f = Σ aᵢk(·, xᵢ) holds only up to
// rounding, which a small R makes large.
func (ip *interior) objective(ctx context.Context) (value, gap float64, err error) {
	covector, err := ip.covector(ctx, ip.a)
	if err != nil {
		return 0, 0, err
	}
	return ip.objectiveAt(ctx, covector)
}

// objectiveAt is objective where Σ aᵢk(·, xᵢ) is known.
func (ip *interior) objectiveAt(ctx context.Context, covector *mat.Dense) (value, gap float64, err error) {
	dual, sum := 0.0, 0.0
	for i, eta := range ip.eta {
		r := ip.p.at[i] - eta
		value += ip.p.up[i]*max(r-ip.p.width[i], 0) + ip.p.down[i]*max(-r-ip.p.width[i], 0)
		dual += ip.p.at[i]*ip.a[i] - ip.p.width[i]*math.Abs(ip.a[i])
		sum += ip.a[i]
	}
	value += ip.ridge / 2 * ip.s.Inner(ip.f.Theta, ip.f.Theta, ip.f.Values)
	length, err := ip.s.Norm2(ctx, covector)
	gap = value - dual + length/(2*ip.ridge)
	if ip.f.Bias != nil {
		gap += math.Abs(sum * ip.f.Bias[0])
	}
	return value, max(0, gap), err
}

// covector returns Σ gᵢk(·, xᵢ) as a covector, a column for each g.
func (ip *interior) covector(ctx context.Context, gs ...[]float64) (*mat.Dense, error) {
	out, columns := space.Zero(ip.s, len(gs), false).Theta, mat.NewDense(len(ip.a), len(gs), nil)
	for c, g := range gs {
		columns.SetCol(c, g)
	}
	return out, ip.s.Adjoint(ctx, out, columns)
}

// run iterates until the gap is small or rounding keeps it from falling, and returns how
// often. It leaves the iterate with the smallest gap.
func (ip *interior) run(ctx context.Context) (iterations int, err error) {
	told := ip.compute.Meter("interior point", mostIterations)
	defer told.End(ctx)
	best, least, since := ip.state(), math.Inf(1), 0
	for iterations < mostIterations && since < patience {
		ip.weights()
		predictor := ip.towards(0, false)
		both, err := ip.covector(ctx, ip.a, predictor.rest)
		if err != nil {
			return iterations, err
		}
		rows, _ := both.Dims()
		value, gap, err := ip.objectiveAt(ctx, mat.DenseCopyOf(both.Slice(0, rows, 0, 1)))
		if err != nil {
			return iterations, err
		}
		if gap < least {
			best, least, since = ip.state(), gap, 0
		}
		if ip.certified(value, gap) {
			return iterations, nil
		}
		if math.IsNaN(gap) {
			break
		}
		predictor.covector = mat.DenseCopyOf(both.Slice(0, rows, 1, 2))
		if err := ip.step(ctx, predictor); err != nil {
			var np *linalg.NotPositiveDefinite
			if errors.As(err, &np) && least <= 1e-4*math.Abs(value) {
				break // the barrier is as steep as rounding allows
			}
			return iterations, err
		}
		iterations++
		since++
		told.Add(1)
	}
	*ip = best
	return iterations, nil
}

// certified reports whether the gap is small beside the objective, or beside rounding.
func (ip *interior) certified(value, gap float64) bool {
	largest, slopes := 0.0, 0.0
	for i, at := range ip.p.at {
		largest = max(largest, math.Abs(at))
		slopes += ip.p.up[i] + ip.p.down[i]
	}
	return gap <= max(gapTolerance*math.Abs(value), 1e-14*largest*slopes)
}

// state returns a copy that further steps do not change.
func (ip *interior) state() interior {
	c := *ip
	c.up, c.down, c.a, c.eta = slices.Clone(ip.up), slices.Clone(ip.down), slices.Clone(ip.a), slices.Clone(ip.eta)
	c.f = &space.Function{Theta: mat.DenseCopyOf(ip.f.Theta), Values: mat.DenseCopyOf(ip.f.Values), Bias: slices.Clone(ip.f.Bias)}
	return c
}

// complementarity is the mean of x·z and (bound − x)·t.
func (ip *interior) complementarity(step float64) float64 {
	sum, count := 0.0, 0.0
	for _, sides := range [][]side{ip.up, ip.down} {
		for i := range sides {
			s := &sides[i]
			if s.bound == 0 {
				continue
			}
			sum += (s.x+step*s.dx)*(s.z+step*s.dz) + (s.bound-s.x-step*s.dx)*(s.t+step*s.dt)
			count += 2
		}
	}
	return sum / count
}

// weights sets those of the system, with no limit.
func (ip *interior) weights() {
	for i := range ip.v {
		ip.v[i], ip.damp[i] = ip.up[i].give()+ip.down[i].give(), 1
	}
}

// step makes one predictor-corrector step with the weights. The predictor's right-hand side is
// known.
func (ip *interior) step(ctx context.Context, predictor *rightSide) error {
	ip.factor = nil
	err := ip.compute.Step(ctx, "weights", [][]float64{ip.v, ip.damp}, func() (err error) {
		ip.factor, err = ip.weigh(ctx)
		return err
	})
	if err != nil {
		return err
	}
	if slices.ContainsFunc(ip.damp, func(d float64) bool { return d != 1 }) {
		predictor = ip.towards(0, false)
	}
	mu := ip.complementarity(0)
	if _, err := ip.direction(ctx, predictor); err != nil {
		return err
	}
	ahead := ip.complementarity(ip.longest())
	d, err := ip.direction(ctx, ip.towards(mu*math.Pow(ahead/mu, 3), true))
	if err != nil {
		return err
	}
	ip.move(min(1, toBoundary*ip.longest()), d)
	return nil
}

// weigh factors the weighted system. Rows on a corner have weights without bound; where
// their kernel is singular they are limited, which bends the direction but not where it
// leads.
func (ip *interior) weigh(ctx context.Context) (space.Factor, error) {
	for try := 0; ; try++ {
		f, _, err := ip.s.Weigh(ctx, ip.v, ip.ridge, ip.f.Bias != nil, nil)
		var np *linalg.NotPositiveDefinite
		if try == 6 || !errors.As(err, &np) {
			return f, err
		}
		limit := slices.Max(ip.v) / 100
		for i, v := range ip.v {
			if v > limit {
				ip.v[i] = limit
				ip.damp[i] *= limit / v
			}
		}
	}
}

// give is the inverse of the barrier's curvature z/x + t/(bound − x).
func (s *side) give() float64 {
	if s.bound == 0 {
		return 0
	}
	return 1 / (s.z/s.x + s.t/(s.bound-s.x))
}

// pull returns the right-hand side of a side: −(slope − z + t) + τ_z/x − τ_t/(bound − x).
func (s *side) pull(slope, mu float64, correct bool) float64 {
	if s.bound == 0 {
		return 0
	}
	tz, tt := s.targets(mu, correct)
	return -(slope - s.z + s.t) + tz/s.x - tt/(s.bound-s.x)
}

// targets are μ − x·z and μ − (bound − x)·t, less the products of the predictor.
func (s *side) targets(mu float64, correct bool) (tz, tt float64) {
	tz, tt = mu-s.x*s.z, mu-(s.bound-s.x)*s.t
	if correct {
		tz -= s.dx * s.dz
		tt += s.dx * s.dt
	}
	return tz, tt
}

// aim sets the next step of a side from that of its slope.
func (s *side) aim(pull, dslope, damp float64) { s.aimed = (pull - dslope) * s.give() * damp }

// follow takes the aimed step and sets those of the multipliers.
func (s *side) follow(mu float64, correct bool) {
	if s.bound == 0 {
		return
	}
	tz, tt := s.targets(mu, correct)
	s.dx = s.aimed
	s.dz = (tz - s.z*s.dx) / s.x
	s.dt = (tt + s.t*s.dx) / (s.bound - s.x)
}

// rightSide is that of the system for a step towards the complementarity mu.
type rightSide struct {
	mu       float64
	correct  bool         // with the products of the predictor
	pulls    [][2]float64 // of the sides
	rest     []float64    // of the rows
	total    float64      // Σ rest + Σ a
	covector *mat.Dense   // Σ restᵢk(·, xᵢ); nil: it is not known yet
}

// towards finds the right-hand side.
func (ip *interior) towards(mu float64, correct bool) *rightSide {
	n := len(ip.a)
	r := &rightSide{mu: mu, correct: correct, pulls: make([][2]float64, n), rest: make([]float64, n)}
	sum := 0.0
	for i := range n {
		d := ip.eta[i] - ip.p.at[i]
		r.pulls[i] = [2]float64{ip.up[i].pull(d+ip.p.width[i], mu, correct), ip.down[i].pull(-d+ip.p.width[i], mu, correct)}
		r.rest[i] = ip.damp[i] * (r.pulls[i][0]*ip.up[i].give() - r.pulls[i][1]*ip.down[i].give())
		sum += ip.a[i]
		r.total += r.rest[i]
	}
	r.total += sum
	return r
}

// direction solves for a step.
func (ip *interior) direction(ctx context.Context, r *rightSide) (d *space.Function, err error) {
	if r.covector == nil {
		if r.covector, err = ip.covector(ctx, r.rest); err != nil {
			return nil, err
		}
	}
	var beta []float64
	if ip.f.Bias != nil {
		beta = []float64{r.total}
	}
	d = space.Zero(ip.s, 1, ip.f.Bias != nil)
	err = ip.compute.Step(ctx, "direction", coordinatesOf(d), func() (err error) {
		if ip.factor == nil { // its weights came from a checkpoint
			if ip.factor, _, err = ip.s.Weigh(ctx, ip.v, ip.ridge, ip.f.Bias != nil, nil); err != nil {
				return err
			}
		}
		return solveFor(ctx, d, ip.s, ip.factor, r.covector, beta)
	})
	if err != nil {
		return nil, err
	}
	for i := range ip.a {
		change := d.Values.At(i, 0)
		if d.Bias != nil {
			change += d.Bias[0]
		}
		ip.up[i].aim(r.pulls[i][0], change, ip.damp[i])
		ip.down[i].aim(r.pulls[i][1], -change, ip.damp[i])
	}
	if span, ok := ip.s.(space.Spanned); ok {
		ip.agree(span.Coefficients(d.Theta))
	}
	for i := range ip.a {
		ip.up[i].follow(r.mu, r.correct)
		ip.down[i].follow(r.mu, r.correct)
	}
	return d, nil
}

// agree makes the steps of the sides those of the coefficients, R·dθ: on a corner, where
// they are the small difference of two numbers times a large weight, rounding would
// drive the two apart.
func (ip *interior) agree(coefficients *mat.Dense) {
	for i := range ip.a {
		up, down := &ip.up[i], &ip.down[i]
		give, rest := up.give()+down.give(), ip.ridge*coefficients.At(i, 0)-(up.aimed-down.aimed)
		if give == 0 {
			continue
		}
		up.aimed += rest * (up.give() / give)
		down.aimed -= rest * (down.give() / give)
	}
}

// longest returns the step at which the first number would reach its boundary, at most
// 1/toBoundary.
func (ip *interior) longest() float64 {
	step := 1 / toBoundary
	for _, sides := range [][]side{ip.up, ip.down} {
		for i := range sides {
			s := &sides[i]
			if s.bound == 0 {
				continue
			}
			step = min(step, reach(s.x, s.dx), reach(s.bound-s.x, -s.dx), reach(s.z, s.dz), reach(s.t, s.dt))
		}
	}
	return step
}

// reach is the step at which x + step·dx becomes 0.
func reach(x, dx float64) float64 {
	if dx >= 0 {
		return math.Inf(1)
	}
	return -x / dx
}

// move takes the step.
func (ip *interior) move(step float64, d *space.Function) {
	for _, sides := range [][]side{ip.up, ip.down} {
		for i := range sides {
			s := &sides[i]
			s.x += step * s.dx
			s.z += step * s.dz
			s.t += step * s.dt
		}
	}
	for _, pair := range [][2]*mat.Dense{{ip.f.Theta, d.Theta}, {ip.f.Values, d.Values}} {
		pair[1].Scale(step, pair[1])
		pair[0].Add(pair[0], pair[1])
	}
	for c := range ip.f.Bias {
		ip.f.Bias[c] += step * d.Bias[c]
	}
	ip.coefficients()
	ip.predict()
}
