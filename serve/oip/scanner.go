package oip

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"unsafe"
)

// scanner reads the values of a tensor from JSON that encoding/json has found valid: numbers,
// strings, true, false and null within any lists. It reads a number in a seventh of the time that a
// decoder of any values takes.
type scanner struct {
	text []byte
	at   int
}

// values appends all values to a tensor.
func (s *scanner) values(t *Tensor) error {
	for {
		switch s.skip(); {
		case s.at == len(s.text):
			return nil
		case s.text[s.at] == '"':
			if err := s.word(t); err != nil {
				return err
			}
		default:
			if err := s.plain(t); err != nil {
				return err
			}
		}
	}
}

// skip goes to the next value.
func (s *scanner) skip() {
	for s.at < len(s.text) {
		switch s.text[s.at] {
		case ' ', '\t', '\n', '\r', ',', '[', ']':
			s.at++
		default:
			return
		}
	}
}

// word reads a string.
func (s *scanner) word(t *Tensor) error {
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
	if bytes.IndexByte(raw, '\\') < 0 {
		value = string(raw[1 : len(raw)-1])
	} else if err := json.Unmarshal(raw, &value); err != nil {
		return err
	}
	if t.Datatype != Bytes {
		return fmt.Errorf("value %d is the text %s, and the datatype is %s", len(t.Numbers)+1, quoted(value), t.Datatype)
	}
	t.add(value, false)
	return nil
}

// plain reads a number, true, false or null.
func (s *scanner) plain(t *Tensor) error {
	start := s.at
	for s.at < len(s.text) && bytes.IndexByte([]byte(" \t\n\r,[]"), s.text[s.at]) < 0 {
		s.at++
	}
	raw := s.text[start:s.at]
	switch string(raw) {
	case "null":
		if t.Datatype == Bytes {
			t.add("", true)
		} else {
			t.Numbers = append(t.Numbers, math.NaN())
		}
		return nil
	case "true", "false":
		if t.Datatype == Bytes {
			t.add(string(raw), false)
		} else if raw[0] == 't' {
			t.Numbers = append(t.Numbers, 1)
		} else {
			t.Numbers = append(t.Numbers, 0)
		}
		return nil
	}
	if t.Datatype == Bytes {
		t.add(string(raw), false)
		return nil
	}
	v, err := strconv.ParseFloat(unsafe.String(unsafe.SliceData(raw), len(raw)), 64)
	if err != nil {
		return fmt.Errorf("value %d is %s, and no number of float64", len(t.Numbers)+1, quoted(string(raw)))
	}
	t.Numbers = append(t.Numbers, v)
	return nil
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
