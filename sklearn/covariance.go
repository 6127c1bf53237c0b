package sklearn

import (
	"math"

	"example.org/mercer/data"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/sklearn/skops"
)

// covariance is a kernel of sklearn.gaussian_process.kernels: k(x, y) + White where x and y are the
// same row. Constant says that k is a number, the Value.
type covariance struct {
	kernel   kernelOn
	white    float64
	constant bool
	value    float64
}

type (
	sum      = kernel.Sum[[]float64]
	product  = kernel.Product[[]float64]
	scaled   = kernel.Scaled[[]float64]
	constant = kernel.Constant[[]float64]
	power    = kernel.Power[[]float64]
)

// covariances are the classes of kernels. It is filled by init, as sums read their terms by it.
var covariances map[string]func(*reader, *skops.Value) covariance

func init() {
	covariances = map[string]func(*reader, *skops.Value) covariance{
		"ConstantKernel":    (*reader).constantKernel,
		"WhiteKernel":       (*reader).whiteKernel,
		"RBF":               (*reader).rbf,
		"Matern":            (*reader).matern,
		"RationalQuadratic": (*reader).rationalQuadratic,
		"ExpSineSquared":    (*reader).periodic,
		"DotProduct":        (*reader).dotProduct,
		"PairwiseKernel":    (*reader).metric,
		"Sum":               (*reader).sum,
		"Product":           (*reader).product,
		"Exponentiation":    (*reader).exponentiation,
	}
}

// covariance reads a kernel.
func (r *reader) covariance(v *skops.Value) covariance {
	read, ok := covariances[v.Class()]
	if !ok || !v.Of(library) {
		v.Failf("is %s, a kernel that cannot be read", v.Qualified())
		return covariance{}
	}
	return read(r, v)
}

// fixed is a kernel that does not look at single columns.
func fixed(k vec.Kernel) covariance { return covariance{kernel: func([]int) vec.Kernel { return k }} }

func (r *reader) constantKernel(v *skops.Value) covariance {
	c := r.positive(v.Get("constant_value"))
	out := fixed(constant{Value: c})
	out.constant, out.value = true, c
	return out
}

func (r *reader) whiteKernel(v *skops.Value) covariance {
	out := fixed(constant{})
	out.constant, out.white = true, r.positive(v.Get("noise_level"))
	return out
}

// widths reads a length scale: one, or one for each feature.
func (r *reader) widths(v *skops.Value) func(order []int) (sigma float64, each []float64) {
	if !v.IsArray() && !v.IsList() {
		sigma := r.positive(v)
		return func([]int) (float64, []float64) { return sigma, nil }
	}
	widths := v.Floats(r.ctx)
	for j, w := range widths {
		if !(w > 0) {
			v.Failf("is %v for feature %d, and lengths are positive", w, j)
		}
	}
	switch {
	case v.Err() != nil:
	case len(widths) == 1:
		return func([]int) (float64, []float64) { return widths[0], nil }
	case len(widths) != len(r.rows.features):
		v.Failf("has %d lengths for %d features", len(widths), len(r.rows.features))
	}
	return func(order []int) (float64, []float64) { return 0, data.Pick(widths, order) }
}

func (r *reader) rbf(v *skops.Value) covariance {
	widths := r.widths(v.Get("length_scale"))
	return covariance{kernel: func(order []int) vec.Kernel {
		sigma, each := widths(order)
		return vec.RBF{Sigma: sigma, Widths: each}
	}}
}

func (r *reader) matern(v *skops.Value) covariance {
	widths, nu := r.widths(v.Get("length_scale")), 0.0
	if text, infinite := v.Get("nu").Written(); infinite && text == "Infinity" {
		return r.rbf(v)
	}
	nu = r.positive(v.Get("nu"))
	return covariance{kernel: func(order []int) vec.Kernel {
		sigma, each := widths(order)
		return vec.Matern{Nu: nu, Sigma: sigma, Widths: each}
	}}
}

func (r *reader) rationalQuadratic(v *skops.Value) covariance {
	return fixed(vec.RQ{Alpha: r.positive(v.Get("alpha")), Sigma: r.positive(v.Get("length_scale"))})
}

