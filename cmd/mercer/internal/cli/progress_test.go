package cli

import (
	"bytes"
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"example.org/mercer/cmd/mercer/internal/verb"
	"example.org/mercer/internal/progress/progresstest"
	"example.org/mercer/learner"
	"example.org/mercer/learner/methods"
)

// progressTable is a small table with a column for every kind of target.
func progressTable(t *testing.T) {
	t.Helper()
	t.Chdir(t.TempDir())
	var b strings.Builder
	b.WriteString("x,y,number,kind,set\n")
	for i := range 60 {
		x, y := float64(i*37%101)/50-1, float64(i*61%97)/48-1
		kind, set := "in", "ash"
		if x+y > 0 {
			kind, set = "out", "ash|beech"
		}
		b.WriteString(strings.Join([]string{verb.Num(x), verb.Num(y), verb.Num(x*y + x), kind, set}, ",") + "\n")
	}
	if err := os.WriteFile("t.csv", []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
}

// targetsOf are the flags that name what a method learns.
func targetsOf(s *learner.Spec) []string {
	switch s.Target {
	case learner.NumericTarget:
		return []string{"--target", "number", "--drop", "kind,set"}
	case learner.StructuredTarget:
		return []string{"--target", "set", "--answer", "set", "--drop", "kind,number"}
	case learner.NoTarget, learner.AsideTarget:
		return []string{"--drop", "number,kind,set"}
	}
	return []string{"--target", "kind", "--drop", "number,set"}
}

// progressCommands are a command of every verb that computes: for each method and each verb that
// has it, and then those that take its model. Each may use the files of those before.
func progressCommands() [][]string {
	var all [][]string
	for _, s := range methods.All {
		first := "fit"
		if s.Verb != "" {
			first = s.Verb
		}
		line := append([]string{first, s.Name, "t.csv", "-o", s.Name + ".mercer"}, targetsOf(s)...)
		all = append(all, line)
	}
	for _, line := range []string{
		"predict svc.mercer t.csv -o p.csv", "eval svc.mercer t.csv", "explain krr.mercer t.csv", "compress svc.mercer -o small.mercer --max-sv 5",
		"gram t.csv --kernel rbf(sigma=1) --drop number,kind,set -o k.npy", "check rbf(sigma=1) --budget 20000",
		"tune svc t.csv --target kind --drop number,set --kernel rbf(sigma=?) --trials 4",
		"tune krr t.csv --target number --drop kind,set --kernel rbf(sigma=?) --trials 4",
		"auto t.csv --target number --drop kind,set",
		"fit krr t.csv --target number --drop kind,set --updatable -o rows.mercer",
		"update rows.mercer t.csv --keep ridge -o more.mercer", "forget more.mercer --rows 2,61-70 --keep ridge -o less.mercer",
		"update rows.mercer t.csv -o again.mercer", "fit gp t.csv --target number --drop kind,set --updatable -o process.mercer",
		"update process.mercer t.csv -o more.mercer", "forget more.mercer --rows 2,61-70 -o less.mercer",
		"fit krr t.csv --target number --drop kind,set --kernel poly(degree=2,c=1) --features 20 --updatable -o sums.mercer",
		"update sums.mercer t.csv -o more.mercer", "forget more.mercer t.csv -o less.mercer",
		"cv krr t.csv --target number --drop kind,set --kernel rbf(sigma=1) --folds 3",
		"path t.csv --target number --drop kind,set --kernel rbf(sigma=1) --count 5",
		"mkl t.csv --target kind --drop number,set --kernel rbf(sigma=1)+linear",
		"denoise t.csv t.csv --drop number,kind,set --noise gaussian=0.1 --kernel rbf(sigma=1) --components 3",
		"geom mmd t.csv --by kind --drop number,set --kernel rbf(sigma=1)",
	} {
		all = append(all, strings.Fields(line))
	}
	return all
}

// heard runs a command and listens to its progress.
func heard(ctx context.Context, l *progresstest.Listener, args []string) error {
	var out, errs bytes.Buffer
	inv := &verb.Invocation{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs, Watch: l.Tell}
	root := newRoot(inv)
	root.SetArgs(args)
	root.SetOut(&out)
	root.SetErr(&errs)
	_, err := root.ExecuteContextC(ctx)
	return err
}

// TestProgressOfVerbs: every verb that computes tells its progress from nothing to all; cancelled
// at any event it ends, and says that it was cancelled.
func TestProgressOfVerbs(t *testing.T) {
	progressTable(t)
	for _, args := range progressCommands() {
		name := strings.Join(args, " ")
		whole := new(progresstest.Listener)
		if err := heard(t.Context(), whole, args); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for _, problem := range whole.End() {
			t.Errorf("%s: %s", name, problem)
		}
		for _, at := range []int{1, whole.Events() / 2} {
			if at < 1 {
				continue
			}
			ctx, stop := context.WithCancel(t.Context())
			stopped := new(progresstest.Listener)
			stopped.At = func(event int) {
				if event == at {
					stop()
				}
			}
			err := heard(ctx, stopped, args)
			if !errors.Is(err, context.Canceled) {
				t.Errorf("%s: cancelled at event %d of %d: %v", name, at, whole.Events(), err)
			}
			if more := stopped.Events() - at; more > 10 {
				t.Errorf("%s: cancelled at event %d of %d: %d more", name, at, whole.Events(), more)
			}
			stop()
		}
	}
}

// TestProgressCommandsAreAll: a verb that is not listened to says why.
func TestProgressCommandsAreAll(t *testing.T) {
	quick := []string{"help", "completion", "version", "kernel", "info", "export", "import", "plan", "bench", "demo", "gallery", "serve", "lab"}
	var known []string
	for _, args := range progressCommands() {
		known = append(known, args[0])
	}
	for _, cmd := range newRoot(&verb.Invocation{}).Commands() {
		if !slices.Contains(known, cmd.Name()) && !slices.Contains(quick, cmd.Name()) {
			t.Errorf("nobody listens to the progress of %s", cmd.Name())
		}
	}
}
