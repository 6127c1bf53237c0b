package gram

import (
	"context"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// singleRun is the number of rows over which moments in single precision are summed in float32.
const singleRun = 1024

// recentSquares is what a worker has summed in float32 and not yet added to the sum of its lane.
type recentSquares struct {
	sum    []float32 // m×m, upper triangle
	rows   int
	column []float32 // space for a column of targets
}

// flush adds what is summed of the last rows to sum.
func (s *momentSpace[F]) flush(sum *mat.SymDense) {
	if s.recent.rows == 0 {
		return
	}
	to, m := sum.RawSymmetric(), s.t.cols
	for i := range m {
		addTo(to.Data[i*to.Stride+i:], s.recent.sum[i*m+i:(i+1)*m])
	}
	clear(s.recent.sum)
	s.recent.rows = 0
}

// singleMoments is [TallSkinny.Moments] in single precision.
func (t *TallSkinny) singleMoments(ctx context.Context, weights []float64, y *mat.Dense) (*mat.SymDense, *mat.Dense, error) {
	n, p := y.Dims()
	minus := t.typicalRow()
	withOnes := mat.NewDense(n, p+1, nil)
	total, sums := 0.0, make([]float64, p) // Σ w and Σ wy
	for i := range n {
		w := 1.0
		if weights != nil {
			w = weights[i]
		}
		row := withOnes.RawRowView(i)
		copy(row, y.RawRowView(i))
		row[p] = 1
		total += w
		floats.AddScaled(sums, w, row[:p])
	}
	second, first, err := moments(ctx, t, minus, weights, withOnes)
	if err != nil {
		return nil, nil, err
	}
	c, g := mat.NewVecDense(t.cols, nil), mat.NewVecDense(t.cols, nil)
	for j, v := range minus {
		c.SetVec(j, -float64(v))
		g.SetVec(j, first.At(j, p)-float64(v)*total/2)
	}
	second.RankTwo(second, 1, c, g) // c(g + cΣw/2)ᵀ and its transpose
	out := mat.DenseCopyOf(first.Slice(0, t.cols, 0, p))
	blas64.Ger(1, blas64.Vector{N: t.cols, Inc: 1, Data: c.RawVector().Data}, blas64.Vector{N: p, Inc: 1, Data: sums}, out.RawMatrix())
	return second, out, nil
}

// typicalRow returns −c for the mean c of the first rows.
func (t *TallSkinny) typicalRow() []float32 {
	rows, m := min(laneRows, t.rows), t.cols
	few := make([]float64, rows*m)
	fillTile(t.bind(0, rows, nil), few, m, rows, m, 0, 0)
	minus, mean := make([]float32, m), make([]float64, m)
	for i := range rows {
		floats.Add(mean, few[i*m:(i+1)*m])
	}
	for j := range minus {
		minus[j] = -float32(mean[j] / float64(rows))
	}
	return minus
}
