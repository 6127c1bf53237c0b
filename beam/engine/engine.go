package engine

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	beamlog "github.com/apache/beam/sdks/v2/go/pkg/beam/log"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/flink"     // a runner
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"     // a runner
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/universal" // a runner
	"github.com/spf13/pflag"

	"example.org/mercer/distributed"
)

// Engine has passes made by a runner of Beam.
type Engine struct {
	runner      string
	endpoint    string
	environment string
	config      string
	staging     string
	name        string
	parallelism int
	threads     int
	log         bool

	starting sync.Once
	err      error
	own      string // a folder of its own, to remove
	folder   string // of this machine
	store    distributed.Store
	copies   map[string]string // of objects, with these
	pool     *watched          // of the worker processes of Prism; nil: none
	mu       sync.Mutex        // Beam takes one job of a process at a time
}

// runners are those with their names in Beam.
var runners = map[string]string{"prism": "prism", "flink": "flink", "portable": "universal"}

// environments are those of workers.
var environments = []string{"loopback", "process", "external", "docker"}

// Program is the name of the command.
func (e *Engine) Program() string { return "mercer-beam" }

// Flags registers the options.
func (e *Engine) Flags(set *pflag.FlagSet) {
	set.StringVar(&e.runner, "runner", "prism", "what makes the passes: prism (on this machine), flink, or portable (any job server of Beam)")
	set.StringVar(&e.endpoint, "endpoint", "", "address of the job server, such as localhost:8099; prism needs none")
	set.StringVar(&e.environment, "environment", "", "how workers are started: loopback (in this process), process, external or docker; default: loopback with prism, process with others")
	set.StringVar(&e.config, "environment-config", "", "what the environment is started with: the path of this command on the workers, the address of a worker pool, or an image; default for process: the path of this command here")
	set.StringVar(&e.staging, "staging", "", "folder that this machine and all workers see, or a bucket (s3://NAME/PREFIX, gs://NAME/PREFIX), for what they exchange; results in it are used again by a run that was stopped; default: a temporary one")
	set.IntVar(&e.parallelism, "parallelism", 0, "how many workers a job is spread over; 0: what the runner chooses")
	set.StringVar(&e.name, "job-name", "mercer", "what the jobs of this run are called at the engine, such as in the pages of Flink: letters and digits")
	set.BoolVar(&e.log, "engine-log", false, "print what the engine says of its jobs")
	set.IntVar(&e.threads, "threads", 0, "pieces that one worker process computes at a time; 0: one for each core")
}

// Check reports all that is wrong with the flags.
func (e *Engine) Check() error {
	var problems []error
	_, known := runners[e.runner]
	if !known {
		problems = append(problems, fmt.Errorf("--runner %q is not known; there are prism, flink and portable", e.runner))
	}
	if e.environment != "" && !slices.Contains(environments, e.environment) {
		problems = append(problems, fmt.Errorf("--environment %q is not known; there are %s", e.environment, strings.Join(environments, ", ")))
	}
	cluster := known && e.runner != "prism"
	if cluster && e.endpoint == "" {
		problems = append(problems, fmt.Errorf("--runner %s needs the --endpoint of a job server, such as localhost:8099", e.runner))
	}
	if cluster && e.staging == "" {
		problems = append(problems, fmt.Errorf("--runner %s needs a folder that all workers see: --staging", e.runner))
	}
	if strings.ContainsFunc(e.name, func(r rune) bool { return !('0' <= r && r <= '9') && !('a' <= r|0x20 && r|0x20 <= 'z') }) {
		problems = append(problems, fmt.Errorf("--job-name %q has more than letters and digits", e.name))
	}
	if e.parallelism < 0 || e.threads < 0 {
		problems = append(problems, errors.New("--parallelism and --threads are 0 or more"))
	}
	return errors.Join(problems...)
}

// Start returns the engine and its store.
func (e *Engine) Start(ctx context.Context, note func(format string, args ...any)) (distributed.Engine, distributed.Store, error) {
	e.starting.Do(func() {
		if !e.log {
			slog.SetDefault(slog.New(slog.NewTextHandler(io.Discard, nil)))
			beamlog.SetLogger(silent{})
		}
		if e.err = e.stage(ctx); e.err == nil {
			e.err = e.configure()
		}
		if e.err == nil {
			note("passes: by %s, staged in %s", e.runner, e.staging)
		}
	})
	return e, e.store, e.err
}

