package compiled

import (
	"encoding/binary"

	"example.org/mercer/data"
)

// The marks of cells in a column of strings.
const (
	present = iota
	missing // a cell without a value
	token   // a word that means a missing value in a category, and itself in a text
)

// appendStrings appends a chunk with the cells of a column of strings: how many different ones
// there are, each with its length, then a chunk of their numbers, with its length, and one of
// marks.
func appendStrings(b []byte, c *data.Column) []byte {
	number, which := make(map[string]int), make([]float64, len(c.Strings))
	marks := make([]float64, len(c.Strings))
	var different []string
	for i, s := range c.Strings {
		at, known := number[s]
		if !known {
			at = len(different)
			number[s], different = at, append(different, s)
		}
		which[i] = float64(at)
		switch {
		case c.IsMissing(i) && s != "":
			marks[i] = token
		case c.IsMissing(i):
			marks[i] = missing
		}
	}
	b = binary.LittleEndian.AppendUint32(b, uint32(len(different)))
	for _, s := range different {
		b = binary.LittleEndian.AppendUint32(b, uint32(len(s)))
		b = append(b, s...)
	}
	numbers := appendNumbers(nil, which)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(numbers)))
	return appendNumbers(append(b, numbers...), marks)
}

// decodeStrings fills a column of rows strings from a chunk. words says that tokens are words.
func decodeStrings(c *data.Column, rows int, b []byte, words bool) error {
	r := reader{b: b}
	different := make([]string, r.count(4))
	for i := range different {
		different[i] = string(r.bytes(r.count(1)))
	}
	which, marks := make([]float64, rows), make([]float64, rows)
	numbers := r.bytes(r.count(1))
	if r.short || decodeNumbers(which, numbers) != nil || decodeNumbers(marks, r.b) != nil {
		return errChunk
	}
	c.Strings = make([]string, rows)
	for i, v := range which {
		at := int(v)
		if float64(at) != v || at < 0 || at >= len(different) {
			return errChunk
		}
		c.Strings[i] = different[at]
		if marks[i] == missing || marks[i] == token && !words {
			if c.Missing == nil {
				c.Missing = make([]bool, rows)
			}
			c.Missing[i], c.Strings[i] = true, ""
		}
	}
	return nil
}

// reader takes pieces off the front of a chunk.
type reader struct {
	b     []byte
	short bool // the chunk ended early
}

// count reads a number of things that take at least size bytes each in what follows.
func (r *reader) count(size int) int {
	raw := r.bytes(4)
	if r.short {
		return 0
	}
	n := int(binary.LittleEndian.Uint32(raw))
	if n > len(r.b)/size {
		r.short = true
		return 0
	}
	return n
}

func (r *reader) bytes(n int) []byte {
	if n > len(r.b) {
		r.short = true
	}
	if r.short {
		return nil
	}
	piece := r.b[:n]
	r.b = r.b[n:]
	return piece
}
