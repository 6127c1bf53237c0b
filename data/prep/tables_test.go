package prep

import (
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"example.org/mercer/data"
	"example.org/mercer/internal/testkit"
)

// table makes a table from lines of blank-separated cells, the first line being the
// names: a column of numbers is numeric, any other categorical; "?" is missing.
func table(lines ...string) *data.Table {
	t := &data.Table{Source: "a.csv", Headed: true}
	names := strings.Fields(lines[0])
	for j, name := range names {
		c := data.Column{Name: name}
		for i, line := range lines[1:] {
			if j == 0 {
				t.Lines = append(t.Lines, i+2)
			}
			cell := strings.Fields(line)[j]
			missing := cell == "?"
			if missing {
				cell = ""
			}
			x, err := strconv.ParseFloat(cell, 64)
			switch {
			case missing:
				x = math.NaN()
			case err != nil:
				c.Kind = data.Categorical
			}
			c.Numbers, c.Strings, c.Missing = append(c.Numbers, x), append(c.Strings, cell), append(c.Missing, missing)
		}
		if c.Kind == data.Numeric {
			c.Strings = nil
		} else {
			c.Numbers = nil
		}
		t.Columns = append(t.Columns, c)
	}
	return t
}

// headerless returns t with made-up names.
func headerless(t *data.Table) *data.Table {
	t.Headed = false
	for j := range t.Columns {
		t.Columns[j].Name = "c" + strconv.Itoa(j+1)
	}
	return t
}

// pick returns the table of the given columns of t, in that order.
func pick(t *data.Table, columns ...int) *data.Table {
	out := *t
	out.Columns = nil
	for _, j := range columns {
		out.Columns = append(out.Columns, t.Columns[j])
	}
	return &out
}

// shared reads a public file of numbers separated by commas or blanks, without a
// header, "?" being missing.
func shared(t *testing.T, name string) *data.Table {
	t.Helper()
	text, err := os.ReadFile(testkit.Shared(t, name))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(strings.ReplaceAll(string(text), ",", " ")), "\n")
	header := ""
	for j := range strings.Fields(lines[0]) {
		header += " c" + strconv.Itoa(j+1)
	}
	tab := table(append([]string{header}, lines...)...)
	tab.Headed, tab.Source = false, name
	return tab
}

// fit is Fit that must succeed.
func fit(t *testing.T, tab *data.Table, s Spec) (*Pipeline, *Prepared) {
	t.Helper()
	p, got, err := Fit(tab, s)
	if err != nil {
		t.Fatal(err)
	}
	return p, got
}

// apply is Apply that must succeed.
func apply(t *testing.T, p *Pipeline, tab *data.Table) *Prepared {
	t.Helper()
	got, err := p.Apply(tab)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// wantError fails the test unless err contains every one of the words.
func wantError(t *testing.T, err error, words ...string) {
	t.Helper()
	if err == nil {
		t.Fatalf("no error, want one with %q", words)
	}
	for _, w := range words {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("error %q does not contain %q", err, w)
		}
	}
}

// wantNote fails the test unless one of the notes contains every one of the words.
func wantNote(t *testing.T, notes []string, words ...string) {
	t.Helper()
next:
	for _, n := range notes {
		for _, w := range words {
			if !strings.Contains(n, w) {
				continue next
			}
		}
		return
	}
	t.Errorf("no note of %q contains %q", notes, words)
}
