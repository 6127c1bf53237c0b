package outcome

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/data/prep"
	"example.org/mercer/supervised/structured"
)

// StructuredOutput says for which loss a structured output is decoded, as data in the model file.
type StructuredOutput struct {
	// Loss is one of [StructuredLosses]; "": the first.
	Loss string `json:"loss"`
	// Chain is the price of a wrong pair of neighbours in a sequence beside that of a wrong
	// label.
	Chain float64 `json:"chain,omitempty"`
}

// The losses of structured outputs.
const (
	lossHamming  = "hamming"
	lossF1       = "f1"
	lossSpearman = "spearman"
	lossFootrule = "footrule"
	lossKendall  = "kendall"
)

// StructuredLosses returns the losses of a form, the first of which is the default.
func StructuredLosses(form prep.Form) []string {
	return map[prep.Form][]string{
		prep.Set:      {lossHamming, lossF1},
		prep.Ranking:  {lossSpearman, lossFootrule, lossKendall},
		prep.Sequence: {lossHamming},
	}[form]
}

// Decision returns what the outputs mean: the regression of φ, which a decoder reads.
func (a StructuredOutput) Decision(t prep.Target) (Decision, error) {
	if a.Loss == "" {
		a.Loss = StructuredLosses(t.Form)[0]
	}
	if err := a.check(t); err != nil {
		return Decision{}, fmt.Errorf("outcome: %w", err)
	}
	d := Decision{Rule: PreImage, Structured: &a}
	if d.speaksForParts(t) {
		d.Outputs = t.Names()
	} else {
		for j := range a.Output(t).Dim() {
			d.Outputs = append(d.Outputs, fmt.Sprintf("%s.θ%d", t.Name, j+1))
		}
	}
	return d, nil
}

// speaksForParts reports whether there is one output per label or item: the part of a
// set where it is above 0, the expected rank in a ranking.
func (d Decision) speaksForParts(t prep.Target) bool {
	return t.Form == prep.Set && d.Structured.Loss == lossHamming || t.Form == prep.Ranking && d.Structured.Loss == lossSpearman
}

// Shown returns how many of the outputs tell something by themselves: none of those that
// only a decoder reads, or that a density is the sum of, all others.
func (d Decision) Shown(targets []prep.Target) int {
	if d.Rule == PreImage && !d.speaksForParts(targets[0]) || d.Rule == Clusters && d.Link == Softmax {
		return 0
	}
	return len(d.Outputs)
}

// check returns why these cannot be the answers of a target.
func (a StructuredOutput) check(t prep.Target) error {
	if losses := StructuredLosses(t.Form); !slices.Contains(losses, a.Loss) {
		return fmt.Errorf("a target of the form %q has no loss %q; it has %q", t.Form, a.Loss, losses)
	}
	if a.Chain != 0 && t.Form != prep.Sequence {
		return fmt.Errorf("the price of pairs of neighbours is %v, and target %s is no sequence but a %s", a.Chain, t.Name, t.Form)
	}
	if !(a.Chain >= 0) || math.IsInf(a.Chain, 1) {
		return fmt.Errorf("the price of pairs of neighbours is %v, not a finite number ≥ 0", a.Chain)
	}
	return nil
}

// Output returns the loss and its decoder, for answers written as the codes of a target.
func (a StructuredOutput) Output(t prep.Target) structured.Output[[]float64] {
	q := len(t.Items)
	switch {
	case t.Form == prep.Sequence:
		return positions{structured.Sequence{Length: t.Length, Labels: q, Chain: a.Chain}}
	case a.Loss == lossF1:
		return labelSet{structured.LabelSetF1{Labels: q}}
	case t.Form == prep.Set:
		return labelSet{structured.LabelSet{Labels: q}}
	case a.Loss == lossKendall:
		return positions{structured.Kendall{Items: q}}
	}
	return positions{structured.Ranking{Items: q, Distance: structured.Distance(a.Loss)}}
}

