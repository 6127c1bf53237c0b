package kernel_test

import (
	"math"
	"math/big"
	"strings"
	"testing"

	"example.org/mercer/kernel"
)

func TestIsExactNamesThePart(t *testing.T) {
	rounded := kernel.Function[float64]{Text: "√x", At: math.Sqrt}
	for _, c := range []struct {
		k    kernel.Kernel[float64]
		says string // empty: exact
	}{
		{dot{}, ""},
		{kernel.Sum[float64]{Terms: kernels(gauss{1}, kernel.Constant[float64]{Value: 1})}, ""},
		{kernel.Sum[float64]{Terms: kernels(dot{}, kernel.Exp[float64]{Of: saddle{1}})}, "saddle can be evaluated in 64-bit numbers only"},
		{kernel.Scaled[float64]{Factor: 2, Of: saddle{1}}, "saddle"},
		{kernel.Normalized[float64]{Of: saddle{1}}, "saddle"},
		{kernel.Conformal[float64]{Of: dot{}, By: rounded}, "the function √x"},
		{kernel.Conformal[float64]{Of: saddle{1}, By: square}, "saddle"},
		{kernel.Composed[float64, float64]{Of: dot{}, By: math.Sqrt, Text: "√x"}, "the map √x rounds"},
		{kernel.Composed[float64, float64]{Of: saddle{1}, By: twice, Lossless: true}, "saddle"},
	} {
		if got := kernel.IsExact(c.k); got != (c.says == "") {
			t.Errorf("%s is exact: %v", c.k, got)
		}
		if c.says == "" {
			continue
		}
		_, err := c.k.(kernel.Exact[float64]).EvalBig(1, 2, 100)
		if err == nil || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), "not exact") {
			t.Errorf("EvalBig of %s: %v, want %q", c.k, err, c.says)
		}
	}
}

// x·y + 2⁻⁹⁰⁰ − x·y has no correct digit in 64 bits, nor in 200, nor in 800.
func TestEvalBigSurvivesCancellation(t *testing.T) {
	tiny := math.Ldexp(1, -900)
	k := kernel.Sum[float64]{Terms: kernels(
		dot{}, kernel.Constant[float64]{Value: tiny}, kernel.Scaled[float64]{Factor: -1, Of: dot{}},
	)}
	if got := k.Eval(1, 3); got != 0 {
		t.Fatalf("in 64 bits it is %v: nothing cancels", got)
	}
	got, err := k.EvalBig(1, 3, 53)
	if err != nil {
		t.Fatal(err)
	}
	if v, _ := got.Float64(); v != tiny {
		t.Errorf("it is %v, want 2⁻⁹⁰⁰", got)
	}
	series := kernel.Series[float64]{Of: dot{}, Coefficients: []float64{1, -2, 1}} // (1 − xy)²
	near := 1 + 0x1p-50
	got, err = series.EvalBig(near, 1, 53)
	if err != nil {
		t.Fatal(err)
	}
	if v, _ := got.Float64(); v != 0x1p-100 {
		t.Errorf("(1 − xy)² is %v, want 2⁻¹⁰⁰", got)
	}
	exp := kernel.Exp[float64]{Of: kernel.Sum[float64]{Terms: kernels(dot{}, kernel.Scaled[float64]{Factor: -1, Of: dot{}})}}
	got, err = exp.EvalBig(0.1, 0.3, 53)
	if err != nil || got.Cmp(big.NewFloat(1)) != 0 {
		t.Errorf("exp(0) is %v, %v", got, err)
	}
}

func TestEvalBigReportsErrors(t *testing.T) {
	for _, c := range []struct {
		k    kernel.Kernel[float64]
		says string
	}{
		{kernel.Constant[float64]{Value: math.Inf(1)}, "+Inf is not a finite number"},
		{kernel.Scaled[float64]{Factor: math.NaN(), Of: dot{}}, "NaN is not a finite number"},
		{kernel.Series[float64]{Of: dot{}, Coefficients: []float64{math.NaN()}}, "NaN is not a finite number"},
		{kernel.Power[float64]{Of: dot{}, Degree: -1}, "the degree is negative"},
		{kernel.Normalized[float64]{Of: kernel.Constant[float64]{Value: -1}}, "no norm"},
	} {
		if _, err := c.k.(kernel.Exact[float64]).EvalBig(1, 2, 100); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("EvalBig of %s: %v, want %q", c.k, err, c.says)
		}
	}
}
