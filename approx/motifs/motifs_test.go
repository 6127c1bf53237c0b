package motifs_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/approx/filters"
	"example.org/mercer/approx/motifs"
	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/seq"
)

func sequences(n, length int) data.Slice[string] {
	r := rand.New(rand.NewPCG(1, 2))
	out := make(data.Slice[string], n)
	for i := range out {
		letters := make([]byte, length/2+r.IntN(length))
		for j := range letters {
			letters[j] = "ACGT"[r.IntN(4)]
		}
		out[i] = string(letters)
	}
	out[0] += "N" + out[1]
	return out
}

func learned(t testing.TB, k kernel.Kernel[string], xs data.Set[string], o filters.Options) *motifs.Kernel[string] {
	t.Helper()
	out, err := motifs.Learn(t.Context(), k, xs, o)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

var kernels = []kernel.Kernel[string]{
	seq.Motif{K: 3, Sigma: 0.6, Alphabet: seq.DNA}, seq.Motif{K: 4, Sigma: 0.5, Alphabet: seq.DNA, Both: true},
	kernel.Normalized[string]{Of: seq.Motif{K: 3, Sigma: 0.4, Alphabet: seq.DNA}},
}

// With a motif for each word, κ(Zᵀu)ᵀ(κ(ZᵀZ) + εI)⁻¹κ(Zᵀv) differs from κ(⟨u, v⟩/K) by at most ε,
// and single precision adds 2√m·2⁻²⁴/√ε: times the number of pairs of words.
func TestAllWordsGiveTheExactKernel(t *testing.T) {
	const epsilon = 1e-4
	xs := sequences(12, 30)
	for _, k := range kernels {
		z := learned(t, k, xs, filters.Options{Filters: []int{4000}, Epsilon: epsilon})
		bound := epsilon + 2*math.Sqrt(float64(z.Dim()))*0x1p-24/math.Sqrt(epsilon)
		for i := range xs {
			for j := range xs {
				pairs := float64(len(xs[i])*len(xs[j])) * 4
				if n, ok := k.(kernel.Normalized[string]); ok {
					pairs = float64(len(xs[i])*len(xs[j])) / math.Sqrt(n.Of.Eval(xs[i], xs[i])*n.Of.Eval(xs[j], xs[j]))
				}
				if got, want := z.Eval(xs[i], xs[j]), k.Eval(xs[i], xs[j]); math.Abs(got-want) > bound*pairs {
					t.Errorf("%s: %v with all words, exactly %v ± %v", z, got, want, bound*pairs)
				}
			}
		}
	}
}

// The map is that of its definition in double precision, and the same for any number of workers and
// any company.
func TestMap(t *testing.T) {
	xs := sequences(40, 50)
	k := seq.Motif{K: 5, Sigma: 0.5, Alphabet: seq.DNA}
	z := learned(t, k, xs, filters.Options{Filters: []int{16}, Compute: compute.Options{Workers: 1}})
	if z.Dim() != 16 {
		t.Fatalf("%d motifs", z.Dim())
	}
	other := learned(t, k, xs, filters.Options{Filters: []int{16}, Compute: compute.Options{Workers: 2}})
	all, again := kernel.NewTile(len(xs), 16), kernel.NewTile(len(xs), 16)
	z.MapRows(all, xs, 0)
	other.MapRows(again, xs, 0)
	if !slices.Equal(all.Data, again.Data) {
		t.Error("two workers have other bits than one")
	}
	root := z.Layers()[0].Inverse
	for i, x := range xs {
		sums := make([]float64, 16)
		for at := 0; at+5 <= len(x); at++ {
			word := x[at : at+5]
			if strings.Contains(word, "N") {
				continue
			}
			for j, motif := range z.Motifs() {
				inner := 0.0
				for place := range 5 {
					inner += motif.At(place, strings.IndexByte("ACGT", word[place])) / math.Sqrt(5)
				}
				sums[j] += math.Exp((inner - 1) / 0.25)
			}
		}
		one := make([]float64, 16)
		z.Map(one, x)
		if !slices.Equal(one, all.Row(i)) {
			t.Fatalf("%q has other bits alone", x)
		}
		for j, got := range one {
			want, size := 0.0, 0.0
			for l, s := range sums {
				want += float64(root[j*16+l]) * s
				size += math.Abs(float64(root[j*16+l])) * s
			}
			// The exponent is off by K roundings of single precision over σ², its exponential by
			// two.
			if math.Abs(got-want) > size*(5/0.25+2)*0x1p-23 {
				t.Fatalf("feature %d of %q is %v, by definition %v", j, x, got, want)
			}
		}
	}
}

// A motif that was put into random sequences is found.
func TestFindsAMotif(t *testing.T) {
	xs := sequences(300, 60)
	for i, x := range xs {
		xs[i] = x[:10] + strings.Repeat("TATAATGC", 3) + x[10:]
	}
	z := learned(t, seq.Motif{K: 8, Sigma: 0.3, Alphabet: seq.DNA}, xs, filters.Options{Filters: []int{24}})
	var texts []string
	for _, m := range z.Motifs() {
		for _, place := range m.Frequencies() {
			if sum := mat.Sum(mat.NewVecDense(4, place)); math.Abs(sum-1) > 1e-12 {
				t.Fatalf("frequencies add up to %v", sum)
			}
		}
		texts = append(texts, m.Consensus([]string{"A", "C", "G", "T"}))
	}
	if !slices.Contains(texts, "TATAATGC") {
		t.Errorf("the motifs are %q", texts)
	}
}

// Words add up to the function, and a motif weighs what a word like it adds.
func TestExplainWeights(t *testing.T) {
	xs := sequences(20, 40)
	for _, k := range kernels {
		z := learned(t, k, xs, filters.Options{Filters: []int{4000}, Epsilon: 1e-3})
		w := make([]float64, z.Dim())
		for j := range w {
			w[j] = math.Sin(float64(3 * j))
		}
		g, phi := z.ExplainWeights(w), make([]float64, z.Dim())
		lists, err := g.Weights(t.Context())
		if err != nil || len(lists) != 1 || len(lists[0].Features) != z.Dim() {
			t.Fatalf("%d lists of weights, %v", len(lists), err)
		}
		weights := map[string]float64{}
		for _, f := range lists[0].Features {
			weights[f.Feature] = f.Value
		}
		_, normalized := k.(kernel.Normalized[string])
		for _, x := range xs {
			z.Map(phi, x)
			want, size := 0.0, 0.0
			for j, v := range phi {
				want += w[j] * v
				size += math.Abs(w[j] * v)
			}
			splits, err := g.Split(t.Context(), x)
			if err != nil || math.Abs(splits[0].Value-want) > 1e-4*size {
				t.Fatalf("%s: %v, the function %v", z, splits[0].Value, want)
			}
			if m, ok := k.(seq.Motif); !ok || m.Both || normalized {
				continue // a word has another name or another scale there
			}
			for _, part := range splits[0].Parts {
				if got, ok := weights[part.Feature]; !ok || math.Abs(got-part.Value) > 1e-4*size {
					t.Fatalf("%s: the motif %s weighs %v, the word adds %v", z, part.Feature, got, part.Value)
				}
			}
		}
	}
}

func TestRefusals(t *testing.T) {
	xs := sequences(3, 20)
	for name, c := range map[string]struct {
		k  kernel.Kernel[string]
		xs data.Slice[string]
		o  filters.Options
	}{
		"compares no words": {seq.Spectrum{}, xs, filters.Options{Filters: []int{3}}},
		"one for each":      {seq.Motif{Alphabet: seq.DNA}, xs, filters.Options{Filters: []int{3, 4}}},
		"no points":         {seq.Motif{Alphabet: seq.DNA}, nil, filters.Options{Filters: []int{3}}},
		"no point has":      {seq.Motif{Alphabet: seq.DNA}, data.Slice[string]{"ACG", ""}, filters.Options{Filters: []int{3}}},
		"is no letter of":   {seq.Motif{Alphabet: seq.DNA}, data.Slice[string]{"AC!GACGTACGT"}, filters.Options{Filters: []int{3}}},
	} {
		if _, err := motifs.Learn(t.Context(), c.k, c.xs, c.o); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
	z := learned(t, seq.Motif{Alphabet: seq.DNA}, sequences(9, 40), filters.Options{Filters: []int{3}})
	broken := z.Layers()
	broken[0].Inverse = broken[0].Inverse[1:]
	if _, err := motifs.Restore(z.Of(), "", broken, 0); err == nil {
		t.Error("motifs without an inverse root are taken")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := motifs.Learn(ctx, z.Of(), sequences(9, 40), filters.Options{Filters: []int{3}}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
