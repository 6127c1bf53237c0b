package visual

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"strconv"
	"strings"

	"example.org/mercer/data"
	"example.org/mercer/internal/parallel"
	"example.org/mercer/kernel"
)

// Kernel is k(x, y) = Of(φ(x), φ(y)) of the codes φ of images. [New] makes one; the zero value is
// none. Without a dictionary all values are NaN.
type Kernel struct {
	kernel.Composed[[]float64, []float64]
	Code *Code
}

// New returns the kernel after a code.
func New(of kernel.Kernel[[]float64], c *Code) Kernel {
	k := Kernel{Code: c}
	k.Composed = kernel.Composed[[]float64, []float64]{Of: of, By: k.image, Many: k.images, Text: "a dictionary"}
	return k
}

// WithDictionary returns the kernel by another dictionary.
func (k Kernel) WithDictionary(numbers []float64) (Kernel, error) {
	c, err := k.Code.New(numbers)
	if err != nil {
		return k, err
	}
	return New(k.Of, c), nil
}

// Unlearned says that the dictionary must be learned from images before the kernel has values; nil:
// it has been.
func (k Kernel) Unlearned() error {
	if k.Code.Learned() {
		return nil
	}
	return fmt.Errorf("%s has no dictionary yet: one is learned from the images of a table, where the kernel is the whole expression or a part of one on its columns", k.Code.Coding.Name())
}

// Eval returns Of(φ(x), φ(y)); an image beside itself is coded once.
func (k Kernel) Eval(x, y []float64) float64 {
	phi := k.image(x)
	if len(x) == len(y) && len(x) > 0 && &x[0] == &y[0] {
		return k.Of.Eval(phi, phi)
	}
	return k.Of.Eval(phi, k.image(y))
}

func (k Kernel) image(x []float64) []float64 {
	phi := make([]float64, k.Code.Features())
	if !k.Code.Learned() {
		phi[0] = math.NaN()
		return phi
	}
	k.Code.Of(phi, x)
	return phi
}

// images maps images side by side.
func (k Kernel) images(xs data.Set[[]float64]) data.Set[[]float64] {
	out := data.MakeVectors(xs.Len(), k.Code.Features())
	if !k.Code.Learned() {
		for i := range xs.Len() {
			out.At(i)[0] = math.NaN()
		}
		return out
	}
	// No error: nothing cancels it.
	_ = parallel.Each(context.Background(), runtime.GOMAXPROCS(0), xs.Len(), func(_, i int) { k.Code.Of(out.At(i), xs.At(i)) })
	return out
}

// String returns words(of=…, shape=…, …, size=…, dictionary=[…]), or fisher(…, components=…, …).
func (k Kernel) String() string {
	c := k.Code
	var b strings.Builder
	fmt.Fprintf(&b, "%s(of=%s, %s, %s=%d", c.Coding.Name(), k.Of, c.arguments(), c.Coding.argument(), c.Coding.Size())
	if c.Learned() {
		b.WriteString(", dictionary=[")
		for i, v := range c.numbers {
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString(strconv.FormatFloat(v, 'g', -1, 64))
		}
		b.WriteByte(']')
	}
	b.WriteByte(')')
	return b.String()
}

// Contains refuses points that are no images of the shape, and codes that Of refuses.
func (k Kernel) Contains(x []float64) error {
	if err := k.Code.CheckImage(x); err != nil {
		return err
	}
	if err := k.Unlearned(); err != nil {
		return err
	}
	return k.Composed.Contains(x)
}

// outsideBlock is how many images are coded together to look at their codes.
const outsideBlock = 256

// Outside returns the first point that [Kernel.Contains] refuses, with the reason. It codes images
// side by side.
func (k Kernel) Outside(xs data.Set[[]float64]) (row int, err error) {
	end, last := xs.Len(), error(nil)
	for i := range end {
		if err := k.Code.CheckImage(xs.At(i)); err != nil {
			end, last = i, err
			break
		}
	}
	if err := k.Unlearned(); err != nil && end > 0 {
		return 0, err
	}
	for from := 0; from < end; from += outsideBlock {
		block := data.Run(xs, from, min(from+outsideBlock, end))
		if i, err := kernel.Outside(k.Of, k.images(block)); err != nil {
			return from + i, k.Contains(block.At(i))
		}
	}
	if last == nil {
		end = -1
	}
	return end, last
}

// With returns the kernel with other parameters of Of; the dictionary is no parameter.
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
	r := kernel.Reference{
		Name: k.Code.Coding.Name(), Domain: fmt.Sprintf("x, y: images of %d×%d pixels with %d channels, row by row", k.Code.Shape[0], k.Code.Shape[1], k.Code.Shape[2]),
		Equivalents: []string{"k₀ = " + k.Of.String(), "codes: " + k.Code.arguments()}, SeeAlso: []string{"ckn", "intersection", "chi2"},
	}
	r.Title, r.Formula, r.Source = k.Code.Coding.card()
	return r
}

var (
	_ kernel.Tunable[[]float64] = Kernel{}
	_ kernel.Binder[[]float64]  = Kernel{}
	_ kernel.Domain[[]float64]  = Kernel{}
	_ kernel.Deriver            = Kernel{}
	_ kernel.Describer          = Kernel{}
)
