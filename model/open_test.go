package model

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// overwritten opens a model file, changes it in place, and asks for a tensor.
func overwritten(t *testing.T, change func(path string) error) (*File, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a.mercer")
	numbers, err := Float64s(make([]float64, 1<<16), 1<<16)
	if err != nil {
		t.Fatal(err)
	}
	if err := WriteFile(t.Context(), path, map[string]Tensor{"points": numbers}, nil); err != nil {
		t.Fatal(err)
	}
	f, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	if err := change(path); err != nil {
		t.Fatal(err)
	}
	_, err = f.Tensor("points")
	return f, err
}

// A model file that is cut or overwritten while it is open ends no program: a small one is in
// memory, of a large one the tensors are errors.
func TestFilesOverwrittenInPlace(t *testing.T) {
	cut := func(path string) error { return os.Truncate(path, 1<<10) }
	other := func(path string) error { return os.WriteFile(path, bytes.Repeat([]byte{1}, 1<<19+1<<12), 0o600) }
	for name, change := range map[string]func(string) error{"cut": cut, "other content": other} {
		if f, err := overwritten(t, change); err != nil || f.Verify() != nil {
			t.Errorf("%s, a small file: %v, %v", name, err, f.Verify())
		}
	}
	defer func(was int64) { mapFrom = was }(mapFrom)
	mapFrom = 1
	for name, change := range map[string]func(string) error{"cut": cut, "other content": other} {
		f, err := overwritten(t, change)
		var e *FileError
		if !errors.As(err, &e) || !strings.Contains(err.Error(), "overwritten while it was read") {
			t.Errorf("%s, a large file: %v", name, err)
		}
		if err := f.Verify(); err == nil {
			t.Errorf("%s: the large file was verified", name)
		}
	}
	if _, err := overwritten(t, func(string) error { return nil }); err != nil {
		t.Errorf("unchanged: %v", err)
	}
}

// A device that never ends is no model.
func TestOpenOfADevice(t *testing.T) {
	const device = "/dev/zero"
	if _, err := os.Stat(device); err != nil {
		t.Skip("no such device here")
	}
	defer func(was int64) { mapFrom = was }(mapFrom)
	mapFrom = 1 << 16
	if _, err := Open(device); err == nil || !strings.Contains(err.Error(), "is no file on a disk") {
		t.Error(err)
	}
}
