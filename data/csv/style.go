package csv

import (
	"errors"
	"fmt"
)

// Style says how numbers are written. The zero value is that of most programs: a decimal point and
// nothing between thousands.
type Style struct {
	// Decimal is the character in front of the fraction; 0: a point.
	Decimal byte
	// Thousands is the character between groups of three digits, which may be left out; 0: none.
	Thousands byte
}

// point is what strconv reads.
const point = '.'

// Check refuses characters that belong to numbers or to one another.
func (s Style) Check() error {
	var errs []error
	for _, c := range []byte{s.Decimal, s.Thousands} {
		if c != 0 && (c < ' ' || c > '~' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '+' || c == '-' || c == '"') {
			errs = append(errs, fmt.Errorf("csv: %q cannot stand in a number: use a point, a comma, a blank or an apostrophe", c))
		}
	}
	if s.Thousands != 0 && s.Thousands == s.decimal() {
		errs = append(errs, fmt.Errorf("csv: %q cannot be the decimal character and stand between thousands: declare another one", s.Thousands))
	}
	return errors.Join(errs...)
}

func (s Style) decimal() byte {
	if s.Decimal == 0 {
		return point
	}
	return s.Decimal
}

// separates reports whether a character belongs to numbers, so that it cannot stand between cells.
func (s Style) separates(c byte) bool { return c == s.Decimal || s.Thousands != 0 && c == s.Thousands }

// parse reads a number of this style, see the function parse.
func (s Style) parse(cell []byte) (float64, class) {
	if s == (Style{}) {
		return parse(cell)
	}
	var buffer [64]byte
	plain, ok := s.plain(buffer[:0], cell)
	if !ok {
		return 0, word
	}
	return parse(plain)
}

// plain appends the number in a cell as most programs write it; ok is false where a group of digits
// has not three, or a point is what this style does not have.
func (s Style) plain(to, cell []byte) (plain []byte, ok bool) {
	group, grouped := 0, false // digits since the last separator, and whether there was one
	whole := true              // in front of the fraction and the exponent
	for _, c := range cell {
		switch {
		case whole && s.Thousands != 0 && c == s.Thousands:
			if group == 0 || group > 3 || grouped && group != 3 {
				return nil, false
			}
			group, grouped = 0, true
			continue
		case whole && c == s.decimal():
			if grouped && group != 3 {
				return nil, false
			}
			whole, c = false, point
		case c == point || c == s.Thousands:
			return nil, false
		case '0' <= c && c <= '9':
			group++
		case whole && c != '+' && c != '-': // an exponent, or no number
			if grouped && group != 3 {
				return nil, false
			}
			whole = false
		}
		to = append(to, c)
	}
	return to, !whole || !grouped || group == 3
}
