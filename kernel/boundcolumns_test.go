package kernel_test

import (
	"fmt"
	"testing"

	"example.org/mercer/data"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/vec"
)

// Binding the columns first gives the bits of binding both, for rows of any number one
// after the other in the same memory, by compiled plans and by every fallback.
func TestAnchorHasTheBitsOfBind(t *testing.T) {
	for _, text := range []string{
		"rbf(sigma=1.5)", "laplace1(sigma=2) + 0.5*poly(degree=2, offset=1)", "cosine", "minmax", "rbf(sigma=2)[1,3] * linear",
		"normalize(of=poly(degree=2, offset=1))", "periodic(sigma=1, period=2)[0]", "rbf(sigma=3) + normalize(of=linear)",
		"conform(of=rbf(sigma=1), by=\"1+x^2\")[0]", "2*compose(of=normalize(of=linear+1), map=\"x^2\") + linear",
	} {
		k, err := vec.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range []int{4, 40} {
			cols := positive(t, 1, 37, d)
			anchored, old := kernel.BindColumns(k, cols), kernel.Pairs(nil)
			for step, n := range []int{1, 20, 3, 37} {
				var rows data.Set[[]float64] = positive(t, uint64(2+step), n, d)
				if step == 2 {
					rows = data.Subset(rows, []int{2, 0, 1}) // not one block of memory
				}
				old = anchored.Bind(rows, old)
				checkSamePairs(t, fmt.Sprintf("%s, d=%d, %d rows", text, d, n), old, kernel.Bind(k, rows, cols))
			}
		}
	}
}

func TestAnchorOfPointwiseKernels(t *testing.T) {
	rows, cols := positive(t, 3, 4, 2), positive(t, 4, 5, 2)
	k := kernel.Sum[[]float64]{Terms: []kernel.Kernel[[]float64]{manhattan{}, kernel.Scaled[[]float64]{Factor: 2, Of: manhattan{}}}}
	anchored := kernel.BindColumns(k, cols)
	checkSamePairs(t, "sum", anchored.Bind(rows, nil), kernel.Bind(k, rows, cols))
	checkSamePairs(t, "again", anchored.Bind(cols, anchored.Bind(rows, nil)), kernel.Bind(k, cols, cols))
}

// manhattan belongs to no family.
type manhattan struct{}

func (manhattan) String() string { return "manhattan" }

func (manhattan) Eval(x, y []float64) float64 {
	return x[0] - y[0] + 3*(x[1]-y[1])
}

func positive(t *testing.T, seed uint64, n, d int) data.Vectors {
	rng, xs := testkit.Rand(t, seed), data.MakeVectors(n, d)
	for i := range xs.Raw() {
		xs.Raw()[i] = rng.Float64() + 0.1
	}
	return xs
}

func checkSamePairs(t *testing.T, name string, got, want kernel.Pairs) {
	t.Helper()
	rows, cols := want.Dims()
	if r, c := got.Dims(); r != rows || c != cols {
		t.Errorf("%s: %d×%d pairs, want %d×%d", name, r, c, rows, cols)
		return
	}
	a, b := kernel.NewTile(rows, cols), kernel.NewTile(rows, cols)
	got.Tile(a, 0, 0)
	want.Tile(b, 0, 0)
	for i, v := range a.Data {
		if v != b.Data[i] {
			t.Errorf("%s: element (%d, %d) is %v, want %v to the bit", name, i/cols, i%cols, v, b.Data[i])
			return
		}
	}
}
