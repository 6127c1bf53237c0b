package store_test

import (
	"context"
	"fmt"
	"os"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/gram"
	"example.org/mercer/gram/store"
	"example.org/mercer/kernel"
)

// letters counts common letters: a kernel on strings, evaluated pair by pair.
type letters struct{}

func (letters) Eval(x, y string) float64 {
	n := 0
	for _, a := range x {
		for _, b := range y {
			if a == b {
				n++
			}
		}
	}
	return float64(n)
}

func (letters) String() string { return "letters" }

// Two computations share a folder; the second reads what the first has kept.
func Example() {
	dir, err := os.MkdirTemp("", "tiles")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	words := make(data.Slice[string], 200)
	for i := range words {
		words[i] = fmt.Sprintf("word %d", i)
	}
	for range 2 {
		tiles, err := store.Open(store.Options{Dir: dir})
		if err != nil {
			fmt.Println(err)
			return
		}
		pairs := kernel.Bind[string](letters{}, words, words)
		k, err := gram.Dense(context.Background(), pairs, compute.Options{Store: tiles})
		if err != nil {
			fmt.Println(err)
			return
		}
		if err := tiles.Close(); err != nil {
			fmt.Println(err)
			return
		}
		stats := tiles.Stats()
		fmt.Printf("k(word 7, word 77) = %g, %d tiles read, %d kept\n", k.At(7, 77), stats.Hits, stats.Misses)
	}
	// Output:
	// k(word 7, word 77) = 7, 0 tiles read, 3 kept
	// k(word 7, word 77) = 7, 3 tiles read, 0 kept
}
