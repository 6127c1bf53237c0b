package verb

import (
	"context"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"example.org/mercer/distributed"
)

// Engine makes passes over tables on machines of its own.
type Engine interface {
	// Program is the name of the command that has it.
	Program() string
	// Flags registers its options with all verbs.
	Flags(set *pflag.FlagSet)
	// Check reports all that is wrong with these.
	Check() error
	// Start returns the engine and its store, once the flags are known; note tells the user.
	Start(ctx context.Context, note func(format string, args ...any)) (distributed.Engine, distributed.Store, error)
}

// WithVerbs is an engine that has verbs of its own.
type WithVerbs interface {
	Engine
	Verbs() []*cobra.Command
}

// Program is the name of the command.
func (inv *Invocation) Program() string {
	if inv.Engine == nil {
		return "mercer"
	}
	return inv.Engine.Program()
}

// engineMark is the annotation of a flag of an engine.
const engineMark = "engine"

// EngineFlags registers the flags of the engine, if there is one.
func (inv *Invocation) EngineFlags(set *pflag.FlagSet) {
	if inv.Engine == nil {
		return
	}
	own := pflag.NewFlagSet("", pflag.ContinueOnError)
	inv.Engine.Flags(own)
	own.VisitAll(func(f *pflag.Flag) {
		if f.Annotations == nil {
			f.Annotations = map[string][]string{}
		}
		f.Annotations[engineMark] = nil
		set.AddFlag(f)
	})
}

// CheckEngine reports what is wrong with the flags of the engine, if there is one.
func (inv *Invocation) CheckEngine() error {
	if inv.Engine == nil {
		return nil
	}
	if err := inv.Engine.Check(); err != nil {
		return AsUsage(err)
	}
	return nil
}

// OfEngine reports whether a flag is one of the engine, which changes no model.
func OfEngine(f *pflag.Flag) bool {
	_, marked := f.Annotations[engineMark]
	return marked
}
