package krr

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/gram"
	"example.org/mercer/linalg"
	"example.org/mercer/linalg/level3"
)

// PrimalPath is [Path] for a kernel of D explicit features, fewer than rows as a rule: that of
// landmarks, random features, a linear kernel of few columns. It holds one eigendecomposition
// ΦᵀWΦ = VΛVᵀ of their moments, Φ centred on its weighted mean where there is an intercept. With
// D = Λ + R, Z = VᵀΦᵀW(y − ȳ) and rows ψᵢ = Vᵀφᵢ, for every ridge R
//
//	w = V·D⁻¹Z,  rᵢ = (yᵢ − ȳ − ψᵢᵀD⁻¹Z)/(1 − hᵢᵢ),  hᵢᵢ = wᵢ(1/N + ψᵢᵀD⁻¹ψᵢ)
//
// (the 1/N for the intercept), and what follows from these as in [Point]: 2nD(m+1) flops.
type PrimalPath struct {
	sys    *system
	rows   *gram.DesignBlocks // ψᵢ
	ybar   []float64
	values []float64  // Λ, ascending
	v      *mat.Dense // V, eigenvectors in columns
	z      *mat.Dense // Z
	o      compute.Options
}

// NewPrimalPath decomposes the moments of features with targets y, n×m: nD² flops for the
// moments, 2nD² to turn the rows, 5D³ for the decomposition, and 5·8D² bytes. Where 8nD
// bytes may be held (see [compute.FitsInMemory]) features are computed once; otherwise they are in
// each pass, in blocks of rows: twice here, and again for each call of [PrimalPath.Along], which
// turns them. The bits are the same.
func NewPrimalPath(ctx context.Context, f gram.Design, y *mat.Dense, o PathOptions) (*PrimalPath, error) {
	whole := Options{NoIntercept: o.NoIntercept, Weights: o.Weights}
	if err := whole.Check(f.Rows, y); err != nil {
		return nil, err
	}
	p := &PrimalPath{sys: newSystem(y, o.Weights, !o.NoIntercept), o: o.Compute}
	p.ybar = p.sys.means()
	var err error
	if p.rows, err = f.BlocksWithin(ctx, o.Compute); err != nil {
		return nil, err
	}
	if p.sys.intercept {
		if err := p.rows.Centre(ctx, o.Weights, o.Compute); err != nil {
			return nil, err
		}
	}
	second, first, err := p.moments(ctx, o)
	if err != nil {
		return nil, err
	}
	if i, j, ok := notFinite(second); ok {
		return nil, fmt.Errorf("krr: the moments of features %d and %d are %v: check the domain of the kernel and the size of its parameters", i, j, second.At(i, j))
	}
	e, err := linalg.EigenSym(ctx, second, linalgOptions(o.Compute))
	if err != nil {
		return nil, err
	}
	p.values, p.v, p.z = e.Values, e.Vectors, mat.NewDense(f.Dim, p.sys.m, nil)
	for k, v := range p.values {
		p.values[k] = max(v, 0) // rounding: the matrix is positive semidefinite
	}
	p.product(blas.Trans, p.z, p.v, first)
	return p, p.rows.Turn(ctx, p.v, p.o)
}

// moments returns ΦᵀWΦ (upper triangle) and ΦᵀW(y − ȳ) of centred features. The mean of y need not
// be taken away, because Σ wᵢφᵢ = 0 after centring; it is, for precision.
func (p *PrimalPath) moments(ctx context.Context, o PathOptions) (*mat.SymDense, *mat.Dense, error) {
	return p.rows.Moments(ctx, o.Weights, p.sys.m, func(dst []float64, i int) error {
		floats.SubTo(dst, p.sys.y.RawRowView(i), p.ybar)
		return nil
	}, o.Compute)
}

// logDetA returns log|A| from log|ΦᵀWΦ + R·I|, with log 1ᵀA⁻¹1 where there is an intercept:
// |A| = |ΦᵀWΦ + R·I|·R^(n−D)/|W|, and |A|·1ᵀA⁻¹1 does not change when Φ is centred, and then
// 1ᵀA⁻¹1 = N/R.
func (p *PrimalPath) logDetA(ridge, logDet float64) float64 {
	for _, s := range p.sys.s {
		if s > 0 {
			logDet -= 2 * math.Log(s)
		}
	}
	logDet += (float64(p.sys.active) - float64(len(p.values))) * math.Log(ridge)
	if p.sys.intercept {
		logDet += math.Log(p.sys.total / ridge)
	}
	return logDet
}

