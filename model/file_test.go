package model_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/google/go-cmp/cmp"

	"example.org/mercer/model"
)

// contents returns a small model with every type of element.
func contents(t testing.TB) (map[string]model.Tensor, map[string]string) {
	t.Helper()
	points, err1 := model.Float64s([]float64{1, 2, 3, 4, 5, math.Pi}, 3, 2)
	scale, err2 := model.Float32s([]float32{0.5}, 1)
	rows, err3 := model.Int64s([]int64{-1, 1 << 40}, 2)
	empty, err4 := model.Float64s(nil, 0, 2)
	if err := errors.Join(err1, err2, err3, err4); err != nil {
		t.Fatal(err)
	}
	return map[string]model.Tensor{"points": points, "scale": scale, "rows": rows, "empty": empty, "text": model.Bytes([]byte("añb"))},
		map[string]string{"kernel": `rbf(sigma=1) <"é">`, model.KeyVersion: "0.1.0"}
}

func encoded(t testing.TB) []byte {
	t.Helper()
	b, err := model.Encode(contents(t))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// sameContents fails the test unless f holds what contents made.
func sameContents(t *testing.T, f *model.File) {
	t.Helper()
	tensors, metadata := contents(t)
	if got := f.Names(); !cmp.Equal(got, []string{"empty", "points", "rows", "scale", "text"}) {
		t.Errorf("names %q", got)
	}
	for name, want := range tensors {
		got, err := f.Tensor(name)
		if err != nil || !cmp.Equal(got, want, cmp.AllowUnexported(model.Tensor{}), cmp.Comparer(bytes.Equal)) {
			t.Errorf("tensor %s = %v (%v), want %v", name, got, err, want)
		}
	}
	for key, want := range metadata {
		if got := f.Metadata()[key]; got != want {
			t.Errorf("metadata %s = %q, want %q", key, got, want)
		}
	}
}

func TestFileRoundTrip(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.mercer")
	tensors, metadata := contents(t)
	if err := model.WriteFile(t.Context(), path, tensors, metadata); err != nil {
		t.Fatal(err)
	}
	f, err := model.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	sameContents(t, f)
	if f.Source() != path || f.Size() != int64(len(encoded(t))) {
		t.Errorf("source %s, size %d", f.Source(), f.Size())
	}
	if err := errors.Join(f.Verify(), f.Close(), f.Close()); err != nil {
		t.Error(err)
	}
	if err := f.Verify(); err == nil {
		t.Error("a closed file was verified")
	}
}

func TestOpenMapsWithoutCopying(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.mercer")
	tensors, metadata := contents(t)
	if err := model.WriteFile(t.Context(), path, tensors, metadata); err != nil {
		t.Fatal(err)
	}
	f, err := model.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	x, err1 := f.Floats("points", 3, 2)
	y, err2 := f.Floats("points", -1, -1)
	if err1 != nil || err2 != nil || &x[0] != &y[0] {
		t.Errorf("two reads of one tensor are two memories (%v, %v)", err1, err2)
	}
	x[0] = 99 // a private page: the file must not see it
	if again, err := os.ReadFile(path); err != nil || !bytes.Equal(again, encoded(t)) {
		t.Errorf("writing to a tensor changed the file (%v)", err)
	}
}

// TestUnalignedFile moves a valid file to every alignment in memory.
func TestUnalignedFile(t *testing.T) {
	valid := encoded(t)
	room := make([]byte, len(valid)+8)
	for shift := range 8 {
		copy(room[shift:], valid)
		f, err := model.Parse("shifted", room[shift:shift+len(valid)])
		if err != nil {
			t.Fatal(err)
		}
		x, err := f.Floats("points", 3, 2)
		if err != nil || uintptr(unsafe.Pointer(&x[0]))%8 != 0 {
			t.Fatalf("shift %d: not aligned (%v)", shift, err)
		}
		if !cmp.Equal(x, []float64{1, 2, 3, 4, 5, math.Pi}) {
			t.Errorf("shift %d: points %v", shift, x)
		}
	}
}

// TestEveryCut cuts a valid file at every byte.
func TestEveryCut(t *testing.T) {
	valid := encoded(t)
	for n := range valid {
		if _, err := model.Parse("cut", valid[:n:n]); !isFileError(err) {
			t.Fatalf("the first %d of %d bytes give %v", n, len(valid), err)
		}
	}
	if _, err := model.Parse("longer", append(bytes.Clone(valid), 0)); !isFileError(err) {
		t.Fatalf("a trailing byte gives %v", err)
	}
}

// TestEveryFlip flips every bit of a valid file.
func TestEveryFlip(t *testing.T) {
	valid := encoded(t)
	for i := range valid {
		for bit := range 8 {
			broken := bytes.Clone(valid)
			broken[i] ^= 1 << bit
			if _, err := model.Parse("flipped", broken); !isFileError(err) {
				t.Fatalf("bit %d of byte %d flipped (%q) gives %v", bit, i, valid[max(0, i-8):i+1], err)
			}
		}
	}
}

func isFileError(err error) bool {
	var e *model.FileError
	return errors.As(err, &e) && e.Fix != "" && e.Source != "" && e.What != ""
}

// forge returns a file with the given header and data and a right checksum, if the
// header has a place for one.
func forge(header string, data []byte) []byte {
	zeros := strings.Repeat("0", 64)
	header = strings.ReplaceAll(header, "META", `"__metadata__":{"mercer.format":"1.0","mercer.sha256":"`+zeros+`"}`)
	b := binary.LittleEndian.AppendUint64(nil, uint64(len(header)))
	b = append(append(b, header...), data...)
	if at := bytes.Index(b, []byte(zeros)); at >= 0 {
		sum := sha256.Sum256(b)
		hex.Encode(b[at:], sum[:])
	}
	return b
}

func TestParseRefusesHostileHeaders(t *testing.T) {
	good := `{META,"a":{"dtype":"F64","shape":[1],"data_offsets":[0,8]}}`
	if _, err := model.Parse("good", forge(good, make([]byte, 8))); err != nil {
		t.Fatalf("the model of all cases is refused: %v", err)
	}
	for _, c := range []struct{ header, want string }{
		{``, "does not start with {"},
		{` {META}`, "does not start with {"},
		{`[]`, "does not start with {"},
		{`{META`, "not JSON"},
		{`{META} {}`, "not JSON"},
		{`{META,"a":NaN}`, "not JSON"},
		{"{META,\"a\xff\":1}", "not UTF-8"},
		{`{"__metadata__":{}}`, "no mercer.format"},
		{`{}`, "no mercer.format"},
		{`{"__metadata__":null}`, "where an object"},
		{`{"__metadata__":{"mercer.format":1}}`, `metadata "mercer.format" is not a text`},
		{`{"__metadata__":{"mercer.format":"1.0"}}`, "no mercer.sha256"},
		{`{"__metadata__":{"mercer.format":"1.0","mercer.sha256":"12"}}`, "no mercer.sha256"},
		{`{"__metadata__":{"mercer.format":"one"}}`, "instead of a version"},
		{`{"__metadata__":{"mercer.format":"0.9"}}`, "instead of a version"},
		{`{"__metadata__":{"mercer.format":"2.0","mercer.version":"3.1.4"}}`, "written by mercer 3.1.4"},
		{`{"__metadata__":{"mercer.format":"2.0"},"future":{"dtype":"Q3"}}`, "lacks its dtype"},
		{`{META,META}`, `key "__metadata__" twice`},
		{`{"__metadata__":{"k":"1","k":"1"}}`, `key "k" twice`},
		{`{META,"a":{"dtype":"F64","shape":[1],"data_offsets":[0,8]},"a":{"dtype":"F64","shape":[1],"data_offsets":[0,8]}}`, `key "a" twice`},
		{`{META,"a":{"dtype":"F64","dtype":"F64","shape":[1],"data_offsets":[0,8]}}`, `key "dtype" twice`},
		{`{META,"a":{"dtype":"F64","shape":[1]}}`, "lacks its"},
		{`{META,"a":{"dtype":"F64","shape":[1],"data_offsets":[0,8],"x":1}}`, `unknown field "x"`},
		{`{META,"a":{"dtype":"F64","Shape":[1],"data_offsets":[0,8]}}`, `unknown field "Shape"`},
		{`{META,"a":[]}`, "where an object"},
		{`{META,"a":{"dtype":7,"shape":[1],"data_offsets":[0,8]}}`, "not a text"},
		{`{META,"a":{"dtype":"F16","shape":[4],"data_offsets":[0,8]}}`, `unknown element type "F16"`},
		{`{META,"a":{"dtype":"F32","shape":[1],"data_offsets":[0,8]}}`, "needs 4 bytes, there are 8"},
		{`{META,"a":{"dtype":"F64","shape":[2],"data_offsets":[0,8]}}`, "needs 16 bytes"},
		{`{META,"a":{"dtype":"F64","shape":[-1],"data_offsets":[0,8]}}`, "not a length"},
		{`{META,"a":{"dtype":"F64","shape":[1.0],"data_offsets":[0,8]}}`, "not a length"},
		{`{META,"a":{"dtype":"F64","shape":[1e0],"data_offsets":[0,8]}}`, "not a length"},
		{`{META,"a":{"dtype":"F64","shape":["1"],"data_offsets":[0,8]}}`, "not a list of numbers"},
		{`{META,"a":{"dtype":"F64","shape":[[1]],"data_offsets":[0,8]}}`, "not a list of numbers"},
		{`{META,"a":{"dtype":"F64","shape":null,"data_offsets":[0,8]}}`, "not a list of numbers"},
		{`{META,"a":{"dtype":"F64","shape":[99999999999999999999],"data_offsets":[0,8]}}`, "not a length"},
		{`{META,"a":{"dtype":"F64","shape":[4611686018427387904,4],"data_offsets":[0,8]}}`, "more elements than memory"},
		{`{META,"a":{"dtype":"F64","shape":[2305843009213693953],"data_offsets":[0,8]}}`, "more elements than memory"},
		{`{META,"a":{"dtype":"F64","shape":[1],"data_offsets":[0,8,8]}}`, "3 numbers instead of 2"},
		{`{META,"a":{"dtype":"F64","shape":[1],"data_offsets":[8,0]}}`, "claims the bytes 8 to 0"},
		{`{META,"a":{"dtype":"F64","shape":[1],"data_offsets":[0,16]}}`, "claims the bytes 0 to 16"},
		{`{META,"a":{"dtype":"U8","shape":[7],"data_offsets":[1,8]}}`, "claims the bytes 1 to 8"},
		{`{META,"a":{"dtype":"U8","shape":[7],"data_offsets":[0,7]}}`, "1 bytes behind the last tensor"},
		{`{META,"a":{"dtype":"U8","shape":[5],"data_offsets":[0,5]},"b":{"dtype":"U8","shape":[4],"data_offsets":[4,8]}}`, "claims the bytes 4 to 8"},
		{`{META,"a":{"dtype":"F64","shape":[1],"data_offsets":[0,8]},"b":{"dtype":"F64","shape":[1],"data_offsets":[0,8]}}`, "claims the bytes 0 to 8"},
		{`{META}`, "8 bytes behind the last tensor"},
		{`{META,"a":` + strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000) + `}`, "not JSON"},
		{`{META,"a":` + strings.Repeat("[", 100) + strings.Repeat("]", 100) + `}`, "where an object"},
	} {
		_, err := model.Parse("hostile", forge(c.header, make([]byte, 8)))
		if !isFileError(err) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("header %.120s\n gives %v,\n want an error with %q", c.header, err, c.want)
		}
	}
}

