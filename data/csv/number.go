package csv

import (
	"errors"
	"math"
	"strconv"
)

// class is what a cell looks like on its own.
type class int

const (
	number   class = iota // a finite decimal number
	infinite              // infinity by name, or too large for a float64
	inexact               // an integer whose digits do not fit a float64
	word                  // anything else
)

// parse reads a decimal number: digits with an optional sign, point and exponent, and
// none of the other forms strconv knows (hexadecimal, underscores). The value is set for
// number and for inexact, where it is the nearest float64.
func parse(cell []byte) (float64, class) {
	c, integer := numeral(cell)
	if c != number {
		return 0, c
	}
	v, err := strconv.ParseFloat(string(cell), 64)
	switch {
	case errors.Is(err, strconv.ErrRange):
		return 0, infinite
	case err != nil:
		return 0, word
	case integer && len(cell) > exactDigits && !exact(cell, v):
		return v, inexact
	}
	return v, number
}

// exactDigits is the number of decimal digits that every float64 integer holds exactly:
// 10¹⁵ < 2⁵³.
const exactDigits = 15

// numeral classifies a cell by its characters alone; a number may still be malformed.
// integer says that it is made of digits and perhaps a sign.
func numeral(cell []byte) (c class, integer bool) {
	body := cell
	if len(body) > 0 && (body[0] == '+' || body[0] == '-') {
		body = body[1:]
	}
	if len(body) == 0 {
		return word, false
	}
	if body[0] == 'i' || body[0] == 'I' {
		if equalFold(body, "inf") || equalFold(body, "infinity") {
			return infinite, false
		}
		return word, false
	}
	integer = true
	for _, b := range body {
		switch {
		case '0' <= b && b <= '9':
		case b == '.' || b == 'e' || b == 'E' || b == '+' || b == '-':
			integer = false
		default:
			return word, false
		}
	}
	return number, integer
}

// exact reports whether v is the integer written in cell.
func exact(cell []byte, v float64) bool {
	digits := cell
	for len(digits) > 1 && (digits[0] == '+' || digits[0] == '-' || digits[0] == '0') {
		digits = digits[1:]
	}
	return strconv.FormatFloat(math.Abs(v), 'f', 0, 64) == string(digits)
}

// equalFold compares a cell with a lower-case word without regard to case.
func equalFold(cell []byte, lower string) bool {
	if len(cell) != len(lower) {
		return false
	}
	for i, b := range cell {
		if 'A' <= b && b <= 'Z' {
			b += 'a' - 'A'
		}
		if b != lower[i] {
			return false
		}
	}
	return true
}
