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
		return Panel{Title: title, X: "predicted " + f.Target, Y: y, Layers: []Layer{Lattice{}, Dots{X: f.Predicted, Y: values, Ink: 1, Size: 1.8}, guide}}
	}
	left := panel(f.Title, "observed "+f.Target, f.Observed, Line{X: []float64{lo, hi}, Y: []float64{lo, hi}})
	if f.Curves != nil {
		var err error
		if left, err = f.Curves.panel(); err != nil {
			return Sheet{}, err
		}
	}
	lo, hi = extent(f.Predicted)
	right := panel("residuals", "residual", residual, Line{X: []float64{lo, hi}, Y: []float64{0, 0}})
	return Sheet{Panels: []Panel{left, right}, Width: 11.5, Height: 9.5}, nil
}

func extent(series ...[]float64) (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for _, s := range series {
		lo, hi = min(lo, slices.Min(s)), max(hi, slices.Max(s))
	}
	return lo, hi
}
