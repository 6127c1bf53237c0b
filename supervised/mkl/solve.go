package mkl

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/data"
	"example.org/mercer/kernel"
	"example.org/mercer/model"
)

// Solve weighs the p bound terms, n×n each, by the targets y, n×m: numbers, or labels
// coded so that rows of the same label have the same numbers; for [EasyMKL] the sign of
// every column separates two classes.
//
// Cost: n²p kernel values and n²p²/2 multiplications, O(np) memory; [EasyMKL] holds one
// matrix of 8n² bytes in addition, computes the kernels three times and takes 2n
// multiplications for each of its steps. Errors: every problem of the options; targets
// that are constant; no term that is aligned with them. Results have the same bits for
// any number of workers.
func Solve(ctx context.Context, terms []kernel.Pairs, y *mat.Dense, o Options) (*Report, error) {
	n := 0
	for k, t := range terms {
		rows, cols := t.Dims()
		if k == 0 {
			n = rows
		}
		if rows != n || cols != n {
			return nil, fmt.Errorf("mkl: term %d is %d×%d, and the first has %d rows: all must be square and of the same size", k, rows, cols, n)
		}
	}
	if err := o.validate(len(terms), n, y); err != nil {
		return nil, err
	}
	r, watch, p := &Report{N: n, Method: o.Method}, model.NewStopwatch(), len(terms)
	if r.Method == "" {
		r.Method = AlignF
	}
	m, err := measure(ctx, terms, y, &o)
	if err != nil {
		return nil, err
	}
	if m.size[p] == 0 {
		return nil, errors.New("mkl: the targets are constant: nothing tells the terms apart")
	}
	watch.Lap(&r.Run, "moments")
	if err := r.weigh(ctx, m, terms, y, &o); err != nil {
		return nil, err
	}
	watch.Lap(&r.Run, "weights")
	return r, nil
}

// weigh fills in shares, weights and alignments.
func (r *Report) weigh(ctx context.Context, m *centredProducts, terms []kernel.Pairs, y *mat.Dense, o *Options) error {
	p := len(terms)
	r.Alignments, r.Shares, r.Weights = make([]float64, p), make([]float64, p), make([]float64, p)
	norm, unit := m.norms(), mat.NewSymDense(p, nil)
	if err := r.align(unit, m, norm); err != nil {
		return err
	}
	switch r.Method {
	case Align:
		for k, a := range r.Alignments {
			r.Shares[k] = max(0, a)
		}
	case AlignF:
		v, err := nonNegativeLeastSquares(unit, r.Alignments)
		if err != nil {
			return err
		}
		for k, share := range v {
			if m.size[k] > 0 {
				r.Shares[k] = share / norm[k] * m.size[k]
			}
		}
	case EasyMKL:
		shares, gap, err := easyMKL(ctx, terms, m.size[:p], y, o)
		if err != nil {
			return err
		}
		if r.Shares, r.Gap = shares, gap; gap > 1e3*easyMKLTolerance {
			r.Warn("the search for the margin stopped at a relative gap of %.2g: a balance above 0 makes it easier", gap)
		}
	}
	floats.Scale(1/floats.Sum(r.Shares), r.Shares)
	r.combine(m, norm[p])
	return nil
}

// align finds the alignment of each term with the targets, and stores those of the terms with one
// another in unit. A constant term is aligned with none.
func (r *Report) align(unit *mat.SymDense, m *centredProducts, norm []float64) error {
	p, some := unit.SymmetricDim(), false
	for k := range p {
		unit.SetSym(k, k, 1)
		if m.size[k] == 0 {
			r.Warn("term %d is constant on these rows, and takes no part", k+1)
			continue
		}
		r.Alignments[k] = m.inner.At(k, p) / norm[k] / norm[p]
		some = some || r.Alignments[k] > 0
		for l := k + 1; l < p; l++ {
			if m.size[l] > 0 {
				unit.SetSym(k, l, m.inner.At(k, l)/norm[k]/norm[l])
			}
		}
	}
	if !some {
		return errors.New("mkl: no term is aligned with the targets: the kernels do not see what the targets say")
	}
	return nil
}

// combine makes weights of shares, and finds the alignment of the weighted sum with the targets,
// of norm target.
func (r *Report) combine(m *centredProducts, target float64) {
	p := len(r.Shares)
	onto, square := 0.0, 0.0
	for k, share := range r.Shares {
		if share == 0 {
			continue
		}
		r.Weights[k] = share / m.size[k]
		onto += r.Weights[k] * m.inner.At(k, p)
		for l := range p {
			if r.Shares[l] > 0 {
				square += r.Weights[k] * r.Shares[l] / m.size[l] * m.inner.At(k, l)
			}
		}
	}
	r.Alignment = onto / math.Sqrt(square) / target
}

// Weigh weighs the terms of a sum of kernels over the points xs, and returns the sum
// with the weights it found; terms of weight zero are left out. A factor in front of a
// term is replaced, because a term times a number is the same term to every method. Cost
// and errors are those of [Solve], of a kernel that is no sum, and of points outside
// its domain.
func Weigh[T any](ctx context.Context, k kernel.Kernel[T], xs data.Set[T], y *mat.Dense, o Options) (kernel.Kernel[T], *Report, error) {
	if err := kernel.Validate(k, xs); err != nil {
		return nil, nil, fmt.Errorf("mkl: %w", err)
	}
	terms := termsOf(k)
	if len(terms) < 2 {
		return nil, nil, fmt.Errorf("mkl: kernel %s has one term: write a sum, such as a + b", k)
	}
	bound, names := make([]kernel.Pairs, len(terms)), make([]string, len(terms))
	for i, t := range terms {
		bound[i], names[i] = kernel.Bind(t, xs, xs), t.String()
	}
	r, err := Solve(ctx, bound, y, o)
	if err != nil {
		return nil, nil, err
	}
	r.Terms = names
	var kept []kernel.Kernel[T]
	for i, w := range r.Weights {
		if w > 0 {
			kept = append(kept, kernel.Scaled[T]{Factor: w, Of: terms[i]})
		}
	}
	if len(kept) == 1 {
		return kept[0], r, nil
	}
	return kernel.Sum[T]{Terms: kept}, r, nil
}

// termsOf returns the terms of a sum, sums in it opened, without their factors.
func termsOf[T any](k kernel.Kernel[T]) []kernel.Kernel[T] {
	switch k := k.(type) {
	case kernel.Sum[T]:
		var out []kernel.Kernel[T]
		for _, t := range k.Terms {
			out = append(out, termsOf(t)...)
		}
		return out
	case kernel.Scaled[T]:
		return termsOf(k.Of)
	}
	return []kernel.Kernel[T]{k}
}
