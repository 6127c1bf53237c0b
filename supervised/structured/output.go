package structured

import (
	"fmt"

	"example.org/mercer/kernel"
)

// Output is a loss with its decoder.
type Output[Y any] interface {
	// Dim is d, the length of φ.
	Dim() int
	// Embed stores φ(z) in dst, or says why z is no answer.
	Embed(dst []float64, z Y) error
	// Decode returns a y with the smallest ⟨ψ(y), theta⟩. It may overwrite theta.
	Decode(theta []float64) Y
	// Loss returns Δ(y, z), y predicted and z true.
	Loss(y, z Y) float64
}

// Candidates is any loss with a finite list of answers to choose from: φ(z) = (Δ(c, z))
// over the candidates c, and the first of the smallest is taken.
type Candidates[Y any] struct {
	List  []Y
	Delta func(y, z Y) float64 // Δ(y, z): y is a candidate, z what was seen
}

// Dim returns the number of candidates.
func (c Candidates[Y]) Dim() int { return len(c.List) }

// Embed stores the loss of every candidate.
func (c Candidates[Y]) Embed(dst []float64, z Y) error {
	for i, y := range c.List {
		dst[i] = c.Delta(y, z)
	}
	return finite(dst)
}

// Decode returns the candidate of the smallest expected loss.
func (c Candidates[Y]) Decode(theta []float64) Y { return c.List[smallest(theta)] }

// Loss returns Δ(y, z).
func (c Candidates[Y]) Loss(y, z Y) float64 { return c.Delta(y, z) }

// Dependency is kernel dependency estimation: the candidate y whose features in the
// RKHS of Kernel are nearest to the regression of the features,
//
//	argmin over y of k(y, y) − 2 Σᵢ αᵢ(x) k(y, yᵢ).
//
// Its loss is the squared distance of features.
type Dependency[Y any] struct {
	Kernel kernel.Kernel[Y]
	List   []Y // the candidates
}

// Dim returns the number of candidates.
func (d Dependency[Y]) Dim() int { return len(d.List) }

// Embed stores k(y, z) for every candidate y.
func (d Dependency[Y]) Embed(dst []float64, z Y) error {
	for i, y := range d.List {
		dst[i] = d.Kernel.Eval(y, z)
	}
	return finite(dst)
}

// Decode returns the candidate with the nearest features.
func (d Dependency[Y]) Decode(theta []float64) Y {
	for i, y := range d.List {
		theta[i] = d.Kernel.Eval(y, y) - 2*theta[i]
	}
	return d.List[smallest(theta)]
}

// Loss returns k(y, y) − 2k(y, z) + k(z, z).
func (d Dependency[Y]) Loss(y, z Y) float64 {
	return d.Kernel.Eval(y, y) - 2*d.Kernel.Eval(y, z) + d.Kernel.Eval(z, z)
}

func finite(v []float64) error {
	for i, x := range v {
		if x-x != 0 {
			return fmt.Errorf("it and candidate %d give %v, not a finite number", i, x)
		}
	}
	return nil
}

// smallest returns the place of the smallest number, the first of equals.
func smallest(v []float64) int {
	best := 0
	for i, x := range v {
		if x < v[best] {
			best = i
		}
	}
	return best
}
