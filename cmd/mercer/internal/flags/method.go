package flags

import (
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"example.org/mercer/cmd/mercer/internal/verb"
	"example.org/mercer/compute"
	"example.org/mercer/learner"
	"example.org/mercer/task"
)

// Method are the flags of one method: its settings as a command has them.
type Method struct {
	of       *learner.Spec
	Settings learner.Settings
}

// Register adds the flags.
func (f *Method) Register(cmd *cobra.Command) {
	defer verb.MethodGroup.Claim(cmd.Flags())()
	f.Settings.Flags(cmd.Flags())
	for name, words := range f.of.Words {
		verb.Choices(cmd, name, words)
	}
}

// declares reports whether the method has a flag of its own of a name.
func (f *Method) declares(name string) bool {
	set := pflag.NewFlagSet("", pflag.ContinueOnError)
	f.of.Settings().Flags(set)
	return set.Lookup(name) != nil
}

// Learner returns the method that the flags describe, for a task.
func (f *Method) Learner(cmd *cobra.Command, inv *verb.Invocation, p *task.Task, how compute.Options) (learner.Learner, error) {
	return f.Settings.Learner(p, &learner.Given{Flags: cmd.Flags(), Note: inv.Note, Seed: inv.Seed, Compute: how})
}

// columned are settings of a method that name columns which are no features.
type columned interface{ Columns() []string }

// For returns the flags of a verb with a method: those of table, preparation and
// kernel, and its own.
func For(s *learner.Spec) (*Problem, *Method) {
	own := &Method{of: s, Settings: s.Settings()}
	f := &Problem{method: s.Name, fixed: s.Kernel, start: s.Start, Prep: Preparation{Learns: s.Target, Unlabelled: s.Unlabelled}}
	f.Prep.own, _ = own.Settings.(columned)
	f.chosen = own.declares(landmarkNames[0])
	return f, own
}
