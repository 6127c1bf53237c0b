package mercer

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/floats"

	"example.org/mercer/data"
)

// Noise is what is added to clean rows to see how well it is removed. The zero value is
// no noise.
type Noise struct {
	Kind NoiseKind
	// Size is the standard deviation of [GaussianNoise], the probability of [Speckle].
	Size float64
}

// NoiseKind names a kind of noise.
type NoiseKind string

const (
	// GaussianNoise adds a normal number of mean 0 to every number.
	GaussianNoise NoiseKind = "gaussian"
	// Speckle replaces a number, with a probability, by the smallest or the largest of the
	// training table, either as likely: pixels that turn black or white.
	Speckle NoiseKind = "speckle"
)

// ParseNoise reads "gaussian=0.5" or "speckle=0.4"; empty is no noise.
func ParseNoise(text string) (Noise, error) {
	if text == "" {
		return Noise{}, nil
	}
	kind, size, _ := strings.Cut(text, "=")
	n := Noise{Kind: NoiseKind(kind)}
	var err error
	if n.Size, err = strconv.ParseFloat(size, 64); err != nil {
		return n, fmt.Errorf("noise %q: give its kind and its size, such as gaussian=0.5 or speckle=0.4", text)
	}
	return n, n.Check()
}

func (n Noise) Check() error {
	switch {
	case n == Noise{}:
		return nil
	case n.Kind != GaussianNoise && n.Kind != Speckle:
		return fmt.Errorf("noise %q is not known; there are %s and %s", n.Kind, GaussianNoise, Speckle)
	case !(n.Size > 0 && n.Size <= 1e300):
		return fmt.Errorf("noise %s has the size %g; it must be above 0", n.Kind, n.Size)
	case n.Kind == Speckle && n.Size > 1:
		return fmt.Errorf("noise %s has the probability %g, above 1", n.Kind, n.Size)
	}
	return nil
}

// String is the text that ParseNoise reads.
func (n Noise) String() string {
	if n.Kind == "" {
		return ""
	}
	return string(n.Kind) + "=" + strconv.FormatFloat(n.Size, 'g', -1, 64)
}

// MarshalText encodes the noise as String.
func (n Noise) MarshalText() ([]byte, error) { return []byte(n.String()), nil }

// UnmarshalText reads what MarshalText wrote.
func (n *Noise) UnmarshalText(text []byte) (err error) {
	*n, err = ParseNoise(string(text))
	return err
}

// add returns noisy copies of clean rows; least and most are black and white.
func (n Noise) add(clean data.Vectors, least, most float64, seed uint64) data.Vectors {
	rnd := rand.New(rand.NewPCG(seed, 0))
	out := data.MakeVectors(clean.Len(), clean.Dim())
	for i, v := range clean.Raw() {
		switch n.Kind {
		case GaussianNoise:
			v += n.Size * rnd.NormFloat64()
		case Speckle:
			if u := rnd.Float64(); u < n.Size/2 {
				v = least
			} else if u < n.Size {
				v = most
			}
		}
		out.Raw()[i] = v
	}
	return out
}

// extremes returns the smallest and the largest number of rows.
func extremes(xs data.Vectors) (least, most float64) {
	return floats.Min(xs.Raw()), floats.Max(xs.Raw())
}
