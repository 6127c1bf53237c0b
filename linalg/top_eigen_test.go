package linalg

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"example.org/mercer/internal/testkit"
)

// matrixOperator multiplies by a symmetric matrix and counts the columns.
type matrixOperator struct {
	a       *mat.SymDense
	columns int
}

func (m *matrixOperator) Dims() (rows, cols int) { return m.a.Dims() }

func (m *matrixOperator) Mul(ctx context.Context, dst, x *mat.Dense) error {
	_, cols := x.Dims()
	m.columns += cols
	dst.Mul(m.a, x)
	return ctx.Err()
}

// diagonalOperator is a matrix of large order with a known spectrum, diag(values).
type diagonalOperator []float64

func (d diagonalOperator) Dims() (rows, cols int) { return len(d), len(d) }

func (d diagonalOperator) Mul(ctx context.Context, dst, x *mat.Dense) error {
	for i, v := range d {
		from, to := x.RawRowView(i), dst.RawRowView(i)
		for j := range from {
			to[j] = v * from[j]
		}
	}
	return ctx.Err()
}

// checkTop holds the pairs against their definition. Rounding adds c·n·ε·‖A‖ to what the
// iteration claims, and as much to the inner products.
func checkTop(t rapid.TB, a Square, k int, top *Top, report TopReport, tolerance, norm float64) {
	t.Helper()
	n, _ := a.Dims()
	if r, c := top.Vectors.Dims(); r != n || c != k || len(top.Values) != k || len(top.Residuals) != k {
		t.Fatalf("%d values, %d residuals and %d×%d vectors, want %d of order %d", len(top.Values), len(top.Residuals), r, c, k, n)
	}
	rounding := 4 * float64(n+10) * eps
	av := mat.NewDense(n, k, nil)
	if err := a.Mul(context.Background(), av, top.Vectors); err != nil {
		t.Fatal(err)
	}
	for j := range k {
		if j > 0 && top.Values[j] > top.Values[j-1] {
			t.Fatalf("eigenvalue %d is %g after %g", j, top.Values[j], top.Values[j-1])
		}
		residual := 0.0
		for i := range n {
			residual = math.Hypot(residual, av.At(i, j)-top.Values[j]*top.Vectors.At(i, j))
		}
		if math.Abs(residual-top.Residuals[j]) > rounding*norm {
			t.Errorf("residual %d is %.3g, reported as %.3g", j, residual, top.Residuals[j])
		}
		if !(residual <= (tolerance+rounding)*norm) {
			t.Errorf("residual %d is %.3g of the norm, more than %.3g", j, residual/norm, tolerance)
		}
	}
	if !report.Converged {
		t.Errorf("not converged: %+v", report)
	}
	var gram mat.Dense
	gram.Mul(top.Vectors.T(), top.Vectors)
	for i := range k {
		gram.Set(i, i, gram.At(i, i)-1)
	}
	if got := maxAbs(&gram); !(got <= rounding) {
		t.Errorf("|VᵀV − I| = %.3g, more than %.3g", got, rounding)
	}
}

