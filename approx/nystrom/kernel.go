package nystrom

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/gram"
	"example.org/mercer/kernel"
	"example.org/mercer/linalg"
	"example.org/mercer/model"
)

// Kernel is k̃(x, y) = ⟨φ(x), φ(y)⟩ with φ(x) = L⁻¹k(C, x), LLᵀ = K_CC: a kernel with an
// explicit feature map of as many dimensions as there are landmarks, which every method
// takes like any other. What a method finds with it is, without any loss, an expansion
// of the original kernel on the landmarks; see [Collapse].
type Kernel[T any] struct {
	of        kernel.Kernel[T]
	landmarks data.Set[T]
	kept      []int // numbers of the landmarks among those that were given
	bound     kernel.BoundColumns[T]
	factor    *linalg.Cholesky
	compute   compute.Options
}

// New factors K_CC for landmarks C. Those that the others explain up to rounding (a
// point that is there twice, more points than the kernel has dimensions) are left out:
// they add nothing to the span. m³/3 multiplications, 8m² bytes.
func New[T any](ctx context.Context, k kernel.Kernel[T], landmarks data.Set[T], o compute.Options) (*Kernel[T], error) {
	m := landmarks.Len()
	if m == 0 {
		return nil, errors.New("nystrom: there are no landmarks")
	}
	n, err := On(ctx, k, landmarks, o)
	var singular *linalg.NotPositiveDefinite
	if err != nil && !errors.As(err, &singular) || err == nil && n.factor.Condition() <= 1/rounding(m) {
		return n, err
	}
	whole, err := gramOf(ctx, k, landmarks, o)
	if err != nil {
		return nil, err
	}
	kept, err := independent(ctx, whole, o)
	if err != nil {
		return nil, err
	}
	if n, err = On(ctx, k, data.Subset(landmarks, kept), o); err != nil {
		return nil, err
	}
	n.kept = kept
	return n, nil
}

// On is [New] for landmarks that are known to be independent, such as those of an earlier
// Kernel, of which it has the bits. Where they are not the error wraps a
// [*linalg.NotPositiveDefinite].
func On[T any](ctx context.Context, k kernel.Kernel[T], landmarks data.Set[T], o compute.Options) (*Kernel[T], error) {
	if err := kernel.Validate(k, landmarks); err != nil {
		return nil, fmt.Errorf("nystrom: landmarks: %w", err)
	}
	whole, err := gramOf(ctx, k, landmarks, o)
	if err != nil {
		return nil, err
	}
	n := &Kernel[T]{of: k, landmarks: landmarks, kept: between(0, landmarks.Len()), bound: kernel.BindColumns(k, landmarks), compute: o}
	if n.factor, err = linalg.Factor(ctx, whole, 0, linalg.Options{Workers: o.Workers}); err != nil {
		return nil, fmt.Errorf("nystrom: the Gram matrix of the landmarks: %w", err)
	}
	return n, nil
}

// gramOf returns K_CC, which is the caller's to change.
func gramOf[T any](ctx context.Context, k kernel.Kernel[T], landmarks data.Set[T], o compute.Options) (*mat.SymDense, error) {
	plain := compute.Options{Workers: o.Workers, MaxMemory: o.MaxMemory}
	return gram.CopyDense(ctx, gram.Of(kernel.Bind(k, landmarks, landmarks), plain), plain)
}

// rounding is the part of a diagonal element of a matrix of m rows below which what
// earlier rows leave of it cannot be told from zero.
func rounding(m int) float64 { return 16 * float64(m) * 0x1p-52 }

// independent returns rows of a positive semidefinite matrix, ascending, that span all
// of them up to rounding.
func independent(ctx context.Context, a *mat.SymDense, o compute.Options) ([]int, error) {
	m := a.SymmetricDim()
	diag := make([]float64, m)
	for i := range diag {
		diag[i] = a.At(i, i)
	}
	columns := func(_ context.Context, dst *mat.Dense, cols []int) error {
		for i, c := range cols {
			for j := range m {
				dst.Set(i, j, a.At(c, j))
			}
		}
		return nil
	}
	low, err := linalg.PivotedCholesky(ctx, diag, columns, linalg.LowRankOptions{Rank: m, Tolerance: rounding(m), Pivots: linalg.Random, Workers: o.Workers})
	if err != nil {
		return nil, fmt.Errorf("nystrom: the Gram matrix of the landmarks: %w", err)
	}
	var kept []int
	for j, row := range low.Pivots {
		if left := low.LT.At(j, row); left*left > rounding(m)*diag[row] {
			kept = append(kept, row)
		}
	}
	slices.Sort(kept)
	return kept, nil
}

// Of returns the kernel that is approximated.
func (n *Kernel[T]) Of() kernel.Kernel[T] { return n.of }

