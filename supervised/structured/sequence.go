package structured

import "fmt"

// Sequence is a line of Length labels from 0 to Labels − 1, with the chain loss
//
//	Δ(y, z) = Σ_t [y_t ≠ z_t] + Chain Σ_t [(y_t, y_{t+1}) ≠ (z_t, z_{t+1})],
//
// Chain ≥ 0; 0 is the Hamming loss. φ(z) has the indicators of (position, label) and, with
// a chain, of (position, pair of labels). Decoding is exact: position by position, or by
// Viterbi's recursion in O(LS²).
type Sequence struct {
	Length, Labels int
	Chain          float64
}

// Dim returns LS, and (L − 1)S² more with a chain.
func (s Sequence) Dim() int {
	d := s.Length * s.Labels
	if s.Chain != 0 {
		d += max(0, s.Length-1) * s.Labels * s.Labels
	}
	return d
}

// Embed stores the indicators.
func (s Sequence) Embed(dst []float64, z []int) error {
	if len(z) != s.Length {
		return fmt.Errorf("it has %d labels in line, and %d are wanted: cut or fill sequences to one length", len(z), s.Length)
	}
	if !(s.Chain >= 0) || s.Chain-s.Chain != 0 {
		return fmt.Errorf("the price of a chain is %v, not a finite number ≥ 0", s.Chain)
	}
	clear(dst)
	for t, label := range z {
		if label < 0 || label >= s.Labels {
			return fmt.Errorf("its label %d is %d: labels are numbered from 0 to %d", t, label, s.Labels-1)
		}
		dst[t*s.Labels+label] = 1
	}
	if s.Chain != 0 {
		for t := range s.Length - 1 {
			dst[s.pair(t, z[t], z[t+1])] = 1
		}
	}
	return nil
}

// pair is the place of the labels a, b at t and t + 1.
func (s Sequence) pair(t, a, b int) int {
	return s.Length*s.Labels + (t*s.Labels+a)*s.Labels + b
}

// Decode returns the sequence with the largest Σ θ_{t,y_t} + Chain Σ θ_{t,y_t,y_{t+1}}.
func (s Sequence) Decode(theta []float64) []int {
	back := make([][]int, s.Length)
	value, next := make([]float64, s.Labels), make([]float64, s.Labels)
	for t := range s.Length {
		back[t] = make([]int, s.Labels)
		for b := range s.Labels {
			best, from := value[0]+s.link(theta, t-1, 0, b), 0
			for a := 1; a < s.Labels; a++ {
				if v := value[a] + s.link(theta, t-1, a, b); v > best {
					best, from = v, a
				}
			}
			next[b], back[t][b] = best+theta[t*s.Labels+b], from
		}
		value, next = next, value
	}
	y := make([]int, s.Length)
	if s.Length == 0 {
		return y
	}
	last := 0
	for b, v := range value {
		if v > value[last] {
			last = b
		}
	}
	for t := s.Length - 1; t >= 0; t-- {
		y[t] = last
		last = back[t][last]
	}
	return y
}

// link is what the labels a, b at t and t + 1 gain.
func (s Sequence) link(theta []float64, t, a, b int) float64 {
	if s.Chain == 0 || t < 0 {
		return 0
	}
	return s.Chain * theta[s.pair(t, a, b)]
}

// Loss returns the chain loss.
func (s Sequence) Loss(y, z []int) float64 {
	sum := 0.0
	for t := range y {
		if y[t] != z[t] {
			sum++
		}
		if t > 0 && (y[t] != z[t] || y[t-1] != z[t-1]) {
			sum += s.Chain
		}
	}
	return sum
}
