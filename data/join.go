package data

import "fmt"

// Joiner is a Set that joins another of its kind in its own way, such as one that is stored
// by columns.
type Joiner[T any] interface {
	Set[T]
	Join(other Set[T]) (Set[T], error)
}

// Join returns the points of a and then those of b. Dense vectors get fresh contiguous
// storage and must have as many coordinates, a [Joiner] does as it likes, everything else
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
