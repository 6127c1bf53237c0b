package pages

import "unsafe"

// Borrow returns n zeros as [Make] does, outside of the Go heap, and a function that
// gives them back to the system at once; the slice must not be touched afterwards. It is
// for matrices of gibibytes that live as long as one call: on the heap the collector
// would let as much garbage pile up beside one, and keep its memory for a while after its
// end. Small slices, and those of systems that cannot, are of the heap.
func Borrow[F Float](n int) (s []F, giveBack func()) {
	var one F
	size := n * int(unsafe.Sizeof(one))
	if size >= large {
		if b := reserve(size); b != nil {
			advise(b)
			return unsafe.Slice((*F)(unsafe.Pointer(unsafe.SliceData(b))), n), func() { release(b) }
		}
	}
	return Make[F](n), func() {}
}
