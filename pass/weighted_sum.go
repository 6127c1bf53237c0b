package pass

import "example.org/mercer/linalg/level3"

func init() { RegisterWork(WeightedSum{}) }

// WeightedSum is Σ wᵢ(xᵢ − o); wᵢ goes along with the rows.
type WeightedSum struct{ Origin []float64 } // nil: zero

// Sizes returns 1, 0 and dim.
func (WeightedSum) Sizes(dim int) (in, out, sums int) { return 1, 0, dim }

// Worker adds the rows one by one.
func (s WeightedSum) Worker(dim int, _ level3.Implementation) func(Block) {
	origin := s.Origin
	if origin == nil {
		origin = make([]float64, dim)
	}
	return func(b Block) {
		for i := range b.X.RawMatrix().Rows {
			w := b.In.At(i, 0)
			for j, v := range b.X.RawRowView(i) {
				b.Sums[j] += w * (v - origin[j])
			}
		}
	}
}
