package arrow

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	flatbuffers "github.com/google/flatbuffers/go"
)

// The decoder of arrow-go allocates as many children, nodes or buffers as the metadata claim, so
// that a few damaged bytes can end the program for want of memory. verify looks at all lengths
// before: none may be larger than the bytes that stand there. Places outside of the bytes panic,
// which [Read] turns into an error.

// Slots of the tables of Arrow's metadata (format/Schema.fbs, Message.fbs and File.fbs).
const (
	footerSchema, footerDictionaries, footerBatches, footerCustom = 1, 2, 3, 4
	schemaFields, schemaCustom, schemaFeatures                    = 1, 2, 3
	fieldChildren, fieldCustom                                    = 5, 6
	messageHeaderType, messageHeader, messageBody, messageCustom  = 1, 2, 3, 4
	batchNodes, batchBuffers, batchVariadic                       = 1, 2, 4
	dictionaryData                                                = 1

	headerSchema, headerDictionary, headerBatch = 1, 2, 3
	deepest                                     = 64 // fields within fields
)

var errClaims = errors.New("its metadata claim more than there is")

// slot returns the place of a field of a table; 0: it has its default.
func slot(t *flatbuffers.Table, i int) flatbuffers.UOffsetT {
	o := flatbuffers.UOffsetT(t.Offset(flatbuffers.VOffsetT(4 + 2*i)))
	if o == 0 {
		return 0
	}
	return o + t.Pos
}

// vector checks the length of one, and calls each for its elements where they are tables.
func vector(t *flatbuffers.Table, i, size int, each func(t *flatbuffers.Table) error) error {
	at := slot(t, i)
	if at == 0 {
		return nil
	}
	count := t.VectorLen(at - t.Pos)
	start := t.Vector(at - t.Pos)
	if count < 0 || int64(start)+int64(count)*int64(size) > int64(len(t.Bytes)) {
		return errClaims
	}
	for j := 0; each != nil && j < count; j++ {
		if err := each(&flatbuffers.Table{Bytes: t.Bytes, Pos: t.Indirect(start + flatbuffers.UOffsetT(4*j))}); err != nil {
			return err
		}
	}
	return nil
}

// child returns a table in a slot; nil: there is none.
func child(t *flatbuffers.Table, i int) *flatbuffers.Table {
	at := slot(t, i)
	if at == 0 {
		return nil
	}
	return &flatbuffers.Table{Bytes: t.Bytes, Pos: t.Indirect(at)}
}

func root(b []byte) *flatbuffers.Table {
	return &flatbuffers.Table{Bytes: b, Pos: flatbuffers.GetUOffsetT(b)}
}

func verifySchema(t *flatbuffers.Table) error {
	if t == nil {
		return errClaims
	}
	return errors.Join(vector(t, schemaFields, 4, func(f *flatbuffers.Table) error { return verifyField(f, 0) }),
		vector(t, schemaCustom, 4, nil), vector(t, schemaFeatures, 8, nil))
}

func verifyField(t *flatbuffers.Table, depth int) error {
	if depth > deepest {
		return errClaims
	}
	return errors.Join(vector(t, fieldChildren, 4, func(f *flatbuffers.Table) error { return verifyField(f, depth+1) }), vector(t, fieldCustom, 4, nil))
}

// verifyMessage checks the metadata of a message, and returns the length of its body.
func verifyMessage(b []byte) (body int64, err error) {
	t := root(b)
	kind := byte(0)
	if at := slot(t, messageHeaderType); at != 0 {
		kind = b[at]
	}
	if at := slot(t, messageBody); at != 0 {
		body = t.GetInt64(at)
	}
	header := child(t, messageHeader)
	switch {
	case body < 0 || header == nil:
		return 0, errClaims
	case kind == headerSchema:
		err = verifySchema(header)
	case kind == headerDictionary:
		if header = child(header, dictionaryData); header == nil {
			return 0, errClaims
		}
		err = verifyBatch(header)
	case kind == headerBatch:
		err = verifyBatch(header)
	default:
		err = fmt.Errorf("it holds a message of the kind %d, which is no table", kind)
	}
	return body, errors.Join(err, vector(t, messageCustom, 4, nil))
}

func verifyBatch(t *flatbuffers.Table) error {
	return errors.Join(vector(t, batchNodes, 16, nil), vector(t, batchBuffers, 16, nil), vector(t, batchVariadic, 8, nil))
}

// verifyStream checks all messages of a stream.
func verifyStream(r *io.SectionReader) error {
	for at := int64(0); ; {
		next, err := verifyAt(r, at)
		if err != nil || next == at {
			return err
		}
		at = next
	}
}

// verifyAt checks the message at a place, and returns where the next one is; the same place: there
// is none.
func verifyAt(r *io.SectionReader, at int64) (next int64, err error) {
	var head [8]byte
	if n, err := r.ReadAt(head[:], at); err == io.EOF && n == 0 {
		return at, nil
	} else if err != nil && (err != io.EOF || n < len(head)) {
		return 0, err
	}
	start, length := at+4, int64(binary.LittleEndian.Uint32(head[:4]))
	if string(head[:4]) == continuation {
		start, length = at+8, int64(binary.LittleEndian.Uint32(head[4:]))
	}
	if length == 0 {
		return at, nil
	}
	if start+length > r.Size() {
		return 0, errClaims
	}
	b := make([]byte, length)
	if _, err := r.ReadAt(b, start); err != nil {
		return 0, err
	}
	body, err := verifyMessage(b)
	if err == nil && body > r.Size()-start-length {
		err = errClaims
	}
	return start + length + body, err
}

// verifyFile checks the footer of a file, and the messages to which it points.
func verifyFile(r *io.SectionReader) error {
	var tail [4 + len(magic)]byte
	end := r.Size() - int64(len(tail))
	if _, err := r.ReadAt(tail[:], end); err != nil && err != io.EOF {
		return err
	}
	length := int64(binary.LittleEndian.Uint32(tail[:]))
	if string(tail[4:]) != magic || length < 4 || length > end-int64(len(magic)) {
		return errors.New("it was cut")
	}
	b := make([]byte, length)
	if _, err := r.ReadAt(b, end-length); err != nil {
		return err
	}
	t := root(b)
	if err := errors.Join(verifySchema(child(t, footerSchema)), vector(t, footerDictionaries, 24, nil), vector(t, footerBatches, 24, nil), vector(t, footerCustom, 4, nil)); err != nil {
		return err
	}
	for _, blocks := range []int{footerDictionaries, footerBatches} {
		at := slot(t, blocks)
		if at == 0 {
			continue
		}
		for j := range t.VectorLen(at - t.Pos) {
			place := t.GetInt64(t.Vector(at-t.Pos) + flatbuffers.UOffsetT(24*j))
			if place < 0 || place > end {
				return errClaims
			}
			if _, err := verifyAt(r, place); err != nil {
				return err
			}
		}
	}
	return nil
}
