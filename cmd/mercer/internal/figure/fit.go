package figure

import (
	"fmt"
	"math"
	"slices"
)

// Fit describes a picture of a regression: observed against predicted values on the
// left, or the function itself where there is one feature, the residuals observed −
// predicted on the right.
type Fit struct {
	Title     string
	Target    string // name of the target, for the axes
	Observed  []float64
	Predicted []float64
	Curves    *Curves // nil: there are several features
}

// PNG draws the picture as PNG.
func (f Fit) PNG() ([]byte, error) { return asPNG(f.sheet()) }

// SVG draws the picture as SVG.
func (f Fit) SVG() ([]byte, error) { return asSVG(f.sheet()) }

func (f Fit) sheet() (Sheet, error) {
	if len(f.Observed) != len(f.Predicted) || len(f.Observed) == 0 {
		return Sheet{}, fmt.Errorf("figure: %d observed and %d predicted values; a picture of a fit needs the same positive number of each",
			len(f.Observed), len(f.Predicted))
	}
	residual := make([]float64, len(f.Observed))
	for i := range residual {
		residual[i] = f.Observed[i] - f.Predicted[i]
	}
	lo, hi := extent(f.Observed, f.Predicted)
	panel := func(title, y string, values []float64, guide Line) Panel {
		return Panel{Title: title, X: "predicted " + f.Target, Y: y, Layers: []Layer{Lattice{}, Cloud{X: f.Predicted, Y: values}, guide}}
	}
	r2 := fmt.Sprintf("R² = %.3f", determination(f.Observed, residual))
	left := panel(f.Title+", "+r2, "observed "+f.Target, f.Observed, Line{Name: "observed = predicted", X: []float64{lo, hi}, Y: []float64{lo, hi}})
	if f.Curves != nil {
		var err error
		if left, err = f.Curves.panel(); err != nil {
			return Sheet{}, err
		}
	}
	lo, hi = extent(f.Predicted)
	right := panel("residuals, "+r2, "residual", residual, Line{X: []float64{lo, hi}, Y: []float64{0, 0}})
	return Sheet{Panels: []Panel{left, right}, Width: 11.5, Height: 9.5}, nil
}

// determination is R² of predictions with some residuals.
func determination(observed, residual []float64) float64 {
	mean := 0.0
	for _, v := range observed {
		mean += v / float64(len(observed))
	}
	rest, total := 0.0, 0.0
	for i, v := range observed {
		rest, total = rest+residual[i]*residual[i], total+(v-mean)*(v-mean)
	}
	return 1 - rest/total
}

func extent(series ...[]float64) (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for _, s := range series {
		lo, hi = min(lo, slices.Min(s)), max(hi, slices.Max(s))
	}
	return lo, hi
}
