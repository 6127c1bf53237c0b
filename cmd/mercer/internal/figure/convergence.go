package figure

// Iteration is a minimisation by steps: the objective P at its start and after every
// step, and the Newton decrements dᵀ∇²P·d of the steps.
type Iteration struct {
	Name       string
	Values     []float64 // P ≥ 0, one more than there are steps
	Decrements []float64
}

// Convergence draws on logarithmic axes how far iterations are from where they end, and
// their decrements, both relative to the P at the end. What is 0 is not drawn.
func Convergence(of ...Iteration) Sheet {
	whole := layer(func(p *panel) error { p.X.Tick.Marker = wholeNumbers{}; return nil })
	gap := Panel{Title: "(P(α) − min P) / min P", X: "step", LogY: true, Layers: []Layer{Lattice{}, whole}}
	decrement := Panel{Title: "Newton decrement / min P", X: "step", LogY: true, Layers: []Layer{Lattice{}, whole}}
	for i, f := range of {
		least := f.Values[len(f.Values)-1]
		left := make([]float64, len(f.Values))
		for t, v := range f.Values {
			left[t] = (v - least) / least
		}
		gap.Layers = append(gap.Layers, stepped(f.Name, Ink(i), 0, left)...)
		size := make([]float64, len(f.Decrements))
		for t, d := range f.Decrements {
			size[t] = d / least
		}
		decrement.Layers = append(decrement.Layers, stepped(f.Name, Ink(i), 1, size)...)
	}
	return Sheet{Panels: []Panel{gap, decrement}, Width: 11, Height: 9}
}

// stepped are the positive numbers of steps first, first + 1, … as dots on a line.
func stepped(name string, ink Ink, first int, of []float64) []Layer {
	var x, y []float64
	for t, v := range of {
		if v > 0 {
			x, y = append(x, float64(first+t)), append(y, v)
		}
	}
	if x == nil {
		return nil
	}
	return []Layer{Line{X: x, Y: y, Ink: ink}, Dots{Name: name, X: x, Y: y, Ink: ink, Shape: ShapeOf(int(ink)), Size: 3.5}}
}
