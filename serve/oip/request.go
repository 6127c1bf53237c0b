package oip

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
)

// Request is one for an inference.
type Request struct {
	ID      string
	Inputs  []Tensor
	Outputs []Wanted // empty: all
	// Interval and Sets are coverages that were asked for by parameters; 0: none.
	Interval, Sets float64
	// Binary says that all outputs are wanted in binary form.
	Binary bool
}

// Wanted is an output that is asked for.
type Wanted struct {
	Name   string
	Binary bool
}

// envelope is a request without the data of its tensors, which [takeLists] takes out and [scanner]
// reads.
type envelope struct {
	ID         string     `json:"id"`
	Parameters parameters `json:"parameters"`
	Inputs     []struct {
		Name       string     `json:"name"`
		Shape      []int      `json:"shape"`
		Datatype   Datatype   `json:"datatype"`
		Parameters parameters `json:"parameters"`
		Data       []int      `json:"data"` // its number among those taken out
	} `json:"inputs"`
	Outputs []struct {
		Name       string     `json:"name"`
		Parameters parameters `json:"parameters"`
	} `json:"outputs"`
}

// parameters are those that are understood; others are passed over, as the protocol asks.
type parameters struct {
	BinaryDataSize   *int    `json:"binary_data_size"`
	BinaryData       bool    `json:"binary_data"`
	BinaryDataOutput bool    `json:"binary_data_output"`
	Interval         float64 `json:"interval"`
	Sets             float64 `json:"sets"`
}

// Read reads a request from a body. The first header bytes of it are JSON, and the numbers of
// tensors in binary form follow in their order; header is negative where all is JSON.
func Read(body []byte, header int) (*Request, error) {
	text, raw := body, []byte(nil)
	if header >= 0 {
		if header > len(body) {
			return nil, fmt.Errorf("Inference-Header-Content-Length is %d, and the body has %d bytes", header, len(body))
		}
		text, raw = body[:header], body[header:]
	}
	var e envelope
	rest, lists := takeLists(text)
	decoder := json.NewDecoder(bytes.NewReader(rest))
	if err := decoder.Decode(&e); err != nil {
		return nil, fmt.Errorf("the request is no JSON of the protocol: %w", err)
	}
	if decoder.More() {
		return nil, errors.New("the request goes on behind its JSON")
	}
	r := &Request{ID: e.ID, Interval: e.Parameters.Interval, Sets: e.Parameters.Sets, Binary: e.Parameters.BinaryDataOutput}
	for i, in := range e.Inputs {
		t := Tensor{Name: in.Name, Datatype: in.Datatype, Shape: in.Shape}
		var err error
		if raw, err = t.read(pick(in.Data, lists), in.Parameters.BinaryDataSize, raw, header >= 0); err != nil {
			return nil, fmt.Errorf("input %d, %s: %w", i+1, quoted(in.Name), err)
		}
		r.Inputs = append(r.Inputs, t)
	}
	if len(raw) > 0 {
		return nil, fmt.Errorf("%d bytes are left behind the last input", len(raw))
	}
	for _, out := range e.Outputs {
		r.Outputs = append(r.Outputs, Wanted{Name: out.Name, Binary: out.Parameters.BinaryData})
	}
	return r, r.Check()
}

// Check refuses coverages that are none, and a request without inputs.
func (r *Request) Check() error {
	if len(r.Inputs) == 0 {
		return errors.New("the request has no inputs")
	}
	for name, level := range map[string]float64{"interval": r.Interval, "sets": r.Sets} {
		if level != 0 && !(level > 0 && level < 1) {
			return fmt.Errorf("parameter %s is %g: give the coverage wanted, such as 0.9", name, level)
		}
	}
	return nil
}

// pick returns the list that stands for data; "" where there are none.
func pick(at []int, lists []string) string {
	if len(at) != 1 || at[0] < 0 || at[0] >= len(lists) {
		return ""
	}
	return lists[at[0]]
}

// read reads the values of a tensor from JSON, or as many bytes of raw as it says, and returns what
// is left of these.
func (t *Tensor) read(data string, length *int, raw []byte, behind bool) ([]byte, error) {
	if err := t.Datatype.check(); err != nil {
		return nil, err
	}
	switch {
	case length == nil && data == "":
		return nil, errors.New("it has no list of data")
	case length == nil:
		return raw, t.decode(data)
	case data != "":
		return nil, errors.New("it has data and binary_data_size: give one of them")
	case !behind:
		return nil, errors.New("it is in binary form, and the header Inference-Header-Content-Length is missing")
	case *length < 0 || *length > len(raw):
		return nil, fmt.Errorf("its binary_data_size is %d, and %d bytes are left", *length, len(raw))
	}
	return raw[*length:], t.decodeBinary(raw[:*length])
}
