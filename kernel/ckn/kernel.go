package ckn

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"example.org/mercer/kernel"
)

// Kernel is the exact kernel of a network. [New] makes one; the zero value is none.
type Kernel struct {
	shape        [3]int
	input        Input
	orientations int
	reduce       int
	layers       []Layer
	normalized   bool
	whitening    *Whitening
}

// Layer compares patches of Patch×Patch positions by exp((cos − 1)/Sigma²), and pools what comes
// out by Pool: of h rows are left ⌈h/Pool⌉, centred on the image, the weight of a row at the
// distance d ≤ Pool is exp(−d²/Pool²), and the weights of each sum to 1. With Pool 1 nothing is
// pooled. Columns likewise.
type Layer struct {
	Patch, Pool int
	Sigma       float64
}

// Options are what a kernel consists of.
type Options struct {
	// Shape is the number of rows, columns and channels of an image.
	Shape [3]int
	// Input says what the first layer sees; "" is [Raw].
	Input Input
	// Orientations is the number of those of [Gradient]; 0 is 12.
	Orientations int
	// Reduce pools the map that the first layer sees, as the Pool of a [Layer]; 0 is 1.
	Reduce int
	Layers []Layer
	// Normalize divides the kernel by √(k(x, x)·k(y, y)), so that images of different contrast are
	// compared alike. An image with k(x, x) = 0 stays 0 against every other.
	Normalize bool
}

// most bounds the numbers of a map, so that a text cannot ask for any memory.
const most = 1 << 20

// New makes a kernel. The errors are those of the options, all at once.
func New(o Options) (Kernel, error) {
	k := of(o)
	return k, k.checked()
}

// Problems returns what is wrong with the options.
func (o Options) Problems() []error { return of(o).problems() }

// of returns the kernel of options that nobody has checked.
func of(o Options) Kernel {
	k := Kernel{shape: o.Shape, input: o.Input, orientations: o.Orientations, reduce: max(o.Reduce, 1), layers: slices.Clone(o.Layers), normalized: o.Normalize}
	if k.input == "" {
		k.input = Raw
	}
	if k.orientations == 0 {
		k.orientations = 12
	}
	return k
}

// checked returns all problems of a kernel in one error.
func (k Kernel) checked() error {
	all := k.problems()
	for i, err := range all {
		all[i] = fmt.Errorf("ckn: %w", err)
	}
	return errors.Join(all...)
}

// problems returns what is wrong with a kernel.
func (k Kernel) problems() (all []error) {
	add := func(format string, args ...any) { all = append(all, fmt.Errorf(format, args...)) }
	h, w, c := k.shape[0], k.shape[1], k.shape[2]
	if h < 1 || w < 1 || c < 1 || h > most || w > most || c > most || h*w > most || h*w*c > most {
		add("shape = [%d, %d, %d] is none of an image: give the rows, columns and channels, such as [28, 28, 1]", h, w, c)
		return all
	}
	if !slices.Contains(Inputs, k.input) {
		add("input %q is not known: there are %q", k.input, Inputs)
	}
	if k.orientations < 2 || k.orientations > 1024 {
		add("orientations = %d: give from 2 to 1024 directions", k.orientations)
	}
	if k.reduce > max(h, w) {
		add("reduce = %d is more than the %d×%d pixels", k.reduce, h, w)
	}
	if len(k.layers) == 0 {
		add("there is no layer: give patch, pool and sigma, one for each")
	}
	for i, l := range k.layers {
		switch {
		case l.Patch < 1 || l.Patch > max(h, w):
			add("patch = %d of layer %d does not fit in images of %d×%d", l.Patch, i+1, h, w)
		case l.Pool < 1 || l.Pool > max(h, w):
			add("pool = %d of layer %d: give from 1 to %d", l.Pool, i+1, max(h, w))
		case !(l.Sigma > 0) || math.IsInf(l.Sigma, 1):
			add("sigma = %v of layer %d must be a finite number above 0", l.Sigma, i+1)
		}
	}
	return all
}

// Shape returns the rows, columns and channels of an image.
func (k Kernel) Shape() (h, w, c int) { return k.shape[0], k.shape[1], k.shape[2] }

// Layers returns the layers.
func (k Kernel) Layers() []Layer { return slices.Clone(k.layers) }

// Normalized reports whether k(x, x) = 1.
func (k Kernel) Normalized() bool { return k.normalized }

// Input returns what the first layer sees.
func (k Kernel) Input() Input { return k.input }

