package kmeans_test

import (
	"context"
	"encoding/json"
	"math"
	"os"
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
	"example.org/mercer/unsupervised/kmeans"
)

// rings are the points of the reference values on circles of radius 1 and 3.
func rings(n int) data.Vectors {
	x := data.MakeVectors(n, 2)
	for i := range n {
		radius, angle := float64(1+2*(i%2))+0.1*math.Sin(float64(7*i)), 4*math.Pi*float64(i/2)/float64(n)
		x.At(i)[0], x.At(i)[1] = radius*math.Cos(angle), radius*math.Sin(angle)
	}
	return x
}

func rbf(x data.Vectors, sigma float64, o compute.Options) *gram.Stream {
	return gram.Of(kernel.Bind(vec.RBF{Sigma: sigma}, x, x), o)
}

// Labels up to their names, eigenvalues and silhouettes are those of scikit-learn and
// scipy; the eigengap finds the number of clusters. See "origin" in the file.
func TestSpectralAgreesWithScikitLearn(t *testing.T) {
	text, err := os.ReadFile("testdata/spectral.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Cases []struct {
			Name                     string
			K                        int
			Sigma                    float64
			Labels                   []int
			Eigenvalues, Silhouettes []float64
		}
	}
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	if len(file.Cases) != 2 {
		t.Fatalf("%d cases, want 2", len(file.Cases))
	}
	sets := map[string]data.Vectors{"rings": rings(120), "waves": waves(100, 4)}
	for _, c := range file.Cases {
		for _, k := range []int{c.K, 0} {
			if k == 0 && c.Name == "rings" {
				continue // the eigenvalues of a ring fall slowly: there is no gap to see
			}
			g := rbf(sets[c.Name], c.Sigma, compute.Options{})
			labels, r, err := kmeans.Spectral(context.Background(), g, k, kmeans.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if r.K != c.K || !samePartition(labels, c.Labels) {
				t.Errorf("%s, k = %d: %d clusters, other labels than scikit-learn", c.Name, k, r.K)
			}
			testkit.CloseSlice(t, "eigenvalues", r.Eigenvalues[:c.K+1], c.Eigenvalues, 1e-9)
			testkit.Close(t, "gap", r.Gap, c.Eigenvalues[c.K-1]-c.Eigenvalues[c.K], 1e-8)
		}
		values, _, err := kmeans.Silhouette(context.Background(), rbf(sets[c.Name], c.Sigma, compute.Options{}), c.Labels, nil, compute.Options{})
		if err != nil {
			t.Fatal(err)
		}
		testkit.CloseSlice(t, "silhouettes", values, c.Silhouettes, 1e-8)
	}
}

