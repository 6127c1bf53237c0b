package verb

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"example.org/mercer/model"
)

// Result is a result that can be read by people; every result can also be encoded as
// JSON.
type Result interface {
	Text(w io.Writer)
}

// Emit prints the result of a verb on standard output, or on standard error where a file has been
// written to standard output.
func (inv *Invocation) Emit(result Result) error {
	if inv.JSON {
		inv.emitted = true
		enc := json.NewEncoder(inv.Stdout)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "  ")
		return enc.Encode(result)
	}
	var s sheet
	result.Text(&s)
	to := inv.Stdout
	if inv.streamed {
		to = inv.Stderr
	}
	_, err := io.WriteString(to, s.b.String())
	return err
}

// Prints states the types of the documents that a verb, or one below it, prints with --json: its
// schema in docs/schemas is made of them.
func (inv *Invocation) Prints(cmd *cobra.Command, documents ...any) *cobra.Command {
	if inv.documents == nil {
		inv.documents = map[*cobra.Command][]any{}
	}
	inv.documents[cmd] = documents
	return cmd
}

// Documents returns what [Invocation.Prints] was told of a verb; nil: nothing.
func (inv *Invocation) Documents(cmd *cobra.Command) []any { return inv.documents[cmd] }

// EmitFailure prints an error as JSON, where that is asked for and no result has been: standard
// output has one document.
func (inv *Invocation) EmitFailure(message string, code int) {
	if inv.JSON && !inv.emitted && !inv.streamed {
		_ = json.NewEncoder(inv.Stdout).Encode(Failure{message, code})
	}
}

// Failure is what stands in place of the result of a verb that fails.
type Failure struct {
	Error string `json:"error"`
	Exit  int    `json:"exit"`
}

// EmitReport prints the report of work whose result is in a file. That is what was asked for: with
// --quiet there is no report, unless it was asked for by --json.
func (inv *Invocation) EmitReport(result Result) error {
	if inv.Quiet && !inv.JSON {
		return nil
	}
	return inv.Emit(result)
}

// Note tells the user something on standard error, once, unless --quiet.
func (inv *Invocation) Note(format string, args ...any) {
	line := Plain(fmt.Sprintf(format, args...))
	if inv.Quiet || slices.Contains(inv.noted, line) {
		return
	}
	inv.noted = append(inv.noted, line)
	inv.line(line)
}

// Detail tells more on standard error, with --verbose.
func (inv *Invocation) Detail(format string, args ...any) {
	if inv.Verbose {
		inv.line(Plain(fmt.Sprintf(format, args...)))
	}
}

// line writes a line to standard error, where the bar stands aside for it.
func (inv *Invocation) line(text string) {
	if inv.bar != nil {
		inv.bar.aside()
	}
	fmt.Fprintln(inv.Stderr, inv.marked(text))
}

// Columns writes aligned columns.
func Columns(w io.Writer, lines [][]string) {
	tw := tabwriter.NewWriter(w, 0, 4, 2, ' ', 0)
	for _, line := range lines {
		fmt.Fprintln(tw, strings.TrimRight(strings.Join(line, "\t"), "\t "))
	}
	_ = tw.Flush()
}

// Num prints a number for people: six significant digits.
func Num(x float64) string { return model.FormatNumber(x) }

// Number is a float64 that JSON can hold: NaN and infinities become null.
type Number float64

// MarshalJSON encodes the number, or null where JSON has no such number.
func (x Number) MarshalJSON() ([]byte, error) {
	if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
		return []byte("null"), nil
	}
	return json.Marshal(float64(x))
}

// Notes tells what preparation or a method has to say: all of it with --verbose, the
// first few otherwise.
func (inv *Invocation) Notes(notes []string) {
	const shown = 5
	for i, n := range notes {
		if i == shown && !inv.Verbose {
			inv.Note("… and %d more notes (--verbose shows them)", len(notes)-shown)
			return
		}
		inv.Note("note: %s", strings.TrimSpace(n))
	}
}
