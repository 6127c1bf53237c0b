package simd

// Of paired points the last two of every four coordinates make one product (Winograd, IEEE Trans.
// Computers C-17, 1968):
//
//	x₃y₃ + x₄y₄ = (x₃ + y₄)(x₄ + y₃) − x₃x₄ − y₃y₄.
//
// That is a multiplication and two additions in place of two multiplications, and additions have
// units of their own. What is taken off depends on one point alone, and is put into its norm. With
//
//	r = ½‖x‖² + Σ x₃x₄ ≥ 0,  c = ½‖y‖² + Σ y₃y₄ ≥ 0,
//	s = (r + c) − (Σ x₁y₁ + x₂y₂ + (x₃ + y₄)(x₄ + y₃)) = ½‖x − y‖²,
//
// the terms of the sum have at most the size 2N in all, N = ½‖x‖² + ½‖y‖², and so has r + c. With
// q = d − ⌊d/4⌋ terms s has an error of at most
//
//	4uN for the additions, 2quN for the sum, 4uN for the norms, and us,
//
// no more than (2d + 3)uN + us from d = 16 on.
//
// Every operation is symmetric: exchanging the points changes no bit.

// pairedUnit is the number of coordinates of which the last two are a pair.
const pairedUnit = 4

// HasPairs reports whether there are loops for paired points of d coordinates.
func HasPairs(d int) bool { return d >= leastGaussians && hasGaussians(Best()) }

// PairedNorms are the norms of the points in panels as [PairedGaussians32] wants them: of every
// panel first r of its points, and then the least s that is free of doubt for each,
// ½‖x‖²·[KeptShare].
type PairedNorms []float32

// MakePairedNorms has room for count panels.
func MakePairedNorms(count int) PairedNorms { return make(PairedNorms, 2*count*PanelWidth32) }

// Of returns the norms from the panel of point i on, cut so that the point is in lane 0.
func (p PairedNorms) Of(i int) PairedNorms { return p[i/PanelWidth32*2*PanelWidth32+i%PanelWidth32:] }

// Set stores the norms of the point whose coordinates are lane[0], lane[PanelWidth32], …
func (p PairedNorms) Set(i int, lane []float32, d int) {
	half, pairs := 0.0, 0.0
	for k := range d {
		v := float64(lane[k*PanelWidth32])
		half += v * v / 2
		if k%pairedUnit == pairedUnit-1 {
			pairs += v * float64(lane[(k-1)*PanelWidth32])
		}
	}
	of := p.Of(i)
	of[0], of[PanelWidth32] = float32(half+pairs), float32(KeptShare*half)
}

// Doubtful reports whether the half square s of the points in lane 0 of rows and lane j of cols may
// have lost digits to cancellation.
func (p PairedNorms) Doubtful(cols PairedNorms, j int, s float32) bool {
	return !(s >= p[PanelWidth32]+cols.Of(j)[PanelWidth32])
}

// PairedGaussians32 is [Gaussians32] of paired points, where [HasPairs]. rows are the norms of the
// row points. It returns whether no s is doubtful.
func PairedGaussians32(dst []float32, stride int, a, b []float32, rows, cols PairedNorms, height, d, count int) bool {
	if height == 0 || count <= 0 {
		return true
	}
	checkPaired(dst, stride, a, b, rows, cols, height, d, count)
	return pairedGaussians(dst, stride, a, b, rows, cols, height, d, count)
}

// PairedHalfSquares32 stores s of one row point, with the bits that it has there.
func PairedHalfSquares32(dst, a, b []float32, row, cols PairedNorms, d, count int) {
	if count > 0 {
		checkPaired(dst, 0, a, b, row, cols, 1, d, count)
		pairedHalfSquares(dst, a, b, row, cols, d, count)
	}
}

// checkPaired touches the last elements of all, so that no assembly runs past a slice.
func checkPaired(dst []float32, stride int, a, b []float32, rows, cols PairedNorms, height, d, count int) {
	const width = PanelWidth32
	if !HasPairs(d) {
		panic("simd: there are no loops for these paired points")
	}
	_ = dst[(height-1)*stride+count*width-1]
	_ = a[(d-1)*width+height-1]
	_ = b[count*d*width-1]
	_ = rows[width+height-1]
	_ = cols[2*count*width-1]
}

// pairedHalfSquaresPlain is PairedHalfSquares32 in plain Go, with every operation rounded.
func pairedHalfSquaresPlain(dst, a, b []float32, row, cols PairedNorms, d, count int) {
	const width = PanelWidth32
	for j := range count * width {
		y := b[j/width*d*width+j%width:]
		sum := float32(0)
		for k := 0; k < d; k++ {
			x1, y1 := a[k*width], y[k*width]
			if k%pairedUnit == 2 && k+1 < d {
				x2, y2 := a[(k+1)*width], y[(k+1)*width]
				k++
				sum += float32(float32(x1+y2) * float32(x2+y1))
				continue
			}
			sum += float32(x1 * y1)
		}
		dst[j] = float32(row[0]+cols.Of(j)[0]) - sum
	}
}
