package kernel

import "example.org/mercer/data"

// Identity is how tiles are recognised when they are computed again, by another process
// on another day. Two elements whose texts and points are the same have the same bits.
type Identity struct {
	// Text says what is computed of two points and how: the kernel or the statistic,
	// and the instructions that were chosen, where they change a bit.
	Text string
	// Rows and Cols return a digest of the content of the points from ≤ i < to, as the
	// computation sees them: preparation, selection and centring behind it. Cols is nil
	// where the column points are the row points. They are safe for concurrent use.
	Rows, Cols func(from, to int) [32]byte
	// Symmetric says that exchanging the two points of an element keeps its bits.
	Symmetric bool
	// Single says that all this holds of [Single] tiles, too.
	Single bool
}

// Identified is implemented by Pairs whose tiles are worth keeping: costly beside the
// reading of a number from memory. Identity returns false where a point has no content
// that can be told.
type Identified interface {
	Pairs
	Identity() (Identity, bool)
}

// Composite is implemented by Pairs that are made of others. CacheParts returns the same
// bound kernel with the parts that are worth it behind the keeper.
type Composite interface {
	Pairs
	CacheParts(k TileCache) Pairs
}

// TileCache keeps tiles of bound kernels for other computations. Keep returns p itself or
// Pairs with the same bits and abilities; see example.org/mercer/gram/store.
type TileCache interface {
	Keep(p Identified) Pairs
}

// Keep puts a bound kernel, or the parts of it that are worth it, behind a keeper. It
// returns p where there is no keeper (nil), or nothing to be kept.
func Keep(p Pairs, k TileCache) Pairs {
	if k == nil {
		return p
	}
	switch p := p.(type) {
	case Composite:
		return p.CacheParts(k)
	case Identified:
		return k.Keep(p)
	}
	return p
}

// Identity is that of the expression, on points whose content can be told; see
// [data.Digest].
func (p pointwise[T]) Identity() (Identity, bool) {
	rows, cols := data.Digest(p.rows), data.Digest(p.cols)
	if rows == nil || cols == nil {
		return Identity{}, false
	}
	return Identity{Text: "kernel " + p.k.String(), Rows: rows, Cols: cols}, true
}

// CacheParts keeps the parts of a combination one by one, so that other combinations
// find them.
func (c *combined[T]) CacheParts(k TileCache) Pairs {
	kept := &combined[T]{of: c.of, parts: make([]Pairs, len(c.parts)), rows: c.rows, cols: c.cols, scratch: c.scratch}
	for i, part := range c.parts {
		kept.parts[i] = Keep(part, k)
	}
	return kept
}

// CacheParts keeps what is normalised.
func (p *normalized) CacheParts(k TileCache) Pairs {
	kept := *p
	kept.of = Keep(p.of, k)
	return &kept
}

// CacheParts keeps what is multiplied by the factors.
func (p *conformal) CacheParts(k TileCache) Pairs {
	kept := *p
	kept.of = Keep(p.of, k)
	return &kept
}
