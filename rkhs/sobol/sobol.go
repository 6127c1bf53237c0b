package sobol

import (
	"context"
	"errors"
	"fmt"

	"gonum.org/v1/gonum/floats"

	"example.org/mercer/data"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/construction"
)

// Indices are the shares of the columns in the variance of a function.
type Indices struct {
	Variance float64     // of the function under the law
	First    []float64   // of column j alone: D_{j}/Var f
	Total    []float64   // of all terms with column j
	Pairs    [][]float64 // of the interaction of two columns alone, symmetric, 0 on the diagonal
}

// Of returns the indices of f = b + Σᵢ coef[i] k(·, points[i]) for an ANOVA kernel of centred
// Gaussian kernels, under the law of these. It takes O(n²·d²·q) for n points of d columns and the
// degree q. A constant and a factor may stand beside it. The error
// wraps [errors.ErrUnsupported] for any other kernel.
func Of(ctx context.Context, k kernel.Kernel[[]float64], points data.Set[[]float64], coef []float64) (*Indices, error) {
	if points.Len() == 0 || len(points.At(0)) == 0 {
		return nil, errors.New("sobol: the function has no columns")
	}
	d := len(points.At(0))
	of, err := termsOf(k, d)
	if err != nil {
		return nil, err
	}
	squares := make([]float64, len(of.Weights))
	floats.MulTo(squares, of.Weights, of.Weights)
	out := &Indices{First: make([]float64, d), Total: make([]float64, d), Pairs: make([][]float64, d)}
	for j := range out.Pairs {
		out.Pairs[j] = make([]float64, d)
	}
	without := make([]float64, d) // Var of the terms without column j
	row := newTerms(d, len(squares))
	for i := range points.Len() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for l := range i + 1 {
			c := coef[i] * coef[l]
			if l < i {
				c *= 2
			}
			if c == 0 {
				continue
			}
			x, y := points.At(i), points.At(l)
			for j := range row.gamma {
				row.gamma[j] = of.Overlap(x[j], y[j])
			}
			out.Variance += c * row.sum(squares, -1)
			for j, g := range row.gamma {
				out.First[j] += c * squares[0] * g
				without[j] += c * row.sum(squares, j)
				for m := 0; m < j && len(squares) > 1; m++ {
					out.Pairs[j][m] += c * squares[1] * g * row.gamma[m]
				}
			}
		}
	}
	if !(out.Variance > 0) {
		return nil, errors.New("sobol: the function is constant under the law, so that no column has a share in its variance")
	}
	floats.Scale(1/out.Variance, out.First)
	for j := range d {
		out.Total[j] = 1 - without[j]/out.Variance
		for m := range j {
			out.Pairs[j][m] /= out.Variance
			out.Pairs[m][j] = out.Pairs[j][m]
		}
	}
	return out, nil
}

// termsOf returns the terms of a kernel, of which a constant is none: it adds to the mean alone.
func termsOf(k kernel.Kernel[[]float64], dim int) (terms construction.OrthogonalTerms, err error) {
	none := fmt.Errorf("sobol: the terms of functions of %s are not orthogonal: use anova(of=centred(of=rbf(sigma=…))), also with a constant or a factor: %w", k, errors.ErrUnsupported)
	switch k := k.(type) {
	case construction.Orthogonal:
		if terms, err = k.OrthogonalTerms(dim); err != nil {
			return terms, fmt.Errorf("sobol: %w", err)
		}
		return terms, nil
	case kernel.Scaled[[]float64]:
		terms, err = termsOf(k.Of, dim)
		terms.Weights = append([]float64(nil), terms.Weights...)
		floats.Scale(k.Factor, terms.Weights)
		return terms, err
	case kernel.Sum[[]float64]:
		err = none
		for _, term := range k.Terms {
			if _, constant := term.(kernel.Constant[[]float64]); constant {
				continue
			}
			if terms.Overlap != nil {
				return terms, none
			}
			if terms, err = termsOf(term, dim); err != nil {
				return terms, err
			}
		}
		return terms, err
	}
	return terms, none
}

// terms are the overlaps of a pair of points, and workspace.
type terms struct{ gamma, e []float64 }

func newTerms(d, q int) *terms { return &terms{make([]float64, d), make([]float64, q)} }

// sum returns Σ_s w_s²·e_s of the overlaps without those of column except.
func (t *terms) sum(squares []float64, except int) float64 {
	clear(t.e)
	for j, g := range t.gamma {
		if j == except {
			continue
		}
		for s := len(t.e) - 1; s > 0; s-- {
			t.e[s] += g * t.e[s-1]
		}
		t.e[0] += g
	}
	return floats.Dot(squares, t.e)
}