// String returns ckn(shape=…, …), with what has the default left out.
func (k Kernel) String() string {
	var patch, pool, sigma []string
	for _, l := range k.layers {
		patch, pool = append(patch, strconv.Itoa(l.Patch)), append(pool, strconv.Itoa(l.Pool))
		sigma = append(sigma, strconv.FormatFloat(l.Sigma, 'g', -1, 64))
	}
	text := fmt.Sprintf("ckn(shape=[%d, %d, %d]", k.shape[0], k.shape[1], k.shape[2])
	if k.input != Raw {
		text += ", input=" + string(k.input)
	}
	if k.input == Gradient && k.orientations != 12 {
		text += fmt.Sprintf(", orientations=%d", k.orientations)
	}
	if k.reduce != 1 {
		text += fmt.Sprintf(", reduce=%d", k.reduce)
	}
	text += ", patch=" + listed(patch) + ", pool=" + listed(pool) + ", sigma=" + listed(sigma)
	if k.normalized {
		text += ", normalize=yes"
	}
	return text + ")"
}

// listed writes numbers as an argument, one of them without brackets.
func listed(words []string) string {
	if len(words) == 1 {
		return words[0]
	}
	return "[" + strings.Join(words, ", ") + "]"
}

// Contains refuses points that are no images of the shape, and numbers that are not finite.
func (k Kernel) Contains(x []float64) error {
	if err := k.CheckImage(x); err != nil {
		return fmt.Errorf("ckn: %w", err)
	}
	return nil
}

// CheckImage is [Kernel.Contains] in the name of whoever else looks at such images.
func (k Kernel) CheckImage(x []float64) error {
	if size := k.shape[0] * k.shape[1] * k.shape[2]; len(x) != size {
		return fmt.Errorf("images of %d×%d pixels with %d channels are %d numbers, and a point has %d%s", k.shape[0], k.shape[1], k.shape[2], size, len(x), k.guess(len(x)))
	}
	for j, v := range x {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("coordinate %d is %v: the numbers of an image are finite", j, v)
		}
	}
	return nil
}

// guess proposes a shape for so many numbers.
func (k Kernel) guess(n int) string {
	for _, c := range []int{1, 3, 4} {
		if side := int(math.Round(math.Sqrt(float64(n / c)))); side > 1 && side*side*c == n {
			return fmt.Sprintf(": write shape=[%d, %d, %d] if they are %d×%d pixels, and see that every other column is dropped or a target", side, side, c, side, side)
		}
	}
	return ": write the shape of the images, and see that every other column is dropped or a target"
}

// Parameters returns the sigmas.
func (k Kernel) Parameters() []kernel.Parameter {
	out := make([]kernel.Parameter, len(k.layers))
	for i, l := range k.layers {
		out[i] = kernel.Parameter{Name: "ckn.sigma", Value: l.Sigma, Positive: true}
		if len(k.layers) > 1 {
			out[i].Name = fmt.Sprintf("ckn.sigma[%d]", i)
		}
	}
	return out
}

// With returns the kernel with other sigmas.
func (k Kernel) With(values []float64) (kernel.Kernel[[]float64], error) {
	if len(values) != len(k.layers) {
		return k, fmt.Errorf("ckn: %d values for the sigmas of %d layers", len(values), len(k.layers))
	}
	k.layers = slices.Clone(k.layers)
	for i, v := range values {
		k.layers[i].Sigma = v
	}
	return k, k.checked()
}

// Derive gives the proof.
func (k Kernel) Derive() kernel.Derivation {
	return kernel.Derivation{Kernel: k.String(), Verdict: kernel.Definite,
		Reason: "‖x‖‖y‖·exp((cos(x, y) − 1)/σ²) of patches is positive definite, as exp has positive Taylor coefficients; pooling is a linear map of its features, and k a sum of inner products of these, or their cosine (Mairal 2016)"}
}

// Reference describes the kernel.
func (k Kernel) Reference() kernel.Reference {
	return kernel.Reference{
		Name: "ckn", Title: "convolutional kernel network, exact",
		Formula: "Σ_p ⟨φ_L(p; x), φ_L(p; y)⟩, φ'(p) = Σ_q g(p, q)·ψ(patch of φ at q), ⟨ψ(u), ψ(v)⟩ = ‖u‖‖v‖·exp((cos(u, v) − 1)/σ²)",
		Domain:  fmt.Sprintf("x, y: images of %d×%d pixels with %d channels, row by row", k.shape[0], k.shape[1], k.shape[2]),
		Source:  "Mairal, Koniusz, Harchaoui and Schmid, NIPS 2014; Mairal, NIPS 2016; Bietti and Mairal, JMLR 20 (2019)",
		SeeAlso: []string{"rbf"},
	}
}

var (
	_ kernel.Tunable[[]float64] = Kernel{}
	_ kernel.Binder[[]float64]  = Kernel{}
	_ kernel.Domain[[]float64]  = Kernel{}
	_ kernel.Deriver            = Kernel{}
	_ kernel.Describer          = Kernel{}
)
