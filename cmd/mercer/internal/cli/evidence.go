package cli

import (
	"github.com/spf13/cobra"
)

// evidenceFlags are those of methods whose kernel the evidence can find.
type evidenceFlags struct {
	optimize bool
	fixed    []string
	restarts int
}

// register adds the flags; what says what is found.
func (f *evidenceFlags) register(cmd *cobra.Command, what string) {
	flags := cmd.Flags()
	flags.BoolVar(&f.optimize, "optimize", false, "find "+what+" by the evidence")
	flags.StringSliceVar(&f.fixed, "fix", nil, "parameters that --optimize leaves as they are, by the names that it reports, such as sigma or scale#2 (repeatable)")
	flags.IntVar(&f.restarts, "restarts", 0, "further searches of --optimize from random starts")
}

// check refuses what goes together with --optimize alone; tuning by folds does without.
func (f *evidenceFlags) check(method string, folds bool) error {
	switch {
	case f.restarts < 0 || f.restarts > 0 && !f.optimize:
		return usagef("--restarts is %d: it is the number of further searches of --optimize", f.restarts)
	case len(f.fixed) > 0 && !f.optimize:
		return usagef("--fix %q: without --optimize all parameters stay as they are", f.fixed)
	case folds && f.optimize:
		return usagef("--optimize finds parameters by the evidence, without folds: mercer fit %s --optimize", method)
	}
	return nil
}
