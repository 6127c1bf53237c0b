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

// features are explicit features, and their Gram matrix.
func features(t testing.TB, seed uint64, n, d int) (data.Vectors, *gram.Matrix) {
	rng, phi := testkit.Rand(t, seed), data.MakeVectors(n, d)
	for i := range phi.Raw() {
		phi.Raw()[i] = rng.NormFloat64() + float64(i/d%3)
	}
	k := mat.NewSymDense(n, nil)
	k.SymOuterK(1, mat.NewDense(n, d, phi.Raw()))
	return phi, gram.FromMatrix(k)
}

// means are the weighted means of the clusters, in the features.
func means(phi data.Vectors, labels []int, w []float64, k int) data.Vectors {
	m, mass := data.MakeVectors(k, phi.Dim()), make([]float64, k)
	for i, j := range labels {
		mass[j] += w[i]
	}
	for i, j := range labels {
		for c, v := range phi.At(i) {
			m.At(j)[c] += w[i] * v / mass[j]
		}
	}
	return m
}

func squared(x, y []float64) (sum float64) {
	for c, v := range x {
		sum += (v - y[c]) * (v - y[c])
	}
	return sum
}

// The distances are those to the means of explicit features, and every row is in its
// nearest cluster. The formula of the lectures, whose sum runs over the index i of the
// point itself, gives something else.
func TestDistancesAreThoseOfTheFeatures(t *testing.T) {
	for seed := range uint64(10) {
		phi, g := features(t, seed, 60, 5)
		w := make([]float64, 60)
		for i := range w {
			w[i] = float64(1+i%4) / 3
		}
		s, r, err := kmeans.Solve(context.Background(), g, 4, kmeans.Options{Weights: w, Seed: seed})
		if err != nil {
			t.Fatal(err)
		}
		m, objective := means(phi, s.Labels, w, 4), 0.0
		for i, j := range s.Labels {
			want := squared(phi.At(i), m.At(j))
			objective += w[i] * want
			testkit.Close(t, "distance", s.Distances[i], want, 1e-12)
			for l := range 4 {
				if squared(phi.At(i), m.At(l)) < want-1e-12 {
					t.Errorf("seed %d: row %d is nearer to cluster %d than to its own", seed, i, l)
				}
			}
		}
		testkit.Close(t, "objective", r.Objective, objective, 1e-12)
		for j := range 4 {
			testkit.Close(t, "norm of the mean", s.Norms[j], squared(m.At(j), make([]float64, 5)), 1e-12)
		}
		own := 0.0 // the lectures' formula for row 0: −(2/n_j) Σ_{i∈j} k(xᵢ, x_j) read as a sum over i alone
		for i, j := range s.Labels {
			if j == s.Labels[0] {
				own += g.K.At(i, i)
			}
		}
		slip := g.K.At(0, 0) + s.Norms[s.Labels[0]] - 2*own/r.Masses[s.Labels[0]]
		if math.Abs(slip-s.Distances[0]) < 1e-3 {
			t.Errorf("seed %d: the slip of the lectures cannot be told from the distance", seed)
		}
	}
}

// With a linear kernel it is k-means: from the means of the same labels both end with the
// same labels.
func TestLinearKernelIsKMeans(t *testing.T) {
	for seed := range uint64(10) {
		phi, g := features(t, seed, 90, 3)
		labels, ones := make([]int, 90), make([]float64, 90)
		for i := range labels {
			labels[i], ones[i] = i%5, 1
		}
		a, ra, err := kmeans.Solve(context.Background(), g, 5, kmeans.Options{StartLabels: labels})
		if err != nil {
			t.Fatal(err)
		}
		b, rb, err := kmeans.FitVectors(context.Background(), phi, 5, kmeans.Options{Start: means(phi, labels, ones, 5), Tolerance: -1})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(a.Labels, b.Labels) {
			t.Errorf("seed %d: the labels differ", seed)
		}
		testkit.Close(t, "objective", ra.Objective, rb.Objective, 1e-11)
	}
}

