package gram

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/vec"
)

// tallOf binds rows in blocks as a method does.
func tallOf(k kernel.Kernel[[]float64], xs, cs data.Vectors, o compute.Options) *TallSkinny {
	anchored := kernel.BindColumns(k, cs)
	return NewTallSkinny(xs.Len(), cs.Len(), func(from, to int, reuse kernel.Pairs) kernel.Pairs {
		return anchored.Bind(data.Run(xs, from, to), reuse)
	}, o)
}

// normal stores G = W·(U − c) for row weights 1 + i mod 3 and keeps U.
func normal(kept *mat.Dense, c float64) slopesOf {
	return func(_, row int, u, g blas64.General) {
		for i := range u.Rows {
			for j := range u.Cols {
				v := u.Data[i*u.Stride+j]
				kept.Set(row+i, j, v)
				g.Data[i*g.Stride+j] = float64(1+(row+i)%3) * (v - c)
			}
		}
	}
}

func TestFoldIsTheProductOfTheNormalEquations(t *testing.T) {
	const p, c = 3, 0.25
	for _, size := range [][2]int{{1, 1}, {7, 3}, {300, 40}, {5000, 300}, {700, 1000}} {
		n, m := size[0], size[1]
		xs, cs, x := randomPoints(t, 1, n, 3), randomPoints(t, 2, m, 3), mat.NewDense(m, p, randomPoints(t, 3, m, p).Raw())
		k := explicit(gaussian{}, xs, cs)
		u, want, size := new(mat.Dense), new(mat.Dense), mat.NewDense(n, p, nil)
		u.Mul(k, x)
		g, abs := mat.NewDense(n, p, nil), mat.NewDense(m, p, nil)
		for i := range n {
			for j := range p {
				g.Set(i, j, float64(1+i%3)*(u.At(i, j)-c))
				for l := range m {
					size.Set(i, j, size.At(i, j)+math.Abs(k.At(i, l)*x.At(l, j)))
				}
				size.Set(i, j, float64(1+i%3)*(size.At(i, j)+c))
			}
		}
		want.Mul(k.T(), g)
		abs.Mul(k.T(), size)
		for _, precision := range []compute.Precision{compute.Double, compute.Single} {
			unit := []float64{0x1p-52, 0x1p-23}[precision]
			for name, tall := range map[string]*TallSkinny{
				"bound in blocks": tallOf(gaussian{}, xs, cs, compute.Options{Precision: precision}),
				"bound at once":   TallSkinnyOf(bind(gaussian{}, xs, cs), compute.Options{Precision: precision}),
			} {
				for _, pass := range []string{"", ", held", ", read again"} {
					if pass == ", held" {
						tall.Hold()
					}
					got, values := mat.NewDense(m, p, nil), mat.NewDense(n, p, nil)
					if err := tall.Fold(t.Context(), got, x, normal(values, c)); err != nil {
						t.Fatal(err)
					}
					// Rounding of elements and chains of at most 66 additions, twice.
					for i := range m {
						for j := range p {
							if diff := math.Abs(got.At(i, j) - want.At(i, j)); !(diff <= 150*unit*abs.At(i, j)) {
								t.Fatalf("%d×%d in %v precision, %s%s: element (%d, %d) is off by %.3g, allowed are %.3g", n, m, precision, name, pass, i, j, diff, 150*unit*abs.At(i, j))
							}
						}
					}
					if err := tall.Mul(t.Context(), u, x); err != nil || !mat.Equal(u, values) {
						t.Fatalf("%d×%d in %v precision, %s%s: Mul differs from what Fold sees, or %v", n, m, precision, name, pass, err)
					}
				}
			}
		}
	}
}

func TestFoldHasTheSameBitsForAnyWorkersAndHeld(t *testing.T) {
	const n, m, p = 3000, 70, 2
	xs, cs, x := randomPoints(t, 1, n, 4), randomPoints(t, 2, m, 4), mat.NewDense(m, p, randomPoints(t, 3, m, p).Raw())
	for _, precision := range []compute.Precision{compute.Double, compute.Single} {
		var want *mat.Dense
		for _, workers := range []int{1, 2, 3, 8} {
			for _, hold := range []bool{false, true} {
				tall := tallOf(gaussian{}, xs, cs, compute.Options{Workers: workers, Precision: precision})
				if hold {
					tall.Hold()
				}
				for range 2 {
					got := mat.NewDense(m, p, nil)
					if err := tall.Fold(t.Context(), got, x, normal(mat.NewDense(n, p, nil), 0)); err != nil {
						t.Fatal(err)
					}
					if want == nil {
						want = got
					}
					if !mat.Equal(got, want) {
						t.Errorf("%v precision, %d workers, held %v: other bits", precision, workers, hold)
					}
				}
			}
		}
	}
}

