package sparsegp

import (
	"context"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/linalg"
)

// sensitivity is the derivative of the objective ℓ, added up over the targets. With A = Q + Λ,
// α = A⁻¹(y − μ) and M = ∂ℓ/∂A = ½(Σ ααᵀ − pA⁻¹), the derivative by Q is G = M + E with E
// diagonal, and dQ = dK_nm P + Pᵀ dK_mn − Pᵀ dK_mm P, P = K_mm⁻¹K_mn = L⁻ᵀΦᵀ, gives
//
//	∂ℓ/∂K_nm = 2GΦL⁻¹,  2MΦ = Σ αwᵀ − pΛ⁻¹ΦB⁻¹,
//	∂ℓ/∂K_mm = −L⁻ᵀΦᵀGΦL⁻¹,  2ΦᵀMΦ = Σ wwᵀ − p(I − B⁻¹).
//
// With uᵢ = ∂ℓ/∂(wᵢΛᵢᵢ), what the noise of a row does through Λ alone, E and ∂ℓ/∂kᵢᵢ are
//
//	SoR, DTC       E = 0          ∂ℓ/∂kᵢᵢ = 0
//	FITC           E = −diag(u)   ∂ℓ/∂kᵢᵢ = uᵢ       (Λ contains dᵢ = kᵢᵢ − qᵢᵢ)
//	Variational    E = ½pΛ⁻¹      ∂ℓ/∂kᵢᵢ = −½p/Λᵢᵢ  (the trace)
//
// The derivative by μ is zero at the best constant.
type sensitivity struct {
	*system
	inverse *mat.Dense    // B⁻¹
	middle  *mat.SymDense // ΦᵀEΦ
	noise   float64       // ∂ℓ/∂ ln σ²; with middle complete after the rows have gone by
	space   *mat.Dense
}

// sensitivity prepares the derivative.
func (s *system) sensitivity(ctx context.Context) (*sensitivity, error) {
	n, m := s.rows.Dims()
	d := &sensitivity{system: s, middle: mat.NewSymDense(m, nil), space: mat.NewDense(min(n, blockRows), m, nil)}
	inverse, err := s.b.Inverse(ctx)
	if err != nil {
		return nil, err
	}
	d.inverse = mat.DenseCopyOf(inverse)
	if s.o.approximation() == Variational { // ½pΦᵀΛ⁻¹Φ
		d.middle.ScaleSym(float64(s.targets())/2, s.second)
	}
	return d, nil
}

// byRows calls use for a block of rows after the other, with ∂ℓ/∂K_nm and ∂ℓ/∂kᵢᵢ. use may
// overwrite both.
func (d *sensitivity) byRows(ctx context.Context, use func(from int, dk *mat.Dense, diagonal []float64) error) error {
	_, m := d.rows.Dims()
	return d.each(ctx, "gradient", func(from int, phi *mat.Dense) error {
		rows, _ := phi.Dims()
		dk := d.space.Slice(0, rows, 0, m).(*mat.Dense)
		d.product.Gemm(blas.NoTrans, blas.NoTrans, 1, phi.RawMatrix(), d.inverse.RawMatrix(), 0, dk.RawMatrix()) // ΦB⁻¹
		diagonal := make([]float64, rows)
		for i := range rows {
			diagonal[i] = d.row(from+i, phi.RawRowView(i), dk.RawRowView(i))
		}
		if d.o.approximation() == FITC {
			d.addMiddle(phi, diagonal)
		}
		if err := d.l.Unwhiten(ctx, dk); err != nil {
			return err
		}
		return use(from, dk, diagonal)
	})
}

// row replaces φᵀB⁻¹ by row i of 2GΦ and returns ∂ℓ/∂kᵢᵢ.
func (d *sensitivity) row(i int, phi, pulled []float64) float64 {
	over, w, p := d.invLambda[i], d.weight(i), float64(d.targets())
	if w == 0 {
		clear(pulled)
		return 0
	}
	spread := 0.0 // φᵀB⁻¹φ
	for j, v := range phi {
		spread += v * pulled[j]
	}
	alphas, squares := d.rho.RawRowView(i)[:d.targets()], 0.0
	for _, r := range alphas {
		squares += r * over * r * over
	}
	atOne := w / over // wᵢΛᵢᵢ
	u := (squares-p*(over-over*over*spread))/(2*w) + p*(1-w)/(2*atOne)
	d.noise += d.o.Noise * u
	e, diagonal := 0.0, 0.0
	switch d.o.approximation() {
	case FITC:
		e, diagonal = -u, u
	case Variational:
		e, diagonal = p*over/2, -p*over/2
		d.noise += d.o.Noise * p * d.left[i] * over / (2 * atOne)
	}
	for j, v := range phi {
		pulled[j] = 2*e*v - p*over*pulled[j]
	}
	for t, r := range alphas {
		alpha := r * over
		for j := range pulled {
			pulled[j] += alpha * d.w.At(j, t)
		}
	}
	return diagonal
}

// addMiddle adds −Σ uᵢφᵢφᵢᵀ, for the u of a block: what is positive and what is negative
// apart.
func (d *sensitivity) addMiddle(phi *mat.Dense, u []float64) {
	rows, m := phi.Dims()
	for _, sign := range []float64{1, -1} {
		scaled := mat.NewDense(rows, m, nil)
		for i, v := range u {
			if sign*v > 0 {
				scale(scaled.RawRowView(i), math.Sqrt(sign*v), phi.RawRowView(i))
			}
		}
		d.product.Syrk(blas.Trans, -sign, scaled.RawMatrix(), 1, d.middle.RawSymmetric())
	}
}

// byLandmarks returns ∂ℓ/∂K_mm, after the rows have gone by. The jitter moves with the trace
// of K_mm.
func (d *sensitivity) byLandmarks(ctx context.Context) (*mat.SymDense, error) {
	m, p := d.middle.SymmetricDim(), float64(d.targets())
	x := mat.NewDense(m, m, nil)
	for i := range m {
		for j := range m {
			v := d.middle.At(i, j) + p*d.inverse.At(i, j)/2
			if i == j {
				v -= p / 2
			}
			for t := range d.targets() {
				v += d.w.At(i, t) * d.w.At(j, t) / 2
			}
			x.Set(i, j, -v)
		}
	}
	if err := bothSides(ctx, d.l, x); err != nil {
		return nil, err
	}
	out := linalg.Symmetrise(x)
	trace := mat.Trace(out)
	for i := range m {
		out.SetSym(i, i, out.At(i, i)+d.jitter*trace/float64(m))
	}
	return out, nil
}

// bothSides replaces a symmetric X by L⁻ᵀXL⁻¹.
func bothSides(ctx context.Context, l *linalg.CholeskyFactor, x *mat.Dense) error {
	for range 2 {
		if err := l.Unwhiten(ctx, x); err != nil {
			return err
		}
		transpose(x)
	}
	return nil
}

func transpose(x *mat.Dense) {
	n, _ := x.Dims()
	for i := range n {
		for j := range i {
			a, b := x.At(i, j), x.At(j, i)
			x.Set(i, j, b)
			x.Set(j, i, a)
		}
	}
}
