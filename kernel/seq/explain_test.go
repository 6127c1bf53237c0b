package seq_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"example.org/mercer/data"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/explanation"
	"example.org/mercer/kernel/seq"
)

// explained returns the explanation of Σᵢ cᵢ k(·, xᵢ) with coefficients of both signs.
func explained(t *testing.T, k kernel.Kernel[string], xs []string) (explanation.Function[string], []float64) {
	t.Helper()
	coef := make([]float64, len(xs))
	for i := range coef {
		coef[i] = math.Cos(float64(2*i)) / 3
	}
	g, err := kernel.Explain(t.Context(), k, data.Set[string](data.Slice[string](xs)), coef)
	if err != nil {
		t.Fatal(err)
	}
	return g, coef
}

// listed returns the weights of the only term.
func listed(t *testing.T, g explanation.Function[string]) map[string]float64 {
	t.Helper()
	lists, err := g.Weights(t.Context())
	if err != nil || len(lists) != 1 {
		t.Fatalf("%d lists of weights, %v", len(lists), err)
	}
	out := map[string]float64{}
	for _, w := range lists[0].Features {
		out[w.Feature] = w.Value
	}
	return out
}

// The weights of a spectrum kernel, worked out by hand: GA is in the first sequence twice.
func TestSpectrumWeightsByHand(t *testing.T) {
	g, c := explained(t, seq.Spectrum{K: 2, Alphabet: seq.DNA}, []string{"gagA", "CGA", "NGA"})
	got := listed(t, g)
	for word, want := range map[string]float64{"GA": 2*c[0] + c[1] + c[2], "AG": c[0], "CG": c[1]} {
		if got[word] != want {
			t.Errorf("w(%s) = %v, want %v", word, got[word], want)
		}
	}
	if len(got) != 3 {
		t.Errorf("%d words have weights, and three occur: %v", len(got), got)
	}
	splits, err := g.Split(t.Context(), "TGANA")
	if err != nil {
		t.Fatal(err)
	}
	share := got["GA"] / 2
	if text := fmt.Sprint(splits[0].ByPlace()); text != fmt.Sprint([]float64{0, share, share, 0, 0}) {
		t.Errorf("the places of TGANA have %s, and G and A each half of %v", text, got["GA"])
	}
}

// With both strands a word and its reverse complement are one feature, whose weight is that
// of both: f is their sum over the written strand alone.
func TestStrandsAreOneFeature(t *testing.T) {
	g, c := explained(t, seq.Spectrum{K: 2, Alphabet: seq.DNA, Both: true}, []string{"AAC", "GTT"})
	got := listed(t, g)
	if len(got) != 2 || got["AA"] != 2*(c[0]+c[1]) || got["AC"] != 2*(c[0]+c[1]) {
		t.Errorf("%v: want AA and AC (which is GT) with %v", got, 2*(c[0]+c[1]))
	}
	palindrome, c := explained(t, seq.Spectrum{K: 2, Alphabet: seq.DNA, Both: true}, []string{"AT"})
	if got := listed(t, palindrome); got["AT"] != 4*c[0] {
		t.Errorf("AT, its own reverse complement, has %v; it occurs twice in each sequence and adds %v", got["AT"], 4*c[0])
	}
}

// The weights of all words by tables of what words share are those by their distances: to
// rounding of the sums, which count each pair of words as often as C(l, d).
func TestWordScores(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, k := range []kernel.Kernel[string]{
		seq.GKM{L: 6, K: 4, D: 3, Alphabet: seq.DNA, Both: true}, seq.GKM{L: 7, K: 4, D: 2, Filter: seq.CountFilter, Alphabet: seq.RNA}, seq.Mismatch{K: 5, M: 1, Alphabet: seq.DNA}, seq.Motif{K: 6, Sigma: 0.5, Alphabet: seq.DNA, Both: true},
	} {
		xs := make([]string, 12)
		for i := range xs {
			xs[i] = random(r, 400, "ACGT")
		}
		g, _ := explained(t, k, xs)
		got := listed(t, g)
		if len(got) < 1000 {
			t.Fatalf("%s: only %d words: the tables were not used", k, len(got))
		}
		size := 0.0
		for _, v := range got {
			size = max(size, math.Abs(v))
		}
		splits, err := g.Split(t.Context(), xs[3]) // by distances
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range splits[0].Parts {
			if math.Abs(got[p.Feature]-p.Value) > 1e-10*size {
				t.Errorf("%s: w(%s) = %v by tables and %v by distances", k, p.Feature, got[p.Feature], p.Value)
			}
		}
	}
}

// Shares of an occlusion, worked out by hand: without the A in the middle AxB has no
// subsequence AB left but that of the ends.
func TestOcclusion(t *testing.T) {
	for _, alphabet := range []seq.Alphabet{seq.Bytes, seq.Unicode, seq.Words, seq.Protein} {
		x, y := "A A C", "A C"
		if alphabet != seq.Words {
			x, y = "AAC", "AC"
		}
		k := seq.Subsequence{K: 2, Decay: 0.5, Alphabet: alphabet}
		g, err := kernel.Explain[string](t.Context(), k, data.Slice[string]{y}, []float64{1})
		if err != nil {
			t.Fatal(err)
		}
		splits, err := g.Split(t.Context(), x)
		if err != nil {
			t.Fatal(err)
		}
		// k(AAC, AC) = λ²(λ² + λ³): the first A with a gap, the second without.
		want := []float64{1. / 32, 1. / 16, 3. / 32}
		if s := splits[0]; s.Rule != explanation.ByOcclusion || s.Value != 3./32 || fmt.Sprint(s.ByPlace()) != fmt.Sprint(want) {
			t.Errorf("%s: %v %v, want %v of 3/32", alphabet, s.Value, s.ByPlace(), want)
		}
	}
}

// A normalised kernel without features is occluded as a whole: the norm of x changes, too.
func TestOcclusionOfNormalised(t *testing.T) {
	k := kernel.Normalized[string]{Of: seq.Subsequence{K: 2, Decay: 0.5, Alphabet: seq.Protein}}
	g, err := kernel.Explain[string](t.Context(), k, data.Slice[string]{"MKVL", "KVAA"}, []float64{1, -2})
	if err != nil {
		t.Fatal(err)
	}
	f := func(x string) float64 { return k.Eval(x, "MKVL") - 2*k.Eval(x, "KVAA") }
	splits, err := g.Split(t.Context(), "MKAV")
	if err != nil {
		t.Fatal(err)
	}
	for i, got := range splits[0].ByPlace() {
		want := f("MKAV") - f("MKAV"[:i]+"X"+"MKAV"[i+1:])
		if math.Abs(got-want) > 1e-14 {
			t.Errorf("place %d: %v, want %v", i, got, want)
		}
	}
}

func TestExplanationsCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	xs := data.Slice[string]{strings.Repeat("ACGT", 20), strings.Repeat("GATC", 20)}
	for _, k := range []kernel.Kernel[string]{seq.Spectrum{}, seq.GKM{L: 6, K: 4}, seq.Degree{}} {
		if _, err := kernel.Explain[string](ctx, k, xs, []float64{1, 2}); err == nil {
			t.Errorf("%s: no error after the end", k)
		}
	}
}
