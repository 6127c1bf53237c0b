package filters

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/gram"
	"example.org/mercer/internal/parallel"
	"example.org/mercer/internal/simd"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/ckn"
)

// Kernel is ⟨φ(x), φ(y)⟩ of the features of a network with filters.
type Kernel struct {
	of      ckn.Kernel
	stages  []stage
	group   int // images that are mapped together
	workers int
	free    *sync.Pool // of *scratch
}

// assembled makes the kernel of stages that are complete.
func assembled(of ckn.Kernel, all []stage, workers int) *Kernel {
	return &Kernel{of: of, stages: all, group: groupOf(all), workers: workers, free: &sync.Pool{New: func() any { return new(scratch) }}}
}

// groupNumbers is about how many numbers a group of images should have in its patches: a few
// megabytes.
const groupNumbers = 1 << 19

func groupOf(all []stage) int {
	group := 64
	for i := range all {
		s := &all[i]
		group = min(group, groupNumbers/(s.positions()*max(s.dim(), s.m))+1)
	}
	return group
}

// Of returns the exact kernel.
func (k *Kernel) Of() kernel.Kernel[[]float64] { return k.of }

// Network returns the exact kernel with the whitening that was learned.
func (k *Kernel) Network() ckn.Kernel { return k.of }

// Dim returns the number of features.
func (k *Kernel) Dim() int {
	last := &k.stages[len(k.stages)-1]
	return last.pooled() * last.m
}

// Filters returns how many there are in each layer.
func (k *Kernel) Filters() []int {
	out := make([]int, len(k.stages))
	for i := range out {
		out[i] = k.stages[i].m
	}
	return out
}

// String names the kernel and its filters, which no expression can hold.
func (k *Kernel) String() string {
	return fmt.Sprintf("filters(of=%s, filters=%v)", k.of, k.Filters())
}

// Contains returns why the original kernel is not defined for a point.
func (k *Kernel) Contains(x []float64) error { return k.of.Contains(x) }

// Derive says why the kernel is positive definite.
func (k *Kernel) Derive() kernel.Derivation {
	return kernel.Derivation{Verdict: kernel.Definite, Reason: "an inner product of explicit features", Kernel: k.String()}
}

// Eval returns ⟨φ(x), φ(y)⟩.
func (k *Kernel) Eval(x, y []float64) float64 {
	u, v := make([]float64, k.Dim()), make([]float64, k.Dim())
	k.Map(u, x)
	k.Map(v, y)
	return floats.Dot(u, v)
}

// Features returns the number of features.
func (k *Kernel) Features([]float64) (dim int, ok bool) { return k.Dim(), true }

// Map stores φ(x), with the bits that MapRows gives it.
func (k *Kernel) Map(phi []float64, x []float64) {
	k.MapRows(kernel.Tile{Rows: 1, Cols: len(phi), Stride: len(phi), Data: phi}, data.Slice[[]float64]{x}, 0)
}

// MapRows stores φ(xs[from+i]) in row i of dst, the bits of which do not depend on the company or
// the number of workers.
func (k *Kernel) MapRows(dst kernel.Tile, xs data.Set[[]float64], from int) {
	// The error is that of a context, of which there is none.
	_ = k.mapRows(context.Background(), dst, xs, from, k.workers)
}

func (k *Kernel) mapRows(ctx context.Context, dst kernel.Tile, xs data.Set[[]float64], from, workers int) error {
	groups := (dst.Rows + k.group - 1) / k.group
	return parallel.Each(ctx, parallel.Workers(workers), groups, func(_, g int) {
		b := k.free.Get().(*scratch)
		defer k.free.Put(b)
		first, to := g*k.group, min((g+1)*k.group, dst.Rows)
		k.through(b, xs, from+first, to-first, len(k.stages))
		for i := range to - first {
			row := dst.Row(first + i)
			for j, v := range b.from[i*len(row) : (i+1)*len(row)] {
				row[j] = float64(v)
			}
			if k.of.Normalized() {
				normalize(row)
			}
		}
	})
}

// normalize makes features of length 1, but for those that are all 0.
func normalize(row []float64) {
	if length := lengthOf(row); length > 0 {
		floats.Scale(1/length, row)
	}
}

func lengthOf(row []float64) float64 {
	sum := 0.0
	for _, v := range row {
		sum += v * v
	}
	return math.Sqrt(sum)
}

