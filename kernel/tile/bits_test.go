package tile_test

import (
	"fmt"
	"testing"

	"example.org/mercer/data"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel"
)

// binaryCloud returns n points of d coordinates that are 1 with the given probability,
// else 0; the first is 0 and the second 1 everywhere.
func binaryCloud(t testing.TB, seed uint64, n, d int, share float64) data.Vectors {
	rng, xs := testkit.Rand(t, seed), data.MakeVectors(n, d)
	for i := range n {
		for j := range d {
			if i == 1 || i > 1 && rng.Float64() < share {
				xs.At(i)[j] = 1
			}
		}
	}
	return xs
}

// Inner products and squared distances of points of 0 and 1 are whole numbers, and so
// equal to those of Eval to the bit, in single precision too. They stay what they were
// when a row is bound that has another coordinate.
func TestBinaryPointsAreCountedExactly(t *testing.T) {
	for i, d := range []int{5, 17, 63, 64, 65, 123, 128, 200, 150, 200, 400} {
		if testing.Short() && i%3 != 1 {
			continue
		}
		rows, cols := binaryCloud(t, 60, 21, d, 0.1), binaryCloud(t, 61, 300, d, 0.2)
		if i > 7 { // few enough coordinates are 1 to leave out the others
			rows, cols = binaryCloud(t, 60, 21, d, 0.02), binaryCloud(t, 61, 300, d, 0.03)
			clear(rows.At(1))
		}
		mixed := data.MakeVectors(21, d)
		copy(mixed.Raw(), rows.Raw())
		mixed.At(20)[d-1] = 0.5
		for _, text := range []string{"linear()", "poly(degree=2,offset=1)", "rbf(sigma=3)", "laplace(sigma=2)", "cosine()"} {
			k := parse(t, text)
			want := kernel.NewTile(21, 300)
			for i := range 21 {
				for j := range 300 {
					want.Row(i)[j] = k.Eval(rows.At(i), cols.At(j))
				}
			}
			p := kernel.Bind(k, rows, cols)
			got := full(p, 21, 300)
			for i, v := range got.Data {
				testkit.Close(t, fmt.Sprintf("%s, d=%d, element %d", text, d, i), v, want.Data[i], 4*0x1p-53)
				if text == "linear()" && v != want.Data[i] {
					t.Fatalf("%s, d=%d: element %d is %v, want exactly %v", text, d, i, v, want.Data[i])
				}
			}
			if part := full(p, 5, 37); !same(part.Data, got.Data) {
				t.Errorf("%s, d=%d: other bits in other tiles", text, d)
			}
			for i, v := range full32(p, 5, 37).Data {
				testkit.Close(t, fmt.Sprintf("%s, d=%d, element %d in single precision", text, d, i), float64(v), want.Data[i], 8*0x1p-24)
			}
			dense := full(kernel.Bind(k, mixed, cols), 21, 300)
			for i, v := range dense.Data[:20*300] {
				testkit.Close(t, fmt.Sprintf("%s, d=%d, element %d beside a row of other numbers", text, d, i), v, got.Data[i], tileTolerance(d))
			}
			if v, w := dense.Row(20)[1], k.Eval(mixed.At(20), cols.At(1)); text == "linear()" && v != w {
				t.Errorf("d=%d: the row with 0.5 has %v, want %v", d, v, w)
			}
		}
	}
}

// oneHot returns n points of ones in 8 places of d, as the codes of 8 categories have them.
func oneHot(t testing.TB, seed uint64, n, d int) data.Vectors {
	rng, xs := testkit.Rand(t, seed), data.MakeVectors(n, d)
	for i := range n {
		for c := range 8 {
			xs.At(i)[c*d/8+rng.IntN(d/8)] = 1
		}
	}
	return xs
}

