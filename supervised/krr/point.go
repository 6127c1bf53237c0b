package krr

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// Solution is f(x) = Σᵢ Coef[i] k(x, xᵢ) + Bias, one column per target.
type Solution struct {
	Coef *mat.Dense // α, n×m
	Bias []float64  // b, m numbers; zeros without an intercept
}

// Point is everything that is known at one value of λ.
//
// In the formulas A = K + R·W⁻¹ over the rows of positive weight, and
// C = A⁻¹ − A⁻¹11ᵀA⁻¹/(1ᵀA⁻¹1), or A⁻¹ without an intercept, so that α = C·y and
// y − f − b = R·W⁻¹α. Sums over targets are plain sums.
type Point struct {
	Lambda   float64   `json:"lambda"`
	Ridge    float64   `json:"ridge"` // R = Nλ
	Solution *Solution `json:"-"`     // nil in the report of [Primal]
	// Leverage is hᵢᵢ = ∂ŷᵢ/∂yᵢ = 1 − R·Cᵢᵢ/wᵢ, and 0 for rows of weight 0.
	Leverage []float64 `json:"-"`
	// DOF is Σ hᵢᵢ, the effective degrees of freedom: tr K(K + R·W⁻¹)⁻¹ without an
	// intercept; with it up to 1 more, exactly 1 where the constant is orthogonal
	// to K (a centred kernel).
	DOF float64 `json:"dof"`
	// LOOResiduals are rᵢ = yᵢ − f₋ᵢ(xᵢ) − b₋ᵢ = αᵢ/Cᵢᵢ, n×m, where f₋ᵢ is fitted
	// without row i and with the same ridge R = Nλ (N still counts row i). A row of
	// weight 0 was not used in the first place: its residual is that of the fit.
	LOOResiduals *mat.Dense `json:"-"`
	LOO          *Scores    `json:"loo"`   // of the LOO predictions y − r
	Train        *Scores    `json:"train"` // of the fitted values
	// GCV is generalised cross-validation, the mean over the targets of
	// (1/N) Σ wᵢ(yᵢ−ŷᵢ)² / (1 − DOF/n)², n counting the rows of positive weight
	// (Golub, Heath & Wahba 1979).
	GCV float64 `json:"gcv"`
	// Evidence is the log marginal likelihood of y = f + b + ε, f a Gaussian process
	// with covariance k, εᵢ of variance R/wᵢ, and b flat:
	// −½yᵀCy − ½log|A| − ½log(1ᵀA⁻¹1) − (ν/2)log 2π, ν = n − 1. Without an
	// intercept the third term falls away and ν = n.
	Evidence float64 `json:"evidence,omitempty"`
	// ProfiledEvidence lets both variances be multiplied by the same σ² and takes the
	// best, σ² = yᵀCy/ν for each target:
	// −(ν/2)(log(2πσ²) + 1) − ½log|A| − ½log(1ᵀA⁻¹1). It is the criterion for
	// tuning a kernel whose amplitude is fixed. Both are left out (0) for [Primal] with
	// R = 0, where there is no likelihood.
	ProfiledEvidence float64 `json:"profiled_evidence,omitempty"`
}

// errOneRow is returned where leaving a row out leaves nothing.
var errOneRow = errors.New("krr: leave-one-out needs at least two rows of positive weight to estimate an intercept: give more rows, or leave it out (LOO, --loo=false of a fit)")

// leverageRounding is the relative size of a difference that is rounding: a leverage
// that is nearer to 1 cannot be told from 1.
const leverageRounding = 1e-13

// undetermined is the error of a row whose own target alone decides its fitted value.
func undetermined(row int) error {
	return fmt.Errorf("krr: row %d has no leave-one-out prediction: its leverage is 1 to rounding, because it has nearly all the weight or a feature that no other row has; give a larger λ or leave out LOO", row)
}

// point assembles a Point from what any direct solver has: X = M⁻¹[s s∘y], the
// diagonal of M⁻¹ and log|M|. outside holds K·α for the rows of weight zero and may
// be nil when there is none. It costs O(nm).
func (sys *system) point(ridge float64, x *mat.Dense, inverseDiag []float64, logDet float64, outside func(coef *mat.Dense) (*mat.Dense, error)) (*Point, error) {
	if sys.intercept && sys.active < 2 {
		return nil, errOneRow
	}
	beta, bias, u, su := sys.border(x)
	c := slices.Clone(inverseDiag)
	if sys.intercept {
		logDet += math.Log(su)
		for i := range c {
			if c[i] -= u[i] * u[i] / su; !(c[i] > leverageRounding*inverseDiag[i]) {
				c[i] = 0
			}
		}
	}
	return sys.pointAt(ridge, beta, &Solution{Coef: sys.coef(beta), Bias: bias}, c, logDet, outside)
}

