package compensated

import "math"

// Sum is a sum compensated as by Neumaier (1974): its error is one rounding
// of the result plus n·ε² of the absolute sum.
type Sum struct{ Sum, Lost float64 }

// Add adds x.
func (a *Sum) Add(x float64) {
	s := a.Sum + x
	if math.Abs(a.Sum) >= math.Abs(x) {
		a.Lost += (a.Sum - s) + x
	} else {
		a.Lost += (x - s) + a.Sum
	}
	a.Sum = s
}

// Merge adds another sum, times a factor.
func (a *Sum) Merge(b Sum, factor float64) {
	a.Add(factor * b.Sum)
	a.Lost += factor * b.Lost
}

// AddProduct adds w(x + y), and what the sum and the product round off.
func (a *Sum) AddProduct(w, x, y float64) {
	s := x + y
	product := w * s
	a.Add(product)
	if math.IsInf(product, 0) {
		return
	}
	a.Add(math.FMA(w, s, -product))
	z := s - x
	a.Add(w * ((x - (s - z)) + (y - z)))
}

// Scale multiplies the sum by 2^by.
func (a *Sum) Scale(by int) {
	a.Sum, a.Lost = math.Ldexp(a.Sum, by), math.Ldexp(a.Lost, by)
}

// Value returns the sum.
func (a *Sum) Value() float64 { return a.Sum + a.Lost }
