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

var distanceKernels = []string{"rbf(sigma=1)", "laplace(sigma=1)", "matern(nu=2.5,sigma=2)", "rq(alpha=1,sigma=1)", "laplace1(sigma=5)"}

// bound is the documented error of a profile of the squared distance: 16(d+3)u
// relative to s (keptShare), times the largest s·|κ′(s)| ≤ ½ of these profiles, and
// 4u for the profile itself.
func bound(d int) float64 { return (8*float64(d+3) + 4) * 0x1p-53 }

// agree compares all tiles with Eval in absolute error: the kernels are at most 1.
func agree(t *testing.T, what, text string, xs data.Vectors) {
	t.Helper()
	k, worst := parse(t, text), 0.0
	got := full(kernel.Bind(k, xs, xs), 64, 64)
	for i := range xs.Len() {
		for j := range xs.Len() {
			want := k.Eval(xs.At(i), xs.At(j))
			worst = math.Max(worst, math.Abs(got.Row(i)[j]-want))
			if got.Row(i)[j] != got.Row(j)[i] {
				t.Fatalf("%s, %s: (%d,%d) and (%d,%d) have different bits", what, text, i, j, j, i)
			}
		}
		if got.Row(i)[i] != 1 {
			t.Fatalf("%s, %s: k(x,x) = %v, want exactly 1", what, text, got.Row(i)[i])
		}
	}
	if !(worst <= bound(xs.Dim())) {
		t.Errorf("%s, %s, d=%d: tiles differ from Eval by %.3g, more than %.3g", what, text, xs.Dim(), worst, bound(xs.Dim()))
	}
}

// A shift of all points by 10⁶ costs no digits: 8 coordinates are compared by
// differences, 32 by centred norms.
func TestShiftedDataKeepTheirDigits(t *testing.T) {
	rng := testkit.Rand(t, 10)
	for _, d := range []int{8, 32} {
		for _, shift := range []float64{0, 1e2, 1e4, 1e6, 1e9} {
			xs := cloud(rng, 64, d, shift)
			for _, text := range distanceKernels {
				agree(t, fmt.Sprintf("shift %g", shift), text, xs)
			}
		}
	}
}

// Two clusters of diameter ~1 at a distance of 10⁷: centring cannot help, the pairs
// within each cluster are recomputed from differences.
func TestTwoTightClustersKeepTheirDigits(t *testing.T) {
	rng := testkit.Rand(t, 11)
	for _, d := range []int{8, 32} {
		xs := cloud(rng, 64, d, 0)
		for i := range 32 {
			for j := range xs.At(i) {
				xs.At(i)[j] += 1e7
			}
		}
		for _, text := range distanceKernels {
			agree(t, "two clusters", text, xs)
		}
	}
}

// Widths of very different size, one per column, and distances that overflow.
func TestExtremeScales(t *testing.T) {
	rng := testkit.Rand(t, 12)
	xs := cloud(rng, 20, 20, 5)
	widths := "rbf(sigma=[1e-8"
	for j := 1; j < 20; j++ {
		widths += fmt.Sprintf(",%g", math.Pow(10, float64(j%7)))
	}
	agree(t, "widths from 1e-8 to 1e6", widths+"])", xs)
	for j := range xs.At(3) {
		xs.At(3)[j] = 1e200 // its squares overflow
		xs.At(4)[j] = -1e200
	}
	for _, text := range append(distanceKernels, "rbf(sigma=1e-150)", "rbf(sigma=1e150)", "laplace(sigma=1e150)", "rq(sigma=1e-150)", "matern(sigma=1e-150)") {
		agree(t, "1e200", text, xs)
	}
}

// The error grows with the square of the shift where nothing is done about it: the
// expected loss of the naive formula, which shows that the tests above can fail.
func TestNaiveNormsWouldFail(t *testing.T) {
	rng := testkit.Rand(t, 13)
	xs := cloud(rng, 2, 32, 1e6)
	x, y := xs.At(0), xs.At(1)
	dot := func(a, b []float64) (s float64) {
		for j := range a {
			s += a[j] * b[j]
		}
		return s
	}
	naive := math.Exp(-0.5 * (dot(x, x) + dot(y, y) - 2*dot(x, y)))
	if d := math.Abs(naive - (vec.RBF{}).Eval(x, y)); d < 100*bound(32) {
		t.Errorf("the naive form is off by %g only", d)
	}
}

// Σ max is taken from Σ min and the sums of the points: 0/0, sums that overflow and
// coordinates of very different size must not show.
func TestMinOverMaxInTiles(t *testing.T) {
	rng := testkit.Rand(t, 17)
	for _, d := range []int{1, 2, 7, 40} {
		xs := cloud(rng, 40, d, 0)
		for i := range xs.Len() {
			for j := range xs.At(i) {
				switch x := xs.At(i); {
				case i < 3:
					x[j] = 0
				case i < 6:
					x[j] = math.MaxFloat64 / float64(i+d)
				case i < 20:
					x[j] = math.Pow(10, 30*rng.NormFloat64())
				}
			}
		}
		agree(t, "min over max", "minmax", xs)
	}
}

func TestTileDoesNotAllocate(t *testing.T) {
	testkit.SkipUnderRace(t)
	rng := testkit.Rand(t, 14)
	xs := cloud(rng, 300, 20, 0)
	p := kernel.Bind(parse(t, "0.5*rbf(sigma=1) + poly(degree=2,offset=1)*cosine()"), xs, xs)
	tile := kernel.NewTile(128, 256)
	p.Tile(tile, 3, 5)
	if n := testing.AllocsPerRun(20, func() { p.Tile(tile, 3, 5) }); n > 0 {
		t.Errorf("Tile allocates %v times", n)
	}
}

func TestConcurrentTiles(t *testing.T) {
	rng := testkit.Rand(t, 15)
	xs := cloud(rng, 100, 20, 0)
	p := kernel.Bind(parse(t, "0.5*rbf(sigma=1) + poly(degree=2,offset=1)*cosine()"), xs, xs)
	want := full(p, 100, 100)
	done := make(chan kernel.Tile)
	for w := range 4 {
		go func() { done <- full(p, 7+w, 13) }()
	}
	for range 4 {
		if got := <-done; !same(got.Data, want.Data) {
			t.Error("concurrent tiles have other bits")
		}
	}
}

// GF/s counts 2 operations per coordinate of a pair, whatever the loop does.
func BenchmarkTile(b *testing.B) {
	rng := testkit.Rand(b, 16)
	for _, d := range []int{8, 32, 100, 784} {
		xs := cloud(rng, 1024, d, 0)
		for _, text := range []string{"linear()", "rbf(sigma=1)", "0.5*rbf(sigma=1) + poly(degree=2,offset=1)", "laplace1(sigma=1)", "matern(sigma=1)", "rbf(sigma=1)[0]"} {
			p := kernel.Bind(parse(b, text), xs, xs)
			tile := kernel.NewTile(256, 256)
			b.Run(fmt.Sprintf("%s/d=%d", text, d), func(b *testing.B) {
				for b.Loop() {
					p.Tile(tile, 256, 512)
				}
				pairs := float64(b.N) * 256 * 256 / b.Elapsed().Seconds()
				b.ReportMetric(pairs*2*float64(d)/1e9, "GF/s")
				b.ReportMetric(pairs/1e6, "Mpairs/s")
			})
		}
	}
}
