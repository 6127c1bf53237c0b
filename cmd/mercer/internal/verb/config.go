package verb

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/pelletier/go-toml/v2/unstable"
	"github.com/spf13/pflag"

	"example.org/mercer/data"
	"example.org/mercer/internal/spelling"
)

// Configure sets flags to the values of the file of --config, in TOML; flags that were given stay
// as they are. A key is the name of a flag, and a list gives one several times.
func (inv *Invocation) Configure(set *pflag.FlagSet) error {
	if inv.Config == "" {
		return nil
	}
	text, err := os.ReadFile(inv.Config)
	if err != nil {
		return fmt.Errorf("--config: %w", err)
	}
	c := &config{file: inv.Config, set: set, seen: map[string]int{}}
	set.Visit(func(f *pflag.Flag) { c.given = append(c.given, f.Name) })
	c.parser.Reset(text)
	for c.parser.NextExpression() {
		if err := c.line(c.parser.Expression()); err != nil {
			return AsUsage(err)
		}
	}
	if err := c.parser.Error(); err != nil {
		at := 0
		if wrong, ok := err.(*unstable.ParserError); ok {
			at = c.at(c.parser.Range(wrong.Highlight))
		}
		return AsUsage(&data.Error{Source: c.file, Line: at, Reason: "is no TOML: " + strings.TrimPrefix(err.Error(), "toml: "), Fix: "write a line such as kernel = \"rbf(sigma=1)\""})
	}
	return nil
}

// WriteConfig writes the flags that were given to the file of --write-config, as [Configure] reads
// them: texts in quotes, several values as a list.
func (inv *Invocation) WriteConfig(ctx context.Context, set *pflag.FlagSet) error {
	if inv.WrittenConfig == "" {
		return nil
	}
	return inv.WriteFile(ctx, inv.WrittenConfig, func(w io.Writer) error {
		var problems []error
		set.Visit(func(f *pflag.Flag) {
			if f.Hidden || slices.Contains([]string{"config", "write-config", "help", AllFlag}, f.Name) {
				return
			}
			text := literal(f.Value.String())
			if list, ok := f.Value.(pflag.SliceValue); ok {
				var each []string
				for _, v := range list.GetSlice() {
					each = append(each, literal(v))
				}
				text = "[" + strings.Join(each, ", ") + "]"
			}
			_, err := fmt.Fprintf(w, "%s = %s\n", f.Name, text)
			problems = append(problems, err)
		})
		return errors.Join(problems...)
	})
}

// bare are the values that TOML has without quotes, and that the command line writes alike.
var bare = regexp.MustCompile(`^(true|false|-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?)$`)

// literal writes a value in TOML.
func literal(v string) string {
	if bare.MatchString(v) {
		return v
	}
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range v {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case unicode.IsControl(r):
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// config reads a file of flags.
type config struct {
	file   string
	parser unstable.Parser
	set    *pflag.FlagSet
	given  []string // flags of the command line, which override
	seen   map[string]int
}

// at returns the line of a place in the file.
func (c *config) at(place unstable.Range) int { return c.parser.Shape(place).Start.Line }

// fail is the error of a line.
func (c *config) fail(line int, value, reason, fix string) error {
	return &data.Error{Source: c.file, Line: line, Value: value, Reason: reason, Fix: fix}
}

// line takes one line of the file.
func (c *config) line(n *unstable.Node) error {
	var key []string
	at := 0
	for keys := n.Key(); keys.Next(); {
		key = append(key, string(keys.Node().Data))
		at = c.at(keys.Node().Raw)
	}
	name := strings.Join(key, ".")
	if n.Kind != unstable.KeyValue {
		return c.fail(at, "["+name+"]", "begins a table, and flags have none", "write the name of a flag and its value, such as seed = 7")
	}
	f := c.set.Lookup(name)
	if f == nil || f.Hidden || name == "config" || name == "write-config" || name == "help" {
		return c.unknown(at, name)
	}
	if before := c.seen[name]; before > 0 {
		return c.fail(at, name, fmt.Sprintf("was set in line %d", before), "set it once")
	}
	c.seen[name] = at
	if slices.Contains(c.given, name) {
		return nil
	}
	values, err := c.values(n.Value())
	if err != nil {
		return c.fail(at, name, err.Error(), "give a text in quotes, a number, true or false, or a list of them")
	}
	for _, v := range values {
		if f.Value.Type() == "stringSlice" {
			v = quoted(v)
		}
		if err := c.set.Set(name, v); err != nil {
			return c.fail(at, name, "cannot be "+data.Quote(v), "see mercer help --all for what --"+name+" takes")
		}
	}
	return nil
}

// unknown is the error of a key that is no flag.
func (c *config) unknown(line int, name string) error {
	var names []string
	c.set.VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	fix := "a key is the name of a flag of this verb, without --"
	if near := spelling.Near(name, names); len(near) > 0 {
		fix = "did you mean " + strings.Join(near, " or ") + "?"
	}
	return c.fail(line, name, "is no flag of this verb", fix)
}

var errNoValue = errors.New("holds what no flag takes")

// values returns what stands behind a key, as it would be written on the command line.
func (c *config) values(n *unstable.Node) ([]string, error) {
	switch n.Kind {
	case unstable.String, unstable.Bool:
		return []string{string(n.Data)}, nil
	case unstable.Integer, unstable.Float:
		return []string{strings.ReplaceAll(string(n.Data), "_", "")}, nil
	case unstable.Array:
		var list []string
		for each := n.Children(); each.Next(); {
			one, err := c.values(each.Node())
			if err != nil || len(one) != 1 {
				return nil, errNoValue
			}
			list = append(list, one[0])
		}
		return list, nil
	}
	return nil, errNoValue
}

// quoted writes a text as one value of a list that commas divide.
func quoted(v string) string {
	var b strings.Builder
	w := csv.NewWriter(&b)
	_ = w.Write([]string{v}) // to memory
	w.Flush()
	return strings.TrimSuffix(b.String(), "\n")
}
