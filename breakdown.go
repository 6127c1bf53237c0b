package mercer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/data"
	"example.org/mercer/data/graph"
	"example.org/mercer/data/prep"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/explanation"
	"example.org/mercer/kernel/record"
	"example.org/mercer/model"
	"example.org/mercer/outcome"
	"example.org/mercer/task"
)

// Breakdown says what of a row carries one prediction: Prediction = Bias + Σ Contribution over
// the terms of the kernel, each shared among the features of the row where it is a sum over
// features, and among its places.
type Breakdown struct {
	Row        string  `json:"row"`    // id, or number in the table from 1
	Output     string  `json:"output"` // name of the output
	Prediction float64 `json:"prediction"`
	Bias       float64 `json:"bias"`
	Sides
	Terms []Term `json:"terms"`
}

// Sides are the labels that an output speaks for above 0 and below; "" where it does not tell
// two labels apart.
type Sides struct {
	Above string `json:"above,omitempty"`
	Below string `json:"below,omitempty"`
}

// sides returns those of an output.
func (m *Model) sides(output int) Sides {
	targets := m.Prep.Targets()
	if len(targets) != 1 || len(targets[0].Labels) == 0 {
		return Sides{}
	}
	labels := targets[0].Labels
	switch d := m.Decision; {
	case d.Rule == outcome.Votes:
		s := Sides{Above: labels[d.Votes.Positive[output]]}
		if other := d.Votes.Negative[output]; other >= 0 {
			s.Below = labels[other]
		}
		return s
	case (d.Rule == outcome.Largest || d.Rule == outcome.Coded) && len(labels) == 2 && len(d.Outputs) == 1:
		return Sides{Above: labels[1], Below: labels[0]}
	}
	return Sides{}
}

// Term is the share of one term of the kernel.
type Term struct {
	Kernel       string           `json:"kernel"`
	Column       string           `json:"column,omitempty"` // that the term looks at, where it is a single cell
	Rule         explanation.Rule `json:"rule"`
	Why          string           `json:"why,omitempty"` // why it has no features
	Contribution float64          `json:"contribution"`
	Features     []Feature        `json:"features,omitempty"` // largest contributions first
	Others       int              `json:"others,omitempty"`   // how many are not listed
	Rest         float64          `json:"rest,omitempty"`     // what these add up to
	Places       []Place          `json:"places,omitempty"`
	// Graph is the cell, if the column holds graphs.
	Graph *graph.Graph `json:"-"`
}

// Feature is what all occurrences of a feature in the row add.
type Feature struct {
	Name         string  `json:"name"`
	Contribution float64 `json:"contribution"`
	// At has the places of every occurrence, counted from 1.
	At [][]int `json:"at"`
}

// Place is a symbol of a sequence, a node of a graph or a column of numbers. Every occurrence
// of a feature is shared equally among its places.
type Place struct {
	Name         string  `json:"name"`
	Symbol       string  `json:"symbol,omitempty"`
	Contribution float64 `json:"contribution"`
}

// BreakDown splits predictions by the terms, features and places of the rows themselves:
// for every output O(n) kernel values or the features of the training rows once, and what the
// features of each row take.
func (m *Model) BreakDown(ctx context.Context, p *outcome.Prediction, e ExplainOptions) ([]Breakdown, error) {
	rows, err := positionsOf(p, e.Rows)
	if err != nil {
		return nil, err
	}
	outputs, err := m.chosenOutputs(p, e.Output)
	if err != nil {
		return nil, err
	}
	names, features := task.RowNames(p.Rows), featureNames(m.Prep)
	out := make([]Breakdown, len(rows)*len(outputs))
	for at, j := range outputs {
		splits, err := splits(ctx, m.Function, j, p.Rows, rows)
		if err != nil {
			return nil, m.unexplained(err)
		}
		for i, row := range rows {
			b := Breakdown{Row: names[row], Output: p.Outputs[j], Bias: m.Function.Bias()[j], Prediction: m.Function.Bias()[j], Sides: m.sides(j)}
			for _, s := range splits[i] {
				s.split.Name(features)
				b.Prediction += s.split.Value
				b.Terms = append(b.Terms, s.term(e.Top))
			}
			out[i*len(outputs)+at] = b
		}
	}
	return out, nil
}

func featureNames(p *prep.Pipeline) []string {
	names, _ := p.Features()
	return names
}

// explainable refuses to share what no row and no column has a share in.
func (m *Model) explainable() error {
	if m.FeatureMap == nil {
		return nil
	}
	return fmt.Errorf("mercer: the function is ⟨w, φ(x)⟩ of %d explicit features, each of which looks at all columns and none of which is a row: a prediction has no shares of either; explain a model on landmarks (--landmarks), which is an expansion of the kernel itself, or an exact one", m.FeatureMap.Features)
}