// Landmarks returns the points whose sections span the features, and their numbers
// among the landmarks that were given.
func (n *Kernel[T]) Landmarks() (data.Set[T], []int) { return n.landmarks, n.kept }

// Rank returns m, the number of features.
func (n *Kernel[T]) Rank() int { return len(n.kept) }

// String names the kernel and the number of its landmarks, which no expression can hold.
func (n *Kernel[T]) String() string {
	return fmt.Sprintf("nystrom(of=%s, landmarks=%d)", n.of, n.Rank())
}

// Contains returns why the original kernel is not defined for a point.
func (n *Kernel[T]) Contains(x T) error { return kernel.Contains(n.of, x) }

// Derive says why the kernel is positive definite.
func (n *Kernel[T]) Derive() kernel.Derivation {
	return kernel.Derivation{Verdict: kernel.Definite, Reason: "an inner product of explicit features", Kernel: n.String()}
}

// Eval returns ⟨φ(x), φ(y)⟩.
func (n *Kernel[T]) Eval(x, y T) float64 {
	phi, psi := make([]float64, n.Rank()), make([]float64, n.Rank())
	n.Map(phi, x)
	n.Map(psi, y)
	return floats.Dot(phi, psi)
}

// Features returns the number of landmarks.
func (n *Kernel[T]) Features(T) (dim int, ok bool) { return n.Rank(), true }

// Map stores φ(x): m values of the kernel and m² multiplications.
func (n *Kernel[T]) Map(phi []float64, x T) {
	n.MapRows(kernel.Tile{Rows: 1, Cols: len(phi), Stride: len(phi), Data: phi}, data.Slice[T]{x}, 0)
}

// MapRows stores φ(xs[from+i]) in row i of dst: m values of the kernel and m²
// multiplications each, in products of blocks.
func (n *Kernel[T]) MapRows(dst kernel.Tile, xs data.Set[T], from int) {
	if dst.Rows == 0 {
		return
	}
	// The errors are those of a context, of which there is none, and of sizes, which fit.
	_ = n.features(context.Background(), gram.AsMatrix(dst), data.Run(xs, from, from+dst.Rows), n.compute.Workers)
}

// Factor returns L, for LLᵀ = K_CC.
func (n *Kernel[T]) Factor() *linalg.Cholesky { return n.factor }

// Sections returns k(X, C), whose rows go by in blocks: Φ = k(X, C)L⁻ᵀ.
func (n *Kernel[T]) Sections(xs data.Set[T], o compute.Options) *gram.TallSkinny {
	return gram.Columns(n.of, n.landmarks, n.bound, xs, o)
}

// features stores φ of points in the rows of dst.
func (n *Kernel[T]) features(ctx context.Context, dst *mat.Dense, xs data.Set[T], workers int) error {
	if err := gram.Rect(ctx, dst, n.bound.Bind(xs, nil), compute.Options{Workers: workers}); err != nil {
		return err
	}
	return n.factor.Whiten(ctx, dst)
}

// Expand returns f(x) = ⟨w, φ(x)⟩ + b, a function for each column of w, as an expansion
// of the original kernel on the landmarks: with the coefficients β = L⁻ᵀw.
func (n *Kernel[T]) Expand(ctx context.Context, w *mat.Dense, bias []float64) (*model.Expansion[T], error) {
	coef := mat.DenseCopyOf(w.T())
	if err := n.factor.Unwhiten(ctx, coef); err != nil {
		return nil, err
	}
	return &model.Expansion[T]{Kernel: n.of, Points: n.landmarks, Coef: mat.DenseCopyOf(coef.T()), Bias: bias}, nil
}

// Collapse turns a function that was found with a [Kernel] into the same function as an
// expansion on its landmarks: weights of the features, or coefficients of any number of
// points, which cost that many feature vectors. Other functions are returned as they are.
func Collapse[T any](ctx context.Context, f model.Predictor[T]) (model.Predictor[T], error) {
	switch f := f.(type) {
	case *model.Primal[T]:
		if n, ok := f.Kernel.(*Kernel[T]); ok {
			return n.Expand(ctx, f.W, f.Bias)
		}
	case *model.Expansion[T]:
		if n, ok := f.Kernel.(*Kernel[T]); ok {
			op, err := n.Operator(ctx, f.Points, n.compute)
			if err != nil {
				return nil, err
			}
			return n.Expand(ctx, op.Weights(f.Coef), f.Bias)
		}
	}
	return f, nil
}

var (
	_ kernel.RowMapped[string] = (*Kernel[string])(nil)
	_ kernel.Binder[string]    = (*Kernel[string])(nil)
	_ kernel.Domain[string]    = (*Kernel[string])(nil)
)
