package pipeline

import (
	"fmt"

	"mercer/prep"
)

// Rule says how the outputs of a function become an answer.
type Rule string

const (
	// Coded outputs are those of the targets, coded as [prep.Target] says: numbers, or
	// ±1 for labels. It is the rule of methods that learn by least squares.
	Coded Rule = "coded"
	// Largest has one output per class, of which the largest wins (the first of
	// equals); or, for two classes, one output that speaks for the second class where it
	// is ≥ 0.
	Largest Rule = "largest"
	// Votes has one output per pair of classes (0, 1), (0, 2), …, (1, 2), …: where it
	// is positive the first of the pair has a vote, else the second. Most votes win
	// (the first of equals).
	Votes Rule = "votes"
	// Sign has one output that tells members (≥ 0) from strangers.
	Sign Rule = "sign"
)

// Decision says what the outputs of a model's function mean.
type Decision struct {
	Rule    Rule     `json:"rule"`
	Outputs []string `json:"outputs"`           // their names
	Classes int      `json:"classes,omitempty"` // number of classes of Largest and Votes
}

// coded returns the decision of a method whose outputs are those of the targets.
func coded(p *prep.Pipeline) Decision { return Decision{Rule: Coded, Outputs: p.Outputs()} }

// largest returns the decision for a target with one output per class, or one output
// for two classes.
func largest(t prep.Target) Decision {
	return Decision{Rule: Largest, Outputs: t.Names(), Classes: len(t.Labels)}
}

// votes returns the decision of a classifier of pairs.
func votes(t prep.Target) Decision {
	d := Decision{Rule: Votes, Classes: len(t.Labels)}
	for i, a := range t.Labels {
		for _, b := range t.Labels[i+1:] {
			d.Outputs = append(d.Outputs, fmt.Sprintf("%s=%s/%s", t.Name, a, b))
		}
	}
	return d
}

// members returns the decision of a method that learns what belongs and what does not.
func members() Decision { return Decision{Rule: Sign, Outputs: []string{"member"}} }

// check returns why the decision of a model file cannot be one for its targets.
func (d Decision) check(targets []prep.Target) error {
	labels := 0
	if len(targets) == 1 {
		labels = len(targets[0].Labels)
	}
	want := map[Rule]int{Largest: labels, Votes: labels * (labels - 1) / 2, Sign: 1}[d.Rule]
	switch d.Rule {
	case Coded:
		want = 0
		for _, t := range targets {
			want += t.Outputs()
		}
	case Largest:
		if labels == 2 && len(d.Outputs) == 1 {
			want = 1
		}
		fallthrough
	case Votes:
		if d.Classes != labels || labels < 2 {
			return fmt.Errorf("the model decides between %d classes, and its targets have %d labels", d.Classes, labels)
		}
	case Sign:
	default:
		return fmt.Errorf("the decision rule %q is not known", d.Rule)
	}
	if len(d.Outputs) != want {
		return fmt.Errorf("the decision rule %q needs %d outputs, and the model has %d", d.Rule, want, len(d.Outputs))
	}
	return nil
}

// class returns the number of the class that the outputs of one row speak for, or −1
// where the target has no labels.
func (d Decision) class(values []float64, targets []prep.Target, target int) int {
	switch d.Rule {
	case Largest:
		return prep.Target{Labels: make([]string, max(len(values), 2))}.Class(values)
	case Votes:
		return mostVotes(values, d.Classes)
	case Sign:
		return -1
	}
	from := 0
	for _, t := range targets[:target] {
		from += t.Outputs()
	}
	return targets[target].Class(values[from : from+targets[target].Outputs()])
}

// mostVotes counts the votes of the pairs of m classes.
func mostVotes(values []float64, m int) int {
	count, pair, best := make([]int, m), 0, 0
	for i := range m {
		for j := i + 1; j < m; j++ {
			if values[pair] > 0 {
				count[i]++
			} else {
				count[j]++
			}
			pair++
		}
	}
	for i, c := range count {
		if c > count[best] {
			best = i
		}
	}
	return best
}