// A plan of few counts is a table where tiles end with panels, with the bits that it has
// elsewhere.
func TestPlansOfFewCounts(t *testing.T) {
	for _, d := range []int{24, 64, 123} {
		rows, cols := oneHot(t, 66, 21, d), oneHot(t, 67, 320, d)
		copy(cols.At(9), rows.At(4))
		for _, text := range []string{"rbf(sigma=3)", "0.5*laplace(sigma=2)", "matern(nu=2.5,sigma=2)", "rq(alpha=0.7,sigma=2) + 0.5*rbf(sigma=1)", "rbf(sigma=3)*cosine()"} {
			k := parse(t, text)
			p := kernel.Bind(k, rows, cols)
			whole, single := full(p, 21, 320), full32(p, 21, 320)
			for i := range 21 {
				for j := range 320 {
					want := k.Eval(rows.At(i), cols.At(j))
					testkit.Close(t, fmt.Sprintf("%s, d=%d", text, d), whole.Row(i)[j], want, 16*0x1p-53)
					testkit.Close(t, fmt.Sprintf("%s, d=%d, in single precision", text, d), float64(single.Row(i)[j]), want, 16*0x1p-24)
				}
			}
			for _, size := range [][2]int{{5, 37}, {3, 64}, {8, 16}} {
				if !same(full(p, size[0], size[1]).Data, whole.Data) || !same32(full32(p, size[0], size[1]).Data, single.Data) {
					t.Errorf("%s, d=%d: other bits in tiles of %v", text, d, size)
				}
			}
		}
	}
}

// Rows that take the place of others are counted or not by what they are.
func TestBinaryRowsBoundInTurn(t *testing.T) {
	const d = 70
	cols := binaryCloud(t, 62, 40, d, 0.15)
	clear(cols.At(1)) // fewer ones than a table has places
	k := parse(t, "rbf(sigma=2)")
	anchored, old := kernel.BindColumns(k, cols), kernel.Pairs(nil)
	for step, rows := range []data.Vectors{binaryCloud(t, 63, 9, d, 0.3), cloud(testkit.Rand(t, 64), 9, d, 0), binaryCloud(t, 65, 12, d, 0.3), oneHot(t, 68, 7, d)} {
		old = anchored.Bind(rows, old)
		fresh := kernel.Bind(k, rows, cols)
		n := rows.Len()
		if !same(full(old, n, 40).Data, full(fresh, n, 40).Data) || !same32(full32(old, n, 40).Data, full32(fresh, n, 40).Data) {
			t.Errorf("step %d: other bits than Bind", step)
		}
	}
}

// The binary points beside ordinary ones of as many coordinates.
func BenchmarkBinaryTile(b *testing.B) {
	const d = 123
	ones := binaryCloud(b, 66, 1024, d, 0.1)
	dense := data.MakeVectors(1024, d)
	copy(dense.Raw(), ones.Raw())
	dense.At(0)[0] = 0.5
	for name, xs := range map[string]data.Vectors{"binary": ones, "dense": dense} {
		p := kernel.Bind(parse(b, "rbf(sigma=3)"), xs, xs).(kernel.Single)
		tile, single := kernel.NewTile(256, 256), kernel.NewTile32(256, 256)
		for precision, run := range map[string]func(){"double": func() { p.Tile(tile, 256, 512) }, "single": func() { p.Tile32(single, 256, 512) }} {
			b.Run(fmt.Sprintf("%s/%s/d=%d", name, precision, d), func(b *testing.B) {
				for b.Loop() {
					run()
				}
				b.ReportMetric(float64(b.N)*256*256/b.Elapsed().Seconds()/1e6, "Mpairs/s")
			})
		}
	}
}

// Points of 0 and 1 that are bound to themselves need no numbers: the values are those of the
// points bound to a copy, which have them, to the bit, whether they are counted or had from sparse
// rows.
func TestBinaryPointsAmongThemselves(t *testing.T) {
	for _, share := range []float64{0.02, 0.1, 0.6} {
		xs := binaryCloud(t, 62, 150, 70, share)
		copied := data.MakeVectors(150, 70)
		copy(copied.Raw(), xs.Raw())
		for _, text := range []string{"rbf(sigma=3)", "laplace(sigma=2)", "rbf(sigma=3) + linear()"} {
			k := parse(t, text)
			own := kernel.Bind(k, xs, xs)
			other := kernel.Bind(k, xs, copied)
			if !same(full(own, 7, 150).Data, full(other, 7, 150).Data) {
				t.Errorf("%s, %v of ones: other bits", text, share)
			}
			a, b := full32(own, 7, 150).Data, full32(other, 7, 150).Data
			for i, v := range a {
				if v != b[i] {
					t.Fatalf("%s, %v of ones: element %d is %v, and %v with a copy", text, share, i, v, b[i])
				}
			}
			stored, err := kernel.BindReusable(t.Context(), k, xs, 0, nil)
			if err != nil {
				t.Fatal(err)
			}
			if !same(full(stored, 7, 150).Data, full(own, 7, 150).Data) {
				t.Errorf("%s, %v of ones: other bits of what is stored", text, share)
			}
		}
	}
}