// unexplained says more about a function of features that cannot be taken apart.
func (m *Model) unexplained(err error) error {
	if why := m.explainable(); errors.Is(err, task.ErrPrimal) && why != nil {
		return why
	}
	return err
}

// chosenOutputs returns the positions of the outputs of a name, or of all.
func (m *Model) chosenOutputs(p *outcome.Prediction, name string) ([]int, error) {
	if m.Decision.Rule == outcome.PreImage && m.Decision.Shown(m.Prep.Targets()) == 0 {
		return nil, errDecoded(m.Decision)
	}
	if name == "" {
		return data.Range(0, len(p.Outputs)), nil
	}
	if at := slices.Index(p.Outputs, name); at >= 0 {
		return []int{at}, nil
	}
	return nil, fmt.Errorf("mercer: the model has no output %q; it has %q", name, p.Outputs)
}

// broken is a split with the graph that it is about.
type broken struct {
	split explanation.Split
	graph *graph.Graph
}

// term gathers the occurrences of equal features, and keeps the largest.
func (b broken) term(top int) Term {
	s := b.split
	t := Term{Kernel: s.Term, Column: s.Column, Rule: s.Rule, Why: s.Why, Contribution: s.Value, Graph: b.graph}
	at := map[string]int{}
	for _, part := range s.Parts {
		if s.Rule != explanation.ByFeatures {
			break
		}
		f, ok := at[part.Feature]
		if !ok {
			f = len(t.Features)
			at[part.Feature], t.Features = f, append(t.Features, Feature{Name: part.Feature})
		}
		from1 := slices.Clone(part.Places)
		for i := range from1 {
			from1[i]++
		}
		t.Features[f].Contribution += part.Value
		t.Features[f].At = append(t.Features[f].At, from1)
	}
	largestFirst(t.Features, func(f Feature) float64 { return f.Contribution })
	if top > 0 && top < len(t.Features) {
		for _, f := range t.Features[top:] {
			t.Others++
			t.Rest += f.Contribution
		}
		t.Features = slices.Clip(t.Features[:top])
	}
	for i, v := range s.ByPlace() {
		t.Places = append(t.Places, Place{Name: s.Places[i].Name, Symbol: s.Places[i].Symbol, Contribution: v})
	}
	return t
}

// largestFirst sorts by magnitude.
func largestFirst[E any](list []E, size func(E) float64) {
	slices.SortStableFunc(list, func(a, b E) int { return cmp.Compare(math.Abs(size(b)), math.Abs(size(a))) })
}

// FeatureWeights are the features of one output of a model: f(x) = Bias + Σ Weight over their
// occurrences in x, divided by the norm of x under a normalised kernel.
type FeatureWeights struct {
	Output string  `json:"output"`
	Bias   float64 `json:"bias"`
	Sides
	Terms []TermWeights `json:"terms"`
}

// TermWeights are those of one term of the kernel.
type TermWeights struct {
	Kernel   string          `json:"kernel"`
	Column   string          `json:"column,omitempty"`
	Why      string          `json:"why,omitempty"`      // why there are none
	Features []FeatureWeight `json:"features,omitempty"` // largest first
	Others   int             `json:"others,omitempty"`   // how many are not listed
	Symbols  []string        `json:"symbols,omitempty"`  // of the alphabet of motifs
}

// FeatureWeight is what one occurrence of a feature adds to an output.
type FeatureWeight struct {
	Name   string  `json:"name"`
	Weight float64 `json:"weight"`
	Times  int     `json:"times"` // occurrences in the training rows that the model keeps
	// Frequencies are those of the symbols in each place of a motif.
	Frequencies [][]float64 `json:"frequencies,omitempty"`
}

