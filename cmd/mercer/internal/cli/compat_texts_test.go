package cli

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"example.org/mercer/cmd/mercer/internal/verb"
	"example.org/mercer/internal/simd"
)

// keptKernel is an expression of eefc5df, with a pair of points, and what was said of it.
type keptKernel struct {
	Expr       string   `json:"expr"`
	Points     []string `json:"points"`
	Kernel     string   `json:"kernel"`
	Verdict    string   `json:"definiteness"`
	Parameters []string `json:"parameters"`
	Value      *float64 `json:"value"`
	Between    struct {
		Value *float64 `json:"value"`
	} `json:"between"` // where the command says the value
}

// TestKeptKernels parses the expressions of eefc5df: each prints itself as it did, has the same
// proof and parameters, and the same value between two points.
func TestKeptKernels(t *testing.T) {
	var all kept
	var kernels []keptKernel
	readJSON(t, "cases.json", &all)
	readJSON(t, "kernels.json", &kernels)
	tolerance := elsewhere
	if all.Architecture == runtime.GOARCH && all.Instructions == simd.Best().String() {
		tolerance = 0
	}
	enterKept(t)
	for _, want := range kernels {
		if !strings.Contains(want.Expr, "[text]") { // a column that nobody named was printed then
			want.Kernel = strings.ReplaceAll(want.Kernel, "[text]", "")
		}
		got := describeKept(t, want.Expr, want.Points...)
		if got.Kernel != want.Kernel || got.Verdict != want.Verdict {
			t.Errorf("%s: %s, %s; was %s, %s", want.Expr, got.Kernel, got.Verdict, want.Kernel,
				want.Verdict)
		}
		if !slices.Equal(got.Parameters, want.Parameters) {
			t.Errorf("%s: parameters %q, were %q", want.Expr, got.Parameters, want.Parameters)
		}
		if want.Value != nil {
			v, most := got.Between.Value, tolerance*max(1, math.Abs(*want.Value))
			if v == nil {
				t.Errorf("%s: no value between two points", want.Expr)
			} else if err := agreeNumber(*v, *want.Value, most); err != nil {
				t.Errorf("%s: %v", want.Expr, err)
			}
		}
		if want.Expr == want.Kernel {
			continue
		}
		if again := describeKept(t, want.Kernel); again.Kernel != want.Kernel {
			t.Errorf("%s prints itself as %s", want.Kernel, again.Kernel)
		}
	}
}

// describeKept asks the command for an expression, between two points or none.
func describeKept(t *testing.T, expr string, points ...string) (k keptKernel) {
	t.Helper()
	args := []string{"kernel", expr, "--json"}
	for _, p := range points {
		args = append(args, "--between", p)
	}
	if err := json.Unmarshal([]byte(runKept(t, args)), &k); err != nil {
		t.Fatalf("%s: %v", expr, err)
	}
	return k
}

// keptName is a name that expressions may hold, with its arguments.
type keptName struct{ Name, Arguments string }

// keptNames reads names in JSON: an argument is NAME=DEFAULT, with a blank behind it.
func keptNames(t *testing.T, text string) (names []keptName) {
	t.Helper()
	var list []struct {
		Name      string
		Arguments []struct{ Name, Default string }
	}
	if err := json.Unmarshal([]byte(text), &list); err != nil {
		t.Fatal(err)
	}
	for _, n := range list {
		name := keptName{Name: n.Name}
		for _, a := range n.Arguments {
			name.Arguments += a.Name + "=" + a.Default + " "
		}
		names = append(names, name)
	}
	return names
}

// TestKeptNames finds every name of eefc5df among those of today, with its arguments in their
// order and with their defaults; more may follow.
func TestKeptNames(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(keptFolder, "names.json"))
	if err != nil {
		t.Fatal(err)
	}
	var today struct{ Kernels json.RawMessage }
	if err := json.Unmarshal([]byte(runKept(t, []string{"kernel", "--json"})), &today); err != nil {
		t.Fatal(err)
	}
	got := keptNames(t, string(today.Kernels))
	for _, want := range keptNames(t, string(text)) {
		if !slices.ContainsFunc(got, func(n keptName) bool {
			return n.Name == want.Name && strings.HasPrefix(n.Arguments, want.Arguments)
		}) {
			t.Errorf("no kernel %s(%s)", want.Name, strings.TrimSpace(want.Arguments))
		}
	}
}

// TestKeptFlags finds every verb and flag of eefc5df, with its short form, the type of its value
// and its default, as the help says them.
func TestKeptFlags(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(keptFolder, "flags.txt"))
	if err != nil {
		t.Fatal(err)
	}
	root := newRoot(&verb.Invocation{})
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		cells := append(strings.Split(line, "\t"), "", "", "")
		verb, name, flagged := strings.Cut(cells[0], " --")
		words := strings.Fields(verb)[1:]
		cmd, left, err := root.Find(words)
		if err != nil || len(left) > 0 {
			t.Errorf("no verb %s: %v", verb, err)
			continue
		}
		if !flagged {
			continue
		}
		f := cmd.Flag(name)
		if f == nil {
			t.Errorf("no flag %s", cells[0])
			continue
		}
		kind, _ := pflag.UnquoteUsage(f)
		if f.Shorthand != cells[1] || kind != cells[2] || cells[3] != "" && f.DefValue != cells[3] {
			t.Errorf("%s: short %q, type %q, default %q; was %q", cells[0], f.Shorthand, kind,
				f.DefValue, cells[1:4])
		}
	}
}
