package seq_test

import (
	"os"
	"testing"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/fasta"
	"example.org/mercer/gram"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/seq"
)

// BenchmarkNFE2 is the Gram matrix of the gapped 11-mers of 1288 peaks, on both strands.
func BenchmarkNFE2(b *testing.B) {
	var xs data.Slice[string]
	for _, part := range []string{"pos", "neg"} {
		f, err := os.Open(testkit.Shared(b, "sequences/nfe2_"+part+"_train.fa"))
		if err != nil {
			b.Fatal(err)
		}
		defer f.Close()
		table, err := fasta.Read(b.Context(), part, f, nil)
		if err != nil {
			b.Fatal(err)
		}
		column, _ := table.Column("sequence")
		xs = append(xs, column.Strings...)
	}
	k := kernel.Normalized[string]{Of: seq.GKM{Alphabet: seq.DNA, Both: true}}
	for b.Loop() {
		if _, err := gram.Dense(b.Context(), kernel.Bind[string](k, xs, xs), compute.Options{Workers: 1}); err != nil {
			b.Fatal(err)
		}
	}
}
