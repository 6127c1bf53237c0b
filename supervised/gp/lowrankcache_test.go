package gp_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/supervised/gp"
)

// cached fits by products and makes a cache.
func cached(t *testing.T, k string, xs data.Vectors, y []float64, o gp.Options, of gp.CacheOptions) (exact, approximate *gp.Process[[]float64], r *gp.CacheReport) {
	t.Helper()
	exact, _, err := gp.Fit(t.Context(), parse(t, k), xs, y, byProducts(o))
	if err != nil {
		t.Fatal(err)
	}
	c, r, err := exact.Posterior.PosteriorCovariance.(*gp.ByCG).Cache(t.Context(), of)
	if err != nil {
		t.Fatal(err)
	}
	with := *exact.Posterior
	with.PosteriorCovariance = c
	return exact, &gp.Process[[]float64]{Expansion: exact.Expansion, Noise: o.Noise, Posterior: &with}, r
}

// uneven are options with weights, noise of rows and rows of weight zero.
func uneven(t *testing.T, n int, mean gp.Mean) gp.Options {
	t.Helper()
	rng := testkit.Rand(t, 41)
	o := gp.Options{Noise: 0.05, RowNoise: positive(rng, n), Weights: positive(rng, n), Mean: mean}
	o.Weights[3], o.Weights[n-1] = 0, 0
	return o
}

// With as many columns as K has directions the cache is exact; with fewer no variance is below
// the exact one.
func TestCache(t *testing.T) {
	const n = 120
	xs, y := wave(testkit.Rand(t, 42), n, 2)
	news, _ := wave(testkit.Rand(t, 43), 40, 2)
	for _, mean := range []gp.Mean{gp.Zero, gp.Constant} {
		o := uneven(t, n, mean)
		exact, whole, r := cached(t, "poly(degree=3, offset=1)", xs, y, o, gp.CacheOptions{Rank: n})
		// Solves to a residual of 1e-6 leave its square of variances that the noise makes small.
		testkit.CloseSlice(t, "variance", marginals(t, whole, news).Variance, marginals(t, exact, news).Variance, 1e-9)
		_, ca, err := exact.Covariance(t.Context(), news, compute.Options{})
		if err != nil {
			t.Fatal(err)
		}
		_, cb, err := whole.Covariance(t.Context(), news, compute.Options{})
		if err != nil {
			t.Fatal(err)
		}
		testkit.CloseSlice(t, "covariance", flat(cb), flat(ca), 1e-9)
		if r.Widest > 1e-9 || r.Rank != 10 || r.Rows != 30 {
			t.Errorf("a cache of all directions: %+v", r)
		}
		exact, part, r := cached(t, "2*laplace(sigma=0.5)", xs, y, o, gp.CacheOptions{Rank: 12})
		want, more := marginals(t, exact, news), 0.0
		for i, v := range marginals(t, part, news).Variance {
			more = max(more, v-want.Variance[i])
			if v < want.Variance[i]-1e-9 {
				t.Errorf("point %d: variance %g, exact %g", i, v, want.Variance[i])
			}
		}
		if r.Rank != 12 || !(more > 1e-4) || !(r.Widest > r.Mean) || !(r.Mean > 0) {
			t.Errorf("a cache of 12 columns: variances up to %g more, %+v", more, r)
		}
	}
}

