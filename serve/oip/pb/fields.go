package pb

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"

	"google.golang.org/protobuf/encoding/protowire"
)

// field is one field of a message that was read: its bytes, or its number.
type field struct {
	number protowire.Number
	kind   protowire.Type
	bytes  []byte
	value  uint64
}

// text is the field as a string.
func (f field) text() string { return string(f.bytes) }

// each calls use for the fields of a message, in their order. Those that use does not know are
// passed over, as the format asks.
func each(message []byte, use func(f field) error) error {
	for len(message) > 0 {
		number, kind, n := protowire.ConsumeTag(message)
		if n < 0 {
			return protowire.ParseError(n)
		}
		message = message[n:]
		f := field{number: number, kind: kind}
		switch kind {
		case protowire.BytesType:
			f.bytes, n = protowire.ConsumeBytes(message)
		case protowire.VarintType:
			f.value, n = protowire.ConsumeVarint(message)
		case protowire.Fixed32Type:
			var v uint32
			v, n = protowire.ConsumeFixed32(message)
			f.value = uint64(v)
		case protowire.Fixed64Type:
			f.value, n = protowire.ConsumeFixed64(message)
		default:
			n = protowire.ConsumeFieldValue(number, kind, message)
		}
		if n < 0 {
			return protowire.ParseError(n)
		}
		message = message[n:]
		if err := use(f); err != nil {
			return err
		}
	}
	return nil
}

// varints appends the numbers of a repeated field, packed or one alone.
func (f field) varints(to []float64, as func(uint64) float64) ([]float64, error) {
	switch f.kind {
	case protowire.VarintType:
		return append(to, as(f.value)), nil
	case protowire.BytesType:
		for rest := f.bytes; len(rest) > 0; {
			v, n := protowire.ConsumeVarint(rest)
			if n < 0 {
				return nil, protowire.ParseError(n)
			}
			to, rest = append(to, as(v)), rest[n:]
		}
		return to, nil
	}
	return nil, errKind
}

// fixed appends the numbers of a repeated field of so many bytes each.
func (f field) fixed(to []float64, size int, as func([]byte) float64) ([]float64, error) {
	switch {
	case f.kind == protowire.Fixed32Type && size == 4, f.kind == protowire.Fixed64Type && size == 8:
		return append(to, as(binary.LittleEndian.AppendUint64(nil, f.value))), nil
	case f.kind != protowire.BytesType || len(f.bytes)%size != 0:
		return nil, errKind
	}
	to = slices.Grow(to, len(f.bytes)/size)
	for at := 0; at < len(f.bytes); at += size {
		to = append(to, as(f.bytes[at:]))
	}
	return to, nil
}

// errKind is the error of a list that is none.
var errKind = errors.New("a list of numbers is not of its type")

func float32Of(b []byte) float64 {
	return float64(math.Float32frombits(binary.LittleEndian.Uint32(b)))
}

func float64Of(b []byte) float64 { return math.Float64frombits(binary.LittleEndian.Uint64(b)) }

// ints appends the numbers of a repeated field of whole numbers.
func (f field) ints(to []int) ([]int, error) {
	values, err := f.varints(nil, func(v uint64) float64 { return float64(int64(v)) })
	for _, v := range values {
		if math.Abs(v) > 1<<52 {
			return nil, fmt.Errorf("%v is too large", v)
		}
		to = append(to, int(v))
	}
	return to, err
}

// message is one that is being written. Fields that are empty are left out, as the format has it.
type message []byte

func (m *message) number(field protowire.Number, v uint64) {
	if v != 0 {
		*m = protowire.AppendVarint(protowire.AppendTag(*m, field, protowire.VarintType), v)
	}
}

func (m *message) flag(field protowire.Number, v bool) { m.number(field, protowire.EncodeBool(v)) }

func (m *message) text(field protowire.Number, v string) {
	if v != "" {
		m.bytes(field, []byte(v))
	}
}

// bytes writes a field also where it is empty: one of several.
func (m *message) bytes(field protowire.Number, v []byte) {
	*m = protowire.AppendBytes(protowire.AppendTag(*m, field, protowire.BytesType), v)
}

func (m *message) texts(field protowire.Number, all []string) {
	for _, v := range all {
		m.bytes(field, []byte(v))
	}
}

// packed writes whole numbers.
func (m *message) packed(field protowire.Number, numbers []int) {
	if len(numbers) == 0 {
		return
	}
	var b []byte
	for _, v := range numbers {
		b = protowire.AppendVarint(b, uint64(v))
	}
	m.bytes(field, b)
}