// The objective never increases, from any start, with any weights.
func TestObjectiveNeverIncreases(t *testing.T) {
	for seed := range uint64(40) {
		rng := testkit.Rand(t, seed)
		n, k := 20+rng.IntN(60), 2+rng.IntN(8)
		_, g := features(t, seed, n, 1+rng.IntN(8))
		labels, w := make([]int, n), make([]float64, n)
		for i := range n {
			labels[i], w[i] = rng.IntN(k), float64(rng.IntN(3))
		}
		for j := range k {
			w[j] = 1
		}
		_, r, err := kmeans.Solve(context.Background(), g, k, kmeans.Options{StartLabels: labels, Weights: w})
		if err != nil {
			t.Fatal(err)
		}
		for i := 1; i < len(r.Trace); i++ {
			if r.Trace[i] > r.Trace[i-1]*(1+1e-12) {
				t.Errorf("seed %d: the objective rose from %v to %v", seed, r.Trace[i-1], r.Trace[i])
			}
		}
		if !r.Converged || len(r.Warnings) > 0 && r.Empty == 0 {
			t.Errorf("seed %d: converged %v, warnings %q", seed, r.Converged, r.Warnings)
		}
	}
}

// A weight of 2 is the row twice.
func TestKernelWeights(t *testing.T) {
	phi, g := features(t, 7, 40, 3)
	w, index, once := make([]float64, 40), []int{}, make([]int, 40)
	for i := range w {
		w[i], once[i] = float64(1+i%2), i%3
		for range 1 + i%2 {
			index = append(index, i)
		}
	}
	twice := make([]int, len(index))
	for i, from := range index {
		twice[i] = from % 3
	}
	a, ra, err := kmeans.Solve(context.Background(), g, 3, kmeans.Options{Weights: w, StartLabels: once})
	if err != nil {
		t.Fatal(err)
	}
	all := phi.Gather(index)
	k := mat.NewSymDense(all.Len(), nil)
	k.SymOuterK(1, mat.NewDense(all.Len(), 3, all.Raw()))
	b, rb, err := kmeans.Solve(context.Background(), gram.FromMatrix(k), 3, kmeans.Options{StartLabels: twice})
	if err != nil {
		t.Fatal(err)
	}
	testkit.Close(t, "objective", ra.Objective, rb.Objective, 1e-11)
	for i, from := range index {
		if b.Labels[i] != a.Labels[from] {
			t.Errorf("row %d: cluster %d, written twice %d", from, a.Labels[from], b.Labels[i])
		}
	}
}