// labelSet reads codes as sets: 1 for a label that belongs.
type labelSet struct{ structured.Output[[]bool] }

func (s labelSet) Embed(dst, z []float64) error { return s.Output.Embed(dst, asSet(z)) }
func (s labelSet) Loss(y, z []float64) float64  { return s.Output.Loss(asSet(y), asSet(z)) }
func (s labelSet) Decode(theta []float64) (y []float64) {
	for _, in := range s.Output.Decode(theta) {
		v := 0.0
		if in {
			v = 1
		}
		y = append(y, v)
	}
	return y
}

func asSet(codes []float64) []bool {
	set := make([]bool, len(codes))
	for i, v := range codes {
		set[i] = v != 0
	}
	return set
}

// positions reads codes as ranks, or as labels in line.
type positions struct{ structured.Output[[]int] }

func (l positions) Embed(dst, z []float64) error { return l.Output.Embed(dst, asNumbers(z)) }
func (l positions) Loss(y, z []float64) float64  { return l.Output.Loss(asNumbers(y), asNumbers(z)) }
func (l positions) Decode(theta []float64) (y []float64) {
	for _, v := range l.Output.Decode(theta) {
		y = append(y, float64(v))
	}
	return y
}

func asNumbers(codes []float64) []int {
	numbers := make([]int, len(codes))
	for i, v := range codes {
		numbers[i] = int(v)
	}
	return numbers
}

// StructuredScores compare structured outputs: sets, rankings and sequences.
type StructuredScores struct {
	Form prep.Form `json:"form"`
	Loss float64   `json:"loss"`  // the mean of the loss that the model was fitted for
	Same float64   `json:"exact"` // share of the rows that are answered in every part
	// Hamming is the share of labels that are wrongly in or out of a set, or of the places
	// of a sequence that are wrong; F1 the mean of 2|y ∩ z|/(|y| + |z|) over rows with sets.
	Hamming *float64 `json:"hamming,omitempty"`
	F1      *float64 `json:"f1,omitempty"`
	// Kendall is the mean of Kendall's τ, Spearman that of Spearman's ρ, of rankings.
	Kendall  *float64 `json:"kendall_tau,omitempty"`
	Spearman *float64 `json:"spearman_rho,omitempty"`
}

// structuredScores compares the decoded answers of a target with their codes y.
func (p *Prediction) structuredScores(t prep.Target, y *mat.Dense) *StructuredScores {
	n, _ := y.Dims()
	q := float64(len(t.Items))
	answers := make([][]float64, n)
	for i := range answers {
		answers[i] = p.structured(i)
	}
	average := func(loss func(y, z []float64) float64) float64 {
		sum, total := 0.0, 0.0
		for i, a := range answers {
			w := 1.0
			if p.Rows.W != nil {
				w = p.Rows.W[i]
			}
			sum += w * loss(a, y.RawRowView(i))
			total += w
		}
		return sum / total
	}
	by := func(loss string) float64 { return average(StructuredOutput{Loss: loss}.Output(t).Loss) }
	s := &StructuredScores{Form: t.Form, Loss: average(p.Decision.Structured.Output(t).Loss), Same: average(func(y, z []float64) float64 {
		if slices.Equal(y, z) {
			return 1
		}
		return 0
	})}
	switch t.Form {
	case prep.Set:
		s.Hamming, s.F1 = finite(by(lossHamming)/q), finite(1-by(lossF1))
	case prep.Sequence:
		s.Hamming = finite(by(lossHamming) / float64(t.Length))
	case prep.Ranking:
		s.Kendall, s.Spearman = finite(1-4*by(lossKendall)/(q*(q-1))), finite(1-6*by(lossSpearman)/(q*(q*q-1)))
	}
	return s
}

// structured returns the codes of the answer of a row.
func (p *Prediction) structured(row int) []float64 {
	return p.Decision.Structured.Output(p.Targets[0]).Decode(slices.Clone(p.Values.RawRowView(row)))
}
