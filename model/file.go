package model

import (
	"encoding/binary"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/data"
)

// Keys of the metadata that the container itself uses.
const (
	// KeyFormat holds the version of the file format, "major.minor". A reader accepts
	// every minor version of the majors it knows.
	KeyFormat = "mercer.format"
	// KeyVersion holds the version of mercer that wrote the file; the caller sets it.
	KeyVersion = "mercer.version"
	// KeyChecksum holds the SHA-256 of the whole file, as 64 hexadecimal digits, taken
	// with these digits replaced by zeros.
	KeyChecksum = "mercer.sha256"
)

// The format that this package writes.
const (
	formatMajor = 1
	formatMinor = 0
)

// File is an open model file. The tensors it returns must not be used after Close, and writing to
// them changes no file.
type File struct {
	source   string
	raw      []byte
	mapped   *mapping // what raw is a view of; nil: raw is in memory
	digits   int      // position in raw of the checksum's digits
	metadata map[string]string
	tensors  map[string]Tensor
}

// Parse reads a model file from memory, which the file's tensors then share. The
// source is what errors call it. See [Open] for what is verified.
func Parse(source string, raw []byte) (*File, error) {
	if len(raw) < lengthBytes {
		return nil, broken(source, int64(len(raw)), "the file ends after %d bytes, before the length of its header", len(raw))
	}
	length := binary.LittleEndian.Uint64(raw)
	if length > maxHeader {
		return nil, notModel(source, raw, length)
	}
	start := lengthBytes + int(length)
	if start > len(raw) {
		return nil, broken(source, int64(len(raw)), "the file ends after %d bytes, inside its header of %d", len(raw), length)
	}
	h, err := decodeHeader(source, raw[lengthBytes:start])
	if err != nil {
		return nil, err
	}
	if err := checkFormat(source, h.metadata); err != nil {
		return nil, err
	}
	if h.checksum < 0 {
		return nil, broken(source, -1, "the metadata have no %s of %d digits", KeyChecksum, checksumDigits)
	}
	tensors, err := h.tensors(source, raw[start:], int64(start))
	if err != nil {
		return nil, err
	}
	f := &File{source: source, raw: raw, digits: lengthBytes + h.checksum, metadata: h.metadata, tensors: tensors}
	return f, f.verify()
}

// notModel is the error for a file that does not begin like a model: that of text, such as a table,
// shows how it begins.
func notModel(source string, raw []byte, length uint64) error {
	line, _, _ := strings.Cut(string(raw[:min(40, len(raw))]), "\n")
	line = strings.TrimRight(line, "\uFFFD\r") // a letter that was cut
	if strings.ContainsFunc(line, func(r rune) bool { return r == utf8.RuneError || !unicode.IsPrint(r) && !unicode.IsSpace(r) }) {
		return broken(source, 0, "the header claims %d bytes, more than the limit of %d", length, maxHeader)
	}
	return &FileError{Source: source, Offset: -1, What: fmt.Sprintf("is no mercer model: it begins with %q", strings.TrimSpace(line)),
		Fix: "give the file that a fit has written; the model comes before the table"}
}

// checkFormat refuses files that this reader is too old for.
func checkFormat(source string, metadata map[string]string) error {
	format, ok := metadata[KeyFormat]
	if !ok {
		return broken(source, -1, "the metadata have no %s", KeyFormat)
	}
	before, after, _ := strings.Cut(format, ".")
	major, err1 := strconv.Atoi(before)
	_, err2 := strconv.Atoi(after)
	switch {
	case err1 != nil || err2 != nil || major < 1:
		return broken(source, -1, "%s is %q instead of a version such as %d.%d", KeyFormat, format, formatMajor, formatMinor)
	case major > formatMajor:
		writer := metadata[KeyVersion]
		if writer == "" {
			writer = "(unknown)"
		}
		return &FileError{Source: source, Offset: -1,
			What: fmt.Sprintf("the file has format %s, written by mercer %s; this mercer reads formats up to %d", format, writer, formatMajor),
			Fix:  "use a mercer at least as new as the one that wrote it, or fit the model again with this one"}
	}
	return nil
}

