package level3

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"example.org/mercer/internal/simd"
)

// TestColumnByDefinition multiplies with a single column, and compares the bits of several
// goroutines with those of one.
func TestColumnByDefinition(t *testing.T) {
	both(t, testColumnByDefinition[float32], testColumnByDefinition[float64])
}

func testColumnByDefinition[F simd.Float](t *testing.T) {
	for _, size := range [][2]int{{2, 2}, {40, 1100}, {1100, 40}, {3000, 1500}} {
		for _, trans := range [][2]bool{{false, false}, {false, true}, {true, false}, {true, true}} {
			for _, scale := range [][2]F{{1, 0}, {-1, 1}, {0.5, -2}} {
				m, k := size[0], size[1]
				t.Run(fmt.Sprintf("%dx%d/%v/%v", m, k, trans, scale), func(t *testing.T) {
					rng := rand.New(rand.NewPCG(uint64(m), uint64(k)))
					a, tA := operand[F](rng, m, k, 3, trans[0])
					b, tB := operand[F](rng, k, 1, 2, trans[1])
					before := guarded[F](rng, m, 1, 2)
					alone, shared := clone(before), clone(before)
					for workers, c := range []matrix[F]{alone, shared} {
						inner[F]().by(1+2*workers).gemm(tA, tB, m, 1, k, scale[0], a.data, a.ld, b.data, b.ld, scale[1], c.data, c.ld)
					}
					checkProduct(t, m, 1, k, scale[0], a, b, scale[1], before, alone)
					if !slices.Equal(alone.data, shared.data) {
						t.Error("goroutines change the bits")
					}
				})
			}
		}
	}
}
