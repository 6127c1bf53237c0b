package tile_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"example.org/mercer/data"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/vec"
)

func parse(t testing.TB, text string) vec.Kernel {
	t.Helper()
	k, err := vec.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// cloud returns n points of d coordinates, uniform in [0, 1), shifted.
func cloud(rng *rand.Rand, n, d int, shift float64) data.Vectors {
	xs := data.MakeVectors(n, d)
	for i := range xs.Raw() {
		xs.Raw()[i] = rng.Float64() + shift
	}
	return xs
}

// full computes all pairs in tiles of the given size.
func full(p kernel.Pairs, height, width int) kernel.Tile {
	n, m := p.Dims()
	out := kernel.NewTile(n, m)
	for i := 0; i < n; i += height {
		for j := 0; j < m; j += width {
			h, w := min(height, n-i), min(width, m-j)
			p.Tile(kernel.Tile{Rows: h, Cols: w, Stride: m, Data: out.Data[i*m+j:]}, i, j)
		}
	}
	return out
}

// tileTolerance bounds |tile − Eval| relative to max(1, |k|). The statistic is right
// to 16(d+3)u relative to itself (see keptShare) and the profiles used here amplify
// that by at most their condition t·|κ′(t)|/max(1, |κ|), which is below 4 for the
// combinations above, exponentials of sums included; 20u are for the profiles.
func tileTolerance(d int) float64 { return (4*16*float64(d+3) + 20) * 0x1p-53 }

func same(a, b []float64) bool {
	for i, v := range a {
		if math.Float64bits(v) != math.Float64bits(b[i]) {
			return false
		}
	}
	return true
}

func points(xs data.Vectors) [][]float64 {
	all := make([][]float64, xs.Len())
	for i := range all {
		all[i] = xs.At(i)
	}
	return all
}
