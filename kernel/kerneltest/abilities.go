package kerneltest

import (
	"math"
	"math/big"

	"example.org/mercer/kernel"
)

// text requires that the text parses to a kernel with the same text and bits.
func (s *suite[T]) text() {
	if s.k.String() == "" {
		s.errorf("text", "String is empty")
	}
	if s.o.Parse == nil {
		return
	}
	again, err := s.o.Parse(s.k.String())
	if err != nil {
		s.errorf("text", "String does not parse: %v", err)
		return
	}
	if again.String() != s.k.String() {
		s.errorf("text", "parsing gives %s", again)
	}
	s.evaluatesAlike("text", "parsed again", again)
}

// evaluatesAlike requires the same bits of another kernel.
func (s *suite[T]) evaluatesAlike(check, what string, other kernel.Kernel[T]) {
	for i, x := range s.xs {
		for j, y := range s.xs[:i+1] {
			if got, want := other.Eval(x, y), s.k.Eval(x, y); !same(got, want) {
				s.errorf(check, "k(x%d, x%d) is %.17g %s, and %.17g before", i, j, got, what, want)
				return
			}
		}
	}
}

// parameters requires unique names, and that With takes exactly the values of
// Parameters and leaves its receiver alone.
func (s *suite[T]) parameters() {
	k, ok := s.k.(kernel.Tunable[T])
	if !ok {
		return
	}
	params, before := k.Parameters(), k.String()
	values, moved, names := make([]float64, len(params)), make([]float64, len(params)), map[string]bool{}
	for i, p := range params {
		if p.Name == "" || names[p.Name] {
			s.errorf("parameters", "parameter %d is called %q: names must be unique", i, p.Name)
		}
		if p.Positive && !(p.Value > 0) {
			s.errorf("parameters", "%s = %v is not positive, as it claims", p.Name, p.Value)
		}
		names[p.Name], values[i], moved[i] = true, p.Value, p.Value*(1+0x1p-6)
	}
	alike, err := k.With(values)
	if err != nil {
		s.errorf("parameters", "With refuses the current values: %v", err)
		return
	}
	s.evaluatesAlike("parameters", "with the same parameters", alike)
	if other, err := k.With(moved); err != nil {
		s.errorf("parameters", "With refuses values 2%% larger: %v", err)
	} else {
		s.hasParameters(other, params, moved)
	}
	if _, err := k.With(make([]float64, len(params)+1)); err == nil {
		s.errorf("parameters", "With accepts %d values for %d parameters", len(params)+1, len(params))
	}
	if k.String() != before {
		s.errorf("parameters", "With changed its receiver to %s", k)
	}
}

// hasParameters requires that a kernel made by With reports the values it was given.
func (s *suite[T]) hasParameters(k kernel.Kernel[T], params []kernel.Parameter, values []float64) {
	t, ok := k.(kernel.Tunable[T])
	if !ok {
		s.errorf("parameters", "With returns a kernel without parameters")
		return
	}
	got := t.Parameters()
	for i, p := range params {
		switch {
		case len(got) != len(params):
			s.errorf("parameters", "With returns a kernel with %d parameters instead of %d", len(got), len(params))
			return
		case got[i].Name != p.Name || math.Abs(got[i].Value-values[i]) > 1e-12*math.Abs(values[i]):
			s.errorf("parameters", "With(%s = %v) gives %s = %v", p.Name, values[i], got[i].Name, got[i].Value)
			return
		}
	}
}

