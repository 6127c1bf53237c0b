package pipeline

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/gram"
)

// clusters returns the decision of a method that finds clusters.
func clusters(count int, link Link) Decision {
	d := Decision{Rule: Clusters, Link: link}
	for j := range count {
		d.Outputs = append(d.Outputs, fmt.Sprintf("cluster %d", j+1))
	}
	return d
}

// Cluster returns the cluster that the outputs of one row speak for, from 1; 0 where the
// model has none.
func (p *Prediction) Cluster(row int) int {
	if p.Decision.Rule != Clusters {
		return 0
	}
	return floats.MaxIdx(p.Values.RawRowView(row)) + 1
}

// Clusters returns the cluster of every row, from 0; nil where the model has none.
func (p *Prediction) Clusters() []int {
	if p.Decision.Rule != Clusters {
		return nil
	}
	labels := make([]int, len(p.Rows.Rows))
	for i := range labels {
		labels[i] = p.Cluster(i) - 1
	}
	return labels
}

// LogDensity returns ln p(x) of every row for a model that is a density, else nil.
func (p *Prediction) LogDensity() []float64 {
	if p.Decision.Rule != Clusters || p.Decision.Link != Softmax {
		return nil
	}
	logs := make([]float64, len(p.Rows.Rows))
	for i := range logs {
		logs[i] = floats.LogSumExp(p.Values.RawRowView(i))
	}
	return logs
}

// Names returns the names of the classes or clusters that [Prediction.Probabilities] are
// of; nil where there are none.
func (p *Prediction) Names() []string {
	switch {
	case p.Decision.Rule == Clusters:
		return p.Outputs
	case len(p.Targets) == 1:
		return p.Targets[0].Labels
	}
	return nil
}

// On applies a model to the rows that it was learned from.
func (m *Model) On(ctx context.Context, p *Problem, o compute.Options) (*Prediction, error) {
	if p.InPasses() {
		return m.onAll(ctx, p.blocks, p.Rows, o)
	}
	return m.apply(ctx, p.blocks, p.Rows, o)
}

// OnEach passes on what [Model.On] returns, in runs of rows, in their order; of rows that are read
// in passes those of one run at a time are in memory.
func (m *Model) OnEach(ctx context.Context, p *Problem, o compute.Options, use func(*Prediction) error) error {
	if p.InPasses() {
		return m.eachRun(ctx, p.blocks, p.Rows, o, use)
	}
	all, err := m.On(ctx, p, o)
	if err != nil {
		return err
	}
	return all.Runs(use)
}

// occupied returns the clusters with mass, whose functions are kept: another one is never
// the nearest.
func occupied(masses []float64) []int {
	var keep []int
	for j, m := range masses {
		if m > 0 {
			keep = append(keep, j)
		}
	}
	return keep
}

// columnsOf gathers columns of a matrix.
func columnsOf(a *mat.Dense, columns []int) *mat.Dense {
	n, m := a.Dims()
	if len(columns) == m {
		return a
	}
	out := mat.NewDense(n, len(columns), nil)
	for to, from := range columns {
		out.SetCol(to, mat.Col(nil, from, a))
	}
	return out
}

// repeated returns the operator of a Gram matrix for many products, stored where it and the
// bytes beside fit.
func repeated(ctx context.Context, k gram.Operator, beside int64, o compute.Options) (gram.Symmetric, string, error) {
	switch k := k.(type) {
	case *gram.Stream:
		return gram.Repeated(ctx, k.Pairs(), beside, o)
	case gram.Symmetric:
		return k, "", nil
	}
	return nil, "", fmt.Errorf("pipeline: the elements of %T cannot be read", k)
}
