package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"text/tabwriter"

	"example.org/mercer/model"
)

// texter is a result that can be read by people; every result can also be encoded as
// JSON.
type texter interface {
	text(w io.Writer)
}

// emit prints the result of a verb on standard output.
func (inv *invocation) emit(result texter) error {
	if inv.json {
		enc := json.NewEncoder(inv.stdout)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "  ")
		return enc.Encode(result)
	}
	var b strings.Builder
	result.text(&b)
	_, err := io.WriteString(inv.stdout, b.String())
	return err
}

// note tells the user something on standard error, once, unless --quiet.
func (inv *invocation) note(format string, args ...any) {
	line := fmt.Sprintf(format, args...)
	if inv.quiet || slices.Contains(inv.noted, line) {
		return
	}
	inv.noted = append(inv.noted, line)
	fmt.Fprintln(inv.stderr, line)
}

// detail tells more on standard error, with --verbose.
func (inv *invocation) detail(format string, args ...any) {
	if inv.verbose {
		fmt.Fprintf(inv.stderr, format+"\n", args...)
	}
}

// rows writes aligned columns.
func rows(w io.Writer, lines [][]string) {
	tw := tabwriter.NewWriter(w, 0, 4, 2, ' ', 0)
	for _, line := range lines {
		fmt.Fprintln(tw, strings.TrimRight(strings.Join(line, "\t"), "\t "))
	}
	_ = tw.Flush()
}

// num prints a number for people: six significant digits.
func num(x float64) string { return model.FormatNumber(x) }

// number is a float64 that JSON can hold: NaN and infinities become null.
type number float64

// MarshalJSON encodes the number, or null where JSON has no such number.
func (x number) MarshalJSON() ([]byte, error) {
	if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
		return []byte("null"), nil
	}
	return json.Marshal(float64(x))
}