// pointAt assembles a Point from β, the solution, the diagonal c of Ĉ = W^-½CW^-½, zero where only
// rounding is left of it, and log|M|, with log 1ᵀA⁻¹1 where there is an intercept.
func (sys *system) pointAt(ridge float64, beta *mat.Dense, sol *Solution, c []float64, logDet float64, outside func(coef *mat.Dense) (*mat.Dense, error)) (*Point, error) {
	p := &Point{
		Lambda:       ridge / sys.total,
		Ridge:        ridge,
		Solution:     sol,
		Leverage:     make([]float64, sys.n),
		LOOResiduals: mat.NewDense(sys.n, sys.m, nil),
	}
	residuals, err := sys.residuals(ridge, beta, p.Solution, outside)
	if err != nil {
		return nil, err
	}
	trace := 0.0 // tr Ĉ over the rows of positive weight
	for i, s := range sys.s {
		if s == 0 {
			copy(p.LOOResiduals.RawRowView(i), residuals.RawRowView(i))
			continue
		}
		if !(c[i] > 0) {
			return nil, undetermined(i)
		}
		trace += c[i]
		p.Leverage[i] = 1 - ridge*c[i]
		p.DOF += p.Leverage[i]
		for j, b := range beta.RawRowView(i) {
			p.LOOResiduals.Set(i, j, b/(s*c[i]))
		}
	}
	weights := sys.weights()
	p.Train = measure(sys.y, residuals, weights)
	p.LOO = measure(sys.y, p.LOOResiduals, weights)
	p.GCV = sys.gcv(beta, trace)
	p.Evidence, p.ProfiledEvidence = sys.evidence(sys.quadratic(beta), sys.logDetA(ridge, logDet))
	return p, nil
}

// gcv is (n²/N) Σβ²/(tr Ĉ)², averaged over the targets: R drops out of the quotient
// of Σ wᵢ(yᵢ−ŷᵢ)² = R²Σβ² by (1 − DOF/n)² = (R·tr Ĉ/n)², which is thus defined for
// R = 0 too.
func (sys *system) gcv(beta *mat.Dense, trace float64) float64 {
	sum := 0.0
	for i := range sys.n {
		for _, b := range beta.RawRowView(i) {
			sum += b * b
		}
	}
	n := float64(sys.active)
	return n * n / sys.total * sum / (trace * trace) / float64(sys.m)
}

// residuals returns y − f − b: R·β/s where the weight is positive, and by a
// multiplication with K where it is zero.
func (sys *system) residuals(ridge float64, beta *mat.Dense, sol *Solution, outside func(coef *mat.Dense) (*mat.Dense, error)) (*mat.Dense, error) {
	out := mat.NewDense(sys.n, sys.m, nil)
	var f *mat.Dense
	if sys.active < sys.n {
		var err error
		if f, err = outside(sol.Coef); err != nil {
			return nil, err
		}
	}
	for i, s := range sys.s {
		row, b := out.RawRowView(i), beta.RawRowView(i)
		for j := range row {
			if s > 0 {
				row[j] = ridge * b[j] / s
			} else {
				row[j] = sys.y.At(i, j) - f.At(i, j) - sol.Bias[j]
			}
		}
	}
	return out, nil
}

// evidence returns the log marginal likelihoods documented at [Point], from yᵀCy of
// each target and log|A|, with log 1ᵀA⁻¹1 where there is an intercept.
func (sys *system) evidence(quadratic []float64, logDet float64) (plain, profiled float64) {
	shared, nu := logDet/2, float64(sys.active)
	if sys.intercept {
		nu--
	}
	for _, q := range quadratic {
		plain -= q/2 + shared + nu/2*math.Log(2*math.Pi)
		profiled -= nu/2*(math.Log(2*math.Pi*q/nu)+1) + shared
	}
	return plain, profiled
}

// logDetA returns log|A| = log|M| − Σ log wᵢ, both without the rows of weight zero.
func (sys *system) logDetA(ridge, logDetM float64) float64 {
	for _, s := range sys.s {
		switch {
		case s > 0:
			logDetM -= 2 * math.Log(s)
		case ridge > 0:
			logDetM -= math.Log(ridge)
		}
	}
	return logDetM
}

// quadratic returns yᵀCy = (s∘y)ᵀβ for each target. Where the intercept explains y
// altogether it is zero up to rounding, and a very small positive number is
// returned, so that logarithms stay finite.
func (sys *system) quadratic(beta *mat.Dense) []float64 {
	q := make([]float64, sys.m)
	for i, s := range sys.s {
		for j, b := range beta.RawRowView(i) {
			q[j] += s * sys.y.At(i, j) * b
		}
	}
	for j := range q {
		q[j] = max(q[j], 1e-300)
	}
	return q
}

// weights returns the wᵢ, or nil where all are one.
func (sys *system) weights() []float64 {
	if !sys.weighted() {
		return nil
	}
	w := make([]float64, sys.n)
	for i, s := range sys.s {
		w[i] = s * s
	}
	return w
}
