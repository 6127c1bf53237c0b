package data

import "fmt"

// Vectors is a set of n dense vectors of d numbers each, row after row in one
// slice. The zero value is the empty set.
type Vectors struct {
	n, d int
	x    []float64
}

// NewVectors returns the n vectors of d numbers stored row-major in x, which is
// not copied. It returns an error unless len(x) == n·d.
func NewVectors(n, d int, x []float64) (Vectors, error) {
	// The quotient guards against a product that overflows.
	if n < 0 || d < 0 || len(x) != n*d || d > 0 && n != len(x)/d {
		return Vectors{}, fmt.Errorf("data: %d numbers cannot be %d vectors of %d numbers", len(x), n, d)
	}
	return Vectors{n: n, d: d, x: x}, nil
}

// MakeVectors returns n zero vectors of d numbers, to be filled through At.
func MakeVectors(n, d int) Vectors { return Vectors{n: n, d: d, x: make([]float64, n*d)} }

// Len returns the number of vectors, n.
func (v Vectors) Len() int { return v.n }

// Dim returns the length of every vector, d.
func (v Vectors) Dim() int { return v.d }

// At returns vector i as a view into the storage: do not append to it.
func (v Vectors) At(i int) []float64 { return v.x[i*v.d : (i+1)*v.d : (i+1)*v.d] }

// Raw returns the row-major storage of n·d numbers. It is not a copy.
func (v Vectors) Raw() []float64 { return v.x }

// Gather copies the vectors at the given indices, in that order.
func (v Vectors) Gather(index []int) Vectors { return gather(v, v.d, index) }

// Gather copies the members at the given indices, in that order, of a set that is not empty and
// whose vectors have one length.
func Gather(xs Set[[]float64], index []int) Vectors { return gather(xs, len(xs.At(0)), index) }

func gather(xs Set[[]float64], d int, index []int) Vectors {
	out := MakeVectors(len(index), d)
	for i, j := range index {
		copy(out.At(i), xs.At(j))
	}
	return out
}

var _ Set[[]float64] = Vectors{}

// Pack copies rows of one length into contiguous storage. The error names the first row
// whose length differs.
func Pack(rows [][]float64) (Vectors, error) {
	if len(rows) == 0 {
		return Vectors{}, nil
	}
	v := MakeVectors(len(rows), len(rows[0]))
	for i, row := range rows {
		if len(row) != v.d {
			return Vectors{}, fmt.Errorf("data: vector %d has %d numbers, and the first %d", i, len(row), v.d)
		}
		copy(v.At(i), row)
	}
	return v, nil
}

// LinearImage stores Lx in dst, where L is the len(dst)×len(x) matrix whose rows follow one
// another in l. Products are added from the first coordinate to the last and never fused, so
// that the bits are the same on every machine.
func LinearImage(dst, l, x []float64) {
	for i := range dst {
		sum := 0.0
		for j, v := range x {
			sum += float64(l[i*len(x)+j] * v)
		}
		dst[i] = sum
	}
}

// LinearImages returns the points Lx of a set of points of d coordinates, where L is the r×d
// matrix whose r·d numbers follow one another in l, in n·r·d multiplications.
func LinearImages(l []float64, xs Set[[]float64]) Vectors {
	if xs.Len() == 0 {
		return Vectors{}
	}
	out := MakeVectors(xs.Len(), len(l)/len(xs.At(0)))
	for i := range out.n {
		LinearImage(out.At(i), l, xs.At(i))
	}
	return out
}
