package compute

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// units of byte counts, longest suffix first so that "KiB" is not taken for "B".
var units = []struct {
	suffix string
	bytes  float64
}{
	{"TiB", 1 << 40}, {"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10},
	{"TB", 1e12}, {"GB", 1e9}, {"MB", 1e6}, {"KB", 1e3}, {"B", 1}, {"", 1},
}

// ParseBytes reads a number of bytes such as "2GiB", "1.5 GB", "300MB" or "4096".
// KB, MB, GB and TB are powers of 1000, KiB, MiB, GiB and TiB powers of 1024; case
// does not matter and a fraction of a byte is cut off.
func ParseBytes(text string) (int64, error) {
	s := strings.TrimSpace(text)
	for _, u := range units {
		if len(s) < len(u.suffix) || !strings.EqualFold(s[len(s)-len(u.suffix):], u.suffix) {
			continue
		}
		number := strings.TrimSpace(s[:len(s)-len(u.suffix)])
		v, err := strconv.ParseFloat(number, 64)
		if err != nil {
			break
		}
		if v *= u.bytes; !(v >= 0 && v < math.MaxInt64) {
			return 0, fmt.Errorf("%q is not a possible number of bytes; it must be at least 0 and below 8 EiB", text)
		}
		return int64(v), nil
	}
	return 0, fmt.Errorf("%q is not a number of bytes; write it as 4096, 300MB (300·10⁶) or 2GiB (2·2³⁰)", text)
}

// FormatBytes prints a number of bytes for people: "512 B", "1.50 KiB", "3.17 GiB".
func FormatBytes(n int64) string {
	v, sign := float64(n), ""
	if v < 0 {
		v, sign = -v, "-"
	}
	for _, u := range units[:4] {
		if v >= u.bytes {
			return fmt.Sprintf("%s%.2f %s", sign, v/u.bytes, u.suffix)
		}
	}
	return fmt.Sprintf("%s%.0f B", sign, v)
}

// FormatSeconds prints a duration for people: "85 µs", "1.3 s", "4 min 10 s", "3 h 20 min".
func FormatSeconds(s float64) string {
	switch {
	case math.IsNaN(s) || math.IsInf(s, 0):
		return "unknown"
	case s < 0.9995e-3:
		return fmt.Sprintf("%.0f µs", s*1e6)
	case s < 0.9995:
		return fmt.Sprintf("%.0f ms", s*1e3)
	case s < 59.95:
		return fmt.Sprintf("%.1f s", s)
	}
	whole := int64(math.Round(min(s, 1e15)))
	switch {
	case whole < 3600:
		return fmt.Sprintf("%d min %d s", whole/60, whole%60)
	case whole < 48*3600:
		return fmt.Sprintf("%d h %d min", whole/3600, whole%3600/60)
	}
	return fmt.Sprintf("%.1f days", float64(whole)/86400)
}