func TestParseRefusesHostileLengths(t *testing.T) {
	for _, length := range []uint64{100_000_001, 1 << 32, 1 << 63, math.MaxUint64, 1000} {
		b := append(binary.LittleEndian.AppendUint64(nil, length), "{}"...)
		if _, err := model.Parse("hostile", b); !isFileError(err) {
			t.Errorf("a header of %d bytes gives %v", length, err)
		}
	}
}

// A table in place of the model, which is a slip of the order, is told by how it begins.
func TestParseRefusesATable(t *testing.T) {
	for text, want := range map[string]string{
		"length,width,y\n1,2,3\n":           `table.csv: is no mercer model: it begins with "length,width,y"; give the file that a fit has written`,
		"größe;" + strings.Repeat("ü", 100): `begins with "größe;üü`,
		"\x89PNG\r\n\x1a\n........":         "the header claims",
	} {
		if _, err := model.Parse("table.csv", []byte(text)); !isFileError(err) || !strings.Contains(err.Error(), want) {
			t.Errorf("%.20q gives %v, want %s", text, err, want)
		}
	}
}

func TestParseNamesTheByte(t *testing.T) {
	header := `{META,"a":{"dtype":"F64","shape":[1],"data_offsets":[0,8]}}`
	b := forge(header, make([]byte, 9))
	var e *model.FileError
	if _, err := model.Parse("long.mercer", b); !errors.As(err, &e) {
		t.Fatalf("one byte too many gives %v", err)
	}
	if e.Source != "long.mercer" || e.Offset != int64(len(b)-1) || !strings.Contains(e.Error(), fmt.Sprintf("long.mercer: byte %d: 1 bytes", len(b)-1)) {
		t.Errorf("%v (offset %d), want byte %d", e, e.Offset, len(b)-1)
	}
}

