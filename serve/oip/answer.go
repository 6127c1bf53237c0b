package oip

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
)

// Output is a tensor of an answer: numbers of [FP64] or [Int64], or strings of [Bytes].
type Output struct {
	Name     string
	Datatype Datatype
	Shape    []int
	Numbers  []float64
	Strings  []string
	Binary   bool
}

// Answer is what an inference says.
type Answer struct {
	Model, Version, ID string
	Outputs            []Output
}

// Select keeps the outputs that a request wants, in its order, and says which of them are binary.
func (r *Request) Select(all []Output) ([]Output, error) {
	if len(r.Outputs) == 0 {
		for i := range all {
			all[i].Binary = r.Binary
		}
		return all, nil
	}
	var some []Output
	for _, want := range r.Outputs {
		at := -1
		for i := range all {
			if all[i].Name == want.Name {
				at = i
			}
		}
		if at < 0 {
			return nil, fmt.Errorf("there is no output %s: there are %s", quoted(want.Name), names(all))
		}
		out := all[at]
		out.Binary = want.Binary || r.Binary
		some = append(some, out)
	}
	return some, nil
}

func names(all []Output) (text string) {
	for i, out := range all {
		if i > 0 {
			text += ", "
		}
		text += out.Name
	}
	return text
}

// Encode writes an answer: its JSON, and the bytes of the outputs in binary form, which follow it.
// header is the length of the JSON, or −1 where nothing follows. A number that is not finite is an
// error in JSON, which has none.
func (a *Answer) Encode() (body []byte, header int, err error) {
	b := append(make([]byte, 0, 256), `{"model_name":`...)
	b = appendString(b, a.Model)
	b = append(b, `,"model_version":`...)
	b = appendString(b, a.Version)
	if a.ID != "" {
		b = append(b, `,"id":`...)
		b = appendString(b, a.ID)
	}
	b = append(b, `,"outputs":[`...)
	var raw []byte
	header = -1
	for i := range a.Outputs {
		if i > 0 {
			b = append(b, ',')
		}
		before := len(raw)
		if b, raw, err = a.Outputs[i].append(b, raw); err != nil {
			return nil, 0, fmt.Errorf("output %s: %w", a.Outputs[i].Name, err)
		}
		if a.Outputs[i].Binary || len(raw) > before {
			header = 0
		}
	}
	b = append(b, "]}"...)
	if header == 0 {
		header = len(b)
		b = append(b, raw...)
	}
	return b, header, nil
}

// append writes the JSON of an output to b, and its bytes to raw where they are binary.
func (o *Output) append(b, raw []byte) ([]byte, []byte, error) {
	b = append(b, `{"name":`...)
	b = appendString(b, o.Name)
	b = append(b, `,"datatype":"`...)
	b = append(b, o.Datatype...)
	b = append(b, `","shape":[`...)
	for i, s := range o.Shape {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendInt(b, int64(s), 10)
	}
	b = append(b, ']')
	if o.Binary {
		before := len(raw)
		raw = o.appendBinary(raw)
		b = append(b, `,"parameters":{"binary_data_size":`...)
		b = strconv.AppendInt(b, int64(len(raw)-before), 10)
		return append(b, "}}"...), raw, nil
	}
	b = append(b, `,"data":[`...)
	for i, v := range o.Numbers {
		if i > 0 {
			b = append(b, ',')
		}
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return b, raw, fmt.Errorf("value %d is %g, which JSON cannot write: ask for it in binary form", i+1, v)
		}
		b = appendNumber(b, v)
	}
	for i, v := range o.Strings {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendString(b, v)
	}
	return append(b, "]}"...), raw, nil
}

// Bytes are the values as binary tensors have them.
func (o *Output) Bytes() []byte { return o.appendBinary(nil) }

func (o *Output) appendBinary(raw []byte) []byte {
	for _, v := range o.Numbers {
		if o.Datatype == Int64 {
			raw = little.AppendUint64(raw, uint64(int64(v)))
		} else {
			raw = little.AppendUint64(raw, math.Float64bits(v))
		}
	}
	for _, v := range o.Strings {
		raw = little.AppendUint32(raw, uint32(len(v)))
		raw = append(raw, v...)
	}
	return raw
}

// appendNumber writes the shortest digits that read back, with an exponent where there are many.
func appendNumber(b []byte, v float64) []byte {
	if size := math.Abs(v); size != 0 && (size < 1e-6 || size >= 1e21) {
		return strconv.AppendFloat(b, v, 'e', -1, 64)
	}
	return strconv.AppendFloat(b, v, 'f', -1, 64)
}

// appendString writes a string in JSON.
func appendString(b []byte, s string) []byte {
	text, _ := json.Marshal(s) // a string has a form
	return append(b, text...)
}
