package sckn

import (
	"math/rand/v2"

	"example.org/mercer/kernel/ckn"
)

// Augmentation says how images are changed by chance before a step sees them; the zero value leaves
// them as they are.
type Augmentation struct {
	// Shift is the most by which they move, in pixels to each side; what comes in is 0.
	Shift int
	// Flip mirrors half of them, left for right.
	Flip bool
}

// apply stores x, an image of h×w×c numbers, changed by chance.
func (a Augmentation) apply(dst, x []float64, k ckn.Kernel, r *rand.Rand) {
	h, w, c := k.Shape()
	down, right := r.IntN(2*a.Shift+1)-a.Shift, r.IntN(2*a.Shift+1)-a.Shift
	flip := a.Flip && r.IntN(2) == 1
	clear(dst)
	for i := max(0, down); i < min(h, h+down); i++ {
		for j := max(0, right); j < min(w, w+right); j++ {
			from := j - right
			if flip {
				from = w - 1 - from
			}
			at := ((i-down)*w + from) * c
			copy(dst[(i*w+j)*c:(i*w+j+1)*c], x[at:at+c])
		}
	}
}
