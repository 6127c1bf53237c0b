package nystrom

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/gram"
	"example.org/mercer/kernel"
	"example.org/mercer/linalg"
)

// The constants of BLESS: λ falls by a factor falling, candidates are candidateFactor·κ²/λ
// and a dictionary has dictionaryFactor·d + dictionaryFloor points for an effective
// dimension d.
const (
	falling          = 2.0
	candidateFactor  = 4.0
	dictionaryFactor = 12.0
	dictionaryFloor  = 30
	// dimensionShare of the rank is the effective dimension at which the fall ends where
	// no λ is given: m landmarks serve a λ of dimension m/log m.
	dimensionShare = 0.125
	// smallestFall of κ² ends it where the points have fewer dimensions than that.
	smallestFall = 1e-12
	// fallUnits are told of a whole fall. A step of it is told as 1/λ, or as the dimension that it
	// finds, of those of the last: the number of candidates grows so.
	fallUnits = 1 << 10
	// scoreRows is the number of candidates whose scores are computed at a time.
	scoreRows = 1024
)

// dictionary approximates the second moments Σᵢpᵢφ(xᵢ)φ(xᵢ)ᵀ, pᵢ = wᵢ/N, by those of a
// few rows with masses.
type dictionary struct {
	rows   []int
	masses []float64
}

// scored are rows, their shares of all rows, and estimates of
//
//	τᵢ(λ) = φ(xᵢ)ᵀ(Σⱼpⱼφ(xⱼ)φ(xⱼ)ᵀ + λ)⁻¹φ(xᵢ) = n·[K(K + nλI)⁻¹]ᵢᵢ  (for pⱼ = 1/n).
type scored struct {
	rows          []int
	shares, score []float64
}

// dimension estimates the effective dimension Σpᵢτᵢ.
func (s scored) dimension() float64 { return floats.Dot(s.shares, s.score) }

// byLeverage draws the landmarks by the scores of the last λ, those of other rows after
// them where too few were looked at.
func byLeverage(ctx context.Context, p gram.Source, o Options, rng *rand.Rand, r *Report) ([]int, error) {
	weights := o.weights(p.Len())
	s, lambda, err := bless(ctx, p, weights, o, rng)
	if err != nil {
		return nil, err
	}
	r.Lambda, r.Dimension, r.Candidates = lambda, s.dimension(), min(r.Candidates, len(s.rows))
	by := make([]float64, len(s.rows))
	floats.MulTo(by, s.shares, s.score)
	count := cmp.Or(o.Rank, p.Len())
	var chosen []int
	for _, at := range draw(rng, by, count) {
		chosen = append(chosen, s.rows[at])
	}
	if len(chosen) < count {
		others := slices.Clone(weights)
		for _, row := range chosen {
			others[row] = 0
		}
		chosen = append(chosen, draw(rng, others, count-len(chosen))...)
	}
	return chosen, nil
}

// bless returns scores at a λ, found along a path of falling λ: those of one λ choose
// the dictionary that estimates those of the next (A. Rudi, D. Calandriello,
// L. Carratino and L. Rosasco, On fast leverage score sampling and optimal learning,
// NeurIPS 2018, algorithm 1, with shares instead of 1/n and repeated rows merged).
func bless(ctx context.Context, p gram.Source, weights []float64, o Options, rng *rand.Rand) (scored, float64, error) {
	diag, err := diagonal(ctx, p)
	if err != nil {
		return scored{}, 0, err
	}
	most := 0.0 // κ²
	for i, v := range diag {
		if !(v >= 0) || math.IsInf(v, 1) {
			return scored{}, 0, fmt.Errorf("nystrom: the kernel of row %d with itself is %v: a positive definite kernel gives a finite number ≥ 0", i, v)
		}
		if weights[i] > 0 {
			most = max(most, v)
		}
	}
	if most == 0 {
		return scored{}, 0, fmt.Errorf("nystrom: k(x, x) is 0 for every row: there is nothing to approximate")
	}
	var dict dictionary
	lambda := most
	told := o.Compute.Meter("leverage scores", fallUnits)
	for {
		lambda = max(lambda/falling, o.Lambda)
		s := candidates(rng, weights, candidateFactor*most/lambda)
		if err := s.measure(ctx, p, diag, dict, lambda, o.Compute); err != nil {
			return s, 0, err
		}
		dimension := s.dimension()
		if o.Lambda > 0 {
			told.Reach(int64(fallUnits * o.Lambda / lambda))
		} else {
			told.Reach(int64(fallUnits * min(1, dimension/(dimensionShare*float64(o.Rank)))))
		}
		switch {
		case o.Lambda > 0 && lambda <= o.Lambda,
			o.Lambda == 0 && (dimension >= dimensionShare*float64(o.Rank) || lambda <= smallestFall*most):
			told.Done()
			return s, lambda, nil
		}
		dict = s.resample(rng, dictionaryFloor+int(dictionaryFactor*dimension))
	}
}

// diagonalRows is the number of points that are bound together for the diagonal. A constant,
// because bits may depend on it.
const diagonalRows = 4096

