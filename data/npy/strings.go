package npy

import (
	"encoding/binary"
	"fmt"
	"io"
	"strconv"
	"strings"

	"example.org/mercer/data"
)

// ReadStrings reads an array of strings of one dimension, whose elements numpy writes as so many
// characters of four bytes (type U) or one (type S, which must be ASCII). name is what messages
// call the source. Memory comes from the budget, nil for any.
func ReadStrings(name string, r io.Reader, budget *data.Budget) ([]string, error) {
	h, err := readHeader(name, r)
	if err != nil {
		return nil, err
	}
	fail := func(format string, args ...any) error {
		return &data.Error{Source: name, Reason: "cannot be read", Err: fmt.Errorf(format, args...)}
	}
	if len(h.shape) != 1 {
		return nil, fail("it has %d dimensions, and strings are read of one", len(h.shape))
	}
	order, width, length, err := h.characters()
	if err != nil {
		return nil, fail("%w", err)
	}
	element := make([]byte, width*length)
	var out []string
	for range h.shape[0] {
		if _, err := io.ReadFull(r, element); err != nil {
			return nil, fail("it declares %d strings and ends after %d: %w", h.shape[0], len(out), short(err))
		}
		if err := budget.Take(int64(length)+stringBytes, name, 0); err != nil {
			return nil, err
		}
		text, err := decodeText(element, width, order)
		if err != nil {
			return nil, fail("string #%d %w", len(out)+1, err)
		}
		out = append(out, text)
	}
	return out, nil
}

// Kind returns the letter of the type of the elements, as numpy has it, by the header of an
// array: b for truth values, i, u and f for numbers, U and S for strings; 0 where there is
// none.
func Kind(name string, r io.Reader) (byte, error) {
	h, err := readHeader(name, r)
	if err != nil || len(h.descr) < 2 {
		return 0, err
	}
	return h.descr[1], nil
}

// stringBytes is what a string takes beside its characters; longestString bounds these.
const stringBytes, longestString = 16, 1 << 20

// characters returns the byte order, the bytes of a character, and how many an element has.
func (h header) characters() (order binary.ByteOrder, width, length int, err error) {
	refuse := fmt.Errorf("element type %q is none of strings", h.descr)
	if len(h.descr) < 3 {
		return nil, 0, 0, refuse
	}
	order, width = binary.LittleEndian, 4
	if h.descr[0] == '>' {
		order = binary.BigEndian
	}
	switch h.descr[1] {
	case 'U':
	case 'S':
		width = 1
	default:
		return nil, 0, 0, refuse
	}
	if length, err = strconv.Atoi(h.descr[2:]); err != nil || length < 0 || length > longestString {
		return nil, 0, 0, refuse
	}
	return order, width, length, nil
}

// decodeText reads the characters of an element, which zeros fill up.
func decodeText(element []byte, width int, order binary.ByteOrder) (string, error) {
	var text strings.Builder
	for at := 0; at < len(element); at += width {
		c := uint32(element[at])
		if width == 4 {
			c = order.Uint32(element[at:])
		}
		switch {
		case width == 1 && c > 0x7f:
			return "", fmt.Errorf("has the byte %#x, which is no ASCII", c)
		case c > 0x10ffff || c >= 0xd800 && c < 0xe000:
			return "", fmt.Errorf("has the character %#x, which is none of Unicode", c)
		}
		text.WriteRune(rune(c))
	}
	return strings.TrimRight(text.String(), "\x00"), nil
}
