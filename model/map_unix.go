//go:build unix

package model

import (
	"fmt"
	"io"
	"math"
	"os"

	"golang.org/x/sys/unix"
)

// mapFile returns the content of an open file and a function that gives the memory
// back. The mapping is private: a write by mistake changes a copy of the page, not
// the file. What cannot be mapped, such as a pipe, is read.
func mapFile(f *os.File) ([]byte, func() error, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, nil, err
	}
	size := info.Size()
	if !info.Mode().IsRegular() || size == 0 {
		raw, err := io.ReadAll(f)
		return raw, func() error { return nil }, err
	}
	if size > math.MaxInt {
		return nil, nil, fmt.Errorf("%d bytes are more than this machine can address", size)
	}
	raw, err := unix.Mmap(int(f.Fd()), 0, int(size), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE)
	if err != nil {
		return nil, nil, err
	}
	return raw, func() error { return unix.Munmap(raw) }, nil
}
