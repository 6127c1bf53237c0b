package outcome

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"example.org/mercer/data/prep"
	"example.org/mercer/outcome/calibrate"
	"example.org/mercer/supervised/kfda"
	"example.org/mercer/supervised/svm"
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
	// Votes has one output per binary problem, whose votes a [svm.Decision] counts.
	Votes Rule = "machines"
	// Ordered has one output per quantile of a number; the values of a row are put in
	// their order, so that quantiles never cross.
	Ordered Rule = "ordered"
	// Centres has one output per direction of a discriminant, in which the nearest centre
	// wins, as a [kfda.Decision] says.
	Centres Rule = "centres"
	// PreImage outputs are an estimate of the features of a structured output (a set, a ranking, a
	// sequence), whose pre-image a decoder finds, as [StructuredOutput] says.
	PreImage Rule = "decoded"
	// Sign has one output that tells members (≥ 0) from strangers.
	Sign Rule = "sign"
	// Components has one output per component of the rows: scores, and nothing to decide.
	Components Rule = "components"
	// Clusters has one output per cluster, of which the largest says where a row belongs
	// (the first of equals). With the link Softmax the outputs are the logarithms of the
	// shares of a density.
	Clusters Rule = "clusters"
)

// Decision says what the outputs of a model's function mean.
type Decision struct {
	Rule    Rule     `json:"rule"`
	Outputs []string `json:"outputs"`           // their names
	Classes int      `json:"classes,omitempty"` // number of classes of Largest
	// Link makes probabilities of the outputs of Largest; "": there are none.
	Link Link `json:"link,omitempty"`
	// Calibration makes probabilities of the outputs of a method without them; nil: there
	// are none.
	Calibration *calibrate.Map `json:"calibration,omitempty"`
	// Taus are the quantiles of Ordered.
	Taus []float64 `json:"taus,omitempty"`
	// Votes says what each output of the rule of that name is for.
	Votes *svm.Decision `json:"machines,omitempty"`
	// Structured says how PreImage finds what the outputs stand for.
	Structured *StructuredOutput `json:"answers,omitempty"`
	// Centres are those of the rule of that name.
	Centres *kfda.Decision `json:"centres,omitempty"`
}

// Link is a function from outputs to probabilities of the classes.
type Link string

// Softmax is e^(f_c)/Σ e^(f), and 1/(1 + e^(−f)) for the second class where there is one
// output.
const Softmax Link = "softmax"

// Averaged is 1/(1 + e^(−f)), or the softmax of one function per class, averaged over the
// distribution of the latent functions of a Gaussian process; see
// [gp.LaplaceCovariance.Probabilities]. The class of a row is that with the largest
// probability, for two classes the same as by the sign of f.
const Averaged Link = "averaged"

// ForTargets returns the decision of a method whose outputs are those of the targets.
func ForTargets(p *prep.Pipeline) Decision { return Decision{Rule: Coded, Outputs: p.Outputs()} }

// ForClasses returns the decision for a target with one output per class, or one output
// for two classes.
func ForClasses(t prep.Target) Decision {
	return Decision{Rule: Largest, Outputs: t.Names(), Classes: len(t.Labels)}
}

// ForVotes returns the decision of a classifier by binary problems. The output of a single problem
// has the name of the target, others those of the classes they tell apart.
func ForVotes(t prep.Target, d *svm.Decision) Decision {
	out := Decision{Rule: Votes, Votes: d}
	for j, positive := range d.Positive {
		name := t.Name
		switch negative := d.Negative[j]; {
		case negative < 0:
			name += "=" + t.Labels[positive]
		case len(d.Positive) > 1:
			name += "=" + t.Labels[positive] + "/" + t.Labels[negative]
		}
		out.Outputs = append(out.Outputs, name)
	}
	return out
}

// ForMembers returns the decision of a method that learns what belongs and what does not.
func ForMembers() Decision { return Decision{Rule: Sign, Outputs: []string{"member"}} }

// ForComponents returns the decision of a method that finds principal components.
func ForComponents(count int) Decision {
	return named("PC", count)
}

// ForCoordinates are coordinates of a map, of which none is a direction.
func ForCoordinates(count int) Decision { return named("z", count) }

// named has so many outputs that say nothing of a target, numbered from 1.
func named(prefix string, count int) Decision {
	d := Decision{Rule: Components}
	for j := range count {
		d.Outputs = append(d.Outputs, fmt.Sprint(prefix, j+1))
	}
	return d
}

