package atomicfile

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestSweep: a write removes what killed processes have left in the folder, and neither a file that
// is being written, nor one that is young, nor any other.
func TestSweep(t *testing.T) {
	dir := t.TempDir()
	old := time.Now().Add(-time.Hour)
	leave := func(name string, at time.Time) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte("part"), 0o666); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
		return path
	}
	dead, living := leave(".m.mercer.tmp-0123abcd", old), leave(".n.mercer.tmp-0123abcd", old)
	others := []string{living, leave(".o.mercer.tmp-0123abcd", time.Now()),
		leave("m.tmp-0123abcd", old), leave(".m.tmp-0123abcde", old), leave(".m.swp", old)}
	writer, err := os.OpenFile(living, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer writer.Close()
	if lock(writer) != nil {
		t.Skip("this system has no locks on files, and nothing is swept")
	}
	err = Write(context.Background(), filepath.Join(dir, "new"), func(w io.Writer) error {
		_, err := io.WriteString(w, "whole")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(dead); !os.IsNotExist(err) {
		t.Errorf("%s stays: %v", dead, err)
	}
	for _, path := range others {
		if _, err := os.Stat(path); err != nil {
			t.Errorf("%s is gone: %v", path, err)
		}
	}
}
