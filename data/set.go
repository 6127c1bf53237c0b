package data

import "fmt"

// Set is an ordered, fixed collection of points. At must be cheap, safe for
// concurrent use, and return the same point for the same index every time.
type Set[T any] interface {
	Len() int
	At(i int) T
}

// Rows are dense vectors of one length: [Vectors], or such as are read from a file ([Runner]).
type Rows interface {
	Set[[]float64]
	Dim() int
}

// Slice is the plainest Set: a Go slice.
type Slice[T any] []T

// Len returns the number of points.
func (s Slice[T]) Len() int { return len(s) }

// At returns point i.
func (s Slice[T]) At(i int) T { return s[i] }

// subset is a view of chosen points of another set.
type subset[T any] struct {
	of    Set[T]
	index []int
}

func (s subset[T]) Len() int   { return len(s.index) }
func (s subset[T]) At(i int) T { return s.of.At(s.index[i]) }

// Gatherer is a Set that makes a subset in its own way, such as one that is stored by
// columns.
type Gatherer[T any] interface {
	Set[T]
	Subset(index []int) Set[T]
}

// Subset returns the points of s at the given indices, in that order; an index may
// repeat. Dense vectors are gathered into fresh contiguous storage, a [Gatherer] by its own method,
// everything else is a view.
func Subset[T any](s Set[T], index []int) Set[T] {
	if v, ok := any(s).(Vectors); ok {
		return any(v.Gather(index)).(Set[T])
	}
	if g, ok := s.(Gatherer[T]); ok {
		return g.Subset(index)
	}
	return subset[T]{of: s, index: index}
}

// Parted is a Set whose points are somewhere else, such as in a file, and of which some can be left
// there.
type Parted[T any] interface {
	Set[T]
	// Part returns the points at the given indices, which ascend.
	Part(index []int) Set[T]
}

// Part returns the points of s at the given indices, which ascend, where they are: those of a
// [Parted] are not gathered. Of any other set it is [Subset].
func Part[T any](s Set[T], index []int) Set[T] {
	if p, ok := s.(Parted[T]); ok {
		return p.Part(index)
	}
	return Subset(s, index)
}

// Runner is a Set that makes a run of its points in its own way, such as one that reads them
// from a file.
type Runner[T any] interface {
	Set[T]
	Run(from, to int) Set[T]
}

// run is a view of consecutive points of another set.
type run[T any] struct {
	of          Set[T]
	from, count int
}

func (r run[T]) Len() int   { return r.count }
func (r run[T]) At(i int) T { return r.of.At(r.from + i) }

// Run returns the points from ≤ i < to of s: dense vectors and slices without a copy, as
// [Subset] does where a [Gatherer] wants its own way, and as a [Runner] likes.
func Run[T any](s Set[T], from, to int) Set[T] {
	switch v := any(s).(type) {
	case Vectors:
		return any(Vectors{n: to - from, d: v.d, x: v.x[from*v.d : to*v.d]}).(Set[T])
	case Slice[T]:
		return v[from:to]
	case Runner[T]:
		return v.Run(from, to)
	case Gatherer[T]:
		index := make([]int, to-from)
		for i := range index {
			index[i] = from + i
		}
		return v.Subset(index)
	}
	return run[T]{of: s, from: from, count: to - from}
}

// SameSlices reports whether two sets hold the very same slices in the same order.
func SameSlices[E any](a, b Set[[]E]) bool {
	if a.Len() != b.Len() {
		return false
	}
	for i := range a.Len() {
		x, y := a.At(i), b.At(i)
		if len(x) != len(y) || len(x) > 0 && &x[0] != &y[0] {
			return false
		}
	}
	return true
}

// Joiner is a Set that joins another of its kind in its own way, such as one that is stored
// by columns.
type Joiner[T any] interface {
	Set[T]
	Join(other Set[T]) (Set[T], error)
}

// Join returns the points of a and then those of b. Dense vectors get fresh contiguous
// storage and must have as many coordinates, a [Joiner] by its own method, everything else
// becomes a slice of the same points.
func Join[T any](a, b Set[T]) (Set[T], error) {
	if v, ok := any(a).(Vectors); ok {
		w, ok := any(b).(Vectors)
		if !ok || v.d != w.d {
			return nil, fmt.Errorf("data: vectors of %d coordinates cannot be joined by a %T", v.d, b)
		}
		return any(Vectors{n: v.n + w.n, d: v.d, x: joined(v.x, w.x)}).(Set[T]), nil
	}
	if j, ok := a.(Joiner[T]); ok {
		return j.Join(b)
	}
	out := make(Slice[T], 0, a.Len()+b.Len())
	for _, s := range []Set[T]{a, b} {
		for i := range s.Len() {
			out = append(out, s.At(i))
		}
	}
	return out, nil
}
