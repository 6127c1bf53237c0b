package prep

import (
	"math"
	"math/big"
	"testing"

	"example.org/mercer/internal/testkit"
)

// exactly computes Σwx/Σw and √(Σw(x−m)²/Σw) in 300 bits.
func exactly(xs, ws []float64) (mean, sd *big.Float) {
	f := func(x float64) *big.Float { return new(big.Float).SetPrec(300).SetFloat64(x) }
	sum, total, squares := f(0), f(0), f(0)
	for i, x := range xs {
		w := f(weightAt(ws, i))
		total.Add(total, w)
		sum.Add(sum, w.Mul(w, f(x)))
	}
	mean = sum.Quo(sum, total)
	for i, x := range xs {
		d := f(x)
		d.Sub(d, mean)
		d.Mul(d, d)
		squares.Add(squares, d.Mul(d, f(weightAt(ws, i))))
	}
	return mean, squares.Sqrt(squares.Quo(squares, total))
}

// passes are the mean of xs and their deviation about it, or about another centre.
func passes(xs, ws []float64, center *float64) (mean, deviation float64) {
	var m moments
	for i, x := range xs {
		m.add(x, weightAt(ws, i))
	}
	mean = m.mean()
	if center != nil {
		m.Center = *center
	}
	for i, x := range xs {
		m.addDifference(x, weightAt(ws, i))
	}
	for i, x := range xs {
		if !m.constant() {
			m.addSquare(x, weightAt(ws, i))
		}
	}
	return mean, m.deviation()
}

func TestMomentsAgainstExactArithmetic(t *testing.T) {
	r := testkit.Rand(t, 21)
	for _, c := range []struct{ offset, spread float64 }{{0, 1}, {1e9, 1}, {-1e12, 1e-3}, {0, 1e-200}, {0, 1e200}, {3, 1e-7}, {5e-324, 0}} {
		for _, weighted := range []bool{false, true} {
			xs, ws := make([]float64, 1001), []float64(nil)
			for i := range xs {
				xs[i] = c.offset + c.spread*r.NormFloat64()
				if weighted {
					ws = append(ws, float64(i%3))
				}
			}
			mean, sd := exactly(xs, ws)
			m, got := passes(xs, ws, nil)
			want, _ := mean.Float64()
			// One rounding of the mean, and one of each difference to its origin.
			if d := math.Abs(m - want); d > 2*0x1p-52*(math.Abs(want)+c.spread) {
				t.Errorf("%+v: mean %.17g, want %.17g", c, m, want)
			}
			// The rounding of the mean moves the deviation by its square only, that of
			// each difference x − m is relative to the difference.
			if want, _ := sd.Float64(); math.Abs(got-want) > 4*0x1p-52*want+math.Abs(m)*0x1p-52 {
				t.Errorf("%+v: deviation %.17g, want %.17g", c, got, want)
			}
		}
	}
}

func TestMomentsOfEqualValuesAreExact(t *testing.T) {
	for _, x := range []float64{0.1, -1e300, 5e-324, 0} {
		xs := []float64{x, x, x, x, x, x, x}
		m, s := passes(xs, nil, nil)
		if m != x {
			t.Errorf("mean of equal %g is %g", x, m)
		}
		if s != 0 {
			t.Errorf("deviation of equal %g is %g", x, s)
		}
	}
}

func TestDeviationIgnoresRowsOfNoWeight(t *testing.T) {
	center := 2.0
	_, got := passes([]float64{1, 3, 1e300}, []float64{1, 1, 0}, &center)
	testkit.Close(t, "deviation", got, 1, 0)
}

// Moments of runs are those of all numbers, to a few roundings, and of one run they are its own.
func TestPooledMomentsAgainstExactArithmetic(t *testing.T) {
	r := testkit.Rand(t, 22)
	for _, c := range []struct{ offset, spread float64 }{{0, 1}, {1e9, 1}, {-1e12, 1e-3}, {0, 1e-200}, {0, 1e200}, {3, 1e-7}, {5e-324, 0}} {
		for _, cuts := range [][]int{{0, 1001}, {0, 1, 2, 1001}, {0, 400, 700, 1001}} {
			xs, ws := make([]float64, 1001), make([]float64, 1001)
			for i := range xs {
				xs[i], ws[i] = c.offset+c.spread*(r.NormFloat64()+float64(i)/500), float64(i%3)
			}
			var p pooled
			for k := range len(cuts) - 1 {
				var m moments
				each := func(do func(x, w float64)) {
					for i := cuts[k]; i < cuts[k+1]; i++ {
						do(xs[i], ws[i])
					}
				}
				if each(m.add); m.Total.Value() > 0 { // the first row has no weight
					m.mean()
					each(m.addDifference)
				}
				if !m.constant() {
					each(m.addSquare)
				}
				p = append(p, m)
			}
			mean, sd := exactly(xs, ws)
			want, _ := mean.Float64()
			if d := math.Abs(p.mean() - want); d > 3*0x1p-52*(math.Abs(want)+c.spread) {
				t.Errorf("%+v, %v: mean %.17g, want %.17g", c, cuts, p.mean(), want)
			}
			if want, _ := sd.Float64(); math.Abs(p.deviation()-want) > 6*0x1p-52*want+math.Abs(p.mean())*0x1p-52 {
				t.Errorf("%+v, %v: deviation %.17g, want %.17g", c, cuts, p.deviation(), want)
			}
			if m, s := passes(xs, ws, nil); len(p) == 1 && (p.mean() != m || p.deviation() != s) {
				t.Errorf("%+v: of one run %v, %v, want %v, %v", c, p.mean(), p.deviation(), m, s)
			}
		}
	}
}
