package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"example.org/mercer/cmd/mercer/internal/flags"
	"example.org/mercer/cmd/mercer/internal/learn"
	"example.org/mercer/cmd/mercer/internal/verb"
	"example.org/mercer/internal/spelling"
	"example.org/mercer/learner"
	"example.org/mercer/learner/methods"
)

// helpWidth is the width of the help, in characters.
const helpWidth = 100

// helpExamples is the number of examples in the help.
const helpExamples = 2

// newHelp returns the verb "help [VERB…|METHOD|GROUP]".
func newHelp(inv *verb.Invocation) *cobra.Command {
	return &cobra.Command{
		Use:   "help [VERB | METHOD | GROUP]",
		Short: "Explain a verb, a method or a group of flags",
		Long: `help explains a verb (help fit), a method (help krr), a method of a verb (help fit krr), or a group of flags that
verbs share (help table). Without a topic it lists them all.`,
		Example: `  mercer help krr
  mercer help approximation`,
		RunE: func(cmd *cobra.Command, topic []string) error { return printTopic(inv, cmd.Root(), topic) },
	}
}

// printHelp prints the help of a command, with --all everything; words after it may name what is
// below
// it.
func printHelp(inv *verb.Invocation, cmd *cobra.Command, words []string) error {
	if len(words) > 0 && cmd.HasSubCommands() && cmd.ValidateArgs(words) != nil {
		return printTopic(inv, cmd.Root(), append(strings.Fields(cmd.CommandPath())[1:], words...))
	}
	all, _ := cmd.Flags().GetBool(verb.AllFlag)
	_, err := io.WriteString(inv.Stdout, inv.Headed(helpOf(cmd, all)))
	return err
}

// printTopic prints what there is about a group, a verb or a method.
func printTopic(inv *verb.Invocation, root *cobra.Command, topic []string) error {
	all, _ := root.PersistentFlags().GetBool(verb.AllFlag)
	text := ""
	switch cmd, rest, err := root.Find(topic); {
	case err == nil && len(rest) == 0:
		text = helpOf(cmd, all)
	case len(topic) == 1:
		text = topicOf(root, topic[0])
	}
	if text == "" {
		return unknownTopic(root, topic)
	}
	_, err := io.WriteString(inv.Stdout, inv.Headed(text))
	return err
}

// topicOf returns the help of a group or a method, "" where there is none of this name.
func topicOf(root *cobra.Command, name string) string {
	for _, g := range verb.Groups {
		if g.Name == name {
			return g.Title + ".\n\n" + usages(g.Everywhere(root)) + "\nVerbs with flags of this group:\n" + indent(wrap(strings.Join(verbsWith(root, g), ", "), helpWidth-2))
		}
	}
	for _, s := range methods.All {
		if s.Called(name) {
			return methodHelp(root, s)
		}
	}
	return ""
}

// unknownTopic is the error of a topic that does not exist.
func unknownTopic(root *cobra.Command, topic []string) error {
	last := topic[len(topic)-1]
	verbs, methods := subverbs(root), methodNames()
	known := append(append(append([]string{}, verbs...), methods...), verb.GroupNames()...)
	if near := spelling.Near(last, known); len(near) > 0 {
		return verb.Usagef("there is no help on %q; did you mean %s?", strings.Join(topic, " "), strings.Join(near, " or "))
	}
	return verb.Usagef("there is no help on %q; there are the verbs %s; the methods %s; and the groups of flags %s",
		strings.Join(topic, " "), strings.Join(verbs, ", "), strings.Join(methods, ", "), strings.Join(verb.GroupNames(), ", "))
}

// methodNames returns the names of all methods.
func methodNames() []string {
	var names []string
	for _, s := range methods.All {
		names = append(names, s.Name)
	}
	return names
}

// helpOf returns the help of a command.
func helpOf(cmd *cobra.Command, all bool) string {
	var b strings.Builder
	if cmd.HasParent() {
		b.WriteString(wrap(strings.TrimSuffix(cmd.Short, ".")+".", helpWidth) + "\n")
	}
	if cmd.Long != "" {
		b.WriteString(wrap(cmd.Long, helpWidth) + "\n")
	}
	fmt.Fprintf(&b, "Usage: %s\n", cmd.UseLine())
	if cmd.Example != "" {
		b.WriteString("\nExamples:\n" + examples(cmd.Example, all))
	}
	subcommands(&b, cmd)
	by := verb.FlagsOf(cmd)
	section(&b, "Flags of "+cmd.Name(), by[verb.MethodGroup.Name])
	title := "Flags"
	if len(by[verb.MethodGroup.Name]) > 0 {
		title = "Flags of " + cmd.Parent().Name()
	}
	section(&b, title, by[""])
	if all {
		for _, g := range verb.Groups {
			section(&b, g.Title+" ("+g.Name+")", by[g.Name])
		}
		return b.String()
	}
	b.WriteString("\nShared flags, by group:\n" + groupLines(by))
	fmt.Fprintf(&b, "\n%s help GROUP explains a group; %s --help --all prints every flag.\n", cmd.Root().Name(), cmd.CommandPath())
	if !cmd.HasParent() {
		b.WriteString(cmd.Root().Name() + " help METHOD explains a method: " + wrap(strings.Join(methodNames(), ", "), helpWidth-39))
	}
	return b.String()
}