// TestTopEigenOfKnownSpectra: an eigenvalue is within the residual of the truth, a
// consequence of Weyl's inequality, and no multiple eigenvalue is missing.
func TestTopEigenOfKnownSpectra(t *testing.T) {
	testkit.SkipUnderRace(t)
	toeplitz := make(diagonalOperator, 300)
	for i := range toeplitz { // of tridiag(−1, 2, −1)
		s := math.Sin(float64(i+1) * math.Pi / (2*300 + 2))
		toeplitz[i] = 4 * s * s
	}
	descending := func(n int, f func(i int) float64) diagonalOperator {
		d := make(diagonalOperator, n)
		for i := range d {
			d[i] = f(i)
		}
		return d
	}
	geometric := descending(2000, func(i int) float64 { return math.Pow(0.9, float64(i)) })
	for name, c := range map[string]struct {
		values    diagonalOperator
		k         int
		tolerance float64
	}{
		"geometric":          {geometric, 20, 1e-12},
		"loose":              {geometric, 50, 1e-3},
		"one":                {geometric, 1, 1e-10},
		"close together":     {toeplitz, 3, 1e-7},
		"rank 5":             {descending(800, func(i int) float64 { return float64(max(0, 5-i)) }), 20, 1e-10},
		"rank 0":             {descending(1500, func(int) float64 { return 0 }), 4, 1e-10},
		"identity":           {descending(900, func(int) float64 { return 3 }), 30, 1e-10},
		"multiplicity 20":    {descending(600, func(i int) float64 { return 1 / (1 + float64((i+9)/20)) }), 12, 1e-10},
		"multiplicity 30":    {descending(1500, func(i int) float64 { return math.Pow(0.3, float64((i+29)/30)) }), 40, 1e-9},
		"huge":               {descending(2000, func(i int) float64 { return 1e150 / float64(i+1) }), 10, 1e-10},
		"tiny":               {descending(2000, func(i int) float64 { return 1e-150 / float64(i+1) }), 10, 1e-10},
		"negative":           {descending(2000, func(i int) float64 { return -1 - math.Sqrt(float64(i)) }), 3, 1e-8},
		"both signs":         {descending(2000, func(i int) float64 { return math.Cos(float64(i)) * math.Exp(-float64(i)/50) }), 15, 1e-9},
		"clustered to 1e-12": {descending(2000, func(i int) float64 { return 1/float64(1+i/10) + 1e-12*float64(i%10) }), 20, 1e-9},
	} {
		t.Run(name, func(t *testing.T) {
			top, report, err := TopEigen(context.Background(), c.values, c.k, TopOptions{Tolerance: c.tolerance, Seed: 3})
			if err != nil {
				t.Fatal(err)
			}
			sorted, norm := append([]float64(nil), c.values...), 0.0
			for _, v := range sorted {
				norm = math.Max(norm, math.Abs(v))
			}
			checkTop(t, c.values, c.k, top, report, c.tolerance, norm)
			t.Logf("%+v", report)
			slices.Sort(sorted)
			slices.Reverse(sorted)
			for j, got := range top.Values {
				testkit.Close(t, fmt.Sprintf("eigenvalue %d", j), got/max(norm, 1e-300), sorted[j]/max(norm, 1e-300), c.tolerance+1e-12)
			}
		})
	}
}

// TestTopEigenAgreesWithEigenSym compares with all eigenvalues, from orders where all
// are computed to those of restarts.
func TestTopEigenAgreesWithEigenSym(t *testing.T) {
	testkit.SkipUnderRace(t)
	for name, a := range map[string]*mat.SymDense{
		"1":          mat.NewSymDense(1, []float64{-3}),
		"2":          mat.NewSymDense(2, []float64{1, 2, 2, 1}),
		"hilbert":    fromFunc(100, func(i, j int) float64 { return 1 / float64(i+j+1) }),
		"rbf wide":   gaussGram(t, 500, 2, 5),
		"rbf":        gaussGram(t, 500, 4, 1),
		"rbf narrow": gaussGram(t, 300, 8, 0.5),
		"ones":       fromFunc(300, func(i, j int) float64 { return 1 }),
	} {
		n := a.SymmetricDim()
		for _, k := range []int{1, 2, 10, 25} {
			if k > n {
				continue
			}
			t.Run(fmt.Sprintf("%s/k=%d", name, k), func(t *testing.T) {
				e, err := EigenSym(context.Background(), a, Options{})
				if err != nil {
					t.Fatal(err)
				}
				norm := math.Max(math.Abs(e.Values[0]), math.Abs(e.Values[n-1]))
				op := &matrixOperator{a: a}
				top, report, err := TopEigen(context.Background(), op, k, TopOptions{Tolerance: 1e-9})
				if err != nil {
					t.Fatal(err)
				}
				if report.Columns != op.columns {
					t.Errorf("%d columns reported, %d multiplied", report.Columns, op.columns)
				}
				checkTop(t, op, k, top, report, 1e-9, norm)
				for j, got := range top.Values {
					testkit.Close(t, fmt.Sprintf("eigenvalue %d", j), got, e.Values[n-1-j], 1.1e-9*norm)
				}
			})
		}
	}
}

