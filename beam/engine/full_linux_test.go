package engine_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"example.org/mercer/beam/engine"
)

// TestTheDiskIsFull has a staging folder without space for all results of a pass: an error says
// so, and with space there the run goes on to the model of an undisturbed one.
func TestTheDiskIsFull(t *testing.T) {
	staging := t.TempDir()
	if err := syscall.Mount("none", staging, "tmpfs", 0, "size=1m"); err != nil {
		t.Skipf("no file system can be mounted here: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(staging, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	folder := t.TempDir()
	writeShards(t, folder, 60000, 7)
	t.Chdir(folder)
	want, err := run(t, nil, fits["krr"]...)
	if err != nil {
		t.Fatal(err)
	}
	full := filepath.Join(staging, "full")
	if err := os.WriteFile(full, make([]byte, 1<<20-5*4096), 0o600); err != nil { // five pages are left
		t.Fatal(err)
	}
	on := slices.Concat(fits["krr"], []string{"--staging", staging})
	_, err = run(t, new(engine.Engine), on...)
	for _, word := range []string{"no space left", staging, "make room"} {
		if err == nil || !strings.Contains(err.Error(), word) {
			t.Errorf("%q is not told: %v", word, err)
		}
	}
	if err := os.Remove(full); err != nil {
		t.Fatal(err)
	}
	got, err := run(t, new(engine.Engine), on...)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("another model")
	}
}
