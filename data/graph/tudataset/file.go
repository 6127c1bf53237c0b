package tudataset

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strconv"
	"strings"

	"example.org/mercer/data"
	"example.org/mercer/data/lines"
)

// file is one of the files of a data set.
type file struct {
	name string // its path, with which messages begin
	line int
}

// fail says what is wrong on the present line; column 0 is all of it.
func (f *file) fail(column int, value, reason, fix string) error {
	return &data.Error{Source: f.name, Line: f.line, Column: column, Value: value, Reason: reason, Fix: fix}
}

// checkLines is the number of lines between two checks of the context.
const checkLines = 4096

// each calls row for every line that is not empty, with its cells, which are only valid
// during the call, and returns the file after its last line. The file is path, or path.gz; nil if
// there is none.
func each(ctx context.Context, budget *data.Budget, path string, row func(f *file, cells [][]byte) error) (f *file, err error) {
	f = &file{name: path}
	r, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		f.name += ".gz"
		if r, err = os.Open(f.name); errors.Is(err, fs.ErrNotExist) {
			return nil, nil
		}
	}
	if err != nil {
		return f, &data.Error{Source: f.name, Reason: "cannot be opened", Err: err}
	}
	defer r.Close()
	text := io.Reader(r)
	if strings.HasSuffix(f.name, ".gz") {
		if text, err = gzip.NewReader(r); err != nil {
			return f, &data.Error{Source: f.name, Reason: "cannot be decompressed", Err: err, Fix: "write or copy it again"}
		}
	}
	return f, f.read(ctx, lines.New(f.name, text, budget), budget, row)
}

// What files take from the budget: a line and, while it is read, a cell.
const (
	lineBytes = 64
	cellBytes = 24
)

// read cuts the lines of a file into cells.
func (f *file) read(ctx context.Context, in *lines.Reader, budget *data.Budget, row func(f *file, cells [][]byte) error) error {
	var cells [][]byte
	for {
		if f.line%checkLines == 0 && ctx.Err() != nil {
			return fmt.Errorf("%s: reading: %w", f.name, context.Cause(ctx))
		}
		text, err := in.Next()
		if err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		f.line = in.Line()
		if len(bytes.TrimSpace(text)) == 0 {
			if err := in.Skip(); err != nil {
				return err
			}
			continue
		}
		if err := budget.Take(lineBytes+int64(len(text))+cellBytes*int64(bytes.Count(text, []byte(","))), f.name, f.line); err != nil {
			return err
		}
		cells = cells[:0]
		for found := true; found; {
			var cell []byte
			cell, text, found = bytes.Cut(text, []byte(","))
			cells = append(cells, bytes.TrimSpace(cell))
		}
		if err := row(f, cells); err != nil {
			return err
		}
	}
}

// number reads a cell as a number from 1 to most; what says what it counts.
func (f *file) number(cells [][]byte, c int, most int, what string) (int32, error) {
	v, err := strconv.ParseInt(string(cells[c]), 10, 64)
	if err != nil {
		return 0, f.fail(c+1, string(cells[c]), "is not the number of a "+what, "number them from 1")
	}
	if v < 1 || v > int64(most) {
		return 0, f.fail(c+1, string(cells[c]), fmt.Sprintf("is no %s: they are numbered from 1 to %d", what, most), "correct it; a file may have been cut")
	}
	return int32(v), nil
}
