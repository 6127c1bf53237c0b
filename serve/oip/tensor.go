package oip

import (
	"errors"
	"fmt"
	"math"
	"strconv"
)

// Tensor is one of a request after reading: Numbers, or for [Bytes] Strings, in rows.
type Tensor struct {
	Name     string
	Datatype Datatype
	Shape    []int
	Numbers  []float64 // NaN where a value is missing
	Strings  []string
	Missing  []bool // of strings; nil: none is
}

// mostValues bounds a shape before anything is read by it.
const mostValues = 1 << 40

// size returns the number of values of a shape.
func size(shape []int) (int, error) {
	if len(shape) == 0 {
		return 0, errors.New("its shape is empty: give [rows] or [rows, columns]")
	}
	n := 1
	for _, s := range shape {
		if s < 0 || s > 0 && n > mostValues/s {
			return 0, fmt.Errorf("its shape is %v: each number is to be 0 or more, and the product below 2^40", shape)
		}
		n *= s
	}
	return n, nil
}

// rows returns the first number of the shape, and the product of the others.
func (t *Tensor) rows() (rows, columns int) {
	rows, columns = t.Shape[0], 1
	for _, s := range t.Shape[1:] {
		columns *= s
	}
	return rows, columns
}

// decode reads the values of a tensor from JSON, nested in lists or not.
func (t *Tensor) decode(text string) error {
	n, err := size(t.Shape)
	if err != nil {
		return err
	}
	if t.Datatype == FP16 || t.Datatype == BF16 {
		return fmt.Errorf("its datatype %s has no form in JSON: send it in binary form, or as FP32", t.Datatype)
	}
	if most := len(text); n > most { // a value takes a character at least, and the shape is not believed
		return fmt.Errorf("its shape %v has %d values, more than its data have", t.Shape, n)
	}
	if t.Datatype == Bytes {
		t.Strings = make([]string, 0, n)
	} else {
		t.Numbers = make([]float64, 0, n)
	}
	s := scanner{text: text, to: t}
	if err := s.list(len(t.Shape) + 1); err != nil {
		return err
	}
	if found := len(t.Strings) + len(t.Numbers); found != n {
		return fmt.Errorf("its shape %v has %d values, and its data have %d", t.Shape, n, found)
	}
	return nil
}

// decodeBinary reads the values of a tensor from their bytes.
func (t *Tensor) decodeBinary(raw []byte) error {
	n, err := size(t.Shape)
	if err != nil {
		return err
	}
	if t.Datatype == Bytes {
		return t.decodeStrings(raw, n)
	}
	e := encodings[t.Datatype]
	if len(raw)%e.size != 0 || len(raw)/e.size != n {
		return fmt.Errorf("its shape %v has %d values of %d bytes, and %d bytes are there", t.Shape, n, e.size, len(raw))
	}
	t.Numbers = make([]float64, n)
	for i := range t.Numbers {
		t.Numbers[i] = e.read(raw[i*e.size:])
	}
	return t.finite()
}

// SetBytes reads the values from their bytes, as binary tensors have them.
func (t *Tensor) SetBytes(raw []byte) error {
	if err := t.Datatype.check(); err != nil {
		return err
	}
	return t.decodeBinary(raw)
}

// Set takes values: texts for [Bytes], else numbers, as many as the shape says.
func (t *Tensor) Set(numbers []float64, texts []string) error {
	if err := t.Datatype.check(); err != nil {
		return err
	}
	if t.Datatype == FP16 || t.Datatype == BF16 {
		return fmt.Errorf("its datatype %s has no list of its own: send it in binary form, or as FP32", t.Datatype)
	}
	n, err := size(t.Shape)
	if err != nil {
		return err
	}
	found := len(numbers)
	if t.Datatype == Bytes {
		found, numbers = len(texts), nil
	} else {
		texts = nil
	}
	if found != n {
		return fmt.Errorf("its shape %v has %d values, and its contents have %d", t.Shape, n, found)
	}
	t.Numbers, t.Strings = numbers, texts
	return t.finite()
}

// decodeStrings reads values each behind its length, of four bytes.
func (t *Tensor) decodeStrings(raw []byte, n int) error {
	for len(raw) > 0 {
		if len(raw) < 4 {
			return errors.New("its last length is cut off")
		}
		length := int(little.Uint32(raw))
		if raw = raw[4:]; length > len(raw) {
			return fmt.Errorf("value %d has %d bytes, and %d are left", len(t.Strings)+1, length, len(raw))
		}
		if len(t.Strings) == n {
			return fmt.Errorf("its shape %v has %d values, and there are more", t.Shape, n)
		}
		t.Strings = append(t.Strings, string(raw[:length]))
		raw = raw[length:]
	}
	if len(t.Strings) != n {
		return fmt.Errorf("its shape %v has %d values, and its data have %d", t.Shape, n, len(t.Strings))
	}
	return nil
}

// finite refuses infinite numbers; those that are none are missing values.
func (t *Tensor) finite() error {
	for i, v := range t.Numbers {
		if math.IsInf(v, 0) {
			return fmt.Errorf("value %d is infinite: give a number, or NaN where there is no value", i+1)
		}
	}
	return nil
}

// quoted is a name for a message, no longer than a line.
func quoted(name string) string {
	const most = 60
	if len(name) > most {
		name = name[:most] + "…"
	}
	return strconv.Quote(name)
}