func TestFileAccessIsChecked(t *testing.T) {
	f, err := model.Parse("a.mercer", encoded(t))
	if err != nil {
		t.Fatal(err)
	}
	_, err1 := f.Floats("points", 2, 3)
	_, err2 := f.Floats("points", 6)
	_, err3 := f.Floats("rows", 2)
	_, err4 := f.Floats("none", 2)
	_, err5 := f.Matrix("empty", -1, 2)
	_, err6 := f.Matrix("text", -1, -1)
	_, err7 := f.Vectors("points", 3, 3)
	for i, err := range []error{err1, err2, err3, err4, err5, err6, err7} {
		if !isFileError(err) {
			t.Errorf("wrong access %d gives %v", i+1, err)
		}
	}
	if v, err := f.Vectors("empty", -1, 2); err != nil || v.Len() != 0 || v.Dim() != 2 {
		t.Errorf("no vectors of 2: %d of %d (%v)", v.Len(), v.Dim(), err)
	}
	if m, err := f.Matrix("points", 3, -1); err != nil || m.At(2, 1) != math.Pi {
		t.Errorf("matrix %v (%v)", m, err)
	}
	if f.Has("none") || !f.Has("rows") {
		t.Error("Has is wrong")
	}
}

func TestFloatsRefusesNaNAndInf(t *testing.T) {
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		x, err := model.Float64s([]float64{1, bad}, 2)
		if err != nil {
			t.Fatal(err)
		}
		b, err := model.Encode(map[string]model.Tensor{"x": x}, nil)
		if err != nil {
			t.Fatal(err)
		}
		f, err := model.Parse("a.mercer", b)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Floats("x", -1); !isFileError(err) || !strings.Contains(err.Error(), "element 1") {
			t.Errorf("%v gives %v, want an error for element 1", bad, err)
		}
	}
}

