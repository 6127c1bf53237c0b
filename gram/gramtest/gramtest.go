// Package gramtest is the conformance suite of Gram operators, for anyone who writes
// one: [Run] compares an operator with the explicit matrix that it stands for.
package gramtest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/internal/testkit"
)

// Operator is what is tested: gram.Operator, declared here so that the tests of
// package gram can call this suite.
type Operator interface {
	Dims() (rows, cols int)
	Mul(ctx context.Context, dst, x *mat.Dense) error
}

// Run checks, each in a subtest, that op
//
//   - has the size of dense and refuses operands of another size;
//   - multiplies like dense, for one and for many right-hand sides, into an empty
//     destination, a used one and a window of a larger matrix, and leaves x and what
//     surrounds the window alone;
//   - gives the same bits again, from several goroutines at once, and from the others:
//     the same operator made for other numbers of workers;
//   - returns the error of a context that has ended.
//
// Products may differ from those with dense by 10⁻¹¹ of Σⱼ|aᵢⱼxⱼ|, at its largest:
// 10⁴ roundings, more than a sum of some hundred rounded products can collect.
func Run(t *testing.T, op Operator, dense mat.Matrix, others ...Operator) {
	t.Helper()
	rows, cols := dense.Dims()
	t.Run("sizes", func(t *testing.T) { checkSizes(t, op, rows, cols) })
	for _, rhs := range []int{1, 2, 7} {
		t.Run(fmt.Sprintf("product with %d", rhs), func(t *testing.T) { checkProduct(t, op, dense, rhs) })
	}
	t.Run("destinations", func(t *testing.T) { checkDestinations(t, op, rows, cols) })
	t.Run("same bits", func(t *testing.T) { checkBits(t, op, others, cols) })
	t.Run("cancelled", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := op.Mul(ctx, mat.NewDense(rows, 1, nil), mat.NewDense(cols, 1, nil)); !errors.Is(err, context.Canceled) {
			t.Errorf("Mul with a cancelled context returned %v, want context.Canceled", err)
		}
	})
}

func checkSizes(t *testing.T, op Operator, rows, cols int) {
	if r, c := op.Dims(); r != rows || c != cols {
		t.Fatalf("Dims() = %d, %d, want %d, %d", r, c, rows, cols)
	}
	for name, operands := range map[string][2]*mat.Dense{
		"x with a row too many":         {mat.NewDense(rows, 1, nil), mat.NewDense(cols+1, 1, nil)},
		"dst with a row too many":       {mat.NewDense(rows+1, 1, nil), mat.NewDense(cols, 1, nil)},
		"dst with a column too many":    {mat.NewDense(rows, 2, nil), mat.NewDense(cols, 1, nil)},
		"dst with too few columns of x": {mat.NewDense(rows, 1, nil), mat.NewDense(cols, 2, nil)},
	} {
		if err := op.Mul(t.Context(), operands[0], operands[1]); err == nil {
			t.Errorf("%s was accepted", name)
		}
	}
}

// random returns standard normal numbers.
func random(t *testing.T, rows, cols int) *mat.Dense {
	rng, x := testkit.Rand(t, uint64(rows*1000+cols)), mat.NewDense(rows, cols, nil)
	for i := range rows {
		for j := range cols {
			x.Set(i, j, rng.NormFloat64())
		}
	}
	return x
}

func checkProduct(t *testing.T, op Operator, dense mat.Matrix, rhs int) {
	rows, cols := dense.Dims()
	x := random(t, cols, rhs)
	before := mat.DenseCopyOf(x)
	var got mat.Dense
	if err := op.Mul(t.Context(), &got, x); err != nil {
		t.Fatal(err)
	}
	if !mat.Equal(x, before) {
		t.Error("Mul changed x")
	}
	want, scale := mat.NewDense(rows, rhs, nil), 0.0
	for i := range rows {
		for c := range rhs {
			sum, size := 0.0, 0.0
			for j := range cols {
				term := dense.At(i, j) * x.At(j, c)
				sum += term
				size += math.Abs(term)
			}
			want.Set(i, c, sum)
			scale = math.Max(scale, size)
		}
	}
	for i := range rows {
		for c := range rhs {
			if d := math.Abs(got.At(i, c) - want.At(i, c)); !(d <= 1e-11*scale) {
				t.Fatalf("element (%d, %d) of the product is %v, want %v: off by %.3g, allowed %.3g", i, c, got.At(i, c), want.At(i, c), d, 1e-11*scale)
			}
		}
	}
}

func checkDestinations(t *testing.T, op Operator, rows, cols int) {
	x := random(t, cols, 3)
	var want mat.Dense
	if err := op.Mul(t.Context(), &want, x); err != nil {
		t.Fatal(err)
	}
	const guard = 42
	frame := mat.NewDense(rows+2, 5, nil)
	frame.Apply(func(i, j int, _ float64) float64 {
		if i > 0 && i <= rows && j > 0 && j <= 3 {
			return math.NaN() // to be overwritten, not added to
		}
		return guard
	}, frame)
	window := frame.Slice(1, rows+1, 1, 4).(*mat.Dense)
	if err := op.Mul(t.Context(), window, x); err != nil {
		t.Fatal(err)
	}
	if !mat.Equal(window, &want) {
		t.Error("the product in a window of a used matrix differs from that in an empty one")
	}
	for i := range rows + 2 {
		for j := range 5 {
			if inside := i > 0 && i <= rows && j > 0 && j <= 3; !inside && frame.At(i, j) != guard {
				t.Fatalf("Mul wrote outside of dst, at (%d, %d) of the surrounding matrix", i-1, j-1)
			}
		}
	}
	wide := mat.NewDense(cols, 5, nil)
	wide.Slice(0, cols, 1, 4).(*mat.Dense).Copy(x)
	var fromWindow mat.Dense
	if err := op.Mul(t.Context(), &fromWindow, wide.Slice(0, cols, 1, 4).(*mat.Dense)); err != nil {
		t.Fatal(err)
	}
	if !mat.Equal(&fromWindow, &want) {
		t.Error("the product with a window of a larger matrix differs from that with a copy")
	}
}

func checkBits(t *testing.T, op Operator, others []Operator, cols int) {
	x := random(t, cols, 2)
	var want mat.Dense
	if err := op.Mul(t.Context(), &want, x); err != nil {
		t.Fatal(err)
	}
	same := append([]Operator{op, op, op}, others...)
	results, errs := make([]mat.Dense, len(same)), make([]error, len(same))
	var wg sync.WaitGroup
	for i, o := range same {
		wg.Go(func() { errs[i] = o.Mul(t.Context(), &results[i], x) })
	}
	wg.Wait()
	for i := range same {
		switch {
		case errs[i] != nil:
			t.Error(errs[i])
		case !mat.Equal(&results[i], &want):
			t.Errorf("product %d (the first 3 are of the same operator, the others for other workers) has other bits", i)
		}
	}
}
