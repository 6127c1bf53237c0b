package tree

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
)

// Slopes are the gradients of the machine of a leaf at some points, a matrix of points ×
// coordinates for each output.
type Slopes func(ctx context.Context, leaf int, xs data.Set[[]float64]) ([]*mat.Dense, error)

// Gradients returns the gradients of the tree at points, a matrix of points × coordinates for each
// output,
//
//	∇f = (Σ_ℓ w_ℓ ∇f_ℓ + f_ℓ ∇w_ℓ − f Σ_ℓ ∇w_ℓ) / Σ_ℓ w_ℓ,
//
// over the leaves that count in [Tree.Predict]; without a temperature ∇w_ℓ is 0. Every machine is
// asked for the points of which it has a share. Errors are those of the machines and of ctx.
func (t *Tree) Gradients(ctx context.Context, xs data.Set[[]float64], of Slopes, o compute.Options) ([]*mat.Dense, error) {
	values, err := t.Predict(ctx, xs, o)
	if err != nil {
		return nil, err
	}
	n, d, leaves := xs.Len(), len(xs.At(0)), t.Leaves()
	out := make([]*mat.Dense, t.Outputs())
	for c := range out {
		out[c] = mat.NewDense(n, d, nil)
	}
	rows, shares, slopes := make([][]int, leaves), make([][]float64, leaves), make([][][]float64, leaves)
	for i := range n {
		w, dw := t.shareSlopes(xs.At(i))
		for leaf, share := range w {
			if share > 0 {
				rows[leaf], shares[leaf], slopes[leaf] = append(rows[leaf], i), append(shares[leaf], share), append(slopes[leaf], dw[leaf])
			}
		}
	}
	for leaf, machine := range t.Predictors {
		if len(rows[leaf]) == 0 {
			continue
		}
		some := data.Subset(xs, rows[leaf])
		f, err := machine.Predict(ctx, some, o)
		if err != nil {
			return nil, err
		}
		g, err := of(ctx, leaf, some)
		if err != nil {
			return nil, err
		}
		for at, i := range rows[leaf] {
			for c := range out {
				floats.AddScaled(out[c].RawRowView(i), shares[leaf][at], g[c].RawRowView(at))
				floats.AddScaled(out[c].RawRowView(i), f.At(at, c)-values.At(i, c), slopes[leaf][at])
			}
		}
	}
	return out, nil
}

// shareSlopes returns the shares of all leaves at x that count, which sum to 1, and the gradients
// of the shares before they are scaled so, over the same sum.
func (t *Tree) shareSlopes(x []float64) (w []float64, dw [][]float64) {
	w, dw = make([]float64, t.Leaves()), make([][]float64, t.Leaves())
	for leaf := range dw {
		dw[leaf] = make([]float64, len(x))
	}
	t.Shares(w, x, t.Temperature)
	if len(t.Splits) > 0 && t.Temperature > 0 {
		t.slope(dw, x, 0, 1, make([]float64, len(x)))
	}
	total := 0.0
	for _, share := range w {
		if share >= least/float64(len(w)) {
			total += share
		}
	}
	counted(w)
	for leaf := range dw {
		floats.Scale(1/total, dw[leaf])
	}
	return w, dw
}

// slope stores ∇w of the leaves under a node with the share w and its gradient g.
func (t *Tree) slope(dst [][]float64, x []float64, node int, w float64, g []float64) {
	if node < 0 {
		copy(dst[-1-node], g)
		return
	}
	s := &t.Splits[node]
	right := 1 / (1 + math.Exp(-s.at(x)/(t.Temperature*s.Scale)))
	turn := w * right * (1 - right) / (t.Temperature * s.Scale)
	below, above := floats.ScaleTo(make([]float64, len(g)), 1-right, g), floats.ScaleTo(make([]float64, len(g)), right, g)
	floats.AddScaled(below, -turn, s.Direction)
	floats.AddScaled(above, turn, s.Direction)
	t.slope(dst, x, s.Below, w*(1-right), below)
	t.slope(dst, x, s.Above, w*right, above)
}
