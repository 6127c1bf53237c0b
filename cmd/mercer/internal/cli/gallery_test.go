package cli

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"example.org/mercer/cmd/mercer/internal/gallery"
	"example.org/mercer/cmd/mercer/internal/verb"
)

// TestGalleryCommands parses the commands of the index: a verb or a flag that is not
// there would mislead the reader.
func TestGalleryCommands(t *testing.T) {
	for _, f := range gallery.Figures() {
		for _, command := range f.AllCommands() {
			root := newRoot(&verb.Invocation{Stdin: strings.NewReader(""), Stdout: &bytes.Buffer{}, Stderr: &bytes.Buffer{}})
			args := words(command)
			cmd, rest, err := root.Find(args[1:])
			if err != nil || cmd == root || args[0] != "mercer" {
				t.Errorf("%s: %q: there is no such verb (%v)", f.Name, command, err)
				continue
			}
			cmd.SetContext(context.Background())
			if err := cmd.ParseFlags(rest); err != nil {
				t.Errorf("%s: %q: %v", f.Name, command, err)
				continue
			}
			if err := cmd.Args(cmd, cmd.Flags().Args()); err != nil {
				t.Errorf("%s: %q: %v", f.Name, command, err)
			}
		}
	}
}

// words splits a command as a shell does, without the quotes around a word.
func words(command string) []string {
	var out []string
	for i, part := range strings.Split(command, "'") {
		if i%2 == 1 {
			out = append(out, part)
			continue
		}
		out = append(out, strings.Fields(part)...)
	}
	return out
}
