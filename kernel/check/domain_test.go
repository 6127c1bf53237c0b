package check

import (
	"math"
	"strings"
	"testing"
)

func TestParseDomain(t *testing.T) {
	for _, c := range []struct {
		text    string
		inside  []float64
		outside []float64
	}{
		{"reals", []float64{0, -1e300, 0.1}, []float64{math.NaN(), math.Inf(1)}},
		{" Positive ", []float64{0, 0.1, 1e300}, []float64{-0.1, -5}},
		{"unit", []float64{0, 0.5, 1 - 0x1p-53}, []float64{1, -0.1}},
		{"naturals", []float64{1, 2, 1e15}, []float64{0, -1, 0.5}},
		{"integers", []float64{0, -7, 1e15}, []float64{0.5}},
		{"(-1,1)", []float64{0, -0.999}, []float64{-1, 1, 2}},
		{"[ -1 , 1 )", []float64{-1, 0}, []float64{1}},
		{"(0, inf)", []float64{1e-300, 1e300}, []float64{0, math.Inf(1)}},
		{"(-Inf,2.5]", []float64{-1e300, 2.5}, []float64{2.6}},
	} {
		d, err := ParseDomain(c.text)
		if err != nil {
			t.Errorf("%q: %v", c.text, err)
			continue
		}
		for _, v := range c.inside {
			if !d.contains(v) {
				t.Errorf("%q does not contain %v", c.text, v)
			}
		}
		for _, v := range c.outside {
			if d.contains(v) {
				t.Errorf("%q contains %v", c.text, v)
			}
		}
		if again, err := ParseDomain(d.String()); err != nil || again.String() != d.String() {
			t.Errorf("%q: %q does not parse back: %v", c.text, d, err)
		}
	}
	if (Domain{}).String() != "reals" {
		t.Errorf("the zero domain is %s, want reals", Domain{})
	}
}

func TestParseDomainErrors(t *testing.T) {
	for text, why := range map[string]string{
		"":         "unknown domain",
		"complex":  "known are reals, positive",
		"(1,0)":    "no inner point",
		"(1,1)":    "no inner point",
		"[nan,1]":  "no inner point",
		"(1;2)":    "unknown domain",
		"(a,b)":    "unknown domain",
		"1,2":      "unknown domain",
		"(0,1,2)":  "unknown domain",
		"(-1,1)]]": "unknown domain",
	} {
		if d, err := ParseDomain(text); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%q: %v, %v; want …%s…", text, d, err, why)
		}
	}
}
