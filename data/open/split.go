package open

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"

	"example.org/mercer/data"
	"example.org/mercer/data/compiled"
	"example.org/mercer/data/csv"
	"example.org/mercer/data/parquet"
)

// Split is a part of a file that is compiled by itself: lines of a text table, or groups of rows of
// a Parquet file.
type Split struct {
	Number int // from 1, in the order of the rows
	Format Format
	// Reads are the bytes that are read; of a text table one range, of whole lines.
	Reads  []Range
	Layout *csv.Layout    `json:",omitempty"` // of a text table
	Groups parquet.Groups `json:",omitzero"`
	// Text are columns that hold text: the beginning of the file says so, or another split.
	Text data.TextColumns `json:",omitempty"`
}

// Range is the bytes of a file from one up to another.
type Range struct{ From, To int64 }

// splitBytes is about the length of a split, where the options have none: a second of work, so that
// cores or workers end at about the same time.
const splitBytes = 64 << 20

// splitters divide a file of a format into a number of splits, of about the same length.
var splitters = map[Format]func(ctx context.Context, s *source, size int64, count int64, o Options) ([]Split, error){
	CSV:     splitLines,
	Parquet: splitGroups,
}

// suffix is what names a split beside the options.
func (p *Split) suffix() string {
	if p == nil {
		return ""
	}
	return fmt.Sprintf("-%d", p.Number)
}

// splits returns the compilations of the splits of a file; nil: it is compiled as a whole, as it is
// short, cannot be divided, or was compiled so before. What is wrong with the file compiling it
// says.
func (c Compilation) splits(ctx context.Context) []Compilation {
	most := c.Options.SplitBytes
	if most <= 0 {
		most = splitBytes
	}
	if o := c.Options; !Larger(o.at(c.Path), most) {
		return nil
	}
	if _, whole, err := c.Find(ctx); whole || err != nil {
		return nil
	}
	s, o, of, err := c.source(ctx)
	if err != nil {
		return nil
	}
	defer s.close()
	format := o.Format
	if format == Auto {
		format, err = s.detect(o)
	}
	split := splitters[format]
	if err != nil || s.zip || s.recoded || split == nil {
		return nil
	}
	parts, err := split(ctx, s, of.Size, (of.Size+most-1)/most, o)
	if err != nil || len(parts) < 2 {
		return nil
	}
	out := make([]Compilation, len(parts))
	for i := range parts {
		out[i] = c
		out[i].Split = &parts[i]
		out[i].Split.Number, out[i].Split.Format = i+1, format
	}
	return out
}

// splitLines divides the rows of a text table at ends of lines. All of them may be ends of rows:
// a cell that goes on in the next line is found when its split is compiled.
func splitLines(ctx context.Context, s *source, size, count int64, o Options) ([]Split, error) {
	layout, err := csv.LayoutOf(ctx, s.name, io.NewSectionReader(s.seen, 0, size), o.csv())
	if err != nil {
		return nil, err
	}
	var out []Split
	from := layout.Start
	for i := int64(1); i <= count; i++ {
		to, err := lineEnd(s.seen, layout.Start+(size-layout.Start)*i/count, size)
		if err != nil {
			return nil, err
		}
		if to > from {
			out = append(out, Split{Layout: layout, Text: layout.Text, Reads: []Range{{from, to}}})
		}
		from = max(from, to)
	}
	return out, nil
}

// lineEnd returns the first byte from a place on that begins a line, or the size.
func lineEnd(r io.ReaderAt, from, size int64) (int64, error) {
	buffer := make([]byte, 1<<14)
	for at := from - 1; at < size; at += int64(len(buffer)) {
		n, err := r.ReadAt(buffer, at)
		if err != nil && err != io.EOF {
			return 0, err
		}
		if i := bytes.IndexByte(buffer[:n], '\n'); i >= 0 {
			return at + int64(i) + 1, nil
		}
	}
	return size, nil
}

// splitGroups divides a Parquet file between groups of rows.
func splitGroups(_ context.Context, s *source, size, count int64, _ Options) ([]Split, error) {
	groups, footer, err := parquet.Layout(s.name, s.seen, size)
	if err != nil {
		return nil, err
	}
	ends := []Range{{0, 4}, {footer.From, footer.To}}
	var out []Split
	last := int64(-1)
	for i, g := range groups {
		if at := g.From * count / size; at > last {
			last = at
			out = append(out, Split{Groups: parquet.Groups{From: i}, Reads: slices.Clone(ends)})
		}
		split := &out[len(out)-1]
		split.Groups.To, split.Reads = i+1, append(split.Reads, Range{g.From, g.To})
	}
	return out, nil
}

// agrees reports whether a compiled file of the split has text where it is known to be.
func (p *Split) agrees(t *compiled.Table) bool {
	for _, c := range t.Schema().Columns {
		if _, text := p.Text[c.Name]; text && c.Kind == data.Numeric {
			return false
		}
	}
	return true
}
