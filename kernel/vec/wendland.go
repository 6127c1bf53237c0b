package vec

import (
	"fmt"
	"math"
	"math/big"
	"strings"

	"example.org/mercer/internal/bigmath"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/expr"
	"example.org/mercer/kernel/monomial"
	"example.org/mercer/kernel/tile"
)

// Wendland is the kernel of compact support φ(r), r = √(Σⱼ ((xⱼ−yⱼ)/ρⱼ)²), which is 0 for r ≥ 1.
// With ℓ = ⌊d/2⌋ + K + 1 for points of d coordinates, φ is
//
//	K = 0: (1−r)₊^ℓ
//	K = 1: (1−r)₊^{ℓ+1}·(1 + (ℓ+1)r)
//	K = 2: (1−r)₊^{ℓ+2}·(1 + (ℓ+2)r + (ℓ²+4ℓ+3)r²/3)
//
// Radius ρ > 0 is that of all columns (0 means 1); Radii, where it is not nil, has one per column
// instead. φ is a polynomial of the least degree that is 2K times differentiable and positive
// definite on ℝᵈ, and so on every ℝᵐ with m ≤ d. Which one it is depends on the number of
// columns: in more of them it is narrower.
//
// Wendland, Piecewise polynomial, positive definite and compactly supported radial functions of
// minimal degree, Advances in Computational Mathematics 4 (1995), Theorem 1.2.
type Wendland struct {
	member
	K      int
	Radius float64
	Radii  []float64
}

func (k Wendland) widths() widths { return widthsOf(k.Radius, k.Radii) }

// profile returns n and a of φ(r) = (1−r)₊ⁿ·Σ aₘrᵐ for d coordinates.
func (k Wendland) profile(d int) (n int, a []float64) {
	l := d/2 + k.K + 1
	n, m := l+k.K, float64(l)
	switch k.K {
	case 1:
		return n, []float64{1, m + 1}
	case 2:
		return n, []float64{1, m + 2, (m*m + 4*m + 3) / 3}
	}
	return n, []float64{1}
}

// Eval returns φ(r).
func (k Wendland) Eval(x, y []float64) float64 {
	r := math.Sqrt(k.widths().squared(x, y))
	if r >= 1 {
		return 0
	}
	n, a := k.profile(len(x))
	sum := 0.0
	for m := len(a) - 1; m >= 0; m-- {
		sum = float64(sum*r) + a[m]
	}
	return monomial.Power(1-r, n) * sum
}

// String returns wendland(k=…, radius=…).
func (k Wendland) String() string {
	return fmt.Sprintf("wendland(k=%d, radius=%s)", k.K, k.widths())
}

// Contains refuses points with NaN or infinite coordinates, or with another number of coordinates
// than there are radii, and K other than 0, 1 and 2.
func (k Wendland) Contains(x []float64) error {
	if k.K < 0 || k.K > 2 {
		return fmt.Errorf("wendland: k = %d must be 0, 1 or 2: the kernel is 2k times differentiable", k.K)
	}
	return k.widths().contain("wendland", x)
}

func (k Wendland) emit(c *compiler) {
	w, rate := k.widths(), 1.0
	if w.each == nil {
		c.statistic(tile.SquaredDistance, nil, 0)
		rate = inverseSquare(w.one)
	} else {
		c.statistic(tile.SquaredDistance, w.reciprocals(), 0)
	}
	n, a := k.profile(c.width())
	c.plan.Program = append(c.plan.Program, tile.Op{Code: tile.OpCompact, A: rate, B: float64(n), List: a})
}

// Parameters returns the radii; k is a choice, not a parameter to be tuned.
func (k Wendland) Parameters() []kernel.Parameter {
	ps := k.widths().parameters()
	for i := range ps {
		ps[i].Name = strings.Replace(ps[i].Name, "sigma", "radius", 1)
	}
	return ps
}

// With returns the kernel with other radii.
func (k Wendland) With(values []float64) (Kernel, error) {
	w, err := k.widths().with("wendland", values)
	k.Radius, k.Radii = w.fields()
	return k, err
}

// steep returns φ′(r)/r, and 0 where r ≥ 1 and where φ has a corner, at r = 0 for K = 0:
//
//	K = 0: −ℓ(1−r)^{ℓ−1}/r
//	K = 1: −(ℓ+1)(ℓ+2)(1−r)^ℓ
//	K = 2: −(ℓ+3)(ℓ+4)(1 + (ℓ+1)r)(1−r)^{ℓ+1}/3
func (k Wendland) steep(r float64, d int) float64 {
	l := d/2 + k.K + 1
	m := float64(l)
	switch {
	case r >= 1 || r == 0 && k.K == 0:
		return 0
	case k.K == 0:
		return -m * monomial.Power(1-r, l-1) / r
	case k.K == 1:
		return -(m + 1) * (m + 2) * monomial.Power(1-r, l)
	}
	return -(m + 3) * (m + 4) * (1 + (m+1)*r) * monomial.Power(1-r, l+1) / 3
}

