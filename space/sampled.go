package space

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/gram"
	"example.org/mercer/linalg"
)

// sampled solves the normal equations without their matrix, by conjugate gradients, a pass over
// the rows each, which are preconditioned by the factor of
//
//	Ĥ = (N/s)·L⁻¹ẐᵀẐL⁻ᵀ + R·I,  Ẑ: s rows, drawn in proportion to their weights.
//
// The eigenvalues of Ĥ⁻¹H lie in about (1 ± √(m/s))⁻² (Marchenko and Pastur 1967), nearer to 1
// where R is large, and conjugate gradients leave √(m/s) of the error in each pass. They begin at
// the solution for the sample. Passes are in single precision; their solution is refined in double,
// whose residual certifies w as it does that of the factor of H itself. b and z̄ are sums of the
// passes that measure the first residuals.
//
// Avron, Maymounkov and Toledo, Blendenpik: supercharging LAPACK's least-squares solver, SIAM
// J. Sci. Comput. 32 (2010).
func (s *landmarkEquations) sampled(ctx context.Context) (w *mat.Dense, bias []float64, reason string, err error) {
	if w, reason, err = s.factorSample(ctx); err != nil || reason != "" {
		return nil, nil, reason, err
	}
	s.watch.Lap(&s.q.Run, "moments of a sample")
	narrow, rest, step := s.k.In(compute.Single), new(mat.Dense), new(mat.Dense)
	correct := func(step, rest *mat.Dense, share float64) error { return s.descend(ctx, narrow, step, rest, share) }
	if rest, err = s.survey(ctx, narrow, w); err != nil {
		return nil, nil, "", err
	}
	s.q.SingleProducts++
	if err := correct(step, rest, largestShare(rest, s.b)); err != nil {
		return nil, nil, "", err
	}
	w.Add(w, step)
	if rest, err = s.survey(ctx, s.k, w); err != nil {
		return nil, nil, "", err
	}
	s.q.Iterations++
	bias, reason, err = s.refine(ctx, w, rest, momentsTo, leastGain, correct)
	return w, bias, reason, err
}

// survey returns b − Hw, and sets b and z̄, in one pass over k. The z̄ of before is a first guess
// that keeps sums small: with e = y − ȳ − (Kβ − z̄₀ᵀβ) for it, the residuals less their mean
// have Zᵀ W e = KᵀWe − z̄·Σwe, where Σwe = N(z̄₀ − z̄)ᵀβ.
//
// What certifies w needs the b of double precision: in single, a small b beside large targets is
// known too badly.
func (s *landmarkEquations) survey(ctx context.Context, k *gram.TallSkinny, w *mat.Dense) (rest *mat.Dense, err error) {
	beta, before, err := s.expand(ctx, w)
	if err != nil {
		return nil, err
	}
	m, p := s.l.Dim(), s.g.targets.Columns
	sums := mat.NewDense(m, p+s.outputs(), nil) // KᵀW times e, y − ȳ, and 1 where there is a constant
	if err := k.Fold(ctx, sums, beta, func(_, row int, u, g blas64.General) {
		for i := range g.Rows {
			weight, out := s.v[row+i], g.Data[i*g.Stride:][:g.Cols]
			for c, v := range s.y.RawRowView(row + i) {
				v -= s.g.mean[c]
				out[c], out[p+c] = weight*(v-u.Data[i*u.Stride+c]+before[c]), weight*v
			}
			if s.g.ridge.Constant {
				out[2*p] = weight
			}
		}
	}); err != nil {
		return nil, err
	}
	_, cols := sums.Dims()
	if err := s.sides(ctx, sums.Slice(0, m, p, cols).(*mat.Dense)); err != nil {
		return nil, err
	}
	rest = mat.DenseCopyOf(sums.Slice(0, m, 0, p))
	for c := range p {
		sum := s.total * (before[c] - mat.Dot(s.mean, beta.ColView(c)))
		column := rest.ColView(c).(*mat.VecDense)
		column.AddScaledVec(column, -sum, s.mean)
	}
	if err := s.whiten(ctx, rest); err != nil {
		return nil, err
	}
	addScaled(rest, -s.g.ridge.R, w)
	return rest, nil
}

