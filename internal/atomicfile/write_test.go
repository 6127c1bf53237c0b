package atomicfile_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"example.org/mercer/internal/atomicfile"
)

func text(s string) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, s)
		return err
	}
}

// listing returns the names in a folder.
func listing(t *testing.T, folder string) string {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return strings.Join(names, " ")
}

func content(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestWriteReplacesTheWholeFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.txt")
	for _, s := range []string{"a long first content", "second", ""} {
		if err := atomicfile.Write(t.Context(), path, text(s)); err != nil {
			t.Fatal(err)
		}
		if got := content(t, path); got != s {
			t.Errorf("content %q, want %q", got, s)
		}
	}
	if got := listing(t, filepath.Dir(path)); got != "a.txt" {
		t.Errorf("folder holds %q, want a.txt alone", got)
	}
}

func TestWriteLeavesNothingBehind(t *testing.T) {
	failure := errors.New("the disk is full")
	for name, c := range map[string]struct {
		fill func(cancel func()) func(io.Writer) error
		want error
	}{
		"fill fails after a write": {func(func()) func(io.Writer) error {
			return func(w io.Writer) error {
				if _, err := w.Write(make([]byte, 1<<20)); err != nil {
					return err
				}
				return failure
			}
		}, failure},
		"ctx ends during a write": {func(cancel func()) func(io.Writer) error {
			return func(w io.Writer) error {
				cancel()
				_, err := w.Write(make([]byte, 1<<20))
				return err
			}
		}, context.Canceled},
		"ctx ends after the last write": {func(cancel func()) func(io.Writer) error {
			return func(w io.Writer) error {
				_, err := io.WriteString(w, "short")
				cancel()
				return err
			}
		}, context.Canceled},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			path := filepath.Join(t.TempDir(), "a.txt")
			if err := os.WriteFile(path, []byte("old"), 0o644); err != nil {
				t.Fatal(err)
			}
			if err := atomicfile.Write(ctx, path, c.fill(cancel)); !errors.Is(err, c.want) {
				t.Errorf("error %v, want %v", err, c.want)
			}
			if got := content(t, path); got != "old" {
				t.Errorf("content %q, want the old one", got)
			}
			if got := listing(t, filepath.Dir(path)); got != "a.txt" {
				t.Errorf("folder holds %q, want a.txt alone", got)
			}
		})
	}
}

func TestWriteKeepsPermissionsAndLinks(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("permissions and links of Unix")
	}
	folder := t.TempDir()
	path, link := filepath.Join(folder, "a.txt"), filepath.Join(folder, "link")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, 0o666); err != nil { // more than the umask would give
		t.Fatal(err)
	}
	if err := os.Symlink(path, link); err != nil {
		t.Fatal(err)
	}
	if err := atomicfile.Write(t.Context(), link, text("new")); err != nil {
		t.Fatal(err)
	}
	info, err := os.Lstat(path)
	if err != nil || info.Mode() != 0o666 {
		t.Errorf("mode %v (%v), want a regular file of 0666", info.Mode(), err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("the link has become %v (%v)", info.Mode(), err)
	}
	if got := content(t, link); got != "new" {
		t.Errorf("content %q, want new", got)
	}
}

func TestWriteRefuses(t *testing.T) {
	folder := t.TempDir()
	missing := filepath.Join(folder, "none", "a.txt")
	err := atomicfile.Write(t.Context(), missing, text("x"))
	if !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), missing) {
		t.Errorf("error %v does not say that %s has no folder", err, missing)
	}
	if err := atomicfile.Write(t.Context(), folder, text("x")); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("a folder as destination gives %v", err)
	}
}

// What the system says of a temporary file is told of the file that the caller asked for, with what
// to do.
func TestWriteOnAFullDisk(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "a.txt")
	err := atomicfile.Write(t.Context(), path, func(io.Writer) error {
		return &fs.PathError{Op: "write", Path: filepath.Join(folder, listing(t, folder)), Err: syscall.ENOSPC}
	})
	if want := "cannot write " + path + ": " + syscall.ENOSPC.Error() + "; make room there, or choose another folder"; err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
	if !errors.Is(err, syscall.ENOSPC) || listing(t, folder) != "" {
		t.Errorf("%v, and the folder holds %q", err, listing(t, folder))
	}
	other := errors.New("another file is bad")
	if err := atomicfile.Write(t.Context(), path, func(io.Writer) error { return other }); err == nil || err.Error() != other.Error() {
		t.Errorf("the error of the content has become %v", err)
	}
}

// TestKilledWriter kills a process in the middle of writing, again and again.
func TestKilledWriter(t *testing.T) {
	const variable = "ATOMICFILE_TEST_VICTIM"
	if path := os.Getenv(variable); path != "" {
		for {
			_ = atomicfile.Write(context.Background(), path, func(w io.Writer) error {
				for b := byte('a'); b <= 'z'; b++ {
					if _, err := w.Write(bytes.Repeat([]byte{b}, 1<<15)); err != nil {
						return err
					}
				}
				return nil
			})
		}
	}
	var whole strings.Builder
	for b := byte('a'); b <= 'z'; b++ {
		whole.WriteString(strings.Repeat(string(b), 1<<15))
	}
	folder := t.TempDir()
	path := filepath.Join(folder, "model.mercer")
	rounds := 12
	if testing.Short() {
		rounds = 4
	}
	for i := range rounds {
		victim := exec.CommandContext(t.Context(), os.Args[0], "-test.run=TestKilledWriter$")
		victim.Env = append(os.Environ(), variable+"="+path)
		if err := victim.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(20+7*i) * time.Millisecond)
		if err := victim.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = victim.Wait() // it was killed
		if b, err := os.ReadFile(path); err == nil && string(b) != whole.String() {
			t.Fatalf("after kill %d the file holds %d bytes of %d", i, len(b), whole.Len())
		}
	}
	if _, err := os.Stat(path); err != nil {
		t.Errorf("no round lived long enough to finish one file: %v", err)
	}
	for _, name := range strings.Fields(listing(t, folder)) {
		if name != "model.mercer" && !strings.HasPrefix(name, ".model.mercer.tmp-") {
			t.Errorf("a killed process left %q", name)
		}
	}
}
