package tile_test

import (
	"fmt"
	"math"
	"testing"

	"example.org/mercer/data"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/vec"
)

// full32 is [full] in single precision.
func full32(p kernel.Pairs, height, width int) kernel.Tile32 {
	n, m := p.Dims()
	out := kernel.NewTile32(n, m)
	for i := 0; i < n; i += height {
		for j := 0; j < m; j += width {
			h, w := min(height, n-i), min(width, m-j)
			p.(kernel.Single).Tile32(kernel.Tile32{Rows: h, Cols: w, Stride: m, Data: out.Data[i*m+j:]}, i, j)
		}
	}
	return out
}

func same32(a, b []float32) bool {
	for i, v := range a {
		if math.Float32bits(v) != math.Float32bits(b[i]) {
			return false
		}
	}
	return true
}

// agree32 is [agree] in single precision: kernels that are at most 1, symmetric to the
// bit.
func agree32(t *testing.T, what, text string, xs data.Vectors) {
	t.Helper()
	k, worst := parse(t, text), 0.0
	got := full32(kernel.Bind(k, xs, xs), 64, 64)
	for i := range xs.Len() {
		for j := range xs.Len() {
			worst = math.Max(worst, math.Abs(float64(got.Row(i)[j])-k.Eval(xs.At(i), xs.At(j))))
			if got.Row(i)[j] != got.Row(j)[i] {
				t.Fatalf("%s, %s: (%d,%d) and (%d,%d) have different bits", what, text, i, j, j, i)
			}
		}
		if got.Row(i)[i] != 1 {
			t.Fatalf("%s, %s: k(x,x) = %v, want exactly 1", what, text, got.Row(i)[i])
		}
	}
	if limit := bound(xs.Dim())*0x1p29 + 16*0x1p-24; !(worst <= limit) {
		t.Errorf("%s, %s, d=%d: tiles differ from Eval by %.3g, more than %.3g", what, text, xs.Dim(), worst, limit)
	}
}

// Shifts and far clusters of which float32 alone would leave nothing, and widths far
// above and below the distances.
func TestSingleKeepsTheDigitsOfDistances(t *testing.T) {
	rng := testkit.Rand(t, 41)
	kernels := append([]string{"rbf(sigma=0.01)", "laplace(sigma=1e-3)", "laplace1(sigma=1e-4)", "rbf(sigma=1e4)"}, distanceKernels...)
	for _, d := range []int{1, 3, 8, 32} {
		xs := cloud(rng, 64, d, 0)
		for _, text := range kernels {
			agree32(t, "cloud", text, xs)
		}
		for _, shift := range []float64{1e4, 1e9} {
			for _, text := range kernels {
				agree32(t, fmt.Sprint("shift ", shift), text, cloud(rng, 64, d, shift))
			}
		}
		for _, apart := range []float64{1e2, 1e4, 1e7, 1e12} {
			xs := cloud(rng, 64, d, 0)
			for i := range 32 {
				for j := range xs.At(i) {
					xs.At(i)[j] += apart
				}
			}
			for _, text := range kernels {
				agree32(t, fmt.Sprint("two clusters at ", apart), text, xs)
			}
		}
	}
}

// Points and widths beyond the range of float32 are left to float64.
func TestSingleBeyondItsRange(t *testing.T) {
	rng := testkit.Rand(t, 42)
	for _, size := range []float64{1e-40, 1e-20, 1e20, 1e40, 1e150} {
		for _, d := range []int{3, 20} {
			xs := cloud(rng, 20, d, 0)
			for i := range xs.Raw() {
				xs.Raw()[i] *= size
			}
			for _, text := range []string{fmt.Sprintf("rbf(sigma=%g)", min(1e150, size)), "rbf(sigma=1e-150)", "laplace1(sigma=1e150)", "cosine()"} {
				k := parse(t, text)
				p := kernel.Bind(k, xs, xs)
				got := full32(p, 20, 20)
				for i := range 20 {
					for j := range 20 {
						what := fmt.Sprintf("%s (d=%d, size %g) at %d,%d", text, d, size, i, j)
						testkit.Close(t, what, float64(got.Row(i)[j]), k.Eval(xs.At(i), xs.At(j)), bound(d)*0x1p29+16*0x1p-24)
					}
				}
			}
		}
	}
}

