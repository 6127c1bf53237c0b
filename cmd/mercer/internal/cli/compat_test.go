package cli

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"example.org/mercer/internal/simd"
)

// keptFolder holds what the command wrote at commit eefc5df: its README says how.
const keptFolder = "testdata/eefc5df"

// elsewhere is how far a number may be from the one that was kept, beside the largest of its
// column, where the instructions are others than those that it was written with: sums are in
// another order. Coefficients of some thousands cancel in the worst of these models, and the
// largest difference among the levels of package simd was 3e-13.
const elsewhere = 1e-12

var refit = flag.Float64("refit", -1, "fit the models of eefc5df again, with answers this close")

// kept is the manifest of the folder.
type kept struct {
	Architecture string      `json:"architecture"` // where the answers were written
	Instructions string      `json:"instructions"`
	Cases        []keptModel `json:"cases"`
}

// keptModel is a model, if there is one, with what is asked of it.
type keptModel struct {
	Name  string   `json:"name"`
	Model string   `json:"model"`
	Make  []string `json:"make"`
	Runs  []string `json:"runs"`

	Unverified string  `json:"unverified"` // why the self-test rows do not agree
	Tolerance  float64 `json:"tolerance"`  // instead of 0: for a path that has changed
	Elsewhere  float64 `json:"elsewhere"`  // instead of elsewhere
	Why        string  `json:"why"`        // one of these is given
}

// readJSON reads a file of the folder.
func readJSON(t *testing.T, name string, to any) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(keptFolder, name))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, to); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

// TestKeptModels loads the models of eefc5df: they hold what they held, agree with their golden
// rows, and answer as they did, to the bit where the instructions are the same.
func TestKeptModels(t *testing.T) {
	var all kept
	readJSON(t, "cases.json", &all)
	same := all.Architecture == runtime.GOARCH && all.Instructions == simd.Best().String()
	enterKept(t)
	for _, c := range all.Cases {
		t.Run(c.Name, func(t *testing.T) {
			if c.Why == "" && (c.Tolerance != 0 || c.Elsewhere != 0) {
				t.Error("a tolerance wants a reason")
			}
			tolerance := c.Tolerance
			if !same {
				tolerance = max(tolerance, elsewhere, c.Elsewhere)
			}
			c.ask(t, tolerance)
		})
	}
}

// enterKept goes to a copy of the folder: some commands write beside their tables.
func enterKept(t *testing.T) {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(keptFolder)); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "scratch"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
}

// ask runs the commands of a case and compares their answers with those that were kept.
func (c keptModel) ask(t *testing.T, tolerance float64) {
	text, err := os.ReadFile(filepath.Join("want", c.Name+".txt"))
	if err != nil {
		t.Fatal(err)
	}
	lines := c.Runs
	if c.Model != "" {
		info := "info " + c.Model + " --json"
		if c.Unverified == "" {
			info += " --verify"
		}
		lines = append([]string{info}, lines...)
	}
	answers := strings.Split(string(text), "$ mercer ")[1:]
	if len(answers) != len(lines) {
		t.Fatalf("%d answers were kept for %d commands", len(answers), len(lines))
	}
	for i, line := range lines {
		asked, want, _ := strings.Cut(answers[i], "\n")
		if asked != line {
			t.Fatalf("the answer that was kept is to %q, not to %q", asked, line)
		}
		got := runKept(t, keptWords(line))
		if err := agree(got, want, tolerance); err != nil {
			t.Errorf("mercer %s: %v", line, err)
		}
	}
}

// runKept runs the command and returns what it prints.
func runKept(t *testing.T, args []string) string {
	t.Helper()
	var out, errs bytes.Buffer
	if code := Main(t.Context(), args, strings.NewReader(""), &out, &errs); code != exitOK {
		t.Fatalf("mercer %s: exit code %d: %s", strings.Join(args, " "), code, errs.String())
	}
	return out.String()
}

// keptWords splits a line at blanks that are not within '…'.
func keptWords(line string) []string {
	quoted := false
	list := strings.FieldsFunc(line, func(r rune) bool {
		if r == '\'' {
			quoted = !quoted
		}
		return r == ' ' && !quoted
	})
	for i := range list {
		list[i] = strings.ReplaceAll(list[i], "'", "")
	}
	return list
}

// TestKeptModelsAreAll: no model lies in the folder without being tested, and none knows where
// it was made.
func TestKeptModelsAreAll(t *testing.T) {
	var all kept
	readJSON(t, "cases.json", &all)
	var named []string
	for _, c := range all.Cases {
		named = append(named, filepath.Base(c.Model))
	}
	files, err := os.ReadDir(filepath.Join(keptFolder, "models"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if !slices.Contains(named, f.Name()) {
			t.Errorf("models/%s is of no case", f.Name())
		}
		text, err := os.ReadFile(filepath.Join(keptFolder, "models", f.Name()))
		if err != nil {
			t.Fatal(err)
		}
		for _, place := range []string{"/tmp/", "/home/", "/root/", "/Users/"} {
			if bytes.Contains(text, []byte(place)) {
				t.Errorf("models/%s holds a path where it was made, %s…", f.Name(), place)
			}
		}
	}
}

// TestKeptFits makes the models again, which takes half a minute: only if it is asked for, as
// by a change of the methods. On the same instructions -refit 0 should do.
func TestKeptFits(t *testing.T) {
	if *refit < 0 {
		t.Skip("run with -refit 0, or with another tolerance")
	}
	var all kept
	readJSON(t, "cases.json", &all)
	enterKept(t)
	for _, c := range all.Cases {
		t.Run(c.Name, func(t *testing.T) {
			for _, line := range c.Make {
				runKept(t, keptWords(line))
			}
			c.ask(t, *refit)
		})
	}
}
