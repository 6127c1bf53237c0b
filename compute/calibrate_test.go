package compute

import (
	"context"
	"errors"
	"testing"
)

func TestCalibrateMeasuresOnce(t *testing.T) {
	if testing.Short() {
		t.Skip("calibration takes 0.3 s")
	}
	o := Options{Workers: 2}
	first, err := Calibrate(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	for name, rate := range map[string]float64{"gemm": first.GemmRate, "copy": first.CopyRate, "read": first.ReadRate, "cholesky": first.Cholesky.At(5000), "eigen": first.Eigen.At(5000)} {
		if !(rate > 1e6 && rate < 1e16) { // from a pocket calculator to a data centre
			t.Errorf("%s rate is %v per second", name, rate)
		}
	}
	second, err := Calibrate(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	second.Resident = first.Resident // read afresh
	if first != second {
		t.Errorf("calibrated twice: %+v and %+v", first, second)
	}
}

func TestCalibrateStopsWithContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Calibrate(ctx, Options{Workers: 5}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled calibration: %v", err)
	}
}
