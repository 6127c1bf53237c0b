package learn

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"example.org/mercer/cmd/mercer/internal/flags"
	"example.org/mercer/cmd/mercer/internal/verb"
	"example.org/mercer/internal/spelling"
	"example.org/mercer/learner"
)

// methodChoice finds the method of a command line that names none, or names several at once, as svm
// does: by what the table has to predict.
type methodChoice struct {
	inv   *verb.Invocation
	verb  *cobra.Command
	known []*learner.Spec // of the verb
}

// aliases returns the names of a method that no other method of the verb has, too.
func (c *methodChoice) aliases(s *learner.Spec) []string {
	var own []string
	for _, name := range s.Synonyms {
		if len(c.called(name)) == 1 {
			own = append(own, name)
		}
	}
	return own
}

// called returns the methods that have a synonym.
func (c *methodChoice) called(name string) []*learner.Spec {
	return slices.DeleteFunc(slices.Clone(c.known), func(s *learner.Spec) bool { return !slices.Contains(s.Synonyms, name) })
}

// run puts the method into the command line, which is run in place of this one.
func (c *methodChoice) run() error {
	line, words, err := c.read()
	if err != nil {
		return err
	}
	depth := strings.Count(c.verb.CommandPath(), " ")
	var named string // a synonym of several methods
	switch words = words[depth:]; len(words) {
	case 1:
		err = c.table(words[0])
	case 2:
		named, err = words[0], c.method(words[0], words[1])
	default:
		err = verb.Usagef("expected a method and a table, such as: %s train.csv (got %d arguments)", c.known[0].Name, len(words))
	}
	if err != nil {
		return err
	}
	method, why, err := c.decide(line, named, words[len(words)-1])
	if err != nil {
		return err
	}
	c.inv.Note("note: method %s, %s%s; name another one to choose it: mercer help %s", method.Name, method.Title, why, c.verb.Name())
	c.inv.Next = c.with(method.Name, named)
	return nil
}

// read reads the flags, those of all methods, and returns the words between them.
func (c *methodChoice) read() (*flags.Problem, []string, error) {
	line, all := &flags.Problem{Prep: flags.Preparation{}}, &cobra.Command{}
	line.Register(all)
	line.Passes.Register(all)
	for _, cmd := range c.verb.Commands() {
		cmd.InheritedFlags() // joins them to its own
		all.Flags().AddFlagSet(cmd.Flags())
	}
	if err := all.Flags().Parse(c.inv.Args); err != nil {
		return nil, nil, c.verb.FlagErrorFunc()(all, err)
	}
	return line, all.Flags().Args(), cmp.Or(verb.Swallowed(all.Flags()), c.inv.Configure(all.Flags()))
}

// table refuses a word that was meant as a method.
func (c *methodChoice) table(word string) error {
	if len(c.called(word)) > 0 {
		return verb.Usagef("expected a method and a table, such as: %s train.csv (got 1 argument)", word)
	}
	if _, err := os.Stat(word); err != nil && len(spelling.Near(word, c.names())) > 0 {
		return c.unknown(word)
	}
	return nil
}

// method refuses a word that is no synonym of methods.
func (c *methodChoice) method(word, table string) error {
	if c.is(table) && !c.is(word) {
		return verb.Usagef("the method comes before the table: %s %s %s", c.verb.CommandPath(), table, word)
	}
	if len(c.called(word)) == 0 {
		return c.unknown(word)
	}
	return nil
}

// is reports whether a word names a method.
func (c *methodChoice) is(word string) bool { return slices.Contains(c.names(), word) }

// names returns all names of methods.
func (c *methodChoice) names() []string {
	var names []string
	for _, s := range c.known {
		names = append(names, s.Name)
	}
	for _, s := range c.known {
		for _, other := range s.Synonyms {
			if !slices.Contains(names, other) {
				names = append(names, other)
			}
		}
	}
	return names
}

// unknown is the error of a method that there is not.
func (c *methodChoice) unknown(word string) error {
	if near := spelling.Near(word, c.names()); len(near) > 0 {
		return verb.Usagef("method %q is not known; did you mean %s?", word, strings.Join(near, " or "))
	}
	var names []string
	for _, s := range c.known {
		names = append(names, fmt.Sprintf("%s (%s)", s.Name, s.Title))
	}
	return verb.Usagef("method %q is not known; there are %s", word, strings.Join(names, ", "))
}

// decide returns the method for what the table has to predict, and why.
func (c *methodChoice) decide(line *flags.Problem, named, table string) (*learner.Spec, string, error) {
	by := map[learner.Target]*learner.Spec{}
	for _, s := range c.known {
		switch {
		case named == "" && s.Default != 0:
			by[s.Default] = s
		case named != "" && slices.Contains(s.Synonyms, named):
			by[s.Target] = s
		}
	}
	if by[learner.LabelTarget] == nil || by[learner.NumericTarget] == nil {
		return by[learner.AsideTarget], "", nil
	}
	labels, why, err := line.TargetKind(c.verb.Context(), c.inv, table)
	if labels {
		return by[learner.LabelTarget], ": " + why, err
	}
	return by[learner.NumericTarget], ": " + why, err
}

// with returns the command line with the method before the table, in place of a synonym.
func (c *methodChoice) with(method, named string) []string {
	args := slices.Clone(c.inv.Args)
	at := 0
	for _, word := range strings.Fields(c.verb.CommandPath())[1:] {
		called := func(arg string) bool { return arg == word || word == c.verb.Name() && c.verb.HasAlias(arg) }
		at += slices.IndexFunc(args[at:], called) + 1
	}
	if named != "" {
		at += slices.Index(args[at:], named)
		args = slices.Delete(args, at, at+1)
	}
	return slices.Insert(args, at, method)
}
