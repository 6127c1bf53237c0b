package compiled

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"example.org/mercer/data"
)

// Numbers come back with their bits, and take the bytes that their coding says.
func TestNumbers(t *testing.T) {
	for _, c := range []struct {
		name  string
		xs    []float64
		bytes int
	}{
		{"none", nil, 1},
		{"constant", []float64{math.Pi, math.Pi, math.Pi}, 9},
		{"minus zero alone", []float64{math.Copysign(0, -1), math.Copysign(0, -1)}, 9},
		{"both zeros", []float64{math.Copysign(0, -1), 0}, 1 + 2*4},
		{"all missing", []float64{math.NaN(), math.NaN()}, 9},
		{"bytes", []float64{0, 255, 7}, 1 + 3},
		{"two bytes", []float64{-1, 255, 32767}, 1 + 2*3},
		{"four bytes", []float64{-1 << 31, 1<<31 - 1}, 1 + 4*2},
		{"small floats", []float64{0.5, math.NaN(), -1e30 * 0}, 1 + 4*3},
		{"floats", []float64{0.1, 1 << 31, math.Inf(1)}, 1 + 8*3},
		{"sparse", append(make([]float64, 100), 0.1, 3), 1 + 4 + 2*4 + 1 + 2*8},
	} {
		b := appendNumbers([]byte("before"), c.xs)[6:]
		if len(b) != c.bytes {
			t.Errorf("%s: %d bytes, want %d", c.name, len(b), c.bytes)
		}
		sameBits(t, c.name, b, c.xs)
	}
	rapid.Check(t, func(t *rapid.T) {
		xs := rapid.SliceOf(rapid.OneOf(rapid.Float64(), rapid.Just(0.0), rapid.Float64Range(0, 3), rapid.Map(rapid.Float32(), func(x float32) float64 { return float64(x) }),
			rapid.Map(rapid.Int16(), func(x int16) float64 { return float64(x) }))).Draw(t, "xs")
		sameBits(t, "drawn", appendNumbers(nil, xs), xs)
	})
}

type failer interface{ Errorf(string, ...any) }

func sameBits(t failer, name string, b []byte, xs []float64) {
	got := slices.Repeat([]float64{-7}, len(xs))
	if len(xs) == 0 {
		return
	}
	if err := decodeNumbers(got, b); err != nil {
		t.Errorf("%s: %v", name, err)
	}
	for i, x := range xs {
		if math.Float64bits(got[i]) != math.Float64bits(x) && (x == x || got[i] == got[i]) {
			t.Errorf("%s: number %d is %v, want %v", name, i, got[i], x)
		}
	}
}

// Strings come back; a marked word is a word where words are.
func TestStrings(t *testing.T) {
	in := &data.Column{Kind: data.Text, Strings: []string{"a", "", "NA", "a", ""}, Missing: []bool{false, true, true, false, false}}
	b := appendStrings(nil, in)
	for words, want := range map[bool]struct {
		cells   []string
		missing []bool
	}{
		true:  {[]string{"a", "", "NA", "a", ""}, []bool{false, true, false, false, false}},
		false: {[]string{"a", "", "", "a", ""}, []bool{false, true, true, false, false}},
	} {
		var out data.Column
		if err := decodeStrings(&out, 5, b, words); err != nil || !slices.Equal(out.Strings, want.cells) || !slices.Equal(out.Missing, want.missing) {
			t.Errorf("words %v: %q, %v, %v", words, out.Strings, out.Missing, err)
		}
	}
}

// Whatever the bytes, decoding ends with an error or with the rows that were asked for.
func FuzzChunks(f *testing.F) {
	f.Add(appendNumbers(nil, []float64{1, 2, 300}), 3)
	f.Add(appendNumbers(nil, append(make([]float64, 60), 3, 4)), 62)
	f.Add(appendStrings(nil, &data.Column{Kind: data.Text, Strings: []string{"a", "b", "a"}}), 3)
	f.Fuzz(func(t *testing.T, b []byte, rows int) {
		if rows < 0 || rows > 1000 {
			return
		}
		_ = decodeNumbers(make([]float64, rows), b)
		var c data.Column
		if err := decodeStrings(&c, rows, b, true); err == nil && len(c.Strings) != rows {
			t.Errorf("%d strings, want %d", len(c.Strings), rows)
		}
	})
}
