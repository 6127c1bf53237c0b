package dictionary_test

import (
	"context"
	"fmt"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/kernel/visual"
	"example.org/mercer/unsupervised/dictionary"
)

// Two words of single pixels: the dark ones and the bright ones.
func Example() {
	code, err := visual.Options{
		Dense:  visual.Dense{Shape: [3]int{2, 2, 1}, Input: "raw", Reduce: 1, Patch: 1},
		Coding: visual.Words(2),
	}.New(nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	images := data.Slice[[]float64]{{0, 0, 0, 8}, {0, 8, 0, 8}, {8, 8, 8, 0}}
	words, err := dictionary.Learn(context.Background(), code, images, 0, compute.Options{})
	fmt.Printf("%d words: %.2f or %.2f, %v\n", len(words), min(words[0], words[1]), max(words[0], words[1]), err)
	// Output: 2 words: 0.00 or 1.00, <nil>
}
