package figure

import (
	"fmt"
	"slices"
)

// Path describes a picture of a method along λ: on the left scores over λ, of the rows that
// were learned from and of others, with the best one marked; on the right, where there are
// curves, the functions of some λ over the data.
type Path struct {
	Lambda      []float64 // above 0
	Train, Held []float64 // scores
	Score       string    // what they are
	Others      string    // what Held is of
	Best        int
	Curves      *Curves // nil: none
}

// PNG draws the picture as PNG.
func (f Path) PNG() ([]byte, error) { return asPNG(f.sheet()) }

// SVG draws the picture as SVG.
func (f Path) SVG() ([]byte, error) { return asSVG(f.sheet()) }

func (f Path) sheet() (Sheet, error) {
	if len(f.Lambda) < 2 || len(f.Train) != len(f.Lambda) || len(f.Held) != len(f.Lambda) {
		return Sheet{}, fmt.Errorf("figure: %d λ with %d and %d scores; a path needs at least two, and a score of both kinds for each", len(f.Lambda), len(f.Train), len(f.Held))
	}
	lo, hi := extent(f.Train, f.Held)
	errors := Panel{Title: f.Score + " along λ", X: "λ", Y: f.Score, LogX: true,
		Bounds: &Bounds{X0: slices.Min(f.Lambda), X1: slices.Max(f.Lambda), Y0: min(0, lo), Y1: hi + 0.04*(hi-min(0, lo))},
		Layers: []Layer{Lattice{}, Line{Name: "training rows", X: f.Lambda, Y: f.Train, Ink: 1}, Line{Name: f.Others, X: f.Lambda, Y: f.Held},
			Dots{Name: "the best", X: f.Lambda[f.Best : f.Best+1], Y: f.Held[f.Best : f.Best+1], Ink: Black, Shape: Ring, Size: 5}}}
	out := Sheet{Panels: []Panel{errors}, Width: 14, Height: 9.5}
	if f.Curves == nil {
		return out, nil
	}
	curves, err := f.Curves.panel()
	out.Panels = append(out.Panels, curves)
	return out, err
}
