//go:build !unix

package mapfile

import (
	"errors"
	"io"
	"os"
)

// Private returns the content of an open file, read into memory, and a function that
// has nothing to give back.
func Private(f *os.File) ([]byte, func() error, error) {
	raw, err := io.ReadAll(f)
	return raw, func() error { return nil }, err
}

// Shared fails with [errors.ErrUnsupported]: the caller reads what it needs instead.
func Shared(*os.File) ([]byte, func() error, error) { return nil, nil, errors.ErrUnsupported }
