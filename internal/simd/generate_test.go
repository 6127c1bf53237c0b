package simd

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
)

// TestGeneratedFilesAreCurrent runs the generator and compares what it writes with what
// is checked in.
func TestGeneratedFilesAreCurrent(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the generator")
	}
	command := func(args ...string) ([]byte, error) {
		c := exec.Command("go", args...)
		c.Dir = "gen"
		c.Env = append(os.Environ(), "GOFLAGS=") // tags of this test are not for it
		return c.CombinedOutput()
	}
	if out, err := command("mod", "download"); err != nil {
		t.Skipf("the modules of the generator cannot be had here: %v\n%s", err, out)
	}
	dir := t.TempDir()
	if out, err := command("run", ".", "-dir", dir); err != nil {
		t.Fatalf("generator: %v\n%s", err, out)
	}
	written, kept := generated(t, dir), generated(t, ".")
	if len(written) == 0 || !slices.Equal(written, kept) {
		t.Fatalf("the generator writes %v, checked in are %v", written, kept)
	}
	for _, name := range kept {
		want, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s is not what the generator writes: run go generate ./internal/simd", name)
		}
	}
}

// generated lists the names of files of the generator in a directory.
func generated(t *testing.T, dir string) []string {
	t.Helper()
	var names []string
	for _, pattern := range []string{"*_amd64.s", "*_amd64_gen.go"} {
		paths, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range paths {
			names = append(names, filepath.Base(p))
		}
	}
	return names
}
