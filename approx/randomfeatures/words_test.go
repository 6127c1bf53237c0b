package randomfeatures

import (
	"math"
	"testing"

	"example.org/mercer/kernel/seq"
)

// TestWordsAreWaves: sums of waves over words are unbiased for the kernel of motifs, and know their
// variance from many frequencies.
func TestWordsAreWaves(t *testing.T) {
	x, y := "ACGTACGGTACCA", "TACGGTTACGAACGT"
	for _, k := range []seq.Motif{{K: 3, Sigma: 0.5, Alphabet: seq.DNA}, {K: 2, Sigma: 0.8, Alphabet: seq.DNA, Both: true}} {
		const dim = 10
		got, want := momentsOf(sample(t, k, x, y, Options{Dim: dim, Frequencies: Independent}, 2500)), k.Eval(x, y)
		if bound := got.meanError(); !(math.Abs(got.mean-want) <= bound) {
			t.Errorf("%s: mean %.5f, the kernel is %.5f ± %.2g", k, got.mean, want, bound)
		}
		mean := 0.0
		for s := range 20 {
			z := mapOf(t, k, x, Options{Dim: 100 * dim, Frequencies: Independent, Seed: uint64(s)})
			zx, zy := make([]float64, z.Dim()), make([]float64, z.Dim())
			z.Map(zx, x)
			z.Map(zy, y)
			mean += 100 * z.z.variance(x, y, zx, zy) / 20
		}
		if bound := got.varianceError(); !(math.Abs(got.variance-mean) <= bound+0.05*mean) {
			t.Errorf("%s: variance %.4g, the map expects %.4g ± %.2g", k, got.variance, mean, bound)
		}
	}
}
