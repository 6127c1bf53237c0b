package sckn

import (
	"context"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/linalg"
	"example.org/mercer/linalg/level3"
)

// head is f(x) = Wᵀφ(x) + b.
type head struct {
	w    *mat.Dense // D×p
	bias []float64
}

// rest stores f(x) − y in dst.
func (h head) rest(dst, phi, y []float64) {
	for c := range dst {
		dst[c] = h.bias[c] - y[c]
	}
	for j, v := range phi {
		if v != 0 {
			floats.AddScaled(dst, v, h.w.RawRowView(j))
		}
	}
}

// normal are the normal equations of a ridge regression with an intercept: Φ and y of some rows,
// each times the root of its weight. Those of two halves add up to those of all, and serve every λ.
// The sums of package moments do so too, but are exact, which takes three products for one, and no
// row is taken back here.
type normal struct {
	g      *mat.SymDense // ΦᵀΦ
	b      *mat.Dense    // ΦᵀY
	sum    []float64     // Σ wφ
	target []float64     // Σ wy
	total  float64       // Σ w
}

func newNormal(d, p int) *normal {
	return &normal{g: mat.NewSymDense(d, nil), b: mat.NewDense(d, p, nil), sum: make([]float64, d), target: make([]float64, p)}
}

// add adds rows of features, which it scales by the roots of their weights.
func (n *normal) add(phi, y *mat.Dense, weights []float64, workers int) {
	rows, d := phi.Dims()
	_, p := y.Dims()
	for i := range rows {
		floats.AddScaled(n.sum, weights[i], phi.RawRowView(i))
		floats.AddScaled(n.target, weights[i], y.RawRowView(i))
		n.total += weights[i]
		floats.Scale(math.Sqrt(weights[i]), phi.RawRowView(i))
		floats.Scale(math.Sqrt(weights[i]), y.RawRowView(i))
	}
	by := level3.Implementation{Workers: workers}
	by.Dsyrk(blas.Upper, blas.Trans, d, rows, 1, phi.RawMatrix().Data, d, 1, n.g.RawSymmetric().Data, d)
	by.Dgemm(blas.Trans, blas.NoTrans, d, p, rows, 1, phi.RawMatrix().Data, d, y.RawMatrix().Data, p, 1, n.b.RawMatrix().Data, p)
}

// both are the equations of the rows of two.
func both(s, t *normal) *normal {
	d, p := s.b.Dims()
	out := newNormal(d, p)
	out.total = s.total + t.total
	floats.AddTo(out.sum, s.sum, t.sum)
	floats.AddTo(out.target, s.target, t.target)
	out.b.Add(s.b, t.b)
	out.g.AddSym(s.g, t.g)
	return out
}

// centred takes the means away: ΦᵀΦ − φ̄φ̄ᵀΣw and ΦᵀY − φ̄ȳᵀΣw.
func (n *normal) centred() (g *mat.SymDense, b *mat.Dense) {
	d, _ := n.b.Dims()
	g = mat.NewSymDense(d, nil)
	g.SymRankOne(n.g, -1/n.total, mat.NewVecDense(d, n.sum))
	b = mat.DenseCopyOf(n.b)
	for i, s := range n.sum {
		floats.AddScaled(b.RawRowView(i), -s/n.total, n.target)
	}
	return g, b
}

// solve returns the weights for λ = share·tr(centred ΦᵀΦ)/Σw of each share: relative, so that it
// is the same for features of any length.
func (n *normal) solve(ctx context.Context, shares []float64, o linalg.Options) ([]head, error) {
	g, b := n.centred()
	d, p := b.Dims()
	trace := 0.0
	for i := range d {
		trace += g.At(i, i)
	}
	var out []head
	for _, share := range shares {
		f, err := linalg.Factor(ctx, g, share*trace, o)
		if err != nil {
			return nil, err
		}
		h := head{mat.NewDense(d, p, nil), make([]float64, p)}
		if err := f.Solve(ctx, h.w, b); err != nil {
			return nil, err
		}
		for i, s := range n.sum {
			floats.AddScaled(h.bias, -s/n.total, h.w.RawRowView(i))
		}
		floats.AddScaled(h.bias, 1/n.total, n.target)
		out = append(out, h)
	}
	return out, nil
}
