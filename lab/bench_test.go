package lab_test

import (
	"encoding/json"
	"math"
	"testing"

	"example.org/mercer/compute"
	"example.org/mercer/lab"
)

// Frames while something moves: 500 points, a grid of 48 × 48.
func BenchmarkFrames(b *testing.B) {
	points, labels := cloud(500)
	x, y := make([]float64, 500), make([]float64, 500)
	for i := range x {
		x[i], y[i] = float64(i)/80, math.Sin(float64(i)/40)
	}
	box := object{"x0": -2, "x1": 2, "y0": -2, "y1": 2, "side": 48}
	for name, request := range map[string]struct {
		screen string
		of     object
	}{
		"krr":        {"curve", object{"method": "krr", "x": x, "y": y, "kernel": "rbf(sigma=1)", "lambda": 1e-3, "from": 0, "to": 7, "grid": 120}},
		"gp":         {"curve", object{"method": "gp", "x": x, "y": y, "kernel": "rbf(sigma=1)", "noise": 1e-2, "from": 0, "to": 7, "grid": 120}},
		"svc":        {"boundary", object{"method": "svc", "points": points, "labels": labels, "kernel": "rbf(sigma=0.5)", "c": 10, "box": box}},
		"klr":        {"boundary", object{"method": "klr", "points": points, "labels": labels, "kernel": "rbf(sigma=0.5)", "lambda": 1e-3, "box": box}},
		"components": {"components", object{"points": points, "kernel": "rbf(sigma=0.5)", "components": 4, "box": box}},
	} {
		text, err := json.Marshal(request.of)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := lab.Call(b.Context(), request.screen, text, compute.Options{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
