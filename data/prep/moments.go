package prep

import (
	"math"

	"example.org/mercer/internal/compensated"
)

// moments are the mean and the deviation of numbers xᵢ with weights wᵢ, in three passes. Fields are
// exported so that they can be sent.
type moments struct {
	Begun      bool
	Origin     float64
	Sum, Total compensated.Sum // Σ wᵢ(xᵢ − origin), Σ wᵢ
	Center     float64
	Largest    float64
	Squares    compensated.Sum // Σ wᵢ((xᵢ − center)/largest)²
}

// add is the first pass.
func (m *moments) add(x, w float64) {
	if !m.Begun {
		m.Begun, m.Origin = true, x
	}
	m.Sum.Add(w * (x - m.Origin))
	m.Total.Add(w)
}

// mean ends the first pass: Σ wᵢxᵢ / Σ wᵢ. Values that are all equal give that value exactly.
func (m *moments) mean() float64 {
	m.Center = m.Origin + m.Sum.Value()/m.Total.Value()
	return m.Center
}

// addDifference is the second pass: differences are later scaled by the largest, so that squares
// neither overflow nor vanish.
func (m *moments) addDifference(x, w float64) {
	if w > 0 {
		m.Largest = max(m.Largest, math.Abs(x-m.Center))
	}
}

// constant reports, after the second pass, that the third would find nothing more.
func (m *moments) constant() bool { return m.Largest == 0 || math.IsInf(m.Largest, 0) }

// addSquare is the third pass.
func (m *moments) addSquare(x, w float64) {
	z := (x - m.Center) / m.Largest
	m.Squares.Add(w * z * z)
}

// deviation returns √(Σ wᵢ(xᵢ−m)² / Σ wᵢ) about the mean; the n of the divisor is that of the
// population, as in scikit-learn.
func (m *moments) deviation() float64 {
	if m.constant() {
		return m.Largest
	}
	return m.Largest * math.Sqrt(m.Squares.Value()/m.Total.Value())
}

// scale multiplies the weights by 2^by.
func (m *moments) scale(by int) {
	m.Sum.Scale(by)
	m.Total.Scale(by)
	m.Squares.Scale(by)
}

// pooled are the moments of runs of numbers, from which follow those of all numbers.
type pooled []moments

// mean is Σ wᵢxᵢ / Σ wᵢ: of one run its mean, with the same bits.
func (p pooled) mean() float64 {
	var sum, total compensated.Sum
	origin, begun := 0.0, false
	for _, m := range p {
		switch weight := m.Total.Value(); {
		case weight == 0:
			continue
		case !begun:
			origin, begun = m.Origin, true
		case m.Origin != origin: // Σ w(x − o) = Σ w(x − o′) + (o′ − o)·Σ w
			sum.AddProduct(weight, m.Origin, -origin)
		}
		sum.Merge(m.Sum, 1)
		total.Merge(m.Total, 1)
	}
	return origin + sum.Value()/total.Value()
}

// deviation adds the squares within the runs and those of their means:
// Σ wᵢ(xᵢ−m)² = Σᵣ (Σ_{i∈r} wᵢ(xᵢ−mᵣ)² + Wᵣ(mᵣ−m)²), all divided by the largest
// difference. Of one run it is its deviation, with the same bits. Source: Chan, Golub and
// LeVeque, Algorithms for computing the sample variance, The American Statistician 37 (1983),
// equation 2.1.
func (p pooled) deviation() float64 {
	mean, largest := p.mean(), 0.0
	for _, m := range p {
		if m.Total.Value() > 0 {
			largest = max(largest, m.Largest, math.Abs(m.Center-mean))
		}
	}
	if largest == 0 || math.IsInf(largest, 0) || math.IsNaN(largest) {
		return largest
	}
	var squares, total compensated.Sum
	for _, m := range p {
		weight := m.Total.Value()
		if weight == 0 {
			continue
		}
		within, between := m.Largest/largest, (m.Center-mean)/largest
		squares.Merge(m.Squares, within*within)
		squares.Add(weight * between * between)
		total.Merge(m.Total, 1)
	}
	return largest * math.Sqrt(squares.Value()/total.Value())
}

func weightAt(ws []float64, i int) float64 {
	if ws == nil {
		return 1
	}
	return ws[i]
}
