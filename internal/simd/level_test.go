package simd

import "testing"

func TestAllowed(t *testing.T) {
	for _, c := range []struct {
		has     Level
		setting string
		want    Level
	}{
		{AVX512, "", AVX512}, {AVX512, "avx2", AVX2}, {AVX512, "off", Portable}, {AVX512, "avx512", AVX512},
		{AVX2, "avx512", AVX2}, {Portable, "avx2", Portable}, {AVX512, "sse", AVX512},
	} {
		if got := allowed(c.has, c.setting); got != c.want {
			t.Errorf("machine %v, MERCER_SIMD=%q: %v, want %v", c.has, c.setting, got, c.want)
		}
	}
}
