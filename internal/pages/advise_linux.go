package pages

import (
	"os"

	"golang.org/x/sys/unix"
)

// advise asks for huge pages in the whole pages of b, so that no neighbour on the heap
// is meant. That the system has none, or gives none, is no error.
func advise(b []byte) {
	_ = unix.Madvise(aligned(b, os.Getpagesize()), unix.MADV_HUGEPAGE)
}
