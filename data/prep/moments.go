package prep

import "math"

// accumulator is a sum compensated as by Neumaier (1974): its error is one rounding
// of the result plus n·ε² of the absolute sum.
type accumulator struct{ Sum, Lost float64 }

func (a *accumulator) add(x float64) {
	s := a.Sum + x
	if math.Abs(a.Sum) >= math.Abs(x) {
		a.Lost += (a.Sum - s) + x
	} else {
		a.Lost += (x - s) + a.Sum
	}
	a.Sum = s
}

// merge adds another sum, times a factor.
func (a *accumulator) merge(b accumulator, factor float64) {
	a.add(factor * b.Sum)
	a.Lost += factor * b.Lost
}

// addProduct adds w(x + y), and what the sum and the product round off.
func (a *accumulator) addProduct(w, x, y float64) {
	s := x + y
	product := w * s
	a.add(product)
	if math.IsInf(product, 0) {
		return
	}
	a.add(math.FMA(w, s, -product))
	z := s - x
	a.add(w * ((x - (s - z)) + (y - z)))
}

// scale multiplies the sum by 2^by.
func (a *accumulator) scale(by int) {
	a.Sum, a.Lost = math.Ldexp(a.Sum, by), math.Ldexp(a.Lost, by)
}

func (a *accumulator) value() float64 { return a.Sum + a.Lost }

// moments are the mean and the deviation of numbers xᵢ with weights wᵢ, in three passes. Fields are
// exported so that they can be sent.
type moments struct {
	Begun      bool
	Origin     float64
	Sum, Total accumulator // Σ wᵢ(xᵢ − origin), Σ wᵢ
	Center     float64
	Largest    float64
	Squares    accumulator // Σ wᵢ((xᵢ − center)/largest)²
}

// add is the first pass.
func (m *moments) add(x, w float64) {
	if !m.Begun {
		m.Begun, m.Origin = true, x
	}
	m.Sum.add(w * (x - m.Origin))
	m.Total.add(w)
}

// mean ends the first pass: Σ wᵢxᵢ / Σ wᵢ. Values that are all equal give that value exactly.
func (m *moments) mean() float64 {
	m.Center = m.Origin + m.Sum.value()/m.Total.value()
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
	m.Squares.add(w * z * z)
}

// deviation returns √(Σ wᵢ(xᵢ−m)² / Σ wᵢ) about the mean; the n of the divisor is that of the
// population, as in scikit-learn.
func (m *moments) deviation() float64 {
	if m.constant() {
		return m.Largest
	}
	return m.Largest * math.Sqrt(m.Squares.value()/m.Total.value())
}

// scale multiplies the weights by 2^by.
func (m *moments) scale(by int) {
	m.Sum.scale(by)
	m.Total.scale(by)
	m.Squares.scale(by)
}

// pooled are the moments of runs of numbers, from which follow those of all numbers.
type pooled []moments

// mean is Σ wᵢxᵢ / Σ wᵢ: of one run its mean, with the same bits.
func (p pooled) mean() float64 {
	var sum, total accumulator
	origin, begun := 0.0, false
	for _, m := range p {
		switch weight := m.Total.value(); {
		case weight == 0:
			continue
		case !begun:
			origin, begun = m.Origin, true
		case m.Origin != origin: // Σ w(x − o) = Σ w(x − o′) + (o′ − o)·Σ w
			sum.addProduct(weight, m.Origin, -origin)
		}
		sum.merge(m.Sum, 1)
		total.merge(m.Total, 1)
	}
	return origin + sum.value()/total.value()
}

// deviation adds the squares within the runs and those of their means:
// Σ wᵢ(xᵢ−m)² = Σᵣ (Σ_{i∈r} wᵢ(xᵢ−mᵣ)² + Wᵣ(mᵣ−m)²), all divided by the largest
// difference. Of one run it is its deviation, with the same bits. Source: Chan, Golub and
// LeVeque, Algorithms for computing the sample variance, The American Statistician 37 (1983),
// equation 2.1.
func (p pooled) deviation() float64 {
	mean, largest := p.mean(), 0.0
	for _, m := range p {
		if m.Total.value() > 0 {
			largest = max(largest, m.Largest, math.Abs(m.Center-mean))
		}
	}
	if largest == 0 || math.IsInf(largest, 0) || math.IsNaN(largest) {
		return largest
	}
	var squares, total accumulator
	for _, m := range p {
		weight := m.Total.value()
		if weight == 0 {
			continue
		}
		within, between := m.Largest/largest, (m.Center-mean)/largest
		squares.merge(m.Squares, within*within)
		squares.add(weight * between * between)
		total.merge(m.Total, 1)
	}
	return largest * math.Sqrt(squares.value()/total.value())
}

func weightAt(ws []float64, i int) float64 {
	if ws == nil {
		return 1
	}
	return ws[i]
}