// Lanes hand out each row once, ascending, and sums by lane can be added up in order.
func TestFoldVisitsEachRowOnce(t *testing.T) {
	for _, n := range []int{1, 255, 257, 20000} {
		xs, cs := randomPoints(t, 1, n, 1), randomPoints(t, 2, 5, 1)
		tall := tallOf(linear{}, xs, cs, compute.Options{Workers: 3})
		seen, last := make([]int, n), slices.Repeat([]int{-1}, tall.Lanes(1))
		err := tall.Fold(t.Context(), mat.NewDense(5, 1, nil), nil, func(lane, row int, u, g blas64.General) {
			if row <= last[lane] || u.Cols != 0 || g.Cols != 1 {
				t.Errorf("n=%d: lane %d sees row %d after row %d, %d values, %d places", n, lane, row, last[lane], u.Cols, g.Cols)
			}
			last[lane] = row + g.Rows - 1
			for i := range g.Rows {
				seen[row+i]++
			}
		})
		if err != nil || slices.ContainsFunc(seen, func(times int) bool { return times != 1 }) {
			t.Errorf("n=%d: rows were seen %v times, %v", n, seen[:min(n, 10)], err)
		}
	}
}

func TestFoldRefusesSizesAndEndsWithItsContext(t *testing.T) {
	xs, cs := randomPoints(t, 1, 2000, 2), randomPoints(t, 2, 30, 2)
	tall := tallOf(gaussian{}, xs, cs, compute.Options{})
	between := normal(mat.NewDense(2000, 1, nil), 0)
	if err := tall.Fold(t.Context(), mat.NewDense(30, 1, nil), mat.NewDense(29, 1, nil), between); err == nil {
		t.Error("29 rows multiply a matrix of 30 columns")
	}
	if err := tall.Fold(t.Context(), mat.NewDense(29, 1, nil), mat.NewDense(30, 1, nil), between); err == nil {
		t.Error("a sum of 30 rows fits in 29")
	}
	ctx, cancel := context.WithCancel(t.Context())
	tall.Hold()
	err := tall.Fold(ctx, mat.NewDense(30, 1, nil), mat.NewDense(30, 1, nil), func(_, row int, u, g blas64.General) { cancel() })
	if !errors.Is(err, context.Canceled) || tall.double.filled {
		t.Errorf("a cancelled pass: %v, filled %v", err, tall.double.filled)
	}
}

func BenchmarkFold(b *testing.B) {
	for _, size := range [][3]int{{20000, 2000, 18}, {6000, 10000, 18}, {20000, 2000, 100}} {
		n, m, d := size[0], size[1], size[2]
		xs, cs := randomPoints(b, 1, n, d), randomPoints(b, 2, m, d)
		for _, precision := range []compute.Precision{compute.Double, compute.Single} {
			for _, hold := range []bool{false, true} {
				k, err := vec.Parse(fmt.Sprintf("rbf(gamma=%g)", 0.5/float64(d)))
				if err != nil {
					b.Fatal(err)
				}
				tall := tallOf(k, xs, cs, compute.Options{Precision: precision})
				if hold {
					tall.Hold()
				}
				x, dst := mat.NewDense(m, 1, randomPoints(b, 3, m, 1).Raw()), mat.NewDense(m, 1, nil)
				b.Run(fmt.Sprintf("n=%d/m=%d/d=%d/%v/held=%v", n, m, d, precision, hold), func(b *testing.B) {
					for b.Loop() {
						err := tall.Fold(context.Background(), dst, x, func(_, _ int, u, g blas64.General) { copy(g.Data, u.Data) })
						if err != nil {
							b.Fatal(err)
						}
					}
					b.ReportMetric(float64(b.N)*float64(n)*float64(m)/b.Elapsed().Seconds()/1e9, "Gpairs/s")
				})
			}
		}
	}
}

// TestBlockIsARunOfRows: rows from anywhere, whether elements are held or not.
func TestBlockIsARunOfRows(t *testing.T) {
	xs, cs := randomPoints(t, 1, 70, 3), randomPoints(t, 2, 9, 3)
	tall := tallOf(gaussian{}, xs, cs, compute.Options{})
	want := explicit(gaussian{}, xs, cs)
	for _, from := range []int{0, 33, 69} {
		got := mat.NewDense(min(20, 70-from), 9, nil)
		if err := tall.Block(t.Context(), got, from); err != nil {
			t.Fatal(err)
		}
		rows, _ := got.Dims()
		if !mat.EqualApprox(got, want.Slice(from, from+rows, 0, 9), 1e-14) {
			t.Errorf("rows from %d on differ", from)
		}
	}
}