// factorSample makes the factor of Ĥ and the solution for the sample, whose rows are centred on
// their own mean.
func (s *landmarkEquations) factorSample(ctx context.Context) (w *mat.Dense, reason string, err error) {
	count := s.q.Sample
	drawn := draw(s.v, s.total, count)
	targets, pulled := mat.NewDense(count, s.outputs(), nil), make([]float64, s.outputs())
	all := s.targets()
	for i, row := range drawn {
		copy(targets.RawRowView(i), all.RawRowView(row))
		floats.Add(pulled, targets.RawRowView(i))
	}
	rows := s.columns(drawn)
	if s.roughly() {
		rows = rows.In(compute.Single)
	}
	second, first, err := rows.Moments(ctx, nil, targets)
	if err != nil {
		return nil, "", err
	}
	share := s.total / float64(count)
	if s.g.ridge.Constant {
		mean := mat.NewVecDense(s.l.Dim(), nil)
		mean.ScaleVec(1/float64(count), first.ColView(s.g.targets.Columns))
		second.SymRankOne(second, -float64(count), mean)
		for c, sum := range pulled[:s.g.targets.Columns] {
			column := first.ColView(c).(*mat.VecDense)
			column.AddScaledVec(column, -sum, mean)
		}
	}
	second.ScaleSym(share, second)
	first.Scale(share, first)
	if reason, err = s.factor(ctx, second); err != nil || reason != "" {
		return nil, reason, err
	}
	if err = s.sides(ctx, first); err != nil {
		return nil, "", err
	}
	w = new(mat.Dense)
	return w, "", s.h.Solve(ctx, w, s.b)
}

// roughly reports whether Ĥ may be summed in single precision. What rounding leaves of s rows is,
// for random signs, about 2⁻²⁴·(N/√s)·κ²·2√m in ẐᵀẐ, κ the size of a kernel value, which is
// ‖K_CC‖/m where the landmarks are like the rows. L⁻¹ amplifies it by 1/λ_min(K_CC). Values less
// those of a typical row are several times smaller, and what is four times the ridge by this count
// is a fraction of it.
func (s *landmarkEquations) roughly() bool {
	m, size := float64(s.l.Dim()), s.l.Norm()/float64(s.l.Dim())
	noise := 0x1p-23 * s.total / math.Sqrt(float64(s.q.Sample)) * size * size * math.Sqrt(m)
	return noise*s.l.Condition()/s.l.Norm() <= 4*s.g.ridge.R
}

// sampleSeed is that of the rows of the preconditioner: others change a fit within its
// tolerance.
const sampleSeed = 6

// draw returns ascending numbers of rows, one from each of so many strata of equal weight: on
// the average a row is there as often as its weight says, and one of weight zero never is.
func draw(weights []float64, total float64, count int) []int {
	rng, last := rand.New(rand.NewPCG(sampleSeed, 0)), len(weights)-1
	for weights[last] == 0 {
		last--
	}
	rows, row, sum := make([]int, count), 0, weights[0]
	for k := range rows {
		at := (float64(k) + rng.Float64()) * total / float64(count)
		for sum <= at && row < last {
			row++
			sum += weights[row]
		}
		rows[k] = row
	}
	return rows
}

// normal multiplies with H: one pass over the rows of k.
type normal struct {
	*landmarkEquations
	k *gram.TallSkinny
}

func (h normal) Mul(ctx context.Context, dst, x *mat.Dense) error {
	beta, shift, err := h.expand(ctx, x)
	if err != nil {
		return err
	}
	if err := h.gather(ctx, h.k, dst, beta, func(row int, u, g []float64) {
		for c, v := range u {
			g[c] = h.v[row] * (v - shift[c])
		}
	}); err != nil {
		return err
	}
	addScaled(dst, h.g.ridge.R, x)
	return nil
}

// leastGain is the share of a residual that a solution in single precision may leave: more of it,
// and the product of all rows is the shorter way.
const leastGain = 0.1