func TestOpenWithoutModel(t *testing.T) {
	folder := t.TempDir()
	empty := filepath.Join(folder, "empty")
	if err := os.WriteFile(empty, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := model.Open(empty); !isFileError(err) {
		t.Errorf("an empty file gives %v", err)
	}
	if _, err := model.Open(folder); err == nil {
		t.Error("a folder was opened")
	}
	if _, err := model.Open(filepath.Join(folder, "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file gives %v", err)
	}
}

// FuzzParse wants of a file that is accepted that it says the same when it is written
// again, and of any other an error with the file's name and what to do.
func FuzzParse(f *testing.F) {
	f.Add(encoded(f))
	f.Add(forge(`{META,"a":{"dtype":"F64","shape":[1],"data_offsets":[0,8]}}`, make([]byte, 8)))
	f.Add(forge(`{META}`, nil))
	f.Add([]byte("not a model"))
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, raw := range [][]byte{b, sealed(b)} {
			file, err := model.Parse("fuzz", raw)
			if err != nil {
				if !isFileError(err) || !strings.Contains(err.Error(), "fuzz") {
					t.Fatalf("an error without a fix or the file: %v", err)
				}
				continue
			}
			writtenAgain(t, file)
		}
	})
}

// sealed returns the file with the checksum of its content where it has one of the right
// length, so that what lies behind the checksum is tried too.
func sealed(b []byte) []byte {
	const key = `"` + model.KeyChecksum + `":"`
	at := bytes.Index(b, []byte(key)) + len(key)
	if at < len(key) || at+2*sha256.Size > len(b) {
		return b
	}
	b = bytes.Clone(b)
	digits := b[at : at+2*sha256.Size]
	copy(digits, strings.Repeat("0", len(digits)))
	sum := sha256.Sum256(b)
	hex.Encode(digits, sum[:])
	return b
}

