package simd

// Solve is a forward substitution L·X = B for Width right-hand sides at a time, as many
// as a tile of [Gemm] has columns. It is for orders as small as the tile has rows: below
// those a product takes off what is solved.
type Solve[F Float] struct {
	Level  Level
	Width  int
	kernel func(x *F, step int, t *F, n int)
}

// SolveAt returns the substitution of a level, which the machine must support.
func SolveAt[F Float](l Level) Solve[F] {
	if l == Portable {
		return Solve[F]{Level: Portable, Width: goCols}
	}
	return assembledSolve[F](l)
}

// Rows replaces the n rows of x, Width numbers each, by
//
//	xⱼ ← (xⱼ − Σ_{k<j} tⱼₖ·xₖ)·tⱼⱼ,  j = 0 … n−1,
//
// where t holds tⱼ₀ … tⱼⱼ for one j after the other: the rows of a lower triangle with
// the reciprocals of its diagonal. If backward, row 0 is the last of x, row 1 the one
// before, and so on. It panics if a slice is too short.
func (s Solve[F]) Rows(x []F, backward bool, t []F, n int) {
	if n <= 0 || len(x) < n*s.Width || len(t) < n*(n+1)/2 {
		panic("simd: solve: no rows, or short rows or a short triangle")
	}
	first, step := 0, s.Width
	if backward {
		first, step = (n-1)*s.Width, -s.Width
	}
	if s.kernel == nil {
		solveGo(x, first, step, t, n)
		return
	}
	s.kernel(&x[first], step, &t[0], n)
}

// solveGo is the twin of the substitutions in assembly, with a width of its own.
func solveGo[F Float](x []F, first, step int, t []F, n int) {
	for j := range n {
		row := x[first+j*step:][:goCols]
		for k, c := range t[:j] {
			for i, v := range x[first+k*step:][:goCols] {
				row[i] -= c * v
			}
		}
		for i := range row {
			row[i] *= t[j]
		}
		t = t[j+1:]
	}
}
