package pb

import (
	"encoding/binary"
	"fmt"
	"math"

	"google.golang.org/protobuf/encoding/protowire"

	"example.org/mercer/serve/oip"
)

func fieldNumber(i int) protowire.Number { return protowire.Number(i) }

// Infer is a request for an inference. Raw says that its numbers came as bytes, and those of the
// answer go so.
type Infer struct {
	Model
	oip.Request
	Raw bool
}

func (r *Infer) unmarshal(m []byte) error {
	var contents []input
	var raw [][]byte
	err := each(m, func(f field) (err error) {
		switch f.number {
		case 1:
			r.Name = f.text()
		case 2:
			r.Version = f.text()
		case 3:
			r.ID = f.text()
		case 4:
			err = r.parameter(f.bytes)
		case 5:
			var in input
			err = in.unmarshal(f.bytes)
			contents = append(contents, in)
		case 6:
			var out Model // its name is field 1
			err = out.unmarshal(f.bytes)
			r.Outputs = append(r.Outputs, oip.Wanted{Name: out.Name})
		case 7:
			raw = append(raw, f.bytes)
		}
		return err
	})
	if err != nil {
		return err
	}
	if r.Inputs, r.Raw, err = tensors(contents, raw); err != nil {
		return err
	}
	return r.Check()
}

// parameter reads an entry of the parameters of a request; others than coverages are passed over.
func (r *Infer) parameter(m []byte) error {
	var name string
	var value float64
	err := each(m, func(f field) error {
		switch f.number {
		case 1:
			name = f.text()
		case 2:
			return each(f.bytes, func(f field) error {
				switch f.number {
				case 2:
					value = float64(int64(f.value))
				case 4:
					value = math.Float64frombits(f.value)
				}
				return nil
			})
		}
		return nil
	})
	switch name {
	case "interval":
		r.Interval = value
	case "sets":
		r.Sets = value
	}
	return err
}

func (r *Infer) marshal() ([]byte, error) {
	var m message
	m.text(1, r.Name)
	m.text(2, r.Version)
	m.text(3, r.ID)
	for name, value := range map[string]float64{"interval": r.Interval, "sets": r.Sets} {
		if value == 0 {
			continue
		}
		var of, e message
		of = protowire.AppendFixed64(protowire.AppendTag(of, 4, protowire.Fixed64Type), math.Float64bits(value))
		e.text(1, name)
		e.bytes(2, of)
		m.bytes(4, e)
	}
	var raw [][]byte
	for i := range r.Inputs {
		t := &r.Inputs[i]
		if t.Datatype != oip.FP64 && t.Datatype != oip.Int64 && t.Datatype != oip.Bytes {
			return nil, fmt.Errorf("input %d, %q: requests are written of FP64, INT64 and BYTES, and this is %s", i+1, t.Name, t.Datatype)
		}
		m.bytes(5, tensor(t.Name, t.Datatype, t.Shape, t.Numbers, t.Strings, r.Raw, &raw))
	}
	for _, out := range r.Outputs {
		var of message
		of.text(1, out.Name)
		m.bytes(6, of)
	}
	for _, b := range raw {
		m.bytes(7, b)
	}
	return m, nil
}

// input is a tensor before its numbers are checked against its shape.
type input struct {
	name     string
	datatype oip.Datatype
	shape    []int
	numbers  []float64
	texts    []string
}

func (t *input) unmarshal(m []byte) error {
	return each(m, func(f field) (err error) {
		switch f.number {
		case 1:
			t.name = f.text()
		case 2:
			t.datatype = oip.Datatype(f.text())
		case 3:
			t.shape, err = f.ints(t.shape)
		case 5:
			err = each(f.bytes, t.contents)
		}
		return err
	})
}

