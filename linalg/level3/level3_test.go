package level3

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/gonum"

	"example.org/mercer/internal/simd"

	"example.org/mercer/internal/testkit"
)

// shapes lie on both sides of every leaf, and of the fallback to gonum.
var shapes = [][2]int{{1, 40}, {5, 9}, {33, 31}, {49, 200}, {130, 33}, {200, 250}, {260, 193}, {300, 310}}

var (
	uplos = []blas.Uplo{blas.Upper, blas.Lower}
	sides = []blas.Side{blas.Left, blas.Right}
	ops   = []blas.Transpose{blas.NoTrans, blas.Trans, blas.ConjTrans}
	diags = []blas.Diag{blas.Unit, blas.NonUnit}
)

// oneTriangle returns a matrix of order n whose other triangle, and diagonal if d is
// Unit, are NaN. Its diagonal dominates, so that every solution is well conditioned.
func oneTriangle[F simd.Float](rng *rand.Rand, n int, ul blas.Uplo, d blas.Diag) matrix[F] {
	x := guarded[F](rng, n, n, 2)
	for i := range n {
		for j := range n {
			v := &x.data[i*x.ld+j]
			switch {
			case i == j && d == blas.Unit, i < j && ul == blas.Lower, i > j && ul == blas.Upper:
				*v = F(math.NaN())
			case i == j:
				*v = F(2 + rng.Float64())
			default:
				*v /= F(n)
			}
		}
	}
	return x
}

func clone[F simd.Float](x matrix[F]) matrix[F] {
	x.data = append([]F(nil), x.data...)
	return x
}

// same compares with gonum. Both sides have an error of at most about terms·ε times
// the numbers that are added up, which are below size.
func same[F simd.Float](t *testing.T, got, want matrix[F], terms int, size float64) {
	t.Helper()
	for i, w := range want.data {
		if g := got.data[i]; g != w && !(math.Abs(float64(g)-float64(w)) <= 4*float64(terms+4)*unit[F]()*size) && (g == g || w == w) {
			t.Fatalf("element (%d, %d) is %v, gonum's %v", i/want.ld, i%want.ld, g, w)
		}
	}
}

func TestSyrk(t *testing.T) {
	both(t, testSyrk[float32], testSyrk[float64])
}

func testSyrk[F simd.Float](t *testing.T) {
	ours, gonums := public[F](Implementation{}), public[F](gonum.Implementation{})
	for _, shape := range shapes {
		for _, ul := range uplos {
			for _, tA := range ops {
				for _, beta := range []F{0, 1, -0.5} {
					t.Run(fmt.Sprintf("%v/%c/%c/%v", shape, ul, tA, beta), func(t *testing.T) {
						rng := rand.New(rand.NewPCG(1, uint64(shape[0])))
						n, k := shape[0], shape[1]
						a, _ := operand[F](rng, n, k, 3, tA != blas.NoTrans)
						c := guarded[F](rng, n, n, 1)
						want := clone(c) // gonum v0.17 keeps a NaN in C where ul = Lower, tA = Trans, beta = 0
						if beta == 0 && !small(n, n, k) {
							c.data[0] = F(math.NaN())
						}
						ours.syrk(ul, tA, n, k, -1.5, a.data, a.ld, beta, c.data, c.ld)
						gonums.syrk(ul, tA, n, k, -1.5, a.data, a.ld, beta, want.data, want.ld)
						same(t, c, want, k, 20*float64(k))
					})
				}
			}
		}
	}
}

func TestSymm(t *testing.T) {
	both(t, testSymm[float32], testSymm[float64])
}

func testSymm[F simd.Float](t *testing.T) {
	ours, gonums := public[F](Implementation{}), public[F](gonum.Implementation{})
	for _, shape := range shapes {
		for _, s := range sides {
			for _, ul := range uplos {
				for _, beta := range []F{0, 1, -0.5} {
					t.Run(fmt.Sprintf("%v/%c/%c/%v", shape, s, ul, beta), func(t *testing.T) {
						rng := rand.New(rand.NewPCG(2, uint64(shape[0])))
						m, n := shape[0], shape[1]
						order := m
						if s == blas.Right {
							order = n
						}
						a, b, c := oneTriangle[F](rng, order, ul, blas.NonUnit), guarded[F](rng, m, n, 0), guarded[F](rng, m, n, 1)
						if beta == 0 {
							c.data[0] = F(math.NaN())
						}
						want := clone(c)
						ours.symm(s, ul, m, n, 2, a.data, a.ld, b.data, b.ld, beta, c.data, c.ld)
						gonums.symm(s, ul, m, n, 2, a.data, a.ld, b.data, b.ld, beta, want.data, want.ld)
						same(t, c, want, order, 60)
					})
				}
			}
		}
	}
}

