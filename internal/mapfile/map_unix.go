//go:build unix

package mapfile

import (
	"fmt"
	"io"
	"math"
	"os"

	"golang.org/x/sys/unix"
)

// Private returns the content of an open file and a function that gives the memory
// back. The mapping is private: a write by mistake changes a copy of the page, not
// the file. What cannot be mapped, such as a pipe, is read.
func Private(f *os.File) ([]byte, func() error, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, nil, err
	}
	if !info.Mode().IsRegular() || info.Size() == 0 {
		raw, err := io.ReadAll(f)
		return raw, func() error { return nil }, err
	}
	return mapped(f, info.Size(), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE)
}

// Shared returns the content of an open regular file, for reading only, and a function
// that gives the memory back. A fault while it is read (the file became shorter, the
// disk failed) is a panic that can be recovered where debug.SetPanicOnFault is set. Other
// systems than Unix fail with [errors.ErrUnsupported].
func Shared(f *os.File) ([]byte, func() error, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, nil, err
	}
	if info.Size() == 0 {
		return nil, func() error { return nil }, nil
	}
	return mapped(f, info.Size(), unix.PROT_READ, unix.MAP_SHARED)
}

func mapped(f *os.File, size int64, protection, flags int) ([]byte, func() error, error) {
	if size > math.MaxInt {
		return nil, nil, fmt.Errorf("%d bytes are more than this machine can address", size)
	}
	raw, err := unix.Mmap(int(f.Fd()), 0, int(size), protection, flags)
	if err != nil {
		return nil, nil, err
	}
	return raw, func() error { return unix.Munmap(raw) }, nil
}
