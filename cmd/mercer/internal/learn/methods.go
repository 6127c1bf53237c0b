package learn

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"example.org/mercer/cmd/mercer/internal/verb"
	"example.org/mercer/learner"
	"example.org/mercer/learner/methods"
)

// byMethod returns a verb "VERB METHOD TABLE": a command that has one below it for
// every method that child makes one for.
func byMethod(parent *cobra.Command, child func(s *learner.Spec) *cobra.Command) *cobra.Command {
	var names []string
	for _, s := range methods.All {
		if cmd := child(s); cmd != nil {
			names = append(names, fmt.Sprintf("%s (%s)", s.Name, s.Title))
			parent.AddCommand(cmd)
		}
	}
	// The flags belong to the methods: an unknown method is what to complain about.
	parent.FParseErrWhitelist.UnknownFlags = true
	parent.Args = func(_ *cobra.Command, args []string) error {
		if len(args) == 0 {
			return verb.Usagef("expected a method and a table, such as: krr train.csv (got 0 arguments)")
		}
		return verb.Usagef("method %q is not known; there are %s", args[0], strings.Join(names, ", "))
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
