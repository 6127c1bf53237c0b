package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"example.org/mercer/compute"
	"example.org/mercer/learner"
	"example.org/mercer/task"
)

// methodFlags are the flags of one method: its settings as a command has them.
type methodFlags struct {
	of       *learner.Spec
	settings learner.Settings
}

// register adds the flags.
func (f *methodFlags) register(cmd *cobra.Command) {
	defer ofMethod.claim(cmd.Flags())()
	f.settings.Flags(cmd.Flags())
	for name, words := range f.of.Words {
		_ = cmd.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
	}
}

// method returns the method that the flags describe, for a task.
func (f *methodFlags) method(cmd *cobra.Command, inv *invocation, p *task.Task, how compute.Options) (learner.Learner, error) {
	return f.settings.Learner(p, &learner.Given{Flags: cmd.Flags(), Note: inv.note, Seed: inv.seed, Compute: how})
}

// byMethod returns a verb "VERB METHOD TABLE": a command that has one below it for
// every method that child makes one for.
func byMethod(parent *cobra.Command, child func(s *learner.Spec) *cobra.Command) *cobra.Command {
	var names []string
	for _, s := range learner.All {
		if cmd := child(s); cmd != nil {
			names = append(names, fmt.Sprintf("%s (%s)", s.Name, s.Title))
			parent.AddCommand(cmd)
		}
	}
	// The flags belong to the methods: an unknown method is what to complain about.
	parent.FParseErrWhitelist.UnknownFlags = true
	parent.Args = func(_ *cobra.Command, args []string) error {
		if len(args) == 0 {
			return usagef("expected a method and a table, such as: krr train.csv (got 0 arguments)")
		}
		return usagef("method %q is not known; there are %s", args[0], strings.Join(names, ", "))
	}
	parent.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() } // never: Args refuses
	return parent
}

// oneTable is the argument rule "TABLE" of a verb with a method.
func oneTable(cmd *cobra.Command, args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("expected a method and a table, such as: %s train.csv (got %d arguments)", cmd.Name(), len(args)+1)
	}
	return nil
}

// columned are settings of a method that name columns which are no features.
type columned interface{ Columns() []string }

// flagsFor returns the flags of a verb with a method: those of table, preparation and
// kernel, and its own.
func flagsFor(s *learner.Spec) (*problemFlags, *methodFlags) {
	own := &methodFlags{of: s, settings: s.Settings()}
	f := &problemFlags{fixed: s.Kernel, chosen: s.OwnLandmarks, prep: prepFlags{learns: s.Target}}
	f.prep.own, _ = own.settings.(columned)
	return f, own
}

// fitExamples returns the examples of fit, whole commands.
func fitExamples(s *learner.Spec) string {
	return strings.ReplaceAll(examplesOf("fit", s)+"\n", "\n", " -o "+s.Name+".mercer\n")
}

// examplesOf returns the examples of a verb for a method.
func examplesOf(verb string, s *learner.Spec) string {
	var lines []string
	for _, e := range s.Examples {
		lines = append(lines, fmt.Sprintf("  mercer %s %s %s", verb, s.Name, e))
	}
	return strings.Join(lines, "\n")
}
