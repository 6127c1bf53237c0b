package simd

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestVectorAssemblyIsCurrent runs the generator in vecgen and compares all but the
// first line, which is the command.
func TestVectorAssemblyIsCurrent(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the generator")
	}
	command := func(args ...string) ([]byte, error) {
		c := exec.Command("go", args...)
		c.Dir = "vecgen"
		c.Env = append(os.Environ(), "GOFLAGS=") // tags of this test are not for it
		return c.CombinedOutput()
	}
	if out, err := command("mod", "download"); err != nil {
		t.Skipf("the modules of the generator cannot be had here: %v\n%s", err, out)
	}
	dir := t.TempDir()
	for _, what := range []string{"exp", "sqrt", "distance"} {
		assembly, stubs := what+"_amd64.s", what+"_amd64_gen.go"
		out, err := command("run", ".", "-what", what, "-out", filepath.Join(dir, assembly), "-stubs", filepath.Join(dir, stubs), "-pkg", "simd")
		if err != nil {
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
}
