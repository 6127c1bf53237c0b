package onnx

import (
	"errors"
	"strings"
	"testing"
)

// TestCheck: a graph that no file can hold is refused before it is written. Its constants share the
// numbers here, so that the test does not take their memory.
func TestCheck(t *testing.T) {
	g := New(Single)
	numbers := make([]float64, 1<<20)
	for range 511 {
		g.constant(Tensor{Type: float32s, Float: numbers})
	}
	if err := g.Check(); err != nil {
		t.Errorf("%d numbers of 4 bytes: %v", 511<<20, err)
	}
	g.constant(Tensor{Type: doubles, Float: numbers})
	var u *Unsupported
	if err := g.Check(); !errors.As(err, &u) || !strings.Contains(err.Error(), "at most 2 GiB") {
		t.Errorf("2 GiB pass: %v", err)
	}
}
