package krr

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/linalg/level3"
)

// featurePath is a [Path] in explicit features: ΦᵀWΦ = VΛVᵀ, Φ centred on its weighted mean where
// there is an intercept. With Z = VᵀΦᵀW(y − ȳ) and rows ψᵢ = Vᵀφᵢ, for every ridge R
//
//	w = V·D⁻¹Z,  rᵢ = (yᵢ − ȳ − ψᵢᵀD⁻¹Z)/(1 − hᵢᵢ),  hᵢᵢ = wᵢ(1/N + ψᵢᵀD⁻¹ψᵢ)
//
// (the 1/N for the intercept), and what follows from these as in [Point].
type featurePath struct{ *Path }

// idle is 0: no feature does without a ridge.
func (featurePath) idle() int { return 0 }

func (p featurePath) admit(ridge float64) error {
	values := p.spectrum.Values
	largest := values[len(values)-1]
	if least := values[0] + ridge; !(least > float64(len(values))*0x1p-52*largest) {
		return fmt.Errorf("krr: at λ = %g the system of %d features is not positive definite beyond rounding: its smallest eigenvalue is %.3g and the largest %.3g; give a larger λ", ridge/p.sys.total, len(values), least, largest+ridge)
	}
	return nil
}

// point turns products into residuals and forms into leverages, in their place.
func (p featurePath) point(_ context.Context, ridge float64, found inverse, solution *mat.Dense) (*Point, error) {
	sys := p.sys
	for i, form := range found.diag {
		for c, fitted := range found.x.RawRowView(i) {
			found.x.Set(i, c, sys.y.At(i, c)-p.mean[c]-fitted)
		}
		found.diag[i] = sys.leverage(i, form)
	}
	return sys.primalPoint(ridge, found.x, found.diag, squares(solution), p.logDetA(ridge, found.logDet))
}

// logDetA returns log|A| from log|ΦᵀWΦ + R·I|, with log 1ᵀA⁻¹1 where there is an intercept:
// |A| = |ΦᵀWΦ + R·I|·R^(n−D)/|W|, and |A|·1ᵀA⁻¹1 does not change when Φ is centred, and then
// 1ᵀA⁻¹1 = N/R.
func (p featurePath) logDetA(ridge, logDet float64) float64 {
	for _, s := range p.sys.s {
		if s > 0 {
			logDet -= 2 * math.Log(s)
		}
	}
	logDet += (float64(p.sys.active) - float64(len(p.spectrum.Values))) * math.Log(ridge)
	if p.sys.intercept {
		logDet += math.Log(p.sys.total / ridge)
	}
	return logDet
}

// leverage returns hᵢᵢ for the form φᵢᵀ(ΦᵀWΦ + R·I)⁻¹φᵢ.
func (sys *system) leverage(i int, form float64) float64 {
	if sys.intercept {
		form += 1 / sys.total
	}
	return sys.s[i] * sys.s[i] * form
}

// functions are w, D×m, and b about the origin of the features: no pass over the rows.
func (p featurePath) functions(_ context.Context, ridges []float64) (w []*mat.Dense, bias [][]float64, err error) {
	s, err := p.shift(ridges)
	if err != nil {
		return nil, nil, err
	}
	for i := range ridges {
		each := mat.NewDense(len(p.spectrum.Values), p.sys.m, nil)
		level3.Implementation{Workers: p.o.Workers}.Gemm(blas.NoTrans, blas.NoTrans, 1, p.spectrum.Vectors.RawMatrix(), mat.DenseCopyOf(s.solution(i)).RawMatrix(), 0, each.RawMatrix())
		w, bias = append(w, each), append(bias, p.in.Constants(each, p.mean))
	}
	return w, bias, nil
}
