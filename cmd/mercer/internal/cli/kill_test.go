package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// asMercer makes a command that runs this test binary as mercer, see TestMain.
func asMercer(args ...string) *exec.Cmd {
	self, err := os.Executable()
	if err != nil {
		panic(err)
	}
	cmd := exec.Command(self, args...)
	cmd.Env = append(os.Environ(), runAsMercer+"=1")
	return cmd
}

// wave writes a table of n rows with two columns and a target.
func wave(t *testing.T, path string, n int) {
	t.Helper()
	r := rand.New(rand.NewPCG(11, 13))
	var b bytes.Buffer
	b.WriteString("a,b,y\n")
	for range n {
		x, z := r.Float64(), r.Float64()
		fmt.Fprintf(&b, "%.6f,%.6f,%.6f\n", x, z, x*z)
	}
	if err := os.WriteFile(path, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
}

// killWhen kills a process as soon as a condition holds, or lets it end.
func killWhen(cmd *exec.Cmd, by os.Signal, holds func() bool) {
	ended := make(chan struct{})
	go func() { _ = cmd.Wait(); close(ended) }()
	for {
		select {
		case <-ended:
			return
		case <-time.After(100 * time.Microsecond):
			if holds() {
				_ = cmd.Process.Signal(by)
			}
		}
	}
}

// TestKilledFitLeavesNoModel: a fit that is killed leaves the model that was there before, or the
// new one, and never a part of one. It is killed at once, when it has made its plan, and when it
// writes.
func TestKilledFitLeavesNoModel(t *testing.T) {
	dir := t.TempDir()
	table, model := filepath.Join(dir, "wave.csv"), filepath.Join(dir, "m.mercer")
	wave(t, table, 700)
	fit := []string{"fit", "krr", table, "--target", "y", "--lambda", "1e-3", "-o", model}
	if out, err := asMercer(fit...).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	before, err := os.ReadFile(model)
	if err != nil {
		t.Fatal(err)
	}
	for k := range 6 {
		if k%2 == 0 {
			if err := os.Remove(model); err != nil {
				t.Fatal(err)
			}
		}
		cmd := asMercer(fit...)
		var stderr lockedBuffer
		cmd.Stderr = &stderr
		left := len(entries(t, dir))
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		killWhen(cmd, os.Kill, []func() bool{
			func() bool { return true },
			func() bool { return strings.Contains(stderr.String(), "plan:") },
			func() bool { return len(entries(t, dir)) > left },
		}[k/2])
		after, err := os.ReadFile(model)
		switch {
		case os.IsNotExist(err) && k%2 == 0:
		case err != nil:
			t.Fatal(err)
		case !bytes.Equal(after, before):
			t.Fatalf("kill %d left a model of %d bytes that differs from the whole one of %d", k, len(after), len(before))
		}
		if err := os.WriteFile(model, before, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range entries(t, dir) {
		if name != "wave.csv" && name != "m.mercer" && !strings.HasPrefix(name, ".m.mercer.tmp-") {
			t.Errorf("the killed fits left %s", name)
		}
	}
}

// entries returns the names in a folder.
func entries(t *testing.T, dir string) (names []string) {
	found, err := os.ReadDir(dir)
	if err != nil {
		t.Error(err)
	}
	for _, e := range found {
		names = append(names, e.Name())
	}
	return names
}

// TestKilledSearchGoesOn: a search that is killed again and again, and started again with
// the same journal, ends with the result of one that was not, byte for byte.
func TestKilledSearchGoesOn(t *testing.T) {
	dir := t.TempDir()
	table := filepath.Join(dir, "wave.csv")
	wave(t, table, 250)
	search := func(journal string) []string {
		return []string{"tune", "svr", table, "--target", "y", "--grid", "C=1:10", "--trials", "5", "--folds", "3", "-q", "--json", "--resume", filepath.Join(dir, journal)}
	}
	trials := func(out []byte) string {
		var result struct{ Trials, Best json.RawMessage }
		if err := json.Unmarshal(out, &result); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		return string(result.Trials) + string(result.Best)
	}
	whole, err := asMercer(search("whole")...).Output()
	if err != nil {
		t.Fatal(err)
	}
	journal, length := filepath.Join(dir, "killed"), int64(0)
	for range 3 {
		cmd := asMercer(search("killed")...)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		killWhen(cmd, os.Kill, func() bool { // when it has written a trial more
			info, err := os.Stat(journal)
			return err == nil && info.Size() > length
		})
		if info, err := os.Stat(journal); err == nil {
			length = info.Size()
		}
	}
	if length == 0 {
		t.Error("no journal was seen")
	}
	out, err := asMercer(search("killed")...).Output()
	if err != nil {
		t.Fatal(err)
	}
	if got, want := trials(out), trials(whole); got != want {
		t.Errorf("after three kills: %s\nwithout: %s", got, want)
	}
}

// TestKilledFitGoesOn: a fit that is killed again and again, the last time by Ctrl-C, and started
// again with --resume, writes the model of one that was not, byte for byte, and removes its
// checkpoint.
func TestKilledFitGoesOn(t *testing.T) {
	for name, fit := range map[string][]string{
		"falkon":           {"fit", "falkon", "--target", "y", "--landmarks", "60", "--lambda", "1e-9", "--tolerance", "1e-7", "--precision", "double", "-o"},
		"falkon in passes": {"fit", "falkon", "--target", "y", "--landmarks", "60", "--lambda", "1e-9", "--tolerance", "1e-7", "--precision", "double", "--out-of-core", "-o"},
		"kmeans":           {"cluster", "kmeans", "--drop", "y", "--clusters", "40", "--restarts", "20", "--model"},
	} {
		t.Run(name, func(t *testing.T) { goesOn(t, fit) })
	}
}

func goesOn(t *testing.T, fit []string) {
	dir := t.TempDir()
	table := filepath.Join(dir, "wave.csv")
	wave(t, table, 3000)
	run := func(model string, more ...string) *exec.Cmd {
		return asMercer(slices.Concat(fit, []string{filepath.Join(dir, model), table, "-q", "--checkpoint-every", "1ns"}, more)...)
	}
	if out, err := run("whole.mercer").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	checkpoint, grown := filepath.Join(dir, "killed.mercer.checkpoint"), int64(0)
	for _, by := range []os.Signal{os.Kill, os.Kill, os.Interrupt} {
		cmd := run("killed.mercer", "--resume")
		var stderr lockedBuffer
		cmd.Stderr = &stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		killWhen(cmd, by, func() bool {
			info, err := os.Stat(checkpoint)
			further := err == nil && info.Size() > grown
			if further {
				grown = info.Size() + 2000 // some steps more
			}
			return further
		})
		if said := stderr.String(); strings.Contains(said, "interrupted") && !strings.Contains(said, checkpoint+" holds the work until here: the same command with --resume") {
			t.Errorf("after Ctrl-C: %s", said)
		}
	}
	if grown == 0 {
		t.Fatal("no checkpoint was seen")
	}
	if out, err := run("killed.mercer", "--resume").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	killed, err := os.ReadFile(filepath.Join(dir, "killed.mercer"))
	if err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(filepath.Join(dir, "whole.mercer"))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(killed, whole) {
		t.Error("the fit that was killed wrote another model")
	}
	if _, err := os.Stat(checkpoint); !os.IsNotExist(err) {
		t.Errorf("a finished fit left its checkpoint (%v)", err)
	}
}

// TestInterruptedFit: Ctrl-C ends a fit with exit code 1, a word on
// stderr and no file.
func TestInterruptedFit(t *testing.T) {
	dir := t.TempDir()
	table, model := filepath.Join(dir, "wave.csv"), filepath.Join(dir, "m.mercer")
	wave(t, table, 3500)
	cmd := asMercer("fit", "krr", table, "--target", "y", "--lambda", "1e-3", "-o", model)
	var stderr lockedBuffer
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	// The plan is told just before the work begins.
	for deadline := time.Now().Add(time.Minute); !strings.Contains(stderr.String(), "plan:"); {
		if time.Now().After(deadline) {
			t.Fatalf("the fit did not begin: %s", stderr.String())
		}
		time.Sleep(5 * time.Millisecond)
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err == nil {
		t.Skip("the fit was faster than the signal: nothing was interrupted")
	}
	if code := cmd.ProcessState.ExitCode(); code != exitInterrupt {
		t.Errorf("exit code %d, want %d", code, exitInterrupt)
	}
	if !strings.Contains(stderr.String(), "interrupted") {
		t.Errorf("stderr does not speak of an interruption: %s", stderr.String())
	}
	if _, err := os.Stat(model); !os.IsNotExist(err) {
		t.Errorf("an interrupted fit left a file (%v)", err)
	}
}
