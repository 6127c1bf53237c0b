package verb

import (
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/spf13/cobra"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/gram/store"
	"example.org/mercer/internal/parallel"
)

// Invocation is one run of the command: its streams and the flags that every verb has.
type Invocation struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Args           []string    // the command line
	Next           []string    // the one to run after this one and in place of it; nil: none
	Table          *data.Table // what this one has read for the next; nil: nothing

	JSON     bool
	Quiet    bool
	Verbose  bool
	NoColour bool // on terminals
	Seed     uint64
	Workers  int
	MaxMem   string
	Config   string // a file of flags
	// WrittenConfig is the file that the flags are written to.
	WrittenConfig string
	All           bool         // --help prints every flag
	NoHelp        error        // of a help that there is none of
	store         *store.Store // of tiles; nil: none
	noted         []string     // what note has said
	streamed      bool         // a file was written to standard output
	emitted       bool         // a document of JSON was written there
	CacheDir      string       // the folder of --cache; "": none
	bar           *bar         // nil: nothing was computed yet
	barOnce       sync.Once

	documents map[*cobra.Command][]any // that verbs print

	// Engine makes the passes over tables; nil: they are made here.
	Engine Engine

	// Watch, if not nil, hears of the progress beside the bar.
	Watch func(stage string, done, total int64)
}

// Silent is the same run without notes and bar, for what it does several times or asks beforehand.
func (inv *Invocation) Silent() *Invocation {
	return &Invocation{
		Stdin: inv.Stdin, Stdout: inv.Stdout, Stderr: inv.Stderr, Args: inv.Args, Table: inv.Table, Quiet: true, JSON: inv.JSON,
		Seed: inv.Seed, Workers: inv.Workers, MaxMem: inv.MaxMem, store: inv.store, CacheDir: inv.CacheDir, Engine: inv.Engine, Watch: inv.Watch,
	}
}

// Check checks the flags that every verb has.
func (inv *Invocation) Check() error {
	var problems []error
	if inv.Workers < 0 {
		problems = append(problems, fmt.Errorf("--workers is %d; give a positive number, or 0 for one per core", inv.Workers))
	}
	if inv.Quiet && inv.Verbose {
		problems = append(problems, errors.New("--quiet and --verbose exclude each other"))
	}
	if inv.MaxMem != "" {
		if _, err := compute.ParseBytes(inv.MaxMem); err != nil {
			problems = append(problems, fmt.Errorf("--max-mem: %w", err))
		}
	}
	if len(problems) > 0 {
		return AsUsage(errors.Join(problems...))
	}
	return nil
}

// Progress shows how far a piece of work has come.
func (inv *Invocation) Progress(stage string, done, total int64) {
	inv.barOnce.Do(func() { inv.bar = newBar(inv) })
	inv.bar.report(stage, done, total)
	if inv.Watch != nil {
		inv.Watch(stage, done, total)
	}
}

// Found shows beside the progress of a search what it has come to.
func (inv *Invocation) Found(best string) {
	if inv.bar != nil {
		inv.bar.tell(best)
	}
}

// Compute returns the computing options of this run; stop ends its progress bar.
func (inv *Invocation) Compute() (o compute.Options, stop func()) {
	o = compute.Options{Workers: min(inv.Workers, parallel.Workers(inv.Workers)), MaxMemory: inv.Limit(), Progress: inv.Progress}
	if inv.store != nil {
		o.Store = inv.store
	}
	return o, func() {
		if inv.bar != nil {
			inv.bar.stop()
		}
	}
}

// Limit returns the bytes of --max-mem, 0 without.
func (inv *Invocation) Limit() int64 {
	if inv.MaxMem == "" {
		return 0
	}
	limit, _ := compute.ParseBytes(inv.MaxMem) // validated
	return limit
}

// InPlace marks commands whose output may be their first argument.
const InPlace = "in place"

// Budget returns what reading files may take within --max-mem.
func (inv *Invocation) Budget() *data.Budget {
	return data.NewBudget(compute.ReadingBudget(inv.Limit()))
}
