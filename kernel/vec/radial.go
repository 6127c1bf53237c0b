package vec

import (
	"errors"
	"fmt"

	"example.org/mercer/kernel"
	"example.org/mercer/kernel/tile"
)

// A radial kernel is κ(q) with q = Σⱼ ((xⱼ−yⱼ)/σⱼ)², one σ for all columns or one
// per column (automatic relevance determination, ARD). The functions of this file
// are what the radial kernels share; κ is their only difference.
type radial interface {
	leaf
	// kappa returns κ(q) and q·κ′(q), which is finite even where κ′ is not.
	kappa(q float64) (value, qslope float64)
	// profile emits κ of the statistic on top of the stack, which is q·σ² for the
	// given σ.
	profile(c *compiler, sigma float64)
	// scales returns the widths, at least one.
	scales() []float64
}

var unit = []float64{1}

// widths returns sigma, or one width of 1 where none is given.
func widths(sigma []float64) []float64 {
	if len(sigma) == 0 {
		return unit
	}
	return sigma
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

// checkWidths reports every width that [checkWidth] refuses.
func checkWidths(sigma []float64) error {
	var errs []error
	for j, s := range sigma {
		if checkWidth("", s) == nil {
			continue // every point of every prediction comes here
		}
		name := "sigma"
		if len(sigma) > 1 {
			name = fmt.Sprintf("sigma[%d]", j)
		}
		errs = append(errs, checkWidth(name, s))
	}
	return errors.Join(errs...)
}

// withinWidths checks a point against the widths: finite, and as many coordinates as
// there are widths if there are several.
func withinWidths(name string, sigma, x []float64) error {
	if err := checkWidths(sigma); err != nil {
		return err
	}
	if len(sigma) > 1 && len(sigma) != len(x) {
		return fmt.Errorf("%s has %d widths (one per column) but the point has %d coordinates: give one width, or %d", name, len(sigma), len(x), len(x))
	}
	return finite(x)
}

// squared returns q = Σⱼ ((xⱼ−yⱼ)/σⱼ)².
func squared(sigma, x, y []float64) float64 {
	q := 0.0
	if len(sigma) == 1 {
		for j, v := range x {
			diff := v - y[j]
			q += float64(diff * diff)
		}
		return q / sigma[0] / sigma[0]
	}
	for j, v := range x {
		u := (v - y[j]) / sigma[j]
		q += float64(u * u)
	}
	return q
}

// emitSquared emits the squared distance: unweighted and divided by σ² in the
// profile where there is one width, so that a grid over σ shares it; weighted by
// 1/σⱼ per column otherwise.
func emitSquared(c *compiler, k radial, sigma []float64) {
	if len(sigma) == 1 {
		c.statistic(tile.SquaredDistance, nil, 0)
		k.profile(c, sigma[0])
		return
	}
	c.statistic(tile.SquaredDistance, reciprocals(sigma), 0)
	k.profile(c, 1)
}

func reciprocals(v []float64) []float64 {
	inverse := make([]float64, len(v))
	for j, s := range v {
		inverse[j] = 1 / s
	}
	return inverse
}

// widthParameters names the widths: "sigma", or "sigma[0]", "sigma[1]", ….
func widthParameters(sigma []float64) []kernel.Parameter {
	ps := make([]kernel.Parameter, len(sigma))
	for j, s := range sigma {
		ps[j] = kernel.Parameter{Name: "sigma", Value: s, Positive: true}
		if len(sigma) > 1 {
			ps[j].Name = fmt.Sprintf("sigma[%d]", j)
		}
	}
	return ps
}

// widthGradient stores ∂κ/∂ln σⱼ = −2 ((xⱼ−yⱼ)/σⱼ)² κ′(q) in grad and returns κ(q).
func widthGradient(k radial, sigma, grad, x, y []float64) float64 {
	q := squared(sigma, x, y)
	value, qslope := k.kappa(q)
	if len(sigma) == 1 {
		grad[0] = -2 * qslope
		return value
	}
	for j, s := range sigma {
		u := (x[j] - y[j]) / s
		grad[j] = 0
		if qslope != 0 {
			grad[j] = -2 * qslope * (u * u / q)
		}
	}
	return value
}

// withWidths copies the values after checking them.
func withWidths(name string, sigma, values []float64) ([]float64, error) {
	if err := count(name, len(values), len(sigma)); err != nil {
		return nil, err
	}
	if err := checkWidths(values); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return append([]float64(nil), values...), nil
}

// each writes a formula of one width for every width: "gamma = 0.5", or
// "gamma = [0.5, 2]".
func each(name string, sigma []float64, f func(s float64) float64) string {
	values := make([]float64, len(sigma))
	for j, s := range sigma {
		values[j] = f(s)
	}
	return name + " = " + list(values)
}

// forWidths returns the formula for one width or the one for several.
func forWidths(sigma []float64, one, several string) string {
	if len(sigma) == 1 {
		return one
	}
	return several
}

func inverse(s float64) float64       { return 1 / s }
func inverseSquare(s float64) float64 { return 1 / (s * s) }
func halfInverse(s float64) float64   { return 1 / (2 * s * s) }
func same(s float64) float64          { return s }
