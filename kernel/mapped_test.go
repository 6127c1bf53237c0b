package kernel_test

import (
	"testing"

	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel"
)

// plane is the inner product in d dimensions.
type plane struct{}

func (plane) Eval(x, y []float64) (sum float64) {
	for i := range x {
		sum += x[i] * y[i]
	}
	return sum
}
func (plane) String() string                      { return "plane" }
func (plane) Features(like []float64) (int, bool) { return len(like), true }
func (plane) Map(phi, x []float64)                { copy(phi, x) }

// The lengths of the maps in closed form, for d = 3: sums add, products multiply,
// powers choose, C(d+p−1, p).
func TestMapsHaveTheExpectedLength(t *testing.T) {
	x, y := []float64{1, 2, -3}, []float64{0.5, -1, 4}
	one, p := kernel.Constant[[]float64]{Value: 1}, plane{}
	list := func(k ...kernel.Kernel[[]float64]) []kernel.Kernel[[]float64] { return k }
	for _, c := range []struct {
		k    kernel.Mapped[[]float64]
		want int
	}{
		{kernel.Sum[[]float64]{Terms: list(p, p, one)}, 7},
		{kernel.Product[[]float64]{Factors: list(p, p)}, 9},
		{kernel.Power[[]float64]{Of: p, Degree: 2}, 6},
		{kernel.Power[[]float64]{Of: p, Degree: 4}, 15},
		{kernel.Power[[]float64]{Of: kernel.Sum[[]float64]{Terms: list(one, p)}, Degree: 3}, 20},
		{kernel.Power[[]float64]{Of: p, Degree: 0}, 1},
		{kernel.Series[[]float64]{Of: p, Coefficients: []float64{1, 0, 0.5, 2}}, 1 + 6 + 10},
		{kernel.Scaled[[]float64]{Factor: 4, Of: p}, 3},
	} {
		dim, ok := c.k.Features(x)
		if !ok || dim != c.want {
			t.Errorf("%s has %d features, %v, want %d", c.k, dim, ok, c.want)
			continue
		}
		fx, fy := make([]float64, dim), make([]float64, dim)
		c.k.Map(fx, x)
		c.k.Map(fy, y)
		testkit.Close(t, c.k.String(), plane{}.Eval(fx, fy), c.k.Eval(x, y), 1e-13)
	}
}

func TestNoMapWhereThereIsNone(t *testing.T) {
	wide := make([]float64, 2000)
	list := func(k ...kernel.Kernel[[]float64]) []kernel.Kernel[[]float64] { return k }
	for _, k := range []kernel.Mapped[[]float64]{
		kernel.Constant[[]float64]{Value: -1},
		kernel.Scaled[[]float64]{Factor: -1, Of: plane{}},
		kernel.Series[[]float64]{Of: plane{}, Coefficients: []float64{1, -1}},
		kernel.Series[[]float64]{Of: plane{}, Coefficients: []float64{0, 0, 0, 1}},
		kernel.Product[[]float64]{Factors: list(plane{}, plane{})},
		kernel.Power[[]float64]{Of: plane{}, Degree: 2},
		kernel.Power[[]float64]{Of: plane{}, Degree: -1},
		kernel.Sum[[]float64]{Terms: list(plane{}, kernel.Exp[[]float64]{Of: plane{}})},
		kernel.Normalized[[]float64]{Of: kernel.Exp[[]float64]{Of: plane{}}},
	} {
		if dim, ok := k.Features(wide); ok {
			t.Errorf("%s claims %d features for vectors of 2000 numbers", k, dim)
		}
	}
}
