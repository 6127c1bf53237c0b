package seq_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"example.org/mercer/kernel"
	"example.org/mercer/kernel/kerneltest"
	"example.org/mercer/kernel/seq"

	"example.org/mercer/internal/testkit"
)

// occurrences returns φ of the subsequence kernel by all lists of places.
func occurrences(x string, k int, decay float64) map[string]float64 {
	out := map[string]float64{}
	var choose func(from, first int, word string)
	choose = func(from, first int, word string) {
		if len(word) == k {
			out[word] += math.Pow(decay, float64(from-first))
			return
		}
		for i := from; i < len(x); i++ {
			start := first
			if word == "" {
				start = i
			}
			choose(i+1, start, word+x[i:i+1])
		}
	}
	choose(0, 0, "")
	return out
}

// TestSubsequenceByDefinition lists all subsequences of short strings.
func TestSubsequenceByDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 32))
	for range 60 {
		k, decay := 1+r.IntN(4), 0.1+0.9*r.Float64()
		x, y := random(r, r.IntN(10), "ABC"), random(r, r.IntN(10), "ABC")
		want, other := 0.0, occurrences(y, k, decay)
		for word, v := range occurrences(x, k, decay) {
			want += v * other[word]
		}
		s := seq.Subsequence{K: k, Decay: decay}
		if got := s.Eval(x, y); math.Abs(got-want) > 1e-12*want {
			t.Fatalf("%s of %q and %q is %g, by definition %g", s, x, y, got, want)
		}
	}
	// Lodhi et al. work out k=2 on cat and car: λ⁴, and for cat itself 2λ⁴ + λ⁶.
	if got := (seq.Subsequence{K: 2, Decay: 0.5}).Eval("cat", "car"); got != 1.0/16 {
		t.Errorf("cat and car: %g", got)
	}
	if got, want := (seq.Subsequence{K: 2, Decay: 0.5}).Eval("cat", "cat"), 2.0/16+1.0/64; got != want {
		t.Errorf("cat and cat: %g, want %g", got, want)
	}
}

// TestLongSubsequences has sums beyond the range of numbers on the way to a value within it:
// k(aⁿ, aⁿ) with λ = 1 is C(n, k)².
func TestLongSubsequences(t *testing.T) {
	testkit.SkipUnderRace(t)
	x := strings.Repeat("a", 600)
	got := seq.Subsequence{K: 100, Decay: 1}.Eval(x, x)
	a, _ := math.Lgamma(601)
	b, _ := math.Lgamma(101)
	c, _ := math.Lgamma(501)
	if want := 2 * (a - b - c); math.Abs(math.Log(got)-want) > 1e-9*want {
		t.Errorf("ln k is %g, want %g", math.Log(got), want)
	}
	if v := (seq.Subsequence{K: 200, Decay: 1}).Contains(strings.Repeat("a", 700)); v == nil || !strings.Contains(v.Error(), "beyond the range of numbers") {
		t.Errorf("an infinite value: %v", v)
	}
}

// TestDegreeByDefinition sums over pairs of places.
func TestDegreeByDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(33, 34))
	for range 100 {
		w := seq.Degree{K: 1 + r.IntN(4), Shift: r.IntN(4)}
		x, y := random(r, r.IntN(14), "AC"), random(r, r.IntN(14), "AC")
		want := 0.0
		for d := 1; d <= w.K; d++ {
			for i := 0; i+d <= len(x); i++ {
				for j := 0; j+d <= len(y); j++ {
					s := max(i-j, j-i)
					if s > w.Shift || x[i:i+d] != y[j:j+d] {
						continue
					}
					delta := 1.0
					if s > 0 {
						delta = 0.5 / float64(s+1)
					}
					want += delta * 2 * float64(w.K-d+1) / float64(w.K*(w.K+1))
				}
			}
		}
		if got := w.Eval(x, y); math.Abs(got-want) > 1e-12*want {
			t.Fatalf("%s of %q and %q is %g, by definition %g", w, x, y, got, want)
		}
	}
}

// alignments is Σ exp(β·score) over all local alignments, listed one by one.
func alignments(a seq.Align, x, y string) float64 {
	gap := func(n int) float64 {
		if n == 0 {
			return 0
		}
		return -a.Open - float64(n-1)*a.Extend
	}
	sum := 1.0 // the empty one
	var extend func(i, j int, score float64)
	pair := func(i, j int, score float64) {
		if x[i] == y[j] {
			score += a.Match
		} else {
			score += a.Mismatch
		}
		sum += math.Exp(a.Beta * score)
		extend(i, j, score)
	}
	extend = func(i, j int, score float64) {
		for p := i + 1; p < len(x); p++ {
			for q := j + 1; q < len(y); q++ {
				pair(p, q, score+gap(p-i-1)+gap(q-j-1))
			}
		}
	}
	for i := range x {
		for j := range y {
			pair(i, j, 0)
		}
	}
	return sum
}

