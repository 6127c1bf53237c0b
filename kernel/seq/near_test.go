package seq_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"example.org/mercer/data"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/kerneltest"
	"example.org/mercer/kernel/seq"
)

// neighbours returns the words of an alphabet of single letters within m of a word.
func neighbours(word []string, m int, symbols string) []string {
	if len(word) == 0 {
		return []string{""}
	}
	var out []string
	for _, c := range symbols {
		left := m
		if string(c) != word[0] {
			left--
		}
		if left < 0 {
			continue
		}
		for _, rest := range neighbours(word[1:], left, symbols) {
			out = append(out, string(c)+rest)
		}
	}
	return out
}

// TestMismatchByDefinition counts the words near those of short sequences one by one.
func TestMismatchByDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	for _, c := range []struct{ k, m int }{{1, 1}, {3, 1}, {4, 2}, {3, 3}, {2, 5}} {
		phi := func(x string) map[string]int {
			out, s := map[string]int{}, letters(seq.DNA, x)
			for i := 0; i+c.k <= len(s); i++ {
				if strings.Contains(strings.Join(s[i:i+c.k], "|"), "||") || s[i] == "" || s[i+c.k-1] == "" {
					continue
				}
				for _, word := range neighbours(s[i:i+c.k], c.m, "ACGT") {
					out[word]++
				}
			}
			return out
		}
		k := seq.Mismatch{K: c.k, M: c.m, Alphabet: seq.DNA}
		points := sequences(r, seq.DNA, 12, 20)
		tile := tileOf(k, points, points)
		for i, x := range points {
			for j, y := range points {
				sum, other := 0, phi(y)
				for word, n := range phi(x) {
					sum += n * other[word]
				}
				if got := k.Eval(x, y); got != float64(sum) || tile.Row(i)[j] != got {
					t.Fatalf("%s of %q and %q is %g, in a tile %g, by definition %d", k, x, y, got, tile.Row(i)[j], sum)
				}
			}
		}
	}
}

func tileOf(k kernel.Kernel[string], rows, cols []string) kernel.Tile {
	tile := kernel.NewTile(len(rows), len(cols))
	kernel.Bind(k, data.Slice[string](rows), data.Slice[string](cols)).Tile(tile, 0, 0)
	return tile
}

// gapped counts the gapped k-mers of a sequence on one or both strands: k of l places kept.
func gapped(x string, l, k int, both bool) map[string]int {
	out := map[string]int{}
	for word, n := range words(letters(seq.DNA, x), l, both) {
		s := strings.Split(word, "\x00|")
		for mask := range 1 << l {
			kept, at := make([]string, l), 0
			for i := range l {
				kept[i] = "_"
				if mask>>i&1 == 1 {
					kept[i] = s[i]
					at++
				}
			}
			if at == k {
				out[strings.Join(kept, "")] += n
			}
		}
	}
	return out
}

// TestGappedByDefinition compares filter=count with counts of gapped k-mers.
func TestGappedByDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(23, 24))
	for _, c := range []struct {
		l, k int
		both bool
	}{{4, 2, false}, {5, 4, true}, {6, 3, true}, {3, 3, false}, {7, 2, false}} {
		g := seq.GKM{L: c.l, K: c.k, D: c.l, Filter: seq.CountFilter, Alphabet: seq.DNA, Both: c.both}
		points := sequences(r, seq.DNA, 10, 25)
		tile := tileOf(g, points, points)
		for i, x := range points {
			for j, y := range points {
				sum, other := 0, gapped(y, c.l, c.k, c.both)
				for word, n := range gapped(x, c.l, c.k, c.both) {
					sum += n * other[word]
				}
				if got := g.Eval(x, y); got != float64(sum) || tile.Row(i)[j] != got {
					t.Fatalf("%s of %q and %q is %g, in a tile %g, by definition %d", g, x, y, got, tile.Row(i)[j], sum)
				}
			}
		}
	}
}

// TestProjection checks filter=full from what defines it: the matrix between words is
// symmetric and idempotent, keeps the counts of k places, and has their dimension as trace.
func TestProjection(t *testing.T) {
	const l, k = 4, 2
	g := seq.GKM{L: l, K: k, D: l, Filter: seq.FullFilter, Alphabet: seq.DNA}
	all := neighbours([]string{"A", "A", "A", "A"}, l, "ACGT")
	n := len(all)
	p := tileOf(g, all, all)
	trace := 0.0
	for i := range n {
		trace += p.Row(i)[i]
		for j := range 5 {
			sum := 0.0
			for m := range n {
				sum += p.Row(i)[m] * p.Row(m)[j]
			}
			if math.Abs(sum-p.Row(i)[j]) > 1e-12 {
				t.Fatalf("P² is %g and P is %g", sum, p.Row(i)[j])
			}
		}
	}
	if want := 1 + 4*3 + 6*9.0; math.Abs(trace-want) > 1e-9 { // functions of 0, 1, 2 places
		t.Errorf("the trace is %g, want %g", trace, want)
	}
	for i := range n {
		sum := 0.0
		for j, word := range all {
			if word[1] == 'C' && word[3] == 'G' {
				sum += p.Row(i)[j]
			}
		}
		want := 0.0
		if all[i][1] == 'C' && all[i][3] == 'G' {
			want = 1
		}
		if math.Abs(sum-want) > 1e-12 {
			t.Fatalf("a function of two places is not kept: %g at %s, want %g", sum, all[i], want)
		}
	}
}

