package model

import (
	"fmt"
	"math"
	"math/bits"
	"slices"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/data"
	"example.org/mercer/internal/mapfile"
)

// DType is the type of the elements of a tensor, under its safetensors name.
type DType string

const (
	F64 DType = "F64" // float64
	F32 DType = "F32" // float32
	I64 DType = "I64" // int64
	U8  DType = "U8"  // bytes
)

// size returns the bytes of one element, or 0 for an unknown type.
func (d DType) size() int {
	switch d {
	case F64, I64:
		return 8
	case F32:
		return 4
	case U8:
		return 1
	}
	return 0
}

// Tensor is a typed array in row-major order. It may be a view of memory that
// belongs to someone else: see the function that made it.
type Tensor struct {
	DType DType
	Shape []int
	data  []byte // little endian
}

// Float64s returns a view of x with the given shape, whose product must be len(x).
func Float64s(x []float64, shape ...int) (Tensor, error) { return tensorOf(F64, x, shape) }

// Float32s returns a view of x with the given shape, whose product must be len(x).
func Float32s(x []float32, shape ...int) (Tensor, error) { return tensorOf(F32, x, shape) }

// Int64s returns a view of x with the given shape, whose product must be len(x).
func Int64s(x []int64, shape ...int) (Tensor, error) { return tensorOf(I64, x, shape) }

// Bytes returns a view of x as a vector of bytes.
func Bytes(x []byte) Tensor { return Tensor{DType: U8, Shape: []int{len(x)}, data: x} }

// Dense returns the elements of m as a tensor of two dimensions: a view where its
// rows are adjacent, a copy otherwise.
func Dense(m *mat.Dense) Tensor {
	raw := m.RawMatrix()
	if raw.Rows > 0 && raw.Stride != raw.Cols {
		raw = mat.DenseCopyOf(m).RawMatrix()
	}
	return Tensor{DType: F64, Shape: []int{raw.Rows, raw.Cols}, data: mapfile.Bytes(raw.Data[:raw.Rows*raw.Cols])}
}

// Vectors returns a view of n vectors of d numbers as an n×d tensor.
func Vectors(v data.Vectors) Tensor {
	return Tensor{DType: F64, Shape: []int{v.Len(), v.Dim()}, data: mapfile.Bytes(v.Raw())}
}

// Float64s returns the elements of an F64 tensor: a view where memory allows it.
func (t Tensor) Float64s() ([]float64, error) { return elements[float64](t, F64) }

// Float32s returns the elements of an F32 tensor: a view where memory allows it.
func (t Tensor) Float32s() ([]float32, error) { return elements[float32](t, F32) }

// Int64s returns the elements of an I64 tensor: a view where memory allows it.
func (t Tensor) Int64s() ([]int64, error) { return elements[int64](t, I64) }

// Bytes returns the elements of a U8 tensor, as a view.
func (t Tensor) Bytes() ([]byte, error) {
	if t.DType != U8 {
		return nil, fmt.Errorf("the tensor holds %s, not %s", t.DType, U8)
	}
	return t.data, nil
}

// check returns an error unless the tensor can be stored.
func (t Tensor) check() error {
	size, err := byteSize(t.DType, t.Shape)
	if err != nil {
		return err
	}
	if size != len(t.data) {
		return fmt.Errorf("shape %v of %s needs %d bytes, there are %d", t.Shape, t.DType, size, len(t.data))
	}
	return nil
}

// byteSize returns the product of the shape in bytes, or why there is none.
func byteSize(d DType, shape []int) (int, error) {
	if d.size() == 0 {
		return 0, fmt.Errorf("unknown element type %q: %s, %s, %s and %s are known", d, F64, F32, I64, U8)
	}
	size := uint64(d.size())
	for _, k := range shape {
		if k < 0 {
			return 0, fmt.Errorf("shape %v has a negative length", shape)
		}
		high, low := bits.Mul64(size, uint64(k))
		if high != 0 || low > math.MaxInt {
			return 0, fmt.Errorf("shape %v has more elements than memory has bytes", shape)
		}
		size = low
	}
	return int(size), nil
}

func tensorOf[E mapfile.Number](d DType, x []E, shape []int) (Tensor, error) {
	t := Tensor{DType: d, Shape: slices.Clone(shape), data: mapfile.Bytes(x)}
	if err := t.check(); err != nil {
		return Tensor{}, fmt.Errorf("model: %w", err)
	}
	return t, nil
}

// elements returns the numbers of a tensor of the type that is wanted: a view where
// the memory is aligned.
func elements[E mapfile.Number](t Tensor, want DType) ([]E, error) {
	if t.DType != want {
		return nil, fmt.Errorf("the tensor holds %s, not %s", t.DType, want)
	}
	return mapfile.Numbers[E](t.data), nil
}
