package deep

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"

	"example.org/mercer/data"
)

const (
	// MostUnits bounds the width of a layer, and mostLayers their number: what a kernel in a line
	// of text can hold.
	MostUnits  = 4096
	mostLayers = 16
)

// Network is a feed-forward network φ: ℝ^Inputs → ℝ^w, w the last of Widths.
type Network struct {
	Inputs     int
	Widths     []int // of the layers, the images last
	Activation Activation
	// Weights are W₁ row after row, a row for each unit, then b₁, then W₂, and so on.
	Weights []float64
}

// Count returns how many numbers a network has.
func Count(inputs int, widths []int) int {
	count := 0
	for _, w := range widths {
		count += w * (inputs + 1)
		inputs = w
	}
	return count
}

// New checks a network, whose number of inputs follows from the number of weights. The error names
// what is wrong.
func New(widths []int, a Activation, weights []float64) (Network, error) {
	none := Network{}
	if err := checkShape(widths, a); err != nil {
		return none, err
	}
	first := widths[0]
	inputs := (len(weights)-Count(first, widths[1:]))/first - 1
	if inputs < 1 || Count(inputs, widths) != len(weights) {
		return none, fmt.Errorf("deep: %d weights suit no number of columns with the widths %d: a network of d columns has %d + %d·d", len(weights), widths, Count(0, widths), first)
	}
	for i, v := range weights {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return none, fmt.Errorf("deep: weight %d (counted from 0) is %v: it must be finite", i, v)
		}
	}
	return Network{Inputs: inputs, Widths: widths, Activation: a, Weights: weights}, nil
}

func checkShape(widths []int, a Activation) error {
	if len(widths) == 0 || len(widths) > mostLayers {
		return fmt.Errorf("deep: a network of %d layers: give from one to %d widths", len(widths), mostLayers)
	}
	for i, w := range widths {
		if w < 1 || w > MostUnits {
			return fmt.Errorf("deep: layer %d (counted from 1) has the width %d: it must be from 1 to %d", i+1, w, MostUnits)
		}
	}
	if !slices.Contains(Activations, a) {
		return fmt.Errorf("deep: the activation %q is not known; there are %q", a, Activations)
	}
	return nil
}

// Draw returns a network with weights drawn from normal laws of variance 1/inputs of a layer, and
// constants of standard deviation 0.1.
func Draw(inputs int, widths []int, a Activation, seed uint64) Network {
	rng := rand.New(rand.NewPCG(seed, 0x64656570))
	n := Network{Inputs: inputs, Widths: widths, Activation: a, Weights: make([]float64, 0, Count(inputs, widths))}
	for _, w := range widths {
		scale := 1 / math.Sqrt(float64(inputs))
		for range w * inputs {
			n.Weights = append(n.Weights, scale*rng.NormFloat64())
		}
		for range w {
			n.Weights = append(n.Weights, 0.1*rng.NormFloat64())
		}
		inputs = w
	}
	return n
}

// Spread returns the network with its last layer scaled so that the images of points lie as far
// from their mean as the points from theirs, in the root of the mean square: a width that suits the
// points then suits the images. Where either do not differ the network stays.
func (n Network) Spread(xs data.Set[[]float64]) Network {
	from, to := meanSquare(xs), meanSquare(n.Images(xs))
	if !(from > 0) || !(to > 0) {
		return n
	}
	n.Weights = slices.Clone(n.Weights)
	last := n.layers()[len(n.Widths)-1]
	for i := last.at; i < len(n.Weights); i++ {
		n.Weights[i] *= math.Sqrt(from / to)
	}
	return n
}

// After returns the network φ(Lx) for a matrix L of Inputs rows and columns, row after row, which
// its first layer takes up.
func (n Network) After(l []float64) Network {
	d, first := n.Inputs, n.layers()[0]
	n.Weights = slices.Clone(n.Weights)
	w := n.Weights[first.at : first.at+first.width*d]
	product := make([]float64, len(w))
	for i := range first.width {
		for j := range d {
			floats.AddScaled(product[i*d:(i+1)*d], w[i*d+j], l[j*d:(j+1)*d])
		}
	}
	copy(w, product)
	return n
}

// meanSquare returns the mean squared distance of points from their mean.
func meanSquare(xs data.Set[[]float64]) float64 {
	if xs.Len() == 0 {
		return 0
	}
	mean, sum := make([]float64, len(xs.At(0))), 0.0
	for i := range xs.Len() {
		for j, v := range xs.At(i) {
			mean[j] += v / float64(xs.Len())
		}
	}
	for i := range xs.Len() {
		for j, v := range xs.At(i) {
			sum += (v - mean[j]) * (v - mean[j]) / float64(xs.Len())
		}
	}
	return sum
}

// layer is where a layer's numbers stand.
type layer struct{ at, inputs, width int }

func (l layer) matrix(weights []float64) []float64 { return weights[l.at : l.at+l.inputs*l.width] }
func (l layer) constants(weights []float64) []float64 {
	return weights[l.at+l.inputs*l.width : l.at+(l.inputs+1)*l.width]
}

func (n Network) layers() []layer {
	all, at, inputs := make([]layer, len(n.Widths)), 0, n.Inputs
	for i, w := range n.Widths {
		all[i] = layer{at, inputs, w}
		at += w * (inputs + 1)
		inputs = w
	}
	return all
}

// Image returns φ(x).
func (n Network) Image(x []float64) []float64 {
	for i, l := range n.layers() {
		z := make([]float64, l.width)
		data.LinearImage(z, l.matrix(n.Weights), x)
		for j, b := range l.constants(n.Weights) {
			z[j] += b
		}
		if i < len(n.Widths)-1 {
			n.Activation.units(z, nil)
		}
		x = z
	}
	return x
}

// Images returns the φ(x) of points, in their order.
func (n Network) Images(xs data.Set[[]float64]) data.Vectors {
	out := data.MakeVectors(xs.Len(), n.Widths[len(n.Widths)-1])
	for i := range xs.Len() {
		copy(out.At(i), n.Image(xs.At(i)))
	}
	return out
}
