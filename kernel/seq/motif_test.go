package seq_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"example.org/mercer/kernel"
	"example.org/mercer/kernel/construction"
	"example.org/mercer/kernel/seq"
)

// TestMotifByDefinition multiplies the 0/1 matrices of words, and falls back on the kernels that
// are its limits: σ → 0 counts equal words, σ → ∞ all pairs.
func TestMotifByDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 42))
	points := sequences(r, seq.DNA, 10, 25)
	for _, m := range []seq.Motif{{K: 4, Sigma: 0.5, Alphabet: seq.DNA}, {K: 3, Sigma: 1.2, Alphabet: seq.DNA, Both: true}} {
		tile := tileOf(m, points, points)
		for i, x := range points {
			for j, y := range points {
				want, other := 0.0, wordMatrices(t, m, y)
				for _, u := range wordMatrices(t, m, x) {
					for _, v := range other {
						inner := 0.0
						for c := range u {
							inner += u[c] * v[c]
						}
						want += math.Exp((inner/float64(m.K) - 1) / (m.Sigma * m.Sigma))
					}
				}
				// A sum of up to 40·40 positive numbers in two orders.
				if got := m.Eval(x, y); math.Abs(got-want) > 2000*0x1p-52*want || tile.Row(i)[j] != got {
					t.Fatalf("%s of %q and %q is %g, in a tile %g, by definition %g", m, x, y, got, tile.Row(i)[j], want)
				}
			}
		}
	}
	x, y := points[3], points[4]
	if got, want := (seq.Motif{K: 3, Sigma: 1e-3, Alphabet: seq.DNA}).Eval(x, y), (seq.Spectrum{K: 3, Alphabet: seq.DNA}).Eval(x, y); got != want {
		t.Errorf("a narrow motif kernel is %g, the spectrum kernel %g", got, want)
	}
}

// wordMatrices lists the words of a sequence as the construction of the kernel gives them.
func wordMatrices(t *testing.T, m seq.Motif, x string) (out [][]float64) {
	t.Helper()
	of, err := kernel.FeatureConstructionOf[string](m, x)
	if err != nil {
		t.Fatal(err)
	}
	words := of.(construction.Words[string])
	places := words.Places(x)
	err = words.List(context.Background(), x, func(w construction.Word) {
		one := make([]float64, words.Dim())
		for p, s := range w.Symbols {
			one[p*len(words.Symbols)+int(s)] = 1
			if own := words.Symbols[s]; !m.Both && own != places[w.Place+p].Symbol {
				t.Fatalf("symbol %d of the word at %d of %q is %s", p, w.Place, x, own)
			}
		}
		out = append(out, one)
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestMotifRefuses(t *testing.T) {
	for _, text := range []string{"motif(sigma=0)", "motif(sigma=-1)", "motif(k=0)", "motif(k=99)", "motif(alphabet=words)", "motif(rc=yes)"} {
		if k, err := parse(text); err == nil {
			t.Errorf("%s is taken as %s", text, k)
		}
	}
	if err := (seq.Motif{Sigma: math.NaN()}).Contains("ACGT"); err == nil {
		t.Error("a width that is no number is taken")
	}
}

// Words that differ in one of three places count exp(−1/(3·0.25)) of equal ones.
func ExampleMotif() {
	k := seq.Motif{K: 3, Sigma: 0.5, Alphabet: seq.DNA}
	fmt.Printf("%.3f %.3f\n", k.Eval("ACG", "ACG"), k.Eval("ACG", "ACT"))
	// Output: 1.000 0.264
}
