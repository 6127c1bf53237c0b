package deep

import "math"

// Activation is what each unit of a hidden layer does with its sum.
type Activation string

const (
	// SiLU is s/(1 + e^−s), smooth everywhere (Elfwing, Uchibe and Doya, Neural Networks 107,
	// 2018).
	SiLU Activation = "silu"
	// Tanh is the hyperbolic tangent.
	Tanh Activation = "tanh"
	// ReLU is max(s, 0), whose slope at 0 is taken as 0.
	ReLU Activation = "relu"
)

// Activations are all of them.
var Activations = []Activation{SiLU, Tanh, ReLU}

// units replaces sums by the values of the units, and stores their slopes unless slopes is nil.
func (a Activation) units(sums, slopes []float64) { activations[a](sums, slopes) }

var activations = map[Activation]func(sums, slopes []float64){
	SiLU: func(sums, slopes []float64) {
		for i, s := range sums {
			g := 1 / (1 + math.Exp(-s))
			if sums[i] = s * g; slopes != nil {
				slopes[i] = g * (1 + float64(s*(1-g)))
			}
		}
	},
	Tanh: func(sums, slopes []float64) {
		for i, s := range sums {
			v := math.Tanh(s)
			if sums[i] = v; slopes != nil {
				slopes[i] = (1 - v) * (1 + v)
			}
		}
	},
	ReLU: func(sums, slopes []float64) {
		for i, s := range sums {
			if sums[i] = max(s, 0); slopes == nil {
				continue
			}
			if slopes[i] = 0; s > 0 {
				slopes[i] = 1
			}
		}
	},
}
