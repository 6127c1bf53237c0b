package mkl_test

import (
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/supervised/mkl"
)

func parse(t testing.TB, text string) kernel.Kernel[[]float64] {
	t.Helper()
	k, err := vec.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// bind returns the terms of expressions on points.
func bind(t testing.TB, xs data.Vectors, texts ...string) []kernel.Pairs {
	t.Helper()
	var out []kernel.Pairs
	for _, text := range texts {
		out = append(out, kernel.Bind(parse(t, text), xs, xs))
	}
	return out
}

// problem has targets that only the first of three coordinates says something of.
func problem(t testing.TB, seed uint64, n int) (data.Vectors, *mat.Dense) {
	rng := testkit.Rand(t, seed)
	xs, y := data.MakeVectors(n, 3), mat.NewDense(n, 1, nil)
	for i := range n {
		for j := range 3 {
			xs.At(i)[j] = rng.NormFloat64()
		}
		y.Set(i, 0, -1)
		if math.Abs(xs.At(i)[0]) > 0.7 {
			y.Set(i, 0, 1)
		}
	}
	return xs, y
}

// column is a Gaussian kernel on one coordinate.
func column(t testing.TB, xs data.Vectors, j int) kernel.Pairs {
	one := data.MakeVectors(xs.Len(), 1)
	for i := range xs.Len() {
		one.At(i)[0] = xs.At(i)[j]
	}
	return bind(t, one, "rbf(sigma=0.7)")[0]
}

// centre returns W½HKHᵀW½ by the products of its definition.
func centre(t testing.TB, p kernel.Pairs, w []float64) *mat.Dense {
	t.Helper()
	n, _ := p.Dims()
	k := mat.NewDense(n, n, nil)
	tile := kernel.Tile{Rows: n, Cols: n, Stride: n, Data: k.RawMatrix().Data}
	p.Tile(tile, 0, 0)
	h := mat.NewDense(n, n, nil)
	total := floats.Sum(w)
	for i := range n {
		for j := range n {
			h.Set(i, j, -w[j]/total)
		}
		h.Set(i, i, h.At(i, i)+1)
	}
	var out mat.Dense
	out.Product(h, k, h.T())
	out.Apply(func(i, j int, v float64) float64 { return v * math.Sqrt(w[i]*w[j]) }, &out)
	return &out
}

func inner(a, b *mat.Dense) float64 { return floats.Dot(a.RawMatrix().Data, b.RawMatrix().Data) }

func ones(n int) []float64 { return slices.Repeat([]float64{1}, n) }

// target is the centred YYᵀ.
func target(y *mat.Dense, w []float64) *mat.Dense {
	n, m := y.Dims()
	c := mat.DenseCopyOf(y)
	for j := range m {
		mean := floats.Dot(mat.Col(nil, j, y), w) / floats.Sum(w)
		for i := range n {
			c.Set(i, j, math.Sqrt(w[i])*(y.At(i, j)-mean))
		}
	}
	var out mat.Dense
	out.Mul(c, c.T())
	return &out
}

// The alignments are those of matrices centred by hand; no combination on a fine grid
// of the simplex has a larger one than AlignF.
func TestAlignFIsTheLargestOnTheSimplex(t *testing.T) {
	for _, weighted := range []bool{false, true} {
		xs, y := problem(t, 1, 40)
		w := ones(40)
		if weighted {
			for i := range w {
				w[i] = float64(i%4) + 0.5
			}
			w[7] = 0
		}
		terms := append(bind(t, xs, "linear()", "100 + poly(degree=2, offset=1)"), column(t, xs, 0))
		o := mkl.Options{Weights: w}
		r, err := mkl.Solve(t.Context(), terms, y, o)
		if err != nil {
			t.Fatal(err)
		}
		ideal := target(y, w)
		var unit []*mat.Dense // of trace N
		for k, p := range terms {
			c := centre(t, p, w)
			testkit.Close(t, "alignment", r.Alignments[k], inner(c, ideal)/math.Sqrt(inner(c, c)*inner(ideal, ideal)), 1e-10)
			size := mat.Trace(c) / floats.Sum(w)
			testkit.Close(t, "weight", r.Weights[k]*size, r.Shares[k], 1e-10)
			c.Scale(1/size, c)
			unit = append(unit, c)
		}
		aligned := func(a, b, c float64) float64 {
			sum := mat.NewDense(40, 40, nil)
			for k, f := range []float64{a, b, c} {
				sum.Apply(func(i, j int, v float64) float64 { return v + f*unit[k].At(i, j) }, sum)
			}
			return inner(sum, ideal) / math.Sqrt(inner(sum, sum)*inner(ideal, ideal))
		}
		testkit.Close(t, "alignment of the combination", r.Alignment, aligned(r.Shares[0], r.Shares[1], r.Shares[2]), 1e-10)
		best := 0.0
		const steps = 40
		for a := 0; a <= steps; a++ {
			for b := 0; a+b <= steps; b++ {
				v := aligned(float64(a)/steps, float64(b)/steps, float64(steps-a-b)/steps)
				best = max(best, v)
			}
		}
		if best > r.Alignment+1e-12 || best < r.Alignment-0.01 {
			t.Errorf("alignment %v, the best on the grid has %v", r.Alignment, best)
		}
		o.Method = mkl.Align
		each, err := mkl.Solve(t.Context(), terms, y, o)
		if err != nil {
			t.Fatal(err)
		}
		sum := 0.0
		for _, a := range each.Alignments {
			sum += max(0, a)
		}
		for k, a := range each.Alignments {
			testkit.Close(t, "share by its own alignment", each.Shares[k], max(0, a)/sum, 1e-12)
		}
	}
}

// γ of EasyMKL by a grid over all mixtures of two classes of two points.
func TestEasyMKLAgainstGrid(t *testing.T) {
	xs := data.MakeVectors(4, 2)
	for i, v := range []float64{0, 1, 1.5, 0.2, 0.3, 2, 2.5, 2.2} {
		xs.At(i / 2)[i%2] = v
	}
	y := mat.NewDense(4, 1, []float64{-1, -1, 1, 1})
	terms := bind(t, xs, "linear()", "rbf(sigma=1)")
	for _, balance := range []float64{0, 0.3, 1} {
		r, err := mkl.Solve(t.Context(), terms, y, mkl.Options{Method: mkl.EasyMKL, Balance: balance})
		if err != nil {
			t.Fatal(err)
		}
		var ks []*mat.Dense
		for _, p := range terms {
			k := mat.NewDense(4, 4, nil)
			p.Tile(kernel.Tile{Rows: 4, Cols: 4, Stride: 4, Data: k.RawMatrix().Data}, 0, 0)
			k.Scale(4/mat.Trace(centre(t, p, ones(4))), k)
			ks = append(ks, k)
		}
		best, share := math.Inf(1), 0.0
		const steps = 400
		for a := 0; a <= steps; a++ {
			for b := 0; b <= steps; b++ {
				p, q := float64(a)/steps, float64(b)/steps
				g := mat.NewVecDense(4, []float64{-p, p - 1, q, 1 - q})
				d0, d1 := mat.Inner(g, ks[0], g), mat.Inner(g, ks[1], g)
				if v := (1-balance)*(d0+d1) + balance*mat.Dot(g, g); v < best {
					best, share = v, d0/(d0+d1)
				}
			}
		}
		testkit.Close(t, fmt.Sprintf("share at %g", balance), r.Shares[0], share, 0.01)
		if !(r.Gap <= 1e-8) {
			t.Errorf("gap %g", r.Gap)
		}
	}
}

// The term that sees what the targets depend on has the largest share by far.
func TestPlantedSignal(t *testing.T) {
	xs, y := problem(t, 2, 150)
	terms := []kernel.Pairs{column(t, xs, 1), column(t, xs, 0), column(t, xs, 2)}
	for method, least := range map[mkl.Method]float64{mkl.AlignF: 0.95, mkl.Align: 0.8, mkl.EasyMKL: 0.5} {
		r, err := mkl.Solve(t.Context(), terms, y, mkl.Options{Method: method, Balance: 0.1})
		if err != nil {
			t.Fatal(err)
		}
		if !(r.Shares[1] > least) {
			t.Errorf("%s: shares %v", method, r.Shares)
		}
	}
}

// A weight of 2 is the row twice; the unit of a term and a constant added to it change
// no share; the number of workers changes no bit.
func TestInvariances(t *testing.T) {
	xs, y := problem(t, 3, 90)
	weights, keep := make([]float64, 90), []int(nil)
	for i := range weights {
		weights[i] = float64(i % 3)
		for range i % 3 {
			keep = append(keep, i)
		}
	}
	twice, yTwice := xs.Gather(keep), mat.NewDense(len(keep), 1, nil)
	for to, from := range keep {
		yTwice.Set(to, 0, y.At(from, 0))
	}
	texts := []string{"linear()", "rbf(sigma=1)", "poly(degree=2, offset=1)"}
	for _, method := range mkl.Methods {
		o := mkl.Options{Method: method, Balance: 0.2}
		want, err := mkl.Solve(t.Context(), bind(t, twice, texts...), yTwice, o)
		if err != nil {
			t.Fatal(err)
		}
		o.Weights = weights
		got, err := mkl.Solve(t.Context(), bind(t, xs, texts...), y, o)
		if err != nil {
			t.Fatal(err)
		}
		testkit.CloseSlice(t, string(method)+" twice", got.Shares, want.Shares, 1e-4)
		if method != mkl.EasyMKL { // which ends at a gap
			testkit.CloseSlice(t, string(method)+" twice", got.Shares, want.Shares, 1e-9)
		}
		other, err := mkl.Solve(t.Context(), bind(t, xs, "1000*linear()", "5 + rbf(sigma=1)", "poly(degree=2, offset=1)"), y, o)
		if err != nil {
			t.Fatal(err)
		}
		testkit.CloseSlice(t, string(method)+" in other units", other.Shares, got.Shares, 1e-4)
		for _, workers := range []int{2, 3, 8} {
			o.Compute.Workers = workers
			again, err := mkl.Solve(t.Context(), bind(t, xs, texts...), y, o)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(again.Weights, got.Weights) {
				t.Errorf("%s: %d workers change bits", method, workers)
			}
		}
	}
}

// Wisconsin diagnostic: the combination is aligned better than any of its terms, and
// what it learns is an expression of the language.
func TestWeighOnRealSet(t *testing.T) {
	text, err := os.ReadFile(testkit.Shared(t, "csv/wdbc.data"))
	if err != nil {
		t.Fatal(err)
	}
	var numbers, y []float64
	for line := range strings.Lines(string(text)) {
		fields := strings.Split(strings.TrimSpace(line), ",")
		y = append(y, map[string]float64{"B": -1, "M": 1}[fields[1]])
		for _, f := range fields[2:] {
			v, err := strconv.ParseFloat(f, 64)
			if err != nil {
				t.Fatal(err)
			}
			numbers = append(numbers, v)
		}
	}
	xs, err := data.NewVectors(len(y), 30, numbers)
	if err != nil {
		t.Fatal(err)
	}
	for j := range 30 {
		col := mat.Col(nil, j, mat.NewDense(len(y), 30, numbers))
		mean := floats.Sum(col) / float64(len(col))
		floats.AddConst(-mean, col)
		spread := floats.Norm(col, 2) / math.Sqrt(float64(len(col)))
		for i := range col {
			xs.At(i)[j] = col[i] / spread
		}
	}
	for _, method := range mkl.Methods {
		k, r, err := mkl.Weigh(t.Context(), parse(t, "linear() + 3*rbf(sigma=5) + (rbf(sigma=0.3) + 7)"), xs, mat.NewDense(len(y), 1, y), mkl.Options{Method: method, Balance: 0.1})
		if err != nil {
			t.Fatal(err)
		}
		again := parse(t, k.String())
		if a, b := again.Eval(xs.At(0), xs.At(1)), k.Eval(xs.At(0), xs.At(1)); a != b {
			t.Errorf("%s reads as another kernel: %v, not %v", k, a, b)
		}
		if len(r.Terms) != 4 || r.Weights[3] != 0 || len(r.Warnings) != 1 {
			t.Errorf("%s: terms %q, weights %v, warnings %q", method, r.Terms, r.Weights, r.Warnings)
		}
		if method == mkl.AlignF && r.Alignment < slices.Max(r.Alignments)-1e-12 {
			t.Errorf("alignment %v of terms with %v", r.Alignment, r.Alignments)
		}
		if !(r.Alignment > 0.5) {
			t.Errorf("%s: alignment %v", method, r.Alignment)
		}
		t.Logf("%s: %s, alignment %.4f of %.4f", method, k, r.Alignment, r.Alignments)
	}
}

func TestBadInput(t *testing.T) {
	xs, y := problem(t, 4, 10)
	two := bind(t, xs, "linear()", "rbf(sigma=1)")
	constant := mat.NewDense(10, 1, nil)
	nan := mat.NewDense(10, 1, nil)
	nan.Set(3, 0, math.NaN())
	for name, c := range map[string]struct {
		terms []kernel.Pairs
		y     *mat.Dense
		o     mkl.Options
		want  string
	}{
		"one term":   {two[:1], y, mkl.Options{}, "at least two"},
		"none":       {nil, y, mkl.Options{}, "at least two"},
		"constant":   {two, constant, mkl.Options{}, "targets are constant"},
		"nan":        {two, nan, mkl.Options{}, "not a finite number"},
		"rows":       {two, mat.NewDense(9, 1, nil), mkl.Options{}, "9 targets for 10 rows"},
		"method":     {two, y, mkl.Options{Method: "sum"}, "not known"},
		"balance":    {two, y, mkl.Options{Balance: 2}, "not in [0, 1]"},
		"weights":    {two, y, mkl.Options{Weights: []float64{1}}, "1 weights for 10 rows"},
		"one weight": {two, y, mkl.Options{Weights: make([]float64, 10)}, "all weights are zero"},
		"sizes":      {append(bind(t, xs.Gather([]int{0, 1}), "linear()"), two...), y, mkl.Options{}, "same size"},
		"useless":    {bind(t, xs, "1", "2"), y, mkl.Options{}, "no term is aligned"},
		"infinite":   {bind(t, xs, "linear()", "1e200*poly(degree=2)"), y, mkl.Options{}, "term 1"},
	} {
		_, err := mkl.Solve(t.Context(), c.terms, c.y, c.o)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", name, err, c.want)
		}
	}
	positive := mat.NewDense(10, 1, nil)
	for i := range 10 {
		positive.Set(i, 0, xs.At(i)[0]+10)
	}
	if _, err := mkl.Solve(t.Context(), two, positive, mkl.Options{Method: mkl.EasyMKL}); err == nil || !strings.Contains(err.Error(), "one side") {
		t.Errorf("numbers for EasyMKL: %v", err)
	}
	if _, _, err := mkl.Weigh(t.Context(), parse(t, "2*linear()"), xs, y, mkl.Options{}); err == nil || !strings.Contains(err.Error(), "one term") {
		t.Errorf("a single term: %v", err)
	}
	if _, err := mkl.Solve(t.Context(), two, y, mkl.Options{Compute: compute.Options{Progress: func(string, int64, int64) {}}}); err != nil {
		t.Error(err)
	}
}
