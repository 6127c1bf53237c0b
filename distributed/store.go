package distributed

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"example.org/mercer/data/open"
	"example.org/mercer/internal/atomicfile"
)

// Store keeps files that the driver and all workers see. Names are digests, so that a file never
// changes.
type Store interface {
	// Read returns a file; the error wraps [fs.ErrNotExist] where it is not there.
	Read(ctx context.Context, name string) ([]byte, error)
	// Write writes a file as a whole, or not at all.
	Write(ctx context.Context, name string, content []byte) error
	// Has reports whether a file is there.
	Has(ctx context.Context, name string) (bool, error)
	// Remove removes files; those that are not there are no error.
	Remove(ctx context.Context, names ...string) error
}

// Remote is a store that workers reach without a disk that they share: compiled files go through
// it, as large ones do.
type Remote interface {
	Store
	// Upload writes a file of this machine under a name.
	Upload(ctx context.Context, name, path string) error
	// Download writes a file of the store to a path on this machine, as a whole or not at all.
	Download(ctx context.Context, name, path string) error
}

// Origins is a [Remote] store whose workers fetch the files of a table themselves, where these are
// copies of objects that they reach.
type Origins interface {
	Remote
	// Origin returns the object that the file of an absolute path is a copy of; known is false
	// where it is none.
	Origin(path string) (object string, known bool)
	// Fetch copies an object to a path of this machine, with its length and time; of it some ranges
	// alone, between which the file holds zeros (nil: all of it).
	Fetch(ctx context.Context, object, path string, parts []open.Range) error
}

// Folder is a store in a folder, which is on a disk that all workers have.
type Folder string

// Read reads a file.
func (f Folder) Read(_ context.Context, name string) ([]byte, error) {
	return os.ReadFile(filepath.Join(string(f), name))
}

// Write writes a file.
func (f Folder) Write(ctx context.Context, name string, content []byte) error {
	path := filepath.Join(string(f), name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	err := atomicfile.Write(ctx, path, func(w io.Writer) error {
		_, err := w.Write(content)
		return err
	})
	if errors.Is(err, syscall.ENOSPC) {
		return fmt.Errorf("distributed: %s: %w: make room there, and begin again with the same staging folder to keep what is done", path, err)
	}
	return err
}

// Has looks for a file.
func (f Folder) Has(_ context.Context, name string) (bool, error) {
	_, err := os.Stat(filepath.Join(string(f), name))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

// Remove removes files.
func (f Folder) Remove(_ context.Context, names ...string) error {
	var problems []error
	for _, name := range names {
		if err := os.Remove(filepath.Join(string(f), name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			problems = append(problems, fmt.Errorf("distributed: %w", err))
		}
	}
	return errors.Join(problems...)
}