// Verify computes the checksum again and compares it with the stored one.
func (f *File) Verify() error {
	if f.raw == nil {
		return fmt.Errorf("model: %s is closed", f.source)
	}
	return f.mapped.guard(f.source, f.verify)
}

func (f *File) verify() error {
	stored := string(f.raw[f.digits : f.digits+checksumDigits])
	if got := checksum(f.digits, f.raw); got != stored {
		return broken(f.source, -1, "the checksum is %s…, but the content has %s…", stored[:8], got[:8])
	}
	return nil
}

// Close gives the memory of the file back. No tensor may be used after it.
func (f *File) Close() error {
	mapped := f.mapped
	f.mapped, f.raw, f.tensors = nil, nil, nil
	return mapped.close()
}

// Source returns the name of the file.
func (f *File) Source() string { return f.source }

// Size returns the length of the file in bytes.
func (f *File) Size() int64 { return int64(len(f.raw)) }

// Metadata returns a copy of all metadata, the container's own keys among them.
func (f *File) Metadata() map[string]string { return maps.Clone(f.metadata) }

// Names returns the sorted names of the tensors.
func (f *File) Names() []string { return slices.Sorted(maps.Keys(f.tensors)) }

// Has reports whether there is a tensor of that name.
func (f *File) Has(name string) bool {
	_, ok := f.tensors[name]
	return ok
}

// Tensor returns the tensor of that name; it is an error if there is none. Of a large file it is a
// copy, of others a view.
func (f *File) Tensor(name string) (Tensor, error) {
	t, ok := f.tensors[name]
	if !ok {
		return Tensor{}, &FileError{Source: f.source, Offset: -1,
			What: fmt.Sprintf("there is no tensor %q; there are %q", name, f.Names()),
			Fix:  "this is a model of another kind, or written by another version: fit the model again"}
	}
	if f.mapped == nil {
		return t, nil
	}
	return f.mapped.copy(f.source, t)
}

// Floats returns the elements of a tensor of finite float64 numbers with the given
// shape, where a negative length stands for any.
func (f *File) Floats(name string, shape ...int) ([]float64, error) {
	t, err := f.Tensor(name)
	if err != nil {
		return nil, err
	}
	fits := len(t.Shape) == len(shape)
	for i := 0; fits && i < len(shape); i++ {
		fits = shape[i] < 0 || shape[i] == t.Shape[i]
	}
	if !fits {
		return nil, broken(f.source, -1, "tensor %q has shape %v instead of %v (−1: any)", name, t.Shape, shape)
	}
	x, err := t.Float64s()
	if err != nil {
		return nil, broken(f.source, -1, "tensor %q: %v", name, err)
	}
	for i, v := range x {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, broken(f.source, -1, "element %d of tensor %q is %v, which no model can compute with", i, name, v)
		}
	}
	return x, nil
}

// Matrix returns a tensor of finite numbers as a matrix with at least one element;
// negative lengths stand for any.
func (f *File) Matrix(name string, rows, cols int) (*mat.Dense, error) {
	x, err := f.Floats(name, rows, cols)
	if err != nil {
		return nil, err
	}
	shape := f.tensors[name].Shape
	if len(x) == 0 {
		return nil, broken(f.source, -1, "tensor %q is empty (%v)", name, shape)
	}
	return mat.NewDense(shape[0], shape[1], x), nil
}

// Vectors returns a tensor of finite numbers as a set of vectors; negative lengths
// stand for any.
func (f *File) Vectors(name string, n, d int) (data.Vectors, error) {
	x, err := f.Floats(name, n, d)
	if err != nil {
		return data.Vectors{}, err
	}
	shape := f.tensors[name].Shape
	return data.NewVectors(shape[0], shape[1], x)
}
