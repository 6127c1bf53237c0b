package kmeans

import (
	"encoding/gob"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/data"
	"example.org/mercer/linalg/level3"
	"example.org/mercer/pass"
)

// What passes over features do, and rows that are made of them. Weights wᵢ go along.

func init() {
	pass.RegisterWork(normalisedMoments{}, clusterSum{})
	gob.Register(onSphere{})
	gob.Register(perDegree{})
}

// normalisedMoments are Σ wᵢφᵢφᵢᵀ/dᵢ, of which the upper triangle is set, and of each row its
// degree dᵢ = ⟨φᵢ, s⟩.
type normalisedMoments struct{ Total []float64 }

// Sizes counts wᵢ, dᵢ and the matrix.
func (normalisedMoments) Sizes(dim int) (in, out, sums int) { return 1, 1, dim * dim }

// Worker adds a block at a time.
func (w normalisedMoments) Worker(dim int, p level3.Implementation) func(pass.Block) {
	space := mat.NewDense(pass.BlockRows, dim, nil)
	return func(b pass.Block) {
		rows := b.X.RawMatrix().Rows
		for i := range rows {
			d := floats.Dot(b.X.RawRowView(i), w.Total)
			b.Out.Set(i, 0, d)
			floats.ScaleTo(space.RawRowView(i), math.Sqrt(b.In.At(i, 0)/d), b.X.RawRowView(i))
		}
		scaled := space.Slice(0, rows, 0, dim).(*mat.Dense)
		p.Syrk(blas.Trans, 1, scaled.RawMatrix(), 1, blas64.Symmetric{Uplo: blas.Upper, N: dim, Stride: dim, Data: b.Sums})
	}
}

// clusterSum is Σ_{i∈j} wᵢφᵢ for each of so many clusters j, whose numbers go along behind the
// weights.
type clusterSum struct{ Clusters int }

// Sizes counts weight and label, and the sums.
func (w clusterSum) Sizes(dim int) (in, out, sums int) { return 2, 0, w.Clusters * dim }

// Worker adds the rows one by one.
func (clusterSum) Worker(dim int, _ level3.Implementation) func(pass.Block) {
	return func(b pass.Block) {
		for i := range b.X.RawMatrix().Rows {
			along := b.In.RawRowView(i)
			j := int(along[1])
			floats.AddScaled(b.Sums[j*dim:(j+1)*dim], along[0], b.X.RawRowView(i))
		}
	}
}

// onSphere makes rows of length 1 of the products with the first axes.
type onSphere struct {
	Axes  pass.Points
	First int
}

// Dim returns how many.
func (s onSphere) Dim() int { return s.First }

// Of multiplies row by row.
func (s onSphere) Of(dst data.Vectors, rows data.Set[[]float64]) {
	d := s.Axes.Dim
	for i := range dst.Len() {
		row, z := rows.At(i), dst.At(i)
		for j := range z {
			z[j] = floats.Dot(s.Axes.X[j*d:(j+1)*d], row)
		}
		unitLength(z)
	}
}

// perDegree makes rows φᵢ/dᵢ.
type perDegree struct{ Total []float64 }

// Dim returns the number of features.
func (p perDegree) Dim() int { return len(p.Total) }

// Of scales row by row.
func (p perDegree) Of(dst data.Vectors, rows data.Set[[]float64]) {
	for i := range dst.Len() {
		floats.ScaleTo(dst.At(i), 1/floats.Dot(rows.At(i), p.Total), rows.At(i))
	}
}
