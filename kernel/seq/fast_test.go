package seq_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"example.org/mercer/data"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/expr"
	"example.org/mercer/kernel/kerneltest"
	"example.org/mercer/kernel/seq"
)

// parse is what the suite reads texts with.
func parse(text string) (kernel.Kernel[string], error) {
	return expr.ParseKernel(text, seq.Dictionary())
}

// letters splits a sequence as the alphabet does, one text for each symbol and "" for
// those outside of it: the definition, without any code of the package.
func letters(a seq.Alphabet, x string) []string {
	switch a {
	case seq.Words:
		return strings.Fields(x)
	case seq.Bytes:
		var out []string
		for i := range len(x) {
			out = append(out, x[i:i+1])
		}
		return out
	case seq.Unicode:
		var out []string
		for len(x) > 0 {
			_, n := utf8.DecodeRuneInString(x)
			out, x = append(out, x[:n]), x[n:]
		}
		return out
	}
	symbols := map[seq.Alphabet]string{seq.DNA: "ACGT", seq.RNA: "ACGU", seq.Protein: "ACDEFGHIKLMNPQRSTVWY"}[a]
	swap := map[seq.Alphabet]*strings.Replacer{seq.DNA: strings.NewReplacer("U", "T"), seq.RNA: strings.NewReplacer("T", "U"), seq.Protein: strings.NewReplacer()}[a]
	var out []string
	for _, c := range swap.Replace(strings.ToUpper(x)) {
		if strings.ContainsRune(symbols, c) {
			out = append(out, string(c))
		} else {
			out = append(out, "")
		}
	}
	return out
}

// words counts the words of k symbols of one or both strands.
func words(s []string, k int, both bool) map[string]int {
	out := map[string]int{}
	for strand := range 2 {
		if strand == 1 {
			if !both {
				break
			}
			s = slices.Clone(s)
			slices.Reverse(s)
			for i, c := range s {
				s[i] = map[string]string{"A": "T", "C": "G", "G": "C", "T": "A", "U": "A", "": ""}[c]
				if slices.Contains(s, "U") && c == "A" {
					s[i] = "U"
				}
			}
		}
		for i := 0; i+k <= len(s); i++ {
			if word := s[i : i+k]; !slices.Contains(word, "") {
				out[strings.Join(word, "\x00|")]++
			}
		}
	}
	return out
}

func spectrumByDefinition(s seq.Spectrum, x, y string) float64 {
	other, sum := words(letters(s.Alphabet, y), s.K, s.Both), 0
	for word, n := range words(letters(s.Alphabet, x), s.K, s.Both) {
		sum += n * other[word]
	}
	return float64(sum)
}

// sequences returns points over an alphabet, with ambiguity codes, in both cases.
func sequences(r *rand.Rand, a seq.Alphabet, n, length int) []string {
	symbols := map[seq.Alphabet][]string{
		seq.Bytes: {"a", "b", "\x00", "\xff"}, seq.DNA: {"A", "C", "G", "T", "a", "c", "g", "t", "N", "U"}, seq.RNA: {"A", "C", "G", "U", "u", "-"},
		seq.Protein: {"A", "C", "D", "E", "w", "y", "X", "*"}, seq.Unicode: {"α", "β", "a", "\xff", "\xfe", "𝔘"}, seq.Words: {"the ", "cat ", "a\t", "is\n", "the  "},
	}[a]
	out := []string{"", symbols[0]}
	for len(out) < n {
		var b strings.Builder
		for range r.IntN(length) {
			b.WriteString(symbols[r.IntN(len(symbols))])
		}
		out = append(out, b.String())
	}
	return out
}

var allAlphabets = []seq.Alphabet{seq.Bytes, seq.DNA, seq.RNA, seq.Protein, seq.Unicode, seq.Words}

// TestSpectrumTilesAreTries compares tries, bound tiles in both precisions and anchored ones
// with the definition, for words that are packed, and for long ones that are numbered.
func TestSpectrumTilesAreTries(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, a := range allAlphabets {
		for _, k := range []int{1, 2, 3, 9, 17, 40} {
			for _, both := range []bool{false, true} {
				if both && a != seq.DNA {
					continue
				}
				s := seq.Spectrum{K: k, Alphabet: a, Both: both}
				cols := sequences(r, a, 20, 60)
				cols = append(cols, strings.Repeat(cols[0]+cols[1], 50), cols[5])
				rows := append(sequences(r, a, 7, 60), cols[3], cols[len(cols)-2])
				tile, single := kernel.NewTile(len(rows), len(cols)), kernel.NewTile32(len(rows), len(cols))
				p := kernel.Bind(s, data.Slice[string](rows), data.Slice[string](cols))
				p.Tile(tile, 0, 0)
				p.(kernel.Single).Tile32(single, 0, 0)
				for i, x := range rows {
					for j, y := range cols {
						want := spectrumByDefinition(s, x, y)
						if got := s.Eval(x, y); got != want {
							t.Fatalf("%s of %q and %q is %g by tries, %g by definition", s, x, y, got, want)
						}
						if got := tile.Row(i)[j]; got != want || float64(single.Row(i)[j]) != want {
							t.Fatalf("%s of %q and %q is %g and %g in tiles, %g by definition", s, x, y, got, single.Row(i)[j], want)
						}
					}
				}
			}
		}
	}
}

