package learn

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"example.org/mercer/cmd/mercer/internal/verb"
	"example.org/mercer/learner"
	"example.org/mercer/outcome/calibrate"
	"example.org/mercer/task"
)

// heldFlags ask for what a method can add to its model from values of rows that it did not
// learn from.
type heldFlags struct {
	probabilities string
	conformal     bool
	uncalibrated  bool // the method has no probabilities but by --probabilities
}

func (f *heldFlags) register(cmd *cobra.Command, of *learner.Spec) {
	f.uncalibrated = of.Probabilities
	defer verb.CalibrationGroup.Claim(cmd.Flags())()
	names := calibrationNames()
	if of.Probabilities {
		cmd.Flags().StringVar(&f.probabilities, "probabilities", "", "probabilities of labels that agree with the labels, from rows left out: "+strings.Join(names, ", "))
		verb.Choices(cmd, "probabilities", names)
	}
	if of.Conformal {
		cmd.Flags().BoolVar(&f.conformal, "conformal", false, "keep what predict --interval or --sets needs: conformal scores of rows left out (labels need probabilities)")
	}
}

func calibrationNames() []string {
	var names []string
	for _, m := range calibrate.Methods {
		names = append(names, string(m))
	}
	return names
}

// check reports what cannot be had.
func (f *heldFlags) check() error {
	if names := calibrationNames(); f.probabilities != "" && !slices.Contains(names, f.probabilities) {
		return verb.Usagef("--probabilities %q is not known; there are %s", f.probabilities, strings.Join(names, ", "))
	}
	return nil
}

// suits refuses what a target cannot have, before any work.
func (f *heldFlags) suits(p *task.Task) error {
	if t := p.Prep.Targets(); f.conformal && f.probabilities == "" && f.uncalibrated && len(t) == 1 && t[0].Labels != nil {
		return verb.Usagef("--conformal makes sets of labels by their probabilities: say how these are made, such as --probabilities platt")
	}
	return nil
}

// method adds to a method what the flags ask for.
func (f *heldFlags) method(m learner.Learner, seed uint64) learner.Learner {
	if f.probabilities == "" && !f.conformal {
		return m
	}
	return learner.Calibrated{Learner: m, Probabilities: calibrate.Method(f.probabilities), Conformal: f.conformal, Seed: seed}
}
