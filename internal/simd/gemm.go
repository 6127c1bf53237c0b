package simd

// Gemm is a microkernel of the product of matrices of float32 or float64: it computes one tile of
// Rows×Cols numbers from a panel of each factor,
//
//	c[i*ldc+j] = Σ_p a[p*Rows+i]·b[p*Cols+j]  (+ what it was),  0 ≤ p < k,
//
// with the sum taken from zero in ascending p and then added to C. An element's bits
// depend on nothing but its row of a, its column of b, and the level.
type Gemm[F Float] struct {
	Level      Level
	Rows, Cols int
	kernel     func(c *F, ldc int, a, b *F, k, add int)
	strided    func(c *F, ldc int, a *F, rs, cs int, b *F, k, add int)
}

// GemmAt returns the microkernel of a level, which the machine must support.
func GemmAt[F Float](l Level) Gemm[F] {
	if l == Portable {
		return Gemm[F]{Level: Portable, Rows: goRows, Cols: goCols}
	}
	return assembledGemm[F](l)
}

// Tile computes the tile c, adding to what it holds or replacing it. c does not overlap
// the panels. It panics if a slice is too short.
func (g Gemm[F]) Tile(c []F, ldc int, a, b []F, k int, add bool) {
	if k <= 0 || ldc < g.Cols || len(a) < k*g.Rows || len(b) < k*g.Cols || len(c) < (g.Rows-1)*ldc+g.Cols {
		panic("simd: gemm: empty or short panels, or a short tile")
	}
	if g.kernel == nil {
		gemmGo(c, ldc, a[:k*goRows], b[:k*goCols], add)
		return
	}
	flag := 0
	if add {
		flag = 1
	}
	g.kernel(&c[0], ldc, &a[0], &b[0], k, flag)
}

// Strided is [Gemm.Tile] with a left factor that need not be packed: a[i*rs+p*cs] is its
// element of row i and step p. The bits are the same.
func (g Gemm[F]) Strided(c []F, ldc int, a []F, rs, cs int, b []F, k int, add bool) {
	if k <= 0 || ldc < g.Cols || rs < 0 || cs < 0 || len(a) <= (g.Rows-1)*rs+(k-1)*cs || len(b) < k*g.Cols || len(c) < (g.Rows-1)*ldc+g.Cols {
		panic("simd: gemm: an empty or short factor, or a short tile")
	}
	if g.strided == nil {
		stridedGo(c, ldc, a, rs, cs, b[:k*goCols], add)
		return
	}
	flag := 0
	if add {
		flag = 1
	}
	g.strided(&c[0], ldc, &a[0], rs, cs, &b[0], k, flag)
}

// goRows and goCols are the tile of gemmGo, whose numbers all fit in 16 registers.
const (
	goRows = 2
	goCols = 4
)

// gemmGo is the twin of the microkernels in assembly, with a tile of its own.
func gemmGo[F Float](c []F, ldc int, a, b []F, add bool) {
	var c00, c01, c02, c03, c10, c11, c12, c13 F
	for len(a) >= goRows && len(b) >= goCols {
		a0, a1 := a[0], a[1]
		b0, b1, b2, b3 := b[0], b[1], b[2], b[3]
		c00 += a0 * b0
		c01 += a0 * b1
		c02 += a0 * b2
		c03 += a0 * b3
		c10 += a1 * b0
		c11 += a1 * b1
		c12 += a1 * b2
		c13 += a1 * b3
		a, b = a[goRows:], b[goCols:]
	}
	r0, r1 := c[:goCols], c[ldc:ldc+goCols]
	if add {
		r0[0] += c00
		r0[1] += c01
		r0[2] += c02
		r0[3] += c03
		r1[0] += c10
		r1[1] += c11
		r1[2] += c12
		r1[3] += c13
		return
	}
	r0[0], r0[1], r0[2], r0[3] = c00, c01, c02, c03
	r1[0], r1[1], r1[2], r1[3] = c10, c11, c12, c13
}

// stridedGo packs the left factor for [gemmGo].
func stridedGo[F Float](c []F, ldc int, a []F, rs, cs int, b []F, add bool) {
	panel := make([]F, 0, 512)
	for p := range len(b) / goCols {
		for i := range goRows {
			panel = append(panel, a[i*rs+p*cs])
		}
	}
	gemmGo(c, ldc, panel, b, add)
}
