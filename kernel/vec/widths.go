package vec

import (
	"errors"
	"fmt"
	"math"

	"example.org/mercer/kernel"
)

// widths are those of the columns: one for all of them, or one per column (automatic relevance
// determination, ARD; MacKay 1994). They are what Sigma and Widths of [RBF], [Laplace],
// [Laplace1], [Matern] and [RQ] say together.
type widths struct {
	one  float64
	each []float64 // nil: one for all
}

// widthsOf returns the widths of a kernel's fields. No width at all means 1, and a list of one is
// that one.
func widthsOf(sigma float64, each []float64) widths {
	switch len(each) {
	case 0:
		return widths{one: or(sigma, 1)}
	case 1:
		return widths{one: each[0]}
	}
	return widths{each: each}
}

// fields returns the widths as the fields of a kernel.
func (w widths) fields() (sigma float64, each []float64) {
	if w.each == nil {
		return w.one, nil
	}
	return 0, w.each
}

// at returns the width of column j.
func (w widths) at(j int) float64 {
	if w.each == nil {
		return w.one
	}
	return w.each[j]
}

// list returns the widths, one or one per column.
func (w widths) list() []float64 {
	if w.each == nil {
		return []float64{w.one}
	}
	return w.each
}

// String returns the widths as the language of kernels writes them: 2, or [0.5, 2].
func (w widths) String() string { return list(w.list()) }

// squared returns q = Σⱼ ((xⱼ−yⱼ)/σⱼ)².
func (w widths) squared(x, y []float64) float64 {
	q := 0.0
	if w.each == nil {
		for j, v := range x {
			diff := v - y[j]
			q += float64(diff * diff)
		}
		return q / w.one / w.one
	}
	for j, v := range x {
		u := (v - y[j]) / w.each[j]
		q += float64(u * u)
	}
	return q
}

// manhattan returns Σⱼ |xⱼ−yⱼ|/σⱼ.
func (w widths) manhattan(x, y []float64) float64 {
	sum := 0.0
	if w.each == nil {
		for j, v := range x {
			sum += math.Abs(v - y[j])
		}
		return sum / w.one
	}
	for j, v := range x {
		sum += math.Abs(v-y[j]) / w.each[j]
	}
	return sum
}

// reciprocals returns 1/σ, or one per column.
func (w widths) reciprocals() []float64 {
	inverse := make([]float64, len(w.list()))
	for j := range inverse {
		inverse[j] = 1 / w.at(j)
	}
	return inverse
}

// contain returns an error about the widths of a kernel, or about a point that is not finite or has
// not as many coordinates as there are widths.
func (w widths) contain(name string, x []float64) error {
	if err := w.check(); err != nil {
		return err
	}
	if w.each != nil && len(w.each) != len(x) {
		return fmt.Errorf("%s has %d widths (one per column) but the point has %d coordinates: give one width, or %d", name, len(w.each), len(x), len(x))
	}
	return finite(x)
}

// check reports every width that [checkWidth] refuses.
func (w widths) check() error {
	if w.each == nil {
		return checkWidth("sigma", w.one) // every point of every prediction comes here
	}
	var errs []error
	for j, s := range w.each {
		if checkWidth("", s) != nil {
			errs = append(errs, checkWidth(fmt.Sprintf("sigma[%d]", j), s))
		}
	}
	return errors.Join(errs...)
}

// checkWidth returns an error unless σ is a positive number whose square and whose
// inverse square are, too: 0·∞ is not a distance.
func checkWidth(name string, sigma float64) error {
	if err := positive(name, sigma); err != nil {
		return err
	}
	if sigma < 1e-150 || sigma > 1e150 {
		return fmt.Errorf("%s = %s must lie between 1e-150 and 1e150", name, number(sigma))
	}
	return nil
}

// parameters names the widths: "sigma", or "sigma[0]", "sigma[1]", ….
func (w widths) parameters() []kernel.Parameter {
	ps := make([]kernel.Parameter, len(w.list()))
	for j := range ps {
		ps[j] = kernel.Parameter{Name: "sigma", Value: w.at(j), Positive: true}
		if w.each != nil {
			ps[j].Name = fmt.Sprintf("sigma[%d]", j)
		}
	}
	return ps
}

// with returns as many other widths, after checking them.
func (w widths) with(name string, values []float64) (widths, error) {
	if err := count(name, len(values), len(w.list())); err != nil {
		return w, err
	}
	if w.one = values[0]; w.each != nil {
		w = widths{each: append([]float64(nil), values...)}
	}
	if err := w.check(); err != nil {
		return w, fmt.Errorf("%s: %w", name, err)
	}
	return w, nil
}

// equivalent writes a formula of one width for every width: "gamma = 0.5", or
// "gamma = [0.5, 2]".
func (w widths) equivalent(name string, f func(s float64) float64) string {
	values := make([]float64, len(w.list()))
	for j := range values {
		values[j] = f(w.at(j))
	}
	return name + " = " + list(values)
}

// formula returns the formula for one width or the one for several.
func (w widths) formula(one, several string) string {
	if w.each == nil {
		return one
	}
	return several
}

func inverse(s float64) float64       { return 1 / s }
func inverseSquare(s float64) float64 { return 1 / (s * s) }
func halfInverse(s float64) float64   { return 1 / (2 * s * s) }
func same(s float64) float64          { return s }
