package mapfile

import (
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
)

func open(t *testing.T, content []byte) *os.File {
	t.Helper()
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, content, 0o666); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

func TestMapping(t *testing.T) {
	for name, show := range map[string]func(*os.File) ([]byte, func() error, error){"private": Private, "shared": Shared} {
		for _, content := range []string{"", "abc", string(make([]byte, 10000))} {
			raw, release, err := show(open(t, []byte(content)))
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if string(raw) != content {
				t.Errorf("%s shows %d bytes, want %d", name, len(raw), len(content))
			}
			if err := release(); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

// TestPrivateWrites: a write to a private mapping stays in memory.
func TestPrivateWrites(t *testing.T) {
	f := open(t, []byte("abc"))
	raw, release, err := Private(f)
	if err != nil {
		t.Fatal(err)
	}
	raw[0] = 'x'
	if err := release(); err != nil {
		t.Fatal(err)
	}
	if got, _ := os.ReadFile(f.Name()); string(got) != "abc" {
		t.Errorf("the file now holds %q", got)
	}
}

func TestNumbers(t *testing.T) {
	x := []float64{1, math.Inf(-1), math.Copysign(0, -1), 1e-310}
	b := Bytes(x)
	if len(b) != 32 || b[7] != 0x3f {
		t.Fatalf("bytes %x are not little-endian", b)
	}
	for shift := range 8 { // seven of eight are not aligned
		moved := append(make([]byte, shift, 64), b...)[shift:]
		if got := Numbers[float64](moved); !slices.Equal(got, x) || !math.Signbit(got[2]) {
			t.Errorf("shifted by %d: %v", shift, got)
		}
	}
	if got := Numbers[float32](Bytes([]float32{2.5})[:3]); got != nil {
		t.Errorf("three bytes hold the float32 %v", got)
	}
	runtime.KeepAlive(x)
}
