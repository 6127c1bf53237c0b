package level3

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/testblas"

	"example.org/mercer/internal/simd"
	"example.org/mercer/internal/testkit"
)

// TestGonumSuite runs gonum's own tests of level 3.
func TestGonumSuite(t *testing.T) {
	impl := Implementation{}
	t.Run("Dgemm", func(t *testing.T) { testblas.TestDgemm(t, impl) })
	t.Run("Dsymm", func(t *testing.T) { testblas.DsymmTest(t, impl) })
	t.Run("Dsyrk", func(t *testing.T) { testblas.DsyrkTest(t, impl) })
	t.Run("Dsyr2k", func(t *testing.T) { testblas.Dsyr2kTest(t, impl) })
	t.Run("Dtrmm", func(t *testing.T) { testblas.DtrmmTest(t, impl) })
	t.Run("Dtrsm", func(t *testing.T) { testblas.DtrsmTest(t, impl) })
}

const guard = -77.5

// both runs a test for each precision.
func both(t *testing.T, single, double func(t *testing.T)) {
	t.Run("f32", single)
	t.Run("f64", double)
}

// unit is half the distance of 1 to the next number: the error of one rounding.
func unit[F simd.Float]() float64 {
	if _, single := any(F(0)).(float32); single {
		return 0x1p-24
	}
	return 0x1p-53
}

// public returns the routines of one precision that an implementation shows its callers.
func public[F simd.Float](impl interface {
	blas.Float64Level3
	blas.Float32Level3
}) reference[F] {
	if r, ok := any(reference[float32]{impl.Sgemm, impl.Ssymm, impl.Ssyrk, impl.Strmm, impl.Strsm}).(reference[F]); ok {
		return r
	}
	return any(reference[float64]{impl.Dgemm, impl.Dsymm, impl.Dsyrk, impl.Dtrmm, impl.Dtrsm}).(reference[F])
}

// inner returns the package's own routines of one precision.
func inner[F simd.Float]() *precision[F] {
	if p, ok := any(single).(*precision[F]); ok {
		return p
	}
	return any(double).(*precision[F])
}

// guarded returns a r×c matrix of normal numbers with gap numbers between the rows.
func guarded[F simd.Float](rng *rand.Rand, r, c, gap int) matrix[F] {
	x := matrix[F]{data: make([]F, r*(c+gap)), ld: c + gap}
	for i := range x.data {
		x.data[i] = guard
		if i%x.ld < c {
			x.data[i] = F(rng.NormFloat64())
		}
	}
	return x
}

// operand returns op(x) as an r×c matrix, and the op.
func operand[F simd.Float](rng *rand.Rand, r, c, gap int, trans bool) (matrix[F], blas.Transpose) {
	if !trans {
		return guarded[F](rng, r, c, gap), blas.NoTrans
	}
	x := guarded[F](rng, c, r, gap)
	x.trans = true
	return x, blas.Trans
}

// checkProduct compares c with alpha·a·b + beta·before by the bound of an inner product.
func checkProduct[F simd.Float](t *testing.T, m, n, k int, alpha F, a, b matrix[F], beta F, before, c matrix[F]) {
	t.Helper()
	for i := range m {
		for j := range c.ld {
			got := c.data[i*c.ld+j]
			if j >= n {
				if got != guard {
					t.Fatalf("wrote between the rows at (%d, %d)", i, j)
				}
				continue
			}
			want, size := 0.0, 0.0
			for p := range k {
				v := float64(alpha) * float64(a.at(i, p)) * float64(b.at(p, j))
				want, size = want+v, size+math.Abs(v)
			}
			if beta != 0 {
				v := float64(beta) * float64(before.at(i, j))
				want, size = want+v, size+math.Abs(v)
			}
			if !(math.Abs(float64(got)-want) <= float64(2*k+8)*2*unit[F]()*size) {
				t.Fatalf("element (%d, %d) is %v, want %v", i, j, got, want)
			}
		}
	}
}

// TestProductByDefinition covers sizes on both sides of every block and tile, with
// every microkernel of the machine.
func TestProductByDefinition(t *testing.T) {
	testkit.SkipUnderRace(t)
	both(t, testProductByDefinition[float32], testProductByDefinition[float64])
}

