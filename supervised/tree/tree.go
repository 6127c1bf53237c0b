package tree

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/model"
)

// Tree is f(x) = Σ_ℓ w_ℓ(x) f_ℓ(x).
type Tree struct {
	Splits
	Temperature float64                      // T ≥ 0
	Predictors  []model.Predictor[[]float64] // f_ℓ, one for each leaf
}

var _ model.Predictor[[]float64] = (*Tree)(nil)

// Outputs is the number of outputs of every machine.
func (t *Tree) Outputs() int { return t.Predictors[0].Outputs() }

// least is the share from which on a leaf is asked. What is left out moves a prediction by less
// than a thousandth of how far the leaves differ.
const least = 1e-3

// counted leaves out small shares, and lets the others sum to 1.
func counted(shares []float64) {
	for i, w := range shares {
		if w < least/float64(len(shares)) {
			shares[i] = 0
		}
	}
	floats.Scale(1/floats.Sum(shares), shares)
}

// Predict returns f at all points: every machine is asked for those of which it has a share. The
// bits are the same for any number of workers. Errors are those of the machines and of ctx.
func (t *Tree) Predict(ctx context.Context, xs data.Set[[]float64], o compute.Options) (*mat.Dense, error) {
	n := xs.Len()
	out := mat.NewDense(max(n, 1), t.Outputs(), nil)
	rows, shares := make([][]int, t.Leaves()), make([][]float64, t.Leaves())
	w := make([]float64, t.Leaves())
	for i := range n {
		t.Shares(w, xs.At(i), t.Temperature)
		counted(w)
		for leaf, share := range w {
			if share > 0 {
				rows[leaf], shares[leaf] = append(rows[leaf], i), append(shares[leaf], share)
			}
		}
	}
	for leaf, machine := range t.Predictors {
		if len(rows[leaf]) == 0 {
			continue
		}
		values, err := machine.Predict(ctx, data.Subset(xs, rows[leaf]), o)
		if err != nil {
			return nil, err
		}
		for at, i := range rows[leaf] {
			floats.AddScaled(out.RawRowView(i), shares[leaf][at], values.RawRowView(at))
		}
	}
	return out.Slice(0, n, 0, t.Outputs()).(*mat.Dense), nil
}

// Temperatures are those of which [ChooseTemperature] takes the best: hard routing, and then more
// and more soft.
var Temperatures = []float64{0, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.3, 0.45, 0.6, 0.9, 1.35, 2, 3, 4.5}

// Chosen is what a temperature does on rows that no machine has learned from.
type Chosen struct {
	Temperature float64
	Error       float64    // the root of the weighted mean square error
	Values      *mat.Dense // of the tree at the rows
}

// ChooseTemperature returns the temperature with the least root of the weighted mean square error
// on rows that no machine has learned from; the first of several that are as good. No weights are
// all 1. It takes the values of all machines at all rows, and memory for them.
func ChooseTemperature(ctx context.Context, t *Tree, xs data.Set[[]float64], y *mat.Dense, weights []float64, o compute.Options) (Chosen, error) {
	n, outputs := y.Dims()
	if xs.Len() != n || n == 0 {
		return Chosen{}, fmt.Errorf("tree: %d rows with %d targets: there must be as many, and one at least", xs.Len(), n)
	}
	values := make([]*mat.Dense, t.Leaves())
	for leaf, machine := range t.Predictors {
		var err error
		if values[leaf], err = machine.Predict(ctx, xs, o); err != nil {
			return Chosen{}, err
		}
	}
	best := Chosen{Error: math.Inf(1)}
	w := make([]float64, t.Leaves())
	for _, candidate := range Temperatures {
		f, sum, total := mat.NewDense(n, outputs, nil), 0.0, 0.0
		for i := range n {
			t.Shares(w, xs.At(i), candidate)
			counted(w)
			row := f.RawRowView(i)
			for leaf, share := range w {
				if share > 0 {
					floats.AddScaled(row, share, values[leaf].RawRowView(i))
				}
			}
			weight, d := model.Weight(weights, i), floats.Distance(row, y.RawRowView(i), 2)
			sum += weight * d * d
			total += weight * float64(outputs)
		}
		if e := math.Sqrt(sum / total); e < best.Error {
			best = Chosen{candidate, e, f}
		}
	}
	return best, ctx.Err()
}
