package tile

import (
	"math"
	"slices"
	"testing"

	"example.org/mercer/data"
	"example.org/mercer/internal/testkit"
)

// What is found among coordinates is what they were made of.
func TestMixtureOfCodedColumns(t *testing.T) {
	xs := coded(t, 300)
	m := gather(&Statistic{Kind: SquaredDistance}, xs).findMixture()
	if m == nil {
		t.Fatal("one-hot codes are not found")
	}
	if want := []int{0, 1, 2, 3, 4, 5}; !slices.Equal(m.numbers, want) || len(m.codes) != 1 || len(m.codes[0].columns) != xs.Dim()-normals {
		t.Errorf("numbers %v and categories %v, want the first %d coordinates and all others", m.numbers, m.codes, normals)
	}
	for i := range 20 {
		x, y := xs.At(i), xs.At(i+20)
		xName, xLength, _ := m.codes[0].of(x)
		yName, yLength, _ := m.codes[0].of(y)
		got := 0.0
		if xName != yName {
			got = xLength + yLength
		}
		testkit.Close(t, "squared distance of codes", got, new(Statistic).squaredDistance(x[normals:], y[normals:]), 1e-13*got)
	}
}

// Points whose differences would take longer, or of which none is known, are left as they are.
func TestNoMixture(t *testing.T) {
	rng := testkit.Rand(t, 6)
	for what, fill := range map[string]func(x []float64){
		"17 numbers": func(x []float64) {
			for j := range 17 {
				x[j] = rng.NormFloat64()
			}
			x[17+rng.IntN(23)] = 1
		},
		"flags that have nothing to do with one another": func(x []float64) {
			for j := range x {
				x[j] = float64(rng.IntN(2))
			}
			x[0] = 0.5
		},
		"infinite codes": func(x []float64) {
			for j := range x {
				x[j] = 3
			}
			x[rng.IntN(40)] = math.Inf(1)
		},
	} {
		xs := data.MakeVectors(100, 40)
		for i := range 100 {
			fill(xs.At(i))
		}
		if m := gather(&Statistic{Kind: SquaredDistance}, xs).findMixture(); m != nil {
			t.Errorf("%s: cut into numbers %v and categories %v", what, m.numbers, m.codes)
		}
	}
	if m := new(points).findMixture(); m != nil {
		t.Errorf("no points are cut: %v", m)
	}
}
