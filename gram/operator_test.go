package gram

import (
	"context"
	"errors"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/gram/gramtest"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel"
)

// symmetricOf copies the upper triangle of a full matrix; the rest of the storage is
// NaN, so that a test notices whoever reads it.
func symmetricOf(full *mat.Dense) *mat.SymDense {
	n, _ := full.Dims()
	data := make([]float64, n*n)
	for i := range n {
		for j := range n {
			data[i*n+j] = math.NaN()
			if j >= i {
				data[i*n+j] = full.At(i, j)
			}
		}
	}
	return mat.NewSymDense(n, data)
}

func TestOperatorsConform(t *testing.T) {
	xs, zs := randomPoints(t, 20, 333, 3), randomPoints(t, 21, 70, 3)
	square, cross := explicit(gaussian{}, xs, xs), explicit(gaussian{}, zs, xs)
	one, four := compute.Options{Workers: 1}, compute.Options{Workers: 4}
	p, q := bind(gaussian{}, xs, xs), bind(gaussian{}, zs, xs)
	t.Run("symmetric stream", func(t *testing.T) { gramtest.Run(t, Of(p, one), square, Of(p, four), FromMatrix(symmetricOf(square))) })
	t.Run("rectangular stream", func(t *testing.T) { gramtest.Run(t, Cross(q, one), cross, Cross(q, four)) })
	t.Run("matrix", func(t *testing.T) { gramtest.Run(t, FromMatrix(symmetricOf(square)), square) })
	packed, err := PackedOf(t.Context(), p, four)
	if err != nil {
		t.Fatal(err)
	}
	t.Run("packed", func(t *testing.T) { gramtest.Run(t, packed, square) })
	c, err := centringOf(t.Context(), Of(p, one))
	if err != nil {
		t.Fatal(err)
	}
	t.Run("centred", func(t *testing.T) {
		gramtest.Run(t, c.Operator(Of(p, one)), centredByDefinition(square), c.Operator(Of(p, four)))
	})
}

// A stored matrix is read from its upper triangle wherever the tile lies.
func TestMatrixPairsReadTheUpperTriangle(t *testing.T) {
	xs := randomPoints(t, 22, 9, 2)
	full := explicit(gaussian{}, xs, xs)
	p := FromMatrix(symmetricOf(full)).Pairs()
	for _, at := range [][4]int{{0, 0, 9, 9}, {5, 1, 3, 3}, {1, 5, 4, 2}, {3, 2, 5, 6}, {8, 0, 1, 9}} {
		tile := kernel.NewTile(at[2], at[3])
		p.Tile(tile, at[0], at[1])
		for i := range at[2] {
			for j := range at[3] {
				if got, want := tile.Row(i)[j], full.At(at[0]+i, at[1]+j); got != want {
					t.Errorf("tile %v holds %v at (%d, %d), want %v", at, got, i, j, want)
				}
			}
		}
	}
}

// TestMatrixTimesSeveral compares products with many columns, of matrices on both sides
// of the blocks of rows, with their definition.
func TestMatrixTimesSeveral(t *testing.T) {
	rng := testkit.Rand(t, 17)
	for _, n := range []int{1, 40, multipleRHSRows, multipleRHSRows + 1, 2*multipleRHSRows + 70} {
		k := mat.NewSymDense(n, nil)
		for i := range n {
			for j := i; j < n; j++ {
				k.SetSym(i, j, rng.NormFloat64())
			}
		}
		for i := range n { // what a solver may have left in the other triangle
			for j := range i {
				k.RawSymmetric().Data[i*n+j] = math.NaN()
			}
		}
		for _, rhs := range []int{multipleRHS, 31} {
			x := mat.NewDense(n, rhs, nil)
			for i := range x.RawMatrix().Data {
				x.RawMatrix().Data[i] = rng.NormFloat64()
			}
			var got, want mat.Dense
			if err := FromMatrix(k).Mul(t.Context(), &got, x); err != nil {
				t.Fatal(err)
			}
			want.Mul(k, x)
			// Sums of n normal products: partial sums below 6√n, errors of n additions.
			testkit.CloseSlice(t, "product", got.RawMatrix().Data, want.RawMatrix().Data, 0x1p-52*float64(n)*(6+6*math.Sqrt(float64(n))))
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := FromMatrix(mat.NewSymDense(20, nil)).Mul(ctx, new(mat.Dense), mat.NewDense(20, multipleRHS, nil)); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: error %v", err)
	}
}
