package csv

import (
	"errors"
	"fmt"
	"unicode"

	"example.org/mercer/data"
)

// Header says whether the first row holds the names of the columns.
type Header int

const (
	// HeaderAuto decides from the first rows, as the package comment describes.
	HeaderAuto Header = iota
	// HeaderYes takes the first row as names, whatever it holds.
	HeaderYes
	// HeaderNo takes the first row as data; the columns are then named c1, c2, ….
	HeaderNo
)

// String returns "auto", "yes" or "no".
func (h Header) String() string {
	switch h {
	case HeaderAuto:
		return "auto"
	case HeaderYes:
		return "yes"
	case HeaderNo:
		return "no"
	}
	return fmt.Sprintf("csv.Header(%d)", int(h))
}

const (
	// Blanks, as a Delimiter, separates cells by any run of blanks and tabs.
	Blanks = ' '
	// Whole, as a Delimiter, takes every line as a single cell.
	Whole = '\n'
)

// Options say what cannot be seen in a file. The zero value finds everything out.
type Options struct {
	// Delimiter separates cells; 0 finds it among tab, ';', '|', ',' and Blanks.
	Delimiter rune
	// Header says whether the first row holds names.
	Header Header
	// Types forces the kind of columns, by name. A column of identifiers should be
	// forced to data.Text, so that 007 and 12345678901234567890 keep their digits.
	Types map[string]data.Kind
	// Unused names columns that nobody wants, by name or position: where one cannot be read it is
	// an empty column of text, and no error. Names that the table has not are passed over, and
	// [Blocks] looks at all columns.
	Unused []string
	// Missing lists the cells that mean "no value", without regard to case; nil means
	// DefaultMissing. An empty cell is always missing.
	Missing []string
	// Numbers says how numbers are written.
	Numbers Style
	// Skip is the number of lines in front of the table.
	Skip int
	// Budget is the memory that reading may take; nil: any.
	Budget *data.Budget
}

// DefaultMissing returns the cells that mean "no value" unless told otherwise, written in
// lower case; any case matches. The word "none" is not among them, because many tables
// use it for a category.
func DefaultMissing() []string {
	return []string{"", "na", "n/a", "#n/a", "<na>", "nan", "-nan", "null", "?"}
}

// validate reports every bad option.
func (o Options) validate() error {
	var errs []error
	if d := o.Delimiter; d == '"' || d == '\r' || d == unicode.ReplacementChar || d > unicode.MaxASCII || d < 0 || unicode.IsDigit(d) || unicode.IsLetter(d) {
		errs = append(errs, fmt.Errorf("csv: delimiter %q cannot separate cells: use a punctuation character of ASCII, a tab, a blank for runs of blanks, or a newline for one cell per line", d))
	}
	if o.Header < HeaderAuto || o.Header > HeaderNo {
		errs = append(errs, fmt.Errorf("csv: %v is none of auto, yes, no", o.Header))
	}
	if o.Skip < 0 {
		errs = append(errs, fmt.Errorf("csv: %d lines cannot be skipped: give a number from 0", o.Skip))
	}
	errs = append(errs, o.Numbers.Check())
	for name, k := range o.Types {
		if k < data.Numeric || k > data.Text {
			errs = append(errs, fmt.Errorf("csv: type of column %q is %v, which is none of numeric, categorical, text", name, k))
		}
	}
	return errors.Join(errs...)
}
