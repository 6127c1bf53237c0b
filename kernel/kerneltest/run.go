package kerneltest

import (
	"fmt"
	"math"

	"example.org/mercer/data"
	"example.org/mercer/kernel"
)

// TB is what the suite needs of a *testing.T.
type TB interface {
	Helper()
	Errorf(format string, args ...any)
}

// Options say what the suite may use. The zero value checks all that needs no help.
type Options[T any] struct {
	// Parse reads the text of a kernel, usually expr.ParseKernel with the dictionary
	// that the kernel came from; nil leaves the round trip of the text unchecked.
	Parse func(text string) (kernel.Kernel[T], error)
	// Translate shifts a point by the same amount in every coordinate and returns a new
	// point; nil leaves cancellation unchecked. See [Vector] and [Number].
	Translate func(x T, by float64) T
	// Set holds points the way that the fast paths of the kernel like best; nil means
	// [data.Slice], which is always tried, too. See [Vectors].
	Set func(xs []T) data.Set[T]
	// Bound is the allowed difference between two ways to compute k(x, y), relative to
	// √|k(x, x)·k(y, y)| or |k(x, y)|, whichever is larger; 0 means 1e-12.
	Bound float64
	// GradientBound is the allowed difference between the gradient and central
	// differences, relative to the largest |k(x, y)|; 0 means 1e-7.
	GradientBound float64
}

// Vector is [Options.Translate] for vectors.
func Vector(x []float64, by float64) []float64 {
	moved := make([]float64, len(x))
	for i, v := range x {
		moved[i] = v + by
	}
	return moved
}

// Vectors is [Options.Set] for vectors of one length.
func Vectors(xs [][]float64) data.Set[[]float64] {
	v := data.MakeVectors(len(xs), len(xs[0]))
	for i, x := range xs {
		copy(v.At(i), x)
	}
	return v
}

// Number is [Options.Translate] for numbers.
func Number(x, by float64) float64 { return x + by }

// maxPoints is the number of points that are used, so that a suite takes milliseconds.
const maxPoints = 48

// Run checks the kernel on the given points, of which it uses the first 48; a dozen
// points with zeros, duplicates and extremes say more than many alike. Every violation
// is reported with the check that found it, and the points' indices.
func Run[T any](t TB, k kernel.Kernel[T], points []T, o Options[T]) {
	t.Helper()
	if o.Bound == 0 {
		o.Bound = 1e-12
	}
	if o.GradientBound == 0 {
		o.GradientBound = 1e-7
	}
	s := &suite[T]{t: t, k: k, xs: points[:min(len(points), maxPoints)], o: o}
	if len(s.xs) < 2 {
		s.errorf("points", "%d points: the suite needs at least 2", len(s.xs))
		return
	}
	if err := kernel.Validate(k, data.Slice[T](s.xs)); err != nil {
		s.errorf("points", "a point is outside the domain: %v", err)
		return
	}
	if !s.symmetry() {
		return // everything below would say the same again
	}
	s.tiles("tiles", s.xs, plain)
	s.tiles("tiles", s.xs, s.set)
	s.emptySets()
	s.concurrency()
	s.definiteness("definiteness", s.xs)
	s.definiteness("duplicates", append(append([]T{}, s.xs...), s.xs...))
	s.derivation()
	s.text()
	s.parameters()
	s.stored()
	s.gradient()
	s.contraction()
	s.exactValues()
	s.featureMap()
	s.explanation()
	s.cancellation()
}

// suite is one run.
type suite[T any] struct {
	t  TB
	k  kernel.Kernel[T]
	xs []T
	o  Options[T]
}

// errorf reports a violation found by one check.
func (s *suite[T]) errorf(check, format string, args ...any) {
	s.t.Helper()
	s.t.Errorf("kernel %s: %s: %s", s.k, check, fmt.Sprintf(format, args...))
}

// plain holds points as a slice.
func plain[T any](xs []T) data.Set[T] { return data.Slice[T](xs) }

// set holds points as the caller wants them.
func (s *suite[T]) set(xs []T) data.Set[T] {
	if s.o.Set == nil {
		return plain(xs)
	}
	return s.o.Set(xs)
}

// scale is what an error in k(x, y) is measured by.
func (s *suite[T]) scale(x, y T) float64 {
	return math.Max(math.Abs(s.k.Eval(x, y)), math.Sqrt(math.Abs(s.k.Eval(x, x)*s.k.Eval(y, y))))
}

// close reports whether two values of k(x, y) agree within the bound. NaN agrees with
// nothing.
func (s *suite[T]) close(got, want, scale float64) bool {
	return got == want || math.Abs(got-want) <= s.o.Bound*scale
}

// same reports whether two numbers have the same bits.
func same(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) }

// symmetry requires k(x, y) = k(y, x) exactly, finite, and the same at every call.
func (s *suite[T]) symmetry() bool {
	for i, x := range s.xs {
		for j, y := range s.xs[:i+1] {
			xy, yx, again := s.k.Eval(x, y), s.k.Eval(y, x), s.k.Eval(x, y)
			switch {
			case math.IsNaN(xy) || math.IsInf(xy, 0):
				s.errorf("symmetry", "k(x%d, x%d) = %v is not finite", i, j, xy)
			case xy != yx:
				s.errorf("symmetry", "k(x%d, x%d) = %.17g and k(x%d, x%d) = %.17g differ", i, j, xy, j, i, yx)
			case !same(xy, again):
				s.errorf("symmetry", "k(x%d, x%d) is %.17g and then %.17g: a kernel has no state", i, j, xy, again)
			default:
				continue
			}
			return false
		}
	}
	return true
}
