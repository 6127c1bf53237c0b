package engine

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"sync"

	fnpb "github.com/apache/beam/sdks/v2/go/pkg/beam/model/fnexecution_v1"
	"google.golang.org/grpc"
)

// pool starts the worker processes of Prism, and watches them: Prism itself waits without end
// for one that was killed. It is what Beam calls an external pool of workers.
type pool struct {
	fnpb.UnimplementedBeamFnExternalWorkerPoolServer
	command string // that workers are started with
	address string
	server  *grpc.Server
	lost    chan error // a worker that ended, and was not told to

	mu      sync.Mutex
	workers map[string]*os.Process // by their names in Beam
}

// startPool starts the service.
func startPool(command string) (*pool, error) {
	at, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		return nil, err
	}
	p := &pool{command: command, address: at.Addr().String(), server: grpc.NewServer(), lost: make(chan error, 1), workers: map[string]*os.Process{}}
	fnpb.RegisterBeamFnExternalWorkerPoolServer(p.server, p)
	go p.server.Serve(at)
	return p, nil
}

// StartWorker starts a process. One that does not start is lost: Prism panics at an error.
func (p *pool) StartWorker(_ context.Context, r *fnpb.StartWorkerRequest) (*fnpb.StartWorkerResponse, error) {
	name := r.GetWorkerId()
	worker := exec.Command(p.command, "--id="+name, "--provision_endpoint="+r.GetProvisionEndpoint().GetUrl())
	worker.Stderr = os.Stderr
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := worker.Start(); err != nil {
		p.lose(fmt.Errorf("a worker process does not start: %w: see --environment-config", err))
		return &fnpb.StartWorkerResponse{}, nil
	}
	p.workers[name] = worker.Process
	go func() {
		err := worker.Wait()
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.workers[name] == nil { // it was stopped
			return
		}
		delete(p.workers, name)
		p.lose(fmt.Errorf("a worker process, %d, has ended (%v), as one is made to that takes too much memory: begin again, with the same --staging to keep what is done, and with fewer --threads if memory is short", worker.Process.Pid, ended(err)))
	}()
	return &fnpb.StartWorkerResponse{}, nil
}

// ended says how a process did.
func ended(err error) string {
	if err == nil {
		return "by itself"
	}
	return err.Error()
}

// lose tells of a worker that is lost; one is enough.
func (p *pool) lose(why error) {
	select {
	case p.lost <- why:
	default:
	}
}

// StopWorker ends a process.
func (p *pool) StopWorker(_ context.Context, r *fnpb.StopWorkerRequest) (*fnpb.StopWorkerResponse, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stop(r.GetWorkerId())
	return &fnpb.StopWorkerResponse{}, nil
}

// stop ends a process that is still there.
func (p *pool) stop(name string) {
	if worker := p.workers[name]; worker != nil {
		delete(p.workers, name)
		_ = worker.Kill() // or it has ended
	}
}

// watch cancels a job when a worker is lost, until done is called.
func (p *pool) watch(cancel context.CancelCauseFunc) (done func()) {
	over := make(chan struct{})
	go func() {
		select {
		case why := <-p.lost:
			cancel(why)
		case <-over:
		}
	}()
	return func() { close(over) }
}

// close ends the service and all processes.
func (p *pool) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for name := range p.workers {
		p.stop(name)
	}
	p.server.Stop()
}
