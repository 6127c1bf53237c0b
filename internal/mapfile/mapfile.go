// Package mapfile maps files into memory and reads memory as numbers, for model files ([Private])
// and for the store of tiles ([Shared]).
package mapfile

import (
	"encoding/binary"
	"unsafe"
)

// Number is an element that takes part in views.
type Number interface{ float64 | float32 | int64 }

// littleEndian says that memory holds numbers as files do.
var littleEndian = binary.NativeEndian.Uint16([]byte{1, 0}) == 1

// Bytes returns the little-endian bytes of x: the same memory where that is the order
// of this machine, a copy elsewhere.
func Bytes[E Number](x []E) []byte {
	if len(x) == 0 {
		return nil
	}
	if littleEndian {
		return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(x))), len(x)*int(unsafe.Sizeof(x[0])))
	}
	b, _ := binary.Append(nil, binary.LittleEndian, x) // cannot fail on numbers
	return b
}

// Numbers is the inverse of [Bytes]: the numbers that fit into b, as a view where b is
// aligned and in the order of this machine, copied elsewhere.
func Numbers[E Number](b []byte) []E {
	var one E
	size := int(unsafe.Sizeof(one))
	n := len(b) / size
	if n == 0 {
		return nil
	}
	start := unsafe.Pointer(unsafe.SliceData(b))
	if littleEndian && uintptr(start)%uintptr(size) == 0 {
		return unsafe.Slice((*E)(start), n)
	}
	x := make([]E, n)
	_, _ = binary.Decode(b, binary.LittleEndian, x) // b is long enough
	return x
}
