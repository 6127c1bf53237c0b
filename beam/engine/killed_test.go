package engine_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"example.org/mercer/beam/engine"
	"example.org/mercer/cmd/mercer/command"
)

// driven has a command line in JSON, for a process of its own; see [drive].
const driven = "MERCER_BEAM_ARGS"

// drive runs the command line of a process of its own, if it is one, and then does not return.
func drive() {
	text := os.Getenv(driven)
	if text == "" {
		return
	}
	var args []string
	if err := json.Unmarshal([]byte(text), &args); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(command.Main(ctx, new(engine.Engine), args, os.Stdin, os.Stdout, os.Stderr))
}

// longFit returns the arguments of a fit of many passes over files in the working folder, and
// the model that an undisturbed one makes.
func longFit(t *testing.T) (args []string, model []byte) {
	t.Helper()
	folder := t.TempDir()
	writeShards(t, folder, 60000, 7)
	t.Chdir(folder)
	args = slices.Concat(fits["falkon"], []string{"--landmarks", "300"})
	model, err := run(t, nil, args...)
	if err != nil {
		t.Fatal(err)
	}
	return args, model
}

// TestTheDriverIsKilled kills the command with −9 in the middle of its passes, several times,
// and lets it begin again with the same staging folder and checkpoint: the model is the one of
// an undisturbed run.
func TestTheDriverIsKilled(t *testing.T) {
	fit, want := longFit(t)
	staging := t.TempDir()
	model := filepath.Join(t.TempDir(), "m.mercer")
	line, err := json.Marshal(slices.Concat(fit, []string{"--staging", staging, "--checkpoint", filepath.Join(staging, "fit.checkpoint"), "--checkpoint-every", "1ms", "-o", model}))
	if err != nil {
		t.Fatal(err)
	}
	start := func() (*exec.Cmd, *bytes.Buffer) {
		var said bytes.Buffer
		driver := exec.CommandContext(t.Context(), os.Args[0])
		driver.Env = append(os.Environ(), driven+"="+string(line))
		driver.Stdout, driver.Stderr = &said, &said
		if err := driver.Start(); err != nil {
			t.Fatal(err)
		}
		return driver, &said
	}
	for round := range 3 {
		driver, said := start()
		ended := make(chan error, 1)
		go func() { ended <- driver.Wait() }()
		jobs := 0
		for seen := map[string]bool{}; jobs < 3+4*round; { // passes that have begun
			found, _ := filepath.Glob(filepath.Join(staging, "jobs", "*"))
			for _, job := range found {
				if !seen[job] {
					seen[job] = true
					jobs++
				}
			}
			select {
			case err := <-ended:
				t.Fatalf("round %d: it ended by itself after %d passes: %v: %s", round, jobs, err, said.String())
			case <-time.After(time.Millisecond):
			}
		}
		if err := driver.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		<-ended
		if _, err := os.Stat(model); err == nil {
			t.Fatalf("round %d: there is a model", round)
		}
	}
	driver, said := start()
	if err := driver.Wait(); err != nil {
		t.Fatalf("%v: %s", err, said.String())
	}
	got, err := os.ReadFile(model)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("another model")
	}
}

// TestABadCell is an error that names the file of the cell, its line and its column, before any
// pass; there is no model.
func TestABadCell(t *testing.T) {
	folder := t.TempDir()
	writeShards(t, folder, 700, 7)
	path := filepath.Join(folder, "rows-03.csv")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(text), "\n")
	cells := strings.Split(lines[5], ",")
	cells[3] = "much" // the target
	lines[5] = strings.Join(cells, ",")
	if err := os.WriteFile(path, []byte(strings.Join(lines, "")), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Chdir(folder)
	_, err = run(t, new(engine.Engine), append(slices.Clone(fits["krr"]), "--type", "y=numeric")...)
	for _, word := range []string{"rows-03.csv", "line 6", "much"} {
		if err == nil || !strings.Contains(err.Error(), word) {
			t.Errorf("%q is not told: %v", word, err)
		}
	}
}

// TestAWorkerIsKilled kills a worker process of Prism with −9 in the middle of a pass. The run
// ends with an error that says so; begun again with the same staging folder it makes the model
// of an undisturbed run.
func TestAWorkerIsKilled(t *testing.T) {
	if _, err := os.Stat("/proc/self/task"); err != nil {
		t.Skip("processes are found in /proc, which is not here")
	}
	fit, want := longFit(t)
	model := filepath.Join(t.TempDir(), "m.mercer")
	on := slices.Concat(fit, []string{"--staging", t.TempDir(), "--environment", "process", "--environment-config", os.Args[0]})
	watching, killed := make(chan struct{}), make(chan int, 1)
	go func() {
		defer close(killed)
		for {
			for _, pid := range children() {
				if worker, err := os.FindProcess(pid); err == nil && worker.Kill() == nil {
					killed <- pid
					return
				}
			}
			select {
			case <-watching:
				return
			case <-time.After(time.Millisecond):
			}
		}
	}()
	e := new(engine.Engine)
	var stdout, stderr bytes.Buffer
	code := command.Main(t.Context(), e, slices.Concat(on, []string{"-o", model}), nil, &stdout, &stderr)
	close(watching)
	if err := e.Close(); err != nil {
		t.Error(err)
	}
	pid, ok := <-killed
	if !ok {
		t.Fatalf("no worker was there to be killed: %d: %s", code, stderr.String())
	}
	for _, word := range []string{fmt.Sprint("worker process, ", pid), "killed", "--staging"} {
		if code != 1 || !strings.Contains(stderr.String(), word) {
			t.Errorf("it ends with %d, and %q is not told: %s", code, word, stderr.String())
		}
	}
	if _, err := os.Stat(model); err == nil {
		t.Error("there is a model")
	}
	got, err := run(t, new(engine.Engine), on...)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("another model")
	}
}

// children are the processes that this one has started as workers.
func children() (pids []int) {
	found, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, path := range found {
		text, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		var pid, parent int
		var state string
		head, after, _ := strings.Cut(string(text), ") ")
		if _, err := fmt.Sscan(strings.Fields(head)[0], &pid); err != nil {
			continue
		}
		if _, err := fmt.Sscan(after, &state, &parent); err != nil || parent != os.Getpid() {
			continue
		}
		if line, err := os.ReadFile(filepath.Join(filepath.Dir(path), "cmdline")); err == nil && strings.Contains(string(line), "endpoint=") {
			pids = append(pids, pid)
		}
	}
	return pids
}