func TestSingleOfStoredStatistics(t *testing.T) {
	rng := testkit.Rand(t, 43)
	for _, d := range []int{3, 40} {
		xs := cloud(rng, 150, d, 0)
		k := parse(t, "rbf(sigma=0.5)*laplace(sigma=2) + cosine()")
		s, err := kernel.BindReusable(t.Context(), k, xs, 0, nil)
		if err != nil {
			t.Fatal(err)
		}
		got := full32(s, 150, 150)
		for i := range 150 {
			for j := range 150 {
				testkit.Close(t, fmt.Sprintf("d=%d at %d,%d", d, i, j), float64(got.Row(i)[j]), k.Eval(xs.At(i), xs.At(j)), 4*bound(d)*0x1p29)
			}
		}
	}
}

func TestTile32DoesNotAllocate(t *testing.T) {
	testkit.SkipUnderRace(t)
	rng := testkit.Rand(t, 44)
	for _, d := range []int{3, 20} {
		xs := cloud(rng, 300, d, 0)
		for _, text := range []string{"0.5*rbf(sigma=1) + poly(degree=2,offset=1)*cosine()", "matern(sigma=1)", "periodic(period=1,sigma=1)", "rq(sigma=1)*tanh(scale=1)"} {
			p := kernel.Bind(parse(t, text), xs, xs).(kernel.Single)
			tile := kernel.NewTile32(128, 256)
			p.Tile32(tile, 3, 5)
			if n := testing.AllocsPerRun(20, func() { p.Tile32(tile, 3, 5) }); n > 0 {
				t.Errorf("%s, d=%d: Tile32 allocates %v times", text, d, n)
			}
		}
	}
}

func TestConcurrentTiles32(t *testing.T) {
	rng := testkit.Rand(t, 45)
	xs := cloud(rng, 100, 20, 0)
	k := parse(t, "0.5*rbf(sigma=1) + poly(degree=2,offset=1)*cosine()")
	want, p := full32(kernel.Bind(k, xs, xs), 100, 100), kernel.Bind(k, xs, xs)
	done := make(chan kernel.Tile32)
	for w := range 4 {
		go func() { done <- full32(p, 7+w, 13) }()
	}
	for range 4 {
		if got := <-done; !same32(got.Data, want.Data) {
			t.Error("concurrent tiles have other bits")
		}
	}
}

// Pairs per second of a 256×256 tile, which stays in the second-level cache.
func BenchmarkTile32(b *testing.B) {
	rng := testkit.Rand(b, 46)
	for _, d := range []int{3, 18, 100} {
		xs := cloud(rng, 1024, d, -0.5)
		for _, text := range []string{"linear()", "rbf(sigma=1)", "rbf(sigma=0.01)", "laplace1(sigma=1)", "matern(sigma=1)", "rq(sigma=1)"} {
			p := kernel.Bind(vec.Kernel(parse(b, text)), xs, xs).(kernel.Single)
			tile := kernel.NewTile32(256, 256)
			b.Run(fmt.Sprintf("%s/d=%d", text, d), func(b *testing.B) {
				for b.Loop() {
					p.Tile32(tile, 256, 512)
				}
				b.ReportMetric(float64(b.N)*256*256/b.Elapsed().Seconds()/1e6, "Mpairs/s")
			})
		}
	}
}

// Rows bound in the place of others have their own tiles.
func TestSingleForgetsEarlierRows(t *testing.T) {
	rng := testkit.Rand(t, 47)
	for _, d := range []int{3, 20} {
		cols := cloud(rng, 40, d, 0)
		k := parse(t, "rbf(sigma=1) + linear()")
		anchored, old := kernel.BindColumns(k, cols), kernel.Pairs(nil)
		for range 3 {
			rows := cloud(rng, 9, d, 0)
			old = anchored.Bind(rows, old)
			if got, want := full32(old, 9, 40), full32(kernel.Bind(k, rows, cols), 9, 40); !same32(got.Data, want.Data) {
				t.Fatalf("d=%d: other bits than Bind", d)
			}
		}
	}
}
