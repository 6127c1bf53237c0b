package seq_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.org/mercer/kernel/kerneltest"
	"example.org/mercer/kernel/seq"
)

// The two sequences of the lecture.
const (
	first  = "ACGTTTACGA"
	second = "AGTTTACG"
)

// TestLecture compares with counts made by hand.
func TestLecture(t *testing.T) {
	// ACG twice, CGA, CGT, GTT, TAC, TTA, TTT once; and ACG, AGT, GTT, TAC, TTA, TTT once.
	want := []seq.Count{{Word: "ACG", Times: 2}, {Word: "CGA", Times: 1}, {Word: "CGT", Times: 1}, {Word: "GTT", Times: 1},
		{Word: "TAC", Times: 1}, {Word: "TTA", Times: 1}, {Word: "TTT", Times: 1}}
	if diff := cmp.Diff(want, seq.NewTrie(first, 3).Counts()); diff != "" {
		t.Error(diff)
	}
	for k, want := range map[int]float64{
		1: 3*2 + 2*1 + 2*2 + 3*3, // A 3 and 2, C 2 and 1, G 2 and 2, T 3 and 3
		2: 2*1 + 2*1 + 1 + 1 + 4, // AC 2·1, CG 2·1, GT, TA, TT 2·2
		3: 2 + 1 + 1 + 1 + 1,     // ACG 2·1, GTT, TAC, TTA, TTT
		4: 4,                     // GTTT, TTTA, TTAC, TACG
		5: 3, 6: 2, 7: 1, 8: 0, 11: 0,
	} {
		if got := (seq.Spectrum{K: k}).Eval(first, second); got != want {
			t.Errorf("k = %d: %g, want %g", k, got, want)
		}
	}
}

// brute counts pairs of equal substrings, the double sum of the lecture.
func brute(x, y string, k int) float64 {
	sum := 0.0
	for i := 0; i+k <= len(x); i++ {
		for j := 0; j+k <= len(y); j++ {
			if x[i:i+k] == y[j:j+k] {
				sum++
			}
		}
	}
	return sum
}

func random(r *rand.Rand, n int, alphabet string) string {
	var b strings.Builder
	for range n {
		b.WriteByte(alphabet[r.IntN(len(alphabet))])
	}
	return b.String()
}

func TestBruteForce(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for trial := range 300 {
		alphabet := []string{"AC", "ACGT", "\x00\xff\x7f"}[trial%3]
		x, y := random(r, r.IntN(40), alphabet), random(r, r.IntN(40), alphabet)
		k := 1 + r.IntN(6)
		if got, want := (seq.Spectrum{K: k}).Eval(x, y), brute(x, y, k); got != want {
			t.Fatalf("spectrum(k=%d) of %q and %q is %g, by definition %g", k, x, y, got, want)
		}
	}
}

// TestTrie looks at the shape of a trie: depth k, children in order, counts that add up.
func TestTrie(t *testing.T) {
	for _, x := range []string{"", "AC", first, strings.Repeat("A", 30)} {
		const k = 3
		trie := seq.NewTrie(x, k)
		if want := max(0, len(x)-k+1); trie.Root.Count != want {
			t.Errorf("%q: %d k-mers, want %d", x, trie.Root.Count, want)
		}
		var walk func(v *seq.Node, depth int)
		walk = func(v *seq.Node, depth int) {
			sum := 0
			for i, c := range v.Children {
				sum += c.Count
				if i > 0 && v.Children[i-1].Symbol >= c.Symbol {
					t.Errorf("%q: child %q after %q", x, c.Symbol, v.Children[i-1].Symbol)
				}
				walk(c, depth+1)
			}
			if depth < k && sum != v.Count || depth == k && len(v.Children) > 0 {
				t.Errorf("%q: a node at depth %d with count %d has children of %d", x, depth, v.Count, sum)
			}
		}
		walk(trie.Root, 0)
	}
	if got := seq.NewTrie(first, 2).Dot(seq.NewTrie(first, 3)); got != 0 {
		t.Errorf("tries of different depth have the inner product %g", got)
	}
}

func TestSuite(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	points := []string{"", "A", first, second}
	for range 12 {
		points = append(points, random(r, r.IntN(30), "ACGT"))
	}
	for _, k := range []int{0, 1, 2, 5} {
		kerneltest.Run(t, seq.Spectrum{K: k}, points, kerneltest.Options[string]{})
	}
}

func TestLength(t *testing.T) {
	if got := (seq.Spectrum{}).String(); got != "spectrum(k=3)" {
		t.Errorf("the default is %s", got)
	}
	bad := seq.Spectrum{K: -1}
	if err := bad.Contains("A"); err == nil || bad.Eval(first, second) != 0 || seq.NewTrie(first, -1).Counts() != nil {
		t.Errorf("words of −1 symbols: %v", err)
	}
}

func Example() {
	k := seq.Spectrum{K: 3}
	fmt.Println(k, k.Eval(first, second))
	for _, c := range seq.NewTrie(second, 3).Counts() {
		fmt.Print(c.Word, " ", c.Times, " ")
	}
	// Output:
	// spectrum(k=3) 6
	// ACG 1 AGT 1 GTT 1 TAC 1 TTA 1 TTT 1
}
