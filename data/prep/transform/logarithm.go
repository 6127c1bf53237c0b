package transform

import "math"

// logarithm is ln y: errors of y count by their share of it.
type logarithm struct{}

func (logarithm) fit(_, _ []float64) []float64           { return nil }
func (logarithm) few() bool                              { return true }
func (logarithm) defined(y float64) bool                 { return y > 0 }
func (logarithm) forward(_ []float64, y float64) float64 { return math.Log(y) }
func (logarithm) inverse(_ []float64, z float64) float64 { return math.Exp(z) }
func (logarithm) without(p, _ []float64) []float64       { return p }
func (logarithm) check(p []float64) error                { return none(p) }
func (logarithm) needs() string                          { return "above 0" }
