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

// Identified is implemented by Pairs whose tiles are worth keeping: costly beside reading a number
// from memory. Identity returns false where a point has no content that can be told.
type Identified interface {
	Pairs
	Identity() (Identity, bool)
}

// Composite is implemented by Pairs that are made of others. CacheParts returns the same
// bound kernel, whose costly parts have their tiles in the cache.
type Composite interface {
	Pairs
	CacheParts(k TileCache) Pairs
}

// TileCache keeps tiles of bound kernels for other computations. Cached returns Pairs with the same
// bits and abilities, which read the tiles that the cache has; or p itself, where there is nothing
// to gain. See example.org/mercer/gram/store.
type TileCache interface {
	Cached(p Identified) Pairs
}

// Cached returns a bound kernel whose tiles, or those of its parts, are in a cache: p itself
// where there is no cache (nil), or where its tiles cost less than reading them.
func Cached(p Pairs, k TileCache) Pairs {
	if k == nil {
		return p
	}
	switch p := p.(type) {
	case Composite:
		return p.CacheParts(k)
	case Identified:
		return k.Cached(p)
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

// CacheParts caches the parts of a combination one by one, so that other combinations
// find them.
func (c *combined[T]) CacheParts(k TileCache) Pairs {
	cached := &combined[T]{of: c.of, parts: make([]Pairs, len(c.parts)), rows: c.rows, cols: c.cols, scratch: c.scratch}
	for i, part := range c.parts {
		cached.parts[i] = Cached(part, k)
	}
	return cached
}

// CacheParts caches what is normalised.
func (p *normalized) CacheParts(k TileCache) Pairs {
	cached := *p
	cached.of = Cached(p.of, k)
	return &cached
}

// CacheParts caches what is multiplied by the factors.
func (p *conformal) CacheParts(k TileCache) Pairs {
	cached := *p
	cached.of = Cached(p.of, k)
	return &cached
}
