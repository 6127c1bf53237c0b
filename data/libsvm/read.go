package libsvm

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"

	"example.org/mercer/data"
	"example.org/mercer/data/lines"
)

// DefaultBudget is what reading a sparse file and making a table of it may take in bytes where
// Options have no budget: 1 GiB. A short file can be a table of any size.
const DefaultBudget = 1 << 30

// Options say what a file cannot. The zero value reads indices from 1 and takes the
// largest index as the dimension.
type Options struct {
	// ZeroBased says that the first feature has index 0 and not 1.
	ZeroBased bool
	// Dim is the number of features; 0 takes the largest index of the file. It is
	// needed where the last features are zero in a whole file.
	Dim int
	// Budget is the memory that reading, and making a table, may take; nil means DefaultBudget.
	Budget *data.Budget
}

// validate reports every bad option.
func (o Options) validate() error {
	var errs []error
	if o.Dim < 0 || o.Dim > math.MaxInt32 {
		errs = append(errs, fmt.Errorf("libsvm: dimension %d is not in 0 … %d", o.Dim, math.MaxInt32))
	}
	return errors.Join(errs...)
}

// File is a file in memory: one sparse vector and one label per line.
type File struct {
	Source  string
	Points  *data.Sparse
	Labels  []float64
	Lines   []int    // the line of each point
	Queries []string // the query id of each point, empty where it has none; nil if none has
	first   int      // index of the first feature: 1 or 0
	budget  *data.Budget
}

// Read reads a file of lines
//
//	label [qid:id] index:value index:value … [# comment]
//
// with rising indices. name is what messages call the source. A line may hold a label
// alone; empty lines and lines of comment are skipped. Errors are *data.Error, except
// those of ctx and of bad options. Time and memory are linear in the stored entries.
func Read(ctx context.Context, name string, r io.Reader, o Options) (*File, error) {
	f, err := newFile(name, o)
	if err != nil {
		return nil, err
	}
	p := &parser{file: f, dim: o.Dim}
	if err := p.lines(ctx, lines.New(name, r, f.budget)); err != nil {
		return nil, err
	}
	if f.Points.Len() == 0 {
		return nil, f.pointless()
	}
	return f, f.Points.Widen(max(o.Dim, f.Points.Dim()))
}

// newFile returns a file without points.
func newFile(name string, o Options) (*File, error) {
	if err := o.validate(); err != nil {
		return nil, err
	}
	f := &File{Source: name, Points: new(data.Sparse), first: 1, budget: o.Budget.Within(DefaultBudget)}
	if o.ZeroBased {
		f.first = 0
	}
	return f, nil
}

// pointless is the error for a file without points.
func (f *File) pointless() error {
	return data.NoRows(f.Source, "holds no points", "give a file with at least one line of the form: label index:value …")
}

// checkLines is the number of lines between two checks of the context.
const checkLines = 16

// What a file takes from the budget. Slices that grow by a quarter have up to a quarter to spare.
const (
	pointBytes = 60 // a point without entries: label, line, where it begins, query id
	entryBytes = 15 // an entry: index and value
)

// parser reads line after line into a file.
type parser struct {
	file  *File
	dim   int
	line  int
	point data.SparseVector
	added func() error // is called after every point; may be nil
}

func (p *parser) lines(ctx context.Context, in *lines.Reader) error {
	for {
		if p.line%checkLines == 0 && ctx.Err() != nil {
			return fmt.Errorf("%s: reading: %w", p.file.Source, context.Cause(ctx))
		}
		text, err := in.Next()
		if err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		points := len(p.file.Labels)
		p.line = in.Line()
		if err := p.parse(text); err != nil {
			return err
		}
		if len(p.file.Labels) == points {
			if err := in.Skip(); err != nil {
				return err
			}
		}
	}
}

