package rkhs_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/approx/nystrom"
	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/gram"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel"
	"example.org/mercer/rkhs"
)

// onLandmarks returns a kernel projected on the span of so many rows.
func onLandmarks(t testing.TB, k kernel.Kernel[[]float64], xs vectors, o nystrom.Options) *nystrom.Kernel[[]float64] {
	t.Helper()
	chosen, _, err := nystrom.Landmarks(t.Context(), k, xs, o)
	if err != nil {
		t.Fatal(err)
	}
	return must(nystrom.New(t.Context(), k, chosen.Points, compute.Options{}))(t)
}

// pooled joins two samples.
func pooled(xs, ys data.Vectors) data.Slice[[]float64] {
	var all data.Slice[[]float64]
	for _, s := range []data.Vectors{xs, ys} {
		for i := range s.Len() {
			all = append(all, s.At(i))
		}
	}
	return all
}

// With every point a landmark the tests are the exact ones, and with fewer those of the elements
// of the low-rank matrix: statistics, nulls and single permutations.
func TestTestsOnLandmarks(t *testing.T) {
	k, l := parse(t, "laplace(sigma=1)"), parse(t, "laplace(sigma=2)")
	xs, ys := normal(t, 41, 30, 2, 0), normal(t, 42, 20, 2, 0.5)
	all := pooled(xs, ys)
	vs := normal(t, 43, 50, 1, 0)
	for i := range vs.Len() {
		vs.At(i)[0] += all[i][0]
	}
	one := compute.Options{Workers: 1} // elements are no kernel for several goroutines
	for _, rank := range []int{50, 12} {
		low, other := onLandmarks(t, k, all, nystrom.Options{Rank: rank, Seed: 1}), onLandmarks(t, l, vs, nystrom.Options{Rank: rank, Seed: 2})
		exact, second := k, l
		if rank < 50 {
			exact, second = elements{low, map[*float64][]float64{}}, elements{other, map[*float64][]float64{}}
		}
		for _, null := range []rkhs.Null{rkhs.Permutation, rkhs.Gamma} {
			name := fmt.Sprintf("%d landmarks, %s: ", rank, null)
			for _, statistic := range []rkhs.Statistic{rkhs.Quadratic, rkhs.Biased} {
				o := rkhs.MMDOptions{Statistic: statistic, Null: null, Permutations: 50, Seed: 3}
				f, got, err := rkhs.MMD(t.Context(), low, xs, ys, o)
				if err != nil {
					t.Fatal(err)
				}
				g, want, err := rkhs.MMD(t.Context(), exact, xs, ys, rkhs.MMDOptions{Statistic: statistic, Null: null, Permutations: 50, Seed: 3, Compute: one})
				if err != nil {
					t.Fatal(err)
				}
				testkit.Close(t, name+"MMD²", got.MMD2, want.MMD2, 1e-9)
				testkit.Close(t, name+"biased", got.Biased, want.Biased, 1e-9)
				testkit.Close(t, name+"p", got.P, want.P, 1e-9)
				testkit.CloseSlice(t, name+"permuted", got.Permuted, want.Permuted, 1e-9)
				testkit.CloseSlice(t, name+"witness", must(f.Values(t.Context(), xs, compute.Options{}))(t), must(g.Values(t.Context(), xs, one))(t), 1e-9)
				if got.Stored {
					t.Error("a Gram matrix was stored")
				}
			}
			o := rkhs.HSICOptions{Null: null, Permutations: 50, Seed: 3}
			got, err := rkhs.HSIC(t.Context(), low, all, other, vs, o)
			if err != nil {
				t.Fatal(err)
			}
			want, err := rkhs.HSIC(t.Context(), exact, all, second, vs, rkhs.HSICOptions{Null: null, Permutations: 50, Seed: 3, Compute: one})
			if err != nil {
				t.Fatal(err)
			}
			testkit.Close(t, name+"HSIC", got.HSIC, want.HSIC, 1e-9)
			testkit.Close(t, name+"alignment", got.Alignment, want.Alignment, 1e-9)
			testkit.Close(t, name+"p", got.P, want.P, 1e-9)
			testkit.CloseSlice(t, name+"permuted", got.Permuted, want.Permuted, 1e-9)
		}
	}
}

// elements hides that a kernel is a product of features, of which each is computed once.
type elements struct {
	of  *nystrom.Kernel[[]float64]
	phi map[*float64][]float64
}

func (e elements) at(x []float64) []float64 {
	if e.phi[&x[0]] == nil {
		e.phi[&x[0]] = make([]float64, e.of.Rank())
		e.of.Map(e.phi[&x[0]], x)
	}
	return e.phi[&x[0]]
}

func (e elements) Eval(x, y []float64) float64 { return floats.Dot(e.at(x), e.at(y)) }
func (e elements) String() string              { return e.of.String() }

