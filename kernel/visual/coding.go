package visual

import (
	"slices"

	"gonum.org/v1/gonum/blas"

	"example.org/mercer/linalg/level3"
)

// Coding is what a dictionary of so many members makes of the descriptors of a cell: [Words] or
// [Fisher].
type Coding interface {
	// Name is that of the kernel.
	Name() string
	// Size is the number of words or components.
	Size() int
	// Numbers returns how many numbers the dictionary has for descriptors of d numbers, Features
	// how many the code of a cell.
	Numbers(d int) int
	Features(d int) int
	// argument is that of the kernel for the size.
	argument() string
	// card is the title, the formula and the source of the kernel.
	card() (title, formula, source string)
	// check returns an error for numbers that are no dictionary.
	check(numbers []float64, d int) error
	// of returns the code of images by a dictionary that was checked.
	of(numbers []float64, d int) coder
}

// coder makes the codes of one image after another.
type coder interface {
	// see looks at the descriptors of an image, count×d.
	see(x []float64, count int)
	// pool stores the code of a cell, of the descriptors with these numbers. weight is that of its
	// level, cells the number of all.
	pool(dst []float64, members []int, weight float64, cells int)
}

// products stores A Bᵀ for A of m×d and B of n×d, or with trans AᵀB for A of d×m and B of d×n.
func products(trans bool, m, n, d int, a, b []float64, dst []float64) {
	one := level3.Implementation{Workers: 1}
	if trans {
		one.Dgemm(blas.Trans, blas.NoTrans, m, n, d, 1, a, m, b, n, 0, dst, n)
		return
	}
	one.Dgemm(blas.NoTrans, blas.Trans, m, n, d, 1, a, d, b, d, 0, dst, n)
}

// sized returns a slice of n numbers, the given one where it is long enough.
func sized(x []float64, n int) []float64 { return slices.Grow(x[:0], n)[:n] }
