package krr

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/gram"
)

// Explanation says what carries one prediction: f(x) = Bias + Σ Contribution over all
// training rows. Terms are sorted by the size of their contribution.
type Explanation struct {
	Row        int     `json:"row"`    // of the new points
	Target     int     `json:"target"` // column of y
	Prediction float64 `json:"prediction"`
	Bias       float64 `json:"bias"`
	Terms      []Term  `json:"terms"`
}

// Term is the part of one training row in a prediction.
type Term struct {
	Row          int     `json:"row"`          // training row, from 0
	Kernel       float64 `json:"kernel"`       // k(x, xᵢ)
	Contribution float64 `json:"contribution"` // αᵢk(x, xᵢ)
	// Removal is f(x) − f₋ᵢ(x): by how much the prediction would fall if the fit were
	// repeated without row i and with the same ridge. It is exact.
	Removal  float64 `json:"removal"`
	Leverage float64 `json:"leverage"` // hᵢᵢ = ∂ŷᵢ/∂yᵢ
}

// Explain names the training rows that carry predictions. k is the Gram matrix of the training
// rows, and cross has the kernel values of one new point against them in each row. top is the
// number of terms to keep for each prediction, 0 for all. The system is factored again: 2n³/3
// multiplications, and 2n² for each new point.
//
// The result is ordered by new point, then by target.
func Explain(ctx context.Context, k gram.Operator, f Fitted, cross *mat.Dense, top int, o compute.Options) ([]Explanation, error) {
	v, err := newRemoval(ctx, k, f, o)
	if err != nil {
		return nil, err
	}
	if err := v.admit(cross); err != nil {
		return nil, err
	}
	leverage, err := v.leverages(ctx)
	if err != nil {
		return nil, err
	}
	influence, err := v.influence(ctx, cross)
	if err != nil {
		return nil, err
	}
	predicted := v.predict(cross)
	var out []Explanation
	for r := range cross.RawMatrix().Rows {
		for j, b := range f.Solution.Bias {
			e := Explanation{Row: r, Target: j, Prediction: predicted.At(r, j), Bias: b}
			for i, kx := range cross.RawRowView(r) {
				e.Terms = append(e.Terms, Term{
					Row: i, Kernel: kx, Contribution: f.Solution.Coef.At(i, j) * kx,
					Removal: f.LOOResiduals.At(i, j) * influence.At(r, i), Leverage: leverage[i],
				})
			}
			slices.SortStableFunc(e.Terms, func(a, b Term) int {
				switch x, y := math.Abs(a.Contribution), math.Abs(b.Contribution); {
				case x > y:
					return -1
				case x < y:
					return 1
				}
				return 0
			})
			if top > 0 && top < len(e.Terms) {
				e.Terms = slices.Clip(e.Terms[:top])
			}
			out = append(out, e)
		}
	}
	return out, nil
}