// contents reads a list of values, of which there is one for each kind.
func (t *input) contents(f field) (err error) {
	switch f.number {
	case 1, 4, 5: // truth values, and numbers without a sign of 32 and 64 bits
		t.numbers, err = f.varints(t.numbers, func(v uint64) float64 { return float64(v) })
	case 2: // 32 bits
		t.numbers, err = f.varints(t.numbers, func(v uint64) float64 { return float64(int32(v)) })
	case 3: // 64 bits
		t.numbers, err = f.varints(t.numbers, func(v uint64) float64 { return float64(int64(v)) })
	case 6:
		t.numbers, err = f.fixed(t.numbers, 4, float32Of)
	case 7:
		t.numbers, err = f.fixed(t.numbers, 8, float64Of)
	case 8:
		t.texts = append(t.texts, f.text())
	}
	return err
}

// tensors are those of a message: with the values of their lists, or of as many runs of bytes.
func tensors(all []input, raw [][]byte) (out []oip.Tensor, isRaw bool, err error) {
	if isRaw = len(raw) > 0; isRaw && len(raw) != len(all) {
		return nil, false, fmt.Errorf("it has %d tensors, and raw contents for %d: give either of them to all", len(all), len(raw))
	}
	for i, in := range all {
		t := oip.Tensor{Name: in.name, Datatype: in.datatype, Shape: in.shape}
		if isRaw {
			err = t.SetBytes(raw[i])
		} else {
			err = t.Set(in.numbers, in.texts)
		}
		if err != nil {
			return nil, false, fmt.Errorf("tensor %d, %q: %w", i+1, in.name, err)
		}
		out = append(out, t)
	}
	return out, isRaw, nil
}

// Answer is what an inference says.
type Answer struct {
	oip.Answer
	Raw bool
}

func (a *Answer) marshal() ([]byte, error) {
	var m message
	m.text(1, a.Model)
	m.text(2, a.Version)
	m.text(3, a.ID)
	var raw [][]byte
	for i := range a.Outputs {
		o := &a.Outputs[i]
		m.bytes(5, tensor(o.Name, o.Datatype, o.Shape, o.Numbers, o.Strings, a.Raw, &raw))
	}
	for _, b := range raw {
		m.bytes(6, b)
	}
	return m, nil
}

func (a *Answer) unmarshal(m []byte) error {
	var contents []input
	var raw [][]byte
	err := each(m, func(f field) (err error) {
		switch f.number {
		case 1:
			a.Model = f.text()
		case 2:
			a.Version = f.text()
		case 3:
			a.ID = f.text()
		case 5:
			var in input
			err = in.unmarshal(f.bytes)
			contents = append(contents, in)
		case 6:
			raw = append(raw, f.bytes)
		}
		return err
	})
	if err != nil {
		return err
	}
	found, isRaw, err := tensors(contents, raw)
	if err != nil {
		return err
	}
	a.Raw = isRaw
	for _, t := range found {
		a.Outputs = append(a.Outputs, oip.Output{Name: t.Name, Datatype: t.Datatype, Shape: t.Shape, Numbers: t.Numbers, Strings: t.Strings})
	}
	return nil
}

// tensor writes a tensor, with its values among raw or in itself.
func tensor(name string, datatype oip.Datatype, shape []int, numbers []float64, texts []string, raw bool, to *[][]byte) message {
	var m message
	m.text(1, name)
	m.text(2, string(datatype))
	m.packed(3, shape)
	if raw {
		o := oip.Output{Datatype: datatype, Numbers: numbers, Strings: texts}
		*to = append(*to, o.Bytes())
		return m
	}
	var c message
	switch datatype {
	case oip.Bytes:
		c.texts(8, texts)
	case oip.FP64:
		b := make([]byte, 0, 8*len(numbers))
		for _, v := range numbers {
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
		}
		c.bytes(7, b)
	default: // whole numbers
		b := make([]byte, 0, len(numbers))
		for _, v := range numbers {
			b = protowire.AppendVarint(b, uint64(int64(v)))
		}
		c.bytes(3, b)
	}
	m.bytes(5, c)
	return m
}
