package prep

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"example.org/mercer/data"
)

func answers(cells ...string) *data.Table {
	x, missing := make([]float64, len(cells)), make([]bool, len(cells))
	for i := range x {
		x[i], missing[i] = float64(i*i), cells[i] == ""
	}
	return &data.Table{Source: "answers", Headed: true, Columns: []data.Column{{Name: "x", Numbers: x}, {Name: "y", Kind: data.Categorical, Strings: cells, Missing: missing}}}
}

// Cells become codes, codes the same answers, before and after JSON.
func TestAnswersAreCodedAndWritten(t *testing.T) {
	for _, c := range []struct {
		form    Form
		cells   []string
		codes   []float64
		outputs []string
		written []string
	}{
		{Set, []string{"c | a", "{}", "b"}, []float64{1, 0, 1, 0, 0, 0, 0, 1, 0}, []string{"y=a", "y=b", "y=c"}, []string{"a|c", "{}", "b"}},
		{Ranking, []string{"b>a>c", "c > b > a"}, []float64{1, 0, 2, 2, 1, 0}, []string{"y=a", "y=b", "y=c"}, []string{"b>a>c", "c>b>a"}},
		{Sequence, []string{"B  A", "A A"}, []float64{1, 0, 0, 0}, []string{"y=1", "y=2"}, []string{"B A", "A A"}},
	} {
		p, rows, err := Fit(answers(c.cells...), Spec{Targets: []string{"y"}, Form: c.form})
		if err != nil {
			t.Fatal(err)
		}
		if got := rows.Y.RawMatrix().Data; !slices.Equal(got, c.codes) {
			t.Errorf("%s: %q is coded %v, want %v", c.form, c.cells, got, c.codes)
		}
		text, err := json.Marshal(p)
		if err != nil {
			t.Fatal(err)
		}
		again := &Pipeline{}
		if err := json.Unmarshal(text, again); err != nil {
			t.Fatal(err)
		}
		if got := again.Outputs(); !slices.Equal(got, c.outputs) {
			t.Errorf("%s: outputs %q, want %q", c.form, got, c.outputs)
		}
		for i, want := range c.written {
			if got := again.Targets()[0].FormatCell(rows.Y.RawRowView(i)); got != want {
				t.Errorf("%s: row %d is written %q, want %q", c.form, i, got, want)
			}
		}
	}
	if got := (Target{Name: "y"}).FormatCell([]float64{1}); got != "" {
		t.Errorf("a number is written as the answer %q", got)
	}
}

func TestAnswersAreRefusedWithTheirPlace(t *testing.T) {
	for want, c := range map[string]struct {
		form  Form
		cells []string
	}{
		`row 2, column 2 (y): "a|a" holds "a" twice`:                                   {Set, []string{"a|b", "a|a"}},
		`row 1, column 2 (y): "a||b" has nothing between two "|"`:                      {Set, []string{"a||b", "a"}},
		`row 2, column 2 (y): "b>a" ranks 2 of the 3 items: "c" is not among them`:     {Ranking, []string{"a>b>c", "b>a"}},
		`row 2, column 2 (y): "A" has 1 label, and other rows have 2`:                  {Sequence, []string{"A B", "A"}},
		`is a target of the form set with 1 label`:                                     {Set, []string{"a", "{}"}},
		`is a target of the form ranking with 1 item`:                                  {Ranking, []string{"a", "a"}},
		`the empty set is written {}`:                                                  {Set, []string{"a|b", ""}},
		`prep: answers of the form "tree" are not known; there are ["set" "ranking" "`: {"tree", []string{"a|b", "a"}},
	} {
		_, _, err := Fit(answers(c.cells...), Spec{Targets: []string{"y"}, Form: c.form})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", c.cells, err, want)
		}
	}
	p, _, err := Fit(answers("a|b", "a", "{}"), Spec{Targets: []string{"y"}, Form: Set})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Apply(answers("a", "hot")); err == nil || !strings.Contains(err.Error(), `row 2, column 2 (y): "hot" holds "hot", which was not seen in training`) {
		t.Errorf("a new label: %v", err)
	}
}

// What a file says of a form is checked.
func TestStoredFormsAreChecked(t *testing.T) {
	p, _, err := Fit(answers("A B", "B A"), Spec{Targets: []string{"y"}, Form: Sequence})
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range [][3]string{
		{`"length":2`, `"length":0`, "does not have the length 0"},
		{`"form":"sequence"`, `"form":"set"`, "does not have the length 2"},
		{`"form":"sequence"`, `"form":"tree"`, `the form "tree" is none of a`},
	} {
		broken := strings.Replace(string(text), c[0], c[1], 1)
		if broken == string(text) {
			t.Fatalf("%s is not in %s", c[0], text)
		}
		if err := json.Unmarshal([]byte(broken), &Pipeline{}); err == nil || !strings.Contains(err.Error(), c[2]) {
			t.Errorf("%s: error %v, want %q", c[1], err, c[2])
		}
	}
}
