package gmm

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/data"
	"example.org/mercer/pass"
)

const (
	// maxSlabs is the largest number of partial sums of the moments.
	maxSlabs = 16
	// negligible is the assignment below which a row leaves the moments of a component
	// as they are, to more digits than there are.
	negligible = 1e-40
)

// moments are the sums of an E-step, in whitened coordinates: Σ wᵢq_ij, Σ wᵢq_ij y_ij and
// Σ wᵢq_ij y_ij y_ijᵀ (its diagonal for the shapes without matrices).
type moments struct {
	mass, first, second []float64
	stacked             []float64 // the same as products of columns, before unstack
	// likelihood is Σ wᵢ ln p(xᵢ), entropy −Σ wᵢ q_ij ln q_ij.
	likelihood, entropy float64
}

// numbers counts the moments: mass, first and second, or the stacked ones.
func (w *whitening) numbers(by summation) (mass, first, second, stacked int) {
	switch by {
	case squares:
		second = w.k * w.d
		if w.m.Shape.matrices() {
			second *= w.d
		}
		return w.k, w.k * w.d, second, 0
	case products:
		return 0, 0, 0, newStack(w.k, w.d).size(w.k)
	}
	return 0, 0, 0, 0
}

// momentsIn returns the moments that are in sums, one after another, the totals last.
func (w *whitening) momentsIn(sums []float64, by summation) *moments {
	mass, first, second, stacked := w.numbers(by)
	next := func(count int) (some []float64) {
		some, sums = sums[:count:count], sums[count:]
		return some
	}
	s := &moments{mass: next(mass), first: next(first), second: next(second), stacked: next(stacked)}
	s.likelihood, s.entropy = sums[0], sums[1]
	return s
}

func (w *whitening) newMoments(by summation) *moments {
	mass, first, second, _ := w.numbers(by)
	return &moments{mass: make([]float64, mass), first: make([]float64, first), second: make([]float64, second)}
}

// finite reports whether all sums are numbers.
func (s *moments) finite() bool {
	sum := floats.Sum(s.first) + floats.Sum(s.second)
	return !math.IsNaN(sum) && !math.IsInf(sum, 0)
}

// summation is how an E-step adds up its moments.
type summation int

const (
	densitiesOnly summation = iota // the densities alone
	squares                        // Σ zzᵀ of whitened rows z, by component
	products                       // products of columns, for all components at once
)

// keptRows is the number of rows, for each number of the moments, from which on an E-step is kept
// in a checkpoint: with fewer it is computed again about as fast as it is read.
const keptRows = 64

// expectation is the E-step: the moments under the soft assignments by the mixture, or, where
// labels are given, under these; without moments, the entropy.
func (f *fit) expectation(ctx context.Context, w *whitening, labels []int, by summation) (*moments, error) {
	kept := w.newMoments(min(by, squares)) // that of products is written as of squares
	if numbers := len(kept.mass) + len(kept.first) + len(kept.second); f.compute.Checkpoint == nil || keptRows*numbers > f.x.Len() {
		return f.sum(ctx, w, labels, by)
	}
	totals := make([]float64, 2)
	err := f.compute.Step(ctx, "moments", [][]float64{kept.mass, kept.first, kept.second, totals}, func() error {
		s, err := f.sum(ctx, w, labels, by)
		if err != nil {
			return err
		}
		copy(kept.mass, s.mass)
		copy(kept.first, s.first)
		copy(kept.second, s.second)
		copy(totals, []float64{s.likelihood, s.entropy})
		return nil
	})
	kept.likelihood, kept.entropy = totals[0], totals[1]
	return kept, err
}

// sum adds up the rows in slabs whose number depends on the size of the problem alone.
func (f *fit) sum(ctx context.Context, w *whitening, labels []int, by summation) (*moments, error) {
	n := f.x.Len()
	slabs := max(1, min(max(maxSlabs, pass.Many(n)), pass.Blocks(n), max(2, n/(w.k*(w.d+1)))))
	sums, err := pass.Reduce(ctx, f.x, pass.Sums{Work: expectation{w, by, labels != nil}, Slabs: slabs, In: func(along []float64, i int) {
		if along[0] = f.w[i]; labels != nil {
			along[1] = float64(labels[i])
		}
	}}, f.compute)
	if err != nil {
		return nil, err
	}
	s := w.momentsIn(sums, by)
	if l := s.likelihood; math.IsNaN(l) || math.IsInf(l, 0) {
		return nil, fmt.Errorf("gmm: the log-likelihood is %v: the numbers of the rows are too large, or too far from the start; standardise the columns", l)
	}
	if by == products {
		w.unstack(s)
	}
	return s, nil
}

// block adds the rows of a block to the moments; nil labels are soft assignments.
func (w *whitening) block(s *moments, buf *buffer, x data.Vectors, labels []int, weights []float64, by summation) {
	if by == squares {
		w.apply(buf, x, 0, x.Len())
	}
	if labels != nil {
		oneHot(buf.q, labels, w.k)
	} else {
		logs := w.posterior(buf, x, 0, x.Len(), by == squares)
		for i, v := range weights {
			s.likelihood += v * logs[i]
		}
	}
	switch by {
	case densitiesOnly:
		s.entropy += entropy(buf, weights, w.k)
	case squares:
		w.accumulate(s, buf, weights)
	case products:
		w.stack(s, buf, weights)
	}
}

