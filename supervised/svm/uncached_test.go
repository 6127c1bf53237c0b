package svm

import (
	"slices"
	"testing"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/gram"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/model"
)

// answers returns n rows of 0 and 1, of which at most 6 of 24 are 1, and classes that these tell,
// but for a share of rows whose class is drawn.
func answers(t testing.TB, n int, noise float64) (data.Vectors, []int) {
	rng, xs, y := testkit.Rand(t, 61), data.MakeVectors(n, 24), make([]int, n)
	for i := range n {
		sum := 0.0
		for range 6 {
			c := rng.IntN(24)
			xs.At(i)[c] = 1
			sum += float64(c) - 11.5
		}
		if y[i] = rng.IntN(2); rng.Float64() >= noise {
			y[i] = 0
			if sum > 0 {
				y[i] = 1
			}
		}
	}
	return xs, y
}

// priced is a source whose kernel values have the price of its rows, the largest of them.
type priced struct {
	gram.Source
	price func(row int) float64
}

// Bind returns pairs that compute what those of the points do.
func (p priced) Bind(rows, cols []int) kernel.Pairs {
	most := 0.0
	for _, row := range rows {
		most = max(most, p.price(row))
	}
	return withPrice{p.Source.Bind(rows, cols).(kernel.Single), most}
}

type withPrice struct {
	kernel.Single
	price float64
}

func (p withPrice) Cost() float64 { return p.price }

func at(price float64) func(int) float64 { return func(int) float64 { return price } }

// A row that is computed when it is asked for has the bits of the matrix in memory at the columns
// that are wanted, and stays until the next but one is.
func TestRowsAnew(t *testing.T) {
	t.Run("single", testRowsAnew[float32])
	t.Run("double", testRowsAnew[float64])
}

func testRowsAnew[F float32 | float64](t *testing.T) {
	const n = 300
	xs, _ := answers(t, n, 1)
	for name, k := range map[string]kernel.Kernel[[]float64]{"table": vec.RBF{Sigma: 2}, "formula": vec.Laplace{}} {
		src, order := gram.On(k, xs), testkit.Rand(t, 62).Perm(n)
		stored, computed := &storedMatrix[F]{}, &uncachedRows[F]{}
		for _, known := range []int{0, 170} {
			rows := order[:max(known, 170)]
			if known > 0 {
				rows = order
			}
			for _, k := range []held[F]{stored, computed} {
				if err := k.extendBy(t.Context(), src, rows, known, 2, &arena[F]{most: n * n}); err != nil {
					t.Fatal(err)
				}
				if k.size() != len(rows) {
					t.Errorf("%s: %d rows, want %d", name, k.size(), len(rows))
				}
			}
		}
		of := []span{{3, 60}, {170, n}}
		want, got := stored.reader(of), computed.reader(of)
		row := func(r rows[F], i int) []F {
			var out []F
			for _, s := range of {
				block, first := r.blockOf(s.from)
				part, err := r.row(t.Context(), i, block)
				if err != nil {
					t.Fatal(err)
				}
				out = append(out, part[s.from-first:s.to-first]...)
			}
			return out
		}
		before, last := []F(nil), []F(nil)
		for step, i := range []int{5, 200, 5, 5, 7, 299, 7, 0} {
			if !slices.Equal(row(got, i), row(want, i)) {
				t.Fatalf("%s: row %d is another than in memory", name, i)
			}
			now, _ := got.row(t.Context(), i, 0)
			if step > 0 && !slices.Equal(last, before) {
				t.Errorf("%s: row %d took the place of the one before", name, i)
			}
			last, before = now, slices.Clone(now)
		}
	}
}

// A search whose rows are computed takes the steps of one whose matrix is in memory where all rows
// are searched at once, to the bit and for any number of workers, and finds the same minimum by
// working sets. It does so where the matrix would not fit; where a row that joins makes values
// dear, rows are stored from then on.
func TestSearchAnewIsTheSearch(t *testing.T) {
	const n = 2100
	for _, tc := range []struct {
		name  string
		noise float64
	}{{"parts", 0}, {"all", 1}} {
		xs, y := answers(t, n, tc.noise)
		solve := func(price func(int) float64, workers int, memory int64) (*Solution, *Report) {
			o := Options{C: 20}
			o.Compute = compute.Options{Workers: workers, MaxMemory: memory}
			s, r, err := Solve(t.Context(), Dual{priced{gram.On(vec.RBF{Sigma: 10}, xs), price}}, y, o)
			if err != nil {
				t.Fatal(err)
			}
			if !r.Converged {
				t.Fatalf("%s: not converged: %q", tc.name, r.Warnings)
			}
			return s, r
		}
		want, stored := solve(at(anewPrice+1), 2, 0)
		first, report := solve(at(anewPrice), 1, 0)
		if parts := slices.ContainsFunc(report.Stages, func(s model.Stage) bool { return s.Name == "outside" }); parts != (tc.name == "parts") {
			t.Errorf("%s: stages %v", tc.name, report.Stages)
		}
		testkit.Close(t, tc.name, report.Problems[0].Objective, stored.Problems[0].Objective, 1e-6)
		if bits := slices.Equal(first.Coef.RawMatrix().Data, want.Coef.RawMatrix().Data); tc.name == "all" && !bits {
			t.Error("rows that are computed: other coefficients than with the matrix in memory")
		}
		if report.Evaluations == stored.Evaluations {
			t.Errorf("%s: %d kernel values, as with a matrix that is stored", tc.name, report.Evaluations)
		}
		for _, workers := range []int{2, 3, 8} {
			got, r := solve(at(anewPrice), workers, 0)
			if !slices.Equal(got.Coef.RawMatrix().Data, first.Coef.RawMatrix().Data) || r.Evaluations != report.Evaluations {
				t.Errorf("%s, %d workers: other coefficients, or %d kernel values instead of %d", tc.name, workers, r.Evaluations, report.Evaluations)
			}
		}
		_, small := solve(at(anewPrice), 2, n*n/8) // a thirtieth of the matrix
		testkit.Close(t, tc.name+", little memory", small.Problems[0].Objective, stored.Problems[0].Objective, 1e-6)
		_, mixed := solve(func(row int) float64 {
			if row > n/2 && row%3 == 0 { // not among the first rows of the sample
				return anewPrice + 1
			}
			return anewPrice
		}, 2, 0)
		testkit.Close(t, tc.name+", dear rows", mixed.Problems[0].Objective, stored.Problems[0].Objective, 1e-6)
		if mixed.Evaluations == report.Evaluations {
			t.Errorf("%s: %d kernel values where some are dear, as where none is", tc.name, mixed.Evaluations)
		}
	}
}
