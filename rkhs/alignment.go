package rkhs

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/gram"
	"example.org/mercer/internal/parallel"
	"example.org/mercer/kernel"
)

// Tiles of this size are read together. A tile of either of two kernels is in the
// second level cache while they are multiplied.
const (
	tileRows = 64
	tileCols = 512
)

// Alignment returns the cosine ⟨A, B⟩/(‖A‖‖B‖) of two kernels bound to the same points, in
// the Frobenius inner product, with shares pᵢpⱼ of the elements in proportion to the weights
// (Cristianini et al., On kernel-target alignment, NIPS 2001). centred takes the
// barycentres off first: Cortes, Mohri and Rostamizadeh, JMLR 13 (2012), by whom it says
// more of what can be learned; a constant added to a kernel then changes nothing.
// Matrices are read in tiles, once, or twice if centred, and none is kept.
func Alignment(ctx context.Context, a, b kernel.Pairs, weights []float64, centred bool, o compute.Options) (float64, error) {
	if err := samePoints(a, b); err != nil {
		return 0, err
	}
	a, b = kernel.Cached(a, o.Store), kernel.Cached(b, o.Store)
	n, _ := a.Dims()
	p, err := shares(n, weights)
	if err != nil {
		return 0, err
	}
	if centred {
		if a, b, _, _, err = centre(ctx, a, b, weights, o); err != nil {
			return 0, err
		}
	}
	m, err := frobenius(ctx, a, b, p, o)
	if err != nil {
		return 0, err
	}
	return m.cosine()
}

// centre takes the barycentres off two kernels on the same points.
func centre(ctx context.Context, a, b kernel.Pairs, weights []float64, o compute.Options) (ac, bc kernel.Pairs, ba, bb *Barycentre, err error) {
	if ba, err = BarycentreOf(ctx, gram.Of(a, o), weights); err != nil {
		return nil, nil, nil, nil, err
	}
	if bb, err = BarycentreOf(ctx, gram.Of(b, o), weights); err != nil {
		return nil, nil, nil, nil, err
	}
	return centredPairs{a, ba}, centredPairs{b, bb}, ba, bb, nil
}

// ones returns the shares of a sum that is no mean.
func ones(n int) []float64 {
	p := make([]float64, n)
	for i := range p {
		p[i] = 1
	}
	return p
}

// frobeniusProducts are the inner products of two matrices, with shares of rows and columns.
type frobeniusProducts struct{ aa, ab, bb float64 }

func (f frobeniusProducts) cosine() (float64, error) {
	if !(f.aa > 0 && f.bb > 0) || math.IsInf(f.aa, 1) || math.IsInf(f.bb, 1) {
		return 0, errors.New("rkhs: the alignment with a matrix of zeros, or of numbers that are not finite, is not defined; a centred matrix is zero where all points have the same features")
	}
	return f.ab / math.Sqrt(f.aa) / math.Sqrt(f.bb), nil
}

// samePoints returns an error unless both are Gram matrices of as many points.
func samePoints(a, b kernel.Pairs) error {
	n, cols := a.Dims()
	if m, mc := b.Dims(); n != cols || m != mc || n != m {
		return fmt.Errorf("rkhs: matrices of %d×%d and %d×%d are not Gram matrices of the same points", n, cols, m, mc)
	}
	return nil
}

// frobenius returns Σᵢⱼ pᵢpⱼ aᵢⱼbᵢⱼ for both and between them, or of a alone where b is nil:
// tiles on and above the diagonal, a partial sum per block of rows.
func frobenius(ctx context.Context, a, b kernel.Pairs, p []float64, o compute.Options) (frobeniusProducts, error) {
	n := len(p)
	blocks := (n + tileRows - 1) / tileRows
	sums, workers := make([]frobeniusProducts, blocks), max(1, min(o.WorkerCount(), blocks))
	buffers := make([][]float64, workers)
	err := parallel.Each(ctx, workers, blocks, func(worker, block int) {
		if buffers[worker] == nil {
			buffers[worker] = make([]float64, (2*tileRows+1)*tileCols)
		}
		row := block * tileRows
		rows := min(tileRows, n-row)
		for col := row; col < n && ctx.Err() == nil; col += tileCols {
			width := min(tileCols, n-col)
			x := kernel.Tile{Rows: rows, Cols: width, Stride: width, Data: buffers[worker][:rows*width]}
			y := kernel.Tile{Rows: rows, Cols: width, Stride: width, Data: buffers[worker][tileRows*tileCols:][:rows*width]}
			a.Tile(x, row, col)
			if b != nil {
				b.Tile(y, row, col)
			}
			for i := range rows {
				sums[block].add(x.Row(i), y.Row(i), p[row+i], p[col:col+width], buffers[worker][2*tileRows*tileCols:], row+i-col)
			}
		}
	})
	total := frobeniusProducts{}
	for _, s := range sums {
		total.aa, total.ab, total.bb = total.aa+s.aa, total.ab+s.ab, total.bb+s.bb
	}
	return total, err
}

// add adds the elements right of the diagonal, which is at the given place of the row,
// twice, and that on it once.
func (f *frobeniusProducts) add(x, y []float64, share float64, shares, space []float64, diagonal int) {
	from := 0
	if diagonal >= 0 && diagonal < len(x) {
		w := share * shares[diagonal]
		f.aa += w * x[diagonal] * x[diagonal]
		f.ab += w * x[diagonal] * y[diagonal]
		f.bb += w * y[diagonal] * y[diagonal]
	}
	if diagonal >= 0 {
		from = min(diagonal+1, len(x))
	}
	x, y, shares, space = x[from:], y[from:], shares[from:], space[:len(x)-from]
	floats.MulTo(space, shares, x)
	f.aa += 2 * share * floats.Dot(space, x)
	f.ab += 2 * share * floats.Dot(space, y)
	floats.MulTo(space, shares, y)
	f.bb += 2 * share * floats.Dot(space, y)
}

// Outer presents YYᵀ as a kernel bound to the rows of Y: the ideal kernel of targets.
func Outer(y *mat.Dense) kernel.Pairs { return outer{y} }

type outer struct{ y *mat.Dense }

func (p outer) Dims() (rows, cols int) { n, _ := p.y.Dims(); return n, n }

func (p outer) Tile(dst kernel.Tile, row, col int) {
	for i := range dst.Rows {
		for j := range dst.Cols {
			dst.Row(i)[j] = floats.Dot(p.y.RawRowView(row+i), p.y.RawRowView(col+j))
		}
	}
}
