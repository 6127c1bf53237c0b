package dictionary_test

import (
	"testing"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel/visual"
	"example.org/mercer/unsupervised/dictionary"
)

// 200 words of a thousand images of 28×28 pixels.
func BenchmarkLearn(b *testing.B) {
	rng := testkit.Rand(b, 1)
	xs := data.MakeVectors(1000, 784)
	for i := range xs.Raw() {
		xs.Raw()[i] = rng.Float64()
	}
	for _, coding := range []visual.Coding{visual.Words(200), visual.Fisher(16)} {
		c, err := visual.Options{Dense: visual.Dense{Shape: [3]int{28, 28, 1}}, Coding: coding}.New(nil)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(coding.Name(), func(b *testing.B) {
			for b.Loop() {
				if _, err := dictionary.Learn(b.Context(), c, xs, 1, compute.Options{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
