package visual_test

import (
	"testing"

	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel/visual"
)

// An image of 28×28 pixels by 200 words, and by 16 components after 32 principal components.
func BenchmarkCode(b *testing.B) {
	for _, c := range []visual.Options{
		{Coding: visual.Words(200)},
		{Coding: visual.Fisher(16), Components: 32},
	} {
		c.Dense = visual.Dense{Shape: [3]int{28, 28, 1}}
		b.Run(c.Coding.Name(), func(b *testing.B) {
			rng := testkit.Rand(b, 3)
			code := learned(b, c, rng)
			image, dst := pixels(rng, 28*28), make([]float64, code.Features())
			for b.Loop() {
				code.Of(dst, image)
			}
		})
	}
}
