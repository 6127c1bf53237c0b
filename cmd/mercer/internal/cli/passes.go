package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"

	"github.com/spf13/cobra"

	"example.org/mercer"
	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/open"
	"example.org/mercer/outcome"
)

// passFlags say whether a table is read in passes over a compiled file of it.
type passFlags struct {
	offered bool // the verb can
	asked   bool
	// did is what became of the compiled file; nil: the table was read at once.
	did *open.Compiled
}

// passNames are the flags.
var passNames = []string{"out-of-core"}

func (f *passFlags) register(cmd *cobra.Command) {
	defer limits.claim(cmd.Flags())()
	f.offered = true
	cmd.Flags().BoolVar(&f.asked, passNames[0], false, "read the table in passes, for tables larger than memory: it is compiled once into a file beside it, or in the folder of --cache; so is one whose file is larger than --max-mem")
}

// open compiles a table that is to be read in passes, or finds its compiled file; nil: it is to be
// read at once. The columns of text are those that must not lose digits.
func (f *passFlags) open(ctx context.Context, inv *invocation, path string, table *tableFlags, text ...string) (data.Blocks, error) {
	limit := inv.limit()
	larger := limit > 0 && open.Larger(path, limit)
	if !f.offered || !f.asked && !larger {
		return nil, nil
	}
	o, err := table.options(inv, text...)
	if err != nil {
		return nil, err
	}
	t, did, err := open.Compile(ctx, path, inv.cache, o)
	if errors.Is(err, open.ErrNotStreamable) && !f.asked {
		return nil, nil // the plan will say what that takes
	}
	if err != nil {
		return nil, err
	}
	f.did = did
	if larger && !f.asked {
		inv.note("%s is larger than --max-mem %s: it is read in passes", path, compute.FormatBytes(limit))
	}
	switch {
	case !did.Fresh:
		inv.note("passes: over %s (%s), compiled before", did.Path, compute.FormatBytes(did.Size))
	case did.Why == "":
		inv.note("passes: over %s (%s), compiled now in %s", did.Path, compute.FormatBytes(did.Size), compute.FormatSeconds(did.Seconds))
	default:
		inv.note("passes: over %s (%s), compiled again in %s: %s", did.Path, compute.FormatBytes(did.Size), compute.FormatSeconds(did.Seconds), did.Why)
	}
	return t, nil
}

// limit returns the bytes of --max-mem, 0 without.
func (inv *invocation) limit() int64 {
	if inv.maxMem == "" {
		return 0
	}
	limit, _ := compute.ParseBytes(inv.maxMem) // validated
	return limit
}

// undrawn refuses a picture of rows that are not in memory.
func (f *passFlags) undrawn(plot string) error {
	if plot != "" && f.did != nil {
		return usagef("--plot draws all rows, and the table is read in passes: draw a part of it")
	}
	return nil
}

// lineWriter writes the lines of a table as they come.
type lineWriter interface {
	write(header []string, lines [][]any) error
	end() error
}

// csvLines writes CSV.
type csvLines struct {
	w     io.Writer
	begun bool
}

func (c *csvLines) write(header []string, lines [][]any) error {
	if c.begun {
		header = nil
	}
	c.begun = true
	return writeCSV(c.w, header, lines)
}

func (c *csvLines) end() error { return nil }

// jsonLines writes what [predictions] are in JSON.
type jsonLines struct {
	w      io.Writer
	header []string
	rows   int
}

func (j *jsonLines) write(header []string, lines [][]any) error {
	j.header = header
	var b bytes.Buffer
	for _, row := range jsonPredictions(header, lines).Rows {
		if j.rows++; j.rows == 1 {
			j.begin(&b)
		} else {
			b.WriteString(",")
		}
		b.WriteString("\n    ")
		if err := indented(&b, row, "    "); err != nil {
			return err
		}
	}
	_, err := j.w.Write(b.Bytes())
	return err
}

func (j *jsonLines) begin(b *bytes.Buffer) {
	b.WriteString("{\n  \"columns\": ")
	_ = indented(b, j.header, "  ") // strings
	b.WriteString(",\n  \"rows\": [")
}

func (j *jsonLines) end() error {
	var b bytes.Buffer
	if j.rows == 0 {
		j.begin(&b)
		b.WriteString("]\n}\n")
	} else {
		b.WriteString("\n  ]\n}\n")
	}
	_, err := j.w.Write(b.Bytes())
	return err
}

// indented appends a value as [invocation.emit] writes it, without the end of the line.
func indented(b *bytes.Buffer, v any, prefix string) error {
	enc := json.NewEncoder(b)
	enc.SetEscapeHTML(false)
	enc.SetIndent(prefix, "  ")
	err := enc.Encode(v)
	b.Truncate(max(0, b.Len()-1))
	return err
}

// several writes to all of them.
type several []lineWriter

func (s several) write(header []string, lines [][]any) error {
	for _, w := range s {
		if err := w.write(header, lines); err != nil {
			return err
		}
	}
	return nil
}

func (s several) end() error {
	for _, w := range s {
		if err := w.end(); err != nil {
			return err
		}
	}
	return nil
}

// predictBlocks predicts a table in passes, and writes its lines as they come.
func (f *predictFlags) predictBlocks(cmd *cobra.Command, inv *invocation, m *mercer.Model, t data.Blocks, to lineWriter) (rows int, err error) {
	how, stop := inv.compute()
	defer stop()
	notes, err := m.PredictBlocks(cmd.Context(), t, how, func(p *outcome.Prediction) error {
		add, err := f.add(cmd, inv, m, p)
		if err != nil {
			return err
		}
		header, lines := tabulate(p, add)
		rows += len(lines)
		return to.write(header, lines)
	})
	if err != nil {
		return rows, err
	}
	stop()
	inv.notes(notes)
	return rows, to.end()
}