// stage finds the staging place, a folder or a bucket, and a folder of this machine.
func (e *Engine) stage(ctx context.Context) (err error) {
	e.staging = strings.TrimPrefix(e.staging, "file://")
	if e.staging == "" || inBucket(e.staging) {
		if e.own, err = os.MkdirTemp("", "mercer-staging-"); err != nil {
			return err
		}
		e.staging, e.folder = cmp.Or(e.staging, e.own), e.own
	}
	if !inBucket(e.staging) {
		if e.staging, err = filepath.Abs(e.staging); err != nil {
			return err
		}
		if err := os.MkdirAll(e.staging, 0o755); err != nil {
			return err
		}
		e.folder = e.staging
	}
	e.store, err = storeOf(ctx, e.staging)
	if b, ok := e.store.(*bucket); ok {
		b.copies = e.copies
	}
	return err
}

// silent forgets what Beam says. Errors come back from the job.
type silent struct{}

func (silent) Log(context.Context, beamlog.Severity, int, string) {}

// configure passes the options on to Beam, which reads them from flags of the process.
func (e *Engine) configure() error {
	if e.environment == "" {
		e.environment = "loopback"
		if e.runner != "prism" {
			e.environment = "process"
		}
	}
	if e.environment == "external" && e.runner == "prism" { // which panics without a pool
		if err := reach(e.config); err != nil {
			return err
		}
	}
	binary, err := e.binary()
	if err == nil && e.environment == "process" {
		err = e.processes()
	}
	if err != nil {
		return err
	}
	var problems []error
	for name, value := range map[string]string{"endpoint": e.endpoint, "environment_type": strings.ToUpper(e.environment), "environment_config": e.config, "worker_binary": binary, "job_name": cmp.Or(e.name, "mercer")} {
		problems = append(problems, flag.Set(name, value))
	}
	if e.parallelism > 0 {
		problems = append(problems, flag.Set("parallelism", strconv.Itoa(e.parallelism)))
	}
	return errors.Join(problems...)
}

// processes says how worker processes are started: by a pool that watches them where it is
// Prism that would.
func (e *Engine) processes() (err error) {
	command := e.config
	if command == "" {
		if command, err = os.Executable(); err != nil {
			return err
		}
	}
	if e.runner == "prism" {
		if e.pool, err = startWatched(command, e.log); err == nil {
			e.environment, e.config = "external", e.pool.address
		}
		return err
	}
	text, err := json.Marshal(map[string]string{"command": command})
	e.config = string(text)
	return err
}

// binary is the file that a job sends to its workers as their program: this one where they have
// to be given it. Others are started with a program that they have, and Beam, which sends a
// file in any case with every job, sends a small one.
func (e *Engine) binary() (string, error) {
	switch e.environment {
	case "loopback":
		return "", nil
	case "docker":
		return os.Executable()
	}
	path := filepath.Join(e.folder, "worker-has-its-program")
	return path, os.WriteFile(path, []byte("The workers of this engine are started with a program of their own.\n"), 0o600)
}

// Close ends workers, and removes what the engine has written for itself.
func (e *Engine) Close() error {
	if e.pool != nil {
		e.pool.close()
	}
	if e.own == "" {
		return nil
	}
	return os.RemoveAll(e.own)
}

// Run has the pieces worked on in one job.
func (e *Engine) Run(ctx context.Context, pieces []distributed.Piece) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	texts := make([]string, len(pieces))
	for i, p := range pieces {
		text, err := json.Marshal(p)
		if err != nil {
			return err
		}
		texts[i] = string(text)
	}
	pipeline, root := beam.NewPipelineWithRoot()
	spread := beam.Reshuffle(root.Scope("spread"), beam.CreateList(root.Scope("pieces"), texts))
	done := beam.ParDo(root.Scope("pass"), &work{Staging: e.staging, Threads: e.threads}, spread)
	if e.runner == "prism" {
		beam.ParDo0(root.Scope("done"), forget, beam.Reshuffle(root.Scope("done"), done))
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	if e.pool != nil {
		defer e.pool.watch(cancel)()
	}
	if e.hearsLate() {
		defer e.await(ctx, cancel, pieces)()
	}
	_, err := beam.Run(ctx, runners[e.runner], pipeline)
	if errors.Is(context.Cause(ctx), errDone) {
		return nil
	}
	if err != nil && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// errDone is why a job is left whose pieces all have results.
var errDone = errors.New("all pieces have results")

// hearsLate reports whether a job may be left before the runner says that it has ended. Flink's
// client asks after 0.3, 0.6, 1.3 and 2.6 seconds, and then every two, and a job takes a while to
// end its workers. Those in this process would end with the job.
func (e *Engine) hearsLate() bool { return e.runner != "prism" && e.environment != "loopback" }

// await leaves a job when all its pieces have results, until over is called.
func (e *Engine) await(ctx context.Context, leave context.CancelCauseFunc, pieces []distributed.Piece) (over func()) {
	ctx, stop := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if distributed.Await(ctx, e.store, pieces) == nil {
			leave(errDone)
		}
	}()
	return func() {
		stop()
		<-ended
	}
}
