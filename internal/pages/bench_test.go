package pages

import (
	"fmt"
	"runtime/debug"
	"testing"
)

// BenchmarkFirstWrite writes one number per page of fresh memory, with advice and
// without. Addresses keep the advice that they were given, so each size is
// allocated without it first.
func BenchmarkFirstWrite(b *testing.B) {
	const n = 256 << 20 / 8
	for _, how := range []struct {
		name string
		make func(int) []float64
	}{{"make", func(n int) []float64 { return make([]float64, n) }}, {"pages", Make[float64]}} {
		b.Run(fmt.Sprintf("%s/bytes=%d", how.name, 8*n), func(b *testing.B) {
			b.SetBytes(8 * n)
			for b.Loop() {
				b.StopTimer()
				debug.FreeOSMemory()
				b.StartTimer()
				s := how.make(n)
				for i := 0; i < n; i += 512 {
					s[i] = 1
				}
			}
		})
	}
}
