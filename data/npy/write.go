package npy

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
)

// Precision is the type in which numbers are written.
type Precision int

const (
	// Float64 writes every number as it is, in 8 bytes.
	Float64 Precision = iota
	// Float32 rounds every number to 4 bytes.
	Float32
)

// descr returns the numpy name of the type, little-endian.
func (p Precision) descr() (string, error) {
	switch p {
	case Float64:
		return "<f8", nil
	case Float32:
		return "<f4", nil
	}
	return "", fmt.Errorf("npy: precision %d is neither Float64 nor Float32", int(p))
}

// Writer writes one array as its numbers arrive, so that a matrix of any size needs the
// memory of one row. It writes to the underlying writer in pieces of up to 64 KiB.
type Writer struct {
	w         io.Writer
	precision Precision
	buf       []byte
	left      int // numbers still to come
	total     int
	err       error
}

// NewWriter begins a matrix of rows × cols and writes its header. The numbers follow
// through Write, row after row; Close completes it.
func NewWriter(w io.Writer, rows, cols int, p Precision) (*Writer, error) {
	return newWriter(w, []int{rows, cols}, p)
}

// NewVectorWriter begins a one-dimensional array of n numbers.
func NewVectorWriter(w io.Writer, n int, p Precision) (*Writer, error) {
	return newWriter(w, []int{n}, p)
}

func newWriter(w io.Writer, shape []int, p Precision) (*Writer, error) {
	descr, err := p.descr()
	if err != nil {
		return nil, err
	}
	h := header{descr: descr, shape: shape}
	for _, n := range shape {
		if n < 0 {
			return nil, fmt.Errorf("npy: shape %v has a negative length", shape)
		}
	}
	rows, cols, err := h.matrix(8)
	if err != nil {
		return nil, fmt.Errorf("npy: shape %v: %w", shape, err)
	}
	if _, err := w.Write(h.format()); err != nil {
		return nil, fmt.Errorf("npy: writing the header: %w", err)
	}
	return &Writer{w: w, precision: p, left: rows * cols, total: rows * cols}, nil
}

// flushBytes is the size at which buffered numbers are written out.
const flushBytes = 1 << 16

// Write appends numbers in row-major order: a row, several or a part of one. It returns
// an error if there are more than were announced, or if a finite number is infinite in
// single precision. After an error every further call returns it.
func (w *Writer) Write(values []float64) error {
	if w.err != nil {
		return w.err
	}
	if len(values) > w.left {
		w.err = fmt.Errorf("npy: %d numbers are more than the %d still expected of %d", len(values), w.left, w.total)
		return w.err
	}
	for _, v := range values {
		if w.precision == Float64 {
			w.buf = binary.LittleEndian.AppendUint64(w.buf, math.Float64bits(v))
		} else {
			single := float32(v)
			if math.IsInf(float64(single), 0) && !math.IsInf(v, 0) {
				w.err = fmt.Errorf("npy: number %d, %g, is too large for single precision: write Float64", w.total-w.left+1, v)
				return w.err
			}
			w.buf = binary.LittleEndian.AppendUint32(w.buf, math.Float32bits(single))
		}
		w.left--
		if len(w.buf) >= flushBytes {
			w.flush()
		}
	}
	return w.err
}

// flush passes the buffered bytes on.
func (w *Writer) flush() {
	if w.err == nil && len(w.buf) > 0 {
		if _, err := w.w.Write(w.buf); err != nil {
			w.err = fmt.Errorf("npy: writing numbers: %w", err)
		}
	}
	w.buf = w.buf[:0]
}

// Close writes what is buffered. It returns an error unless all numbers have come. It
// does not close the underlying writer.
func (w *Writer) Close() error {
	w.flush()
	if w.err == nil && w.left > 0 {
		w.err = fmt.Errorf("npy: %d of %d numbers were never written", w.left, w.total)
	}
	return w.err
}
