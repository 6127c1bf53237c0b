package main

import (
	"context"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/gram"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/vec"
)

// matrix is a Gram matrix of X against itself (symmetric) or against Z.
type matrix struct {
	k         kernel.Kernel[[]float64]
	x, z      data.Vectors
	symmetric bool
	keep      *mat.SymDense // the buffer of "in place", nil for fresh memory
	square    *mat.SymDense
	full      *mat.Dense
	precision compute.Precision
	single    *kernel.Tile32 // the full matrix in single precision
}

func loadGram(dir string, p params) (*matrix, error) {
	k, err := vec.Parse(p.Kernel)
	if err != nil {
		return nil, err
	}
	x, err := readVectors(dir, "x")
	return &matrix{k: k, x: x}, err
}

func newRect(dir string, p params) (work, error) {
	m, err := loadGram(dir, p)
	if err != nil {
		return nil, err
	}
	m.z, err = readVectors(dir, "z")
	return m, err
}

func newRectSingle(dir string, p params) (work, error) {
	w, err := newRect(dir, p)
	if err != nil {
		return nil, err
	}
	w.(*matrix).precision = compute.Single
	return w, nil
}

func newSymmetric(dir string, p params) (work, error) {
	m, err := loadGram(dir, p)
	if err != nil {
		return nil, err
	}
	m.symmetric = true
	return m, nil
}

func newInPlace(dir string, p params) (work, error) {
	m, err := loadGram(dir, p)
	if err != nil {
		return nil, err
	}
	m.symmetric, m.keep = true, mat.NewSymDense(m.x.Len(), nil)
	return m, nil
}

func (m *matrix) forget() { m.square, m.full, m.single = nil, nil, nil }

func (m *matrix) run(ctx context.Context) (float64, error) {
	var err error
	xs := m.x
	switch {
	case m.keep != nil:
		m.square = m.keep
		err = gram.Fill(ctx, m.keep, kernel.Bind(m.k, xs, xs), compute.Options{})
	case m.symmetric:
		m.square, err = gram.Dense(ctx, kernel.Bind(m.k, xs, xs), compute.Options{})
	case m.precision == compute.Single:
		m.single = &kernel.Tile32{}
		err = gram.RectSingle(ctx, m.single, kernel.Bind(m.k, xs, m.z), compute.Options{})
	default:
		m.full = &mat.Dense{}
		err = gram.Rect(ctx, m.full, kernel.Bind(m.k, xs, m.z), compute.Options{})
	}
	return 0, err
}

func (m *matrix) save(_ context.Context, dir string) error {
	switch {
	case m.square != nil:
		return writeSample(dir, m.square.At)
	case m.single != nil:
		return writeSample(dir, func(i, j int) float64 { return float64(m.single.Row(i)[j]) })
	}
	return writeSample(dir, m.full.At)
}

// product is K(X, Z)·V without K.
type product struct {
	matrix
	v, out *mat.Dense
}

func newProduct(precision compute.Precision) func(string, params) (work, error) {
	return func(dir string, p params) (work, error) {
		rect, err := newRect(dir, p)
		if err != nil {
			return nil, err
		}
		m := *rect.(*matrix)
		m.precision = precision
		v, err := readMatrix(dir, "v")
		return &product{matrix: m, v: v}, err
	}
}

func (p *product) forget() { p.out = nil }

func (p *product) run(ctx context.Context) (float64, error) {
	p.out = &mat.Dense{}
	pairs := kernel.Bind(p.k, p.x, p.z)
	return 0, gram.Cross(pairs, compute.Options{Precision: p.precision}).Mul(ctx, p.out, p.v)
}

func (p *product) save(_ context.Context, dir string) error { return writeMatrix(dir, "result", p.out) }

// gemm is C = A·Bᵀ into a buffer that is used again, through the interface of BLAS.
type gemm struct {
	a, b, c *mat.Dense
	by      blas.Float64Level3
}

func newGemm(by blas.Float64Level3) func(string, params) (work, error) {
	return func(dir string, _ params) (work, error) { return loadGemm(dir, by) }
}

func loadGemm(dir string, by blas.Float64Level3) (work, error) {
	a, err := readMatrix(dir, "x")
	if err != nil {
		return nil, err
	}
	b, err := readMatrix(dir, "z")
	if err != nil {
		return nil, err
	}
	m, _ := a.Dims()
	n, _ := b.Dims()
	return &gemm{a: a, b: b, c: mat.NewDense(m, n, nil), by: by}, nil
}

func (g *gemm) forget() {}

func (g *gemm) run(context.Context) (float64, error) {
	a, b, c := g.a.RawMatrix(), g.b.RawMatrix(), g.c.RawMatrix()
	g.by.Dgemm(blas.NoTrans, blas.Trans, c.Rows, c.Cols, a.Cols, 1, a.Data, a.Stride, b.Data, b.Stride, 0, c.Data, c.Stride)
	return 0, nil
}

func (g *gemm) save(_ context.Context, dir string) error { return writeSample(dir, g.c.At) }
