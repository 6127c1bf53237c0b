package gram

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/kernel"
	"example.org/mercer/linalg"
)

// Symmetric is the operator of a kernel bound to one set of points, of which single
// elements can be read, too: a symmetric [Stream], a [Matrix] or a [Triangle].
type Symmetric interface {
	Operator
	Pairs() kernel.Pairs
}

// Triangle is a symmetric operator whose lower triangle is in memory: 8 bytes for each
// of its n²/2 elements, or 4 in single precision.
type Triangle struct {
	pairs     kernel.Pairs
	precision compute.Precision
	product   func(ctx context.Context, dst, x *mat.Dense, o linalg.Options) error
	options   linalg.Options
}

// TriangleOf computes the triangle of a kernel bound to one set, in the precision of
// the options, as [PackedOf] and [PackedSingleOf] do and with their errors.
func TriangleOf(ctx context.Context, p kernel.Pairs, o compute.Options) (*Triangle, error) {
	t := &Triangle{pairs: p, precision: o.Precision, options: linalg.Options{Workers: o.Workers}}
	if o.Precision == compute.Single {
		packed, err := PackedSingleOf(ctx, nil, p, o)
		if err != nil {
			return nil, err
		}
		t.product = packed.MulWith
		return t, nil
	}
	packed, err := PackedOf(ctx, p, o)
	if err != nil {
		return nil, err
	}
	t.product = packed.MulWith
	return t, nil
}

// Dims returns the number of points twice.
func (t *Triangle) Dims() (rows, cols int) { return t.pairs.Dims() }

// Pairs returns the bound kernel that the triangle was computed from.
func (t *Triangle) Pairs() kernel.Pairs { return t.pairs }

// Mul stores K·x in dst; every element is read once, 2n²·rhs flops. In single precision
// x is rounded, and products are summed in float32 within a tile.
func (t *Triangle) Mul(ctx context.Context, dst, x *mat.Dense) error {
	return t.product(ctx, dst, x, t.options)
}

// Where an operator made by [CachedOperator] has its elements.
const (
	InTriangle       = "packed"
	InSingleTriangle = "packed single"
	InStream         = "stream"
)

// cacheBytes is the memory that [CachedOperator] may take where no limit is given.
const cacheBytes = 4 << 30

// CachedOperator returns an operator to multiply with many times, and where it has its
// elements: the triangle, computed once, if it and the beside bytes that the caller
// needs fit in o.MaxMemory (4 GiB without a limit), and else a stream that computes
// them in every product.
func CachedOperator(ctx context.Context, p kernel.Pairs, beside int64, o compute.Options) (Symmetric, string, error) {
	n, _ := p.Dims()
	if !CacheFits(n, beside, o) {
		return Of(p, o), InStream, nil
	}
	t, err := TriangleOf(ctx, p, o)
	if err != nil {
		return nil, "", err
	}
	if t.precision == compute.Single {
		return t, InSingleTriangle, nil
	}
	return t, InTriangle, nil
}

// CacheFits reports whether [CachedOperator] stores the triangle of n points.
func CacheFits(n int, beside int64, o compute.Options) bool {
	limit := o.MaxMemory
	if limit <= 0 {
		limit = cacheBytes
	}
	return PackedBytes(n, o.Precision)+beside <= limit
}