// TestTriangular covers trmm and trsm, the latter also by putting X back.
func TestTriangular(t *testing.T) {
	testkit.SkipUnderRace(t)
	both(t, testTriangular[float32], testTriangular[float64])
}

func testTriangular[F simd.Float](t *testing.T) {
	ours, gonums := public[F](Implementation{}), public[F](gonum.Implementation{})
	for _, shape := range shapes {
		for _, s := range sides {
			for _, ul := range uplos {
				for _, tA := range ops {
					for _, d := range diags {
						t.Run(fmt.Sprintf("%v/%c/%c/%c/%c", shape, s, ul, tA, d), func(t *testing.T) {
							rng := rand.New(rand.NewPCG(3, uint64(shape[0])))
							m, n := shape[0], shape[1]
							order := m
							if s == blas.Right {
								order = n
							}
							a, b := oneTriangle[F](rng, order, ul, d), guarded[F](rng, m, n, 3)
							product, want := clone(b), clone(b)
							ours.trmm(s, ul, tA, d, m, n, 0.75, a.data, a.ld, product.data, b.ld)
							gonums.trmm(s, ul, tA, d, m, n, 0.75, a.data, a.ld, want.data, b.ld)
							same(t, product, want, order, 60)
							x, want := clone(b), clone(b)
							ours.trsm(s, ul, tA, d, m, n, 0.75, a.data, a.ld, x.data, b.ld)
							gonums.trsm(s, ul, tA, d, m, n, 0.75, a.data, a.ld, want.data, b.ld)
							same(t, x, want, order, 60)
							gonums.trmm(s, ul, tA, d, m, n, 1/0.75, a.data, a.ld, x.data, b.ld)
							same(t, x, b, order, 120)
						})
					}
				}
			}
		}
	}
}

// TestTriangularSameBits shares one solution and one product among goroutines.
func TestTriangularSameBits(t *testing.T) {
	both(t, testTriangularSameBits[float32], testTriangularSameBits[float64])
}

func testTriangularSameBits[F simd.Float](t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	const m, n = 300, 410
	for _, s := range sides {
		order := m
		if s == blas.Right {
			order = n
		}
		a, b := oneTriangle[F](rng, order, blas.Lower, blas.NonUnit), guarded[F](rng, m, n, 0)
		run := func(workers int) matrix[F] {
			x := clone(b)
			ours := public[F](Implementation{Workers: workers})
			ours.trsm(s, blas.Lower, blas.Trans, blas.NonUnit, m, n, 1, a.data, a.ld, x.data, x.ld)
			ours.trmm(s, blas.Lower, blas.NoTrans, blas.NonUnit, m, n, 1, a.data, a.ld, x.data, x.ld)
			return x
		}
		want := run(1)
		for _, workers := range []int{2, 3, 8} {
			for i, v := range run(workers).data {
				if v != want.data[i] {
					t.Fatalf("side %c, %d workers: number %d is %v, with one %v", s, workers, i, v, want.data[i])
				}
			}
		}
	}
}

// TestWrongArgumentsPanicLikeGonum needs no table of messages: the panics are gonum's.
func TestWrongArgumentsPanicLikeGonum(t *testing.T) {
	both(t, testWrongArgumentsPanicLikeGonum[float32], testWrongArgumentsPanicLikeGonum[float64])
}

