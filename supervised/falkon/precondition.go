package falkon

import (
	"context"
	"slices"

	"example.org/mercer/linalg"
)

const (
	// passesPerDirection is the number of passes after which conjugate gradients that have not come
	// to their end look whether a better preconditioner pays.
	passesPerDirection = 30
	// passShare is how many rows of a sample cost what n/m rows do in a pass: m
	// multiplications and additions, twice, for each of its kernel values beside the value
	// itself and the two products of a pass.
	passShare = 12
	// growth is the smallest factor by which a sample grows.
	growth = 4
)

// growSample enlarges the sample of the preconditioner, as far as that costs no more than the
// passes that have been made: with all rows it is the Hessian itself. It says whether it
// did.
func (j *job) growSample() bool {
	n, m := j.k.Dims()
	size := min(n, j.report.Passes*passShare*n/m)
	if size < n && size < growth*j.sample || j.sample == n {
		return false
	}
	j.sample = size
	return true
}

// sampleSeed is that of the rows of the preconditioner: others change a fit within its
// tolerance.
const sampleSeed = 2

// precondition returns the preconditioner at a function, for the curvatures that its pass
// has found. Along a path of the squared loss, whose curvature is the same everywhere, each
// ridge takes one more factor of what was found for the first.
func (j *job) precondition(ctx context.Context, pt *point, ridge float64) (linalg.Operator, error) {
	if c := j.flat; c != nil && j.flatSample == j.sample {
		return j.s.inverseOf(ctx, c.Clone(), ridge)
	}
	c, err := j.curvature(ctx, pt)
	if err != nil {
		return nil, err
	}
	if j.flat = nil; j.keepsFlat {
		j.flat, j.flatSample = c.Clone(), j.sample
	}
	return j.s.inverseOf(ctx, c, ridge)
}

// curvature is what the landmarks and the sample show at a function.
func (j *job) curvature(ctx context.Context, pt *point) (*linalg.Packed, error) {
	c := j.representatives(pt)
	j.report.Sample = len(c.drawn)
	at := len(c.landmarks)
	return j.s.curvature(ctx, c.shares[:at], j.values.Bind, c.drawn, c.shares[at:], j.k.Precision())
}

// representatives is the rows that stand for all: those of the landmarks, −1 for one that is no
// row, and a sample.
type representatives struct {
	landmarks, drawn []int
	shares           []float64 // of the curvature of all rows, which they add up to
}

// representatives returns the rows that stand for all at a function.
func (j *job) representatives(pt *point) representatives {
	n, m := j.k.Dims()
	c := representatives{landmarks: j.rowsOf(m)}
	switch {
	case j.sample == n: // all rows: the landmarks are among them
		c.drawn, c.landmarks = span(0, n), nil
	default:
		c.drawn = choose(n, j.sample, sampleSeed)
	}
	known := slices.Concat(c.landmarks, c.drawn)
	total, sum := 0.0, 0.0 // of the curvatures, for a target on the average
	for _, v := range pt.mass {
		total += v / float64(len(pt.mass))
	}
	mean := total / float64(n)
	if len(known) == n {
		mean = 0
	}
	c.shares = make([]float64, len(known))
	for at, i := range known {
		// Halfway between that of the row and that of all: one alone may be nearly 0.
		c.shares[at] = mean
		if i >= 0 {
			c.shares[at] = (mean + j.meanCurvature(pt, i)) / 2
		}
		sum += c.shares[at]
	}
	for at := range c.shares {
		c.shares[at] *= total / sum
	}
	return c
}

// rowsOf returns the rows that the landmarks are, −1 for those that are none.
func (j *job) rowsOf(m int) []int {
	if j.values.Index != nil {
		return slices.Clone(j.values.Index)
	}
	return slices.Repeat([]int{-1}, m)
}
