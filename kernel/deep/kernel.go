package deep

import (
	"fmt"
	"strconv"
	"strings"
	"sync"

	"example.org/mercer/data"
	"example.org/mercer/kernel"
)

// Kernel is k(x, y) = Of(φ(x), φ(y)) after a network φ. [NewKernel] makes one; the zero value is no
// kernel.
type Kernel struct {
	kernel.Composed[[]float64, []float64]
	// Network has weights where they were given; otherwise its Inputs are 0, and points of d
	// coordinates go through [Draw] of d and Seed.
	Network Network
	Seed    uint64
	drawn   *sync.Map // from d to a Network
}

// NewKernel returns the kernel of a network with the given weights, or for nil weights that of one
// that is drawn by the seed. The errors are those of [New].
func NewKernel(of kernel.Kernel[[]float64], widths []int, a Activation, weights []float64, seed uint64) (Kernel, error) {
	k := Kernel{Network: Network{Widths: widths, Activation: a}, Seed: seed, drawn: new(sync.Map)}
	err := checkShape(widths, a)
	if err == nil && weights != nil {
		k.Network, err = New(widths, a, weights)
	}
	k.Composed = kernel.Composed[[]float64, []float64]{Of: of, By: k.image, Text: "a network"}
	return k, err
}

// Trained reports whether the network has weights of its own, and was not drawn by the seed.
func (k Kernel) Trained() bool { return k.Network.Weights != nil }

// On returns the network for points of d coordinates.
func (k Kernel) On(d int) Network {
	if k.Trained() {
		return k.Network
	}
	n, ok := k.drawn.Load(d)
	if !ok {
		n, _ = k.drawn.LoadOrStore(d, Draw(d, k.Network.Widths, k.Network.Activation, k.Seed))
	}
	return n.(Network)
}

// Started returns the network where learning starts: that of the kernel, or the one of the seed
// with images as far apart as the points, [Network.Spread].
func (k Kernel) Started(xs data.Set[[]float64]) Network {
	if k.Trained() || xs.Len() == 0 {
		return k.Network
	}
	return k.On(len(xs.At(0))).Spread(xs)
}

// WithNetwork returns the kernel after another network.
func (k Kernel) WithNetwork(n Network) (Kernel, error) {
	return NewKernel(k.Of, n.Widths, n.Activation, n.Weights, k.Seed)
}

func (k Kernel) image(x []float64) []float64 { return k.On(len(x)).Image(x) }

// String returns deep(of=…, widths=[…], activation=…, weights=[…]), or with seed=… in their place.
func (k Kernel) String() string {
	if !k.Trained() {
		return "deep(of=" + k.Of.String() + ", " + k.shape() + ", seed=" + strconv.FormatUint(k.Seed, 10) + ")"
	}
	texts := make([]string, len(k.Network.Weights))
	for i, v := range k.Network.Weights {
		texts[i] = strconv.FormatFloat(v, 'g', -1, 64)
	}
	return "deep(of=" + k.Of.String() + ", " + k.shape() + ", weights=[" + strings.Join(texts, ", ") + "])"
}

// shape returns the arguments that say what the network is like.
func (k Kernel) shape() string {
	widths := make([]string, len(k.Network.Widths))
	for i, w := range k.Network.Widths {
		widths[i] = strconv.Itoa(w)
	}
	return "widths=[" + strings.Join(widths, ", ") + "], activation=" + string(k.Network.Activation)
}

// Contains refuses points whose number of coordinates is not that of the network, numbers that are
// not finite, and images that Of refuses.
func (k Kernel) Contains(x []float64) error {
	if k.Trained() && len(x) != k.Network.Inputs {
		return fmt.Errorf("deep has a network of %d coordinates but the point has %d: choose %d columns, or leave the weights out, so that it is learned anew", k.Network.Inputs, len(x), k.Network.Inputs)
	}
	if len(x) == 0 {
		return fmt.Errorf("deep has a network, and the point has no coordinates")
	}
	for j, v := range x {
		if v-v != 0 {
			return fmt.Errorf("coordinate %d (counted from 1) is %v: a network wants finite numbers", j+1, v)
		}
	}
	return k.Composed.Contains(x)
}

// With returns the kernel with other parameters of Of; the weights are no parameters.
func (k Kernel) With(values []float64) (kernel.Kernel[[]float64], error) {
	with, err := k.Composed.With(values)
	if err != nil {
		return k, err
	}
	k.Composed = with.(kernel.Composed[[]float64, []float64])
	return k, nil
}

// Derive applies the rule of composition.
func (k Kernel) Derive() kernel.Derivation {
	d := k.Composed.Derive()
	d.Kernel = k.String()
	return d
}

// Reference describes the kernel.
func (k Kernel) Reference() kernel.Reference {
	return kernel.Reference{
		Name: "deep", Title: "kernel after a feed-forward network: deep kernel learning", Formula: "k₀(φ(x), φ(y)), φ(x) = W_L a(… a(W₁x + b₁) …) + b_L",
		Domain:      "x, y ∈ ℝᵈ",
		Equivalents: []string{"k₀ = " + k.Of.String(), "network: " + k.shape()},
		Source:      "Wilson, Hu, Salakhutdinov & Xing, Deep kernel learning (2016)",
		SeeAlso:     []string{"mahalanobis", "nngp", "ntk", "ckn"},
	}
}

// Lacking returns the first kernel after a network without weights that k is made of, and whether
// there is one.
func Lacking(k kernel.Kernel[[]float64]) (Kernel, bool) {
	switch k := k.(type) {
	case Kernel:
		return k, !k.Trained()
	case kernel.Compound[[]float64]:
		for _, part := range k.Parts() {
			if found, ok := Lacking(part); ok {
				return found, true
			}
		}
	}
	return Kernel{}, false
}
