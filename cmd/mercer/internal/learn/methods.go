package learn

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"example.org/mercer/cmd/mercer/internal/flags"
	"example.org/mercer/cmd/mercer/internal/verb"
	"example.org/mercer/learner"
	"example.org/mercer/learner/methods"
)

// byMethod returns a verb "VERB [METHOD] TABLE": a command that has one below it for every method
// that child makes one for. Where none is named, the target decides.
func byMethod(inv *verb.Invocation, parent *cobra.Command, child func(s *learner.Spec) *cobra.Command) *cobra.Command {
	choice := &methodChoice{inv: inv}
	for _, s := range methods.All {
		if cmd := child(s); cmd != nil {
			choice.known = append(choice.known, s)
			parent.AddCommand(cmd)
		}
	}
	for i, cmd := range parent.Commands() {
		cmd.Aliases = choice.aliases(choice.known[i])
	}
	// The flags belong to the methods: a missing method is what to see to.
	parent.FParseErrWhitelist.UnknownFlags = true
	parent.Args = cobra.ArbitraryArgs
	parent.RunE = func(cmd *cobra.Command, _ []string) error {
		choice.verb = cmd
		return choice.run()
	}
	return parent
}

// oneTable is the argument rule "TABLE" of a verb with a method.
func oneTable(cmd *cobra.Command, args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("expected a method and a table, such as: %s train.csv (got %d arguments)%s", cmd.Name(), len(args)+1, flags.Expanded(args))
	}
	return nil
}

// FitExamples returns the examples of fit, whole commands.
func FitExamples(s *learner.Spec) string {
	return strings.ReplaceAll(examplesOf("fit", s)+"\n", "\n", " -o "+s.Name+".mercer\n")
}

// examplesOf returns the examples of a verb for a method.
func examplesOf(of string, s *learner.Spec) string {
	var lines []string
	for _, e := range s.Examples {
		lines = append(lines, fmt.Sprintf("  mercer %s %s %s", of, s.Name, e))
	}
	return strings.Join(lines, "\n")
}
