package flags

import (
	"github.com/spf13/cobra"

	"example.org/mercer/cmd/mercer/internal/verb"
	"example.org/mercer/supervised/dkl"
	"example.org/mercer/supervised/krr"
)

// Network say how the network of a kernel deep(…) is learned.
type Network struct {
	by    string
	steps int
}

// networkCriteria are what a network can be learned by.
var networkCriteria = []string{string(krr.Evidence), string(krr.LOO), string(krr.GCV)}

// Register adds the flags.
func (f *Network) Register(cmd *cobra.Command) {
	defer verb.KernelGroup.Claim(cmd.Flags())()
	cmd.Flags().StringVar(&f.by, "network-by", networkCriteria[0], "a deep(…) without weights is learned from all rows before the method, by the criterion of ridge regression: evidence, loo, gcv")
	cmd.Flags().IntVar(&f.steps, "network-steps", 0, "most steps of that; a tenth of the rows is kept aside to say which is best; default 100")
	verb.Choices(cmd, "network-by", networkCriteria)
}

// Options returns what the flags ask for.
func (f *Network) Options() (dkl.Options, error) {
	o := dkl.Options{By: krr.Criterion(f.by), Steps: f.steps}
	if f.by != "" && o.By.Check() != nil {
		return o, verb.Usagef("--network-by %q is not known; there are %q", f.by, networkCriteria)
	}
	if f.steps < 0 {
		return o, verb.Usagef("--network-steps is %d: give the largest number of steps, such as 100", f.steps)
	}
	return o, nil
}
