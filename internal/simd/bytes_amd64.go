//go:build amd64 && !purego && !noasm

package simd

import "golang.org/x/sys/cpu"

func hasBytes(l Level) bool { return l == AVX512 && cpu.X86.HasAVX512VNNI }

// bytesLoop is [InnerBytes] for a fixed number of rows: 1, 2, 4, 8.
type bytesLoop func(dst *float64, stride int, a, b *uint64, index *int32, n, size, count int)

var bytesLoops = []bytesLoop{bytesInnerAVX512x1, bytesInnerAVX512x2, bytesInnerAVX512x4, bytesInnerAVX512x8}

// innerBytesAt runs the assembly on as many rows at a time as it has a loop for.
func innerBytesAt(l Level, dst []float64, stride, rows int, a, b []uint64, index []int32, size, count int) {
	if !hasBytes(l) {
		innerBytesPlain(dst, stride, rows, a, b, index, size, count)
		return
	}
	for i := 0; i < rows; {
		n := mostRows(len(bytesLoops), rows-i)
		bytesLoops[n](&dst[i*stride], stride, &a[i], &b[0], &index[0], len(index), size, count)
		i += 1 << n
	}
}
