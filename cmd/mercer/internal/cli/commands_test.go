package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"example.org/mercer/cmd/mercer/internal/verb"
)

// root is the folder of the module, seen from this package.
const root = "../../../.."

// TestCommandsOfDocuments parses every command of every document: its verb, its method and its
// flags must exist. Tutorials are run besides ([TestTutorials]).
func TestCommandsOfDocuments(t *testing.T) {
	verbs, count := newRoot(&verb.Invocation{}), 0
	for _, pattern := range []string{"*.md", "docs/*.md", "docs/*/*.md", "bench/*.md"} {
		files, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			if filepath.Base(file) == "CHANGELOG.md" || strings.Contains(file, "/docs/reference/") {
				continue // of its time; generated
			}
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, line := range commandLines(string(text)) {
				count++
				if parses(verbs, line) == nil {
					continue
				}
				verbs = newRoot(&verb.Invocation{}) // whose flags no other command has set
				if err := parses(verbs, line); err != nil {
					t.Errorf("%s: mercer %s\n\t%v", file, line, err)
				}
			}
		}
	}
	if count < 100 {
		t.Errorf("the documents have %d commands; at least 100 were found before: are they still read?", count)
	}
}

// commandLines returns the commands of a document, without "mercer": lines of code that begin with
// it, or have it behind a pipe, with their continuations.
func commandLines(text string) []string {
	var out []string
	fenced := false
	lines := strings.Split(text, "\n")
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			fenced = !fenced
			continue
		}
		if !fenced && !strings.HasPrefix(line, "    ") {
			continue
		}
		line = strings.TrimSpace(line)
		for strings.HasSuffix(line, `\`) && i+1 < len(lines) {
			i++
			line = strings.TrimSuffix(line, `\`) + " " + strings.TrimSpace(lines[i])
		}
		if _, after, ok := strings.Cut(line, "| mercer "); ok {
			line = "mercer " + after
		}
		line = strings.TrimPrefix(line, "$ ")
		if command, ok := strings.CutPrefix(line, "mercer "); ok && !strings.Contains(command, "…") {
			out = append(out, command)
		}
	}
	return out
}

// parses reads a command as [Main] does, without running it.
func parses(verbs *cobra.Command, line string) error {
	cmd, rest, err := verbs.Find(shellWords(line))
	if err != nil {
		return err
	}
	if err := cmd.ParseFlags(rest); err != nil && !errors.Is(err, pflag.ErrHelp) {
		return err
	}
	if cmd.FParseErrWhitelist.UnknownFlags && len(rest) > 0 { // no method: one of them takes the flags
		for _, sub := range cmd.Commands() {
			if err = sub.ParseFlags(rest); err == nil && sub.Flags().NArg() == 1 {
				return nil
			}
		}
		return fmt.Errorf("no method of %s takes this line: %w", cmd.CommandPath(), err)
	}
	if args := cmd.Flags().Args(); cmd.Args != nil && len(args) > 0 {
		return cmd.Args(cmd, args)
	}
	return nil
}

// shellWords splits a line as a shell does, up to a comment, a pipe or a file that it writes to.
func shellWords(line string) []string {
	var words []string
	var word strings.Builder
	quote, open := rune(0), false
	end := func() {
		if open {
			words = append(words, word.String())
		}
		word.Reset()
		open = false
	}
	for _, r := range line {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(r)
		case r == '\'' || r == '"':
			quote, open = r, true
		case r == ' ' || r == '\t':
			end()
		case !open && (r == '#' || r == '|' || r == '>' || r == '&' || r == ';'):
			return words
		default:
			open = true
			word.WriteRune(r)
		}
	}
	end()
	if at := slices.Index(words, "<"); at >= 0 {
		words = words[:at]
	}
	return words
}
