package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"example.org/mercer/compute"
	"example.org/mercer/data/prep"
	"example.org/mercer/learner"
	"example.org/mercer/outcome"
	"example.org/mercer/supervised/structured"
	"example.org/mercer/task"
)

var structuredLearner = methodSpec{
	name:    "structured",
	short:   "label sets, rankings, label sequences",
	answers: true,
	long: `Learns answers that have parts, one in each cell of the target. --answer says which:

  set        any labels, in any order: a|c; the empty set is {} (an empty cell is a missing one)
  ranking    all items, the first before the others: b>a>c
  sequence   labels in line, as many in every row: A B B

The answer to a row is the one with the smallest expected loss, which is estimated by kernel ridge regression. Losses of a set:
hamming (labels wrongly in or out), f1 (1 − F1); of a ranking: spearman (squared distances of ranks), footrule (distances of
ranks), kendall (pairs in the wrong order; the best order is exact up to 12 items); of a sequence: hamming (wrong places),
with --chain c also c for every wrong pair of neighbours. All places of a sequence are predicted from all features of its row.`,
	examples: []string{
		`films.csv --target genres --answer set --loss f1 --lambda 1e-3`,
		`meals.csv --target order --answer ranking --loss kendall`,
		`dna.csv --target states --answer sequence --chain 0.5`,
	},
	flags: func() methodFlags { return &structuredFlags{} },
	tuned: []string{"lambda"},
}

// structuredFlags are the flags of structured output.
type structuredFlags struct {
	penaltyFlags
	systems systemFlags
	answers outcome.StructuredOutput
	loo     bool
}

func (f *structuredFlags) register(cmd *cobra.Command) {
	f.penaltyFlags.register(cmd)
	f.systems.register(cmd)
	flags := cmd.Flags()
	flags.Lookup("lambda").Usage = "λ in (1/N)Σ w‖φ(y) − θ(x)‖² + λ‖θ‖²; default 1e-2"
	flags.StringVar(&f.answers.Loss, "loss", "", "what a wrong answer costs, see above; default: hamming, for a ranking spearman")
	flags.Float64Var(&f.answers.Chain, "chain", 0, "cost of a wrong pair of neighbours in a sequence, beside 1 for a wrong label")
	flags.BoolVar(&f.loo, "loo", false, "compute the exact leave-one-out loss")
}

func (f *structuredFlags) method(cmd *cobra.Command, inv *invocation, _ *task.Task, how compute.Options) (learner.Learner, error) {
	solver, how, err := f.systems.chosen(how)
	if err != nil {
		return nil, err
	}
	lambda, err := f.chosen(cmd, inv)
	return learner.Structured{Options: structured.Options{Lambda: lambda, Ridge: f.ridge, NoIntercept: f.noIntercept, LOO: f.loo, Solver: solver, Compute: how}, Output: f.answers}, err
}

// parseForm returns the form of answers of a name.
func parseForm(name string) (prep.Form, error) {
	if form := prep.Form(name); slices.Contains(prep.Forms, form) {
		return form, nil
	}
	return "", usagef("--answer is %q: say what a cell of the target holds, one of %s", name, strings.Join(formNames(), ", "))
}

func formNames() []string {
	var names []string
	for _, f := range prep.Forms {
		names = append(names, string(f))
	}
	return names
}

// answerScores lists the scores of answers that have parts.
func answerScores(s *outcome.StructuredScores, target string) [][]string {
	lines := [][]string{{target, "mean loss", num(s.Loss)}, {"", "wholly right", num(s.Same)}}
	hamming := "wrong labels"
	if s.Form == prep.Sequence {
		hamming = "wrong places"
	}
	for _, known := range []struct {
		name  string
		value *float64
	}{{hamming, s.Hamming}, {"F1", s.F1}, {"Kendall's τ", s.Kendall}, {"Spearman's ρ", s.Spearman}} {
		if known.value != nil {
			lines = append(lines, []string{"", known.name, num(*known.value)})
		}
	}
	return lines
}
