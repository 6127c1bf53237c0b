package seq_test

import (
	"context"
	"fmt"

	"example.org/mercer/data"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/seq"
)

// What the words of a sequence add to a function in the span of a kernel.
func ExampleSpectrum_Explain() {
	ctx := context.Background()
	k := seq.Spectrum{K: 3, Alphabet: seq.DNA}
	g, err := kernel.Explain[string](ctx, k, data.Slice[string]{"TATAAT", "GGCGCC"}, []float64{1, -1})
	if err != nil {
		panic(err)
	}
	splits, err := g.Split(ctx, "CTATGGC")
	if err != nil {
		panic(err)
	}
	for _, p := range splits[0].Parts {
		fmt.Println(p.Feature, p.Value, p.Places)
	}
	fmt.Println("together", splits[0].Value)
	// Output:
	// TAT 1 [1 2 3]
	// GGC -1 [4 5 6]
	// together 0
}