// EvalGrad stores ∂k/∂ln ρⱼ = −((xⱼ−yⱼ)/ρⱼ)²·φ′(r)/r.
func (k Wendland) EvalGrad(grad, x, y []float64) float64 {
	w := k.widths()
	q := w.squared(x, y)
	steep := k.steep(math.Sqrt(q), len(x))
	clear(grad)
	if steep == 0 {
		return k.Eval(x, y)
	}
	if w.each == nil {
		grad[0] = -steep * q
		return k.Eval(x, y)
	}
	for j, s := range w.each {
		u := (x[j] - y[j]) / s
		grad[j] = -steep * u * u
	}
	return k.Eval(x, y)
}

// slope is φ′(r)/r·(xⱼ−yⱼ)/ρⱼ².
func (k Wendland) slope() (Slope, error) {
	w := k.widths()
	return func(dst []float64, c float64, x, y []float64) {
		steep := k.steep(math.Sqrt(w.squared(x, y)), len(x))
		if steep == 0 {
			return
		}
		for j, v := range x {
			s := w.at(j)
			dst[j] += c * steep * ((v - y[j]) / s) / s
		}
	}, nil
}

// EvalBig returns k(x, y) to prec bits.
func (k Wendland) EvalBig(x, y []float64, prec uint) (*big.Float, error) {
	return bigEval(k, x, y, prec, func(c *calculator) *big.Float {
		r := c.Call(bigmath.Sqrt, c.squared(k.widths(), x, y))
		u := c.Sub(c.Of(1), r)
		if u.Sign() <= 0 {
			return c.Of(0)
		}
		l := len(x)/2 + k.K + 1
		sum := c.Of(1)
		switch k.K {
		case 1:
			sum = c.Add(sum, c.Mul(c.Of(float64(l+1)), r))
		case 2:
			third := c.Quo(c.Of(float64(l*l+4*l+3)), c.Of(3))
			sum = c.Add(sum, c.Mul(r, c.Add(c.Of(float64(l+2)), c.Mul(third, r))))
		}
		return c.Mul(c.PowInt(u, l+k.K), sum)
	})
}

// Derive cites the theorem.
func (k Wendland) Derive() kernel.Derivation {
	return proof(k, "φ is positive definite on ℝᵈ for ℓ = ⌊d/2⌋ + k + 1 (Wendland 1995, Theorem 1.2), and ℓ is that of the columns it sees")
}

// Reference describes the kernel and its equivalent parameters.
func (k Wendland) Reference() kernel.Reference {
	w := k.widths()
	formula := [...]string{"(1−r)₊^ℓ", "(1−r)₊^(ℓ+1)·(1+(ℓ+1)r)", "(1−r)₊^(ℓ+2)·(1+(ℓ+2)r+(ℓ²+4ℓ+3)r²/3)"}[min(max(k.K, 0), 2)]
	return kernel.Reference{
		Name: "wendland", Title: "Wendland's kernel of compact support",
		Formula:     formula + ", r = " + w.formula("‖x−y‖/ρ", "√(Σⱼ ((xⱼ−yⱼ)/ρⱼ)²)") + ", ℓ = ⌊d/2⌋+k+1",
		Domain:      "x, y ∈ ℝᵈ; k = 0, 1, 2, ρ > 0",
		Equivalents: []string{fmt.Sprintf("k = %d", k.K), w.equivalent("radius", same)},
		Source:      "Wendland, Piecewise polynomial, positive definite and compactly supported radial functions of minimal degree, Adv. Comput. Math. 4 (1995)",
		SeeAlso:     []string{"matern", "rbf"},
	}
}

var wendlandEntry = entry{
	Summary: "(1−r)₊^(ℓ+k)·pₖ(r), r = ‖x−y‖/ρ, zero beyond the radius ρ",
	Arguments: []expr.Argument{
		{Name: "k", Kind: expr.NumberArg, Default: "1", Help: "smoothness 0, 1 or 2: 2k times differentiable"},
		{Name: "radius", Also: []string{"ρ"}, Kind: expr.ListArg, Guess: "median", Help: "radius ρ > 0, or a list of one per column"},
	},
	Build: func(a *expr.Args) (Kernel, error) {
		smooth := a.Number("k", 1)
		if smooth != 0 && smooth != 1 && smooth != 2 {
			return nil, a.Errorf("k", "wendland: k = %s must be 0, 1 or 2: the kernel is 2k times differentiable", number(smooth))
		}
		w, err := widthArguments(a, "wendland", inverse)
		radius, each := w.fields()
		return Wendland{K: int(smooth), Radius: radius, Radii: each}, err
	},
}
