package csv

import (
	"bytes"
	"fmt"
	"io"

	"example.org/mercer/data"
	"example.org/mercer/data/lines"
)

// scanner splits a stream into records of cells. Its buffers are reused, so a file of
// any length costs the memory of its longest record.
type scanner struct {
	*lines.Reader
	source string
	delim  byte
	budget *data.Budget

	oneLine bool // cells end on the line on which they begin, or are errors

	start int    // line on which the current record begins
	cells []byte // the cells of the current record, back to back
	ends  []int  // where each of them ends
	taken int64  // from the budget, for cells of several lines
}

// newScanner returns a scanner at the first byte of r.
func newScanner(r io.Reader, source string, delim byte, budget *data.Budget) *scanner {
	return &scanner{Reader: lines.New(source, r, budget), source: source, delim: delim, budget: budget}
}

// widest is the largest number of cells of a record, as for arrays of NumPy.
const widest = 1 << 20

// width returns the number of cells of the current record.
func (s *scanner) width() int { return len(s.ends) }

// cell returns cell i of the current record, valid until the next call of next.
func (s *scanner) cell(i int) []byte {
	if i == 0 {
		return s.cells[:s.ends[0]]
	}
	return s.cells[s.ends[i-1]:s.ends[i]]
}

// next advances to the next record, over lines that are blank (a line of tabs is blank
// unless they are delimiters). It returns io.EOF at the end.
func (s *scanner) next() error {
	s.budget.Give(s.taken)
	s.taken = 0
	for {
		line, err := s.Next()
		if err != nil {
			return err
		}
		s.start = s.Line()
		s.cells, s.ends = s.cells[:0], s.ends[:0]
		rest := trimLeft(line, s.delim)
		if len(bytes.TrimRight(rest, " ")) == 0 {
			if err := s.Skip(); err != nil {
				return err
			}
			continue
		}
		switch s.delim {
		case Whole:
			s.plain(rest)
			return nil
		case Blanks:
			if rest[0] == '#' {
				if err := s.Skip(); err != nil {
					return err
				}
				continue
			}
			return s.splitBlanks(rest)
		}
		return s.split(line)
	}
}

// plain appends a cell without quotes; blanks around it do not belong to it.
func (s *scanner) plain(cell []byte) {
	s.cells = append(s.cells, bytes.TrimRight(cell, " \t")...)
	s.ends = append(s.ends, len(s.cells))
}

// split splits a line at the delimiter by the rules of RFC 4180, reading on where a
// quoted cell holds line ends.
func (s *scanner) split(line []byte) error {
	for {
		if len(s.ends) == widest {
			return s.tooWide()
		}
		line = trimLeft(line, s.delim)
		if len(line) > 0 && line[0] == '"' {
			rest, ok, err := s.quoted(line)
			if err != nil {
				return err
			}
			if ok {
				rest = trimLeft(rest, s.delim)
				if len(rest) == 0 {
					return nil
				}
				line = rest[1:]
				continue
			}
		}
		i := bytes.IndexByte(line, s.delim)
		if i < 0 {
			s.plain(line)
			return nil
		}
		s.plain(line[:i])
		line = line[i+1:]
	}
}

// quoted appends the quoted cell that line begins with and returns what follows it: the
// delimiter or nothing. In tab-separated files, which have no quoting by their standard
// but often in practice, ok is false where the quote does not close on its line in front
// of a tab: it is then a character like any other.
func (s *scanner) quoted(line []byte) (rest []byte, ok bool, err error) {
	opened, begin := s.Line(), len(s.cells)
	line = line[1:]
	for {
		i := bytes.IndexByte(line, '"')
		switch {
		case i < 0 && s.delim == '\t':
			s.cells = s.cells[:begin]
			return nil, false, nil
		case i < 0 && s.oneLine:
			return nil, false, s.fail(opened, "", "a quoted cell goes on in the next line", "read the file as a whole")
		case i < 0:
			s.cells = append(append(s.cells, line...), '\n')
			if err := s.budget.Take(int64(len(line)+1), s.source, s.Line()); err != nil {
				return nil, false, err
			}
			s.taken += int64(len(line) + 1)
			if line, err = s.Next(); err == io.EOF {
				return nil, false, s.fail(opened, "", "a quoted cell begins here and is never closed", `close it, or write a quote that belongs to the text as ""`)
			} else if err != nil {
				return nil, false, err
			}
			continue
		case i+1 < len(line) && line[i+1] == '"':
			s.cells = append(s.cells, line[:i+1]...)
			line = line[i+2:]
			continue
		}
		s.cells = append(s.cells, line[:i]...)
		rest = line[i+1:]
		after := trimLeft(rest, s.delim)
		if len(after) == 0 || after[0] == s.delim {
			s.ends = append(s.ends, len(s.cells))
			return rest, true, nil
		}
		if s.delim == '\t' {
			s.cells = s.cells[:begin]
			return nil, false, nil
		}
		return nil, false, s.fail(s.Line(), string(after), "follows a closing quote", `write a quote that belongs to the text as ""`)
	}
}

// tooWide is the error of a record with too many cells.
func (s *scanner) tooWide() error {
	return &data.Error{Source: s.source, Line: s.start, Reason: fmt.Sprintf("has more cells than the %d columns of a table", widest), Fix: "name another delimiter (--delimiter), or end the lines"}
}

// fail returns an error about the current cell.
func (s *scanner) fail(line int, value, reason, fix string) error {
	return &data.Error{Source: s.source, Line: line, Column: len(s.ends) + 1, Value: value, Reason: reason, Fix: fix}
}

// splitBlanks splits a line at runs of blanks and tabs. A cell that begins with a quote
// runs to the next quote in front of a blank, if there is one on the line.
func (s *scanner) splitBlanks(line []byte) error {
	last := lastClosing(line)
	for len(line) > 0 {
		if len(s.ends) == widest {
			return s.tooWide()
		}
		cell, rest := line, []byte(nil)
		// Quotes that cannot close are not searched for, or a line of them would take
		// quadratic time.
		if n := len(line) - last; line[0] == '"' && n > 0 && n < len(line) {
			end := closing(line)
			cell, rest = line[1:end], line[end+1:]
		} else if i := bytes.IndexAny(line, " \t"); i >= 0 {
			cell, rest = line[:i], line[i:]
		}
		s.cells = append(s.cells, cell...)
		s.ends = append(s.ends, len(s.cells))
		line = trimLeft(rest, Blanks)
	}
	return nil
}

// closes reports whether the quote at position i ends a cell of a blank-separated line.
func closes(line []byte, i int) bool {
	return line[i] == '"' && (i+1 == len(line) || line[i+1] == ' ' || line[i+1] == '\t')
}

// lastClosing returns how many bytes before the end of the line its last closing quote
// is, or a number larger than the line.
func lastClosing(line []byte) int {
	for i := len(line) - 1; i >= 0; i-- {
		if closes(line, i) {
			return len(line) - i
		}
	}
	return len(line) + 1
}

// closing returns the position of the first closing quote after the opening one.
func closing(line []byte) int {
	i := 1
	for !closes(line, i) {
		i++
	}
	return i
}

// trimLeft cuts blanks and tabs from the front, but not a tab that is the delimiter.
func trimLeft(line []byte, delim byte) []byte {
	for len(line) > 0 && (line[0] == ' ' || line[0] == '\t' && delim != '\t') {
		line = line[1:]
	}
	return line
}
