package cli

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"example.org/mercer/cmd/mercer/internal/learn"
	"example.org/mercer/cmd/mercer/internal/verb"
	"example.org/mercer/learner/methods"
)

var update = flag.Bool("update", false, "rewrite the documents and scripts that the tests compare with")

// referenceDir is where the reference stands.
const referenceDir = "../../../../docs/reference"

// mostReference is the most that the reference may take, in bytes.
const mostReference = 150_000

// generated is the first line of every page that is written here.
const generated = "<!-- Written from the help of the command: go test ./cmd/mercer/internal/cli -run TestDocs -update -->\n"

// TestDocs keeps docs/reference equal to the help of the command: a page for every verb, one for
// the methods and one for the flags that verbs share.
func TestDocs(t *testing.T) {
	pages := reference(newRoot(&verb.Invocation{}))
	if *update {
		for name, text := range pages {
			if err := os.WriteFile(filepath.Join(referenceDir, name), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	files, err := filepath.Glob(filepath.Join(referenceDir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	size := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		size += len(text)
		want, ok := pages[filepath.Base(file)]
		switch {
		case !ok && strings.HasPrefix(string(text), generated):
			t.Errorf("%s is a page of a verb that there is no more: remove it", file)
		case ok && string(text) != want:
			t.Errorf("%s is not current: run go test ./cmd/mercer/internal/cli -run TestDocs -update", file)
		}
		delete(pages, filepath.Base(file))
	}
	for _, name := range slices.Sorted(maps.Keys(pages)) {
		t.Errorf("%s/%s is missing: run go test ./cmd/mercer/internal/cli -run TestDocs -update", referenceDir, name)
	}
	if size > mostReference {
		t.Errorf("docs/reference has %d bytes, more than %d", size, mostReference)
	}
}

// reference returns the pages of the reference by file name.
func reference(root *cobra.Command) map[string]string {
	pages := map[string]string{}
	index := &strings.Builder{}
	index.WriteString(generated + "# The command\n\n" + wrap(root.Long, helpWidth) + "\n")
	index.WriteString("Exit codes: 0 the work is done, 1 the work failed, 2 the command line is wrong, 130 interrupted, 143 ended by SIGTERM.\n\n" +
		"- [Methods](methods.md): what each minimises, its examples and its flags.\n- [Shared flags](flags.md): table, preparation, approximation, limits, output and others.\n")
	group := ""
	for _, verb := range root.Commands() {
		if !verb.IsAvailableCommand() || verb.GroupID == "" {
			continue
		}
		if verb.GroupID != group {
			group = verb.GroupID
			fmt.Fprintf(index, "\n## %s\n\n| verb | what it does |\n|---|---|\n", strings.TrimSuffix(group, ":"))
		}
		fmt.Fprintf(index, "| [%s](%[1]s.md) | %s |\n", verb.Name(), verb.Short)
		pages[verb.Name()+".md"] = generated + verbPage(verb, "#")
	}
	pages["README.md"] = index.String()
	pages["methods.md"] = generated + methodsPage(root)
	pages["flags.md"] = generated + groupsPage(root)
	return pages
}

// verbPage writes the page of a verb, or its part about a verb below it.
func verbPage(cmd *cobra.Command, heading string) string {
	b := &strings.Builder{}
	fmt.Fprintf(b, "%s %s\n\n%s.\n\n%s", heading, cmd.CommandPath(), strings.TrimSuffix(cmd.Short, "."), wrap(cmd.Long, helpWidth))
	fmt.Fprintf(b, "\n    %s\n\n```\n%s```\n", cmd.UseLine(), examples(cmd.Example, true))
	by := verb.FlagsOf(cmd)
	if len(by[""]) > 0 {
		fmt.Fprintf(b, "\n```\n%s```\n", usages(by[""]))
	}
	var methods []*cobra.Command
	for _, sub := range cmd.Commands() {
		switch {
		case !sub.IsAvailableCommand():
		case slices.Contains(methodNames(), sub.Name()):
			methods = append(methods, sub)
			for name, flags := range verb.FlagsOf(sub) {
				by[name] = append(by[name], flags...)
			}
		}
	}
	b.WriteString(methodParts(methods))
	b.WriteString("\nShared flags: " + strings.Join(groupLinks(by), ", ") + ".\n")
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() && !slices.Contains(methodNames(), sub.Name()) {
			b.WriteString("\n" + verbPage(sub, heading+"#"))
		}
	}
	return b.String()
}

// methodParts names the methods of a verb, and lists the flags that the verb has with some of them.
func methodParts(methods []*cobra.Command) string {
	b := &strings.Builder{}
	var links, kinds []string
	with := map[string][]*cobra.Command{}
	for _, cmd := range methods {
		links = append(links, fmt.Sprintf("[%s](methods.md#%[1]s)", cmd.Name()))
		flags := usages(verb.FlagsOf(cmd)[""])
		if with[flags] == nil {
			kinds = append(kinds, flags)
		}
		with[flags] = append(with[flags], cmd)
	}
	if len(links) > 0 {
		fmt.Fprintf(b, "\nMethods: %s.\n", strings.Join(links, ", "))
	}
	for _, flags := range kinds {
		if flags == "" {
			continue
		}
		var names []string
		for _, cmd := range with[flags] {
			names = append(names, cmd.Name())
		}
		fmt.Fprintf(b, "\n%s %s:\n", with[flags][0].Parent().CommandPath(), strings.Join(names, ", "))
		if len(names) == 1 {
			fmt.Fprintf(b, "\n%s\n```\n%s```\n", wrap(with[flags][0].Long, helpWidth), examples(with[flags][0].Example, true))
		}
		fmt.Fprintf(b, "\n```\n%s```\n", flags)
	}
	return b.String()
}

// groupLinks names the shared groups of flags.
func groupLinks(by map[string][]*pflag.Flag) []string {
	var links []string
	for _, g := range verb.Groups {
		if len(by[g.Name]) > 0 {
			links = append(links, fmt.Sprintf("[%s](flags.md#%[1]s)", g.Name))
		}
	}
	return links
}

// methodsPage writes the page of all methods.
func methodsPage(root *cobra.Command) string {
	b := &strings.Builder{}
	b.WriteString("# Methods\n\nWhat each minimises, the verbs that know it, and the flags that are its own.\n")
	for _, l := range methods.All {
		fmt.Fprintf(b, "\n## %s\n\n%s: %s\nVerbs: %s.\n\n```\n%s```\n", l.Name, strings.ToUpper(l.Title[:1])+l.Title[1:]+".", "\n\n"+wrap(l.Purpose, helpWidth), strings.Join(verbsOf(root, l), ", "), examples(learn.FitExamples(l), true))
		if flags := ownFlags(l); len(flags) > 0 {
			fmt.Fprintf(b, "\n```\n%s```\n", usages(flags))
		}
	}
	return b.String()
}

// groupsPage writes the page of the shared flags.
func groupsPage(root *cobra.Command) string {
	b := &strings.Builder{}
	b.WriteString("# Shared flags\n\nVerbs share these groups of flags. `mercer help GROUP` prints one of them.\n")
	for _, g := range verb.Groups {
		fmt.Fprintf(b, "\n## %s\n\n%s.\n\n```\n%s```\n\nVerbs: %s.\n", g.Name, g.Title, usages(g.Everywhere(root)), strings.Join(verbsWith(root, g), ", "))
	}
	return b.String()
}
