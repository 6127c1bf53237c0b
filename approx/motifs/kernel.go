package motifs

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/approx/filters"
	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/gram"
	"example.org/mercer/internal/parallel"
	"example.org/mercer/internal/simd"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/construction"
)

// Kernel is ⟨φ(x), φ(y)⟩ of the features of a kernel on words with motifs.
type Kernel[T any] struct {
	of      kernel.Kernel[T]
	words   construction.Words[T]
	unit    bool // features have length 1, of a normalised kernel
	stored  filters.Stored
	m       int
	table   []float32 // Zᵀ/√K: m numbers for each symbol in each place
	workers int
}

// wordsOf returns the words of which a kernel is made, and whether it is normalised.
func wordsOf[T any](k kernel.Kernel[T], like T) (words construction.Words[T], unit bool, err error) {
	made, err := kernel.FeatureConstructionOf(k, like)
	if r, ok := made.(construction.Rescaled[T]); err == nil && ok && r.Unit {
		made, unit = r.Of, true
	}
	words, ok := made.(construction.Words[T])
	if err != nil || !ok {
		return words, false, fmt.Errorf("motifs: %s compares no words place by place: write motif(k=…, sigma=…), or normalize(of=motif(…)), alone; landmarks approximate any kernel", k)
	}
	return words, unit, nil
}

// Comparable reports whether a kernel can have motifs.
func Comparable[T any](k kernel.Kernel[T], like T) bool {
	_, _, err := wordsOf(k, like)
	return err == nil
}

// Restore makes the kernel of stored motifs. The error is about a kernel without words, or numbers
// that do not fit them.
func Restore[T any](of kernel.Kernel[T], like T, layers []filters.Stored, workers int) (*Kernel[T], error) {
	words, unit, err := wordsOf(of, like)
	if err != nil {
		return nil, err
	}
	if len(layers) != 1 {
		return nil, fmt.Errorf("motifs: %d layers do not fit %s, which has one", len(layers), of)
	}
	k := &Kernel[T]{of: of, words: words, unit: unit, stored: layers[0], m: len(layers[0].Filters) / words.Dim(), workers: workers}
	d := words.Dim()
	if k.m < 1 || k.m*d != len(k.stored.Filters) || k.m*k.m != len(k.stored.Inverse) {
		return nil, fmt.Errorf("motifs: %d numbers of motifs and %d of an inverse root do not fit %s", len(k.stored.Filters), len(k.stored.Inverse), of)
	}
	k.table = make([]float32, d*k.m)
	root := math.Sqrt(float64(words.K))
	for i, v := range k.stored.Filters {
		k.table[i%d*k.m+i/d] = float32(float64(v) / root)
	}
	return k, nil
}

// Of returns the exact kernel.
func (k *Kernel[T]) Of() kernel.Kernel[T] { return k.of }

// Dim returns the number of features, one for each motif.
func (k *Kernel[T]) Dim() int { return k.m }

// Filters returns the number of motifs, of the only layer.
func (k *Kernel[T]) Filters() []int { return []int{k.m} }

// Layers returns the motifs and the inverse root as they are kept in files; see [Restore].
func (k *Kernel[T]) Layers() []filters.Stored {
	return []filters.Stored{{Filters: slices.Clone(k.stored.Filters), Inverse: slices.Clone(k.stored.Inverse)}}
}

// String names the kernel and the number of motifs, which no expression can hold.
func (k *Kernel[T]) String() string { return fmt.Sprintf("motifs(of=%s, motifs=%d)", k.of, k.m) }

// Contains returns why a point has no words. The original kernel, where it is normalised, would
// also compare all of them.
func (k *Kernel[T]) Contains(x T) error { return k.words.Contains(x) }

// Derive says why the kernel is positive definite.
func (k *Kernel[T]) Derive() kernel.Derivation {
	return kernel.Derivation{Verdict: kernel.Definite, Reason: "an inner product of explicit features", Kernel: k.String()}
}

// Eval returns ⟨φ(x), φ(y)⟩.
func (k *Kernel[T]) Eval(x, y T) float64 {
	u, v := make([]float64, k.m), make([]float64, k.m)
	k.Map(u, x)
	k.Map(v, y)
	return floats.Dot(u, v)
}

// Features returns the number of features.
func (k *Kernel[T]) Features(T) (dim int, ok bool) { return k.m, true }

// Map stores φ(x), with the bits that MapRows gives it.
func (k *Kernel[T]) Map(phi []float64, x T) {
	k.MapRows(kernel.Tile{Rows: 1, Cols: len(phi), Stride: len(phi), Data: phi}, data.Slice[T]{x}, 0)
}

