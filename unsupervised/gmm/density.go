package gmm

import (
	"gonum.org/v1/gonum/floats"

	"example.org/mercer/data"
	"example.org/mercer/internal/simd"
)

// joint stores t_j = ln π_j N(x | μ_j, Σ_j) of the rows [from, to) in the columns of buf.q.
// whitened says that buf.y holds their y.
func (w *whitening) joint(buf *buffer, x data.Vectors, from, to int, whitened bool) {
	rows := to - from
	if w.m.Shape == Full && !whitened {
		w.centred(buf, x, from, to)
		for i := 0; i < rows; i += simd.PanelWidth {
			w.maps.Norms(buf.q[i:], buf.x[i:], stride)
		}
		for j := range w.k {
			t := buf.q[j*stride : j*stride+rows]
			simd.Affine(t, t, -0.5, w.logs[j])
		}
		return
	}
	if !whitened {
		w.apply(buf, x, from, to)
	}
	for i := range rows {
		for j := range w.k {
			y := buf.y[(i*w.k+j)*w.d : (i*w.k+j+1)*w.d]
			buf.q[j*stride+i] = w.logs[j] - floats.Dot(y, y)/2
		}
	}
}

// posterior stores the soft assignments of the rows [from, to) in the columns of buf.q and
// returns the logarithms of their densities: ln Σ_j e^{t_j} = t* + ln Σ_j e^{t_j − t*}, t*
// the largest.
func (w *whitening) posterior(buf *buffer, x data.Vectors, from, to int, whitened bool) []float64 {
	w.joint(buf, x, from, to, whitened)
	rows := to - from
	top, sum, logs := buf.row[:rows], buf.row[stride:stride+rows], buf.row[2*stride:2*stride+rows]
	column := func(j int) []float64 { return buf.q[j*stride : j*stride+rows] }
	copy(top, column(0))
	for j := 1; j < w.k; j++ {
		simd.Larger(top, top, column(j))
	}
	simd.Affine(logs, top, -1, 0)
	clear(sum)
	for j := range w.k {
		q := column(j)
		simd.Add(q, q, logs)
		simd.Exp(q, q, 1)
		simd.Add(sum, sum, q)
	}
	simd.Log(logs, sum, 1)
	simd.Add(logs, logs, top)
	for i, v := range sum {
		sum[i] = 1 / v
	}
	for j := range w.k {
		simd.Multiply(column(j), column(j), sum)
	}
	return logs
}

// oneHot makes soft assignments of labels.
func oneHot(q []float64, labels []int, k int) {
	clear(q)
	for i, j := range labels {
		q[j*stride+i] = 1
	}
}

// entropy returns −Σ wᵢq_ij ln q_ij.
func entropy(buf *buffer, weights []float64, k int) (sum float64) {
	logs := buf.row[:len(weights)]
	for j := range k {
		q := buf.q[j*stride : j*stride+len(weights)]
		simd.Log(logs, q, 1)
		for i, p := range q {
			if p > 0 {
				sum -= weights[i] * p * logs[i]
			}
		}
	}
	return sum
}