// TestAlignByDefinition lists all alignments of short strings.
func TestAlignByDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(35, 36))
	for range 60 {
		a := seq.Align{Beta: 0.2 + r.Float64(), Open: 1 + r.Float64(), Extend: 0.3 + r.Float64(), Match: 1 + r.Float64(), Mismatch: -1 - r.Float64(), Alphabet: seq.DNA}
		x, y := random(r, r.IntN(7), "ACGT"), random(r, r.IntN(7), "ACGT")
		want := alignments(a, x, y) / math.Sqrt(alignments(a, x, x)*alignments(a, y, y))
		if got := a.Eval(x, y); math.Abs(got-want) > 1e-12 {
			t.Fatalf("%s of %q and %q is %g, by definition %g", a, x, y, got, want)
		}
	}
}

// TestLongAlignments has K beyond the range of numbers: with itself a sequence is 1, and a
// piece of it in the middle of something else is near it.
func TestLongAlignments(t *testing.T) {
	testkit.SkipUnderRace(t)
	r := rand.New(rand.NewPCG(37, 38))
	x := random(r, 3000, "ACDEFGHIKLMNPQRSTVWY")
	a := seq.Align{Alphabet: seq.Protein}
	if got := a.Eval(x, x); math.Abs(got-1) > 1e-9 {
		t.Errorf("with itself: %g", got)
	}
	if got := a.Eval(x, x[:2999]); !(got > 0 && got < 1) {
		t.Errorf("without its last symbol: %g", got)
	}
}

func TestBlosumIsDefinite(t *testing.T) {
	for _, beta := range []float64{0.05, 0.5, 1} {
		if d := kernel.Derive[string](seq.Align{Beta: beta, Alphabet: seq.Protein}); d.Verdict != kernel.Definite {
			t.Errorf("beta = %g: %s", beta, d.Reason)
		}
	}
	if d := kernel.Derive[string](seq.Align{Match: -2, Alphabet: seq.DNA}); d.Verdict == kernel.Definite {
		t.Error("different symbols score more than equal ones, and it is definite")
	}
}

func TestPairwiseSuite(t *testing.T) {
	r := rand.New(rand.NewPCG(39, 40))
	for a, kernels := range map[seq.Alphabet][]kernel.Kernel[string]{
		seq.DNA:     {seq.Subsequence{Alphabet: seq.DNA}, seq.Degree{K: 4, Shift: 3, Alphabet: seq.DNA}, seq.Align{Alphabet: seq.DNA, Open: 2}},
		seq.Words:   {seq.Subsequence{K: 2, Alphabet: seq.Words, Decay: 0.9}, seq.Degree{Alphabet: seq.Words}},
		seq.Protein: {seq.Align{Alphabet: seq.Protein}, seq.Align{Beta: 0.1, Open: 3, Alphabet: seq.Protein}, seq.Subsequence{K: 4, Alphabet: seq.Protein}},
		seq.Unicode: {seq.Subsequence{Alphabet: seq.Unicode}, seq.Degree{K: 2, Shift: 1, Alphabet: seq.Unicode}, seq.Align{Alphabet: seq.Unicode}},
		seq.Bytes:   {seq.Subsequence{}, seq.Degree{}},
	} {
		for _, k := range kernels {
			kerneltest.Run(t, k, sequences(r, a, 16, 30), kerneltest.Options[string]{Parse: parse})
		}
	}
}

func TestRefusals(t *testing.T) {
	for text, says := range map[string]string{
		"mismatch(k=3, alphabet=words)":   "must have a fixed number of symbols",
		"gkm(l=40)":                       "words of 1 to 31 symbols, not 40",
		"gkm(l=4, k=6)":                   "1 ≤ k ≤ l places",
		"gkm(filter=blue)":                "filter=blue is not known",
		"bounded(k=3, weights=[1, 2])":    "2 weights for the 3 lengths",
		"bounded(k=1, weights=[-1])":      "weights are finite and not negative",
		"subsequence(decay=2)":            "0 < decay ≤ 1",
		"subsequence(decay=0)":            "decay=0 must be positive",
		"degree(shift=-1)":                "shift=-1 is not a length",
		"align(beta=50)":                  "give a smaller beta",
		"align(alphabet=dna, mismatch=0)": "cannot be told from the default",
	} {
		if _, err := parse(text); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, want %q", text, err, says)
		}
	}
}