// What the report says of rows left out is what there is without them: exact variances of processes
// given the other rows, and those of the span of the cache without the row.
func TestCacheMeasuresRowsLeftOut(t *testing.T) {
	const n, rank = 70, 9 // 17 of the 68 rows with weight
	xs, y := wave(testkit.Rand(t, 44), n, 2)
	o := uneven(t, n, gp.Zero)
	k := parse(t, "2*rbf(sigma=0.7)")
	_, with, r := cached(t, "2*rbf(sigma=0.7)", xs, y, o, gp.CacheOptions{Rank: rank})
	basis := with.Posterior.PosteriorCovariance.(*gp.LowRankCache).R
	a := mat.DenseCopyOf(matrix(k, xs))
	for i, w := range o.Weights {
		for j := 0; w == 0 && j < n; j++ {
			a.Set(i, j, 0)
			a.Set(j, i, 0)
		}
		if w == 0 {
			a.Set(i, i, 1)
			continue
		}
		a.Set(i, i, a.At(i, i)+(o.Noise+o.RowNoise[i])/w)
	}
	var active []int
	for i, w := range o.Weights {
		if w > 0 {
			active = append(active, i)
		}
	}
	widest, rows := 0.0, len(active)/4
	for p := range rows {
		i := active[p*len(active)/rows]
		var others []int
		for j := range n {
			if j != i {
				others = append(others, j)
			}
		}
		sub, cross, part := mat.NewDense(n-1, n-1, nil), mat.NewDense(n-1, 1, nil), mat.NewDense(n-1, rank, nil)
		for p, j := range others {
			cross.Set(p, 0, a.At(j, i))
			part.SetRow(p, basis.RawRowView(j))
			for q, l := range others {
				sub.Set(p, q, a.At(j, l))
			}
		}
		whole := a.At(i, i) // what is left of it is v + s
		var x, h, g, z mat.Dense
		if err := x.Solve(sub, cross); err != nil {
			t.Fatal(err)
		}
		h.Product(part.T(), sub, part)
		g.Mul(part.T(), cross)
		if err := z.Solve(&h, &g); err != nil {
			t.Fatal(err)
		}
		exact, approximate := whole-mat.Dot(cross.ColView(0), x.ColView(0)), whole-mat.Dot(g.ColView(0), z.ColView(0))
		widest = max(widest, math.Sqrt(approximate/exact)-1)
	}
	if r.Rows != rows || r.Rank != rank {
		t.Fatalf("%+v; %d rows were expected", r, rows)
	}
	testkit.Close(t, "widest", r.Widest, widest, 1e-8)
}

// A tolerance finds the rank, or says that it cannot be met.
func TestCacheTolerance(t *testing.T) {
	const n = 300
	xs, y := wave(testkit.Rand(t, 45), n, 3)
	o := gp.Options{Noise: 0.05}
	_, _, half := cached(t, "2*rbf(sigma=1)", xs, y, o, gp.CacheOptions{Rank: 64})
	_, _, r := cached(t, "2*rbf(sigma=1)", xs, y, o, gp.CacheOptions{Tolerance: 0.02})
	if r.Rank < 65 || r.Rank > 128 || r.Widest > 0.02 || half.Widest <= 0.02 || r.Rows != 64 {
		t.Errorf("%+v; of rank 64 %+v", r, half)
	}
	p, _, err := gp.Fit(t.Context(), parse(t, "2*laplace(sigma=1)"), xs, y, byProducts(o))
	if err != nil {
		t.Fatal(err)
	}
	it := p.Posterior.PosteriorCovariance.(*gp.ByCG)
	for _, c := range []struct {
		o    gp.CacheOptions
		says string
	}{
		{gp.CacheOptions{Rank: 20, Tolerance: 1e-3}, "rank 20 makes the interval"},
		{gp.CacheOptions{}, "neither a rank nor a tolerance"},
		{gp.CacheOptions{Rank: n + 1}, "number of rows"},
		{gp.CacheOptions{Tolerance: 1}, "a share"},
	} {
		if _, _, err := it.Cache(t.Context(), c.o); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%+v: %v", c.o, err)
		}
	}
}

func TestCacheSameBits(t *testing.T) {
	xs, y := wave(testkit.Rand(t, 46), 300, 3)
	var first []float64
	for _, workers := range []int{1, 2, 3, 8} {
		_, with, r := cached(t, "2*rbf(sigma=1)", xs, y, gp.Options{Noise: 0.05, Compute: compute.Options{Workers: workers}}, gp.CacheOptions{Rank: 40})
		all := append([]float64{r.Widest, r.Mean}, with.Posterior.PosteriorCovariance.(*gp.LowRankCache).R.RawMatrix().Data...)
		if first == nil {
			first = all
		}
		if !slices.Equal(all, first) {
			t.Errorf("%d workers: %v, with one %v", workers, all[:2], first[:2])
		}
	}
}
