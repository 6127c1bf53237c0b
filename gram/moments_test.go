package gram

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/kernel/vec"
)

func TestMomentsAreTheSumsOverTheRows(t *testing.T) {
	for _, size := range [][3]int{{1, 1, 1}, {7, 3, 2}, {2500, 40, 3}, {600, 270, 1}} {
		n, m, p := size[0], size[1], size[2]
		xs, cs, weights := randomPoints(t, 1, n, 3), randomPoints(t, 2, m, 3), make([]float64, n)
		for i := range weights {
			weights[i] = float64(i % 3)
		}
		k, y := explicit(gaussian{}, xs, cs), mat.NewDense(n, p, randomPoints(t, 3, n, p).Raw())
		abs := mat.NewDense(n, p, nil)
		abs.Apply(func(_, _ int, v float64) float64 { return math.Abs(v) }, y)
		for _, given := range [][]float64{nil, weights} {
			var weighted, wantSecond, wantFirst, sizeFirst mat.Dense
			weighted.Apply(func(i, _ int, v float64) float64 {
				if given == nil {
					return v
				}
				return given[i] * v
			}, k)
			wantSecond.Mul(k.T(), &weighted)
			wantFirst.Mul(weighted.T(), y)
			sizeFirst.Mul(weighted.T(), abs)
			second, first, err := tallOf(gaussian{}, xs, cs, compute.Options{}).Moments(t.Context(), given, y)
			if err != nil {
				t.Fatal(err)
			}
			// Each side adds up n numbers, whose factors are rounded four times.
			allowed := 2 * (float64(n) + 4) * 0x1p-52
			near := func(name string, got, want, size mat.Matrix) {
				rows, cols := want.Dims()
				for i := range rows {
					for j := range cols {
						if diff := math.Abs(got.At(i, j) - want.At(i, j)); !(diff <= allowed*size.At(i, j)) {
							t.Fatalf("%d×%d, weights %v: element (%d, %d) of the %s moments is off by %.3g, allowed are %.3g", n, m, given != nil, i, j, name, diff, allowed*size.At(i, j))
						}
					}
				}
			}
			near("second", second, &wantSecond, &wantSecond)
			near("first", first, &wantFirst, &sizeFirst)
		}
	}
}

// TestSingleMomentsRoundWhatDiffers: with u = 2⁻²⁴ and D = max |k − c| ≤ 1, an element k is off by
// u and k − c by 2u, their products by 4uD and uD², and a sum over 1024 rows in float32 by 1024
// times the last. c is multiplied with g, whose terms are off by 2u, and 256uD in their sum, on
// both sides.
func TestSingleMomentsRoundWhatDiffers(t *testing.T) {
	const n, m, p = 2700, 40, 2
	for _, scale := range []float64{1, 0.03} {
		xs, cs, weights := randomPoints(t, 1, n, 3), randomPoints(t, 2, m, 3), make([]float64, n)
		floats.Scale(scale, xs.Raw())
		floats.Scale(scale, cs.Raw())
		for i := range weights {
			weights[i] = float64(i % 3)
		}
		y := mat.NewDense(n, p, randomPoints(t, 3, n, p).Raw())
		k := explicit(gaussian{}, xs, cs)
		apart := mat.Max(k) - mat.Min(k)
		for _, given := range [][]float64{nil, weights} {
			want, wantFirst, err := tallOf(gaussian{}, xs, cs, compute.Options{}).Moments(t.Context(), given, y)
			if err != nil {
				t.Fatal(err)
			}
			got, gotFirst, err := tallOf(gaussian{}, xs, cs, compute.Options{Precision: compute.Single}).Moments(t.Context(), given, y)
			if err != nil {
				t.Fatal(err)
			}
			bound, boundFirst := 0x1p-24*n*(4*apart+1025*apart*apart+2*(2+256*apart)), 0.0
			for i := range n {
				boundFirst += 0x1p-24 * (2 + 256*apart) * mat.Norm(y.RowView(i), math.Inf(1))
			}
			if given != nil {
				bound, boundFirst = 2*bound, 2*boundFirst // the largest weight
			}
			var off mat.Dense
			if off.Sub(got, want); mat.Norm(&off, math.Inf(1)) > bound*m {
				t.Errorf("points × %v, weights %v: the second moments are off by %.1e, bound %.1e", scale, given != nil, mat.Norm(&off, math.Inf(1)), bound*m)
			}
			off.Reset()
			if off.Sub(gotFirst, wantFirst); mat.Norm(&off, math.Inf(1)) > boundFirst*p {
				t.Errorf("points × %v, weights %v: the first moments are off by %.1e, bound %.1e", scale, given != nil, mat.Norm(&off, math.Inf(1)), boundFirst*p)
			}
		}
	}
}

func TestMomentsHaveTheSameBitsForAnyWorkers(t *testing.T) {
	for _, precision := range []compute.Precision{compute.Double, compute.Single} {
		sameMoments(t, precision)
	}
}

func sameMoments(t *testing.T, precision compute.Precision) {
	xs, cs, y := randomPoints(t, 1, 2500, 3), randomPoints(t, 2, 200, 3), mat.NewDense(2500, 1, randomPoints(t, 3, 2500, 1).Raw())
	var wantSecond *mat.SymDense
	var wantFirst *mat.Dense
	for _, workers := range []int{1, 2, 3, 8, 16} {
		second, first, err := tallOf(gaussian{}, xs, cs, compute.Options{Workers: workers, Precision: precision}).Moments(t.Context(), nil, y)
		if err != nil {
			t.Fatal(err)
		}
		if wantSecond == nil {
			wantSecond, wantFirst = second, first
		} else if !mat.Equal(second, wantSecond) || !mat.Equal(first, wantFirst) {
			t.Errorf("%s precision: %d workers give other bits than 1", precision, workers)
		}
	}
}

func TestMomentsRefuse(t *testing.T) {
	xs := randomPoints(t, 1, 300, 3)
	tall, y := tallOf(gaussian{}, xs, xs, compute.Options{}), mat.NewDense(300, 1, nil)
	if _, _, err := tall.Moments(t.Context(), []float64{1}, y); err == nil {
		t.Error("one weight for 300 rows was taken")
	}
	if _, _, err := tall.Moments(t.Context(), nil, mat.NewDense(2, 1, nil)); err == nil {
		t.Error("two targets for 300 rows were taken")
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if _, _, err := tall.Moments(ended, nil, y); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end of its context: %v", err)
	}
}

func BenchmarkMoments(b *testing.B) {
	const n, m, d = 20480, 1000, 18
	xs, cs, y := randomPoints(b, 1, n, d), randomPoints(b, 2, m, d), mat.NewDense(n, 1, nil)
	k, err := vec.Parse(fmt.Sprintf("rbf(gamma=%g)", 0.5/float64(d)))
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, _, err := tallOf(k, xs, cs, compute.Options{}).Moments(b.Context(), nil, y); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)*n*m*m/b.Elapsed().Seconds()/1e9, "GFLOP/s")
}
