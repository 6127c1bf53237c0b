package kernel

import (
	"context"

	"example.org/mercer/data"
)

// Reusable is a kernel bound to one set of points that keeps what other kernels on
// the same points would compute again: the squared distances of a grid over sigma,
// the inner products of a grid over degree.
//
// Reuse binds k to the same points. The Pairs it returns is always valid and has
// the bits that [Bind] would give; shared says whether it reads the stored part or
// had to be bound afresh, because k needs other statistics.
type Reusable[T any] interface {
	Pairs
	Reuse(k Kernel[T]) (p Pairs, shared bool)
}

// Storer is a [Family] that can store the statistics of an expression. Store returns
// nil where a part of k is not its own, or where it would keep more than maxBytes
// (0 means no limit). What it stores may come from the cache, which may be nil. It
// returns an error only when ctx ends.
type Storer[T any] interface {
	Family[T]
	Store(ctx context.Context, k Kernel[T], xs data.Set[T], maxBytes int64, cache TileCache) (Reusable[T], error)
}

// BindReusable binds k to the pairs of xs and stores, in at most maxBytes (0 means
// no limit), what kernels that differ from k in their parameters only can share.
// Where nothing can be stored it is [Bind], and every Reuse binds afresh. A cache that
// is not nil has the tiles of earlier runs, see [Cached].
func BindReusable[T any](ctx context.Context, k Kernel[T], xs data.Set[T], maxBytes int64, cache TileCache) (Reusable[T], error) {
	if s, ok := familyOf(k).(Storer[T]); ok {
		if r, err := s.Store(ctx, k, xs, maxBytes, cache); r != nil || err != nil {
			return r, err
		}
	}
	return afresh[T]{Pairs: Cached(Bind(k, xs, xs), cache), xs: xs, cache: cache}, nil
}

// afresh stores nothing.
type afresh[T any] struct {
	Pairs
	xs    data.Set[T]
	cache TileCache
}

func (a afresh[T]) Reuse(k Kernel[T]) (Pairs, bool) {
	return Cached(Bind(k, a.xs, a.xs), a.cache), false
}
