package seq

import (
	"math"
	"strings"

	"example.org/mercer/kernel"
	"example.org/mercer/kernel/expr"
)

// Dictionary returns the names of this package's kernels.
func Dictionary() expr.Dictionary[string] {
	return expr.Dictionary[string]{Kernels: map[string]expr.Entry[string]{
		"spectrum": {
			Arguments: []expr.Argument{numberArgument("k", "3", "length of the words"), alphabetArgument("bytes"), strandsArgument},
			Summary:   "inner product of the counts of words of length k",
			Build: build(func(a *reading) kernel.Kernel[string] {
				symbols, both := a.symbols(Bytes)
				return Spectrum{K: a.whole("k", 3, 1), Alphabet: symbols, Both: both}
			}),
		},
		"bounded": {
			Arguments: []expr.Argument{numberArgument("k", "3", "length of the longest words"),
				{Name: "weights", Kind: expr.ListArg, Default: "1", Help: "one for each length from 1 to k"}, alphabetArgument("bytes"), strandsArgument},
			Summary: "weighted sum of the spectrum kernels of all lengths up to k",
			Build: build(func(a *reading) kernel.Kernel[string] {
				symbols, both := a.symbols(Bytes)
				return Bounded{K: a.whole("k", 3, 1), Weights: a.List("weights"), Alphabet: symbols, Both: both}
			}),
		},
		"mismatch": {
			Arguments: []expr.Argument{numberArgument("k", "3", "length of the words"), numberArgument("m", "1", "largest number of mismatches"), alphabetArgument("bytes"), strandsArgument},
			Summary:   "inner product of the counts of words of length k with up to m mismatches",
			Build: build(func(a *reading) kernel.Kernel[string] {
				symbols, both := a.symbols(Bytes)
				return Mismatch{K: a.whole("k", 3, 1), M: a.whole("m", 1, 1), Alphabet: symbols, Both: both}
			}),
		},
		"motif": motifEntry,
		"gkm":   gkmEntry,
		"subsequence": {
			Arguments: []expr.Argument{numberArgument("k", "3", "length of the subsequences"), numberArgument("decay", "0.5", "factor λ for each place that an occurrence spans"), alphabetArgument("bytes")},
			Summary:   "subsequences of length k with gaps, weighted by the places that they span",
			Build: build(func(a *reading) kernel.Kernel[string] {
				return Subsequence{K: a.whole("k", 3, 1), Decay: a.positive("decay", 0.5), Alphabet: a.letters(Bytes)}
			}),
		},
		"degree": {
			Arguments: []expr.Argument{numberArgument("k", "3", "largest length of the words"), numberArgument("shift", "0", "largest distance of their places"), alphabetArgument("bytes")},
			Summary:   "weighted degree: words in common at the same places, or shifted",
			Build: build(func(a *reading) kernel.Kernel[string] {
				return Degree{K: a.whole("k", 3, 1), Shift: a.whole("shift", 0, 0), Alphabet: a.letters(Bytes)}
			}),
		},
		"align": {
			Arguments: []expr.Argument{numberArgument("beta", "0.5", "weight of the scores"), numberArgument("open", "11", "cost of a gap"), numberArgument("extend", "1", "cost of each further symbol of a gap"),
				numberArgument("match", "1", "score of two equal symbols (not of proteins)"), numberArgument("mismatch", "-1", "score of two different ones"), alphabetArgument("protein")},
			Summary: "local alignments of two sequences, normalised",
			Build: build(func(a *reading) kernel.Kernel[string] {
				return Align{Beta: a.positive("beta", 0.5), Open: a.positive("open", 11), Extend: a.positive("extend", 1),
					Match: a.nonzero("match", 1), Mismatch: a.nonzero("mismatch", -1), Alphabet: a.letters(Protein)}
			}),
		},
	}}
}

// The arguments that several kernels have.
func numberArgument(name, fallback, help string) expr.Argument {
	return expr.Argument{Name: name, Kind: expr.NumberArg, Default: fallback, Help: help}
}

func alphabetArgument(fallback string) expr.Argument {
	return expr.Argument{Name: "alphabet", Kind: expr.WordArg, Default: fallback, Help: "symbols: bytes, dna, rna, protein, unicode or words"}
}

var strandsArgument = expr.Argument{Name: "rc", Kind: expr.WordArg, Default: "no", Help: "yes counts the reverse complement, too"}

// reading takes arguments and keeps the first problem.
type reading struct {
	*expr.Args
	err error
}

// build makes the entry of a kernel whose arguments may be wrong.
func build(make func(a *reading) kernel.Kernel[string]) func(a *expr.Args) (kernel.Kernel[string], error) {
	return func(a *expr.Args) (kernel.Kernel[string], error) {
		r := &reading{Args: a}
		k := make(r)
		if r.err != nil {
			return nil, r.err
		}
		return k, kernel.Contains(k, "") // what no sequence could mend
	}
}

func (a *reading) fail(name, format string, values ...any) {
	if a.err == nil {
		a.err = a.Errorf(name, format, values...)
	}
}

// whole returns a whole number of at least least.
func (a *reading) whole(name string, fallback, least int) int {
	v := a.Number(name, float64(fallback))
	if !(v >= float64(least)) || v != math.Trunc(v) || v > math.MaxInt32 {
		a.fail(name, "%s=%v is not a length: give a whole number, %d or more", name, v, least)
		return fallback
	}
	return int(v)
}

// positive returns a number above 0.
func (a *reading) positive(name string, fallback float64) float64 {
	v := a.Number(name, fallback)
	if !positive(v) {
		a.fail(name, "%s=%v must be positive and finite", name, v)
	}
	return v
}

// nonzero returns a number that is not 0, which in a field means its default.
func (a *reading) nonzero(name string, fallback float64) float64 {
	v := a.Number(name, fallback)
	if v == 0 {
		a.fail(name, "%s=0 cannot be told from the default: give a number near it", name)
	}
	return v
}

// letters returns the alphabet of a kernel on one strand.
func (a *reading) letters(fallback Alphabet) Alphabet {
	symbols, _ := a.symbols(fallback)
	return symbols
}

// symbols returns the alphabet, and whether both strands count.
func (a *reading) symbols(fallback Alphabet) (symbols Alphabet, both bool) {
	symbols, err := ParseAlphabet(a.Text("alphabet", fallback.String()))
	if err != nil {
		a.fail("alphabet", "%w", err)
	}
	switch text := strings.ToLower(a.Text("rc", "no")); text {
	case "yes", "true":
		both = true
	case "no", "false":
	default:
		a.fail("rc", "rc=%s is neither yes nor no", text)
	}
	if err := symbols.checkStrands(both); err != nil {
		a.fail("rc", "%w", err)
	}
	return symbols, both
}
