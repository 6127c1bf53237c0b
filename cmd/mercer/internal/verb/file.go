package verb

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"example.org/mercer"
	"example.org/mercer/internal/atomicfile"
)

// Stdout is the name of standard output in the place of a file.
const Stdout = "-"

// CanWrite returns an error unless a file could be made under this name, so that no
// long work is done for a result that has no place.
func CanWrite(path string) error {
	if path == Stdout {
		return nil
	}
	dir := filepath.Dir(path)
	info, err := os.Stat(dir)
	switch {
	case err != nil:
		return fmt.Errorf("cannot write %s: %w; make the folder first", path, err)
	case !info.IsDir():
		return fmt.Errorf("cannot write %s: %s is not a folder", path, dir)
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return fmt.Errorf("cannot write %s: it is a folder; name a file in it", path)
	}
	return nil
}

// WriteFile writes a file whole or not at all; to [Stdout] it writes as it goes.
func (inv *Invocation) WriteFile(ctx context.Context, path string, fill func(w io.Writer) error) error {
	if path != Stdout {
		return atomicfile.Write(ctx, path, fill)
	}
	inv.streamed = true
	to := bufio.NewWriter(inv.Stdout)
	return errors.Join(fill(to), to.Flush())
}

// Save writes a model file.
func (inv *Invocation) Save(ctx context.Context, m *mercer.Model, path string) error {
	if path != Stdout {
		return m.Save(ctx, path)
	}
	return inv.WriteFile(ctx, path, m.Write)
}
