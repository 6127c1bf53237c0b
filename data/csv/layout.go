package csv

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"

	"example.org/mercer/data"
)

// Layout is how the lines of a file are read, which its beginning says. With it, parts of the file
// are read by themselves.
type Layout struct {
	Delimiter byte
	Headed    bool
	Columns   []string         // their names
	Text      data.TextColumns // those that hold words at the beginning
	Start     int64            // the byte at which the rows begin
	Lines     int              // in front of it
	First     int              // the line of the first record
}

// LayoutOf reads the beginning of a file: about 1 MiB of it. Errors are those of [Read], and one
// about columns of amounts or dates, of which all rows decide what they are.
func LayoutOf(ctx context.Context, name string, r io.Reader, o Options) (*Layout, error) {
	o.Budget = nil // little is read, and soon forgotten
	p, err := open(name, r, o)
	if err != nil {
		return nil, err
	}
	l := &Layout{Delimiter: p.scan.delim, Headed: p.table.Headed, Text: data.TextColumns{}, First: p.first, Start: p.skipped, Lines: o.Skip}
	if l.Headed {
		l.Start, l.Lines = p.skipped+p.scan.Bytes(), p.scan.Line()
	}
	for n := 0; p.scan.Bytes() < sampleBytes; n++ {
		if n%checkRows == 0 && ctx.Err() != nil {
			return nil, fmt.Errorf("%s: reading: %w", name, context.Cause(ctx))
		}
		if err := p.row(); err == io.EOF {
			break
		} else if err != nil {
			return nil, err
		}
	}
	for _, c := range p.columns {
		l.Columns = append(l.Columns, c.name)
		if c.measure != nil {
			return nil, &data.Error{Source: name, Column: c.index + 1, Name: c.name, Reason: "holds amounts or dates, of which all rows decide what they are", Fix: "read the file as a whole"}
		}
		if c.texts != nil && !c.forced {
			l.Text[c.name] = c.first
		}
	}
	return l, nil
}

// Blocks is the function [Blocks] for whole lines of the file without those in front of
// Layout.Start. It also returns how many lines there are, and what the cells say of the kinds of
// the columns; the kinds of the table are those of these lines alone. There may be no rows. Errors
// are those of Read with other lines, and of a cell that goes on in the next line: a part that
// begins within such a cell looks as if it began a row.
func (l *Layout) Blocks(ctx context.Context, name string, r io.Reader, o Options, words data.TextColumns, size func(columns int) int, use func(*data.Table) error) (*data.Table, *data.PartTally, error) {
	if err := o.validate(); err != nil {
		return nil, nil, err
	}
	br := bufio.NewReaderSize(r, sampleBytes)
	if mark, _ := br.Peek(len(byteOrder)); bytes.Equal(mark, byteOrder) {
		return nil, nil, &data.Error{Source: name, Reason: "has a byte order mark within", Fix: "remove it"}
	}
	p := newParser(br, name, l.Delimiter, l.Headed, o)
	p.first, p.scan.oneLine = l.First, true
	if err := p.name(l.Columns); err != nil {
		return nil, nil, err
	}
	if err := p.inBlocks(ctx, words, size, use); err != nil {
		return nil, nil, err
	}
	part := &data.PartTally{Lines: p.scan.Line()}
	for _, c := range p.columns {
		part.Columns = append(part.Columns, c.tally())
	}
	t, err := p.schema()
	return t, part, err
}
