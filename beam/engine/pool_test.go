package engine_test

import (
	"bytes"
	"context"
	"net"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	fnpb "github.com/apache/beam/sdks/v2/go/pkg/beam/model/fnexecution_v1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	"example.org/mercer/beam/engine"
	"example.org/mercer/cmd/mercer/command"
)

// pool starts a pool of workers, which are processes of the tests, and returns its address.
func pool(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	var over sync.WaitGroup
	over.Go(func() {
		if err := (engine.Pool{}).Serve(ctx, l); err != nil && ctx.Err() == nil {
			t.Error(err)
		}
	})
	t.Cleanup(func() { stop(); over.Wait() })
	return l.Addr().String()
}

// TestPool has a fit made by workers that a pool starts.
func TestPool(t *testing.T) {
	folder := t.TempDir()
	writeShards(t, folder, 20000, 3)
	t.Chdir(folder)
	want, err := run(t, nil, fits["krr"]...)
	if err != nil {
		t.Fatal(err)
	}
	got, err := run(t, new(engine.Engine), append(slices.Clone(fits["krr"]), "--environment", "external", "--environment-config", pool(t))...)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("another model")
	}
}

// TestNoPool is an error that says how to start one.
func TestNoPool(t *testing.T) {
	folder := t.TempDir()
	writeShards(t, folder, 100, 1)
	t.Chdir(folder)
	_, err := run(t, new(engine.Engine), append(slices.Clone(fits["krr"]), "--environment", "external", "--environment-config", "127.0.0.1:1")...)
	if err == nil || !strings.Contains(err.Error(), "mercer-beam workers --listen 127.0.0.1:1") {
		t.Errorf("without a pool: %v", err)
	}
}

// TestPoolRefuses tells a runner what its request lacks, and lets a worker be stopped that is not
// there.
func TestPoolRefuses(t *testing.T) {
	conn, err := grpc.NewClient(pool(t), grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	of := fnpb.NewBeamFnExternalWorkerPoolClient(conn)
	answer, err := of.StartWorker(t.Context(), &fnpb.StartWorkerRequest{WorkerId: "one"})
	if err != nil || !strings.Contains(answer.GetError(), "provision") {
		t.Errorf("without addresses: %q, %v", answer.GetError(), err)
	}
	if stopped, err := of.StopWorker(t.Context(), &fnpb.StopWorkerRequest{WorkerId: "one"}); err != nil || stopped.GetError() != "" {
		t.Errorf("of none: %q, %v", stopped.GetError(), err)
	}
}

// TestWorkers refuses an address of other machines, and ends when it is asked to.
func TestWorkers(t *testing.T) {
	var stdout, stderr bytes.Buffer
	if code := command.Main(t.Context(), new(engine.Engine), []string{"workers", "--listen", "0.0.0.0:0"}, nil, &stdout, &stderr); code != 1 || !strings.Contains(stderr.String(), "--public") {
		t.Errorf("of other machines: %d, %s", code, stderr.String())
	}
	ctx, stop := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer stop()
	stderr.Reset()
	if code := command.Main(ctx, new(engine.Engine), []string{"workers", "--listen", "127.0.0.1:0"}, nil, &stdout, &stderr); code != 0 || !strings.Contains(stderr.String(), "127.0.0.1:") {
		t.Errorf("until it is asked to end: %d, %s", code, stderr.String())
	}
	if code := command.Main(t.Context(), new(engine.Engine), []string{"workers", "--listen", filepath.Join("no", "address")}, nil, &stdout, &stderr); code != 1 {
		t.Errorf("without an address: %d", code)
	}
}
