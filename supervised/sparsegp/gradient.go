package sparsegp

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/data"
	"example.org/mercer/kernel"
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
	noise   float64       // ∂ℓ/∂ ln σ²
	theta   []float64     // what K_nm and kᵢᵢ give to the derivative in the parameters
}

// sensitivityOf goes through the rows once. Without smooth there are no parameters.
func sensitivityOf[T any](ctx context.Context, s *system, smooth kernel.Differentiable[T], xs, at data.Set[T]) (*sensitivity, error) {
	_, m := s.Dims()
	inverse, err := s.b.Inverse(ctx)
	if err != nil {
		return nil, err
	}
	d := &sensitivity{system: s, inverse: mat.DenseCopyOf(inverse), middle: mat.NewSymDense(m, nil)}
	by := slopes{Approximation: s.o.approximation(), Noise: s.o.Noise, Inverse: d.inverse, W: mat.DenseCopyOf(s.w.Slice(0, m, 0, s.targets()))}
	if smooth != nil {
		by.Parameters = len(smooth.Parameters())
	}
	sums, err := passSlopes(ctx, s, by, &contraction[T]{smooth, xs, at, s.features.o.Workers})
	if err != nil {
		return nil, err
	}
	middle, rest := by.split(sums)
	d.noise, d.theta = rest[0], rest[1:]
	switch s.o.approximation() {
	case FITC:
		d.middle = mat.NewSymDense(m, middle)
	case Variational: // ½pΦᵀΛ⁻¹Φ
		d.middle.ScaleSym(float64(s.targets())/2, s.second)
	}
	return d, nil
}

// byLandmarks returns ∂ℓ/∂K_mm. The jitter moves with the trace of K_mm.
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
