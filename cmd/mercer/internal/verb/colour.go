package verb

import (
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"
)

// The colours of words that people look for, as a terminal is told them (ECMA-48, SGR).
const (
	bold   = "1"
	red    = "1;31" // errors
	yellow = "1;33" // warnings
	cyan   = "36"   // notes
)

// terminal is a writer that knows whether it is one: files ask the system.
type terminal interface{ IsTerminal() bool }

// isTerminal reports whether somebody looks at what is written.
func isTerminal(w io.Writer) bool {
	switch w := w.(type) {
	case *os.File:
		return term.IsTerminal(int(w.Fd()))
	case terminal:
		return w.IsTerminal()
	}
	return false
}

// colours reports whether a stream is a terminal that may have colours (https://no-color.org), and
// no program reads what is printed.
func (inv *Invocation) colours(w io.Writer) bool {
	return !inv.JSON && !inv.NoColour && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" && isTerminal(w)
}

// Coloured reports whether standard output may have colours.
func (inv *Invocation) Coloured() bool { return inv.colours(inv.Stdout) }

// painted gives a text a colour.
func painted(colour, text string) string { return "\x1b[" + colour + "m" + text + "\x1b[0m" }

// marked returns a line for standard error, with the word that says what it is in its colour.
func (inv *Invocation) marked(line string) string {
	if !inv.colours(inv.Stderr) {
		return line
	}
	for _, m := range []struct{ mark, colour string }{{inv.Program() + ":", red}, {"warning:", yellow}, {"note:", cyan}} {
		if rest, ok := strings.CutPrefix(line, m.mark); ok {
			return painted(m.colour, m.mark) + rest
		}
	}
	return line
}

// Complain writes an error to standard error.
func (inv *Invocation) Complain(message string) {
	fmt.Fprintln(inv.Stderr, inv.marked(inv.Program()+": "+Plain(message)))
}

// Headed returns a help with its headings in bold where standard output may have colours: what
// stands before the colon of a line that begins a part.
func (inv *Invocation) Headed(text string) string {
	if !inv.Coloured() {
		return text
	}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if rest, ok := strings.CutPrefix(line, "Usage:"); ok {
			lines[i] = painted(bold, "Usage:") + rest
		} else if i > 0 && lines[i-1] == "" && strings.HasSuffix(line, ":") {
			lines[i] = painted(bold, line)
		}
	}
	return strings.Join(lines, "\n")
}