// The objective of weighted kernel k-means on the kernel of cuts is the normalised cut, up
// to Σ aᵢᵢ/dᵢ − k; from the labels of spectral clustering it does not rise.
func TestCutIsWeightedKernelKMeans(t *testing.T) {
	g := rbf(waves(90, 3), 1, compute.Options{})
	degrees, err := kmeans.Degrees(context.Background(), g, nil)
	if err != nil {
		t.Fatal(err)
	}
	labels, r, err := kmeans.Spectral(context.Background(), g, 4, kmeans.Options{})
	if err != nil {
		t.Fatal(err)
	}
	constant := -4.0
	for _, d := range degrees {
		constant += 1 / d
	}
	s, refined, err := kmeans.Solve(context.Background(), kmeans.CutKernel(g, degrees), 4, kmeans.Options{Weights: degrees, StartLabels: labels})
	if err != nil {
		t.Fatal(err)
	}
	testkit.Close(t, "objective", refined.Trace[0], constant+r.Cut, 1e-11)
	cut, err := kmeans.NormalizedCut(context.Background(), g, degrees, s.Labels)
	if err != nil {
		t.Fatal(err)
	}
	testkit.Close(t, "objective at the end", refined.Objective, constant+cut, 1e-11)
	if cut > r.Cut*(1+1e-12) {
		t.Errorf("the cut rose from %v to %v", r.Cut, cut)
	}
	brute := 0.0
	k, err := gram.Materialize(context.Background(), g, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for j := range 4 {
		across, volume := 0.0, 0.0
		for i := range 90 {
			for l := range 90 {
				if labels[i] == j {
					volume += k.At(i, l)
					if labels[l] != j {
						across += k.At(i, l)
					}
				}
			}
		}
		brute += across / volume
	}
	testkit.Close(t, "cut by definition", r.Cut, brute, 1e-11)
}

func TestSpectralSameBitsForAnyWorkers(t *testing.T) {
	var first []float64
	var labels []int
	for _, workers := range []int{1, 2, 3, 8} {
		o := compute.Options{Workers: workers}
		l, r, err := kmeans.Spectral(context.Background(), rbf(waves(300, 3), 1.5, o), 5, kmeans.Options{Compute: o})
		if err != nil {
			t.Fatal(err)
		}
		values, mean, err := kmeans.Silhouette(context.Background(), rbf(waves(300, 3), 1.5, o), l, nil, o)
		if err != nil {
			t.Fatal(err)
		}
		bits := append(append(values, mean, r.Cut, r.Objective), r.Eigenvalues...)
		if first == nil {
			first, labels = bits, l
		}
		if !slices.Equal(bits, first) || !slices.Equal(l, labels) {
			t.Errorf("%d workers give other bits", workers)
		}
	}
}

// Parts that nothing joins are counted, and more of them than clusters are a warning.
func TestDisconnectedGraph(t *testing.T) {
	a := mat.NewSymDense(9, nil)
	for i := range 9 {
		for j := i; j < 9; j++ {
			if i/3 == j/3 {
				a.SetSym(i, j, 1)
			}
		}
	}
	labels, r, err := kmeans.Spectral(context.Background(), gram.FromMatrix(a), 3, kmeans.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if !samePartition(labels, []int{0, 0, 0, 1, 1, 1, 2, 2, 2}) || r.Components != 3 || len(r.Warnings) > 0 || math.Abs(r.Cut) > 1e-12 {
		t.Errorf("labels %v, %d parts, cut %v, warnings %q", labels, r.Components, r.Cut, r.Warnings)
	}
	if _, r, err = kmeans.Spectral(context.Background(), gram.FromMatrix(a), 2, kmeans.Options{}); err != nil || len(r.Warnings) != 1 {
		t.Errorf("two clusters of three parts: %v, %v", r, err)
	}
}

func TestSpectralErrors(t *testing.T) {
	isolated := mat.NewSymDense(3, []float64{1, 1, 0, 1, 1, 0, 0, 0, 0})
	whole := gram.FromMatrix(mat.NewSymDense(3, []float64{1, 1, 1, 1, 1, 1, 1, 1, 1}))
	for _, c := range []struct {
		g    kmeans.Gram
		k    int
		o    kmeans.Options
		want string
	}{
		{gram.FromMatrix(isolated), 2, kmeans.Options{}, "affinities of row 2 add up to 0"},
		{whole, -1, kmeans.Options{}, "at least one"},
		{whole, 4, kmeans.Options{}, "4 clusters for 3 rows"},
		{whole, 2, kmeans.Options{StartLabels: []int{0, 1, 1}}, "give no start"},
	} {
		if _, _, err := kmeans.Spectral(context.Background(), c.g, c.k, c.o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v does not say %q", err, c.want)
		}
	}
	for _, labels := range [][]int{{0, 0, 0}, {0, 1}, {0, -1, 0}, {0, 7, 0}} {
		if _, _, err := kmeans.Silhouette(context.Background(), whole, labels, nil, compute.Options{}); err == nil {
			t.Errorf("labels %v have a silhouette", labels)
		}
	}
	if got := []int{kmeans.Eigengap(nil, kmeans.Range{1, 3}), kmeans.Eigengap([]float64{1}, kmeans.Range{1, 3}), kmeans.Eigengap([]float64{1, 0.9, 0.2, 0.1}, kmeans.Range{1, 3}),
		kmeans.Eigengap([]float64{1, 0.9, 0.2, 0.1, 0}, kmeans.Range{3, 4})}; !slices.Equal(got, []int{1, 1, 2, 3}) {
		t.Errorf("eigengaps %v", got)
	}
}
