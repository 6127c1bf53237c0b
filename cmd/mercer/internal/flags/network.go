package flags

import (
	"slices"

	"github.com/spf13/cobra"

	"example.org/mercer/cmd/mercer/internal/verb"
	"example.org/mercer/supervised/dkl"
	"example.org/mercer/supervised/krr"
)

// Network say how the network of a kernel deep(…) is learned.
type Network struct {
	by    string
	start string
	steps int
}

// networkCriteria are what a network can be learned by.
var networkCriteria = []string{string(krr.Evidence), string(krr.LOO), string(krr.GCV)}

// networkStarts are where one can begin.
var networkStarts = []string{string(dkl.Drawn), string(dkl.Metric)}

// Register adds the flags.
func (f *Network) Register(cmd *cobra.Command) {
	defer verb.KernelGroup.Claim(cmd.Flags())()
	cmd.Flags().StringVar(&f.by, "network-by", networkCriteria[0], "a deep(…) without weights is learned from all rows before the method, by the criterion of ridge regression: evidence, loo, gcv")
	cmd.Flags().StringVar(&f.start, "network-start", string(dkl.Drawn), "where a network begins: drawn by its seed, or the same after the metric that ridge regression learns first: drawn, metric")
	cmd.Flags().IntVar(&f.steps, "network-steps", 0, "most steps of that; a tenth of the rows is kept aside to say which is best; default 100")
	verb.Choices(cmd, "network-by", networkCriteria)
	verb.Choices(cmd, "network-start", networkStarts)
}

// Options returns what the flags ask for.
func (f *Network) Options() (dkl.Options, error) {
	o := dkl.Options{By: krr.Criterion(f.by), Start: dkl.Start(f.start), Steps: f.steps}
	if f.by != "" && o.By.Check() != nil {
		return o, verb.Usagef("--network-by %q is not known; there are %q", f.by, networkCriteria)
	}
	if f.start != "" && !slices.Contains(networkStarts, f.start) {
		return o, verb.Usagef("--network-start %q is not known; there are %q", f.start, networkStarts)
	}
	if f.steps < 0 {
		return o, verb.Usagef("--network-steps is %d: give the largest number of steps, such as 100", f.steps)
	}
	return o, nil
}