// TestSpectrumSuite runs the conformance suite on all alphabets.
func TestSpectrumSuite(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for _, a := range allAlphabets {
		for _, k := range []int{1, 3, 12} {
			s := seq.Spectrum{K: k, Alphabet: a, Both: a == seq.RNA}
			kerneltest.Run(t, s, sequences(r, a, 20, 40), kerneltest.Options[string]{Parse: parse})
		}
	}
}

// TestManyColumns has several blocks of columns, and counts beyond 16 bits.
func TestManyColumns(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	cols := sequences(r, seq.DNA, 300, 50)
	cols = append(cols, strings.Repeat("A", 70000))
	rows := []string{strings.Repeat("A", 66000), "ACGTAACCAAAA", cols[7]}
	for _, k := range []int{2, 20} {
		s := seq.Spectrum{K: k, Alphabet: seq.DNA}
		tile := kernel.NewTile(len(rows), len(cols))
		kernel.Bind(s, data.Slice[string](rows), data.Slice[string](cols)).Tile(tile, 0, 0)
		for i, x := range rows {
			for j, y := range cols {
				if i == 0 && j%50 != 0 {
					continue // a trie of 66000 letters for every pair: some columns, the last among them
				}
				if want := s.Eval(x, y); tile.Row(i)[j] != want {
					t.Fatalf("k = %d, row %d, column %d: %g, by tries %g", k, i, j, tile.Row(i)[j], want)
				}
			}
		}
	}
}

// TestAnchor binds other rows to anchored columns: words that the columns lack are left out.
func TestAnchor(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for _, a := range allAlphabets {
		for _, k := range []int{1, 2, 20} {
			s := seq.Spectrum{K: k, Alphabet: a}
			cols := data.Slice[string](sequences(r, a, 9, 30))
			anchored := kernel.BindColumns[string](s, cols)
			for range 3 {
				rows := data.Slice[string](append(sequences(r, a, 6, 30), "Q q zzz zz zzz"))
				got, want := kernel.NewTile(7, 9), kernel.NewTile(7, 9)
				anchored.Bind(rows, nil).Tile(got, 0, 0)
				kernel.BindPointwise[string](s, rows, cols).Tile(want, 0, 0)
				if !slices.Equal(got.Data, want.Data) {
					t.Fatalf("%s: %v, want %v", s, got.Data, want.Data)
				}
			}
		}
	}
}

func TestAlphabetErrors(t *testing.T) {
	for _, c := range []struct {
		k    seq.Spectrum
		x    string
		says string
	}{
		{seq.Spectrum{Alphabet: seq.DNA}, "ACGE", `character 4 of the sequence, "E", is no letter of dna`},
		{seq.Spectrum{Alphabet: seq.RNA}, "AC GU", `character 3 of the sequence, " "`},
		{seq.Spectrum{Alphabet: seq.Protein}, "MKV1", `is no letter of protein`},
		{seq.Spectrum{Alphabet: seq.Protein, Both: true}, "MKV", "rc=yes counts the reverse complement, which sequences of protein do not have"},
		{seq.Spectrum{Alphabet: seq.DNA, Both: true}, "acgtuNNRYSWKMBDHV-", ""},
	} {
		err := c.k.Contains(c.x)
		if c.says == "" && err != nil || c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says)) {
			t.Errorf("%s on %q: %v, want %q", c.k, c.x, err, c.says)
		}
	}
	for text, says := range map[string]string{
		"spectrum(k=0)":                      "k=0 is not a length",
		"spectrum(alphabet=klingon)":         `alphabet "klingon" is not known: use one of bytes, dna, rna, protein, unicode, words`,
		"spectrum(rc=yes)":                   "rc=yes counts the reverse complement, which sequences of bytes do not have",
		"spectrum(alphabet=dna, rc=perhaps)": "rc=perhaps is neither yes nor no",
	} {
		if _, err := parse(text); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, want %q", text, err, says)
		}
	}
}

// BenchmarkSpectrum fills the triangle of the Gram matrix of sequences of 200 bases.
func BenchmarkSpectrum(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, n := range []int{1000, 4000} {
		xs := make(data.Slice[string], n)
		for i := range xs {
			xs[i] = random(r, 200, "ACGT")
		}
		for _, k := range []int{3, 6, 8, 12} {
			b.Run(fmt.Sprintf("n=%d/k=%d", n, k), func(b *testing.B) {
				tile := kernel.NewTile(128, 128)
				for b.Loop() {
					p := kernel.Bind(seq.Spectrum{K: k, Alphabet: seq.DNA}, xs, xs)
					for row := 0; row < n; row += 128 {
						for col := row; col < n; col += 128 {
							p.Tile(kernel.Tile{Rows: min(128, n-row), Cols: min(128, n-col), Stride: 128, Data: tile.Data}, row, col)
						}
					}
				}
			})
		}
	}
}
