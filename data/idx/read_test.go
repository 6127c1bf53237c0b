package idx_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"example.org/mercer/data"
	"example.org/mercer/data/idx"
)

// file returns an idx file of elements of one type.
func file(t testing.TB, kind byte, dims []uint32, elements any) string {
	t.Helper()
	var b bytes.Buffer
	b.Write([]byte{0, 0, kind, byte(len(dims))})
	if err := errors.Join(binary.Write(&b, binary.BigEndian, dims), binary.Write(&b, binary.BigEndian, elements)); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func read(t testing.TB, text string) (*data.Table, error) {
	t.Helper()
	return idx.Read(t.Context(), "t", strings.NewReader(text), nil)
}

// The four bytes 255 254 … are what each type makes of them, the most significant first.
func TestElements(t *testing.T) {
	for _, tc := range []struct {
		name     string
		kind     byte
		elements any
		want     []float64
	}{
		{"uint8", 8, []uint8{0, 7, 128, 255}, []float64{0, 7, 128, 255}},
		{"int8", 9, []int8{0, 7, -128, -1}, []float64{0, 7, -128, -1}},
		{"int16", 11, []int16{0, 258, math.MinInt16, -1}, []float64{0, 258, -32768, -1}},
		{"int32", 12, []int32{0, 65538, math.MinInt32, -1}, []float64{0, 65538, -2147483648, -1}},
		{"float32", 13, []float32{0, 1.5, -0.25, 1e30}, []float64{0, 1.5, -0.25, float64(float32(1e30))}},
		{"float64", 14, []float64{0, 1.1, -0.25, 1e300}, []float64{0, 1.1, -0.25, 1e300}},
	} {
		got, err := read(t, file(t, tc.kind, []uint32{4}, tc.elements))
		if err != nil {
			t.Errorf("%s: %v", tc.name, err)
			continue
		}
		if c := got.Columns[0]; c.Name != "label" || c.Kind != data.Numeric || !slices.Equal(c.Numbers, tc.want) {
			t.Errorf("%s: %+v, want %v", tc.name, c, tc.want)
		}
	}
}

// Two images of 2 × 3 pixels are two rows of six columns, in the order of the file.
func TestImages(t *testing.T) {
	got, err := read(t, file(t, 8, []uint32{2, 2, 3}, []uint8{1, 2, 3, 4, 5, 6, 11, 12, 13, 14, 15, 16}))
	if err != nil {
		t.Fatal(err)
	}
	if got.Rows() != 2 || len(got.Columns) != 6 || got.Headed || got.Target != "" || got.Source != "t" {
		t.Fatalf("%+v", got)
	}
	for j, c := range got.Columns {
		if want := []float64{float64(j + 1), float64(j + 11)}; c.Name != "p"+string(rune('1'+j)) || !slices.Equal(c.Numbers, want) {
			t.Errorf("column %d is %s %v, want %v", j, c.Name, c.Numbers, want)
		}
	}
}

func TestMissing(t *testing.T) {
	got, err := read(t, file(t, 14, []uint32{2, 1}, []float64{math.NaN(), 3}))
	if err != nil || !got.Columns[0].IsMissing(0) || got.Columns[0].IsMissing(1) {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestErrors(t *testing.T) {
	good := file(t, 8, []uint32{2, 2}, []uint8{1, 2, 3, 4})
	for _, tc := range []struct{ name, text, want string }{
		{"empty", "", "t: ends at byte 0, within its header; write or copy it again"},
		{"another format", "PK\x03\x04", "t: begins with the bytes 0x504b0304 and not with two zeros: it is no idx file; write or copy it again"},
		{"unknown type", "\x00\x00\x0a\x01\x00\x00\x00\x01x", "t: has elements of the type 0x0a at byte 2, which is none of the format; write or copy it again"},
		{"no dimensions", "\x00\x00\x08\x00", "t: has no dimensions, by byte 3; write or copy it again"},
		{"nothing in it", "\x00\x00\x08\x02\x00\x00\x00\x01\x00\x00\x00\x00", "t: has a dimension of 0 at byte 8: it holds nothing; write or copy it again"},
		{"cut", good[:14], "t: ends at byte 14, and 2 × 2 numbers take it to byte 16: it was cut; write or copy it again"},
		{"longer", good + "x", "t: goes on at byte 16 after the 2 × 2 numbers that its header declares; write or copy it again"},
		{"wide", "\x00\x00\x08\x03\x00\x00\x00\x01\xff\xff\xff\xff\xff\xff\xff\xff", "t: declares 1 × 4294967295 × 4294967295 numbers, more numbers in a row than the 1048576 of a table; write or copy it again"},
		{"false size", "\x00\x00\x0e\x02\xff\xff\xff\xff\x00\x10\x00\x00abc", "t: ends at byte 15, and 4294967295 × 1048576 numbers take it to byte 36028797010575372: it was cut; write or copy it again"},
		{"infinite", file(t, 13, []uint32{2, 1}, []float32{1, float32(math.Inf(1))}), "t: row 2, column 1 (p1): holds infinity at byte 16; correct it, or store NaN for a missing value"},
	} {
		if _, err := read(t, tc.text); err == nil || err.Error() != tc.want {
			t.Errorf("%s:\n got %v\nwant %s", tc.name, err, tc.want)
		}
	}
}

// A file cut anywhere is an error that says at which byte.
func TestCutAtEveryByte(t *testing.T) {
	good := file(t, 11, []uint32{2, 2}, []int16{1, 2, 3, 4})
	for n := range len(good) {
		var e *data.Error
		if _, err := read(t, good[:n]); !errors.As(err, &e) || !strings.Contains(e.Reason, "ends at byte") {
			t.Errorf("cut at %d: %v", n, err)
		}
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := idx.Read(ctx, "t", strings.NewReader(file(t, 8, []uint32{1}, []uint8{1})), nil); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	broken := errors.New("broken")
	if _, err := idx.Read(t.Context(), "t", io.MultiReader(strings.NewReader("\x00\x00\x08\x01\x00\x00\x00\x02x"), failing{broken}), nil); !errors.Is(err, broken) {
		t.Errorf("%v", err)
	}
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

func TestCompanions(t *testing.T) {
	for name, want := range map[string][]string{
		"d/train-images-idx3-ubyte.gz": {"d/train-labels-idx1-ubyte.gz", "d/train-labels-idx1-ubyte"},
		"t10k-images.idx3-ubyte":       {"t10k-labels.idx1-ubyte", "t10k-labels.idx1-ubyte.gz"},
		"images/digits.idx":            nil,
	} {
		if got := idx.Companions(name); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

func TestJoin(t *testing.T) {
	tables := func() (images, labels *data.Table) {
		images, err := read(t, file(t, 8, []uint32{2, 2}, []uint8{1, 2, 3, 4}))
		if err != nil {
			t.Fatal(err)
		}
		if labels, err = idx.Read(t.Context(), "l", strings.NewReader(file(t, 8, []uint32{2}, []uint8{5, 6})), nil); err != nil {
			t.Fatal(err)
		}
		return images, labels
	}
	images, labels := tables()
	if err := idx.Join(images, labels); err != nil || len(images.Columns) != 3 || images.Target != "label" || !slices.Equal(images.Columns[0].Numbers, []float64{5, 6}) {
		t.Errorf("%+v, %v", images, err)
	}
	if err := idx.Join(labels, labels); err == nil || err.Error() != "l: holds labels itself, and no images; name the file of the images" {
		t.Error(err)
	}
	images, labels = tables()
	if err := idx.Join(labels, images); err == nil || err.Error() != "t: has 2 columns, and labels are one; name the file of the labels" {
		t.Error(err)
	}
	labels.Columns[0].Numbers = labels.Columns[0].Numbers[:1]
	if err := idx.Join(images, labels); err == nil || err.Error() != "l: holds 1 labels for the 2 images of t; name the labels of these images" {
		t.Error(err)
	}
}

// FuzzRead wants a well-formed table or a *data.Error that names the source.
func FuzzRead(f *testing.F) {
	for _, text := range []string{"", "\x00\x00\x08\x01\x00\x00\x00\x02ab", "\x00\x00\x0b\x02\x00\x00\x00\x01\x00\x00\x00\x02abcd", "\x00\x00\x0d\x03\x00\x00\x00\x01\x00\x00\x00\x01\x00\x00\x00\x01\x7f\x80\x00\x00", "\x00\x00\x0e\xff"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		got, err := idx.Read(t.Context(), "t", bytes.NewReader(text), nil)
		if err != nil {
			var e *data.Error
			if !errors.As(err, &e) || e.Source != "t" || e.Reason == "" {
				t.Fatalf("error %v does not say where and why", err)
			}
			return
		}
		if got.Rows()*len(got.Columns) > len(text) {
			t.Fatalf("%d × %d numbers from %d bytes", got.Rows(), len(got.Columns), len(text))
		}
		for _, c := range got.Columns {
			if len(c.Numbers) != got.Rows() {
				t.Fatalf("column %s has %d rows of %d", c.Name, len(c.Numbers), got.Rows())
			}
			for i, v := range c.Numbers {
				if math.IsNaN(v) != c.IsMissing(i) || math.IsInf(v, 0) {
					t.Fatalf("%v in row %d", v, i)
				}
			}
		}
	})
}
