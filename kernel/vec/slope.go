package vec

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"

	"example.org/mercer/data"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/deep"
	"example.org/mercer/kernel/monomial"
	"example.org/mercer/kernel/tile"
)

// Slope adds c·∇ₓk(x, y), the gradient in the first point, to dst.
type Slope func(dst []float64, c float64, x, y []float64)

// sloped kernels know their gradient in the first point.
type sloped interface{ slope() (Slope, error) }

// SlopeOf returns the gradient in the first point of rbf, laplace, laplace1, laplacepq, matern,
// rq, wendland, linear, poly, arccos, nngp and ntk. It has that of these on chosen columns, after
// a linear map or a network and in anova, and of sums, multiples, products and powers of them. Of
// a radial kernel κ(q) of q = Σⱼ ((xⱼ−yⱼ)/σⱼ)², it is
//
//	∂k/∂xⱼ = 2κ′(q)(xⱼ − yⱼ)/σⱼ²,
//
// and 0 where x = y, also where κ has a corner there. The error wraps
// [errors.ErrUnsupported] and names the first part that has none. Slopes are safe for
// concurrent use.
func SlopeOf(k Kernel) (Slope, error) {
	switch k := k.(type) {
	case radial:
		return radialSlope(k), nil
	case Linear:
		return func(dst []float64, c float64, _, y []float64) { addScaled(dst, c, y) }, nil
	case Poly:
		s, degree := k.scale(), k.degree()
		return func(dst []float64, c float64, x, y []float64) {
			addScaled(dst, c*s*float64(degree)*monomial.Power(s*tile.Dot(x, y)+k.Offset, degree-1), y)
		}, nil
	case kernel.Constant[[]float64]:
		return func([]float64, float64, []float64, []float64) {}, nil
	case kernel.Scaled[[]float64]:
		of, err := SlopeOf(k.Of)
		return func(dst []float64, c float64, x, y []float64) { of(dst, c*k.Factor, x, y) }, err
	case kernel.Sum[[]float64]:
		return sumSlope(k)
	case kernel.Product[[]float64]:
		return productSlope(k)
	case kernel.Power[[]float64]:
		of, err := SlopeOf(k.Of)
		return func(dst []float64, c float64, x, y []float64) {
			of(dst, c*float64(k.Degree)*math.Pow(k.Of.Eval(x, y), float64(k.Degree-1)), x, y)
		}, err
	case deep.Kernel:
		return networkSlope(k)
	case sloped:
		return k.slope()
	}
	return nil, fmt.Errorf("vec: %s has no gradient in its points here: %w", k, errors.ErrUnsupported)
}

func radialSlope(k radial) Slope {
	w := k.widths()
	return func(dst []float64, c float64, x, y []float64) {
		q := w.squared(x, y)
		if q == 0 {
			return
		}
		_, qslope := k.kappa(q)
		c *= 2 * qslope / q
		if w.each == nil {
			c /= w.one * w.one
			for j, v := range x {
				dst[j] += c * (v - y[j])
			}
			return
		}
		for j, v := range x {
			dst[j] += c * (v - y[j]) / (w.each[j] * w.each[j])
		}
	}
}

// Radially is a kernel κ(q) of q = Σⱼ ((xⱼ−yⱼ)/σⱼ)² for gradients at many points,
//
//	∇ₓk = w·(xⱼ−yⱼ)/σⱼ²,   w = 2κ′(q).
type Radially struct {
	// Weights replaces the values of the kernel by w, given the q > 0.
	Weights func(values, q []float64)
	// Squared computes the q of pairs.
	Squared func(xs, ys data.Set[[]float64]) kernel.Pairs
	// Sigmas are the widths, one for all columns or one for each.
	Sigmas []float64
}

// RadialSlope returns the form of a radial kernel; ok is false for any other.
func RadialSlope(k Kernel) (form Radially, ok bool) {
	of, ok := k.(radial)
	if !ok {
		return form, false
	}
	w := of.widths()
	plan := &tile.Plan{Statistics: []tile.Statistic{{Kind: tile.SquaredDistance}}, Program: []tile.Op{{Code: tile.OpPush}}, Depth: 1}
	if w.each == nil {
		plan.Program = append(plan.Program, tile.Op{Code: tile.OpAffine, A: 1 / w.one / w.one})
	} else {
		plan.Statistics[0].Weights = w.reciprocals()
	}
	form = Radially{Sigmas: w.list(), Squared: func(xs, ys data.Set[[]float64]) kernel.Pairs { return tile.Bind(plan, xs, ys) }}
	switch of.(type) {
	case RBF: // the values say it without another exponential
		form.Weights = func(values, _ []float64) { floats.Scale(-1, values) }
	case Laplace:
		form.Weights = func(values, q []float64) {
			for i, v := range q {
				values[i] /= -math.Sqrt(v)
			}
		}
	default:
		form.Weights = func(values, q []float64) {
			for i, v := range q {
				_, qslope := of.kappa(v)
				values[i] = 2 * qslope / v
			}
		}
	}
	return form, true
}

func slopesOf(parts []Kernel) ([]Slope, error) {
	slopes := make([]Slope, len(parts))
	for i, part := range parts {
		var err error
		if slopes[i], err = SlopeOf(part); err != nil {
			return nil, err
		}
	}
	return slopes, nil
}

func sumSlope(k kernel.Sum[[]float64]) (Slope, error) {
	terms, err := slopesOf(k.Terms)
	return func(dst []float64, c float64, x, y []float64) {
		for _, term := range terms {
			term(dst, c, x, y)
		}
	}, err
}

// productSlope is ∇Πkᵢ = Σᵢ (Π_{j≠i} kⱼ) ∇kᵢ.
func productSlope(k kernel.Product[[]float64]) (Slope, error) {
	factors, err := slopesOf(k.Factors)
	return func(dst []float64, c float64, x, y []float64) {
		for i, factor := range factors {
			others := c
			for j, of := range k.Factors {
				if j != i {
					others *= of.Eval(x, y)
				}
			}
			factor(dst, others, x, y)
		}
	}, err
}

// slope is that of Of in the chosen coordinates.
func (k Columns) slope() (Slope, error) {
	of, err := SlopeOf(k.Of)
	return func(dst []float64, c float64, x, y []float64) {
		part := make([]float64, len(k.Index))
		of(part, c, k.project(x), k.project(y))
		for i, j := range k.Index {
			dst[j] += part[i]
		}
	}, err
}

// networkSlope is that of Of at the images, pulled back through the network.
func networkSlope(k deep.Kernel) (Slope, error) {
	of, err := SlopeOf(k.Of)
	return func(dst []float64, c float64, x, y []float64) {
		n := k.On(len(x))
		g := make([]float64, n.Widths[len(n.Widths)-1])
		of(g, c, n.Image(x), n.Image(y))
		addScaled(dst, 1, n.Back(x, g))
	}, err
}

// addScaled adds c·v to dst.
func addScaled(dst []float64, c float64, v []float64) {
	for j, x := range v {
		dst[j] += c * x
	}
}