func testWrongArgumentsPanicLikeGonum[F simd.Float](t *testing.T) {
	x := make([]F, 40*40)
	for what, call := range map[string]func(impl reference[F]){
		"short c": func(impl reference[F]) {
			impl.gemm(blas.NoTrans, blas.NoTrans, 40, 40, 40, 1, x, 40, x, 40, 0, x[1:], 40)
		},
		"stride": func(impl reference[F]) {
			impl.gemm(blas.NoTrans, blas.Trans, 40, 40, 40, 1, x, 40, x, 39, 0, x, 40)
		},
		"transpose": func(impl reference[F]) { impl.gemm('x', blas.NoTrans, 40, 40, 40, 1, x, 40, x, 40, 0, x, 40) },
		"negative": func(impl reference[F]) {
			impl.gemm(blas.NoTrans, blas.NoTrans, -1, 40, 40, 1, x, 40, x, 40, 0, x, 40)
		},
		"uplo": func(impl reference[F]) { impl.syrk('x', blas.NoTrans, 40, 40, 1, x, 40, 0, x, 40) },
		"side": func(impl reference[F]) { impl.symm('x', blas.Upper, 40, 40, 1, x, 40, x, 40, 0, x, 40) },
		"diag": func(impl reference[F]) {
			impl.trsm(blas.Left, blas.Upper, blas.NoTrans, 'x', 40, 40, 1, x, 40, x, 40)
		},
		"short a": func(impl reference[F]) {
			impl.trmm(blas.Left, blas.Upper, blas.NoTrans, blas.Unit, 40, 40, 1, x[1:], 40, x, 40)
		},
	} {
		t.Run(what, func(t *testing.T) {
			message := func(impl reference[F]) (v any) {
				defer func() { v = recover() }()
				call(impl)
				return nil
			}
			if got, want := message(public[F](Implementation{})), message(public[F](gonum.Implementation{})); got != want || got == nil {
				t.Errorf("panics with %v, gonum with %v", got, want)
			}
		})
	}
}

// TestSubstitution solves with every microkernel of the machine.
func TestSubstitution(t *testing.T) {
	both(t, testSubstitution[float32], testSubstitution[float64])
}

func testSubstitution[F simd.Float](t *testing.T) {
	for _, level := range simd.Supported() {
		for _, s := range sides {
			for _, ul := range uplos {
				rng := rand.New(rand.NewPCG(6, 6))
				const m, n = 75, 90
				order := m
				if s == blas.Right {
					order = n
				}
				a, x := oneTriangle[F](rng, order, ul, blas.NonUnit), guarded[F](rng, m, n, 2)
				b := clone(x)
				by := newPrecision(public[F](gonum.Implementation{}), inner[F]().rows)
				by.microkernel = func() simd.Gemm[F] { return simd.GemmAt[F](level) }
				by.substitution = func() simd.Solve[F] { return simd.SolveAt[F](level) }
				by.by(2).trsm(s, ul, blas.NoTrans, blas.NonUnit, m, n, 1, a.data, a.ld, x.data, x.ld)
				public[F](gonum.Implementation{}).trmm(s, ul, blas.NoTrans, blas.NonUnit, m, n, 1, a.data, a.ld, x.data, x.ld)
				same(t, x, b, order, 120)
			}
		}
	}
}

// TestSyrkIsHalfAProduct compares the triangle with the product, to the bit, and wants
// the other half untouched, also where C is wider than a packed block.
func TestSyrkIsHalfAProduct(t *testing.T) {
	both(t, testSyrkIsHalfAProduct[float32], testSyrkIsHalfAProduct[float64])
}

func testSyrkIsHalfAProduct[F simd.Float](t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	for _, c := range []struct {
		n, k    int
		workers []int
	}{{500, 300, []int{1, 2, 3, 8}}, {blockN + 100, 4, []int{3}}} {
		n, k := c.n, c.k
		a := guarded[F](rng, n, k, 0)
		want, half := make([]F, n*n), make([]F, n*n)
		public[F](Implementation{}).gemm(blas.NoTrans, blas.Trans, n, n, k, 1, a.data, k, a.data, k, 0, want, n)
		for _, ul := range uplos {
			for _, workers := range c.workers {
				for i := range half {
					half[i] = guard
				}
				public[F](Implementation{Workers: workers}).syrk(ul, blas.NoTrans, n, k, 1, a.data, k, 0, half, n)
				for at, got := range half {
					w, i, j := want[at], at/n, at%n
					if i < j && ul == blas.Lower || i > j && ul == blas.Upper {
						w = guard
					}
					if got != w {
						t.Fatalf("%c, n=%d, %d workers: element (%d, %d) is %v, want %v", ul, n, workers, i, j, got, w)
					}
				}
			}
		}
	}
}
