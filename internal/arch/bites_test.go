package main

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// broken is a project that breaks the rules, a file each.
var broken = map[string]string{
	"go.mod": "module example.org/broken\n\ngo 1.26\n",
	"supervised/toy/toy.go": `// Package toy is a method.
package toy

// A comment that goes on and on, and does not end where the house ends its comments, which is at 100.
type (
	Options struct {
		Compute int
		Lambda  float64
	}
	Report     struct{}
	Conditioned struct{}
)

func SolveFeatures() {}

func Fit() (*Report, error) { return nil, nil }

type Small interface{ A(); B(); C(); D() }

type Large interface {
	Small
	E(); F(); G(); H(); I()
}
`,
	"learner/methods/toy.go": `// Package methods has methods.
package methods

import "example.org/broken/supervised/toy"

type Toy struct{}

func (Toy) Name() string { return "toy" }
func (Toy) Fit() any     { return nil }

// own may ask: it is the file of the method.
func own(r any) bool { _, ok := r.(*toy.Report); return ok }
`,
	"supervised/toy/toy_test.go": `package toy

import (
	"context"
	"time"
)

func slow() bool {
	_, _ = context.WithTimeout(context.Background(), time.Second)
	began := time.Now()
	time.Sleep(time.Second)
	took := time.Since(began)
	return took < time.Minute
}
`,
	"docs/" + "guide/long.md": "# Title\n\n- Short `code` it is.\n\n    " + strings.Repeat("formula ", 40) + "\n\n| " + strings.Repeat("cell ", 40) + "|\n\n" +
		"Sources: " + strings.Repeat("author ", 40) + ".\n\nThis one " + strings.Repeat("goes on\n", 15) + "too far (" + strings.Repeat("cited ", 9) + "1999). That one does not.\n",
	"cmd/broken/main.go": `// Command broken asks.
package main

import (
	"example.org/broken/learner/methods"
	t "example.org/broken/supervised/toy"
)

func asks(name string, m, r any) int {
	if _, ok := r.(*t.Report); ok || name == "toy" {
		return 1
	}
	switch m.(type) {
	case methods.Toy:
		return 2
	}
	switch name {
	case "toy":
		return 3
	}
	return 4
}

func long() {
` + strings.Repeat("\tasks(\"\", nil, nil)\n", 60) + `}
`,
}

// TestRulesBite makes sure that the rules find what breaks them: a list of known violations that
// is empty proves nothing.
func TestRulesBite(t *testing.T) {
	root := t.TempDir()
	for name, text := range broken {
		p := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	tr, err := readTree(filepath.Join(root, "learner"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		rule  string
		found map[string]int
		want  map[string]int
	}{
		{"switches", tr.switchesOnMethods().counts(), map[string]int{"main.go": 4}},
		{"words", tr.oldWords().counts(), map[string]int{"Conditioned": 1}},
		{"comments", tr.wideComments().counts(), map[string]int{"supervised/toy/toy.go": 1}},
		{"sentences", tr.longSentences().counts(), map[string]int{"docs/" + "guide/long.md": 1}},
		{"seconds", tr.comparedSeconds().counts(), map[string]int{"supervised/toy/toy_test.go": 3}},
		{"functions", tr.longFunctions(), map[string]int{"broken.long": 62}},
		{"interfaces", tr.largeInterfaces(), map[string]int{"toy.Large": 9}},
		{"grammar", tr.otherGrammar(), map[string]int{
			"supervised/toy exports SolveFeatures":                    1,
			"supervised/toy has a Fit of other results":               1,
			"supervised/toy has Options that do not end with Compute": 1,
			"supervised/toy has no Solve":                             1,
		}},
	} {
		if !maps.Equal(c.found, c.want) {
			t.Errorf("%s: found %v, want %v", c.rule, c.found, c.want)
		}
	}
	if got := slices.Sorted(maps.Keys(exportedNames(tr.find("supervised/toy").files))); len(got) != 7 {
		t.Errorf("%q are exported, want 7 names", got)
	}
}