func testProductByDefinition[F simd.Float](t *testing.T) {
	sizes := [][3]int{{1, 1, 1}, {2, 3, 2}, {7, 25, 9}, {8, 24, 8}, {9, 49, 300}, {50, 23, 257}, {193, 31, 17}, {13, 3100, 5}, {401, 60, 30}}
	for _, level := range simd.Supported() {
		for _, size := range sizes {
			for _, trans := range [][2]bool{{false, false}, {false, true}, {true, false}, {true, true}} {
				for _, scale := range [][2]F{{1, 0}, {-1, 1}, {0.5, -2}} {
					m, n, k := size[0], size[1], size[2]
					t.Run(fmt.Sprintf("%v/%dx%dx%d/%v/%v", level, m, n, k, trans, scale), func(t *testing.T) {
						rng := rand.New(rand.NewPCG(uint64(m*n), uint64(k)))
						a, _ := operand[F](rng, m, k, 3, trans[0])
						b, _ := operand[F](rng, k, n, 0, trans[1])
						c := guarded[F](rng, m, n, 2)
						before := clone(c)
						if scale[1] == 0 { // what C held must not matter
							c.data[0] = F(math.NaN())
						}
						inner[F]().multiply(simd.GemmAt[F](level), 2, all, m, n, k, scale[0], a, b, scale[1], c.data, c.ld)
						checkProduct(t, m, n, k, scale[0], a, b, scale[1], before, c)
					})
				}
			}
		}
	}
}

// TestSameBits computes a product with any number of goroutines, and a part of it.
func TestSameBits(t *testing.T) {
	both(t, testSameBits[float32], testSameBits[float64])
}

func testSameBits[F simd.Float](t *testing.T) {
	rng := testkit.Rand(t, 4)
	const m, n, k = 201, 333, 517
	a, b := guarded[F](rng, m, k, 0), guarded[F](rng, k, n, 0)
	product := func(workers, i, j int) []F {
		c := make([]F, m*n)
		impl := public[F](Implementation{Workers: workers})
		impl.gemm(blas.NoTrans, blas.NoTrans, m-i, n-j, k, 1, a.data[i*k:], k, b.data[j:], n, 0, c[i*n+j:], n)
		return c
	}
	want := product(1, 0, 0)
	for _, workers := range []int{0, 2, 3, 8} {
		for _, from := range [][2]int{{0, 0}, {5, 7}} {
			got := product(workers, from[0], from[1])
			for i := from[0]; i < m; i++ {
				for j := from[1]; j < n; j++ {
					if at := i*n + j; got[at] != want[at] {
						t.Fatalf("%d workers, from %v: element (%d, %d) is %v, not %v", workers, from, i, j, got[at], want[at])
					}
				}
			}
		}
	}
}

// TestThinSameBits: few columns, whose left factor is read where it lies, have the bits
// that they have among many; the factor has no numbers beyond its last.
func TestThinSameBits(t *testing.T) {
	rng := testkit.Rand(t, 6)
	for _, m := range []int{8, 16, 61, 400} {
		for _, tA := range []blas.Transpose{blas.NoTrans, blas.Trans} {
			const n, k = 700, 300
			a, b := guarded[float64](rng, m, k, 0), guarded[float64](rng, k, n, 0)
			lda := k
			if tA == blas.Trans {
				lda = m
			}
			want := make([]float64, m*n)
			Implementation{}.Dgemm(tA, blas.NoTrans, m, n, k, 1, a.data, lda, b.data, n, 0, want, n)
			for _, thin := range []int{2, 24, 25, 90} {
				got := make([]float64, m*thin)
				Implementation{}.Dgemm(tA, blas.NoTrans, m, thin, k, 1, a.data, lda, b.data, n, 0, got, thin)
				for i := range m {
					if !slices.Equal(got[i*thin:(i+1)*thin], want[i*n:i*n+thin]) {
						t.Fatalf("m=%d, %c: row %d of %d columns differs from that of %d", m, tA, i, thin, n)
					}
				}
			}
		}
	}
}
