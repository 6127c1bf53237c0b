package simd

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestGeneratedFilesAreCurrent runs the generator and compares all but the first line,
// which is the command.
func TestGeneratedFilesAreCurrent(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the generator")
	}
	dir := t.TempDir()
	command := func(args ...string) ([]byte, error) {
		c := exec.Command("go", args...)
		c.Dir = "gen"
		return c.CombinedOutput()
	}
	if out, err := command("mod", "download"); err != nil {
		t.Skipf("the modules of the generator cannot be had here: %v\n%s", err, out)
	}
	const assembly, stubs = "loops_amd64.s", "loops_amd64_gen.go"
	if out, err := command("run", ".", "-out", filepath.Join(dir, assembly), "-stubs", filepath.Join(dir, stubs), "-pkg", "simd"); err != nil {
		t.Fatalf("generator: %v\n%s", err, out)
	}
	for _, name := range []string{assembly, stubs} {
		want, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		_, want, _ = bytes.Cut(want, []byte("\n"))
		_, got, _ = bytes.Cut(got, []byte("\n"))
		if !bytes.Equal(got, want) {
			t.Errorf("%s is not what the generator writes: run go generate ./internal/simd", name)
		}
	}
}
