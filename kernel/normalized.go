package kernel

import (
	"fmt"
	"math"
	"math/big"

	"example.org/mercer/data"
)

// Normalized is the kernel k(x, y)/√(k(x, x)·k(y, y)), the cosine of the angle between
// φ(x) and φ(y). It is f(x)·k(x, y)·f(y) with f(x) = 1/√k(x, x), and so positive
// definite where k is.
//
// A point with k(x, x) = 0 has φ(x) = 0 and no direction: its normalised values are 0,
// its own included, which is f(x) = 0 and keeps positive definiteness. A point with
// k(x, x) < 0 or NaN shows that k is not positive definite: its values are NaN, and
// Contains refuses it.
type Normalized[T any] struct {
	Of Kernel[T]
}

// Eval returns k(x, y)/√(k(x, x)·k(y, y)).
func (k Normalized[T]) Eval(x, y T) float64 {
	return cosine(k.Of.Eval(x, y), k.Of.Eval(x, x), k.Of.Eval(y, y))
}

// String returns normalize(of=k).
func (k Normalized[T]) String() string { return "normalize(of=" + k.Of.String() + ")" }

// Contains reports a point outside the domain of k, or with k(x, x) < 0.
func (k Normalized[T]) Contains(x T) error {
	if err := Contains(k.Of, x); err != nil {
		return err
	}
	return k.normOf(k.Of.Eval(x, x))
}

// Outside is Contains for a set, whose norms are computed together.
func (k Normalized[T]) Outside(xs data.Set[T]) (row int, err error) {
	row, err = Outside(k.Of, xs)
	xs = before(xs, row)
	if xs.Len() == 0 {
		return row, err
	}
	squares := make([]float64, xs.Len())
	k.norms(squares, xs)
	for i, d := range squares {
		if objection := k.normOf(d); objection != nil {
			return i, objection
		}
	}
	return row, err
}

// CompatibleWith asks k.
func (k Normalized[T]) CompatibleWith(xs data.Set[T], like T) (row int, err error) {
	return CheckCompatible(k.Of, xs, like)
}

// normOf objects to a value k(x, x) that is no square.
func (k Normalized[T]) normOf(square float64) error {
	if !(square >= 0) {
		return fmt.Errorf("%s gives k(x, x) = %v, so it is not positive definite and has no norm: normalize a kernel with k(x, x) ≥ 0", k.Of, square)
	}
	return nil
}

// Bind binds k, and both diagonals once unless it knows them ([Normed]).
func (k Normalized[T]) Bind(rows, cols data.Set[T]) Pairs {
	p := &normalized{of: Bind(k.Of, rows, cols), rows: make([]float64, rows.Len()), cols: make([]float64, cols.Len())}
	if n, ok := p.of.(Normed); ok {
		n.Norms(p.rows, p.cols)
		return p
	}
	k.norms(p.rows, rows)
	k.norms(p.cols, cols)
	return p
}

// norms stores k(x, x) of every point.
func (k Normalized[T]) norms(dst []float64, xs data.Set[T]) {
	p := Bind(k.Of, xs, xs)
	if n, ok := p.(Normed); ok {
		n.Norms(dst, dst)
		return
	}
	Diag(p, dst)
}

// BindColumns binds k, and computes the diagonal of the columns.
func (k Normalized[T]) BindColumns(cols data.Set[T]) BoundColumns[T] {
	a := anchoredNormalized[T]{of: k, points: BindColumns(k.Of, cols), cols: make([]float64, cols.Len())}
	k.norms(a.cols, cols)
	return a
}

// anchoredNormalized is a normalised kernel bound to its columns.
type anchoredNormalized[T any] struct {
	of     Normalized[T]
	points BoundColumns[T]
	cols   []float64
}

func (a anchoredNormalized[T]) Bind(rows data.Set[T], reuse Pairs) Pairs {
	p, ok := reuse.(*normalized)
	if !ok {
		p = new(normalized)
	}
	p.of, p.cols = a.points.Bind(rows, p.of), a.cols
	p.rows = make([]float64, rows.Len())
	if n, ok := p.of.(Normed); ok {
		n.Norms(p.rows, make([]float64, len(a.cols)))
		return p
	}
	a.of.norms(p.rows, rows)
	return p
}

// normalized divides the tiles of a kernel by the norms of its points.
type normalized struct {
	of         Pairs
	rows, cols []float64 // k(xᵢ, xᵢ) and k(yⱼ, yⱼ)
}

func (p *normalized) Dims() (int, int) { return len(p.rows), len(p.cols) }

func (p *normalized) Tile(dst Tile, row, col int) {
	p.of.Tile(dst, row, col)
	for i := range dst.Rows {
		d := p.rows[row+i]
		out := dst.Row(i)
		for j, v := range out {
			out[j] = cosine(v, d, p.cols[col+j])
		}
	}
}

