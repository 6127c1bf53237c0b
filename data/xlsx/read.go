package xlsx

import (
	"context"
	gocsv "encoding/csv"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/xuri/excelize/v2"

	"example.org/mercer/data"
	"example.org/mercer/data/csv"
)

// mostUnzipped is how many bytes the parts of a workbook may have together where there is no
// budget.
const mostUnzipped = 1 << 32

// Read reads a sheet of a workbook, "" for the first one. name is what messages call the
// workbook, whose lines are the rows of the sheet. Errors are *data.Error, except those of ctx.
// Memory is that of the unpacked workbook, and comes from the budget of the options.
func Read(ctx context.Context, name string, r io.Reader, sheet string, o csv.Options) (t *data.Table, err error) {
	// The decoder is not ours, and damaged parts can make it panic.
	defer func() {
		if p := recover(); p != nil {
			t, err = nil, damaged(name, fmt.Errorf("%v", p))
		}
	}()
	limit := int64(mostUnzipped)
	if left, ends := o.Budget.Left(); ends {
		limit = left
	}
	book, err := excelize.OpenReader(r, excelize.Options{RawCellValue: true, UnzipSizeLimit: max(limit, 1), UnzipXMLSizeLimit: max(limit, 1)})
	if err != nil {
		return nil, damaged(name, err)
	}
	defer book.Close()
	names := book.GetSheetList()
	switch {
	case len(names) == 0:
		return nil, &data.Error{Source: name, Reason: "has no sheets"}
	case sheet == "":
		sheet = names[0]
	}
	if at, err := book.GetSheetIndex(sheet); err != nil || at < 0 {
		return nil, &data.Error{Source: name, Reason: "has no sheet " + data.Quote(sheet), Fix: "name one of " + data.Quote(strings.Join(names, ", "))}
	}
	return (&lineWriter{book: book, sheet: sheet, name: name}).table(ctx, o)
}

func damaged(name string, err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return &data.Error{Source: name, Reason: "is no workbook of Excel, or damaged, encrypted or larger than the memory allowed", Err: err, Fix: "save it again, without a password, or save the sheet as CSV"}
}

// lineWriter writes a sheet as lines of text.
type lineWriter struct {
	book  *excelize.File
	sheet string
	name  string
	epoch bool         // days count from 1904
	dates map[int]bool // styles that are dates
}

// table passes the lines to the reader of text.
func (w *lineWriter) table(ctx context.Context, o csv.Options) (*data.Table, error) {
	if p, err := w.book.GetWorkbookProps(); err == nil && p.Date1904 != nil {
		w.epoch = *p.Date1904
	}
	w.dates = map[int]bool{}
	lines, write := io.Pipe()
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer func() {
			if p := recover(); p != nil {
				write.CloseWithError(damaged(w.name, fmt.Errorf("%v", p)))
			}
		}()
		write.CloseWithError(w.write(ctx, write))
	}()
	o.Delimiter = ','
	t, err := csv.Read(ctx, w.name, lines, o)
	lines.Close()
	<-done
	return t, err
}

// write writes all rows. Those without a cell are empty lines, which text may have.
func (w *lineWriter) write(ctx context.Context, to io.Writer) error {
	rows, err := w.book.Rows(w.sheet)
	if err != nil {
		return damaged(w.name, err)
	}
	defer rows.Close()
	out, width := gocsv.NewWriter(to), 0
	for row := 1; rows.Next(); row++ {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		cells, err := rows.Columns()
		if err != nil {
			return damaged(w.name, err)
		}
		for j := range cells {
			if cells[j], err = w.cell(cells[j], j+1, row); err != nil {
				return err
			}
		}
		if width == 0 {
			width = len(cells)
		}
		for len(cells) > 0 && len(cells) < width { // trailing empty cells are not there
			cells = append(cells, "")
		}
		if err := out.Write(cells); err != nil {
			return err
		}
	}
	if err := rows.Error(); err != nil {
		return damaged(w.name, err)
	}
	out.Flush()
	return out.Error()
}

// cell returns the text of a cell: a date as one, and no line ends, so that lines are rows.
func (w *lineWriter) cell(text string, column, row int) (string, error) {
	number, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return strings.Join(strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '\r' }), " "), nil
	}
	at, err := excelize.CoordinatesToCellName(column, row)
	if err != nil {
		return "", err
	}
	style, err := w.book.GetCellStyle(w.sheet, at)
	if err != nil || style == 0 || !w.isDate(style) {
		return text, nil
	}
	when, err := excelize.ExcelDateToTime(number, w.epoch)
	if err != nil {
		return "", &data.Error{Source: w.name, Line: row, Column: column, Value: text, Reason: "has the format of a date and is none", Err: err, Fix: "correct it, or give the cell the format of a number"}
	}
	when = when.Round(time.Second)
	if when.Hour() == 0 && when.Minute() == 0 && when.Second() == 0 {
		return when.Format(time.DateOnly), nil
	}
	return when.Format("2006-01-02T15:04:05"), nil
}

// isDate reports whether cells of a style are dates.
func (w *lineWriter) isDate(style int) bool {
	if is, known := w.dates[style]; known {
		return is
	}
	s, err := w.book.GetStyle(style)
	w.dates[style] = err == nil && (s.NumFmt >= 14 && s.NumFmt <= 17 || s.NumFmt == 22 || s.CustomNumFmt != nil && isDateFormat(*s.CustomNumFmt))
	return w.dates[style]
}

// isDateFormat reports whether a format shows the year or the day, outside of what it quotes.
func isDateFormat(format string) bool {
	quoted, bracketed := false, false
	for i := 0; i < len(format); i++ {
		switch b := format[i]; {
		case b == '\\' || b == '_' || b == '*':
			i++
		case b == '"':
			quoted = !quoted
		case quoted:
		case b == '[':
			bracketed = true
		case b == ']':
			bracketed = false
		case !bracketed && strings.IndexByte("yYdD", b) >= 0:
			return true
		}
	}
	return false
}