// Landmarks look at points and not at samples, so that the test keeps its level however few
// there are: p ≤ j/100 with probability j/100 over data and landmarks.
func TestLevelOnLandmarks(t *testing.T) {
	rounds := 200
	if testing.Short() {
		rounds = 60
	}
	k, l, r := parse(t, "rbf(sigma=1)"), parse(t, "rbf(sigma=2)"), testkit.Rand(t, 44)
	draw := func(n, d int) data.Vectors {
		xs := data.MakeVectors(n, d)
		for i := range n {
			for j := range d {
				xs.At(i)[j] = r.NormFloat64()
			}
		}
		return xs
	}
	counts := map[string]map[float64]int{}
	for round := range rounds {
		for _, scheme := range []nystrom.Scheme{nystrom.Uniform, nystrom.Pivoted, nystrom.Greedy} {
			at := nystrom.Options{Scheme: scheme, Rank: 4, Seed: uint64(round)}
			xs, ys := draw(15, 1), draw(25, 1)
			_, m, err := rkhs.MMD(t.Context(), onLandmarks(t, k, pooled(xs, ys), at), xs, ys, rkhs.MMDOptions{Permutations: 99, Seed: uint64(round)})
			if err != nil {
				t.Fatal(err)
			}
			us, vs := draw(25, 1), draw(25, 2)
			other := at
			other.Seed += 1e6
			h, err := rkhs.HSIC(t.Context(), onLandmarks(t, k, us, at), us, onLandmarks(t, l, vs, other), vs, rkhs.HSICOptions{Permutations: 99, Seed: uint64(round)})
			if err != nil {
				t.Fatal(err)
			}
			for name, p := range map[string]float64{"MMD " + string(scheme): m.P, "HSIC " + string(scheme): h.P} {
				if counts[name] == nil {
					counts[name] = map[float64]int{}
				}
				for _, level := range []float64{0.05, 0.5, 0.9} {
					if p <= level+1e-12 {
						counts[name][level]++
					}
				}
			}
		}
	}
	for name, levels := range counts {
		for level, got := range levels {
			binomial(t, fmt.Sprintf("%s: p ≤ %g", name, level), got, rounds, level)
		}
	}
}

func TestTestsOnLandmarksOfManyRows(t *testing.T) {
	k := parse(t, "rbf(sigma=1)")
	xs, ys := normal(t, 45, 1500, 2, 0), normal(t, 46, 1000, 2, 0.15)
	low := onLandmarks(t, k, pooled(xs, ys), nystrom.Options{Rank: 30, Seed: 1})
	var first *rkhs.TwoSample
	var dependence *rkhs.Dependence
	square := normal(t, 47, 1500, 1, 0)
	for i := range square.Len() {
		square.At(i)[0] = xs.At(i)[0]*xs.At(i)[0] + 0.5*square.At(i)[0]
	}
	other := onLandmarks(t, k, square, nystrom.Options{Rank: 20, Seed: 1})
	for _, workers := range []int{1, 2, 3, 8} {
		o := compute.Options{Workers: workers, MaxMemory: 2 << 20} // a tenth of the Gram matrix of 1500 rows
		_, m, err := rkhs.MMD(t.Context(), low, xs, ys, rkhs.MMDOptions{Permutations: 99, Compute: o})
		if err != nil {
			t.Fatal(err)
		}
		h, err := rkhs.HSIC(t.Context(), low, xs, other, square, rkhs.HSICOptions{Permutations: 99, Compute: o})
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first, dependence = m, h
		}
		if m.MMD2 != first.MMD2 || m.P != first.P || h.HSIC != dependence.HSIC || h.P != dependence.P || h.Permuted[7] != dependence.Permuted[7] {
			t.Errorf("%d workers: other bits", workers)
		}
	}
	if first.P > 0.01 || dependence.P > 0.01 {
		t.Errorf("a shift of 0.15 has p = %v, a parabola %v", first.P, dependence.P)
	}
	var large *compute.TooLarge
	if _, err := rkhs.HSIC(t.Context(), low, xs, other, square, rkhs.HSICOptions{Compute: compute.Options{MaxMemory: 1 << 20}}); !errors.As(err, &large) {
		t.Errorf("1000 permutations in 1 MiB: error %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := rkhs.MMD(ctx, low, xs, ys, rkhs.MMDOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: error %v", err)
	}
	phi, psi := must(low.Operator(t.Context(), xs, compute.Options{}))(t), must(other.Operator(t.Context(), square, compute.Options{}))(t)
	if _, err := rkhs.SolveHSIC(ctx, phi, psi, rkhs.HSICOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: error %v", err)
	}
	few := must(gram.FeatureOperatorOf(t.Context(), 10, 2, func(context.Context, *mat.Dense, int) error { return nil }, compute.Options{}))(t)
	if _, err := rkhs.SolveHSIC(t.Context(), phi, few, rkhs.HSICOptions{}); err == nil {
		t.Error("features of 1500 and of 10 rows were taken")
	}
	if _, err := rkhs.SolveHSIC(t.Context(), few, few, rkhs.HSICOptions{}); err == nil {
		t.Error("features that are all 0 were taken")
	}
}
