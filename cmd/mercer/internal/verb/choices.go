package verb

import (
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// choices is the annotation of a flag that has the words which it takes.
const choices = "mercer_choices"

// Choices says which words a flag takes, for whoever completes a line in a shell.
//
// The words are kept with the flag. Package cobra keeps its functions of completion in a map of the
// process, and by it every command that was ever made.
func Choices(cmd *cobra.Command, flag string, words []string) {
	_ = cmd.Flags().SetAnnotation(flag, choices, words)
}

// Complete makes the choices of all flags of a command, and of those below it, known to package
// cobra where args ask for the completion of a line.
func Complete(cmd *cobra.Command, args []string) {
	if len(args) == 0 || args[0] != cobra.ShellCompRequestCmd && args[0] != cobra.ShellCompNoDescRequestCmd {
		return
	}
	complete(cmd)
}

func complete(cmd *cobra.Command) {
	cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if words := f.Annotations[choices]; words != nil {
			_ = cmd.RegisterFlagCompletionFunc(f.Name, cobra.FixedCompletions(slices.Clone(words), cobra.ShellCompDirectiveNoFileComp))
		}
	})
	for _, c := range cmd.Commands() {
		complete(c)
	}
}
