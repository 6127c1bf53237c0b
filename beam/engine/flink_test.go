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

// killing is an engine that kills a TaskManager with −9 once its first job has begun, and
// starts another.
type killing struct {
	engine.Engine
	kill   func() error
	killed chan error
}

func (e *killing) Start(ctx context.Context, note func(string, ...any)) (distributed.Engine, distributed.Store, error) {
	_, store, err := e.Engine.Start(ctx, note)
	return e, store, err
}

func (e *killing) Run(ctx context.Context, pieces []distributed.Piece) error {
	if e.killed == nil {
		e.killed = make(chan error, 1)
		go func() { e.killed <- e.kill() }()
	}
	return e.Engine.Run(ctx, pieces)
}

// TestFlink makes models on a real cluster of Flink, which the script starts on this machine,
// with one and two workers, and with a TaskManager killed: they are those of mercer. What is
// fetched from Maven Central is kept in the folder of MERCER_FLINK, if that is set.
func TestFlink(t *testing.T) {
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
	do := func(args ...string) error {
		out, err := exec.Command(script, args...).CombinedOutput()
		if err != nil {
			t.Logf("%v: %s", args, out)
		}
		return err
	}
	if err := do("start", cluster); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := do("stop", cluster); err != nil {
			t.Error(err)
		}
	}()
	folder := t.TempDir()
	writeShards(t, folder, 20000, 7)
	t.Chdir(folder)
	for _, name := range []string{"krr", "krr, random"} {
		want, err := run(t, nil, fits[name]...)
		if err != nil {
			t.Fatal(err)
		}
		for _, workers := range []int{1, 2} {
			on := []string{"--runner", "flink", "--endpoint", "localhost:8099", "--staging", t.TempDir(), "--threads", "1", "--parallelism", strconv.Itoa(workers)}
			got, err := run(t, new(engine.Engine), slices.Concat(fits[name], on)...)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got, want) {
				t.Errorf("%s with %d workers: another model", name, workers)
			}
		}
	}
	want, err := run(t, nil, fits["krr"]...)
	if err != nil {
		t.Fatal(err)
	}
	e := &killing{kill: func() error { return do("kill", cluster, "1") }}
	var stdout, stderr bytes.Buffer
	model := filepath.Join(t.TempDir(), "m.mercer")
	on := []string{"--runner", "flink", "--endpoint", "localhost:8099", "--staging", t.TempDir(), "--threads", "1", "--parallelism", "2", "-o", model}
	if code := command.Main(t.Context(), e, slices.Concat(fits["krr"], on), nil, &stdout, &stderr); code != 0 {
		t.Fatalf("with a TaskManager killed: %d: %s", code, stderr.String())
	}
	if err := <-e.killed; err != nil {
		t.Error(err)
	}
	if got, err := os.ReadFile(model); err != nil || !bytes.Equal(got, want) {
		t.Errorf("with a TaskManager killed: another model, %v", err)
	}
}
