package motifs_test

import (
	"context"
	"fmt"

	"example.org/mercer/approx/filters"
	"example.org/mercer/approx/motifs"
	"example.org/mercer/data"
	"example.org/mercer/kernel/seq"
)

// Words of four letters in two groups have two motifs.
func Example() {
	xs := data.Slice[string]{"TATA", "TATC", "TATG", "GCGC", "GCGC", "GCGA"}
	k, err := motifs.Learn(context.Background(), seq.Motif{K: 4, Alphabet: seq.DNA}, xs, filters.Options{Filters: []int{2}})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, m := range k.Motifs() {
		fmt.Println(m.Consensus([]string{"A", "C", "G", "T"}))
	}
	// Unordered output:
	// TAT·
	// GCGC
}
