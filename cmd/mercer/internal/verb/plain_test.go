package verb

import (
	"io"
	"strings"
	"testing"
)

func TestPlain(t *testing.T) {
	for in, want := range map[string]string{
		"price, größe, λ²\n\tx":    "price, größe, λ²\n\tx",
		"\x1b]0;owned\x07red":      `\x1b]0;owned\x07red`,
		"\u009b31m":                `\x9b31m`,
		"a\rb\x00\x7f":             `a\x0db\x00\x7f`,
		"user\u202etxt.exe\u2066x": `user\u202etxt.exe\u2066x`,
	} {
		if got := Plain(in); got != want {
			t.Errorf("Plain(%q) = %q, want %q", in, got, want)
		}
	}
}

// named is a result with a name from a file.
type named string

func (n named) Text(w io.Writer) {
	Columns(w, [][]string{{"name", string(n)}})
	Tint(w, string(n), 208)
}

// TestNamesAreNotObeyed: what a file names reaches a terminal as text, and colours of the
// command as
// colours.
func TestNamesAreNotObeyed(t *testing.T) {
	var out, said strings.Builder
	inv := &Invocation{Stdout: &out, Stderr: &said, Verbose: true}
	if err := inv.Emit(named("a\x1b[2Jb")); err != nil {
		t.Fatal(err)
	}
	inv.Note("note: column %s", "a\x1b[2Jb")
	inv.Detail("detail: column %s", "a\x1b[2Jb")
	if want := "name  a\\x1b[2Jb\n\x1b[30;48;5;208ma\\x1b[2Jb\x1b[0m"; out.String() != want {
		t.Errorf("printed %q, want %q", out.String(), want)
	}
	if strings.Contains(said.String(), "\x1b") {
		t.Errorf("said %q", said.String())
	}
}

// TestQuietReport: --quiet leaves out the report of what is in a file, and nothing that was asked
// for.
func TestQuietReport(t *testing.T) {
	for _, c := range []struct {
		quiet, json bool
		want        string
	}{{false, false, "name"}, {true, false, ""}, {true, true, `"a"`}} {
		var out, said strings.Builder
		inv := &Invocation{Stdout: &out, Stderr: &said, Quiet: c.quiet, JSON: c.json}
		if err := inv.EmitReport(named("a")); err != nil {
			t.Fatal(err)
		}
		if got := out.String(); !strings.Contains(got, c.want) || c.want == "" && got != "" {
			t.Errorf("quiet %v, JSON %v: %q", c.quiet, c.json, got)
		}
	}
}
