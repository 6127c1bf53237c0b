package onnx

import (
	"fmt"

	"example.org/mercer/data/prep"
	"example.org/mercer/outcome"
	"example.org/mercer/supervised/svm"
)

// Names of outputs.
const (
	// Values are the outputs of the function, rows × outputs; of targets of numbers in their units.
	Values = "values"
	// Label is the label, or the cluster, of each row.
	Label = "label"
	// Probabilities are those of the labels, rows × labels, in the order of the metadata "labels".
	Probabilities = "probabilities"
)

// rule declares the outputs of a rule of decision beside the values.
type rule func(g *Graph, a decided) error

// decided are the values of a function and what is made of them.
type decided struct {
	values   Value
	decision outcome.Decision
	targets  []prep.Target
}

var rules = map[outcome.Rule]rule{
	outcome.Coded:      (*Graph).coded,
	outcome.Largest:    (*Graph).largest,
	outcome.Votes:      (*Graph).votes,
	outcome.Centres:    (*Graph).centres,
	outcome.Ordered:    func(*Graph, decided) error { return nil },
	outcome.Components: func(*Graph, decided) error { return nil },
	outcome.Sign: func(g *Graph, a decided) error {
		g.label(g.Apply("Not", g.Apply("Greater", g.Scalar(0), a.values)), []string{"stranger", "member"}, true)
		return nil
	},
	outcome.Clusters: func(g *Graph, a decided) error {
		g.label(g.Largest(a.values), a.decision.Outputs, false)
		return nil
	},
}

// Decide declares the outputs: [Values], and [Label] and [Probabilities] where the decision has
// them.
func (g *Graph) Decide(values Value, d outcome.Decision, targets []prep.Target) error {
	declare, ok := rules[d.Rule]
	if !ok {
		return &Unsupported{fmt.Sprintf("the decision rule %q", d.Rule), "no standard operators are written for it"}
	}
	if d.Rule == outcome.Ordered {
		values = g.Sorted(values, len(d.Outputs))
	}
	if err := declare(g, decided{values, d, targets}); err != nil {
		return err
	}
	values, err := g.inUnits(values, d, targets)
	if err != nil {
		return err
	}
	g.Output(values, Port{Name: Values, Type: g.Number(), Columns: len(d.Outputs)})
	return nil
}

// label declares the label of each row: by a list of places, or by a column of truth values.
func (g *Graph) label(at Value, labels []string, column bool) {
	if !column {
		g.Output(g.Choose(g.Texts(true, labels...), at), Port{Name: Label, Type: Strings})
		return
	}
	both := g.Apply("Where", at, g.Texts(false, labels[1]), g.Texts(false, labels[0]))
	g.Output(both, Port{Name: Label, Type: Strings, Columns: 1})
}

// coded are the codes of the targets: of one with two labels the sign, 0 for the second.
func (g *Graph) coded(a decided) error {
	labelled := 0
	for _, t := range a.targets {
		if t.Labels != nil {
			labelled++
		}
	}
	switch {
	case labelled == 0:
		return nil
	case len(a.targets) > 1:
		return &Unsupported{fmt.Sprintf("%d targets", len(a.targets)), "labels are written of one target alone"}
	}
	g.byLargest(a.values, a.targets[0].Labels)
	return nil
}

// byLargest declares the label with the largest value, or by the sign of the only one.
func (g *Graph) byLargest(values Value, labels []string) {
	if len(labels) == 2 {
		g.label(g.Apply("Not", g.Apply("Greater", g.Scalar(0), values)), labels, true)
		return
	}
	g.label(g.Largest(values), labels, false)
}

// largest is the rule of methods with one value for each class, or one that speaks for the second
// of two.
func (g *Graph) largest(a decided) error {
	labels := a.targets[0].Labels
	if a.decision.Link == outcome.Averaged {
		return &Unsupported{"averages over a posterior", "these need the covariance of all training rows: take klr"}
	}
	one := len(a.decision.Outputs) == 1
	if one || len(labels) > 2 {
		g.byLargest(a.values, labels)
	} else {
		g.label(g.Largest(a.values), labels, false)
	}
	if a.decision.Link == outcome.Softmax {
		shares := a.values
		if one { // of f, the shares of 0 and f
			shares = g.Side(g.affine(0, a.values, 0), a.values)
		}
		g.Output(g.Softmax(shares), Port{Name: Probabilities, Type: g.Number(), Columns: len(labels)})
	}
	return nil
}

// votes counts those of binary problems, of which a value above 0 speaks for the positive class.
func (g *Graph) votes(a decided) error {
	labels, d := a.targets[0].Labels, a.decision.Votes
	if d.Scheme == svm.OneVsRest {
		ordered := make([]string, len(d.Positive))
		for j, c := range d.Positive {
			ordered[j] = labels[c]
		}
		g.label(g.Largest(a.values), ordered, false)
		return nil
	}
	problems, classes := len(d.Positive), len(d.Order)
	at := map[int]int{}
	ordered := make([]string, classes)
	for k, c := range d.Order {
		at[c], ordered[k] = k, labels[c]
	}
	forPositive, forNegative := make([]float64, problems*classes), make([]float64, problems*classes)
	for j := range problems {
		forPositive[j*classes+at[d.Positive[j]]] = 1
		forNegative[j*classes+at[d.Negative[j]]] = 1
	}
	above := g.Apply("Greater", a.values, g.Scalar(0))
	votes := g.Apply("Add", g.Apply("MatMul", g.Cast(above), g.Matrix(problems, classes, forPositive)),
		g.Apply("MatMul", g.Cast(g.Apply("Not", above)), g.Matrix(problems, classes, forNegative)))
	g.label(g.Largest(votes), ordered, false)
	return nil
}

// centres is the rule of a discriminant: of the values p the class with the largest
// ln π_c − ‖p − m_c‖²/2, where ‖p‖²/2 is the same for all.
func (g *Graph) centres(a decided) error {
	d := a.decision.Centres
	classes, directions := len(d.Centroids), len(d.Centroids[0])
	centroids, constants := make([]float64, directions*classes), make([]float64, classes)
	for c, m := range d.Centroids {
		constants[c] = d.LogPriors[c]
		for j, v := range m {
			centroids[j*classes+c] = v
			constants[c] -= v * v / 2
		}
	}
	scores := g.Apply("Add", g.Apply("MatMul", a.values, g.Matrix(directions, classes, centroids)), g.Row(constants))
	g.label(g.Largest(scores), a.targets[0].Labels, false)
	return nil
}
