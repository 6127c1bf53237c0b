package linalg

import (
	"context"
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/internal/testkit"
)

func TestPackedIsASymmetricMatrix(t *testing.T) {
	rng := testkit.Rand(t, 31)
	for _, n := range []int{0, 1, 255, 256, 257, 300, 513} {
		p := NewPacked(n)
		if n == 0 {
			if p.TileCount() != 0 || PackedBytes(0) != 0 {
				t.Error("the empty matrix has tiles")
			}
			continue
		}
		a := fromFunc(n, func(i, j int) float64 { return rng.NormFloat64() })
		for i := range n {
			for j := range i + 1 {
				if (i+j)%2 == 0 {
					p.SetSym(i, j, a.At(i, j))
				} else {
					p.SetSym(j, i, a.At(i, j))
				}
			}
		}
		if !mat.Equal(p, a) {
			t.Errorf("n=%d: elements differ from those set", n)
		}
		if got := int64(8 * len(p.data)); got != PackedBytes(n) {
			t.Errorf("n=%d: PackedBytes is %d, storage %d", n, PackedBytes(n), got)
		}
	}
}

// TestPackedTiles fills a matrix tile by tile; the tiles partition the storage.
func TestPackedTiles(t *testing.T) {
	const n = 600
	p := NewPacked(n)
	elements := 0
	for i := range p.TileCount() {
		for j := range i + 1 {
			rows, cols, stride, data := p.Tile(i, j)
			elements += rows * cols
			for r := range rows {
				for c := range cols {
					gi, gj := i*p.TileSize()+r, j*p.TileSize()+c
					if gj > gi { // must not be read
						data[r*stride+c] = -1
						continue
					}
					data[r*stride+c] = float64(gi*n + gj)
				}
			}
		}
	}
	if elements != len(p.data) {
		t.Errorf("tiles have %d elements, the storage %d", elements, len(p.data))
	}
	for i := range n {
		for j := range i + 1 {
			if want := float64(i*n + j); p.At(i, j) != want || p.At(j, i) != want {
				t.Fatalf("element (%d, %d) is %g and %g, want %g", i, j, p.At(i, j), p.At(j, i), want)
			}
		}
	}
}

func TestPackedMemory(t *testing.T) {
	const n = 20640 // California housing
	if got, most := PackedBytes(n), int64(0.55*8*n*n); got > most {
		t.Errorf("%d bytes, more than 0.55·8n² = %d", got, most)
	}
}

func TestPackedMul(t *testing.T) {
	rng := testkit.Rand(t, 32)
	ctx := context.Background()
	for _, n := range []int{1, 65, 256, 257, 600, 1100} {
		for _, m := range []int{1, 3, 5, 24, 50} {
			t.Run(fmt.Sprintf("n=%d,m=%d", n, m), func(t *testing.T) {
				a := fromFunc(n, func(i, j int) float64 { return rng.NormFloat64() })
				x := randomDense(rng, n, m)
				var want mat.Dense
				want.Mul(a, x)
				wide, narrow := pack(a), packSingle(a)
				for i := range n { // must not be read
					for j := i + 1; j < min(n, (i/tileSize+1)*tileSize); j++ {
						d := wide.tile(i/tileSize, i/tileSize)
						d.Data[i%tileSize*d.Stride+j%tileSize] = math.NaN()
					}
				}
				for name, c := range map[string]struct {
					mul func(ctx context.Context, dst, x *mat.Dense, o Options) error
					eps float64
				}{"double": {wide.MulWith, eps}, "single": {narrow.MulWith, eps32}} {
					var first mat.Dense
					for _, workers := range []int{1, 2, 3, 8} {
						var got mat.Dense
						if err := c.mul(ctx, &got, x, Options{Workers: workers}); err != nil {
							t.Fatal(err)
						}
						if workers == 1 {
							first.CloneFrom(&got)
							testkit.CloseSlice(t, name+" A·X", got.RawMatrix().Data, want.RawMatrix().Data, float64(n+2)*c.eps) // both factors are rounded
						} else if !mat.Equal(&got, &first) {
							t.Errorf("%s: %d workers give other bits", name, workers)
						}
					}
				}
			})
		}
	}
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	if err := NewPacked(10).Mul(cancelled, new(mat.Dense), mat.NewDense(10, 1, nil)); err == nil {
		t.Error("no error after the context ended")
	}
}

func TestPackedPanicsOutOfRange(t *testing.T) {
	p := NewPacked(10)
	for what, f := range map[string]func(){
		"At":     func() { p.At(10, 0) },
		"SetSym": func() { p.SetSym(0, -1, 1) },
		"Tile":   func() { p.Tile(0, 1) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s does not panic", what)
				}
			}()
			f()
		}()
	}
}