// cosine returns kxy/√(kxx·kyy), exactly 1 for equal arguments unless their square
// leaves the normal range; 0 where a norm is zero.
func cosine(kxy, kxx, kyy float64) float64 {
	if kxx == 0 || kyy == 0 {
		return 0
	}
	const least = 0x1p-1022 // below it a product loses bits
	if d := kxx * kyy; d >= least && !math.IsInf(d, 1) {
		return kxy / math.Sqrt(d)
	}
	a, b := math.Sqrt(kxx), math.Sqrt(kyy)
	return kxy / max(a, b) / min(a, b) // in this order whichever point is x
}

// Diag stores 1 for every point that has a norm, if rows and columns are the same.
func (p *normalized) Diag(dst []float64) {
	Diag(p.of, dst)
	for i, v := range dst {
		dst[i] = cosine(v, p.rows[i], p.cols[i])
	}
}

// Parameters returns those of k.
func (k Normalized[T]) Parameters() []Parameter { return parametersOf(nil, k.Of) }

func (k Normalized[T]) arity() int { return arity(k.Of) }

// With returns the normalised kernel of other parameters.
func (k Normalized[T]) With(values []float64) (Kernel[T], error) {
	of, err := withPart(k.Of, values)
	return Normalized[T]{Of: of}, err
}

// EvalGrad follows from n = k_xy/√(k_xx·k_yy): dn = dk_xy/√(k_xx·k_yy) −
// n·(dk_xx/k_xx + dk_yy/k_yy)/2; see [Gradient].
func (k Normalized[T]) EvalGrad(grad []float64, x, y T) float64 {
	p := arity(k.Of)
	buffer := make([]float64, 2*p)
	gx, gy := buffer[:p], buffer[p:]
	kxy, kxx, kyy := evalGrad(k.Of, grad, x, y), evalGrad(k.Of, gx, x, x), evalGrad(k.Of, gy, y, y)
	n := cosine(kxy, kxx, kyy)
	for i, g := range grad[:p] {
		if kxx == 0 || kyy == 0 {
			grad[i] = 0
			continue
		}
		grad[i] = g/math.Sqrt(kxx)/math.Sqrt(kyy) - n*(gx[i]/kxx+gy[i]/kyy)/2
	}
	return n
}

// EvalBig evaluates k(x, y), k(x, x) and k(y, y) exactly; see [IsExact].
func (k Normalized[T]) EvalBig(x, y T, prec uint) (*big.Float, error) {
	var v [3]*big.Float
	for i, pair := range [3][2]T{{x, y}, {x, x}, {y, y}} {
		value, err := evalBig(k.Of, pair[0], pair[1], prec+firstExtra)
		if err != nil {
			return nil, err
		}
		if i > 0 && value.Sign() < 0 {
			return nil, fmt.Errorf("%s gives k(x, x) = %.6g < 0, so it is not positive definite and has no norm", k.Of, value)
		}
		v[i] = value
	}
	norms := new(big.Float).SetPrec(prec+firstExtra).Mul(v[1], v[2])
	if norms.Sign() == 0 {
		return norms.SetPrec(prec), nil
	}
	return norms.Quo(v[0], norms.Sqrt(norms)).SetPrec(prec), nil
}

// NotExact names a part that is not exact.
func (k Normalized[T]) NotExact() error { return notExact(k.Of) }

// NotDifferentiable names a part that is not differentiable.
func (k Normalized[T]) NotDifferentiable() error { return notDifferentiable(k.Of) }

// Features returns those of k.
func (k Normalized[T]) Features(like T) (int, bool) { return features(k.Of, like) }

// Map stores φ(x)/‖φ(x)‖, or 0 where φ(x) = 0.
func (k Normalized[T]) Map(phi []float64, x T) {
	copy(phi, mapOf(k.Of, x))
	norm := 0.0
	for _, v := range phi {
		norm = math.Hypot(norm, v)
	}
	if norm > 0 {
		scale(1/norm, phi)
	}
}

// Derive applies the rule of conformal changes with f(x) = 1/√k(x, x).
func (k Normalized[T]) Derive() Derivation {
	return concluded(premises(k, k.Of), "k(x, y)/√(k(x, x)k(y, y)) is f(x)k(x, y)f(y) with f(x) = 1/√k(x, x), or 0 where k(x, x) = 0, and positive definite with k")
}

// Reference describes the kernel.
func (k Normalized[T]) Reference() Reference {
	return Reference{
		Name: "normalize", Title: "normalised kernel, the cosine in feature space", Formula: "k(x, y)/√(k(x, x)·k(y, y))",
		Domain: "that of k; 0 where k(x, x) = 0", Equivalents: []string{"k = " + k.Of.String()},
		Source: closureSource, SeeAlso: []string{"conform", "cosine"},
	}
}
