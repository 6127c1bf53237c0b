//go:build !unix

package model

import (
	"io"
	"os"
)

// mapFile returns the content of an open file, read into memory, and a function that
// has nothing to give back.
func mapFile(f *os.File) ([]byte, func() error, error) {
	raw, err := io.ReadAll(f)
	return raw, func() error { return nil }, err
}
