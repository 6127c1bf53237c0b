package compute

import (
	"math"
	"testing"
)

func TestParseBytes(t *testing.T) {
	for text, want := range map[string]int64{
		"0": 0, "4096": 4096, "12B": 12, "1KB": 1000, "1KiB": 1024, "2GiB": 2 << 30, "1.5 GB": 1_500_000_000,
		" 300mb ": 300_000_000, "0.5tib": 1 << 39, "1e3": 1000, "2TB": 2_000_000_000_000, "3MiB": 3 << 20,
	} {
		if got, err := ParseBytes(text); err != nil || got != want {
			t.Errorf("ParseBytes(%q) = %d, %v, want %d", text, got, err, want)
		}
	}
	for _, text := range []string{"", "GiB", "-1", "-2GiB", "2G", "two", "1e30", "NaN", "2 GiB GiB", "inf"} {
		if got, err := ParseBytes(text); err == nil {
			t.Errorf("ParseBytes(%q) = %d, want an error", text, got)
		}
	}
}

func TestFormatBytes(t *testing.T) {
	for n, want := range map[int64]string{
		0: "0 B", 1023: "1023 B", 1024: "1.00 KiB", 1 << 20: "1.00 MiB", 3407872000: "3.17 GiB", -2048: "-2.00 KiB", 1 << 42: "4.00 TiB",
	} {
		if got := FormatBytes(n); got != want {
			t.Errorf("FormatBytes(%d) = %q, want %q", n, got, want)
		}
	}
}

func TestFormatSeconds(t *testing.T) {
	for s, want := range map[float64]string{
		0: "0 µs", 85e-6: "85 µs", 0.00125: "1 ms", 0.9999: "1.0 s", 12.34: "12.3 s", 59.99: "1 min 0 s", 250: "4 min 10 s",
		12000: "3 h 20 min", 200000: "2.3 days", math.Inf(1): "unknown",
	} {
		if got := FormatSeconds(s); got != want {
			t.Errorf("FormatSeconds(%v) = %q, want %q", s, got, want)
		}
	}
}