// singleFloor is about what a solution in single precision leaves of a residual: the root of the
// condition of K_CC amplifies the rounding of points and coefficients, which all rows share.
// Measured are 10⁻⁴ at a condition of 10⁶, and 5·10⁻³ at 5·10⁷.
func singleFloor(condition float64) float64 { return 3 * 0x1p-24 * math.Sqrt(condition) }

// descend solves H·step = rest to a tolerance that takes w, whose residual is the given share of
// b, to the end in equal stages, none of which asks for more than single precision gives.
func (s *landmarkEquations) descend(ctx context.Context, k *gram.TallSkinny, step, rest *mat.Dense, share float64) error {
	wanted := min(momentsTo/share, leastGain)
	stages := math.Ceil(math.Log(wanted) / math.Log(singleFloor(s.l.Condition())))
	tolerance := math.Pow(wanted, 1/stages)
	// Conjugate gradients stop at half of their tolerance, for recurrences that drift. These are
	// short.
	found, done, err := linalg.CG(ctx, normal{s, k}, rest, linalg.CGOptions{Tolerance: 1.6 * tolerance, Iterations: 2*passes(tolerance, s.q.Sample, s.l.Dim()) + 2,
		Preconditioner: s.h.Preconditioner(), Unchecked: true, Workers: s.o.Workers})
	s.q.SingleProducts += done.Iterations
	var slow *linalg.NotConverged
	var indefinite *linalg.NegativeCurvature
	if err != nil && !errors.As(err, &slow) && !errors.As(err, &indefinite) {
		return fmt.Errorf("space: %w", err)
	}
	step.CloneFrom(found) // as far as it came: its residual is measured
	return nil
}

// passes is the number of them that leaves a share of the error: √(m/s) in each, for s > 2m.
func passes(share float64, sample, m int) int {
	return int(math.Ceil(-2 * math.Log(share) / math.Log(max(2, float64(sample)/float64(m)))))
}

// Nanoseconds of one core of the machine where they were measured. Their ratios matter, and they
// are constants because bits depend on the choice.
const (
	priceTime   = 0.025  // of a unit of [kernel.Cost]
	storeTime   = 4.5    // of a value that is stored and packed for the symmetric product
	squareTime  = 0.0189 // of its part of that product, for each landmark
	productTime = 0.7    // of its part of both products of a pass with one column
	// singleTime is what single precision takes of the time of a pass, and of a row of the product.
	singleTime = 0.5
	// Passes in double precision: after the whole product, and of a sample.
	wholePasses, samplePasses = 2, 3
	// startsAt is about what the solution for a sample leaves of the residual.
	startsAt = 0.1
	// worthwhile is how much of the time of the whole product a sample may be expected to take.
	worthwhile = 0.9
	// mostRounding is what kernel values in single precision may miss of the equations.
	mostRounding = 0.01
)

// sampling are the sizes on which the times of both ways depend.
type sampling struct {
	n, m, targets int
	price         float64 // of a kernel value
}

// row is the time of a row of the symmetric product, and pass that of a pass in double precision.
func (s sampling) row() float64 {
	return float64(s.m) * (priceTime*s.price + storeTime + squareTime*float64(s.m))
}

func (s sampling) pass() float64 {
	return float64(s.n) * float64(s.m) * (priceTime*s.price + productTime*float64(s.targets))
}

// whole is the time of the product of all rows and the refinement of its solution.
func (s sampling) whole() float64 { return float64(s.n)*s.row() + wholePasses*s.pass() }

// by is the time of conjugate gradients on a sample that is summed in single precision.
func (s sampling) by(size int) float64 {
	single := 1 + passes(momentsTo/startsAt, size, s.m)
	return singleTime*float64(size)*s.row() + (samplePasses+singleTime*float64(single))*s.pass()
}

// size returns the number of rows with the least time, or 0 where the product of all rows is
// expected to take about as long. condition is that of K_CC, the root of which amplifies the
// rounding of kernel values in single precision.
func (s sampling) size(condition float64) int {
	if 0x1p-24*math.Sqrt(condition) > mostRounding {
		return 0
	}
	best, least := 0, worthwhile*s.whole()
	for size := 4 * s.m; size <= s.n/2; size += size / 4 {
		if time := s.by(size); time < least {
			best, least = size, time
		}
	}
	return best
}