// MapRows stores φ(xs[from+i]) in row i of dst.
func (k *Kernel[T]) MapRows(dst kernel.Tile, xs data.Set[T], from int) {
	// The error is that of a context, of which there is none.
	_ = k.mapRows(context.Background(), dst, xs, from, k.workers)
}

func (k *Kernel[T]) mapRows(ctx context.Context, dst kernel.Tile, xs data.Set[T], from, workers int) error {
	rooms := make([]*room, parallel.Workers(workers))
	return parallel.Each(ctx, len(rooms), dst.Rows, func(worker, i int) {
		if rooms[worker] == nil {
			rooms[worker] = newRoom(k.m)
		}
		k.sum(rooms[worker], xs.At(from+i))
		row := dst.Row(i)
		for j := range row {
			row[j] = 0
			for l, v := range k.stored.Inverse[j*k.m : (j+1)*k.m] {
				row[j] += float64(v) * rooms[worker].sums[l]
			}
		}
		floats.Scale(k.scale(row), row)
	})
}

// scale is the factor of features that are not normalised yet; those of a point without words
// stay 0.
func (k *Kernel[T]) scale(row []float64) float64 {
	if length := math.Sqrt(floats.Dot(row, row)); k.unit && length > 0 {
		return 1 / length
	}
	return 1
}

// room is what a goroutine needs for a point: values of some words, which are added in single
// precision, and their sums.
type room struct {
	values, some []float32
	sums         []float64
	ones         []float32
}

// togetherWords is the number of words whose values are added in single precision: few
// enough that rounding stays that of the exponentials.
const togetherWords = 32

func newRoom(m int) *room {
	r := &room{values: make([]float32, togetherWords*m), some: make([]float32, m), sums: make([]float64, m), ones: make([]float32, togetherWords)}
	for i := range r.ones {
		r.ones[i] = 1
	}
	return r
}

// sum leaves Σ_u κ(Zᵀu/√K) in r.sums.
func (k *Kernel[T]) sum(r *room, x T) {
	clear(r.sums)
	held := 0
	// The error is that of a context, of which there is none.
	_ = k.words.List(context.Background(), x, func(w construction.Word) {
		k.inner(r.values[held*k.m:(held+1)*k.m], w.Symbols)
		if held++; held == togetherWords {
			k.add(r, held)
			held = 0
		}
	})
	k.add(r, held)
}

// inner stores Zᵀu/√K − 1.
func (k *Kernel[T]) inner(dst []float32, symbols []rune) {
	for j := range dst {
		dst[j] = -1
	}
	for place, symbol := range symbols {
		at := (place*len(k.words.Symbols) + int(symbol)) * k.m
		simd.Add(dst, dst, k.table[at:at+k.m])
	}
}

// add adds the exponentials of so many words to the sums.
func (k *Kernel[T]) add(r *room, held int) {
	if held == 0 {
		return
	}
	values := r.values[:held*k.m]
	simd.Exp32(values, values, float32(1/(k.words.Sigma*k.words.Sigma)))
	clear(r.some)
	simd.AddRows32(r.some, values, k.m, r.ones[:held])
	for j, v := range r.some {
		r.sums[j] += float64(v)
	}
}

// Operator is ΦΦᵀ of n points: 8nm bytes, which are refused with a [*compute.TooLarge] error
// beyond o.MaxMemory.
func (k *Kernel[T]) Operator(ctx context.Context, xs data.Set[T], o compute.Options) (*gram.FeatureOperator, error) {
	return gram.FeatureOperatorOf(ctx, xs.Len(), k.m, func(ctx context.Context, dst *mat.Dense, from int) error {
		raw := dst.RawMatrix()
		return k.mapRows(ctx, kernel.Tile{Rows: raw.Rows, Cols: raw.Cols, Stride: raw.Stride, Data: raw.Data}, xs, from, o.WorkerCount())
	}, o)
}

// Bind joins the kernel to its points, whose features are computed when they are first needed
// and then kept.
func (k *Kernel[T]) Bind(rows, cols data.Set[T]) kernel.Pairs {
	return gram.BindFeatures(k, k.m, rows, cols)
}

var (
	_ kernel.RowMapped[string] = (*Kernel[string])(nil)
	_ kernel.Binder[string]    = (*Kernel[string])(nil)
	_ kernel.Domain[string]    = (*Kernel[string])(nil)
)
