package engine_test

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"example.org/mercer/beam/engine"
	"example.org/mercer/cmd/mercer/command"
	"example.org/mercer/distributed"
)

// failing is an engine under whose second pass something fails.
type failing struct {
	engine.Engine
	fail   func() error
	passes int
	failed chan error
}

func (e *failing) Start(ctx context.Context, note func(string, ...any)) (distributed.Engine, distributed.Store, error) {
	_, store, err := e.Engine.Start(ctx, note)
	return e, store, err
}

func (e *failing) Run(ctx context.Context, pieces []distributed.Piece) error {
	if e.passes++; e.passes == 2 { // the first compiles the files
		go func() { e.failed <- e.fail() }()
	}
	return e.Engine.Run(ctx, pieces)
}

// taskManagers are those of the cluster.
const taskManagers = 4

// flink starts a real cluster of Flink on this machine by the script, and returns what else does.
// What is fetched from Maven Central is kept in the folder of MERCER_FLINK, if that is set.
func flink(t *testing.T) (do func(args ...string) error) {
	t.Helper()
	if os.Getenv("MERCER_LARGE") == "" {
		t.Skip("starts a cluster of Flink: set MERCER_LARGE=1")
	}
	for _, tool := range []string{"java", "mvn", "curl", "bash"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("there is no %s here, which a cluster of Flink needs", tool)
		}
	}
	script, err := filepath.Abs("../flink/cluster")
	if err != nil {
		t.Fatal(err)
	}
	cluster := os.Getenv("MERCER_FLINK")
	if cluster == "" {
		cluster = t.TempDir()
	}
	do = func(args ...string) error {
		out, err := exec.Command(script, append([]string{args[0], cluster}, args[1:]...)...).CombinedOutput()
		if err != nil {
			t.Logf("%v: %s", args, out)
		}
		return err
	}
	if err := do("start", strconv.Itoa(taskManagers)); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := do("stop"); err != nil {
			t.Error(err)
		}
	})
	return do
}

// onFlink are the flags of a run on the cluster.
func onFlink(staging string, workers int) []string {
	return []string{"--runner", "flink", "--endpoint", "localhost:8099", "--staging", staging, "--threads", "1", "--parallelism", strconv.Itoa(workers)}
}

// TestFlinkFails kills a TaskManager, or the job server, in the middle of a pass. Flink gives
// the pieces of a TaskManager to others. Without the job server the run ends, with an error,
// and goes on when it begins again: the models are those of mercer.
func TestFlinkFails(t *testing.T) {
	do := flink(t)
	folder := t.TempDir()
	writeShards(t, folder, 20000, 7)
	t.Chdir(folder)
	want, err := run(t, nil, fits["krr"]...)
	if err != nil {
		t.Fatal(err)
	}
	for name, fail := range map[string]func() error{
		"a TaskManager":  func() error { return do("kill", "1") },
		"the job server": func() error { return do("restart") },
	} {
		staging, model := t.TempDir(), filepath.Join(t.TempDir(), "m.mercer")
		e := &failing{fail: fail, failed: make(chan error, 1)}
		var stdout, stderr bytes.Buffer
		code := command.Main(t.Context(), e, slices.Concat(fits["krr"], onFlink(staging, 2), []string{"-o", model}), nil, &stdout, &stderr)
		if err := <-e.failed; err != nil {
			t.Error(err)
		}
		t.Logf("without %s it ends with %d: %.500s", name, code, stderr.String())
		got, err := os.ReadFile(model)
		if code != 0 {
			if name == "a TaskManager" || code != 1 || err == nil {
				t.Errorf("without %s it ends with %d, with a model: %t", name, code, err == nil)
			}
			got, err = run(t, new(engine.Engine), slices.Concat(fits["krr"], onFlink(staging, 2))...)
		}
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("without %s: another model, %v", name, err)
		}
	}
}
