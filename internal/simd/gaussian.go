package simd

import "math"

// KeptShare is the part of the norms that s must have in [Gaussians32] to be free of doubt.
const KeptShare = 0.125

// Gaussians32 stores 2^−s of a few row points with all points of count column panels, which lie
// as [Panels32] wants them. With the norms rᵢ = ½‖aᵢ‖² and c_j = ½‖b_j‖² of the points,
//
//	s = (rᵢ + c_j) − Σₖ aᵢₖ b_jₖ = ½‖aᵢ − b_j‖²,
//
// summed as Panels does and rounded after each of the two operations, so that exchanging the points
// changes no bit. The power has a relative error of at most 2 units in the last place of 1 besides
// that of s; it is 1 where s is 0, 0 where s is far above the exponents of float32 and any number
// below the least normal one where s is near its end. NaN stays NaN.
//
// It returns whether every s ≥ (rᵢ + c_j)·[KeptShare]: where it returns false, some s
// has lost digits to cancellation. Norms must be finite.
func Gaussians32(dst []float32, stride int, a, b, rowNorms, colNorms []float32, d, count int) bool {
	return gaussiansOf(Best(), dst, stride, a, b, rowNorms, colNorms, d, count)
}

// leastGaussians is the smallest number of coordinates for which there are loops: they make a row
// of powers beside two coordinates, for eight rows.
const leastGaussians = 16

// gaussiansOf is Gaussians32 at a level.
func gaussiansOf(l Level, dst []float32, stride int, a, b, rowNorms, colNorms []float32, d, count int) bool {
	rows, width := len(rowNorms), PanelWidth32
	if rows == 0 || count <= 0 {
		return true
	}
	colNorms = colNorms[:count*width]
	if d >= leastGaussians && hasGaussians(l) {
		// The last elements that are touched, so that no assembly runs past a slice.
		_ = dst[(rows-1)*stride+count*width-1]
		_ = a[(d-1)*width+rows-1]
		_ = b[count*d*width-1]
		return gaussiansAt(l, dst, stride, a, b, rowNorms, colNorms, d, count)
	}
	panelsOf(l, Inner, dst, stride, rows, a, b, nil, d, count)
	fine := true
	for i, row := range rowNorms {
		values := dst[i*stride : i*stride+count*width]
		fine = gaussianFromInnerOf(l, values, values, colNorms, row) && fine
	}
	return fine
}

// GaussianFromInner32 does for one row what [Gaussians32] does, to the bit, from the inner products
// s of [Panels32]. dst and s may be the same slice but must not overlap otherwise. len(s)
// must be a multiple of [PanelWidth32].
func GaussianFromInner32(dst, s, colNorms []float32, row float32) bool {
	return gaussianFromInnerOf(Best(), dst, s, colNorms, row)
}

// gaussianFromInnerOf is GaussianFromInner32 at a level.
func gaussianFromInnerOf(l Level, dst, s, colNorms []float32, row float32) bool {
	if len(s)%PanelWidth32 != 0 {
		panic("simd: the length must be a multiple of the width of a panel")
	}
	return len(s) == 0 || gaussianFromInnerAt(l, dst[:len(s)], s, colNorms[:len(s)], row)
}

// gaussianFromInnerPlain is GaussianFromInner32 in plain Go.
func gaussianFromInnerPlain(dst, s, colNorms []float32, row float32) bool {
	fine := true
	for j, c := range colNorms {
		norms := row + c
		dst[j] = norms - s[j]
		fine = fine && dst[j] >= float32(KeptShare*norms)
	}
	exp32Plain(dst, dst, -math.Ln2)
	return fine
}
