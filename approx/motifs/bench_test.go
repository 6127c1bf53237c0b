package motifs_test

import (
	"testing"

	"example.org/mercer/approx/filters"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/seq"
)

// BenchmarkMap maps a sequence of some 225 bases, both strands, by 512 motifs; BenchmarkNorm
// compares all pairs of its words.
func BenchmarkMap(b *testing.B) {
	xs := sequences(100, 225)
	z := learned(b, kernel.Normalized[string]{Of: seq.Motif{K: 12, Sigma: 0.25, Alphabet: seq.DNA, Both: true}}, xs, filters.Options{Filters: []int{512}})
	phi := make([]float64, z.Dim())
	for b.Loop() {
		z.Map(phi, xs[3])
	}
}

func BenchmarkNorm(b *testing.B) {
	xs := sequences(100, 225)
	k := seq.Motif{K: 12, Sigma: 0.25, Alphabet: seq.DNA, Both: true}
	for b.Loop() {
		k.Eval(xs[3], xs[3])
	}
}
