package oip

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// scanner reads the values of a tensor from a list in JSON, nested or not: numbers, strings, true,
// false and null. It reads a number in a seventh of the time that a decoder of any values takes.
type scanner struct {
	text string
	at   int
	to   *Tensor
}

// errNested is the error of a list that is nested without end.
var errNested = errors.New("its data are nested deeper than its shape")

// list reads a list and the lists in it.
func (s *scanner) list(depth int) error {
	if depth == 0 {
		return errNested
	}
	s.at++ // the bracket
	if s.skip(); s.next() == ']' {
		s.at++
		return nil
	}
	for {
		if err := s.value(depth); err != nil {
			return err
		}
		s.skip()
		switch s.next() {
		case ',':
			s.at++
			s.skip()
		case ']':
			s.at++
			return nil
		default:
			return fmt.Errorf("behind value %d is neither a comma nor the end of the list", len(s.to.Numbers)+len(s.to.Strings))
		}
	}
}

// value reads a value, or a list of values.
func (s *scanner) value(depth int) error {
	switch s.next() {
	case '[':
		return s.list(depth - 1)
	case '"':
		return s.word()
	}
	return s.plain()
}

// next is the character at hand, 0 at the end.
func (s *scanner) next() byte {
	if s.at < len(s.text) {
		return s.text[s.at]
	}
	return 0
}

// skip goes over white space.
func (s *scanner) skip() {
	for s.at < len(s.text) && (s.text[s.at] == ' ' || s.text[s.at] == '\n' || s.text[s.at] == '\t' || s.text[s.at] == '\r') {
		s.at++
	}
}

// word reads a string.
func (s *scanner) word() error {
	end := s.at + 1
	for end < len(s.text) && s.text[end] != '"' {
		if s.text[end] == '\\' {
			end++
		}
		end++
	}
	if end >= len(s.text) {
		return errors.New("a string is not closed")
	}
	raw := s.text[s.at : end+1]
	s.at = end + 1
	var value string
	if err := json.Unmarshal([]byte(raw), &value); err != nil {
		return fmt.Errorf("value %d is no string of JSON: %w", len(s.to.Strings)+1, err)
	}
	if s.to.Datatype != Bytes {
		return fmt.Errorf("value %d is the text %s, and the datatype is %s", len(s.to.Numbers)+1, quoted(value), s.to.Datatype)
	}
	s.to.add(value, false)
	return nil
}

// plain reads a number, true, false or null.
func (s *scanner) plain() error {
	start := s.at
	for s.at < len(s.text) && !ends(s.text[s.at]) {
		s.at++
	}
	raw := s.text[start:s.at]
	if v, short := shortDecimal(raw); short && s.to.Datatype != Bytes {
		s.to.Numbers = append(s.to.Numbers, v)
		return nil
	}
	v, ok := math.NaN(), raw == "null"
	switch raw {
	case "true":
		v, ok = 1, true
	case "false":
		v, ok = 0, true
	}
	if s.to.Datatype == Bytes {
		if !ok && !json.Valid([]byte(raw)) {
			return fmt.Errorf("value %d is %s, which is no JSON", len(s.to.Strings)+1, quoted(raw))
		}
		if raw == "null" {
			raw = ""
		}
		s.to.add(raw, raw == "")
		return nil
	}
	if !ok {
		var err error
		if v, err = strconv.ParseFloat(raw, 64); err != nil || !begins(raw) {
			return fmt.Errorf("value %d is %s, and no number of float64 in JSON", len(s.to.Numbers)+1, quoted(raw))
		}
	}
	s.to.Numbers = append(s.to.Numbers, v)
	return nil
}

// shortDecimal reads a number of at most 15 digits without an exponent, in a quarter of the time of
// strconv: digits and power of ten are exact in float64, and one division rounds to the nearest
// (Clinger, How to read floating point numbers accurately, PLDI 1990).
func shortDecimal(raw string) (v float64, ok bool) {
	digits := strings.TrimPrefix(raw, "-")
	if len(digits) == 0 || len(digits) > 16 || digits[0] < '0' || digits[0] > '9' || digits[len(digits)-1] == '.' {
		return 0, false
	}
	m, point := uint64(0), -1
	for i := range len(digits) {
		switch c := digits[i]; {
		case c >= '0' && c <= '9':
			m = 10*m + uint64(c-'0')
		case c == '.' && point < 0:
			point = i
		default:
			return 0, false
		}
	}
	switch v = float64(m); {
	case point < 0 && len(digits) > 15:
		return 0, false
	case point >= 0:
		v /= tens[len(digits)-1-point]
	}
	if len(digits) < len(raw) {
		v = -v
	}
	return v, true
}

// tens are powers of ten, which are exact.
var tens = [16]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15}

// ends reports whether a number ends in front of a character.
func ends(c byte) bool {
	switch c {
	case ',', ']', ' ', '\n', '\r', '\t', '[':
		return true
	}
	return false
}

// begins reports whether a text that Go reads as a number is one of JSON, too: others are called
// +1, .5, Inf, 0x1p-2 and 1_000.
func begins(raw string) bool {
	raw = strings.TrimPrefix(raw, "-")
	if raw == "" || raw[0] < '0' || raw[0] > '9' {
		return false
	}
	return len(raw) == 1 || raw[1] != 'x' && raw[1] != 'X' && raw[1] != '_'
}

// add appends a string.
func (t *Tensor) add(value string, missing bool) {
	t.Strings = append(t.Strings, value)
	if missing && t.Missing == nil {
		t.Missing = make([]bool, len(t.Strings)-1, cap(t.Strings))
	}
	if t.Missing != nil {
		t.Missing = append(t.Missing, missing)
	}
}
