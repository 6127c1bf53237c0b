package data_test

import (
	"math"
	"testing"

	"example.org/mercer/data"
)

// Half-precision numbers have the values of IEEE 754: the largest, the smallest, one third as it is
// rounded, zeros, and those that are none.
func TestFloat16(t *testing.T) {
	for bits, want := range map[uint16]float64{0x3c00: 1, 0xc000: -2, 0x7bff: 65504, 0x0001: 0x1p-24, 0x0400: 0x1p-14, 0x3555: 0.333251953125, 0x8000: 0, 0x7c00: math.Inf(1), 0xfc00: math.Inf(-1)} {
		if got := data.Float16(bits); got != want {
			t.Errorf("%#x is %g, want %g", bits, got, want)
		}
	}
	if !math.IsNaN(data.Float16(0x7e01)) {
		t.Error("0x7e01 is a number")
	}
}
