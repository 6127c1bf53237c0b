package figure

import (
	"fmt"
	"math"
)

// Sections are a kernel on numbers as functions K_x: t ↦ k(x, t), for some x.
type Sections struct {
	Variable string    // of the axis
	Of       []float64 // x
	At       []float64 // t, ascending
	Values   [][]float64
	Own      []float64 // k(x, x) of every x
	Norms2   []float64 // k(t, t) of every t
}

// SectionsOf evaluates a kernel on numbers.
func SectionsOf(k func(x, t float64) float64, variable string, of, at []float64) Sections {
	s := Sections{Variable: variable, Of: of, At: at}
	for _, x := range of {
		row := make([]float64, len(at))
		for j, t := range at {
			row[j] = k(x, t)
		}
		s.Values, s.Own = append(s.Values, row), append(s.Own, k(x, x))
	}
	for _, t := range at {
		s.Norms2 = append(s.Norms2, k(t, t))
	}
	return s
}

func (s Sections) name(i int) string { return fmt.Sprintf("x = %.4g", s.Of[i]) }

// Panel draws every K_x, with a mark at x itself.
func (s Sections) Panel(title string) Panel {
	p := Panel{Title: title, X: s.Variable, Y: "K_x(" + s.Variable + ")", Layers: []Layer{Lattice{}}}
	for i, x := range s.Of {
		p.Layers = append(p.Layers, Line{Name: s.name(i), X: s.At, Y: s.Values[i], Ink: Ink(i)},
			Dots{X: []float64{x}, Y: s.Own[i : i+1], Ink: Ink(i), Shape: ShapeOf(i), Size: 4})
	}
	return p
}

// Slopes draws the differences of every K_x between neighbouring places, as steps.
func (s Sections) Slopes(title string) Panel {
	p := Panel{Title: title, X: s.Variable, Y: "K_x′(" + s.Variable + ")", Layers: []Layer{Lattice{}}}
	for i, section := range s.Values {
		var x, y []float64
		for j := 1; j < len(s.At); j++ {
			slope := (section[j] - section[j-1]) / (s.At[j] - s.At[j-1])
			x, y = append(x, s.At[j-1], s.At[j]), append(y, slope, slope)
		}
		p.Layers = append(p.Layers, Line{Name: s.name(i), X: x, Y: y, Ink: Ink(i), Dashed: i > 0})
	}
	return p
}

// Distances draws d(x, t) = √(k(x, x) + k(t, t) − 2k(x, t)).
func (s Sections) Distances(title string) Panel {
	p := Panel{Title: title, X: s.Variable, Y: "distance of Φ(x) and Φ(" + s.Variable + ")", Layers: []Layer{Lattice{}}}
	for i, section := range s.Values {
		d := make([]float64, len(s.At))
		for j, v := range section {
			d[j] = math.Sqrt(max(0, s.Own[i]+s.Norms2[j]-2*v))
		}
		p.Layers = append(p.Layers, Line{Name: s.name(i), X: s.At, Y: d, Ink: Ink(i)})
	}
	return p
}
