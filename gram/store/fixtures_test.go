package store

import (
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/gram"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/vec"
)

// wide is a number of coordinates for which statistics are kept.
const wide = 512

// points returns n random vectors; the first of them do not depend on n.
func points(n int) data.Vectors {
	r := rand.New(rand.NewPCG(3, 5))
	xs := data.MakeVectors(n, wide)
	for i := range n {
		for j := range xs.At(i) {
			xs.At(i)[j] = r.NormFloat64() + 3
		}
	}
	return xs
}

// rbf binds a Gaussian to the pairs of xs.
func rbf(sigma float64, xs data.Vectors) kernel.Pairs {
	return kernel.Bind(vec.RBF{Sigma: sigma}, xs, xs)
}

func open(t *testing.T, o Options) *Store {
	t.Helper()
	s, err := Open(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// dense computes a Gram matrix with the store; nil is none.
func dense(t *testing.T, p kernel.Pairs, s *Store, workers int) *mat.SymDense {
	t.Helper()
	o := compute.Options{Workers: workers}
	if s != nil {
		o.Store = s
	}
	k, err := gram.Dense(t.Context(), p, o)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// same fails unless the upper triangles have the same bits.
func same(t *testing.T, what string, got, want *mat.SymDense) {
	t.Helper()
	n := want.SymmetricDim()
	for i := range n {
		for j := i; j < n; j++ {
			if math.Float64bits(got.At(i, j)) != math.Float64bits(want.At(i, j)) {
				t.Fatalf("%s: element (%d, %d) is %v, without a store it is %v", what, i, j, got.At(i, j), want.At(i, j))
			}
		}
	}
}

// packFiles returns the packs in a folder.
func packFiles(t *testing.T, dir string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*"+extension))
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// filled returns a folder with the tiles of a matrix of 300 points, in one pack, and the
// matrix.
func filled(t *testing.T) (dir string, want *mat.SymDense) {
	t.Helper()
	dir = t.TempDir()
	s := open(t, Options{Dir: dir})
	want = dense(t, rbf(20, points(300)), s, 2)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return dir, want
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func write(t *testing.T, path string, b []byte) {
	t.Helper()
	if err := os.WriteFile(path, b, 0o666); err != nil {
		t.Fatal(err)
	}
}