// writtenAgain fails the test unless the parts of a file make a file with the same parts,
// and every tensor is read as its type alone.
func writtenAgain(t *testing.T, file *model.File) {
	t.Helper()
	tensors := map[string]model.Tensor{}
	for _, name := range file.Names() {
		tensor, err := file.Tensor(name)
		if err != nil {
			t.Fatal(err)
		}
		tensors[name] = tensor
		_, err64 := tensor.Float64s()
		_, err32 := tensor.Float32s()
		if _, errInt := tensor.Int64s(); (err64 == nil) != (tensor.DType == model.F64) || (err32 == nil) != (tensor.DType == model.F32) || (errInt == nil) != (tensor.DType == model.I64) {
			t.Fatalf("%s of %s: %v, %v, %v", name, tensor.DType, err64, err32, errInt)
		}
		if m, err := file.Matrix(name, -1, -1); err == nil {
			if rows, cols := m.Dims(); !slices.Equal(tensor.Shape, []int{rows, cols}) {
				t.Fatalf("%s: a matrix of %d × %d of shape %v", name, rows, cols, tensor.Shape)
			}
		}
	}
	metadata := file.Metadata()
	delete(metadata, model.KeyFormat)
	delete(metadata, model.KeyChecksum)
	raw, err := model.Encode(tensors, metadata)
	if err != nil {
		t.Fatalf("what was read cannot be written: %v", err)
	}
	back, err := model.Parse("again", raw)
	if err != nil {
		t.Fatalf("what was written cannot be read: %v", err)
	}
	again := back.Metadata()
	delete(again, model.KeyFormat)
	delete(again, model.KeyChecksum)
	if diff := cmp.Diff(metadata, again); diff != "" {
		t.Fatal(diff)
	}
	if !slices.Equal(back.Names(), file.Names()) {
		t.Fatalf("%q became %q", file.Names(), back.Names())
	}
	for name, want := range tensors {
		if got, err := back.Tensor(name); err != nil || !cmp.Equal(got, want, cmp.AllowUnexported(model.Tensor{}), cmp.Comparer(bytes.Equal)) {
			t.Fatalf("tensor %s = %v (%v), want %v", name, got, err, want)
		}
	}
}