// through leaves in b.from the maps of count images after some layers.
func (k *Kernel) through(b *scratch, xs data.Set[[]float64], from, count, layers int) {
	h, w, c := k.of.MapShape()
	size := h * w * c
	b.from = grown(b.from, count*size)
	if need := size + k.of.MapScratch(); len(b.wide) < need {
		b.wide = make([]float64, need)
	}
	for i := range count {
		k.of.Map(b.wide[:size], b.wide[size:], xs.At(from+i))
		simd.Narrow(b.from[i*size:(i+1)*size], b.wide[:size])
	}
	for l := range layers {
		s := &k.stages[l]
		b.to = grown(b.to, count*s.pooled()*s.m)
		s.forward(b.to, b.from, count, b)
		b.from, b.to = b.to, b.from
	}
}

// Operator is ΦΦᵀ of n points: 8nD bytes, which are refused with a [*compute.TooLarge] error
// beyond o.MaxMemory.
func (k *Kernel) Operator(ctx context.Context, xs data.Set[[]float64], o compute.Options) (*gram.FeatureOperator, error) {
	return gram.FeatureOperatorOf(ctx, xs.Len(), k.Dim(), func(ctx context.Context, dst *mat.Dense, from int) error {
		raw := dst.RawMatrix()
		return k.mapRows(ctx, kernel.Tile{Rows: raw.Rows, Cols: raw.Cols, Stride: raw.Stride, Data: raw.Data}, xs, from, o.WorkerCount())
	}, o)
}

// Bind joins the kernel to its points, whose features are computed when they are first needed
// and then kept.
func (k *Kernel) Bind(rows, cols data.Set[[]float64]) kernel.Pairs {
	return gram.BindFeatures(k, k.Dim(), rows, cols)
}

// FiltersOf returns the filters of a layer, one in each row, of patches of Patch×Patch positions
// with their channels side by side.
func (k *Kernel) FiltersOf(layer int) *mat.Dense {
	s := &k.stages[layer]
	out := mat.NewDense(s.m, s.dim(), nil)
	for i, v := range s.filters {
		out.RawMatrix().Data[i] = float64(v)
	}
	return out
}

// Layers returns the filters and inverse roots of all layers as they are kept in files; see
// [Restore].
func (k *Kernel) Layers() []Stored {
	out := make([]Stored, len(k.stages))
	for i := range out {
		s := &k.stages[i]
		out[i] = Stored{Filters: slices.Clone(s.filters), Inverse: slices.Clone(s.inverse)}
	}
	return out
}

// Stored is a layer: m filters of d numbers each, and the m×m matrix (κ(ZᵀZ) + εI)^(−1/2).
type Stored struct{ Filters, Inverse []float32 }

// Restore makes the kernel of stored layers; of has the whitening that was learned. The error
// is about numbers that do not fit the layers of the kernel.
func Restore(of ckn.Kernel, layers []Stored, workers int) (*Kernel, error) {
	if len(layers) != len(of.Layers()) {
		return nil, fmt.Errorf("filters: %d layers of filters do not fit the %d layers of %s", len(layers), len(of.Layers()), of)
	}
	counts := make([]int, len(layers))
	all := stages(of, counts)
	for i, l := range layers {
		d := of.Layers()[i].Patch * of.Layers()[i].Patch * all[i].c
		if i > 0 {
			d = of.Layers()[i].Patch * of.Layers()[i].Patch * counts[i-1]
		}
		counts[i] = len(l.Filters) / max(d, 1)
		if m := counts[i]; m < 1 || m*d != len(l.Filters) || m*m != len(l.Inverse) {
			return nil, fmt.Errorf("filters: %d numbers of filters and %d of an inverse root do not fit layer %d of %s", len(l.Filters), len(l.Inverse), i+1, of)
		}
	}
	all = stages(of, counts)
	for i, l := range layers {
		all[i].filters, all[i].inverse = l.Filters, l.Inverse
	}
	if err := whiten(&all[0], of); err != nil {
		return nil, err
	}
	return assembled(of, all, workers), nil
}

// whiten gives the first layer the whitening of the kernel.
func whiten(s *stage, of ckn.Kernel) error {
	w := of.Learned()
	if w == nil {
		if of.Input() == ckn.Whitened {
			return fmt.Errorf("filters: the whitening of %s is missing", of)
		}
		return nil
	}
	if d := s.dim(); len(w.Mean) != d || len(w.Matrix) != d*d {
		return fmt.Errorf("filters: a whitening of %d numbers does not fit patches of %d", len(w.Mean), d)
	}
	s.mean, s.whitening = make([]float32, len(w.Mean)), make([]float32, len(w.Matrix))
	simd.Narrow(s.mean, w.Mean)
	simd.Narrow(s.whitening, w.Matrix)
	return nil
}

var (
	_ kernel.RowMapped[[]float64] = (*Kernel)(nil)
	_ kernel.Binder[[]float64]    = (*Kernel)(nil)
	_ kernel.Domain[[]float64]    = (*Kernel)(nil)
)
