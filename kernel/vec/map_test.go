package vec_test

import (
	"math"
	"testing"

	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel/vec"
)

// inner returns ⟨φ(x), φ(y)⟩.
func inner(m interface{ Map(phi, x []float64) }, dim int, x, y []float64) float64 {
	a, b := make([]float64, dim), make([]float64, dim)
	m.Map(a, x)
	m.Map(b, y)
	sum := 0.0
	for i, v := range a {
		sum += v * b[i]
	}
	return sum
}

// For d = 2, n = 2, c = 3, s = 1 the map is (c, √(2c)x₁, √(2c)x₂, x₁², √2x₁x₂, x₂²) in
// some order: six features whose squares at (1, 1) add up to (2+3)² = 25.
func TestPolyMapByHand(t *testing.T) {
	k := vec.Poly{Degree: 2, Offset: 3}
	dim, ok := k.Features([]float64{0, 0})
	if !ok || dim != 6 {
		t.Fatalf("%d features, %v", dim, ok)
	}
	phi := make([]float64, dim)
	k.Map(phi, []float64{1, 1})
	r2, r6 := math.Sqrt(2), math.Sqrt(6)
	testkit.CloseSlice(t, "φ", phi, []float64{3, r6, 1, r6, r2, 1}, 1e-15)
	if dim, ok := (vec.Poly{Degree: 3}).Features(make([]float64, 4)); !ok || dim != 20 { // C(6, 3)
		t.Errorf("homogeneous: %d features, %v", dim, ok)
	}
	if _, ok := (vec.Poly{Degree: 2, Offset: -1}).Features(make([]float64, 4)); ok {
		t.Error("a negative offset has no real map")
	}
	if _, ok := (vec.Poly{Degree: 30, Offset: 1}).Features(make([]float64, 100)); ok {
		t.Error("an enormous map was offered")
	}
}
