package flags

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"example.org/mercer/cmd/mercer/internal/verb"
	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/open"
	"example.org/mercer/distributed"
)

// Passes say whether a table is read in passes over a compiled file of it.
type Passes struct {
	offered bool // the verb can
	asked   bool
	// Compiled is what became of the compiled file; nil: the table was read at once.
	Compiled *open.Compiled
}

// passNames are the flags.
var passNames = []string{"out-of-core"}

func (f *Passes) Register(cmd *cobra.Command) {
	defer verb.LimitsGroup.Claim(cmd.Flags())()
	f.offered = true
	cmd.Flags().BoolVar(&f.asked, passNames[0], false, "read the table in passes, for tables larger than memory: it is compiled once into a file beside it, or in the folder of --cache; so is one whose file is larger than --max-mem")
}

// Open compiles a table that is to be read in passes, or finds its compiled files; nil: it is to be
// read at once. A pattern stands for several files, which always are, and so is every table that an
// engine works on. The columns of text are those that must not lose digits.
func (f *Passes) Open(ctx context.Context, inv *verb.Invocation, path string, table *Table, text ...string) (data.Blocks, error) {
	limit := inv.Limit()
	larger := limit > 0 && open.Larger(path, limit)
	paths, several := open.Shards(path)
	asked := f.asked || several || inv.Engine != nil
	if !f.offered || !asked && !larger {
		return nil, nil
	}
	if !several {
		paths = []string{path}
	}
	if len(paths) == 0 {
		return nil, open.NoShards(path)
	}
	o, err := table.options(inv, text...)
	if err != nil {
		return nil, err
	}
	var workers distributed.Compiler
	var by open.Compiler // nil: this machine
	if inv.Engine != nil {
		if workers.Engine, workers.Store, err = inv.Engine.Start(ctx, inv.Note); err != nil {
			return nil, err
		}
		workers.Progress = inv.Progress
		by = workers
	}
	t, err := open.CompileShardsBy(ctx, by, path, paths, inv.CacheDir, o)
	if errors.Is(err, open.ErrNotStreamable) && !asked {
		return nil, nil // the plan will say what that takes
	}
	if err != nil {
		return nil, err
	}
	if larger && !asked {
		inv.Note("%s is larger than --max-mem %s: it is read in passes", path, compute.FormatBytes(limit))
	}
	f.tell(inv, t)
	if inv.Engine == nil {
		return t.Blocks, nil
	}
	return &distributed.Table{Blocks: t.Blocks, Shards: t.Shards, Store: workers.Store, Engine: workers.Engine, Progress: inv.Progress}, nil
}

// tell says what became of the compiled files.
func (f *Passes) tell(inv *verb.Invocation, t *open.Sharded) {
	f.Compiled = &t.Made
	inv.Note("passes: over %s", compiledNote(t.Made))
	for _, path := range t.Empty {
		inv.Note("%s has no rows, and is left out", path)
	}
	if n := len(t.Here); n > 0 {
		inv.Note("%d of the files were compiled on this machine, as a worker could not: %s", n, t.Here[0])
	}
}

// compiledNote says what became of compiled files.
func compiledNote(did open.Compiled) string {
	text := fmt.Sprintf("%s (%s), compiled ", did.Path, compute.FormatBytes(did.Size))
	if did.Files > 1 {
		text = fmt.Sprintf("%s and %d more (%s), compiled ", did.Path, did.Files-1, compute.FormatBytes(did.Size))
	}
	switch {
	case !did.Fresh:
		return text + "before"
	case did.Why == "":
		return text + "now in " + compute.FormatSeconds(did.Seconds)
	}
	return text + "again in " + compute.FormatSeconds(did.Seconds) + ": " + did.Why
}

// RefusePlot refuses a picture of rows that are not in memory.
func (f *Passes) RefusePlot(plot string) error {
	if plot != "" && f.Compiled != nil {
		return verb.Usagef("--plot draws all rows, and the table is read in passes: draw a part of it")
	}
	return nil
}

// Expanded adds to an error about the number of arguments what may have made them many: a pattern
// that the shell has replaced by the names of files.
func Expanded(args []string) string {
	if len(args) < 2 {
		return ""
	}
	last := args[len(args)-2:]
	if filepath.Ext(last[0]) == "" || filepath.Ext(last[0]) != filepath.Ext(last[1]) {
		return ""
	}
	return "; several files are one table where their pattern is quoted, such as 'part-*" + filepath.Ext(last[0]) + "'"
}
