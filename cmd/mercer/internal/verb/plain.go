package verb

import (
	"fmt"
	"io"
	"strings"
	"unicode"
)

// Plain writes the characters of a text that a terminal would obey, such as escape sequences and
// marks that turn the direction of writing, as one writes them in a program: \x1b. Line ends and
// tabs stay. All text that people read goes through it, because names of columns, labels and files
// come from files that anybody may have written.
func Plain(text string) string {
	if strings.IndexFunc(text, obeyed) < 0 {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		switch {
		case !obeyed(r):
			b.WriteRune(r)
		case r < 0x100:
			fmt.Fprintf(&b, `\x%02x`, r)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}

// obeyed reports whether a terminal would do something else than to show a character.
func obeyed(r rune) bool {
	return r != '\n' && r != '\t' && (unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r))
}

// sheet collects plain text, and colours by [Tint].
type sheet struct{ b strings.Builder }

func (s *sheet) Write(p []byte) (int, error) {
	s.b.WriteString(Plain(string(p)))
	return len(p), nil
}

// Tint writes a text on a background of the palette of 256 colours.
func Tint(w io.Writer, text string, background int) {
	if s, ok := w.(*sheet); ok {
		w = &s.b
	}
	fmt.Fprintf(w, "\x1b[30;48;5;%dm%s\x1b[0m", background, Plain(text))
}
