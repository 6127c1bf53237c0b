package simd

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"example.org/mercer/internal/testkit"
)

// pairedNorms returns those of count panels.
func pairedNorms(panels []float32, d, count int) PairedNorms {
	const width = PanelWidth32
	norms := MakePairedNorms(count)
	for i := range count * width {
		norms.Set(i, panels[i/width*d*width+i%width:], d)
	}
	return norms
}

// Every number of rows that has a loop of its own, beside the half squares of one row and math.Exp2
// of them; the half squares beside the sum in float64, within the bound of the equations of paired
// points.
func TestPairedGaussiansSweep(t *testing.T) {
	const width = PanelWidth32
	rng := testkit.Rand(t, 96)
	for _, d := range []int{16, 17, 18, 19, 20, 22, 40} {
		if !HasPairs(d) {
			t.Skip("no loops for paired points at this level")
		}
		for rows := 1; rows <= 9; rows++ {
			count, spread := 1+(rows+d)%3, math.Exp(3*rng.NormFloat64()-2)
			for _, near := range []int{-1, 0, count*width/2 + d%7, count*width - 1} {
				what := fmt.Sprintf("d=%d, rows=%d, count=%d, spread=%g, near=%d", d, rows, count, spread, near)
				a, b, _, _ := gaussianCase(rng, rows, d, count, near, spread)
				pairedAgree(t, what, a[:d*width], b, rows, d, count)
			}
		}
	}
}

func pairedAgree(t *testing.T, what string, a, b []float32, rows, d, count int) {
	t.Helper()
	const u, width = 0x1p-24, PanelWidth32
	rowNorms, colNorms := pairedNorms(a, d, 1), pairedNorms(b, d, count)
	stride := count*width + rows%2
	got, s, plain, swapped := make([]float32, rows*stride), make([]float32, count*width), make([]float32, count*width), make([]float32, width)
	fine := PairedGaussians32(got, stride, a, b, rowNorms, colNorms, rows, d, count)
	doubtful := false
	for i := range rows {
		row := rowNorms.Of(i)
		PairedHalfSquares32(s, a[i:], b, row, colNorms, d, count)
		pairedHalfSquaresPlain(plain, a[i:], b, row, colNorms, d, count)
		for j, v := range s {
			exact, norms := 0.0, 0.0
			y := b[j/width*d*width+j%width:]
			for k := range d {
				x, y := float64(a[k*width+i]), float64(y[k*width])
				exact += (x - y) * (x - y) / 2
				norms += (x*x + y*y) / 2
			}
			bound := (2*float64(d)+3)*u*norms + u*exact
			for _, v := range []float32{v, plain[j]} {
				if off := math.Abs(float64(v) - exact); !(off <= bound) {
					t.Fatalf("%s: s of row %d and column %d is %v, want %v within %.3g", what, i, j, v, exact, bound)
				}
			}
			doubtful = doubtful || row.Doubtful(colNorms, j, v)
			want := math.Exp2(-float64(v))
			if off := math.Abs(float64(got[i*stride+j]) - want); !(off <= 2*u*want+0x1p-126) {
				t.Fatalf("%s: 2^−%v = %v, want %v", what, v, got[i*stride+j], want)
			}
		}
		PairedHalfSquares32(swapped, b, a, colNorms, rowNorms, d, 1)
		if swapped[i] != s[0] {
			t.Fatalf("%s: exchanging points changes s from %v to %v", what, s[0], swapped[i])
		}
		one := make([]float32, count*width)
		PairedGaussians32(one, 0, a[i:], b, row, colNorms, 1, d, count)
		if !slices.Equal(one, got[i*stride:][:count*width]) {
			t.Fatalf("%s: row %d has other bits alone", what, i)
		}
	}
	if fine == doubtful {
		t.Fatalf("%s: fine is %v, doubtful %v", what, fine, doubtful)
	}
}
