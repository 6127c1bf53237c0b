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

func hasCounts(l Level) bool { return l == AVX512 && cpu.X86.HasAVX512VPOPCNTDQ }

// countLoop is [CountProfile] for a fixed number of rows: 1, 2, 4, 8.
type countLoop[F Float] func(dst *F, stride int, a, b *float64, size, count int, table *F)

var (
	countLoops   = []countLoop[float64]{countProfileAVX512x1, countProfileAVX512x2, countProfileAVX512x4, countProfileAVX512x8}
	countLoops32 = []countLoop[float32]{countProfile32AVX512x1, countProfile32AVX512x2, countProfile32AVX512x4, countProfile32AVX512x8}
	// countedLoops are those of [Common].
	countedLoops = []panelLoop[float64]{countedAVX512x1, countedAVX512x2, countedAVX512x4, countedAVX512x8}
)

// countProfileAt runs the assembly on as many rows at a time as it has a loop for.
func countProfileAt[F Float](l Level, dst []F, stride, rows int, a, b []float64, size, count int, table *[Counts]F) {
	if !hasCounts(l) {
		countProfilePlain(dst, stride, rows, a, b, size, count, table)
		return
	}
	loops, ok := any(countLoops).([]countLoop[F])
	if !ok {
		loops = any(countLoops32).([]countLoop[F])
	}
	for i := 0; i < rows; {
		n := mostRows(len(loops), rows-i)
		loops[n](&dst[i*stride], stride, &a[i], &b[0], size, count, &table[0])
		i += 1 << n
	}
}