// TestBothWaysOfCounting has tiles that are counted by places and single pairs that are not,
// on all alphabets.
func TestBothWaysOfCounting(t *testing.T) {
	r := rand.New(rand.NewPCG(25, 26))
	for _, k := range []kernel.Kernel[string]{
		seq.GKM{L: 8, K: 5, D: 3, Alphabet: seq.DNA, Both: true}, seq.GKM{L: 10, K: 6, D: 2, Alphabet: seq.DNA},
		seq.GKM{L: 4, K: 3, D: 1, Alphabet: seq.Protein}, seq.Mismatch{K: 5, M: 1, Alphabet: seq.Protein}, seq.Mismatch{K: 4, M: 1},
		seq.GKM{L: 20, K: 18, D: 1, Alphabet: seq.DNA}, // 40 bits
		seq.Motif{K: 6, Sigma: 0.5, Alphabet: seq.DNA, Both: true}, seq.Motif{K: 3, Alphabet: seq.Protein},
		seq.Mismatch{K: 12, M: 1}, // too long to be packed
	} {
		n := 40
		if k == kernel.Kernel[string](seq.Mismatch{K: 12, M: 1}) {
			n = 6
		}
		xs := make(data.Slice[string], n)
		for i := range xs {
			xs[i] = random(r, 30+r.IntN(100), "ACGTA")
		}
		p := kernel.Bind[string](k, xs, xs)
		whole, one := kernel.NewTile(n, n), kernel.NewTile(1, 1)
		p.Tile(whole, 0, 0)
		for i := range n {
			for j := i; j < n; j += 3 {
				if p.Tile(one, i, j); one.Data[0] != whole.Row(i)[j] {
					t.Fatalf("%s: row %d, column %d is %g alone and %g in the whole", k, i, j, one.Data[0], whole.Row(i)[j])
				}
			}
		}
		if want := k.Eval(xs[3], xs[4]); whole.Row(3)[4] != want {
			t.Errorf("%s: %g, word by word %g", k, whole.Row(3)[4], want)
		}
	}
}

func TestNearSuite(t *testing.T) {
	r := rand.New(rand.NewPCG(27, 28))
	for _, k := range []kernel.Kernel[string]{
		seq.Mismatch{K: 3, M: 1, Alphabet: seq.DNA, Both: true}, seq.Mismatch{Alphabet: seq.Protein}, seq.GKM{Alphabet: seq.DNA, L: 6, K: 4, Both: true},
		seq.GKM{L: 5, K: 3, D: 5, Filter: seq.FullFilter, Alphabet: seq.DNA}, seq.GKM{L: 5, K: 3, D: 2, Filter: seq.CountFilter, Alphabet: seq.RNA},
		seq.Motif{}, seq.Motif{K: 5, Sigma: 0.3, Alphabet: seq.DNA, Both: true}, seq.Motif{K: 3, Sigma: 0.7, Alphabet: seq.Protein},
		seq.Bounded{}, seq.Bounded{K: 2, Weights: []float64{0.1, 0.3}, Alphabet: seq.Words}, seq.Bounded{K: 4, Alphabet: seq.DNA, Both: true},
	} {
		kerneltest.Run(t, k, sequences(r, seq.DNA, 16, 40), kerneltest.Options[string]{Parse: parse})
	}
}

// TestBoundedIsASum adds up spectrum kernels by hand.
func TestBoundedIsASum(t *testing.T) {
	got := seq.Bounded{K: 3, Weights: []float64{1, 0.5, 0.25}}.Eval(first, second)
	want := brute(first, second, 1) + brute(first, second, 2)/2 + brute(first, second, 3)/4
	if got != want {
		t.Errorf("%g, want %g", got, want)
	}
}

