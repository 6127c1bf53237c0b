package seq

import (
	"math"
	"slices"
	"strings"

	"mercer/kernel"
	"mercer/kernel/expr"
)

// Dictionary returns the names of this package's kernels.
func Dictionary() expr.Dictionary[string] {
	return expr.Dictionary[string]{Kernels: map[string]expr.Entry[string]{
		"spectrum": {
			Arguments: []expr.Argument{lengthArgument("k", "3", "length of the words"), alphabetArgument("bytes"), strandsArgument},
			Summary:   "inner product of the counts of words of length k",
			Build: build(func(a *reading) kernel.Kernel[string] {
				symbols, both := a.symbols(Bytes)
				return Spectrum{K: a.whole("k", 3, 1), Alphabet: symbols, Both: both}
			}),
		},
		"bounded": {
			Arguments: []expr.Argument{lengthArgument("k", "3", "length of the longest words"),
				{Name: "weights", Kind: expr.ListArg, Default: "1", Help: "one for each length from 1 to k"}, alphabetArgument("bytes"), strandsArgument},
			Summary: "weighted sum of the spectrum kernels of all lengths up to k",
			Build: build(func(a *reading) kernel.Kernel[string] {
				symbols, both := a.symbols(Bytes)
				return Bounded{K: a.whole("k", 3, 1), Weights: a.List("weights"), Alphabet: symbols, Both: both}
			}),
		},
		"mismatch": {
			Arguments: []expr.Argument{lengthArgument("k", "3", "length of the words"), lengthArgument("m", "1", "largest number of mismatches"), alphabetArgument("bytes"), strandsArgument},
			Summary:   "inner product of the counts of words of length k with up to m mismatches",
			Build: build(func(a *reading) kernel.Kernel[string] {
				symbols, both := a.symbols(Bytes)
				return Mismatch{K: a.whole("k", 3, 1), M: a.whole("m", 1, 1), Alphabet: symbols, Both: both}
			}),
		},
		"gkm": {
			Arguments: []expr.Argument{lengthArgument("l", "11", "length of the words"), lengthArgument("k", "7", "places of a word that are taken into account"),
				lengthArgument("d", "3", "largest distance of two words"), {Name: "filter", Kind: expr.WordArg, Default: "truncated", Help: "truncated, full or count"},
				alphabetArgument("dna"), strandsArgument},
			Summary: "gapped k-mers: words of length l compared by their Hamming distance",
			Build: build(func(a *reading) kernel.Kernel[string] {
				symbols, both := a.symbols(DNA)
				filter := slices.Index(filters, a.Text("filter", "truncated"))
				if filter < 0 {
					a.fail("filter", "filter=%s is not known: use one of %s", a.Text("filter", ""), strings.Join(filters, ", "))
				}
				return GKM{L: a.whole("l", 11, 1), K: a.whole("k", 7, 1), D: a.whole("d", 3, 1), Filter: Filter(filter), Alphabet: symbols, Both: both}
			}),
		},
	}}
}

// The arguments that several kernels have.
func lengthArgument(name, fallback, help string) expr.Argument {
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
