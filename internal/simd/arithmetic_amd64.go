//go:build amd64 && !purego && !noasm

package simd

// arithmeticLoops are the loops of a level.
type arithmeticLoops[F Float] struct {
	affine               func(dst, x *F, n int, scale, shift F)
	sum, product, larger func(dst, s, t *F, n int)
	powers               func(dst, x *F, n, power int)
}

// arithmeticTable holds them for all levels; those of Go are nil.
type arithmeticTable[F Float] [AVX512 + 1]arithmeticLoops[F]

// arithmeticOf returns the loops of a level for n elements, or nil where Go is asked for
// or there is nothing to do.
func arithmeticOf[F Float](l Level, n int) *arithmeticLoops[F] {
	if l == Portable || n == 0 {
		return nil
	}
	if t, ok := any(&arithmetic64).(*arithmeticTable[F]); ok {
		return &t[l]
	}
	return &any(&arithmetic32).(*arithmeticTable[F])[l]
}

var arithmetic64 = arithmeticTable[float64]{
	AVX2:   {affine: affineAVX2, sum: sumAVX2, product: productAVX2, larger: largerAVX2, powers: powersAVX2},
	AVX512: {affine: affineAVX512, sum: sumAVX512, product: productAVX512, larger: largerAVX512, powers: powersAVX512},
}

var arithmetic32 = arithmeticTable[float32]{
	AVX2:   {affine: affine32AVX2, sum: sum32AVX2, product: product32AVX2, larger: larger32AVX2, powers: powers32AVX2},
	AVX512: {affine: affine32AVX512, sum: sum32AVX512, product: product32AVX512, larger: larger32AVX512, powers: powers32AVX512},
}

func affineAt[F Float](l Level, dst, x []F, scale, shift F) {
	if loops := arithmeticOf[F](l, len(x)); loops != nil {
		loops.affine(&dst[0], &x[0], len(x), scale, shift)
		return
	}
	affinePlain(dst, x, scale, shift)
}

func addAt[F Float](l Level, dst, s, t []F) {
	if loops := arithmeticOf[F](l, len(s)); loops != nil {
		loops.sum(&dst[0], &s[0], &t[0], len(s))
		return
	}
	addPlain(dst, s, t)
}

func multiplyAt[F Float](l Level, dst, s, t []F) {
	if loops := arithmeticOf[F](l, len(s)); loops != nil {
		loops.product(&dst[0], &s[0], &t[0], len(s))
		return
	}
	multiplyPlain(dst, s, t)
}

func largerAt[F Float](l Level, dst, s, t []F) {
	if loops := arithmeticOf[F](l, len(s)); loops != nil {
		loops.larger(&dst[0], &s[0], &t[0], len(s))
		return
	}
	largerPlain(dst, s, t)
}

func powersAt[F Float](l Level, dst, x []F, n int) {
	if loops := arithmeticOf[F](l, len(x)); loops != nil {
		loops.powers(&dst[0], &x[0], len(x), n)
		return
	}
	powersPlain(dst, x, n)
}