// TestCutIsNotAlwaysDefinite finds the negative eigenvalue that the derivation names among
// the words themselves.
func TestCutIsNotAlwaysDefinite(t *testing.T) {
	all := neighbours([]string{"A", "A", "A", "A"}, 4, "ACGT")
	for _, g := range []seq.GKM{{L: 4, K: 2, D: 1, Filter: seq.CountFilter, Alphabet: seq.DNA}, {L: 4, K: 2, D: 1, Alphabet: seq.DNA}, {L: 4, K: 3, D: 1, Alphabet: seq.DNA}, {L: 4, K: 2, D: 2, Filter: seq.FullFilter, Alphabet: seq.DNA}} {
		d := kernel.Derive[string](g)
		least := smallest(t, tileOf(g, all, all))
		if (d.Verdict == kernel.Indefinite) != (least < -1e-9) || d.Verdict == kernel.Unknown {
			t.Errorf("%s is %s (%s), and the smallest eigenvalue on all words is %g", g, d.Verdict, d.Reason, least)
		}
		if d.Verdict == kernel.Indefinite && !strings.Contains(d.Reason, fmt.Sprintf("eigenvalue %.3g", least)) {
			t.Errorf("%s: %s; the smallest eigenvalue is %.3g", g, d.Reason, least)
		}
	}
}

// TestLSGKM compares with gkmmatrix of LS-GKM (the version of 2016 with -t 0 to 5; -l 8 -k 5),
// which prints six digits of the normalised kernel on both strands.
func TestLSGKM(t *testing.T) {
	xs := []string{"ACGTTTACGAGGATTACAGGTAC", "AGTTTACGTTACGAGCATTACAG", "TTGACAGGTACGATTACCAGTAC", "GGGACGTTAACGTCCCATTACAGGTTTACG"}
	for _, c := range []struct {
		filter seq.Filter
		d      int
		want   []float64 // below the diagonal
	}{
		{seq.CountFilter, 2, []float64{0.269774, 0.273182, 0.0508567, 0.259016, 0.162413, 0.0969601}},
		{seq.CountFilter, 3, []float64{0.276009, 0.286977, 0.0674419, 0.270107, 0.182465, 0.111977}},
		{seq.FullFilter, 2, []float64{0.168148, 0.148926, 0.00573426, 0.187252, 0.0928303, 0.0197739}},
		{seq.FullFilter, 3, []float64{0.161177, 0.134754, -0.0093222, 0.177322, 0.0755516, 0.00621146}},
		{seq.TruncatedFilter, 2, []float64{0.212849, 0.217115, 0.0332781, 0.220899, 0.130644, 0.0657658}},
		{seq.TruncatedFilter, 3, []float64{0.216028, 0.223629, 0.0406336, 0.225856, 0.139393, 0.0724253}},
	} {
		k := kernel.Normalized[string]{Of: seq.GKM{L: 8, K: 5, D: c.d, Filter: c.filter, Alphabet: seq.DNA, Both: true}}
		tile, at := tileOf(k, xs, xs), 0
		for i := range xs {
			for j := range i {
				if got := tile.Row(i)[j]; math.Abs(got-c.want[at]) > 6e-7 {
					t.Errorf("%s of %d and %d is %.7g, LS-GKM has %g", k, i, j, got, c.want[at])
				}
				at++
			}
		}
	}
}

// BenchmarkGapped fills the triangle of the Gram matrix of sequences of 236 bases.
func BenchmarkGapped(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	const n = 512
	xs := make(data.Slice[string], n)
	for i := range xs {
		xs[i] = random(r, 236, "ACGT")
	}
	k := seq.GKM{Alphabet: seq.DNA, Both: true}
	tile := kernel.NewTile(128, 128)
	for b.Loop() {
		p := kernel.Bind[string](k, xs, xs)
		for row := 0; row < n; row += 128 {
			for col := row; col < n; col += 128 {
				p.Tile(tile, row, col)
			}
		}
	}
}

// TestNorms has k(x, x) of all points from the bound kernel, to the bit of the tiles.
func TestNorms(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 32))
	xs, ys := data.Slice[string](sequences(r, seq.DNA, 19, 60)), data.Slice[string](sequences(r, seq.DNA, 11, 60))
	for _, both := range []bool{false, true} {
		for _, k := range []kernel.Kernel[string]{
			seq.GKM{L: 6, K: 4, D: 2, Alphabet: seq.DNA, Both: both}, seq.Mismatch{K: 3, M: 1, Alphabet: seq.DNA, Both: both},
			seq.Motif{K: 4, Alphabet: seq.DNA, Both: both},
		} {
			for _, rows := range []data.Set[string]{xs, ys} {
				n, ok := kernel.Bind(k, rows, data.Set[string](xs)).(kernel.Normed)
				if !ok {
					t.Fatalf("%s knows no norms", k)
				}
				left, right := make([]float64, rows.Len()), make([]float64, xs.Len())
				n.Norms(left, right)
				for _, side := range []struct {
					of    data.Set[string]
					norms []float64
				}{{rows, left}, {xs, right}} {
					tile := kernel.NewTile(side.of.Len(), side.of.Len())
					kernel.Bind(k, side.of, side.of).Tile(tile, 0, 0)
					for i, got := range side.norms {
						if want := tile.Row(i)[i]; got != want {
							t.Fatalf("%s: point %d has %v, the diagonal %v", k, i, got, want)
						}
					}
				}
			}
		}
	}
}