// methodHelp returns the help of a method over all verbs.
func methodHelp(root *cobra.Command, s *learner.Spec) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s.\n\n%s\n", s.Name, s.Title, wrap(s.Purpose, helpWidth))
	b.WriteString("Examples:\n" + examples(learn.FitExamples(s), true))
	b.WriteString("\nVerbs: " + wrap(strings.Join(verbsOf(root, s), ", "), helpWidth-7))
	section(&b, "Flags of "+s.Name, ownFlags(s))
	b.WriteString("\nEvery other flag belongs to a verb or to a shared group: mercer help fit, mercer help preparation.\n")
	return b.String()
}

// ownFlags returns the flags of the method alone.
func ownFlags(s *learner.Spec) []*pflag.Flag {
	cmd := &cobra.Command{Use: s.Name}
	_, own := flags.For(s)
	own.Register(cmd)
	return verb.FlagsOf(cmd)[verb.MethodGroup.Name]
}

// verbsOf returns the verbs that know a method.
func verbsOf(root *cobra.Command, s *learner.Spec) []string {
	var verbs []string
	verb.Walk(root, func(cmd *cobra.Command) {
		if cmd.HasParent() && cmd.Parent().HasParent() && cmd.Name() == s.Name {
			verbs = append(verbs, strings.TrimPrefix(cmd.Parent().CommandPath(), root.Name()+" "))
		}
	})
	return verbs
}

// verbsWith returns the verbs that have flags of a group, or all, where every verb has.
func verbsWith(root *cobra.Command, g *verb.Group) []string {
	var verbs []string
	for _, top := range root.Commands() {
		has := false
		verb.Walk(top, func(cmd *cobra.Command) {
			cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
				has = has || verb.GroupOf(f) == g.Name && root.PersistentFlags().Lookup(f.Name) == nil
			})
		})
		if has {
			verbs = append(verbs, top.Name())
		}
	}
	root.PersistentFlags().VisitAll(func(f *pflag.Flag) {
		if verb.GroupOf(f) == g.Name {
			verbs = append(verbs, "every verb: --"+f.Name)
		}
	})
	return verbs
}

// subcommands lists what is below a command.
func subcommands(b *strings.Builder, cmd *cobra.Command) {
	wide := 0
	for _, name := range subverbs(cmd) {
		wide = max(wide, len(name))
	}
	group := "none"
	for _, sub := range cmd.Commands() {
		if !sub.IsAvailableCommand() {
			continue
		}
		if sub.GroupID != group {
			title := sub.GroupID
			switch {
			case title == "" && cmd.HasParent():
				title = "Below " + cmd.Name() + ":"
			case title == "":
				title = "Help:"
			}
			fmt.Fprintf(b, "\n%s\n", title)
			group = sub.GroupID
		}
		fmt.Fprintf(b, "  %-*s  %s\n", wide, sub.Name(), sub.Short)
	}
}

// section prints flags under a title, or nothing where there are none.
func section(b *strings.Builder, title string, flags []*pflag.Flag) {
	if len(flags) > 0 {
		fmt.Fprintf(b, "\n%s:\n%s", title, usages(flags))
	}
}

// usages lists flags, in their order.
func usages(flags []*pflag.Flag) string {
	set := pflag.NewFlagSet("", pflag.ContinueOnError)
	set.SortFlags = false
	for _, f := range flags {
		set.AddFlag(f)
	}
	return set.FlagUsagesWrapped(helpWidth)
}

// groupLines names the shared groups of a command with the flags that are used most.
func groupLines(by map[string][]*pflag.Flag) string {
	var b strings.Builder
	for _, g := range verb.Groups {
		if len(by[g.Name]) == 0 {
			continue
		}
		var names []string
		for _, f := range by[g.Name] {
			names = append(names, f.Name)
		}
		names = g.First(names)
		shown := "--" + strings.Join(names[:min(len(g.Often), len(names))], ", --")
		if more := len(names) - len(g.Often); more > 0 {
			shown += fmt.Sprintf(", and %d more", more)
		}
		fmt.Fprintf(&b, "  %-13s  %s\n", g.Name, shown)
	}
	return b.String()
}

// examples returns the first examples, or all of them.
func examples(text string, all bool) string {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	if !all {
		lines = lines[:min(helpExamples, len(lines))]
	}
	return strings.Join(lines, "\n") + "\n"
}

// wrap breaks the paragraphs of a text into lines of at most so many characters; lines that begin
// with a blank stay as they are.
func wrap(text string, width int) string {
	var b strings.Builder
	at := 0 // characters of the open line
	end := func() {
		if at > 0 {
			b.WriteByte('\n')
		}
		at = 0
	}
	for _, line := range strings.Split(text, "\n") {
		if line == "" || strings.HasPrefix(line, " ") {
			end()
			b.WriteString(line + "\n")
			continue
		}
		for _, word := range strings.Fields(line) {
			size := len([]rune(word))
			if at > 0 && at+1+size > width {
				end()
			}
			if at > 0 {
				b.WriteByte(' ')
				at++
			}
			b.WriteString(word)
			at += size
		}
	}
	end()
	return b.String()
}

// indent moves lines to the right.
func indent(text string) string {
	return "  " + strings.ReplaceAll(strings.TrimRight(text, "\n"), "\n", "\n  ") + "\n"
}
