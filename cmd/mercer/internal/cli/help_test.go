package cli

import (
	"bytes"
	"context"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"example.org/mercer/cmd/mercer/internal/verb"
	"example.org/mercer/learner/methods"
)

// TestEveryVerbHasExamples: a user reads the examples first.
func TestEveryVerbHasExamples(t *testing.T) {
	verb.Walk(newRoot(&verb.Invocation{}), func(cmd *cobra.Command) {
		if cmd.Runnable() && cmd.HasParent() && cmd.Example == "" {
			t.Errorf("%s has no example", cmd.CommandPath())
		}
		if cmd.Short == "" {
			t.Errorf("%s has no short description", cmd.CommandPath())
		}
	})
}

// TestEveryMethodHasTwoExamples: the help of a method shows two.
func TestEveryMethodHasTwoExamples(t *testing.T) {
	for _, l := range methods.All {
		if len(l.Examples) < helpExamples {
			t.Errorf("%s has %d examples; its help shows %d", l.Name, len(l.Examples), helpExamples)
		}
	}
}

// TestFlagsAreDescribedOnce: a flag is in one group at most, and says the same on every verb; so do
// the flags of a method.
func TestFlagsAreDescribedOnce(t *testing.T) {
	groups := map[string]string{} // flag to group
	says := map[string]string{}   // flag of a group or a method to its description
	known := append(verb.GroupNames(), verb.MethodGroup.Name, "")
	root := newRoot(&verb.Invocation{})
	verb.Walk(root, func(cmd *cobra.Command) {
		for group, flags := range verb.FlagsOf(cmd) {
			if !slices.Contains(known, group) {
				t.Errorf("%s has flags of the group %q, which does not exist", cmd.CommandPath(), group)
			}
			for _, f := range flags {
				key := group + " " + f.Name
				switch group {
				case "":
					continue
				case verb.MethodGroup.Name:
					key = cmd.Name() + " " + f.Name
					if cmd.Parent().Name() == "path" && f.Name == "holdout" {
						continue // there it scores every λ instead of ending the iteration
					}
				default:
					if other := groups[f.Name]; other != "" && other != group {
						t.Errorf("--%s of %s is in the group %s, elsewhere in %s", f.Name, cmd.CommandPath(), group, other)
					}
					groups[f.Name] = group
				}
				if other, ok := says[key]; ok && other != f.Usage {
					t.Errorf("--%s of %s is described as %q, elsewhere as %q", f.Name, cmd.CommandPath(), f.Usage, other)
				}
				says[key] = f.Usage
			}
		}
	})
	for _, g := range verb.Groups {
		for _, name := range g.Often {
			if name != "" && groups[name] != g.Name {
				t.Errorf("the group %s has no flag --%s, which it names as used most", g.Name, name)
			}
		}
	}
}

// TestNamesOfTopics: verbs, methods and groups have different names, so that help knows what is
// meant.
func TestNamesOfTopics(t *testing.T) {
	seen := map[string]bool{}
	for _, name := range slices.Concat(subverbs(newRoot(&verb.Invocation{})), methodNames(), verb.GroupNames()) {
		if seen[name] {
			t.Errorf("%s names two topics of the help", name)
		}
		seen[name] = true
	}
}

// TestHelpOfEveryMethod: every verb with every method has the own flags in full and the shared ones
// by name, and with --all all in full.
func TestHelpOfEveryMethod(t *testing.T) {
	line := regexp.MustCompile(`(?m)^(      |  -\w, )--[\w-]+`)
	verb.Walk(newRoot(&verb.Invocation{}), func(cmd *cobra.Command) {
		by, own, every := verb.FlagsOf(cmd), 0, 0
		for group, flags := range by {
			every += len(flags)
			if group == "" || group == verb.MethodGroup.Name {
				own += len(flags)
			}
		}
		if !cmd.HasParent() {
			own = 0
		}
		short, long := helpOf(cmd, false), helpOf(cmd, true)
		if n := len(line.FindAllString(short, -1)); n != own {
			t.Errorf("the help of %s prints %d flags, want %d of its own:\n%s", cmd.CommandPath(), n, own, short)
		}
		if n := len(line.FindAllString(long, -1)); n != every {
			t.Errorf("the help of %s with --all prints %d flags, want all %d", cmd.CommandPath(), n, every)
		}
		for _, g := range verb.Groups {
			if has := strings.Contains(short, "\n  "+g.Name+" "); has != (len(by[g.Name]) > 0) && cmd.HasParent() {
				t.Errorf("the help of %s names the group %s: %v, want %v", cmd.CommandPath(), g.Name, has, !has)
			}
		}
	})
}

// printed returns what a command prints that must succeed.
func printed(t *testing.T, args ...string) string {
	t.Helper()
	var out, complaint bytes.Buffer
	if code := Main(context.Background(), args, strings.NewReader(""), &out, &complaint); code != exitOK {
		t.Fatalf("mercer %v exits with %d: %s", args, code, complaint.String())
	}
	return out.String()
}

func TestHelpTopics(t *testing.T) {
	for _, c := range []struct {
		args string
		want string
	}{
		{"help table", "--delimiter"},
		{"help approximation", "--random-features"},
		{"help krr", "Verbs: plan, plan tune, path, tune, fit, cv\n"},
		{"krr --help", "Flags of krr:"},
		{"help fit krr", "Usage: mercer fit krr"},
		{"fit t.csv --help", "Usage: mercer fit"},
		{"help", "Use a model:"},
		{"path t.csv --help", "Usage: mercer path"},
		{"plan tune svc --help --all", "How the table is read (table):"},
	} {
		if got := printed(t, strings.Fields(c.args)...); !strings.Contains(got, c.want) {
			t.Errorf("mercer %s prints %q, which is without %q", c.args, got, c.want)
		}
	}
	for _, c := range []struct{ args, want string }{
		{"help tabel", "did you mean table?"},
		{"help fti", "did you mean fit?"},
		{"help nothing-like-it", "the groups of flags table, preparation"},
		{"help fit nothing", `there is no help on "fit nothing"`},
		{"krr data.csv", "krr is a method"},
	} {
		var out, complaint bytes.Buffer
		if code := Main(context.Background(), strings.Fields(c.args), strings.NewReader(""), &out, &complaint); code != exitUsage || !strings.Contains(complaint.String(), c.want) {
			t.Errorf("mercer %s exits with %d and says %q, want 2 and %q", c.args, code, complaint.String(), c.want)
		}
	}
}
