package flags

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"example.org/mercer/cmd/mercer/internal/verb"
	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/open"
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

// Open compiles a table that is to be read in passes, or finds its compiled file; nil: it is to be
// read at once. The columns of text are those that must not lose digits.
func (f *Passes) Open(ctx context.Context, inv *verb.Invocation, path string, table *Table, text ...string) (data.Blocks, error) {
	limit := inv.Limit()
	larger := limit > 0 && open.Larger(path, limit)
	if !f.offered || !f.asked && !larger {
		return nil, nil
	}
	o, err := table.options(inv, text...)
	if err != nil {
		return nil, err
	}
	t, did, err := open.Compile(ctx, path, inv.CacheDir, o)
	if errors.Is(err, open.ErrNotStreamable) && !f.asked {
		return nil, nil // the plan will say what that takes
	}
	if err != nil {
		return nil, err
	}
	f.Compiled = did
	if larger && !f.asked {
		inv.Note("%s is larger than --max-mem %s: it is read in passes", path, compute.FormatBytes(limit))
	}
	switch {
	case !did.Fresh:
		inv.Note("passes: over %s (%s), compiled before", did.Path, compute.FormatBytes(did.Size))
	case did.Why == "":
		inv.Note("passes: over %s (%s), compiled now in %s", did.Path, compute.FormatBytes(did.Size), compute.FormatSeconds(did.Seconds))
	default:
		inv.Note("passes: over %s (%s), compiled again in %s: %s", did.Path, compute.FormatBytes(did.Size), compute.FormatSeconds(did.Seconds), did.Why)
	}
	return t, nil
}

// RefusePlot refuses a picture of rows that are not in memory.
func (f *Passes) RefusePlot(plot string) error {
	if plot != "" && f.Compiled != nil {
		return verb.Usagef("--plot draws all rows, and the table is read in passes: draw a part of it")
	}
	return nil
}
