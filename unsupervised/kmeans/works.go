package kmeans

import (
	"gonum.org/v1/gonum/floats"

	"example.org/mercer/linalg/level3"
	"example.org/mercer/pass"
)

// What passes over streamed rows do. Rows are taken around their mean.

func init() {
	pass.RegisterWork(extent{}, squares{}, products{}, distances{}, totals{})
}

// extent is Σ xᵢ/n, and of each row the largest |number|.
type extent struct{ N int }

// Sizes counts that number, and the sum.
func (extent) Sizes(dim int) (in, out, sums int) { return 0, 1, dim }

// Worker adds the rows one by one.
func (w extent) Worker(int, level3.Implementation) func(pass.Block) {
	return func(b pass.Block) {
		for i := range b.X.RawMatrix().Rows {
			row := b.X.RawRowView(i)
			b.Out.Set(i, 0, larger(0, row))
			floats.AddScaled(b.Sums, 1/float64(w.N), row)
		}
	}
}

// squares are ‖xᵢ‖², computed in units of 1/Scale.
type squares struct {
	Mean  []float64
	Scale float64
}

// Sizes counts the square.
func (squares) Sizes(int) (in, out, sums int) { return 0, 1, 0 }

// Worker computes them row by row.
func (w squares) Worker(dim int, _ level3.Implementation) func(pass.Block) {
	row := make([]float64, dim)
	return func(b pass.Block) {
		for i := range b.X.RawMatrix().Rows {
			floats.SubTo(row, b.X.RawRowView(i), w.Mean)
			floats.Scale(w.Scale, row)
			b.Out.Set(i, 0, floats.Dot(row, row)/(w.Scale*w.Scale))
		}
	}
}

// products are those of rows with some others.
type products struct{ Mean, Some []float64 }

// Sizes counts the others.
func (w products) Sizes(dim int) (in, out, sums int) { return 0, len(w.Some) / dim, 0 }

// Worker multiplies a panel at a time.
func (w products) Worker(dim int, _ level3.Implementation) func(pass.Block) {
	p := &problem{d: dim, mean: w.Mean, product: level3.Implementation{Workers: 1}}
	buf := newBuffer(dim)
	return func(b pass.Block) {
		buf.rows = b.Vectors()
		p.products(b.Out.RawMatrix().Data, buf, w.Some)
	}
}

// distances are ‖xᵢ − c‖² for the centre c whose number goes along.
type distances struct{ Mean, Centres []float64 }

// Sizes counts the label and the distance.
func (distances) Sizes(int) (in, out, sums int) { return 1, 1, 0 }

// Worker computes them without cancellation.
func (w distances) Worker(dim int, _ level3.Implementation) func(pass.Block) {
	row := make([]float64, dim)
	return func(b pass.Block) {
		for i := range b.X.RawMatrix().Rows {
			j := int(b.In.At(i, 0))
			b.Out.Set(i, 0, squaredDistance(floats.SubTo(row, b.X.RawRowView(i), w.Mean), w.Centres[j*dim:(j+1)*dim]))
		}
	}
}

// totals are the [partialSums] of all rows, whose labels and weights go along.
type totals struct {
	Mean []float64
	K    int
}

// Sizes counts labels and weights, and the sums.
func (w totals) Sizes(dim int) (in, out, sums int) { return 2, 0, w.K * (dim + 2) }

// Worker adds the rows one by one.
func (w totals) Worker(dim int, _ level3.Implementation) func(pass.Block) {
	row := make([]float64, dim)
	return func(b pass.Block) {
		part := partialSumsIn(b.Sums, w.K, dim)
		for i := range b.X.RawMatrix().Rows {
			along := b.In.RawRowView(i)
			part.change(int(along[0]), floats.SubTo(row, b.X.RawRowView(i), w.Mean), along[1])
		}
		part.store(b.Sums)
	}
}

// partialSumsIn returns sums that are numbers one after another. Those of clusters are views.
func partialSumsIn(numbers []float64, k, d int) partialSums {
	t := partialSums{numbers[:k*d], numbers[k*d : k*d+k], make([]int, k)}
	for j, n := range numbers[k*d+k : k*d+2*k] {
		t.rows[j] = int(n)
	}
	return t
}

// store writes the counts to the numbers whose views the sums are.
func (t *partialSums) store(numbers []float64) {
	for j, n := range t.rows {
		numbers[len(t.sum)+len(t.mass)+j] = float64(n)
	}
}
