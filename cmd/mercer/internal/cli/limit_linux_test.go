package cli

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.org/mercer/cmd/mercer/internal/learn"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/learner"
	"example.org/mercer/learner/methods"
)

// cloud writes rows of the plane with a number, labels and sets.
func cloud(t *testing.T, path string, rows int) {
	t.Helper()
	var out strings.Builder
	out.WriteString("a,b,c,number,label,set\n")
	for i := range rows {
		a, b, c := math.Sin(1.7*float64(i+1)), math.Cos(float64(i*i%977)), math.Sin(0.3*float64(i*i%571))
		label, set := "in", "ash"
		if a*a+b*b > 1+0.2*c {
			label, set = "out", "ash|beech"
		}
		fmt.Fprintf(&out, "%.5f,%.5f,%.5f,%.5f,%s,%s\n", a, b, c, math.Sin(2*a)+b*c, label, set)
	}
	if err := os.WriteFile(path, []byte(out.String()), 0o666); err != nil {
		t.Fatal(err)
	}
}

// limitedFit returns the arguments of a fit of a method to that table.
func limitedFit(s *learner.Spec, table, model string) []string {
	args := []string{"fit", s.Name, table, "-o", model, "--json", "--quiet"}
	target := "number"
	switch s.Target {
	case learner.LabelTarget:
		target = "label"
	case learner.StructuredTarget:
		target = "set"
		args = append(args, "--answer", "set")
	case learner.NoTarget, learner.AsideTarget:
		target = ""
	}
	for _, column := range []string{"number", "label", "set"} {
		if column == target {
			args = append(args, "--target", column)
		} else {
			args = append(args, "--drop", column)
		}
	}
	if s.Verb == "cluster" {
		args = append(args, "--clusters", "3")
	}
	return args
}

// TestLimitIsHard: under a limit that is just above what is planned a process of its own stays
// below it, from its beginning to its end; under one far below the work is refused, with what it
// takes.
func TestLimitIsHard(t *testing.T) {
	testkit.SkipUnderRace(t)
	dir := t.TempDir()
	table := filepath.Join(dir, "cloud.csv")
	cloud(t, table, 1500)
	t.Setenv("XDG_CACHE_HOME", filepath.Join(dir, "cache"))  // the rates of the machine are measured once
	few := []string{"krr", "gpc", "svc", "kpca", "spectral"} // unless all are asked for: each is fitted three times
	for _, s := range methods.All {
		if !testkit.Large() && !slices.Contains(few, s.Name) {
			continue
		}
		args := limitedFit(s, table, filepath.Join(dir, "m.mercer"))
		out, err := asMercer(args...).Output()
		if err != nil {
			t.Errorf("%s: %v: %s", s.Name, err, stderrOf(err))
			continue
		}
		var result, limited struct {
			Planned learn.Planned `json:"planned"`
			Peak    int64         `json:"peak_memory"` // of the process, from its beginning to its end
		}
		if err := json.Unmarshal(out, &result); err != nil {
			t.Fatal(err)
		}
		// The process itself holds some megabytes more or less from run to run, as the system maps
		// more of a program that it has read already; and under a limit a method may hold less.
		const leeway = 8 << 20
		planned := result.Planned.Plan.Memory
		above, below := planned+leeway, planned-result.Planned.Plan.Working()*3/4
		if out, err := asMercer(append(args, "--max-mem", fmt.Sprint(above))...).Output(); err != nil {
			t.Errorf("%s: planned with %d bytes, and refused under %d: %s", s.Name, planned, above, stderrOf(err))
		} else if err := json.Unmarshal(out, &limited); err != nil {
			t.Fatal(err)
		} else if limited.Peak == 0 || limited.Peak > above {
			t.Errorf("%s: %.1f MiB under a limit of %.1f", s.Name, float64(limited.Peak)/(1<<20), float64(above)/(1<<20))
		}
		if out, err := asMercer(append(args, "--max-mem", fmt.Sprint(below))...).CombinedOutput(); err == nil || !strings.Contains(string(out), "more than the limit of") {
			t.Errorf("%s: planned with %d bytes, and under %d: %v, %s", s.Name, planned, below, err, out)
		}
	}
}

// TestGramFileKeepsToTheLimit: a matrix that an expression names is read within --max-mem, as a
// table.
func TestGramFileKeepsToTheLimit(t *testing.T) {
	testkit.SkipUnderRace(t)
	dir := t.TempDir()
	table, matrix := filepath.Join(dir, "wave.csv"), filepath.Join(dir, "K.npy")
	named(t, table, 1500)
	if out, err := asMercer("gram", table, "--target", "y", "--id", "id", "-o", matrix).CombinedOutput(); err != nil { // 17 MiB
		t.Fatalf("%v: %s", err, out)
	}
	fit := []string{"fit", "krr", table, "--target", "y", "--id", "id", "--kernel", fmt.Sprintf("gram(file=%q)", matrix), "-o", filepath.Join(dir, "m.mercer")}
	if out, err := asMercer(append(fit, "--max-mem", "50MiB")...).CombinedOutput(); err == nil || !strings.Contains(string(out), "that reading may take") {
		t.Errorf("a matrix of 17 MiB is read under 50 MiB: %v, %s", err, out)
	}
	if out, err := asMercer(append(fit, "--max-mem", "300MiB")...).CombinedOutput(); err != nil {
		t.Errorf("under 300 MiB: %v, %s", err, out)
	}
}

// named writes rows of numbers that have ids.
func named(t *testing.T, path string, rows int) {
	t.Helper()
	var out strings.Builder
	out.WriteString("id,a,b,y\n")
	for i := range rows {
		a, b := math.Sin(1.7*float64(i+1)), math.Cos(float64(i*i%977))
		fmt.Fprintf(&out, "r%d,%.6f,%.6f,%.6f\n", i+1, a, b, a*b)
	}
	if err := os.WriteFile(path, []byte(out.String()), 0o666); err != nil {
		t.Fatal(err)
	}
}

// stderrOf is what a command that failed said.
func stderrOf(err error) string {
	if exit, ok := err.(*exec.ExitError); ok {
		return string(exit.Stderr)
	}
	return ""
}