// diagonal returns k(xᵢ, xᵢ) of all points, some of which are bound at a time: points may be in a
// file.
func diagonal(ctx context.Context, p gram.Source) ([]float64, error) {
	diag := make([]float64, p.Len())
	for from := 0; from < len(diag); from += diagonalRows {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		some := between(from, min(len(diag), from+diagonalRows))
		kernel.Diag(p.Bind(some, some), diag[from:from+len(some)])
	}
	return diag, nil
}

// between returns from … to−1.
func between(from, to int) []int {
	out := make([]int, to-from)
	for i := range out {
		out[i] = from + i
	}
	return out
}

// candidates draws rows by their weights, with replacement and repeated ones merged, or
// takes all where as many are wanted.
func candidates(rng *rand.Rand, weights []float64, wanted float64) scored {
	if wanted >= float64(len(weights)) {
		s := scored{}
		total := floats.Sum(weights)
		for i, w := range weights {
			if w > 0 {
				s.rows, s.shares = append(s.rows, i), append(s.shares, w/total)
			}
		}
		return s
	}
	count := int(math.Ceil(wanted))
	s := scored{}
	s.rows, s.shares = merged(drawRepeatedly(rng, weights, count))
	floats.Scale(1/float64(count), s.shares)
	return s
}

// drawRepeatedly draws count numbers with probabilities proportional to the weights, with
// replacement.
func drawRepeatedly(rng *rand.Rand, weights []float64, count int) []int {
	sums := floats.CumSum(make([]float64, len(weights)), weights)
	total := sums[len(sums)-1]
	out := make([]int, count)
	for i := range out {
		u := rng.Float64() * total
		for u >= total { // rounded up
			u = rng.Float64() * total
		}
		// The first sum that exceeds u belongs to a positive weight.
		out[i], _ = slices.BinarySearchFunc(sums, u, func(sum, u float64) int {
			if sum > u {
				return 1
			}
			return -1
		})
	}
	return out
}

// merged returns the different numbers of a list, ascending, and how often each is there.
func merged(list []int) (distinct []int, counts []float64) {
	slices.Sort(list)
	for i, v := range list {
		if i == 0 || v != list[i-1] {
			distinct, counts = append(distinct, v), append(counts, 0)
		}
		counts[len(counts)-1]++
	}
	return distinct, counts
}

// resample draws a dictionary of count rows by shares and scores; a row drawn with
// probability P in count draws has the mass share/(count·P) for each time.
func (s scored) resample(rng *rand.Rand, count int) dictionary {
	if count >= len(s.rows) {
		return dictionary{rows: s.rows, masses: s.shares}
	}
	by := make([]float64, len(s.rows))
	floats.MulTo(by, s.shares, s.score)
	total := floats.Sum(by)
	at, times := merged(drawRepeatedly(rng, by, count))
	d := dictionary{masses: times}
	for t, i := range at {
		d.rows = append(d.rows, s.rows[i])
		d.masses[t] *= total / (float64(count) * s.score[i]) // share/P = total/score
	}
	return d
}

// measure estimates the scores by a dictionary (J, c):
//
//	τ̃(x) = (k(x, x) − k(x, J)·(K_JJ + λ·diag(c)⁻¹)⁻¹·k(J, x))/λ,
//
// and k(x, x)/λ while there is none.
func (s *scored) measure(ctx context.Context, p gram.Source, diag []float64, d dictionary, lambda float64, o compute.Options) error {
	s.score = make([]float64, len(s.rows))
	for i, row := range s.rows {
		s.score[i] = diag[row] / lambda
	}
	if len(d.rows) == 0 {
		return ctx.Err()
	}
	inner, err := gram.Dense(ctx, p.Bind(d.rows, d.rows), compute.Options{Workers: o.Workers, MaxMemory: o.MaxMemory})
	if err != nil {
		return err
	}
	shift := make([]float64, len(d.rows))
	for j, c := range d.masses {
		shift[j] = lambda / c
	}
	factor, err := linalg.FactorDiag(ctx, inner, shift, linalg.Options{Workers: o.Workers})
	if err != nil {
		return fmt.Errorf("nystrom: leverage scores at λ = %g: %w", lambda, err)
	}
	told := o.Meter("scores", int64(len(s.rows)))
	for from := 0; from < len(s.rows); from += scoreRows {
		to := min(from+scoreRows, len(s.rows))
		cross := new(mat.Dense)
		if err := gram.Rect(ctx, cross, p.Bind(s.rows[from:to], d.rows), compute.Options{Workers: o.Workers}); err != nil {
			return err
		}
		if err := factor.Whiten(ctx, cross); err != nil {
			return err
		}
		for i := range to - from {
			row := blas64.Vector{N: len(d.rows), Inc: 1, Data: cross.RawRowView(i)}
			// Rounding must not make a score of a row that is explained zero or less.
			s.score[from+i] = max(s.score[from+i]-blas64.Dot(row, row)/lambda, 0x1p-40*s.score[from+i])
		}
		told.Reach(int64(to))
	}
	return nil
}
