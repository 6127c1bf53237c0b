package rfm

import (
	"cmp"
	"math"

	"gonum.org/v1/gonum/floats"

	"example.org/mercer/model"
	"example.org/mercer/supervised/krr"
	"example.org/mercer/supervised/mahalanobis"
)

// TreeReport says how the rows were divided.
type TreeReport struct {
	Most int `json:"most"` // rows of a leaf
	// Leaves are the numbers of rows of the leaves, and Kept their rounds that are kept.
	Leaves      []int   `json:"leaves"`
	Kept        []int   `json:"kept"`
	Temperature float64 `json:"temperature"`
	// Error is the root mean square error of the judges at the temperature; 0 where nobody judged.
	Error float64 `json:"error,omitempty"`
}

// report is that of all leaves together: means over the rows, as each leaf predicts its own. λ and
// Nλ are those of a leaf of the mean weight.
func (g *leafFits) report(t *Tree, of []*Report) *Report {
	_, outputs := g.y.Dims()
	out := &Report{N: g.x.Len(), Lambda: g.Lambda, Ridge: g.Options.Ridge, Judge: byLeftOut, Judges: len(g.Judges), Power: g.power(), Centred: g.Centred,
		Shape: cmp.Or(g.Shape, mahalanobis.Diagonal), Relevance: make([]float64, len(g.x.At(0))), Solver: krr.Cholesky, Tree: &TreeReport{Most: g.Leaf}}
	if g.Judges == nil {
		out.Judge, out.Judges = byLeaveOneOut, out.N
	} else if len(g.Judges) == 0 {
		out.Judge = byNobody
	}
	out.Train = &krr.Scores{RMSE: make([]float64, outputs)}
	total, decided := 0.0, 0.0
	for leaf, rows := range t.Rows {
		w, r := 0.0, of[leaf]
		for _, i := range rows {
			w += model.Weight(g.Weights, i)
		}
		total += w
		out.Tree.Leaves, out.Tree.Kept = append(out.Tree.Leaves, len(rows)), append(out.Tree.Kept, r.Best)
		floats.AddScaled(out.Relevance, w, r.Relevance)
		for j, e := range r.Train.RMSE {
			out.Train.RMSE[j] += w * e * e
		}
		if r.Train.Accuracy != nil {
			if out.Train.Accuracy == nil {
				out.Train.Accuracy = make([]float64, outputs)
			}
			floats.AddScaled(out.Train.Accuracy, w, r.Train.Accuracy)
		}
		if r.Train.Decided != nil {
			decided += w * *r.Train.Decided
			out.Train.Decided = &decided
		}
	}
	for _, sums := range [][]float64{out.Relevance, out.Train.RMSE, out.Train.Accuracy} {
		floats.Scale(1/total, sums)
	}
	decided /= total
	if mean := total / float64(len(t.Rows)); out.Ridge == 0 {
		out.Ridge = out.Lambda * mean
	} else {
		out.Lambda = out.Ridge / mean
	}
	for j, e := range out.Train.RMSE {
		out.Train.RMSE[j] = math.Sqrt(e)
	}
	return out
}
