package structured

import (
	"cmp"
	"fmt"
	"slices"
)

// LabelSet is the choice of any of Labels labels, y[l] telling whether label l belongs,
// with the Hamming loss: the number of labels that are wrong. φ(z) = ±1 per label, and
// decoding takes the labels with θ > 0.
type LabelSet struct{ Labels int }

// Dim returns the number of labels.
func (s LabelSet) Dim() int { return s.Labels }

// Embed stores ±1 per label.
func (s LabelSet) Embed(dst []float64, z []bool) error {
	if len(z) != s.Labels {
		return fmt.Errorf("it tells of %d labels, and there are %d", len(z), s.Labels)
	}
	for l, in := range z {
		dst[l] = -1
		if in {
			dst[l] = 1
		}
	}
	return nil
}

// Decode takes the labels with θ > 0.
func (s LabelSet) Decode(theta []float64) []bool {
	y := make([]bool, s.Labels)
	for l, v := range theta {
		y[l] = v > 0
	}
	return y
}

// Loss returns the number of labels in one set only.
func (s LabelSet) Loss(y, z []bool) float64 {
	wrong := 0
	for l := range y {
		if y[l] != z[l] {
			wrong++
		}
	}
	return float64(wrong)
}

// LabelSetF1 is [LabelSet] with the loss 1 − F₁ = 1 − 2|y ∩ z|/(|y| + |z|), 0 where both
// are empty. φ(z) says for every label l and size k whether z has l and k labels, and
// whether z is empty: then the best y with s labels are the s with the largest Σ_k
// θ_{l,k}·2/(s + k), and the best size is tried out: exact, in O(q³) for q labels (after
// Dembczyński, Waegeman, Cheng and Hüllermeier, An exact algorithm for F-measure
// maximization, 2011).
type LabelSetF1 struct{ Labels int }

// Dim returns q² + 1.
func (s LabelSetF1) Dim() int { return s.Labels*s.Labels + 1 }

// Embed stores the labels in the place of their number, or 1 in the last place.
func (s LabelSetF1) Embed(dst []float64, z []bool) error {
	if len(z) != s.Labels {
		return fmt.Errorf("it tells of %d labels, and there are %d", len(z), s.Labels)
	}
	clear(dst)
	size := count(z)
	if size == 0 {
		dst[len(dst)-1] = 1
	}
	for l, in := range z {
		if in {
			dst[l*s.Labels+size-1] = 1
		}
	}
	return nil
}

// Decode maximises the expected F₁.
func (s LabelSetF1) Decode(theta []float64) []bool {
	best, most := make([]bool, s.Labels), theta[len(theta)-1]
	order, score := make([]int, s.Labels), make([]float64, s.Labels)
	for size := 1; size <= s.Labels; size++ {
		for l := range score {
			order[l], score[l] = l, 0
			for k := 1; k <= s.Labels; k++ {
				score[l] += theta[l*s.Labels+k-1] * 2 / float64(size+k)
			}
		}
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(score[b], score[a]) })
		sum := 0.0
		for _, l := range order[:size] {
			sum += score[l]
		}
		if sum > most {
			most = sum
			clear(best)
			for _, l := range order[:size] {
				best[l] = true
			}
		}
	}
	return best
}

// Loss returns 1 − F₁.
func (s LabelSetF1) Loss(y, z []bool) float64 {
	both, sizes := 0, count(y)+count(z)
	if sizes == 0 {
		return 0
	}
	for l := range y {
		if y[l] && z[l] {
			both++
		}
	}
	return 1 - 2*float64(both)/float64(sizes)
}

func count(y []bool) int {
	n := 0
	for _, in := range y {
		if in {
			n++
		}
	}
	return n
}
