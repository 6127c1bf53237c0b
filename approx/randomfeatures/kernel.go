package randomfeatures

import (
	"cmp"
	"context"
	"fmt"
	"runtime"

	"gonum.org/v1/gonum/floats"

	"example.org/mercer/data"
	"example.org/mercer/internal/parallel"
	"example.org/mercer/kernel"
)

// Kernel is ⟨z(x), z(y)⟩ of features that stand for a kernel.
type Kernel[T any] struct {
	of   kernel.Kernel[T]
	like T
	o    Options
	z    block[T]
}

// New makes the map of a kernel; like is a point of the kind that is mapped. Frequencies of d
// coordinates take Dd numbers. The errors are those of the options, of a kernel that does not
// know what it is made of (they wrap [errors.ErrUnsupported]), and of too few features.
func New[T any](k kernel.Kernel[T], like T, o Options) (*Kernel[T], error) {
	if err := o.validate(); err != nil {
		return nil, err
	}
	features, err := kernel.FeatureConstructionOf(k, like)
	if err != nil {
		return nil, fmt.Errorf("randomfeatures: %w", err)
	}
	least, most := bounds(features)
	if least > o.Dim {
		return nil, fmt.Errorf("randomfeatures: %s takes at least %d features, and dim = %d", k, least, o.Dim)
	}
	o.Dim, o.Frequencies = min(o.Dim, most), cmp.Or(o.Frequencies, Orthogonal)
	draws := &draws{seed: o.Seed, frequencies: o.Frequencies}
	return &Kernel[T]{of: k, like: like, o: o, z: build(features, o.Dim, draws)}, nil
}

// Of returns the kernel that is approximated.
func (k *Kernel[T]) Of() kernel.Kernel[T] { return k.of }

// Options returns those with which the same map is made again.
func (k *Kernel[T]) Options() Options { return k.o }

// Dim returns the number of features, which is at most that of the options.
func (k *Kernel[T]) Dim() int { return k.z.dim() }

// String names the kernel and its features, which no expression can hold.
func (k *Kernel[T]) String() string {
	return fmt.Sprintf("features(of=%s, dim=%d, seed=%d)", k.of, k.Dim(), k.o.Seed)
}

// Contains returns why the original kernel is not defined for a point.
func (k *Kernel[T]) Contains(x T) error { return kernel.Contains(k.of, x) }

// Derive says why the kernel is positive definite.
func (k *Kernel[T]) Derive() kernel.Derivation {
	return kernel.Derivation{Verdict: kernel.Definite, Reason: "an inner product of explicit features", Kernel: k.String()}
}

// Eval returns ⟨z(x), z(y)⟩.
func (k *Kernel[T]) Eval(x, y T) float64 {
	zx, zy := make([]float64, k.Dim()), make([]float64, k.Dim())
	k.Map(zx, x)
	k.Map(zy, y)
	return floats.Dot(zx, zy)
}

// Features returns the number of features.
func (k *Kernel[T]) Features(T) (dim int, ok bool) { return k.Dim(), true }

// Map stores z(x), with the bits that MapRows gives it.
func (k *Kernel[T]) Map(phi []float64, x T) {
	k.z.rows(kernel.Tile{Rows: 1, Cols: len(phi), Stride: len(phi), Data: phi}, data.Slice[T]{x}, 0)
}

// bandRows is the number of points that are mapped together.
const bandRows = 32

// MapRows stores z(xs[from+i]) in row i of dst, the bits of which do not depend on the
// company or the number of workers.
func (k *Kernel[T]) MapRows(dst kernel.Tile, xs data.Set[T], from int) {
	// The error is that of a context, of which there is none.
	_ = k.mapRows(context.Background(), dst, xs, from, k.o.Workers)
}

func (k *Kernel[T]) mapRows(ctx context.Context, dst kernel.Tile, xs data.Set[T], from, workers int) error {
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	bands := (dst.Rows + bandRows - 1) / bandRows
	return parallel.Each(ctx, workers, bands, func(_, b int) {
		first := b * bandRows
		k.z.rows(part(dst, first, min(first+bandRows, dst.Rows), 0, dst.Cols), xs, from+first)
	})
}

// part is the block of a tile of the rows from … and the columns low ….
func part(t kernel.Tile, from, to, low, high int) kernel.Tile {
	return kernel.Tile{Rows: to - from, Cols: high - low, Stride: t.Stride, Data: t.Data[from*t.Stride+low : (to-1)*t.Stride+high]}
}

var (
	_ kernel.RowMapped[string] = (*Kernel[string])(nil)
	_ kernel.Binder[string]    = (*Kernel[string])(nil)
	_ kernel.Domain[string]    = (*Kernel[string])(nil)
)