// accumulate adds the rows of a block to the moments.
func (w *whitening) accumulate(s *moments, buf *buffer, weights []float64) {
	for j := range w.k {
		rows, first := 0, s.first[j*w.d:(j+1)*w.d]
		for i, v := range weights {
			q := v * buf.q[j*stride+i]
			if q < negligible {
				continue
			}
			y := buf.y[(i*w.k+j)*w.d : (i*w.k+j+1)*w.d]
			s.mass[j] += q
			floats.AddScaled(first, q, y)
			floats.ScaleTo(buf.some[rows*w.d:(rows+1)*w.d], math.Sqrt(q), y)
			rows++
		}
		w.square(s, buf.some[:rows*w.d], j)
	}
}

// square adds Σ zzᵀ of some rows z to the second moments of component j.
func (w *whitening) square(s *moments, some []float64, j int) {
	rows := len(some) / w.d
	if rows == 0 {
		return
	}
	if w.m.Shape.matrices() {
		z := blas64.General{Rows: rows, Cols: w.d, Stride: w.d, Data: some}
		w.product.Gemm(blas.Trans, blas.NoTrans, 1, z, z, 1,
			blas64.General{Rows: w.d, Cols: w.d, Stride: w.d, Data: s.second[j*w.d*w.d : (j+1)*w.d*w.d]})
		return
	}
	second := s.second[j*w.d : (j+1)*w.d]
	for i := range rows {
		for c, v := range some[i*w.d : (i+1)*w.d] {
			second[c] += v * v
		}
	}
}

// maximise is the M-step: the mixture with the moments, back from whitened coordinates,
// μ ← μ + L ȳ and Σ ← L(S/N − ȳȳᵀ)Lᵀ, with variances of at least the floor. It counts the
// components at the floor and those without mass, which keep what they had.
func (w *whitening) maximise(s *moments, floor float64) (next *Mixture, floored, lost int) {
	total := floats.Sum(s.mass)
	next = &Mixture{Shape: w.m.Shape, Weights: make([]float64, w.k), Means: data.MakeVectors(w.k, w.d)}
	means := make([]float64, w.k*w.d) // ȳ_j
	for j := range w.k {
		copy(next.Means.At(j), w.m.Means.At(j))
		if s.mass[j] <= 0 {
			lost++
			continue
		}
		next.Weights[j] = s.mass[j] / total
		y, step := means[j*w.d:(j+1)*w.d], make([]float64, w.d)
		floats.ScaleTo(y, 1/s.mass[j], s.first[j*w.d:(j+1)*w.d])
		w.colour(step, y, j)
		floats.Add(next.Means.At(j), step)
	}
	if w.m.Shape.matrices() {
		floored = w.maximiseMatrices(next, s, means, total, floor)
	} else {
		floored = w.maximiseVariances(next, s, means, floor)
	}
	return next, floored, lost
}

func (w *whitening) maximiseVariances(next *Mixture, s *moments, means []float64, floor float64) (floored int) {
	next.Variances = data.MakeVectors(w.k, w.m.Variances.Dim())
	for j := range w.k {
		to := next.Variances.At(j)
		copy(to, w.m.Variances.At(j))
		if s.mass[j] <= 0 {
			continue
		}
		clear(to)
		for c := range w.d {
			y, root := means[j*w.d+c], w.root(j, c)
			v := root * root * max(0, s.second[j*w.d+c]/s.mass[j]-y*y)
			if len(to) == 1 {
				to[0] += v / float64(w.d)
			} else {
				to[c] = v
			}
		}
		at := false
		for c, v := range to {
			at = at || v < floor
			to[c] = max(v, floor)
		}
		if at {
			floored++
		}
	}
	return floored
}

func (w *whitening) maximiseMatrices(next *Mixture, s *moments, means []float64, total, floor float64) (floored int) {
	count, size := len(w.factors), w.d*w.d
	for t := range count {
		scatter, mass := mat.NewDense(w.d, w.d, nil), total
		raw := scatter.RawMatrix().Data
		for j := range w.k {
			if count > 1 && j != t || s.mass[j] <= 0 {
				continue
			}
			floats.Add(raw, s.second[j*size:(j+1)*size])
			y := mat.NewVecDense(w.d, means[j*w.d:(j+1)*w.d])
			scatter.RankOne(scatter, -s.mass[j], y, y)
		}
		if count > 1 {
			if mass = s.mass[t]; mass <= 0 {
				next.Covariances = append(next.Covariances, w.m.Covariances[t])
				continue
			}
		}
		scatter.Mul(w.factors[t], scatter)
		scatter.Mul(scatter, w.factors[t].T())
		c := mat.NewSymDense(w.d, nil)
		for a := range w.d {
			for b := a; b < w.d; b++ {
				c.SetSym(a, b, (scatter.At(a, b)+scatter.At(b, a))/(2*mass))
			}
		}
		if raiseToFloor(c, floor) {
			floored++
		}
		next.Covariances = append(next.Covariances, c)
	}
	return floored
}

// raiseToFloor replaces the eigenvalues of c below the floor by it, which of all covariances
// above the floor leaves the likelihood largest, and reports whether there were any.
func raiseToFloor(c *mat.SymDense, floor float64) bool {
	d := c.SymmetricDim()
	above := mat.NewSymDense(d, nil)
	above.CopySym(c)
	for a := range d {
		above.SetSym(a, a, above.At(a, a)-floor)
	}
	if new(mat.Cholesky).Factorize(above) {
		return false
	}
	var eigen mat.EigenSym
	if !eigen.Factorize(c, true) {
		return false
	}
	var vectors mat.Dense
	eigen.VectorsTo(&vectors)
	low := false
	for t, v := range eigen.Values(nil) {
		if v < floor {
			low = true
			c.SymRankOne(c, floor-v, vectors.ColView(t))
		}
	}
	return low
}
