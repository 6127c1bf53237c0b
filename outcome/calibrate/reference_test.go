package calibrate_test

import (
	"encoding/json"
	"math"
	"os"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/internal/testkit"
	"example.org/mercer/outcome/calibrate"
)

type reference struct {
	Origin string `json:"origin"`
	Binary []struct {
		F        []float64 `json:"f"`
		Y        []int     `json:"y"`
		W        []float64 `json:"w"`
		A        float64   `json:"a"`
		B        float64   `json:"b"`
		SklearnA float64   `json:"sklearn_a"`
		SklearnB float64   `json:"sklearn_b"`
		X        []float64 `json:"x"`
		P        []float64 `json:"p"`
		Grid     []float64 `json:"grid"`
		At       []float64 `json:"at"`
	} `json:"binary"`
	Coupling []struct {
		R []float64 `json:"r"`
		P []float64 `json:"p"`
	} `json:"coupling"`
}

func readReference(t *testing.T) reference {
	t.Helper()
	text, err := os.ReadFile("testdata/reference.json")
	if err != nil {
		t.Fatal(err)
	}
	var r reference
	if err := json.Unmarshal(text, &r); err != nil {
		t.Fatal(err)
	}
	return r
}

// TestSigmoidReference compares with the minimum at 40 digits, and with scikit-learn
// within what its quasi-Newton search reaches.
func TestSigmoidReference(t *testing.T) {
	for _, c := range readReference(t).Binary {
		y := make([]bool, len(c.Y))
		for i, v := range c.Y {
			y[i] = v == 1
		}
		s, err := calibrate.FitSigmoid(c.F, y, c.W)
		if err != nil {
			t.Fatal(err)
		}
		testkit.Close(t, "A", s.A, c.A, 1e-11)
		testkit.Close(t, "B", s.B, c.B, 1e-11)
		testkit.Close(t, "A of scikit-learn", s.A, c.SklearnA, 1e-6)
		testkit.Close(t, "B of scikit-learn", s.B, c.SklearnB, 1e-6)
	}
}

func TestIsotonicReference(t *testing.T) {
	for _, c := range readReference(t).Binary {
		target := make([]float64, len(c.Y))
		for i, v := range c.Y {
			target[i] = float64(v)
		}
		s, err := calibrate.FitIsotonic(c.F, target, c.W)
		if err != nil {
			t.Fatal(err)
		}
		testkit.CloseSlice(t, "thresholds", s.X, c.X, 0)
		testkit.CloseSlice(t, "values", s.P, c.P, 1e-14)
		for i, x := range c.Grid {
			testkit.Close(t, "interpolated", s.At(x), c.At[i], 1e-13)
		}
	}
}

func TestCoupleReference(t *testing.T) {
	for _, c := range readReference(t).Coupling {
		k := len(c.P)
		if k*k != len(c.R) {
			t.Fatal("the reference is not square")
		}
		testkit.CloseSlice(t, "coupled", calibrate.Couple(mat.NewDense(k, k, c.R)), c.P, 1e-11)
	}
}

// TestCoupleConsistent: pairs that come from probabilities give them back.
func TestCoupleConsistent(t *testing.T) {
	want := []float64{0.5, 0.25, 0.15, 0.0999, 1e-4}
	r := mat.NewDense(5, 5, nil)
	for i, p := range want {
		for j, q := range want {
			r.Set(i, j, p/(p+q))
		}
	}
	got := calibrate.Couple(r)
	for i, p := range want {
		if math.Abs(got[i]-p) > 1e-10 {
			t.Errorf("class %d: %v, want %v", i, got[i], p)
		}
	}
}
