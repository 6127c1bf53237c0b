package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"example.org/mercer/cmd/mercer/internal/verb"
	"example.org/mercer/internal/spelling"
)

// wanted says what the flags of a type take.
var wanted = map[string]string{
	"int":          "a whole number",
	"uint64":       "a whole number from 0",
	"float64":      "a number",
	"float64Slice": "numbers with commas between them",
	"bool":         "true or false",
	"duration":     "a time such as 30s or 5m",
}

// flagError says of a flag that cannot be read what it takes, and of one that does not exist which
// are like it.
func flagError(cmd *cobra.Command, err error) error {
	invalid, missing := (*pflag.InvalidValueError)(nil), (*pflag.NotExistError)(nil)
	switch {
	case errors.As(err, &invalid):
		f := invalid.GetFlag()
		if what, ok := wanted[f.Value.Type()]; ok {
			return verb.Usagef("--%s is %q; give %s", f.Name, invalid.GetValue(), what)
		}
	case errors.As(err, &missing):
		if words := cmd.Flags().Args(); !cmd.HasParent() && cmd.HasSubCommands() && len(words) > 0 { // the flags would be those of a verb
			return unknownVerb(cmd, words[0])
		}
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
		if near := spelling.Near(missing.GetSpecifiedName(), names); len(near) > 0 {
			return verb.Usagef("%w; did you mean --%s?", err, strings.Join(near, " or --"))
		}
	}
	return verb.AsUsage(err)
}

// crowded refuses flags by which two results would be on standard output.
func crowded(cmd *cobra.Command, inv *verb.Invocation) error {
	var there []string
	for _, name := range []string{"output", "model", "html"} {
		if f := cmd.Flag(name); f != nil && f.Value.String() == verb.Stdout {
			there = append(there, "--"+name+" -")
		}
	}
	if len(there) > 0 && inv.JSON {
		there = append(there, "--json")
	}
	if len(there) > 1 {
		return verb.Usagef("%s both write to standard output: name a file for one of them", strings.Join(there, " and "))
	}
	return nil
}

// emptied refuses flags that were given and say nothing, as a variable of a script does that was
// never set: they would count as if they were not there.
func emptied(cmd *cobra.Command) error {
	var problems []error
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if f.Value.Type() == "string" && f.Value.String() == "" {
			problems = append(problems, fmt.Errorf("--%s is empty; give it a value, or leave it out", f.Name))
		}
	})
	if len(problems) > 0 {
		return verb.AsUsage(errors.Join(problems...))
	}
	return nil
}
