package linalg_test

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/linalg"
)

func ExampleFactor() {
	ctx := context.Background()
	k := mat.NewSymDense(2, []float64{
		2, 1,
		1, 2,
	})
	f, err := linalg.Factor(ctx, k, 1, linalg.Options{}) // K + 1·I
	if err != nil {
		fmt.Println(err)
		return
	}
	var x mat.Dense
	if err := f.Solve(ctx, &x, mat.NewDense(2, 1, []float64{4, 4})); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.3f %.3f\n", x.At(0, 0), x.At(1, 0))
	fmt.Printf("log det %.4f\n", f.LogDet())
	fmt.Println("K is intact:", k.At(0, 0), k.At(0, 1))
	// Output:
	// 1.000 1.000
	// log det 2.0794
	// K is intact: 2 1
}

func ExampleNotPositiveDefinite() {
	k := mat.NewSymDense(2, []float64{
		1, 3,
		3, 1,
	})
	_, err := linalg.Factor(context.Background(), k, 0, linalg.Options{})
	var not *linalg.NotPositiveDefinite
	if errors.As(err, &not) {
		fmt.Println("pivot of row", not.Pivot, "is", not.Value)
	}
	// Output: pivot of row 1 is -8
}

func ExamplePacked() {
	ctx := context.Background()
	k := linalg.NewPacked(3)
	for i := range 3 {
		k.SetSym(i, i, 4)
	}
	k.SetSym(1, 0, 2)
	f, err := linalg.FactorPacked(ctx, k, 0, linalg.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	diag := make([]float64, 3)
	if err := f.InverseDiag(ctx, diag); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.4f\n", diag)
	// Output: [0.3333 0.3333 0.2500]
}

func ExampleEigenSym() {
	a := mat.NewSymDense(2, []float64{
		2, 1,
		1, 2,
	})
	e, err := linalg.EigenSym(context.Background(), a, linalg.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.3f\n", e.Values)
	// Output: [1.000 3.000]
}

func ExampleTopEigen() {
	a := linalg.NewPacked(500) // any value with the methods Dims and Mul will do
	for i := range 500 {
		a.SetSym(i, i, 100/float64(i+1))
	}
	top, report, err := linalg.TopEigen(context.Background(), a, 3, linalg.TopOptions{Tolerance: 1e-10})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.6f converged: %v\n", top.Values, report.Converged)
	// Output: [100.000000 50.000000 33.333333] converged: true
}

func ExampleCG() {
	ctx := context.Background()
	a := linalg.NewPacked(3) // any value with a method Mul will do
	for i := range 3 {
		a.SetSym(i, i, float64(i+1))
	}
	b := mat.NewDense(3, 1, []float64{1, 4, 9})
	x, report, err := linalg.CG(ctx, a, b, linalg.CGOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.6f converged: %v\n", mat.Col(nil, 0, x), report.Converged)
	// Output: [1.000000 2.000000 3.000000] converged: true
}

// A factor in single precision solves to double precision as a preconditioner.
func ExampleFactorPackedSingle() {
	ctx, n := context.Background(), 200
	exact, narrow := linalg.NewPacked(n), linalg.NewPackedSingle(n)
	for i := range narrow.TileCount() {
		for j := range i + 1 {
			rows, cols, stride, data := narrow.Tile(i, j)
			for r := range rows {
				for c := range cols {
					row, col := i*narrow.TileSize()+r, j*narrow.TileSize()+c
					v := math.Exp(-math.Abs(float64(row-col)) / 20)
					data[r*stride+c] = float32(v)
					exact.SetSym(row, col, v)
				}
			}
		}
	}
	factor, err := linalg.FactorPackedSingle(ctx, narrow, make([]float64, n), linalg.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	b := mat.NewDense(n, 1, nil)
	b.Set(0, 0, 1)
	_, report, err := linalg.CG(ctx, exact, b, linalg.CGOptions{Tolerance: 1e-12, Preconditioner: factor.Preconditioner()})
	fmt.Println(report.Residual <= 1e-12, report.Iterations < 8, err)
	// Output: true true <nil>
}

// The determinant of a matrix that is known by its products: a diagonal from 1 to 3, plus
// 0.1 everywhere.
func ExampleLogDet() {
	const n = 500
	a := mat.NewSymDense(n, nil)
	exact := 1.0 // |D + uuᵀ| = |D|(1 + uᵀD⁻¹u)
	for i := range n {
		d := 1 + 2*float64(i)/n
		exact += 0.1 / d
		for j := i; j < n; j++ {
			a.SetSym(i, j, 0.1)
		}
		a.SetSym(i, i, d+0.1)
	}
	exact = math.Log(exact)
	for i := range n {
		exact += math.Log(1 + 2*float64(i)/n)
	}
	l, err := linalg.LogDet(context.Background(), products{a}, n, linalg.LogDetOptions{Least: 1, Seed: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	low, high := l.Interval(0.99)
	fmt.Printf("%.1f ± %.1f from %d products\n", l.Value, l.StandardError, l.CG.Iterations)
	fmt.Println("the exact value is inside:", low < exact && exact < high)
	// Output:
	// 326.0 ± 0.8 from 13 products
	// the exact value is inside: true
}

// products is a matrix known by its products.
type products struct{ mat.Matrix }

func (p products) Mul(_ context.Context, dst, x *mat.Dense) error {
	dst.Mul(p.Matrix, x)
	return nil
}
