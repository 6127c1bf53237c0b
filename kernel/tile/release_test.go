package tile_test

import (
	"runtime"
	"testing"
	"weak"

	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel"
)

// A bound kernel does not keep the matrices alive that it has filled.
func TestTilesAreLetGo(t *testing.T) {
	testkit.SkipUnderRace(t) // pools drop things at random there
	xs := cloud(testkit.Rand(t, 91), 20, 4, 0)
	p := kernel.Bind(parse(t, "rbf(sigma=1) + linear"), xs, xs)
	matrix := make([]float64, 20*20)
	single := make([]float32, 20*20)
	p.Tile(kernel.Tile{Rows: 20, Cols: 20, Stride: 20, Data: matrix}, 0, 0)
	kernel.Fill32(p, kernel.Tile32{Rows: 20, Cols: 20, Stride: 20, Data: single}, 0, 0)
	double, float := weak.Make(&matrix[0]), weak.Make(&single[0])
	runtime.GC()
	if double.Value() != nil || float.Value() != nil {
		t.Error("a tile is still reachable after it was computed")
	}
	runtime.KeepAlive(p)
}