// TestTopEigenOfAnySpectrum draws spectra with repeated values, and blocks.
func TestTopEigenOfAnySpectrum(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 400).Draw(t, "order")
		distinct := rapid.IntRange(1, 30).Draw(t, "distinct values")
		k := rapid.IntRange(1, min(n, 12)).Draw(t, "k")
		o := TopOptions{Tolerance: 1e-7, Block: rapid.IntRange(1, 10).Draw(t, "block"), Products: 3000, Seed: rapid.Uint64().Draw(t, "seed")}
		rng := rand.New(rand.NewPCG(o.Seed, 1))
		d := make(diagonalOperator, n)
		for i := range d {
			d[i] = math.Exp2(-float64(rng.IntN(distinct)))
		}
		top, report, err := TopEigen(context.Background(), d, k, o)
		if err != nil {
			t.Fatal(err)
		}
		sorted := append([]float64(nil), d...)
		slices.Sort(sorted)
		slices.Reverse(sorted)
		checkTop(t, d, k, top, report, 1e-7, sorted[0])
		for j, got := range top.Values {
			if !(math.Abs(got-sorted[j]) <= 1.1e-7*sorted[0]) {
				t.Fatalf("eigenvalue %d is %v, want %v", j, got, sorted[j])
			}
		}
	})
}

// TestTopEigenSameBits: for any number of workers, also through restarts and a wider
// block; another seed gives other bits.
func TestTopEigenSameBits(t *testing.T) {
	values := make(diagonalOperator, 400)
	for i := range values {
		values[i] = math.Pow(0.97, float64(i/6))
	}
	run := func(o TopOptions) []float64 {
		top, report, err := TopEigen(context.Background(), values, 8, o)
		if err != nil {
			t.Fatal(err)
		}
		if report.Restarts == 0 {
			t.Errorf("no restart: %+v", report)
		}
		return append(top.Vectors.RawMatrix().Data, top.Values...)
	}
	want := run(TopOptions{Workers: 1, Block: 4})
	for _, workers := range []int{2, 3, 8} {
		for i, v := range run(TopOptions{Workers: workers, Block: 4}) {
			if math.Float64bits(v) != math.Float64bits(want[i]) {
				t.Fatalf("%d workers: result %d is %v, with one %v", workers, i, v, want[i])
			}
		}
	}
	if other := run(TopOptions{Block: 4, Seed: 1}); other[0] == want[0] {
		t.Error("the seed does not matter")
	}
}

func TestTopEigenSaysWhyNot(t *testing.T) {
	ctx := context.Background()
	d := make(diagonalOperator, 2000)
	for i := range d {
		d[i] = float64(i)
	}
	top, report, err := TopEigen(ctx, d, 5, TopOptions{Products: 4})
	var unconverged *TopNotConverged
	if !errors.As(err, &unconverged) || report.Products != 4 || unconverged.Residual != report.Residual || top == nil || len(top.Values) != 5 {
		t.Errorf("4 products: error %v, report %+v, result %v", err, report, top)
	}
	for name, c := range map[string]struct {
		k    int
		o    TopOptions
		want string
	}{
		"no eigenvalue": {0, TopOptions{}, "at least 1"},
		"too many":      {2001, TopOptions{}, "at most 2000"},
		"tolerance":     {1, TopOptions{Tolerance: math.NaN()}, "tolerance"},
		"products":      {1, TopOptions{Products: -1}, "products"},
		"block":         {1, TopOptions{Block: -1}, "block"},
	} {
		if _, _, err := TopEigen(ctx, d, c.k, c.o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error is %v", name, err)
		}
	}
	d[17] = math.NaN()
	if _, _, err := TopEigen(ctx, d, 5, TopOptions{}); err == nil || !strings.Contains(err.Error(), "element 17") {
		t.Errorf("NaN: error is %v", err)
	}
}

func TestTopEigenEndsWithContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	d := make(diagonalOperator, 2000)
	for i := range d {
		d[i] = float64(i)
	}
	products := int64(0)
	_, _, err := TopEigen(ctx, d, 5, TopOptions{Progress: func(stage string, done, total int64) {
		if products = done; done == 3 {
			cancel()
		}
	}})
	if !errors.Is(err, context.Canceled) || products != 3 {
		t.Errorf("error is %v after %d products", err, products)
	}
}
