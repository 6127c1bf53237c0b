package visual

import (
	"fmt"

	"gonum.org/v1/gonum/floats"
)

// Words is the histogram of visual words: each descriptor counts for the nearest of so many words
// c_j,
//
//	φ_j = weight·(number of descriptors of the cell nearest to c_j)/(number of all of the image),
//
// so that the histograms of a level of the pyramid sum to its weight. The dictionary is the words,
// one after another. Between equally near words the first is taken.
type Words int

// Name returns words.
func (Words) Name() string { return "words" }

// Size returns the number of words.
func (w Words) Size() int { return int(w) }

// Numbers returns d for each word.
func (w Words) Numbers(d int) int { return int(w) * d }

// Features returns the number of words.
func (w Words) Features(int) int { return int(w) }

func (Words) argument() string { return "size" }

func (Words) card() (title, formula, source string) {
	return "histograms of visual words", "k₀(h(x), h(y)), h_j = share of the descriptors whose nearest word is j",
		"Csurka et al., Visual categorization with bags of keypoints (2004); Lazebnik, Schmid and Ponce, CVPR 2006"
}

func (w Words) check(numbers []float64, d int) error { return nil }

func (w Words) of(numbers []float64, d int) coder {
	b := &bag{words: numbers, d: d, halves: make([]float64, w)}
	for j := range b.halves {
		c := numbers[j*d : (j+1)*d]
		b.halves[j] = floats.Dot(c, c) / 2
	}
	return b
}

// bag counts words.
type bag struct {
	words   []float64
	d       int
	halves  []float64 // ‖c_j‖²/2
	inner   []float64
	nearest []int
}

// see finds the nearest word of each descriptor, the j with the largest ⟨x, c_j⟩ − ‖c_j‖²/2.
func (b *bag) see(x []float64, count int) {
	m := len(b.halves)
	b.inner, b.nearest = sized(b.inner, count*m), b.nearest[:0]
	products(false, count, m, b.d, x, b.words, b.inner)
	for i := range count {
		row := b.inner[i*m : (i+1)*m]
		floats.Sub(row, b.halves)
		b.nearest = append(b.nearest, floats.MaxIdx(row))
	}
}

func (b *bag) pool(dst []float64, members []int, weight float64, _ int) {
	clear(dst)
	for _, i := range members {
		dst[b.nearest[i]]++
	}
	floats.Scale(weight/float64(len(b.nearest)), dst)
}

// checkFinite is an error for a number of a dictionary that is none.
func checkFinite(numbers []float64) error {
	for i, v := range numbers {
		if v-v != 0 {
			return fmt.Errorf("number %d of the dictionary (counted from 1) is %v", i+1, v)
		}
	}
	return nil
}