// product stores A·B or AᵀB in dst.
func (p *PrimalPath) product(t blas.Transpose, dst, a, b *mat.Dense) {
	level3.Implementation{Workers: p.o.Workers}.Gemm(t, blas.NoTrans, 1, a.RawMatrix(), b.RawMatrix(), 0, dst.RawMatrix())
}

// Eigenvalues returns those of ΦᵀWΦ, ascending. Do not change them.
func (p *PrimalPath) Eigenvalues() []float64 { return p.values }

// Ridge returns R = Nλ.
func (p *PrimalPath) Ridge(lambda float64) float64 { return p.sys.ridge(lambda, 0) }

// At returns everything that is known at λ. See [PrimalPath.Along].
func (p *PrimalPath) At(ctx context.Context, lambda float64) (*Point, error) {
	return first(p.Along(ctx, []float64{lambda}))
}

// Along returns everything that is known at many λ, which share one pass over the rows. The
// points have no [Solution], which would be a number for each row: see [PrimalPath.Weights].
func (p *PrimalPath) Along(ctx context.Context, lambdas []float64) ([]*Point, error) {
	s, ridges, err := p.shift(lambdas)
	if err != nil {
		return nil, err
	}
	sys := p.sys
	residuals, leverages := make([]*mat.Dense, len(ridges)), make([][]float64, len(ridges))
	for i := range ridges {
		residuals[i], leverages[i] = mat.NewDense(sys.n, sys.m, nil), make([]float64, sys.n)
	}
	err = p.rows.Each(ctx, func(from, to int, psi *mat.Dense) error {
		s.multiply(psi)
		for i := range ridges {
			for row := from; row < to; row++ {
				out := residuals[i].RawRowView(row)
				for c, fitted := range s.product(i, row-from) {
					out[c] = sys.y.At(row, c) - p.ybar[c] - fitted
				}
				leverages[i][row] = sys.leverage(row, s.form(i, row-from))
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	points := make([]*Point, len(ridges))
	for i, r := range ridges {
		if points[i], err = sys.primalPoint(r, residuals[i], leverages[i], squares(s.solution(i)), p.logDetA(r, s.logDet[i])); err != nil {
			return nil, err
		}
	}
	return points, nil
}

// leverage returns hᵢᵢ for the form φᵢᵀ(ΦᵀWΦ + R·I)⁻¹φᵢ.
func (sys *system) leverage(i int, form float64) float64 {
	if sys.intercept {
		form += 1 / sys.total
	}
	return sys.s[i] * sys.s[i] * form
}

// Weights returns for every λ w, D×m, and the intercepts b: f(x) = ⟨w, φ(x)⟩ + b.
func (p *PrimalPath) Weights(lambdas []float64) (w []*mat.Dense, bias [][]float64, err error) {
	s, ridges, err := p.shift(lambdas)
	if err != nil {
		return nil, nil, err
	}
	for i := range ridges {
		each := mat.NewDense(len(p.values), p.sys.m, nil)
		p.product(blas.NoTrans, each, p.v, mat.DenseCopyOf(s.solution(i)))
		w, bias = append(w, each), append(bias, p.rows.Shift(p.ybar, each))
	}
	return w, bias, nil
}

// shift prepares for ridges with which ΦᵀWΦ + R·I is positive definite beyond rounding.
func (p *PrimalPath) shift(lambdas []float64) (*shifted, []float64, error) {
	ridges, err := p.sys.ridges(lambdas)
	if err != nil {
		return nil, nil, err
	}
	largest := p.values[len(p.values)-1]
	for i, r := range ridges {
		if least := p.values[0] + r; !(least > float64(len(p.values))*0x1p-52*largest) {
			return nil, nil, fmt.Errorf("krr: at λ = %g the system of %d features is not positive definite beyond rounding: its smallest eigenvalue is %.3g and the largest %.3g; give a larger λ", lambdas[i], len(p.values), least, largest+r)
		}
	}
	return newShifted(p.values, p.z, ridges, 0, p.o.Workers), ridges, nil
}

// notFinite returns an element that is not a finite number.
func notFinite(a *mat.SymDense) (i, j int, found bool) {
	raw := a.RawSymmetric()
	for i := range raw.N {
		for j := i; j < raw.N; j++ {
			if v := raw.Data[i*raw.Stride+j]; math.IsNaN(v) || math.IsInf(v, 0) {
				return i, j, true
			}
		}
	}
	return 0, 0, false
}