// targeted reports whether the outputs say something of the targets.
func (d Decision) targeted() bool {
	return d.Rule != Sign && d.Rule != Components && d.Rule != Clusters
}

// Check returns why the decision of a model file cannot be one for its targets.
func (d Decision) Check(targets []prep.Target) error {
	labels := 0
	if len(targets) == 1 {
		labels = len(targets[0].Labels)
	}
	want := 0
	switch d.Rule {
	case Coded:
		for _, t := range targets {
			want += t.Outputs()
		}
	case Largest:
		if err := d.checkLargest(labels); err != nil {
			return err
		}
		if want = labels; labels == 2 && len(d.Outputs) == 1 {
			want = 1
		}
	case Votes:
		if d.Votes == nil {
			return errors.New("the model does not say which classes its binary problems tell apart")
		}
		if err := d.Votes.Check(labels); err != nil {
			return err
		}
		want = len(d.Votes.Positive)
	case Centres:
		if err := d.Centres.Check(labels, len(d.Outputs)); err != nil {
			return err
		}
		want = len(d.Outputs)
	case Ordered:
		if labels > 0 || len(targets) != 1 || !slices.IsSorted(d.Taus) || len(d.Taus) == 0 {
			return fmt.Errorf("the model has the quantiles %v of %d targets with %d labels", d.Taus, len(targets), labels)
		}
		want = len(d.Taus)
	case PreImage:
		if len(targets) != 1 || targets[0].Form == prep.One || d.Structured == nil {
			return errors.New("the model does not say how its structured outputs are decoded")
		}
		if err := d.Structured.check(targets[0]); err != nil {
			return err
		}
		want = d.Structured.Output(targets[0]).Dim()
	case Sign:
		want = 1
	case Components, Clusters:
		if d.Link != "" && (d.Rule != Clusters || d.Link != Softmax) {
			return fmt.Errorf("the link %q is not one of the decision rule %q", d.Link, d.Rule)
		}
		want = max(1, len(d.Outputs))
	default:
		return fmt.Errorf("the decision rule %q is not known", d.Rule)
	}
	if len(d.Outputs) != want {
		return fmt.Errorf("the decision rule %q needs %d outputs, and the model has %d", d.Rule, want, len(d.Outputs))
	}
	return d.checkCalibration(targets)
}

// checkLargest returns why the largest output cannot be the class of a target with labels.
func (d Decision) checkLargest(labels int) error {
	switch {
	case d.Classes != labels || labels < 2:
		return fmt.Errorf("the model decides between %d classes, and its targets have %d labels", d.Classes, labels)
	case d.Link == Averaged && labels == 2 && len(d.Outputs) != 1:
		return fmt.Errorf("the link %q averages one function for two labels, and the model has %d", d.Link, len(d.Outputs))
	case d.Link != "" && d.Link != Softmax && d.Link != Averaged:
		return fmt.Errorf("the link %q is not known", d.Link)
	}
	return nil
}

// class returns the number of the class that the outputs of one row speak for, or −1
// where the target has no labels.
func (d Decision) class(values []float64, targets []prep.Target, target int) int {
	if !d.targeted() {
		return -1
	}
	switch d.Rule {
	case Largest:
		return prep.Target{Labels: make([]string, max(len(values), 2))}.Class(values)
	case Votes:
		return d.Votes.Class(values)
	case Centres:
		return d.Centres.Class(values)
	case Ordered, PreImage:
		return -1
	}
	from := 0
	for _, t := range targets[:target] {
		from += t.Outputs()
	}
	return targets[target].Class(values[from : from+targets[target].Outputs()])
}

// ForClusters returns the decision of a method that finds clusters.
func ForClusters(count int, link Link) Decision {
	d := Decision{Rule: Clusters, Link: link}
	for j := range count {
		d.Outputs = append(d.Outputs, fmt.Sprintf("cluster %d", j+1))
	}
	return d
}

// Equal reports whether a model file would say the same of two decisions.
func (d Decision) Equal(other Decision) bool {
	mine, err := json.Marshal(d)
	if err != nil {
		return false
	}
	others, err := json.Marshal(other)
	return err == nil && bytes.Equal(mine, others)
}

// HeldOut is the decision on outputs for rows that were left out: those of the link
// Averaged have been averaged already, see [learner.logarithms].
func (d Decision) HeldOut() Decision {
	if d.Link == Averaged {
		d.Link = Softmax
	}
	return d
}
