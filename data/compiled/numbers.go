package compiled

import (
	"encoding/binary"
	"errors"
	"math"
)

// coding is how a chunk of numbers is stored: its first byte.
type coding byte

const (
	constant coding = iota // 8 bytes for all rows
	bytes1                 // integers of 1, 2 and 4 bytes; those of one byte have no sign
	bytes2
	bytes4
	floats4 // floats of 4 and 8 bytes
	floats8
	sparse // how many are not 0, 4 bytes each for their rows, and a chunk of their values
)

// width returns the number of bytes for each row.
func (c coding) width() int {
	switch c {
	case bytes1:
		return 1
	case bytes2:
		return 2
	case bytes4, floats4:
		return 4
	case floats8:
		return 8
	}
	return 0
}

// holds reports whether a number comes back from a coding with all of its bits; of NaN, which
// marks a missing cell, one is like another.
func (c coding) holds(x float64) bool {
	least, most := 0.0, 0.0
	switch c {
	case bytes1:
		most = math.MaxUint8
	case bytes2:
		least, most = math.MinInt16, math.MaxInt16
	case bytes4:
		least, most = math.MinInt32, math.MaxInt32
	case floats4:
		return x != x || float64(float32(x)) == x
	case floats8:
		return true
	}
	return x >= least && x <= most && x == math.Trunc(x) && (x != 0 || !math.Signbit(x))
}

// isZero reports whether a number is the 0 that a sparse chunk leaves out.
func isZero(x float64) bool { return x == 0 && !math.Signbit(x) }

// appendNumbers appends a chunk with the numbers xs.
func appendNumbers(b []byte, xs []float64) []byte {
	c, zeros, same := bytes1, 0, true
	for _, x := range xs {
		for !c.holds(x) {
			c++
		}
		if isZero(x) {
			zeros++
		}
		same = same && (math.Float64bits(x) == math.Float64bits(xs[0]) || x != x && xs[0] != xs[0])
	}
	switch stored := len(xs) - zeros; {
	case same && len(xs) > 0:
		return binary.LittleEndian.AppendUint64(append(b, byte(constant)), math.Float64bits(xs[0]))
	case (4+c.width())*stored+16 < c.width()*len(xs):
		return appendSparse(b, xs, stored)
	}
	return appendDense(append(b, byte(c)), c, xs)
}

func appendSparse(b []byte, xs []float64, stored int) []byte {
	b = binary.LittleEndian.AppendUint32(append(b, byte(sparse)), uint32(stored))
	values := make([]float64, 0, stored)
	for i, x := range xs {
		if !isZero(x) {
			b = binary.LittleEndian.AppendUint32(b, uint32(i))
			values = append(values, x)
		}
	}
	return appendNumbers(b, values)
}

func appendDense(b []byte, c coding, xs []float64) []byte {
	for _, x := range xs {
		switch c {
		case bytes1:
			b = append(b, byte(x))
		case bytes2:
			b = binary.LittleEndian.AppendUint16(b, uint16(int16(x)))
		case bytes4:
			b = binary.LittleEndian.AppendUint32(b, uint32(int32(x)))
		case floats4:
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(x)))
		case floats8:
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(x))
		}
	}
	return b
}

// errChunk is what is wrong with a chunk that no Writer made.
var errChunk = errors.New("a chunk does not hold what it declares")

// decodeNumbers stores the numbers of a chunk in dst.
func decodeNumbers(dst []float64, b []byte) error {
	if len(b) == 0 {
		return errChunk
	}
	c, b := coding(b[0]), b[1:]
	switch {
	case c == constant && len(b) == 8:
		x := math.Float64frombits(binary.LittleEndian.Uint64(b))
		for i := range dst {
			dst[i] = x
		}
		return nil
	case c == sparse:
		return decodeSparse(dst, b)
	case c > floats8 || c == constant || len(b) != c.width()*len(dst):
		return errChunk
	}
	decodeDense(dst, c, b)
	return nil
}

func decodeSparse(dst []float64, b []byte) error {
	if len(b) < 4 {
		return errChunk
	}
	stored := int(binary.LittleEndian.Uint32(b))
	if stored > len(dst) || len(b) < 4+4*stored {
		return errChunk
	}
	rows, values := b[4:4+4*stored], make([]float64, stored)
	if stored > 0 {
		if err := decodeNumbers(values, b[4+4*stored:]); err != nil {
			return err
		}
	}
	clear(dst)
	for k, x := range values {
		i := int(binary.LittleEndian.Uint32(rows[4*k:]))
		if i >= len(dst) {
			return errChunk
		}
		dst[i] = x
	}
	return nil
}

func decodeDense(dst []float64, c coding, b []byte) {
	switch c {
	case bytes1:
		for i := range dst {
			dst[i] = float64(b[i])
		}
	case bytes2:
		for i := range dst {
			dst[i] = float64(int16(binary.LittleEndian.Uint16(b[2*i:])))
		}
	case bytes4:
		for i := range dst {
			dst[i] = float64(int32(binary.LittleEndian.Uint32(b[4*i:])))
		}
	case floats4:
		for i := range dst {
			dst[i] = float64(math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:])))
		}
	case floats8:
		for i := range dst {
			dst[i] = math.Float64frombits(binary.LittleEndian.Uint64(b[8*i:]))
		}
	}
}
