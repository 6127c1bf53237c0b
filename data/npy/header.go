package npy

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"math/bits"
	"strconv"
	"strings"

	"example.org/mercer/data"
)

// magic begins every .npy file; the version follows in two bytes.
const magic = "\x93NUMPY"

// headerLimit is the longest header accepted. Those of plain arrays take about 120 bytes.
const headerLimit = 1 << 16

// header describes an array as numpy.lib.format does: a Python literal
//
//	{'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }
type header struct {
	descr   string
	fortran bool
	shape   []int
}

// readHeader reads magic, version and header from the start of r.
func readHeader(name string, r io.Reader) (header, error) {
	bad := func(reason string, err error) (header, error) {
		return header{}, &data.Error{Source: name, Reason: reason, Err: err, Fix: "write the array again with numpy.save"}
	}
	var start [8]byte
	if _, err := io.ReadFull(r, start[:]); err != nil {
		return bad("ends before its header", short(err))
	}
	if string(start[:6]) != magic {
		return bad(fmt.Sprintf("does not begin with %q: it is no .npy file", magic), nil)
	}
	size := 2
	switch start[6] {
	case 1:
	case 2, 3:
		size = 4
	default:
		return bad(fmt.Sprintf("has format version %d.%d, which is not known", start[6], start[7]), nil)
	}
	length := make([]byte, 4)
	if _, err := io.ReadFull(r, length[:size]); err != nil {
		return bad("ends within its header", short(err))
	}
	n := binary.LittleEndian.Uint32(length)
	if n > headerLimit {
		return bad(fmt.Sprintf("declares a header of %d bytes, more than %d", n, headerLimit), nil)
	}
	text := make([]byte, n)
	if _, err := io.ReadFull(r, text); err != nil {
		return bad("ends within its header", short(err))
	}
	h, err := parseHeader(string(text))
	if err != nil {
		return header{}, &data.Error{Source: name, Reason: "has a header that cannot be used", Err: err}
	}
	return h, nil
}

// short names an unexpected end in plain words and passes other errors on.
func short(err error) error {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return errors.New("the file is too short")
	}
	return err
}

// parseHeader reads the Python literal, and nothing else that Python would accept: the
// three keys once each, a string, a boolean and a tuple of whole numbers.
func parseHeader(text string) (header, error) {
	p := &literal{rest: text}
	var h header
	seen := make(map[string]bool)
	p.expect("{")
	for p.err == nil && !p.accept("}") {
		key := p.quoted()
		p.expect(":")
		if seen[key] {
			p.fail("key %q occurs twice", key)
		}
		seen[key] = true
		switch key {
		case "descr":
			h.descr = p.descr()
		case "fortran_order":
			h.fortran = p.boolean()
		case "shape":
			h.shape = p.tuple()
		default:
			p.fail("unknown key %q", key)
		}
		if !p.accept(",") && !strings.HasPrefix(p.rest, "}") {
			p.fail("expected , or } at %q", p.peek())
		}
	}
	if p.err == nil && strings.TrimSpace(p.rest) != "" {
		p.fail("%q follows the header", p.peek())
	}
	if p.err == nil && len(seen) != 3 {
		p.fail("one of descr, fortran_order, shape is missing")
	}
	return h, p.err
}

// literal is a cursor in the text of a header. After the first error it stands still.
type literal struct {
	rest string
	err  error
}

func (p *literal) fail(format string, args ...any) {
	if p.err == nil {
		p.err = fmt.Errorf(format, args...)
	}
}

func (p *literal) space() { p.rest = strings.TrimLeft(p.rest, " \t\r\n") }

// peek returns a few characters for a message.
func (p *literal) peek() string { return p.rest[:min(len(p.rest), 16)] }

// accept steps over token if it is next.
func (p *literal) accept(token string) bool {
	if p.err != nil {
		return false
	}
	p.space()
	after, ok := strings.CutPrefix(p.rest, token)
	if ok {
		p.rest = after
		p.space()
	}
	return ok
}

