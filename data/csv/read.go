package csv

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
	"unicode/utf8"

	"example.org/mercer/data"
	"example.org/mercer/data/lines"
)

// checkRows is the number of rows between two checks of the context.
const checkRows = 16

// Read reads a table of cells separated by a delimiter. name is what messages call the
// source. The package comment says how delimiter, header, types and missing cells are
// found where o leaves them open.
//
// Errors are *data.Error or several of them joined, except those of r, of ctx and of bad
// options. Time and memory are linear in the file; memory is that of the table plus
// constant buffers and one record.
func Read(ctx context.Context, name string, r io.Reader, o Options) (*data.Table, error) {
	p, err := open(name, r, o)
	if err != nil {
		return nil, err
	}
	if err := p.rows(ctx); err != nil {
		return nil, err
	}
	if p.none() {
		return nil, p.noRows()
	}
	return p.finish()
}

// What a table takes from the budget. Slices that grow by a quarter have up to a quarter to spare.
const (
	columnBytes = 1200 // a column without cells, with what its parser and its name take
	rowBytes    = 10   // a row without cells: its line
	numberBytes = 10   // a number
	textBytes   = 12   // a cell of strings beside numberBytes, without its letters
)

// open finds out what o leaves open, and reads the names of the columns.
func open(name string, r io.Reader, o Options) (*parser, error) {
	if err := o.validate(); err != nil {
		return nil, err
	}
	br := bufio.NewReaderSize(r, sampleBytes)
	skipped, err := pass(br, name, o.Skip)
	if err != nil {
		return nil, err
	}
	sample, mark, err := peek(br, name)
	if err != nil {
		return nil, err
	}
	whole := len(sample) < sampleBytes
	delim := byte(o.Delimiter)
	if delim == 0 {
		delim = sniff(sample, whole, o.Numbers)
	}
	m := newMissing(o.Missing)
	head := o.Header == HeaderYes
	if o.Header == HeaderAuto {
		head = headed(try(sample, whole, delim).rows, m, o.Numbers)
	}
	p := newParser(br, name, delim, head, o)
	p.scan.After(o.Skip)
	p.skipped = skipped + int64(mark)
	return p, p.begin(head)
}

// newParser returns a parser at the first byte of r.
func newParser(r io.Reader, name string, delim byte, head bool, o Options) *parser {
	return &parser{
		scan: newScanner(r, name, delim, o.Budget), missing: newMissing(o.Missing), types: o.Types, unused: o.Unused, style: o.Numbers, budget: o.Budget,
		table: &data.Table{Source: name, Headed: head},
	}
}

// pass reads the lines in front of a table.
func pass(br *bufio.Reader, name string, count int) (bytes int64, err error) {
	for at := range count {
		for {
			part, err := br.ReadSlice('\n')
			bytes += int64(len(part))
			if err == io.EOF {
				return bytes, &data.Error{Source: name, Reason: fmt.Sprintf("has %d lines, and %d are to be skipped", at, count), Fix: "skip fewer (--skip)"}
			} else if err == nil {
				break
			} else if err != bufio.ErrBufferFull {
				return bytes, &data.Error{Source: name, Line: at + 1, Reason: "cannot be read", Err: err}
			}
		}
	}
	return bytes, nil
}

// byteOrder is the mark in front of some files.
var byteOrder = []byte("\xef\xbb\xbf")

// peek returns the sample behind a byte order mark of some bytes, and refuses what is not UTF-8.
func peek(br *bufio.Reader, name string) (sample []byte, mark int, err error) {
	if begin, _ := br.Peek(len(byteOrder)); bytes.Equal(begin, byteOrder) {
		mark, _ = br.Discard(len(byteOrder))
	}
	sample, err = br.Peek(sampleBytes)
	if err != nil && err != io.EOF {
		return nil, 0, &data.Error{Source: name, Reason: "cannot be read", Err: err}
	}
	if bytes.HasPrefix(sample, []byte("\xff\xfe")) || bytes.HasPrefix(sample, []byte("\xfe\xff")) {
		return nil, 0, &data.Error{Source: name, Reason: "is UTF-16 text", Fix: "save it as UTF-8"}
	}
	if at := bytes.IndexByte(sample, 0); at >= 0 {
		return nil, 0, lines.ZeroByte(name, 1+bytes.Count(sample[:at], []byte("\n")))
	}
	if len(bytes.TrimSpace(sample)) == 0 {
		return nil, 0, data.NoRows(name, "is empty", "give a file with at least one row")
	}
	if bytes.IndexByte(sample, '\n') < 0 && bytes.IndexByte(bytes.TrimRight(sample, "\r"), '\r') >= 0 {
		return nil, 0, &data.Error{Source: name, Reason: "has lines that end in a carriage return only", Fix: "save it with the line ends of Unix or Windows"}
	}
	return sample, mark, nil
}

// parser fills the columns of a table from records.
type parser struct {
	scan    *scanner
	missing *missing
	style   Style
	types   map[string]data.Kind
	unused  []string
	table   *data.Table
	columns []*column
	budget  *data.Budget
	held    int64 // bytes of strings, and of the text of numbers, that columns keep
	taken   int64 // of them, from the budget
	skipped int64 // bytes in front of the first line
	first   int   // the line of the first record
	pending bool  // the record under the scanner is data that was not added yet
	blocks  *blocks
}

