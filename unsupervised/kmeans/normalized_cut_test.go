package kmeans_test

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/gram"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/model"
	"example.org/mercer/unsupervised/kmeans"
)

// The functions of a cut say of training rows what the refined clustering says, and of new
// points what the distances to the means of the kernel a/(d·d) say, of which the degree
// of the new point is the sum of its affinities.
func TestCutFunctions(t *testing.T) {
	ctx, x := context.Background(), waves(90, 3)
	w := make([]float64, 90)
	for i := range w {
		w[i] = float64(1 + i%3)
	}
	w[7] = 0
	k := vec.RBF{Sigma: 1.2}
	a := gram.Of(kernel.Bind(k, x, x), compute.Options{})
	s, r, err := kmeans.SolveCut(ctx, kmeans.Affinities{Gram: a}, kmeans.Range{Least: 4, Most: 4}, kmeans.Options{Weights: w})
	if err != nil {
		t.Fatal(err)
	}
	if r.Cut > r.Relaxed*(1+1e-12) {
		t.Errorf("the cut rose from %v to %v", r.Relaxed, r.Cut)
	}
	f := &model.Expansion[[]float64]{Kernel: k, Points: x, Coef: s.Coef()}
	values, err := f.Predict(ctx, x, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(model.Largest(values), s.Labels) {
		t.Error("the functions say something else of the training rows than the clustering")
	}
	degree := func(p []float64) (d float64) {
		for i := range 90 {
			d += w[i] * k.Eval(p, x.At(i))
		}
		return d
	}
	cut := func(p, q []float64) float64 { return k.Eval(p, q) / (degree(p) * degree(q)) }
	fresh := data.MakeVectors(20, x.Dim())
	for i := range 20 {
		for c, v := range x.At(4 * i) {
			fresh.At(i)[c] = v + 0.3*math.Sin(float64(i+c))
		}
	}
	if values, err = f.Predict(ctx, fresh, compute.Options{}); err != nil {
		t.Fatal(err)
	}
	for i := range 20 {
		p := fresh.At(i)
		for j := range 4 {
			mass, inner, norm := 0.0, 0.0, 0.0
			for l, own := range s.Labels {
				if own != j {
					continue
				}
				mass += w[l] * degree(x.At(l))
				inner += w[l] * degree(x.At(l)) * cut(p, x.At(l))
				for m, other := range s.Labels {
					if other == j {
						norm += w[l] * degree(x.At(l)) * w[m] * degree(x.At(m)) * cut(x.At(l), x.At(m))
					}
				}
			}
			want := degree(p) * (2*inner/mass - norm/(mass*mass))
			testkit.Close(t, "function", values.At(i, j), want, 1e-11)
		}
	}
}

// A weight of 2 is the row twice, in the embedding, the cut and the silhouettes; scaled
// weights say the same.
func TestSpectralWeights(t *testing.T) {
	ctx, x := context.Background(), waves(80, 3)
	w, twice := make([]float64, 80), []int(nil)
	for i := range w {
		w[i] = float64(1 + i%2)
		for range 1 + i%2 {
			twice = append(twice, i)
		}
	}
	weighted, wr, err := kmeans.SolveCut(ctx, kmeans.Affinities{Gram: rbf(x, 1.2, compute.Options{})}, kmeans.Range{Least: 3, Most: 3}, kmeans.Options{Weights: w})
	if err != nil {
		t.Fatal(err)
	}
	repeated, rr, err := kmeans.SolveCut(ctx, kmeans.Affinities{Gram: rbf(x.Gather(twice), 1.2, compute.Options{})}, kmeans.Range{Least: 3, Most: 3}, kmeans.Options{})
	if err != nil {
		t.Fatal(err)
	}
	spread := make([]int, len(twice))
	for to, from := range twice {
		spread[to] = weighted.Labels[from]
	}
	if !samePartition(spread, repeated.Labels) {
		t.Error("other clusters with rows repeated")
	}
	testkit.CloseSlice(t, "eigenvalues", wr.Eigenvalues, rr.Eigenvalues, 1e-8)
	testkit.Close(t, "cut", wr.Cut, rr.Cut, 1e-10)
	// Copies of a row count as others, at distance 0; with scale-free means they do not.
	one, mean, err := kmeans.Silhouette(ctx, rbf(x, 1.2, compute.Options{}), weighted.Labels, w, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range w {
		w[i] *= 3.5
	}
	two, same, err := kmeans.Silhouette(ctx, rbf(x, 1.2, compute.Options{}), weighted.Labels, w, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	testkit.CloseSlice(t, "silhouettes", two, one, 1e-12)
	testkit.Close(t, "mean silhouette", same, mean, 1e-12)
}

// The number of clusters with the largest silhouette is the number of groups.
func TestBySilhouette(t *testing.T) {
	ctx, x := context.Background(), waves(100, 4)
	g := gram.Of(kernel.Bind(vec.Linear{}, x, x), compute.Options{})
	cluster := func(k int) ([]int, float64, error) {
		c, r, err := kmeans.FitVectors(ctx, x, k, kmeans.Options{})
		if err != nil {
			return nil, 0, err
		}
		return c.Labels, r.Objective, nil
	}
	best, tried, err := kmeans.BySilhouette(ctx, g, kmeans.Range{Least: 2, Most: 7}, nil, compute.Options{}, cluster)
	if err != nil {
		t.Fatal(err)
	}
	labels, _, err := cluster(best)
	if err != nil {
		t.Fatal(err)
	}
	_, mean, err := kmeans.Silhouette(ctx, g, labels, nil, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range tried {
		if c.K != 2+i || c.Silhouette > mean || c.K == best && c.Silhouette != mean || i > 0 && c.Objective > tried[i-1].Objective {
			t.Errorf("best is %d with %v, and %+v was tried", best, mean, c)
		}
	}
	if len(tried) != 6 {
		t.Errorf("%d numbers tried", len(tried))
	}
	for _, k := range []kmeans.Range{{Least: 1, Most: 3}, {Least: 4, Most: 3}} {
		if _, _, err := kmeans.BySilhouette(ctx, g, k, nil, compute.Options{}, cluster); err == nil || !strings.Contains(err.Error(), "range from 2") {
			t.Errorf("%v: error %v", k, err)
		}
	}
	if _, _, err := kmeans.SolveCut(ctx, kmeans.Affinities{Gram: gram.FromMatrix(mat.NewSymDense(3, []float64{1, 1, 1, 1, 1, 1, 1, 1, 1}))}, kmeans.Range{Least: 3, Most: 2}, kmeans.Options{}); err == nil {
		t.Error("an empty range was accepted")
	}
}
