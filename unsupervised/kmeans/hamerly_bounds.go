package kmeans

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"example.org/mercer/internal/simd"
)

// hamerlyBounds saves most comparisons of rows with centres:
//
//  1. When the nearest centre of a row is found, keep by what length it is nearer than any other.
//  2. An iteration moves centres. The length falls by at most the movement of the row's own
//     centre plus the longest movement of the others.
//  3. While the length is positive the nearest centre cannot have changed, and the row is not
//     compared.
//
// A clock of each cluster adds up the movements of step 2; of each row it is enough to keep the
// time on that clock until which it holds. Rows that must be compared are compared in single
// precision first.
//
// Hamerly, Making k-means even faster, SDM 2010.
type hamerlyBounds struct {
	d       int
	scale   float64 // of the panels
	single  simd.Centres[float32, int32]
	largest float64 // ‖c‖² of the centres
	scaled  []float64
	narrow  []float32
	clock   []float64 // of each cluster
	until   []float64 // of each row by the clock of its cluster, nil where bounds do not pay
}

// boundsPay is the number of coordinates of all centres from which on bounds are kept: with
// fewer it takes less time to compare a row with all of them than to keep bounds.
const boundsPay = 2048

func newHamerlyBounds(p *problem, k int) hamerlyBounds {
	s := hamerlyBounds{d: p.d, scale: p.panels.scale, scaled: make([]float64, k*p.d), narrow: make([]float32, k*p.d), clock: make([]float64, k)}
	if k*p.d >= boundsPay {
		s.until = make([]float64, p.n)
		for i := range s.until {
			s.until[i] = math.Inf(-1) // nothing is known
		}
	}
	return s
}

// setCentres makes the centres those that rows are compared with.
func (s *hamerlyBounds) setCentres(centres []float64) {
	floats.ScaleTo(s.scaled, s.scale, centres)
	simd.Narrow(s.narrow, s.scaled)
	s.single.Pack(s.narrow, s.d)
	s.largest = 0
	for c := s.scaled; len(c) > 0; c = c[s.d:] {
		s.largest = max(s.largest, floats.Dot(c[:s.d], c[:s.d]))
	}
	if !(s.largest < limit32) { // a start far from all rows: single precision decides nothing
		s.largest = math.Inf(1)
	}
}

// advance moves the clocks on by the movements of the centres.
func (s *hamerlyBounds) advance(movements []float64) {
	most, next := floats.MaxIdx(movements), 0.0
	for j, m := range movements {
		if j != most {
			next = max(next, m)
		}
	}
	for j, m := range movements {
		other := movements[most]
		if j == most {
			other = next
		}
		s.clock[j] = (s.clock[j] + (m+other)*s.scale) * (1 + 0x1p-50)
	}
}

// due lists those of some rows of one panel that must be compared with the centres.
func (s *hamerlyBounds) due(buf *buffer, rows []int, labels []int32) []int {
	if s.until == nil {
		return rows
	}
	buf.due = buf.due[:0]
	for _, i := range rows {
		if !(s.clock[labels[i]] < s.until[i]) {
			buf.due = append(buf.due, i)
		}
	}
	return buf.due
}

// keepUntil notes that the centre j of row i is certain to stay for some time.
func (s *hamerlyBounds) keepUntil(i int, j int32, time float64) {
	if s.until != nil {
		s.until[i] = s.clock[j]*(1-0x1p-50) + time
	}
}