// gradient compares EvalGrad with central differences on the scale of the search. The
// four-point formula has a truncation error of h⁴k⁽⁵⁾/30 and rounding errors of about
// 2ε/h: both near 1e-12 for h = 1e-3.
func (s *suite[T]) gradient() {
	k, ok := kernel.Gradient(s.k)
	if !ok {
		return
	}
	params := k.Parameters()
	grad := make([]float64, len(params))
	for i, x := range s.xs {
		for j, y := range s.xs[:i+1] {
			if value, want := k.EvalGrad(grad, x, y), s.k.Eval(x, y); !s.close(value, want, s.scale(x, y)) {
				s.errorf("gradient", "EvalGrad returns k(x%d, x%d) = %.17g, Eval %.17g", i, j, value, want)
				return
			}
			for p := range params {
				want, err := s.difference(k, p, x, y)
				if err != nil {
					s.errorf("gradient", "With refuses a small change of %s: %v", params[p].Name, err)
					return
				}
				scale := math.Max(math.Abs(want), s.scale(x, y))
				if !(math.Abs(grad[p]-want) <= s.o.GradientBound*scale) {
					s.errorf("gradient", "in %s at (x%d, x%d) it is %.10g, central differences give %.10g", params[p].Name, i, j, grad[p], want)
					return
				}
			}
		}
	}
}

// difference returns the central difference of k(x, y) in parameter p.
func (s *suite[T]) difference(k kernel.Tunable[T], p int, x, y T) (float64, error) {
	const h = 1e-3
	sum := 0.0
	for _, term := range []struct{ step, weight float64 }{{-2, 1}, {-1, -8}, {1, 8}, {2, -1}} {
		moved, err := Moved(k, p, term.step*h)
		if err != nil {
			return 0, err
		}
		sum += term.weight * moved.Eval(x, y)
	}
	return sum / (12 * h), nil
}

// exactValues compares EvalBig with Eval, and with itself at another precision.
func (s *suite[T]) exactValues() {
	if !kernel.IsExact(s.k) {
		return
	}
	k := s.k.(kernel.Exact[T])
	for i, x := range s.xs {
		for j, y := range s.xs[:i+1] {
			coarse, err := k.EvalBig(x, y, 100)
			if err != nil {
				s.errorf("exact values", "k(x%d, x%d): %v", i, j, err)
				return
			}
			fine, err := k.EvalBig(x, y, 200)
			if err != nil {
				s.errorf("exact values", "k(x%d, x%d): %v", i, j, err)
				return
			}
			if got, _ := fine.Float64(); !s.close(s.k.Eval(x, y), got, s.scale(x, y)) {
				s.errorf("exact values", "k(x%d, x%d) = %.17g, and %.17g in 200 bits", i, j, s.k.Eval(x, y), got)
				return
			}
			if !agree(coarse, fine, 90) {
				s.errorf("exact values", "k(x%d, x%d) = %.35g in 100 bits, and %.35g in 200", i, j, coarse, fine)
				return
			}
		}
	}
}

// agree reports whether two numbers agree in their leading bits.
func agree(a, b *big.Float, bits int) bool {
	d := new(big.Float).SetPrec(300).Sub(a, b)
	return d.Sign() == 0 || b.Sign() != 0 && d.MantExp(nil) <= b.MantExp(nil)-bits
}

// featureMap requires ⟨φ(x), φ(y)⟩ = k(x, y).
func (s *suite[T]) featureMap() {
	k, ok := s.k.(kernel.Mapped[T])
	if !ok {
		return
	}
	maps := make([][]float64, len(s.xs))
	for i, x := range s.xs {
		dim, ok := k.Features(x)
		if !ok {
			return
		}
		maps[i] = make([]float64, dim)
		for f := range maps[i] {
			maps[i][f] = math.NaN() // to find features that are not stored
		}
		k.Map(maps[i], x)
		if dim != len(maps[0]) {
			s.errorf("feature map", "%d features for x%d and %d for x0", dim, i, len(maps[0]))
			return
		}
	}
	for i, x := range s.xs {
		for j, y := range s.xs[:i+1] {
			inner := 0.0
			for f, v := range maps[i] {
				inner += v * maps[j][f]
			}
			if want := s.k.Eval(x, y); !s.close(inner, want, s.scale(x, y)) {
				s.errorf("feature map", "⟨φ(x%d), φ(x%d)⟩ = %.17g, k is %.17g", i, j, inner, want)
				return
			}
		}
	}
}