// parse reads one line.
func (p *parser) parse(text []byte) error {
	if i := bytes.IndexByte(text, '#'); i >= 0 {
		text = text[:i]
	}
	p.point.Index, p.point.Value = p.point.Index[:0], p.point.Value[:0]
	word, rest := next(text)
	if len(word) == 0 {
		return nil
	}
	label, err := p.label(word)
	if err != nil {
		return err
	}
	query, last := "", -1
	for {
		if word, rest = next(rest); len(word) == 0 {
			break
		}
		key, value, ok := bytes.Cut(word, []byte(":"))
		switch {
		case !ok:
			return p.fail(word, "is not of the form index:value", "")
		case string(key) == "qid":
			if len(p.point.Index) > 0 || query != "" || len(value) == 0 {
				return p.fail(word, "is not a query id directly after the label", "write it there, once")
			}
			query = string(value)
			continue
		}
		if last, err = p.feature(word, key, value, last); err != nil {
			return err
		}
	}
	return p.add(label, query)
}

// label reads the first word of a line.
func (p *parser) label(word []byte) (float64, error) {
	v, ok := finite(word)
	switch {
	case ok:
		return v, nil
	case bytes.IndexByte(word, ':') >= 0:
		return 0, p.fail(word, "stands where the label should", "begin every line with a number; write 0 where the label is unknown")
	case bytes.IndexByte(word, ',') >= 0:
		return 0, p.fail(word, "is a list of labels, and a point has one label here", "write one file for each label")
	}
	return 0, p.fail(word, "is not a finite number and cannot be a label", "number the classes")
}

// feature reads one index:value and returns the index.
func (p *parser) feature(word, key, value []byte, last int) (int, error) {
	index, err := strconv.ParseUint(string(key), 10, 31)
	v, ok := finite(value)
	j := int(index)
	switch {
	case errors.Is(err, strconv.ErrRange):
		return 0, p.fail(word, fmt.Sprintf("has an index beyond %d", math.MaxInt32), "renumber the features")
	case err != nil:
		return 0, p.fail(word, "has an index that is not a whole number", "write index:value")
	case j < p.file.first:
		return 0, p.fail(word, "has index 0, but indices count from 1", "say that its first feature is 0 (--zero-based)")
	case j == last:
		return 0, p.fail(word, "gives the same index twice", "remove one of the two")
	case j < last:
		return 0, p.fail(word, fmt.Sprintf("follows index %d, but indices must rise", last), "sort the features of the line")
	case p.dim > 0 && j-p.file.first >= p.dim:
		return 0, p.fail(word, fmt.Sprintf("is beyond the %d features that were declared", p.dim), "allow more (--features)")
	case !ok:
		return 0, p.fail(word, "has a value that is not a finite number", "correct it, or leave the feature out if it is 0")
	}
	p.point.Index = append(p.point.Index, int32(j-p.file.first))
	p.point.Value = append(p.point.Value, v)
	return j, nil
}

// add appends the point of the current line.
func (p *parser) add(label float64, query string) error {
	f := p.file
	if err := f.budget.Take(pointBytes+entryBytes*int64(len(p.point.Index))+int64(len(query)), f.Source, p.line); err != nil {
		return err
	}
	if query != "" && f.Queries == nil {
		f.Queries = make([]string, len(f.Labels))
	}
	if f.Queries != nil {
		f.Queries = append(f.Queries, query)
	}
	f.Labels = append(f.Labels, label)
	f.Lines = append(f.Lines, p.line)
	if err := f.Points.Append(p.point); err != nil || p.added == nil {
		return err
	}
	return p.added()
}

func (p *parser) fail(word []byte, reason, fix string) error {
	return &data.Error{Source: p.file.Source, Line: p.line, Value: string(word), Reason: reason, Fix: fix}
}

// next cuts the first word from a line.
func next(line []byte) (word, rest []byte) {
	line = bytes.TrimLeft(line, " \t\r\n")
	if i := bytes.IndexAny(line, " \t\r\n"); i >= 0 {
		return line[:i], line[i:]
	}
	return line, nil
}

// finite reads a finite decimal number.
func finite(word []byte) (float64, bool) {
	for _, b := range word {
		if (b < '0' || b > '9') && b != '.' && b != 'e' && b != 'E' && b != '+' && b != '-' {
			return 0, false
		}
	}
	v, err := strconv.ParseFloat(string(word), 64)
	return v, err == nil
}