// Values of the expansion are k(x, x) less the squared distance to the means, and their
// largest is the label, for the rows themselves.
func TestExpansionAssignsNewPoints(t *testing.T) {
	x, k := waves(80, 2), vec.RBF{Sigma: 2}
	f, r, err := kmeans.Fit(context.Background(), k, x, 5, kmeans.Options{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	s := r.Solution
	values, err := f.Predict(context.Background(), x, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(model.Largest(values), s.Labels) {
		t.Error("the largest values are not at the labels")
	}
	// A limit of memory below the size of the matrix streams it, to the same clusters.
	_, streamed, err := kmeans.Fit(context.Background(), k, x, 5, kmeans.Options{Seed: 1, Compute: compute.Options{MaxMemory: 8 * 80 * 80}})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(streamed.Solution.Labels, s.Labels) {
		t.Error("the streamed matrix has other clusters than the stored one")
	}
	for i, j := range s.Labels {
		testkit.Close(t, "value", values.At(i, j), 1-s.Distances[i], 1e-12)
	}
	// A new point by the definition, over all pairs of cluster 0.
	z := []float64{0.3, -0.7}
	cross, inner, count := 0.0, 0.0, 0.0
	for i, j := range s.Labels {
		if j != 0 {
			continue
		}
		count++
		cross += k.Eval(z, x.At(i))
		for l, m := range s.Labels {
			if m == 0 {
				inner += k.Eval(x.At(i), x.At(l))
			}
		}
	}
	at, err := f.Predict(context.Background(), data.Slice[[]float64]{z}, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	testkit.Close(t, "value at a new point", at.At(0, 0), 2*cross/count-inner/(count*count), 1e-12)
}

func TestKernelSameBitsForAnyWorkers(t *testing.T) {
	x := waves(700, 3)
	var first []float64
	for _, workers := range []int{1, 2, 3, 8} {
		o := compute.Options{Workers: workers}
		g := gram.Of(kernel.Bind(vec.RBF{Sigma: 2}, x, x), o)
		s, r, err := kmeans.Solve(context.Background(), g, 5, kmeans.Options{Restarts: 2, Compute: o})
		if err != nil {
			t.Fatal(err)
		}
		bits := append(slices.Clone(s.Distances), r.Objectives...)
		if first == nil {
			first = bits
		}
		if !slices.Equal(bits, first) {
			t.Errorf("%d workers give other bits", workers)
		}
	}
}

// Empty clusters of the start are refilled and counted.
func TestEmptyClustersAreRefilled(t *testing.T) {
	_, g := features(t, 3, 30, 4)
	_, r, err := kmeans.Solve(context.Background(), g, 4, kmeans.Options{StartLabels: make([]int, 30)})
	if err != nil {
		t.Fatal(err)
	}
	if r.Relocated < 3 || r.Empty != 0 || slices.Min(r.Sizes) == 0 {
		t.Errorf("relocated %d, empty %d, sizes %v", r.Relocated, r.Empty, r.Sizes)
	}
}

func TestKernelErrors(t *testing.T) {
	_, g := features(t, 1, 6, 2)
	bad := mat.NewSymDense(2, []float64{1, 0, 0, math.NaN()})
	off := mat.NewSymDense(2, []float64{1, math.NaN(), math.NaN(), 1})
	for _, c := range []struct {
		g    kmeans.Gram
		k    int
		o    kmeans.Options
		want string
	}{
		{g, 7, kmeans.Options{}, "7 clusters for 6 rows"},
		{g, 2, kmeans.Options{StartLabels: []int{1}}, "1 labels for 6 rows"},
		{g, 2, kmeans.Options{StartLabels: []int{0, 1, 2, 0, 0, 0}}, "label 2 of the start is 2"},
		{g, 2, kmeans.Options{Start: waves(2, 2)}, "start from labels"},
		{gram.FromMatrix(bad), 1, kmeans.Options{}, "row 1 with itself is NaN"},
		{gram.FromMatrix(off), 1, kmeans.Options{}, "not finite"},
	} {
		if _, _, err := kmeans.Solve(context.Background(), c.g, c.k, c.o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v does not say %q", err, c.want)
		}
	}
}

// eval hides that a kernel comes in tiles.
type eval struct{ kernel.Kernel[[]float64] }

// The same clusters come from sums that are corrected, in both precisions, from the
// triangle, at either precision, and from values that are computed in every product.
func TestStorageDoesNotMatter(t *testing.T) {
	x, k, o := waves(300, 4), vec.RBF{Sigma: 2}, kmeans.Options{Restarts: 2}
	want, report, err := kmeans.Solve(t.Context(), gram.Of(kernel.Bind(k, x, x), compute.Options{}), 5, o)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		k       kernel.Kernel[[]float64]
		storage string
		compute compute.Options
		error   float64
	}{
		{k, gram.InStream, compute.Options{}, 1e-13},
		{k, gram.InStream, compute.Options{Precision: compute.Single}, 1e-5},
		{eval{k}, gram.InTriangle, compute.Options{}, 1e-13},
		{eval{k}, gram.InSingleTriangle, compute.Options{Precision: compute.Single}, 1e-5},
		{eval{k}, gram.InStream, compute.Options{MaxMemory: 1 << 17}, 1e-13},
	} {
		o.Compute = c.compute
		_, r, err := kmeans.Fit(t.Context(), c.k, x, 5, o)
		if err != nil {
			t.Fatal(err)
		}
		s := r.Solution
		if r.Storage != c.storage || !r.Converged {
			t.Errorf("storage %q, want %q; %+v", r.Storage, c.storage, r)
		}
		if !slices.Equal(s.Labels, want.Labels) {
			t.Errorf("%s: other labels", c.storage)
		}
		testkit.Close(t, c.storage+" objective", r.Objective, report.Objective, c.error)
		testkit.Close(t, c.storage+" norm", s.Norms[0], want.Norms[0], c.error)
	}
}