func (p *literal) expect(token string) {
	if !p.accept(token) {
		p.fail("expected %s at %q", token, p.peek())
	}
}

// quoted reads a string without escapes.
func (p *literal) quoted() string {
	for _, quote := range []string{"'", `"`} {
		if !p.accept(quote) {
			continue
		}
		text, after, ok := strings.Cut(p.rest, quote)
		if !ok || strings.Contains(text, `\`) {
			p.fail("bad string at %q", p.peek())
		}
		p.rest = after
		return text
	}
	p.fail("expected a string at %q", p.peek())
	return ""
}

// descr reads the element type, refusing the list that describes a structured one.
func (p *literal) descr() string {
	p.space()
	if strings.HasPrefix(p.rest, "[") {
		p.fail("its elements are structured: save each field as an array of its own")
		return ""
	}
	return p.quoted()
}

func (p *literal) boolean() bool {
	if p.accept("True") {
		return true
	}
	if !p.accept("False") {
		p.fail("expected True or False at %q", p.peek())
	}
	return false
}

// tuple reads (), (3,) or (3, 4).
func (p *literal) tuple() []int {
	shape := []int{}
	p.expect("(")
	for p.err == nil && !p.accept(")") {
		n := 0
		for n < len(p.rest) && '0' <= p.rest[n] && p.rest[n] <= '9' {
			n++
		}
		v, err := strconv.ParseInt(p.rest[:n], 10, 64)
		if err != nil {
			p.fail("bad length at %q", p.peek())
			return nil
		}
		shape = append(shape, int(v))
		p.rest = p.rest[n:]
		if !p.accept(",") && !strings.HasPrefix(p.rest, ")") {
			p.fail("expected , or ) at %q", p.peek())
		}
	}
	return shape
}

// matrix returns the shape as rows and columns; a vector is one column, and of more than two
// dimensions, such as images×rows×columns×channels, all after the first are columns; a single
// number, of no dimension, is 1×1. It refuses arrays whose columns are not in the order of the
// file, and such as no file could hold.
func (h header) matrix(size int) (rows, cols int, err error) {
	switch len(h.shape) {
	case 1:
		rows, cols = h.shape[0], 1
	case 2:
		rows, cols = h.shape[0], h.shape[1]
	case 0:
		rows, cols = 1, 1
	default:
		if h.fortran {
			return 0, 0, fmt.Errorf("it has %d dimensions in Fortran order: save it in C order, as by numpy.ascontiguousarray, or reshape it to rows and columns", len(h.shape))
		}
		rows, cols = h.shape[0], 1
		for _, n := range h.shape[1:] {
			over, product := bits.Mul64(uint64(cols), uint64(n))
			if over != 0 || product > math.MaxInt64 {
				return 0, 0, fmt.Errorf("it declares %v elements, more than any file can hold", h.shape)
			}
			cols = int(product)
		}
	}
	hi, n := bits.Mul64(uint64(rows), uint64(cols))
	over, total := bits.Mul64(n, uint64(size))
	if hi != 0 || over != 0 || total > math.MaxInt64 {
		return 0, 0, fmt.Errorf("it declares %d × %d elements, more than any file can hold", rows, cols)
	}
	return rows, cols, nil
}

// format returns magic, version 1.0 and the header for a C-ordered array, padded so that
// the elements begin at a multiple of 64 bytes.
func (h header) format() []byte {
	dims := make([]string, len(h.shape))
	for i, n := range h.shape {
		dims[i] = strconv.Itoa(n)
	}
	shape := strings.Join(dims, ", ")
	if len(dims) == 1 {
		shape += ","
	}
	text := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", h.descr, shape)
	const fixed = len(magic) + 2 + 2
	pad := 63 - (fixed+len(text))%64
	text += strings.Repeat(" ", pad) + "\n"
	out := append([]byte(magic), 1, 0)
	out = binary.LittleEndian.AppendUint16(out, uint16(len(text)))
	return append(out, text...)
}
