package prep

import "math"

// accumulator is a sum compensated as by Neumaier (1974): its error is one rounding
// of the result plus n·ε² of the absolute sum.
type accumulator struct{ sum, lost float64 }

func (a *accumulator) add(x float64) {
	s := a.sum + x
	if math.Abs(a.sum) >= math.Abs(x) {
		a.lost += (a.sum - s) + x
	} else {
		a.lost += (x - s) + a.sum
	}
	a.sum = s
}

func (a *accumulator) value() float64 { return a.sum + a.lost }

// moments are the mean and the deviation of numbers xᵢ with weights wᵢ, in three passes.
type moments struct {
	begun      bool
	origin     float64
	sum, total accumulator // Σ wᵢ(xᵢ − origin), Σ wᵢ
	center     float64
	largest    float64
	squares    accumulator
}

// add is the first pass.
func (m *moments) add(x, w float64) {
	if !m.begun {
		m.begun, m.origin = true, x
	}
	m.sum.add(w * (x - m.origin))
	m.total.add(w)
}

// mean ends the first pass: Σ wᵢxᵢ / Σ wᵢ. Values that are all equal give that value exactly.
func (m *moments) mean() float64 {
	m.center = m.origin + m.sum.value()/m.total.value()
	return m.center
}

// addDifference is the second pass: differences are later scaled by the largest, so that squares
// neither overflow nor vanish.
func (m *moments) addDifference(x, w float64) {
	if w > 0 {
		m.largest = max(m.largest, math.Abs(x-m.center))
	}
}

// constant reports, after the second pass, that the third would find nothing more.
func (m *moments) constant() bool { return m.largest == 0 || math.IsInf(m.largest, 0) }

// addSquare is the third pass.
func (m *moments) addSquare(x, w float64) {
	z := (x - m.center) / m.largest
	m.squares.add(w * z * z)
}

// deviation returns √(Σ wᵢ(xᵢ−m)² / Σ wᵢ) about the mean; the n of the divisor is that of the
// population, as in scikit-learn.
func (m *moments) deviation() float64 {
	if m.constant() {
		return m.largest
	}
	return m.largest * math.Sqrt(m.squares.value()/m.total.value())
}

func weightAt(ws []float64, i int) float64 {
	if ws == nil {
		return 1
	}
	return ws[i]
}