// begin reads the first record and names the columns.
func (p *parser) begin(head bool) error {
	if err := p.scan.next(); err != nil {
		return p.wrap(err)
	}
	p.first = p.scan.start
	names := make([]string, p.scan.width())
	for i := range names {
		names[i] = fmt.Sprintf("c%d", i+1)
		if cell := p.scan.cell(i); head && len(cell) > 0 {
			names[i] = string(cell)
		}
	}
	p.pending = !head
	return p.name(names)
}

// name names the columns.
func (p *parser) name(names []string) error {
	if err := p.budget.Take(columnBytes*int64(len(names))+2*int64(len(p.scan.cells)), p.table.Source, p.first); err != nil {
		return err
	}
	at := make(map[string]int)
	for i, name := range names {
		if !utf8.ValidString(name) {
			return &data.Error{Source: p.table.Source, Line: p.first, Column: i + 1, Value: name, Reason: notUTF8, Fix: convertUTF8}
		}
		if first, twice := at[name]; twice {
			return &data.Error{
				Source: p.table.Source, Line: p.first, Column: i + 1, Value: name,
				Reason: fmt.Sprintf("is also the name of column %d", first+1),
				Fix:    "rename one of them, or say that the file has no header (--header no) if this row is data",
			}
		}
		at[name] = i
		p.table.Columns = append(p.table.Columns, data.Column{Name: name})
	}
	types, err := p.table.ResolveTypes(p.types)
	if err != nil {
		return err
	}
	for i := range p.table.Columns {
		c := newColumn(p.table.Source, p.table.Columns[i].Name, i, p.missing, types)
		c.style = p.style
		c.held = &p.held
		p.columns = append(p.columns, c)
	}
	find := p.table.Finder()
	for _, ref := range p.unused {
		if i, err := find(ref); err == nil {
			p.columns[i].unused = true
		}
	}
	return nil
}

// rows adds all records.
func (p *parser) rows(ctx context.Context) error {
	for n := 0; ; n++ {
		if n%checkRows == 0 && ctx.Err() != nil {
			return fmt.Errorf("%s: reading: %w", p.table.Source, context.Cause(ctx))
		}
		if err := p.row(); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
	}
}

// row adds the next record; io.EOF where there is none.
func (p *parser) row() error {
	if !p.pending {
		if err := p.scan.next(); err == io.EOF {
			return err
		} else if err != nil {
			return p.wrap(err)
		}
	}
	p.pending = false
	if p.scan.width() != len(p.columns) {
		return p.ragged()
	}
	p.table.Lines = append(p.table.Lines, p.scan.start)
	for i, c := range p.columns {
		c.add(p.scan.cell(i), p.scan.start)
	}
	if err := p.pay(); err != nil {
		return err
	}
	if p.blocks != nil && len(p.table.Lines) == p.blocks.size {
		return p.pass()
	}
	return nil
}

// pay takes what the present row holds from the budget.
func (p *parser) pay() error {
	p.budget.Give(max(0, p.taken-p.held))
	more := max(0, p.held-p.taken)
	p.taken = p.held
	return p.budget.Take(rowBytes+numberBytes*int64(len(p.columns))+more, p.table.Source, p.scan.start)
}

// none reports whether no row was read.
func (p *parser) none() bool { return len(p.table.Lines) == 0 && p.table.Before == 0 }

func (p *parser) noRows() error {
	return data.NoRows(p.table.Source, "has a header and no rows", "give a file with at least one row, or say that it has no header (--header no)")
}

// ragged returns the error for a record of the wrong width, with the likely reason.
func (p *parser) ragged() error {
	got, want := p.scan.width(), len(p.columns)
	fix := "a cell may hold the delimiter: put it in quotes, or name another delimiter (--delimiter)"
	switch {
	case got == want+1 && len(p.scan.cell(got-1)) == 0:
		fix = "the line ends in a delimiter: remove it"
	case p.none() && got == want+1:
		fix = "the header may lack a name for a first column of row names: add one"
	case got < want && p.scan.Cut():
		fix = "the file ends in the middle of this line: it may have been cut"
	case got < want:
		fix = "a cell may be missing, or hold a line end without being quoted"
	}
	return &data.Error{
		Source: p.table.Source, Line: p.scan.start,
		Reason: fmt.Sprintf("has %d cells where line %d has %d", got, p.first, want),
		Fix:    fix,
	}
}

// wrap names the source in an error of the underlying reader.
func (p *parser) wrap(err error) error {
	if _, ours := err.(*data.Error); ours {
		return err
	}
	if err == io.EOF {
		return data.NoRows(p.table.Source, "holds only comments", "give a file with at least one row")
	}
	return err
}

// finish returns the table, or the errors of its columns, first line first.
func (p *parser) finish() (*data.Table, error) {
	var first *data.Error
	line := math.MaxInt
	for i, c := range p.columns {
		out, err := c.finish()
		if e, bad := err.(*data.Error); bad && e.Line < line {
			first, line = e, e.Line
		}
		p.table.Columns[i] = out
		p.columns[i] = nil
	}
	if first != nil {
		return nil, first
	}
	return p.table, nil
}
