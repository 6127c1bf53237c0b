package simd

// Transpose stores scale times the transpose of a rows×cols matrix,
//
//	dst[j*to+i] = scale·src[i*from+j],  0 ≤ i < rows, 0 ≤ j < cols,
//
// where from and to are the numbers from row to row. dst and src do not overlap. It
// panics if a slice is too short.
func Transpose[F Float](dst []F, to int, src []F, from, rows, cols int, scale F) {
	transposeAt(Best(), dst, to, src, from, rows, cols, scale)
}

// transposition is the assembly of Transpose: for order rows and a number of columns
// that is a multiple of order.
type transposition[F Float] struct {
	order  int
	kernel func(dst *F, to int, src *F, from, cols int, scale F)
}

// transposeAt is [Transpose] at a level.
func transposeAt[F Float](l Level, dst []F, to int, src []F, from, rows, cols int, scale F) {
	if rows <= 0 || cols <= 0 {
		return
	}
	if from < cols || to < rows || len(src) < (rows-1)*from+cols || len(dst) < (cols-1)*to+rows {
		panic("simd: transpose: short matrices or rows")
	}
	if l == Portable {
		transposePlain(dst, to, src, from, rows, cols, scale)
		return
	}
	by := assembledTransposition[F](l)
	i, whole := 0, cols/by.order*by.order
	if whole > 0 {
		for ; i+by.order <= rows; i += by.order {
			by.kernel(&dst[i], to, &src[i*from], from, whole, scale)
		}
	}
	if whole < cols && i > 0 {
		transposePlain(dst[whole*to:], to, src[whole:], from, i, cols-whole, scale)
	}
	if i < rows {
		transposePlain(dst[i:], to, src[i*from:], from, rows-i, cols, scale)
	}
}

// transposePlain is [Transpose] in plain Go. It reads eight rows at a time, so that it
// writes lines of the cache and not single numbers.
func transposePlain[F Float](dst []F, to int, src []F, from, rows, cols int, scale F) {
	i := 0
	for ; i+8 <= rows; i += 8 {
		r0, r1 := src[i*from:][:cols], src[(i+1)*from:][:cols]
		r2, r3 := src[(i+2)*from:][:cols], src[(i+3)*from:][:cols]
		r4, r5 := src[(i+4)*from:][:cols], src[(i+5)*from:][:cols]
		r6, r7 := src[(i+6)*from:][:cols], src[(i+7)*from:][:cols]
		for j := range r0 {
			d := (*[8]F)(dst[j*to+i:])
			d[0], d[1], d[2], d[3] = scale*r0[j], scale*r1[j], scale*r2[j], scale*r3[j]
			d[4], d[5], d[6], d[7] = scale*r4[j], scale*r5[j], scale*r6[j], scale*r7[j]
		}
	}
	for ; i < rows; i++ {
		for j, v := range src[i*from:][:cols] {
			dst[j*to+i] = scale * v
		}
	}
}
