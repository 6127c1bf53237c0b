package simd

import (
	"fmt"
	"testing"

	"example.org/mercer/internal/testkit"
)

// routine is a routine on data of a certain size. run returns how many operations it
// did: additions and multiplications, or numbers stored where it does something else.
type routine struct {
	name string
	run  func(l Level) float64
}

// BenchmarkRoutines runs every routine at every level of the machine. bench/README.md
// says how to compare the levels.
func BenchmarkRoutines(b *testing.B) {
	for _, r := range append(routinesOf[float64](b), routinesOf[float32](b)...) {
		for _, l := range Supported() {
			b.Run(fmt.Sprintf("%s/level=%v", r.name, l), func(b *testing.B) {
				work := 0.0
				for b.Loop() {
					work += r.run(l)
				}
				b.ReportMetric(work/b.Elapsed().Seconds()/1e9, "G/s")
			})
		}
	}
}

// routinesOf returns the routines of one width.
func routinesOf[F Float](b *testing.B) []routine {
	const size = 1 << 16
	rng := testkit.Rand(b, 61)
	x, y := make([]F, size), make([]F, size)
	for i := range x {
		x[i] = F(rng.Float64())
	}
	list := []routine{{"multiplyAdds/n=1000", func(l Level) float64 {
		return 2 * 1000 * float64(len(multiplyAddsAt[F](l, 0.5, 1, 1000)))
	}}}
	for _, k := range []int{100, 256} {
		list = append(list, routine{fmt.Sprintf("gemm/k=%d", k), func(l Level) float64 {
			g := GemmAt[F](l)
			g.Tile(y, g.Cols, x[:k*g.Rows], x[:k*g.Cols], k, true)
			return 2 * float64(k*g.Rows*g.Cols)
		}})
	}
	list = append(list, routine{"solve/n=8", func(l Level) float64 {
		s := SolveAt[F](l)
		clear(y[:8*s.Width])
		s.Rows(y, false, x, 8)
		return 8 * 8 * float64(s.Width)
	}}, routine{"transpose/rows=8/cols=256", func(l Level) float64 {
		transposeAt(l, y, 8, x, 256, 8, 256, 1)
		return 8 * 256
	}}, routine{"exp/n=256", func(l Level) float64 {
		elementwiseAt(l, expAt, exp32At, y[:256], x[:256])
		return 256
	}}, routine{"sqrt/n=256", func(l Level) float64 {
		elementwiseAt(l, sqrtAt, sqrt32At, y[:256], x[:256])
		return 256
	}})
	list = append(list, rowRoutines(x, y)...)
	list = append(list, panelRoutines(x, y)...)
	bits := 64
	if unit[F]() == 0x1p-24 {
		bits = 32
		list = append(list, routine{"decay/n=256", func(l Level) float64 {
			decayAt(l, any(y[:256]).([]float32), any(x[:256]).([]float32), 0.5)
			return 256
		}})
	} else {
		list = append(list, routine{"sincos/n=256", func(l Level) float64 {
			sincosAt(l, any(y[:256]).([]float64), any(y[256:512]).([]float64), any(x[:256]).([]float64), 1)
			return 2 * 256
		}})
	}
	for i := range list {
		list[i].name += fmt.Sprintf("/float=%d", bits)
	}
	return list
}

// elementwiseAt calls the routine of its width, with a scale that keeps exp in range.
func elementwiseAt[F Float](l Level, double func(l Level, dst, x []float64, scale float64), single func(l Level, dst, x []float32, scale float32), dst, x []F) {
	switch dst := any(dst).(type) {
	case []float64:
		double(l, dst, any(x).([]float64), 0.5)
	case []float32:
		single(l, dst, any(x).([]float32), 0.5)
	}
}

// rowRoutines are products of 8 rows of a matrix with vectors.
func rowRoutines[F Float](x, y []F) []routine {
	const n = 1000
	sums, weights := make([]F, 8), x[:8]
	return []routine{
		{"dotRows/n=1000", func(l Level) float64 { dotRowsAt(l, sums, x, n, x[:n]); return 2 * 8 * n }},
		{"addRows/n=1000", func(l Level) float64 { clear(y[:n]); addRowsAt(l, y[:n], x, n, weights); return 2 * 8 * n }},
		{"dotAddRows/n=1000", func(l Level) float64 {
			clear(y[:n])
			dotAddRowsAt(l, sums, y[:n], x, n, x[:n], weights)
			return 4 * 8 * n
		}},
	}
}

// panelRoutines are statistics of 8 row points and 8 panels of column points, and what
// turns inner products into squared distances. Two operations are counted per coordinate.
func panelRoutines[F Float](x, y []F) []routine {
	const rows, count, d = 8, 8, 100
	width, all := panelWidth[F](), []Statistic{Inner, Squared, Weighted, Manhattan, Minima}
	if width == PanelWidth32 {
		all = []Statistic{Inner, Squared, SquaredSplit, Manhattan, ManhattanSplit, Minima}
	}
	names := map[Statistic]string{Inner: "inner", Squared: "squared", Weighted: "weighted", Manhattan: "manhattan", Minima: "minima", SquaredSplit: "squaredSplit", ManhattanSplit: "manhattanSplit"}
	var list []routine
	for _, s := range all {
		list = append(list, routine{fmt.Sprintf("panels/statistic=%s/d=%d", names[s], d), func(l Level) float64 {
			panelsOf(l, s, y, count*width, rows, x, x, x, d, count)
			return 2 * d * rows * count * float64(width)
		}})
	}
	list = append(list, routine{"squaredFromInner/n=256", func(l Level) float64 {
		squaredFromInner(l, y[:256], x[:256], 1, 0)
		return 2 * 256
	}})
	if width == PanelWidth {
		x, y := any(x).([]float64), any(y).([]float64)
		return append(list, nearestRoutine[float64, int64](x), whitenedRoutine(x, y))
	}
	return append(list, nearestRoutine[float32, int32](any(x).([]float32)))
}

// nearestRoutine finds the nearest of 20 centres for a panel of points; two operations are
// counted per coordinate.
func nearestRoutine[F Float, I int32 | int64](x []F) routine {
	const d, k = 20, 20
	var near Near[F, I]
	var c Centres[F, I]
	c.Pack(x[:k*d], d)
	return routine{"nearest/k=20/d=20", func(l Level) float64 {
		c.nearestAt(l, &near, x)
		return 2 * float64(panelWidth[F]()) * d * k
	}}
}

// whitenedRoutine computes the lengths of a panel of points by 20 maps; two operations are
// counted per element of a triangle.
func whitenedRoutine(x, y []float64) routine {
	const d, k = 20, 20
	w := NewWhitenings(k, d)
	for j := range k {
		for b := range d {
			w.Set(j, b, x[b:b+d], 1)
		}
	}
	return routine{"whitenedNorms/k=20/d=20", func(l Level) float64 {
		w.normsAt(l, y, x, PanelWidth)
		return PanelWidth * k * d * (d + 1)
	}}
}
