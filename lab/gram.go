package lab

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/gram"
	"example.org/mercer/kernel"
)

// gramScreen shows the Gram matrix of points and its spectrum.
var gramScreen = screen("gram", "Gram matrix", answerGram)

type gramRequest struct {
	Points [][]float64 `json:"points"` // of the plane
	Kernel string      `json:"kernel"`
	Centre bool        `json:"centre"`
}

type gramAnswer struct {
	Kernel   string    `json:"kernel"`
	Matrix   []Numbers `json:"matrix"`
	Spectrum Numbers   `json:"spectrum"` // from the largest
	// Negative counts eigenvalues below what rounding makes, and Effective is
	// (Σλ)²/Σλ², how many count.
	Negative  int     `json:"negative"`
	Effective float64 `json:"effective"`
	Says      string  `json:"says"`
}

// mostMatrix bounds the points of a matrix that is shown.
const mostMatrix = 300

func answerGram(ctx context.Context, q gramRequest, o compute.Options) (*gramAnswer, error) {
	xs, err := points(q.Points, 2)
	if err != nil {
		return nil, err
	}
	if xs.Len() > mostMatrix {
		return nil, invalid("the matrix of %d points is too large to be seen; take at most %d", xs.Len(), mostMatrix)
	}
	k, err := kernelOn(ctx, q.Kernel, xs)
	if err != nil {
		return nil, err
	}
	g, err := gram.Dense(ctx, kernel.Bind(k, xs, xs), o)
	if err != nil {
		return nil, err
	}
	if q.Centre {
		centre(g)
	}
	values, err := gram.Spectrum(ctx, g, o)
	if err != nil {
		return nil, invalid("%v", err)
	}
	slices.Sort(values)
	slices.Reverse(values)
	out := &gramAnswer{Kernel: k.String(), Spectrum: values}
	for i := range xs.Len() {
		row := make(Numbers, xs.Len())
		for j := range row {
			row[j] = g.At(i, j)
		}
		out.Matrix = append(out.Matrix, row)
	}
	sum, squares := 0.0, 0.0
	least := float64(xs.Len()) * 0x1p-52 * max(values[0], -values[len(values)-1])
	for _, v := range values {
		sum, squares = sum+v, squares+v*v
		if v < -least {
			out.Negative++
		}
	}
	out.Effective = sum * sum / max(squares, math.SmallestNonzeroFloat64)
	out.Says = fmt.Sprintf("%d eigenvalues from %.3g to %.3g; about %.3g of them count.", len(values), values[0], values[len(values)-1], out.Effective)
	if out.Negative > 0 {
		out.Says += fmt.Sprintf(" %d are negative: this is no positive definite kernel.", out.Negative)
	}
	return out, nil
}

// centre takes the means of rows and columns off a symmetric matrix: HKH.
func centre(g *mat.SymDense) {
	n := g.SymmetricDim()
	means, all := make([]float64, n), 0.0
	for i := range n {
		for j := range n {
			means[i] += g.At(i, j) / float64(n)
		}
		all += means[i] / float64(n)
	}
	for i := range n {
		for j := i; j < n; j++ {
			g.SetSym(i, j, g.At(i, j)-means[i]-means[j]+all)
		}
	}
}
