package krr

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"mercer/gram"
	"mercer/linalg"
)

// sampled solves the normal equations without their matrix, by conjugate gradients, a pass over
// the rows each, which are preconditioned by the factor of
//
//	Ĥ = (N/s)·L⁻¹ẐᵀẐL⁻ᵀ + R·I,  Ẑ: s rows, drawn in proportion to their weights.
//
// The eigenvalues of Ĥ⁻¹H lie in about (1 ± √(m/s))⁻² (Marchenko and Pastur 1967), nearer to 1
// where R is large, and conjugate gradients leave √(m/s) of the error in each pass. Passes are
// in single precision; their solution is refined in double, whose residual certifies w as it
// does that of the factor of H itself.
//
// Avron, Maymounkov and Toledo, Blendenpik: supercharging LAPACK's least-squares solver, SIAM
// J. Sci. Comput. 32 (2010).
func (s *sections) sampled(ctx context.Context) (w *mat.Dense, bias []float64, reason string, err error) {
	if err := s.gatherSides(ctx); err != nil {
		return nil, nil, "", err
	}
	if reason, err = s.factorSample(ctx); err != nil || reason != "" {
		return nil, nil, reason, err
	}
	s.watch.Lap(&s.report.Run, "moments of a sample")
	narrow := s.k.In(gram.Single)
	return s.refine(ctx, sectionsTo, leastGain, func(step, rest *mat.Dense, share float64) error {
		return s.descend(ctx, narrow, step, rest, share)
	})
}

// gatherSides makes b and z̄ in a pass over the rows. It is in double precision: in single, a
// small b beside large targets would be known too badly to certify w against.
func (s *sections) gatherSides(ctx context.Context) error {
	targets := s.targets()
	first := mat.NewDense(s.l.Dim(), s.sys.columns(), nil)
	err := s.k.Fold(ctx, first, nil, func(_, row int, _, g blas64.General) {
		for i := range g.Rows {
			weight := s.sys.s[row+i] * s.sys.s[row+i]
			for c, v := range targets.RawRowView(row + i) {
				g.Data[i*g.Stride+c] = weight * v
			}
		}
	})
	if err != nil {
		return err
	}
	return s.sides(ctx, first)
}

// factorSample makes the factor of Ĥ, whose rows are centred on their own mean.
func (s *sections) factorSample(ctx context.Context) (reason string, err error) {
	count := s.report.Sample
	ones := mat.NewDense(count, 1, nil)
	ones.Apply(func(_, _ int, _ float64) float64 { return 1 }, ones)
	second, first, err := s.of(s.sys.draw(count)).Moments(ctx, nil, ones)
	if err != nil {
		return "", err
	}
	if s.sys.intercept {
		second.SymRankOne(second, -1/float64(count), first.ColView(0))
	}
	second.ScaleSym(s.sys.total/float64(count), second)
	return s.factor(ctx, second)
}

// sampleSeed is that of the rows of the preconditioner: others change a fit within its
// tolerance.
const sampleSeed = 6

// draw returns ascending numbers of rows, one from each of so many strata of equal weight: on
// the average a row is there as often as its weight says, and one of weight zero never is.
func (sys *system) draw(count int) []int {
	rng, last := rand.New(rand.NewPCG(sampleSeed, 0)), sys.n-1
	for sys.s[last] == 0 {
		last--
	}
	rows, row, sum := make([]int, count), 0, sys.s[0]*sys.s[0]
	for k := range rows {
		at := (float64(k) + rng.Float64()) * sys.total / float64(count)
		for sum <= at && row < last {
			row++
			sum += sys.s[row] * sys.s[row]
		}
		rows[k] = row
	}
	return rows
}

// normal multiplies with H: one pass over the rows of k.
type normal struct {
	*sections
	k *gram.Tall
}

func (h normal) Mul(ctx context.Context, dst, x *mat.Dense) error {
	beta, shift, err := h.expand(ctx, x)
	if err != nil {
		return err
	}
	if err := h.gather(ctx, h.k, dst, beta, func(row int, u, g []float64) {
		for c, v := range u {
			g[c] = h.sys.s[row] * h.sys.s[row] * (v - shift[c])
		}
	}); err != nil {
		return err
	}
	addScaled(dst, h.report.Ridge, x)
	return nil
}

const (
	// singleFloor is about what a solution in single precision leaves of a residual: 10⁻⁴ where
	// K_CC has a condition of 10⁶.
	singleFloor = 2e-4
	// leastGain is the share of a residual that such a solution may leave: more of it, and the
	// product of all rows is the shorter way.
	leastGain = 0.1
)

// descend solves H·step = rest to a tolerance that takes w, whose residual is the given share of
// b, to the end in equal stages, none of which asks for more than single precision gives.
func (s *sections) descend(ctx context.Context, k *gram.Tall, step, rest *mat.Dense, share float64) error {
	wanted := min(sectionsTo/share, leastGain)
	stages := math.Ceil(math.Log(wanted) / math.Log(singleFloor))
	tolerance := math.Pow(wanted, 1/stages)
	found, done, err := linalg.CG(ctx, normal{s, k}, rest, linalg.CGOptions{Tolerance: tolerance, Iterations: 2*passes(tolerance, s.report.Sample, s.l.Dim()) + 2,
		Preconditioner: s.h.Preconditioner(), Unchecked: true, Workers: s.o.Compute.Workers})
	s.report.SingleProducts += done.Iterations
	var slow *linalg.NotConverged
	var indefinite *linalg.NegativeCurvature
	if err != nil && !errors.As(err, &slow) && !errors.As(err, &indefinite) {
		return fmt.Errorf("krr: %w", err)
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
	priceTime   = 0.025  // of a unit of [kernel.Price]
	storeTime   = 4.5    // of a value that is stored and packed for the symmetric product
	squareTime  = 0.0189 // of its part of that product, for each landmark
	productTime = 0.7    // of its part of both products of a pass with one column
	// singleTime is what single precision takes of the time of a pass.
	singleTime = 0.4
	// Passes in double precision: after the whole product, and of a sample.
	wholePasses, samplePasses = 2, 4
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

// by is the time of conjugate gradients on a sample.
func (s sampling) by(size int) float64 {
	return float64(size)*s.row() + (samplePasses+singleTime*float64(passes(sectionsTo, size, s.m)))*s.pass()
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
