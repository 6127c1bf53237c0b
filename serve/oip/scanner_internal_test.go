package oip

import (
	"math"
	"math/rand/v2"
	"strconv"
	"testing"
)

// TestShortDecimal: what is read by the short way has the bits of strconv, and all that is not
// plainly a number of JSON is left to it.
func TestShortDecimal(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	read := 0
	check := func(text string) {
		got, ok := shortDecimal(text)
		if !ok {
			return
		}
		read++
		want, err := strconv.ParseFloat(text, 64)
		if err != nil || math.Float64bits(got) != math.Float64bits(want) {
			t.Errorf("%q is %v, want %v (%v)", text, got, want, err)
		}
	}
	for range 200_000 {
		check(strconv.FormatFloat((r.Float64()-0.5)*math.Pow(10, float64(r.IntN(16))), 'f', r.IntN(16), 64))
	}
	for _, text := range []string{"0", "-0", "-0.0", "999999999999999", "0.99999999999999", "123456789012345", "12345678901234.5", "007", "1.5"} {
		check(text)
	}
	if read < 100_000 {
		t.Errorf("%d numbers were read", read)
	}
	for _, text := range []string{"", "-", ".5", "5.", "+1", "1e5", "1_0", "Inf", "NaN", "0x1", "1.2.3", "1234567890123456", "--1", "1-"} {
		if v, ok := shortDecimal(text); ok {
			t.Errorf("%q is %v", text, v)
		}
	}
}
