package serve

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"regexp"
	"runtime"
	"time"
)

// Source is a model file and the name by which it answers.
type Source struct{ Name, Path string }

// Options say what is served, and within which limits. The zero value of each is useful.
type Options struct {
	Models []Source
	// Folder serves every file *.mercer in it, by its name without the ending, as they come and go.
	Folder string
	// Watch is the time between two looks at the files; 0: 2 s, negative: they are read again when
	// they are asked to be.
	Watch time.Duration
	// SchemaChange lets a file replace a model that has other columns.
	SchemaChange bool

	MaxBody     int64         // bytes of a request after decompression; 0: 64 MiB
	MaxRows     int           // of a request; 0: a million
	Concurrency int           // predictions at a time; 0: one for each core
	Queue       int           // requests that wait for a model; 0: 1024
	Timeout     time.Duration // of a request; 0: 30 s
	MaxMemory   int64         // of one prediction, in bytes; 0: no limit

	// Tokens is a file of bearer tokens, one in a line; "": none is asked for.
	Tokens string
	// Admin lets requests load and unload models.
	Admin bool
	// Hosts are the names by which the server may be called. Without any it may be called by every
	// name, on the loopback by those of the loopback alone.
	Hosts []string

	// Log hears of every request and of models that come and go; nil: nobody does.
	Log *slog.Logger
}

// named are the names that a model may have.
var named = regexp.MustCompile(`^[A-Za-z0-9._-]{1,128}$`)

// withDefaults fills in what is 0.
func (o Options) withDefaults() Options {
	o.Watch = cmp.Or(o.Watch, 2*time.Second)
	o.MaxBody = cmp.Or(o.MaxBody, 64<<20)
	o.MaxRows = cmp.Or(o.MaxRows, 1_000_000)
	o.Concurrency = cmp.Or(o.Concurrency, runtime.GOMAXPROCS(0))
	o.Queue = cmp.Or(o.Queue, 1024)
	o.Timeout = cmp.Or(o.Timeout, 30*time.Second)
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return o
}

// validate reports all that is wrong with the options.
func (o Options) validate() error {
	var problems []error
	if len(o.Models) == 0 && o.Folder == "" {
		problems = append(problems, errors.New("there is no model: give model files, or a folder of them"))
	}
	seen := map[string]bool{}
	for _, m := range o.Models {
		if !named.MatchString(m.Name) {
			problems = append(problems, fmt.Errorf("the name %q of a model is to be of 1 to 128 letters, digits, points, strokes and underscores", m.Name))
		}
		if seen[m.Name] {
			problems = append(problems, fmt.Errorf("two models are called %s: give one of them another name", m.Name))
		}
		seen[m.Name] = true
	}
	for name, v := range map[string]int64{"MaxBody": o.MaxBody, "MaxRows": int64(o.MaxRows), "Concurrency": int64(o.Concurrency), "Queue": int64(o.Queue), "Timeout": int64(o.Timeout), "MaxMemory": o.MaxMemory} {
		if v < 0 {
			problems = append(problems, fmt.Errorf("%s is %d: give 0 for its default, or more", name, v))
		}
	}
	if err := errors.Join(problems...); err != nil {
		return fmt.Errorf("serve: %w", err)
	}
	return nil
}