// periodic takes the sine of the distance of points, that of this library those of coordinates.
func (r *reader) periodic(v *skops.Value) covariance {
	if len(r.rows.features) > 1 {
		v.Failf("is an ExpSineSquared on %d features: of the distance of points with more than one feature it is no kernel that is known here (nor is it positive definite)", len(r.rows.features))
	}
	return fixed(vec.Periodic{Period: r.positive(v.Get("periodicity")), Sigma: r.positive(v.Get("length_scale"))})
}

func (r *reader) dotProduct(v *skops.Value) covariance {
	sigma := v.Get("sigma_0").Float(r.ctx)
	return fixed(vec.Poly{Degree: 1, Offset: sigma * sigma, Scale: 1})
}

func (r *reader) metric(v *skops.Value) covariance {
	r.unless(v.Get("pairwise_kernels_kwargs"), v.Get("pairwise_kernels_kwargs").IsNone(), "has arguments, which are not read")
	name := v.Get("metric")
	of, ok := pairwise[name.String()]
	if !ok || name.String() == "poly" || name.String() == "polynomial" || name.String() == "sigmoid" {
		name.Failf("is %q, which cannot be read", name.String())
		return covariance{}
	}
	return fixed(of(r.positive(v.Get("gamma")), 0, 0))
}

func (r *reader) sum(v *skops.Value) covariance {
	a, b := r.covariance(v.Get("k1")), r.covariance(v.Get("k2"))
	switch out := a; {
	case v.Err() != nil:
		return covariance{}
	case a.constant && b.constant:
		out = fixed(constant{Value: a.value + b.value})
		out.constant, out.value, out.white = true, a.value+b.value, a.white+b.white
		return out
	case b.constant && b.value == 0:
		out.white += b.white
		return out
	case a.constant && a.value == 0:
		out = b
		out.white += a.white
		return out
	}
	return covariance{white: a.white + b.white, kernel: func(order []int) vec.Kernel {
		return sum{Terms: []vec.Kernel{a.kernel(order), b.kernel(order)}}
	}}
}

func (r *reader) product(v *skops.Value) covariance {
	a, b := r.covariance(v.Get("k1")), r.covariance(v.Get("k2"))
	if v.Err() != nil {
		return covariance{}
	}
	if !a.constant || a.white != 0 {
		a, b = b, a
	}
	switch {
	case a.constant && a.white == 0:
		return b.times(a.value)
	case a.white != 0 || b.white != 0:
		v.Failf("multiplies a WhiteKernel by a kernel that is no number: noise that differs by row is not read")
		return covariance{}
	}
	return covariance{kernel: func(order []int) vec.Kernel {
		return product{Factors: []vec.Kernel{a.kernel(order), b.kernel(order)}}
	}}
}

// times is c·k.
func (k covariance) times(c float64) covariance {
	if c == 1 {
		return k
	}
	out := covariance{constant: k.constant, value: c * k.value, white: c * k.white}
	out.kernel = func(order []int) vec.Kernel {
		if k.constant {
			return constant{Value: c * k.value}
		}
		if inner, ok := k.kernel(order).(scaled); ok {
			return scaled{Factor: c * inner.Factor, Of: inner.Of}
		}
		return scaled{Factor: c, Of: k.kernel(order)}
	}
	return out
}

func (r *reader) exponentiation(v *skops.Value) covariance {
	of, p := r.covariance(v.Get("kernel")), v.Get("exponent").Float(r.ctx)
	if v.Err() == nil && (p < 0 || p != math.Trunc(p) || of.white != 0) {
		v.Failf("is a kernel to the power of %v: whole powers of kernels without a WhiteKernel are read", p)
	}
	return covariance{kernel: func(order []int) vec.Kernel { return power{Of: of.kernel(order), Degree: int(p)} }}
}

// positive reads a number above 0.
func (r *reader) positive(v *skops.Value) float64 {
	x := v.Float(r.ctx)
	if v.Err() == nil && !(x > 0) {
		v.Failf("is %v, and must be positive", x)
	}
	return x
}