// Features returns the weights of the features that the training rows have, the largest
// first; top for each term, or all for 0.
func (m *Model) Features(ctx context.Context, e ExplainOptions) ([]FeatureWeights, error) {
	outputs, err := m.chosenOutputs(&outcome.Prediction{Outputs: m.Decision.Outputs}, e.Output)
	if err != nil {
		return nil, err
	}
	features := featureNames(m.Prep)
	var out []FeatureWeights
	for _, j := range outputs {
		lists, err := weights(ctx, m.Function, j)
		if err != nil {
			return nil, m.unexplained(err)
		}
		fw := FeatureWeights{Output: m.Decision.Outputs[j], Bias: m.Function.Bias()[j], Sides: m.sides(j)}
		for _, w := range lists {
			w.Name(features)
			t := TermWeights{Kernel: w.Term, Column: w.Column, Why: w.Why, Symbols: w.Symbols}
			for _, f := range w.Features {
				t.Features = append(t.Features, FeatureWeight{Name: f.Feature, Weight: f.Value, Times: f.Times, Frequencies: f.Frequencies})
			}
			largestFirst(t.Features, func(f FeatureWeight) float64 { return f.Weight })
			if e.Top > 0 && e.Top < len(t.Features) {
				t.Others = len(t.Features) - e.Top
				t.Features = slices.Clip(t.Features[:e.Top])
			}
			fw.Terms = append(fw.Terms, t)
		}
		out = append(out, fw)
	}
	return out, nil
}

// weightsExplainer is a kernel of explicit features that takes ⟨w, φ(x)⟩ apart.
type weightsExplainer[T any] interface {
	ExplainWeights(w []float64) explanation.Function[T]
}

// explainOn takes one output of the function apart.
func explainOn[T any](ctx context.Context, f task.TypedFunction[T], output int) (explanation.Function[T], error) {
	if p, ok := f.Predictor.(*model.Primal[T]); ok {
		if k, ok := p.Kernel.(weightsExplainer[T]); ok {
			return k.ExplainWeights(mat.Col(nil, output, p.W)), nil
		}
	}
	e, ok := f.Predictor.(*model.Expansion[T])
	if !ok {
		return nil, f.NotExpanded()
	}
	coef := make([]float64, e.Points.Len())
	for i := range coef {
		coef[i] = e.Coef.At(i, output)
	}
	return kernel.Explain(ctx, e.Kernel, e.Points, coef)
}

// splitsOn takes an output apart at chosen new rows.
func splitsOn[T any](ctx context.Context, f task.TypedFunction[T], output int, rows *prep.Prepared, index []int) ([][]broken, error) {
	g, err := explainOn(ctx, f, output)
	if err != nil {
		return nil, err
	}
	points, err := f.Of(rows)
	if err != nil {
		return nil, err
	}
	if err := kernel.Validate(f.Kernel, data.Subset(points, index)); err != nil {
		return nil, err
	}
	out := make([][]broken, len(index))
	for i, at := range index {
		splits, err := g.Split(ctx, points.At(at))
		if err != nil {
			return nil, err
		}
		for _, s := range splits {
			out[i] = append(out[i], broken{s, graphOfPlaces(points.At(at), s.Places)})
		}
	}
	return out, nil
}

// graphOfPlaces returns the graph in a record whose nodes are the places, or nil.
func graphOfPlaces(x any, places []explanation.Place) *graph.Graph {
	r, _ := x.(record.Record)
	for _, cell := range r.Cells {
		g, ok := cell.(*graph.Graph)
		if ok && slices.EqualFunc(g.IDs, places, func(id string, p explanation.Place) bool { return id == p.Name }) {
			return g
		}
	}
	return nil
}

// weightsOn returns what the features of the training points add to an output.
func weightsOn[T any](ctx context.Context, f task.TypedFunction[T], output int) ([]explanation.Weights, error) {
	g, err := explainOn(ctx, f, output)
	if err != nil {
		return nil, err
	}
	return g.Weights(ctx)
}

// splits is [splitsOn] for points of any type.
func splits(ctx context.Context, f task.Function, output int, rows *prep.Prepared, index []int) (found [][]broken, err error) {
	f.Visit(task.FunctionVisitor{
		Vectors: func(f task.TypedFunction[[]float64]) { found, err = splitsOn(ctx, f, output, rows, index) },
		IDs:     func(f task.TypedFunction[string]) { found, err = splitsOn(ctx, f, output, rows, index) },
		Records: func(f task.TypedFunction[record.Record]) { found, err = splitsOn(ctx, f, output, rows, index) },
		Mixture: func(task.Mixture) { err = task.ErrMixture },
	})
	return found, err
}

// weights is [weightsOn] for points of any type.
func weights(ctx context.Context, f task.Function, output int) (found []explanation.Weights, err error) {
	f.Visit(task.FunctionVisitor{
		Vectors: func(f task.TypedFunction[[]float64]) { found, err = weightsOn(ctx, f, output) },
		IDs:     func(f task.TypedFunction[string]) { found, err = weightsOn(ctx, f, output) },
		Records: func(f task.TypedFunction[record.Record]) { found, err = weightsOn(ctx, f, output) },
		Mixture: func(task.Mixture) { err = task.ErrMixture },
	})
	return found, err
}
