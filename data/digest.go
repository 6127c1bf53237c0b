package data

import (
	"crypto/sha256"
	"encoding"
	"encoding/binary"
	"math"
)

// Digest returns a function that gives the SHA-256 of the content of the points
// from ≤ i < to, the same for equal points in equal order wherever and whenever they
// are digested. It returns nil where the content of a point is unknown: points are
// numbers, strings, vectors, sparse vectors, or types with [encoding.BinaryMarshaler].
func Digest[T any](xs Set[T]) func(from, to int) [sha256.Size]byte {
	for i := range xs.Len() {
		if _, ok := appendContent(nil, xs.At(i)); !ok {
			return nil
		}
	}
	return func(from, to int) [sha256.Size]byte {
		sum, buffer := sha256.New(), binary.LittleEndian.AppendUint64(nil, uint64(to-from))
		for i := from; i < to; i++ {
			sum.Write(buffer)
			buffer, _ = appendContent(buffer[:0], xs.At(i))
		}
		sum.Write(buffer)
		return [sha256.Size]byte(sum.Sum(nil))
	}
}

// appendContent appends the type and the content of a point, from which it could be
// read back, or reports that it does not know how.
func appendContent(b []byte, point any) ([]byte, bool) {
	switch x := point.(type) {
	case []float64:
		b = binary.LittleEndian.AppendUint64(append(b, 'v'), uint64(len(x)))
		for _, v := range x {
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
		}
	case float64:
		b = binary.LittleEndian.AppendUint64(append(b, 'f'), math.Float64bits(x))
	case int:
		b = binary.LittleEndian.AppendUint64(append(b, 'i'), uint64(x))
	case string:
		b = binary.LittleEndian.AppendUint64(append(b, 's'), uint64(len(x)))
		b = append(b, x...)
	case SparseVector:
		b = binary.LittleEndian.AppendUint64(append(b, 'p'), uint64(len(x.Index)))
		for k, j := range x.Index {
			b = binary.LittleEndian.AppendUint32(b, uint32(j))
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(x.Value[k]))
		}
	case encoding.BinaryMarshaler:
		content, err := x.MarshalBinary()
		if err != nil {
			return nil, false
		}
		b = binary.LittleEndian.AppendUint64(append(b, 'm'), uint64(len(content)))
		b = append(b, content...)
	default:
		return nil, false
	}
	return b, true
}
