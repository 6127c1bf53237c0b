package verb

import (
	"bytes"
	"testing"
)

// screen is a writer that says that it is a terminal.
type screen struct{ bytes.Buffer }

func (*screen) IsTerminal() bool { return true }

// TestColours: notes, warnings and errors have colours on a terminal alone, and nowhere else where
// somebody asks for none.
func TestColours(t *testing.T) {
	const text, coloured = "note: a\nwarning: b\nplain: c\nmercer: d\n", "\x1b[36mnote:\x1b[0m a\n\x1b[1;33mwarning:\x1b[0m b\nplain: c\n\x1b[1;31mmercer:\x1b[0m d\n"
	for _, c := range []struct {
		name, noColor, term string
		noFlag, json        bool
		want                string
	}{
		{name: "a terminal", term: "xterm", want: coloured},
		{name: "NO_COLOR", noColor: "1", term: "xterm", want: text},
		{name: "a dumb terminal", term: "dumb", want: text},
		{name: "--no-color", term: "xterm", noFlag: true, want: text},
		{name: "--json", term: "xterm", json: true, want: text},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Setenv("NO_COLOR", c.noColor)
			t.Setenv("TERM", c.term)
			var to screen
			inv := &Invocation{Stderr: &to, NoColour: c.noFlag, JSON: c.json}
			inv.Note("note: a")
			inv.Note("warning: b")
			inv.Note("plain: c")
			inv.Complain("d")
			if to.String() != c.want {
				t.Errorf("%q, want %q", to.String(), c.want)
			}
		})
	}
}

// TestNoColoursInFiles: a stream that is no terminal gets none, and no text can make its own.
func TestNoColoursInFiles(t *testing.T) {
	t.Setenv("TERM", "xterm")
	t.Setenv("NO_COLOR", "")
	var file bytes.Buffer
	inv := &Invocation{Stderr: &file, Stdout: &file}
	inv.Note("note: \x1b[31ma")
	if got := file.String(); got != "note: \\x1b[31ma\n" {
		t.Errorf("%q", got)
	}
	if got := inv.Headed("\nFlags:\n"); got != "\nFlags:\n" {
		t.Errorf("%q", got)
	}
}

// TestHeadings: headings of a help are bold, and sentences are not.
func TestHeadings(t *testing.T) {
	t.Setenv("TERM", "xterm")
	t.Setenv("NO_COLOR", "")
	inv := &Invocation{Stdout: &screen{}}
	const text, want = "as follows:\nUsage: mercer x\n\nFlags of x:\n  a:\n", "as follows:\n\x1b[1mUsage:\x1b[0m mercer x\n\n\x1b[1mFlags of x:\x1b[0m\n  a:\n"
	if got := inv.Headed(text); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
