package engine

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"sync"
	"time"

	fnpb "github.com/apache/beam/sdks/v2/go/pkg/beam/model/fnexecution_v1"
	"google.golang.org/grpc"
)

// Pool starts worker processes when a runner asks for them: the environment external of Beam. So a
// machine of the cluster needs the command beside its TaskManager, and not within its image.
type Pool struct {
	Command string    // the command of a worker; "": this one
	Output  io.Writer // takes what workers print; nil: nothing does
	// Lost is told of a worker that does not start, or that ends without having been asked to; nil:
	// the runner is told of the first, and misses the second itself.
	Lost func(why error)
}

// stopWait is how long a worker may take to end.
const stopWait = 5 * time.Second

// Serve answers runners until the context ends, and ends all workers then.
func (p Pool) Serve(ctx context.Context, l net.Listener) error {
	if p.Command == "" {
		command, err := os.Executable()
		if err != nil {
			return err
		}
		p.Command = command
	}
	ctx, end := context.WithCancel(ctx)
	s := &starter{pool: p, ctx: ctx, stops: map[string]context.CancelFunc{}}
	server := grpc.NewServer()
	fnpb.RegisterBeamFnExternalWorkerPoolServer(server, s)
	go func() {
		<-ctx.Done()
		server.Stop()
	}()
	err := server.Serve(l)
	end()
	s.running.Wait()
	return err
}

// starter starts and stops workers.
type starter struct {
	fnpb.UnimplementedBeamFnExternalWorkerPoolServer
	pool Pool
	ctx  context.Context

	mu      sync.Mutex
	stops   map[string]context.CancelFunc // of the workers that run, by their identifiers
	running sync.WaitGroup
}

// StartWorker starts a worker. What is wrong goes back to the runner as a text.
func (s *starter) StartWorker(_ context.Context, r *fnpb.StartWorkerRequest) (*fnpb.StartWorkerResponse, error) {
	err := s.start(r)
	if err != nil && s.pool.Lost == nil {
		return &fnpb.StartWorkerResponse{Error: "worker pool of mercer-beam: " + err.Error()}, nil
	}
	if err != nil {
		s.pool.Lost(fmt.Errorf("a worker process does not start: %w: see --environment-config", err))
	}
	return &fnpb.StartWorkerResponse{}, nil
}

func (s *starter) start(r *fnpb.StartWorkerRequest) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	id := r.GetWorkerId()
	if s.ctx.Err() != nil {
		return errors.New("it ends")
	}
	if s.stops[id] != nil {
		return fmt.Errorf("a worker %q runs already", id)
	}
	args := []string{"--id=" + id}
	for _, endpoint := range []struct{ name, url string }{
		{"provision", r.GetProvisionEndpoint().GetUrl()}, {"control", r.GetControlEndpoint().GetUrl()},
		{"logging", r.GetLoggingEndpoint().GetUrl()}, {"artifact", r.GetArtifactEndpoint().GetUrl()},
	} {
		if endpoint.url == "" {
			return fmt.Errorf("the request for a worker has no address of its %s service", endpoint.name)
		}
		args = append(args, "--"+endpoint.name+"_endpoint="+endpoint.url)
	}
	ctx, stop := context.WithCancel(s.ctx)
	worker := exec.CommandContext(ctx, s.pool.Command, args...)
	worker.Stdout, worker.Stderr, worker.WaitDelay = s.pool.Output, s.pool.Output, stopWait
	if err := worker.Start(); err != nil {
		stop()
		return err
	}
	s.stops[id] = stop
	s.running.Go(func() {
		err := worker.Wait()
		if ctx.Err() == nil && s.pool.Lost != nil {
			s.pool.Lost(fmt.Errorf("a worker process, %d, has ended (%s), as one is made to that takes too much memory: begin again, with the same --staging to keep what is done, and with fewer --threads if memory is short", worker.Process.Pid, ended(err)))
		}
		stop()
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.stops, id)
	})
	return nil
}

// ended says how a process did.
func ended(err error) string {
	if err == nil {
		return "by itself"
	}
	return err.Error()
}

// StopWorker stops a worker.
func (s *starter) StopWorker(_ context.Context, r *fnpb.StopWorkerRequest) (*fnpb.StopWorkerResponse, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if stop := s.stops[r.GetWorkerId()]; stop != nil {
		stop()
	}
	return &fnpb.StopWorkerResponse{}, nil // one that has ended is stopped
}

// reach is an error where no pool answers at an address.
func reach(address string) error {
	conn, err := net.DialTimeout("tcp", address, stopWait)
	if err != nil {
		return fmt.Errorf("--environment-config %q: no pool of workers answers (%w): start one by mercer-beam workers --listen %[1]s", address, err)
	}
	return conn.Close()
}
