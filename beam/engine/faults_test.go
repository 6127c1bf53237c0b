package engine_test

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"

	"example.org/mercer/beam/engine"
	"example.org/mercer/cmd/mercer/command"
	"example.org/mercer/distributed"
)

// served has the port of a job server, for a process of its own; see [serve].
const served = "MERCER_BEAM_PORT"

// serve is a job server of Prism, if the process is to be one, and then does not return.
func serve() {
	text := os.Getenv(served)
	if text == "" {
		return
	}
	port, err := strconv.Atoi(text)
	if err == nil {
		_, err = prism.CreateJobServer(context.Background(), prism.Options{Port: port})
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	select {}
}

// restarting is an engine whose job server is killed with −9 before its third pass, and comes
// back after a while.
type restarting struct {
	engine.Engine
	server *exec.Cmd
	start  func() (*exec.Cmd, error)
	passes int
}

func (e *restarting) Start(ctx context.Context, note func(string, ...any)) (distributed.Engine, distributed.Store, error) {
	_, store, err := e.Engine.Start(ctx, note)
	return e, store, err
}

func (e *restarting) Run(ctx context.Context, pieces []distributed.Piece) error {
	if e.passes++; e.passes != 3 {
		return e.Engine.Run(ctx, pieces)
	}
	if err := e.server.Process.Kill(); err != nil {
		return err
	}
	_ = e.server.Wait() // it was killed
	began := make(chan error, 1)
	go func() {
		time.Sleep(time.Second)
		var err error
		e.server, err = e.start()
		began <- err
	}()
	err := e.Engine.Run(ctx, pieces)
	if problem := <-began; problem != nil {
		return problem
	}
	return err
}

// TestTheJobServerIsRestarted between two passes: the run waits for it, and goes on to the model of
// an undisturbed one.
func TestTheJobServerIsRestarted(t *testing.T) {
	folder := t.TempDir()
	writeShards(t, folder, 20000, 3)
	t.Chdir(folder)
	want, err := run(t, nil, fits["pca"]...)
	if err != nil {
		t.Fatal(err)
	}
	free, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		t.Fatal(err)
	}
	port := free.Addr().(*net.TCPAddr).Port
	if err := free.Close(); err != nil {
		t.Fatal(err)
	}
	start := func() (*exec.Cmd, error) {
		server := exec.CommandContext(t.Context(), os.Args[0])
		server.Env = append(os.Environ(), fmt.Sprint(served, "=", port))
		return server, server.Start()
	}
	e := &restarting{start: start}
	if e.server, err = start(); err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	model := filepath.Join(t.TempDir(), "m.mercer")
	on := []string{"--runner", "portable", "--endpoint", fmt.Sprint("localhost:", port), "--environment", "loopback", "--staging", t.TempDir(), "-o", model}
	code := command.Main(t.Context(), e, slices.Concat(fits["pca"], on), nil, &stdout, &stderr)
	if err := e.server.Process.Kill(); err != nil {
		t.Error(err)
	}
	_ = e.server.Wait() // it was killed
	if code != 0 || e.passes < 3 {
		t.Fatalf("it ends with %d after %d passes: %s", code, e.passes, stderr.String())
	}
	if got, err := os.ReadFile(model); err != nil || !bytes.Equal(got, want) {
		t.Errorf("another model, %v", err)
	}
}
