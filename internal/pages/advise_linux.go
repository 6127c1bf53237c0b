package pages

import (
	"os"

	"golang.org/x/sys/unix"
)

// advise asks for huge pages in the whole pages of b, which must be zeros, so that no neighbour on
// the heap is meant. Memory that the heap has used before was cleared, and so touched, page by
// small page; these go back, and what is read there next are zeros again. That the system has no
// huge pages, or gives none, is no error.
func advise(b []byte) {
	whole := aligned(b, os.Getpagesize())
	_ = unix.Madvise(whole, unix.MADV_DONTNEED)
	_ = unix.Madvise(whole, unix.MADV_HUGEPAGE)
}
