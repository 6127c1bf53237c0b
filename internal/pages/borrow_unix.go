//go:build unix

package pages

import "golang.org/x/sys/unix"

// reserve returns n bytes of zeros that the collector knows nothing of, or nil.
func reserve(n int) []byte {
	b, err := unix.Mmap(-1, 0, n, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		return nil
	}
	return b
}

// release gives back what reserve returned.
func release(b []byte) { _ = unix.Munmap(b) }
