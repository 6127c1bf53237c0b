package kernel

// pairsWrapper is Pairs whose elements are elements of other Pairs: some rows and columns of them,
// or tiles that were kept. Its methods are the abilities that it can always have, because each of
// them can be asked of any Pairs: [Diag], [Cached], [Cost].
type pairsWrapper interface {
	Pairs
	Diagonal
	Composite
	Costed
}

// Wrap adds to a wrapper, Pairs that are [Diagonal], [Composite] and [Costed], the abilities that
// only some Pairs have: [Single] where tile32 is not nil, [Normed] where norms is not nil. A
// wrapper has them exactly where what it wraps has them, because others choose their way by asking
// for them; kerneltest.Forwards checks this.
func Wrap(w pairsWrapper, tile32 func(dst Tile32, row, col int), norms func(rows, cols []float64)) Pairs {
	switch {
	case tile32 != nil && norms != nil:
		return wrappedBoth{wrappedSingle{w, tile32}, norms}
	case tile32 != nil:
		return wrappedSingle{w, tile32}
	case norms != nil:
		return wrappedNormed{w, norms}
	}
	return w
}

// wrappedSingle is a wrapper with tiles in single precision.
type wrappedSingle struct {
	pairsWrapper
	tile32 func(dst Tile32, row, col int)
}

func (w wrappedSingle) Tile32(dst Tile32, row, col int) { w.tile32(dst, row, col) }

// wrappedNormed is a wrapper that knows k(x, x) of its points.
type wrappedNormed struct {
	pairsWrapper
	norms func(rows, cols []float64)
}

func (w wrappedNormed) Norms(rows, cols []float64) { w.norms(rows, cols) }

// wrappedBoth has both abilities.
type wrappedBoth struct {
	wrappedSingle
	norms func(rows, cols []float64)
}

func (w wrappedBoth) Norms(rows, cols []float64) { w.norms(rows, cols) }
