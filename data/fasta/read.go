package fasta

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"

	"example.org/mercer/data"
	"example.org/mercer/data/lines"
)

// recordBytes is what a record takes from the budget beside its letters.
const recordBytes = 160

// checkLines is the number of lines between two checks of the context.
const checkLines = 64

// Read returns the table of a file, which is FASTQ if its first character is @, and FASTA
// otherwise; name is what messages call the source. Errors are *data.Error with the line,
// except that of ctx. Time and memory, which comes from the budget (nil: any), are linear in
// the file.
func Read(ctx context.Context, name string, r io.Reader, budget *data.Budget) (*data.Table, error) {
	p := &parser{source: name}
	for in := lines.New(name, r, budget); ; {
		if p.at%checkLines == 0 && ctx.Err() != nil {
			return nil, fmt.Errorf("%s: reading: %w", name, context.Cause(ctx))
		}
		line, err := in.Next()
		if err == io.EOF {
			break
		} else if err != nil {
			return nil, err
		}
		p.at = in.Line()
		records, room := len(p.records), cap(p.text)
		if err := p.line(bytes.TrimRight(line, " \t\r\n")); err != nil {
			return nil, err
		}
		// The text of a record grows to a place of its own, and becomes a string.
		bytes := int64(len(line)) + 1 + recordBytes*int64(len(p.records)-records) + 2*int64(cap(p.text)-room)
		if err := budget.Take(bytes, name, p.at); err != nil {
			return nil, err
		}
	}
	if err := p.close(); err != nil {
		return nil, err
	}
	return p.table(), nil
}

// part is what the parser is in.
type part int

const (
	before   part = iota // the first record
	symbols              // the sequence of a record of FASTA
	bases                // the sequence of a record of FASTQ
	quality              // its qualities, which are fewer than the bases
	complete             // a record of FASTQ that has all
)

// parser adds line after line to records.
type parser struct {
	source  string
	at      int // the line
	in      part
	records []record
	text    []byte // of the sequence so far
	letters int    // qualities so far
}

// record is one sequence.
type record struct {
	id, description, sequence string
	line                      int
}

// line takes one line without its end.
func (p *parser) line(line []byte) error {
	if p.in == quality {
		return p.qualities(line)
	}
	switch {
	case len(line) == 0:
		return nil
	case p.in == before && line[0] == '@', p.in == complete:
		return p.begin(line, '@', bases)
	case line[0] == ';' && p.in != bases:
		return nil
	case line[0] == '>' && p.in != bases, p.in == before:
		return p.begin(line, '>', symbols)
	case p.in == bases && line[0] == '+':
		return p.separate(line)
	}
	return p.sequence(line)
}

// begin starts a record.
func (p *parser) begin(line []byte, mark byte, in part) error {
	if line[0] != mark {
		return p.fail(string(line), "stands where a record should begin", fmt.Sprintf("begin every record with a line of %c and a name", mark))
	}
	if p.in == symbols {
		if err := p.close(); err != nil {
			return err
		}
	}
	id, description, _ := strings.Cut(strings.TrimLeft(strings.ReplaceAll(string(line[1:]), "\t", " "), " "), " ")
	if id == "" {
		return p.fail(string(line), "begins a record without a name", fmt.Sprintf("write a name behind %c", mark))
	}
	p.records = append(p.records, record{id: id, description: strings.TrimSpace(description), line: p.at})
	p.in, p.text, p.letters = in, p.text[:0], 0
	return nil
}

// sequence adds the symbols of a line: letters, * (a stop), - and . (gaps) and ?.
func (p *parser) sequence(line []byte) error {
	for i, c := range line {
		switch {
		case c >= 'A' && c <= 'Z', c >= 'a' && c <= 'z', strings.IndexByte("*-.?", c) >= 0:
			p.text = append(p.text, c)
		case c == ' ' || c == '\t':
		default:
			return &data.Error{Source: p.source, Line: p.at, Column: i + 1, Value: string(rune(c)), Reason: "is no symbol of a sequence",
				Fix: "sequences are letters, *, - and .; a new record begins with a mark"}
		}
	}
	return nil
}

// separate ends the bases of a record of FASTQ.
func (p *parser) separate(line []byte) error {
	r := &p.records[len(p.records)-1]
	if len(p.text) == 0 {
		return p.empty()
	}
	if name, _, _ := strings.Cut(string(line[1:]), " "); name != "" && name != r.id {
		return p.fail(string(line), "repeats another name than "+data.Quote(r.id)+" of line "+fmt.Sprint(r.line), "write + alone, or with the name of the record")
	}
	r.sequence, p.in = string(p.text), quality
	return nil
}

// qualities counts those of a line, which may begin with any character, @ included.
func (p *parser) qualities(line []byte) error {
	for i, c := range line {
		if c < '!' || c > '~' {
			return &data.Error{Source: p.source, Line: p.at, Column: i + 1, Value: string(rune(c)), Reason: "is no quality", Fix: "qualities are the characters from ! to ~, one for each base"}
		}
	}
	r := p.records[len(p.records)-1]
	switch p.letters += len(line); {
	case p.letters == len(r.sequence):
		p.in = complete
	case p.letters > len(r.sequence):
		return p.fail("", fmt.Sprintf("%s has %d qualities or more for %d bases", data.Quote(r.id), p.letters, len(r.sequence)), "give one quality for each base")
	}
	return nil
}

// close ends the last record.
func (p *parser) close() error {
	switch r := len(p.records) - 1; p.in {
	case before:
		return &data.Error{Source: p.source, Reason: "holds no sequences", Fix: "begin every record with a line of > and a name"}
	case symbols:
		if len(p.text) == 0 {
			return p.empty()
		}
		p.records[r].sequence = string(p.text)
	case bases, quality:
		return p.fail("", fmt.Sprintf("the file ends in the record %s of line %d", data.Quote(p.records[r].id), p.records[r].line), "it was cut: write or copy it again")
	}
	return nil
}

// empty is the error of a record without symbols.
func (p *parser) empty() error {
	r := p.records[len(p.records)-1]
	return &data.Error{Source: p.source, Line: r.line, Value: r.id, Reason: "has no sequence", Fix: "write one, or delete the record"}
}

func (p *parser) fail(value, reason, fix string) error {
	return &data.Error{Source: p.source, Line: p.at, Value: value, Reason: reason, Fix: fix}
}

// table turns the records to columns.
func (p *parser) table() *data.Table {
	n := len(p.records)
	t := &data.Table{Source: p.source, Headed: true, ID: "id", Lines: make([]int, n)}
	id, description, sequence := make([]string, n), make([]string, n), make([]string, n)
	missing, described := make([]bool, n), 0
	for i, r := range p.records {
		t.Lines[i], id[i], description[i], sequence[i] = r.line, r.id, r.description, r.sequence
		if missing[i] = r.description == ""; !missing[i] {
			described++
		}
	}
	t.Columns = append(t.Columns, data.Column{Name: "id", Kind: data.Text, Strings: id})
	if described > 0 {
		if described == n {
			missing = nil
		}
		t.Columns = append(t.Columns, data.Column{Name: "description", Kind: data.Text, Strings: description, Missing: missing})
	}
	t.Columns = append(t.Columns, data.Column{Name: "sequence", Kind: data.Text, Strings: sequence})
	return t
}
