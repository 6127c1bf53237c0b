package cli

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

var update = flag.Bool("update", false, "rewrite the documents and scripts that the tests compare with")

// TestDocs keeps docs/cli.md equal to the help of the command.
func TestDocs(t *testing.T) {
	const file = "../../../../docs/cli.md"
	var b strings.Builder
	b.WriteString("# The command\n\nWritten from the command's own help; `go test ./cmd/mercer/internal/cli -run TestDocs -update` renews it.\n")
	document(&b, newRoot(&invocation{}))
	want := b.String()
	if *update {
		if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("%s is not current: run go test ./cmd/mercer/internal/cli -run TestDocs -update", file)
	}
}

func document(b *strings.Builder, cmd *cobra.Command) {
	fmt.Fprintf(b, "\n## %s\n\n%s\n", cmd.CommandPath(), cmd.Short)
	if cmd.Long != "" {
		fmt.Fprintf(b, "\n%s\n", cmd.Long)
	}
	if cmd.Runnable() {
		fmt.Fprintf(b, "\n    %s\n", cmd.UseLine())
	}
	if cmd.Example != "" {
		fmt.Fprintf(b, "\nExamples:\n\n```\n%s\n```\n", cmd.Example)
	}
	flags := cmd.NonInheritedFlags()
	if flags.HasAvailableFlags() {
		fmt.Fprintf(b, "\n```\n%s```\n", flags.FlagUsages())
	}
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() {
			document(b, sub)
		}
	}
}

// TestEveryVerbHasExamples: a user reads the examples first.
func TestEveryVerbHasExamples(t *testing.T) {
	var walk func(cmd *cobra.Command)
	walk = func(cmd *cobra.Command) {
		if cmd.Runnable() && cmd.HasParent() && cmd.Example == "" {
			t.Errorf("%s has no example", cmd.CommandPath())
		}
		if cmd.Short == "" {
			t.Errorf("%s has no short description", cmd.CommandPath())
		}
		for _, sub := range cmd.Commands() {
			walk(sub)
		}
	}
	walk(newRoot(&invocation{}))
}
