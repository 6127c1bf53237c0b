// Package pages allocates the large matrices: slices whose memory the system is asked to
// provide in huge pages, of the Go heap or, for the time of one call, outside of it.
//
// The first touch of fresh memory is a page fault, and with pages of 4 KiB it costs
// more than computing what is stored there. Where the system lets programs ask for
// huge pages (Linux with transparent_hugepage set to madvise or always), [Make] asks;
// elsewhere it is make.
package pages

import "unsafe"

// large is the size in bytes from which asking pays: two huge pages of 2 MiB, of
// which an allocation of that size is sure to contain one.
const large = 4 << 20

// Float is what large matrices hold.
type Float interface{ float32 | float64 }

// Make returns n zeros as make([]F, n) does, and has the memory of the collector: it
// is an ordinary slice that is freed like any other. Nothing is touched: each page
// is provided when it is first written, by the worker that writes it.
func Make[F Float](n int) []F {
	s := make([]F, n)
	if bytes := memory(s); len(bytes) >= large {
		advise(bytes)
	}
	return s
}

// MakeOffHeap returns n zeros as [Make] does, outside of the Go heap, and a function that
// gives them back to the system at once; the slice must not be touched afterwards. It is
// for matrices of gibibytes that live as long as one call: on the heap the collector
// would let as much garbage pile up beside one, and keep its memory for a while after its
// end. Small slices, and those of systems that cannot, are of the heap.
func MakeOffHeap[F Float](n int) (s []F, giveBack func()) {
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

// memory returns the bytes behind s.
func memory[F Float](s []F) []byte {
	var one F
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), len(s)*int(unsafe.Sizeof(one)))
}

// aligned returns the part of b that consists of whole pages.
func aligned(b []byte, page int) []byte {
	first := -int(uintptr(unsafe.Pointer(unsafe.SliceData(b)))) & (page - 1)
	if len(b) < first {
		return nil
	}
	return b[first : first+(len(b)-first)&^(page-1)]
}
