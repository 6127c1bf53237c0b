package client

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strconv"
)

// Tensor is one output of a model, row after row: Numbers, or Strings of labels.
type Tensor struct {
	Name    string
	Shape   []int
	Numbers []float64
	Strings []string
}

// headerLength is the field that says where binary numbers begin behind the JSON of a message.
const headerLength = "Inference-Header-Content-Length"

// message is the JSON of the protocol, of what this client uses.
type message struct {
	Inputs     []tensorMessage `json:"inputs,omitempty"`
	Outputs    []tensorMessage `json:"outputs,omitempty"`
	Parameters map[string]any  `json:"parameters,omitempty"`
}

type tensorMessage struct {
	Name       string `json:"name"`
	Shape      []int  `json:"shape"`
	Datatype   string `json:"datatype"`
	Parameters struct {
		Size *int `json:"binary_data_size,omitempty"`
	} `json:"parameters"`
}

// Infer predicts rows of numbers, d for each in the order of the columns of the model, one row
// after the other; NaN is a missing value. They go as one tensor in binary form, by the Open
// Inference Protocol. It returns the outputs: label, value, probability, cluster, and what o asks
// for beside.
func (c *Client) Infer(ctx context.Context, model string, d int, numbers []float64, o Ask) ([]Tensor, error) {
	if d < 1 || len(numbers)%d != 0 {
		return nil, fmt.Errorf("client: %d numbers are not rows of %d", len(numbers), d)
	}
	raw := make([]byte, 0, 8*len(numbers))
	for _, v := range numbers {
		raw = binary.LittleEndian.AppendUint64(raw, math.Float64bits(v))
	}
	size := len(raw)
	m := message{Inputs: []tensorMessage{{Name: "rows", Shape: []int{len(numbers) / d, d}, Datatype: "FP64"}}, Parameters: map[string]any{"binary_data_output": true}}
	m.Inputs[0].Parameters.Size = &size
	for name, v := range map[string]float64{"interval": o.Interval, "sets": o.Sets} {
		if v != 0 {
			m.Parameters[name] = v
		}
	}
	head, err := json.Marshal(m)
	if err != nil {
		return nil, fmt.Errorf("client: %w", err)
	}
	path := "/v2/models/" + url.PathEscape(model)
	if o.Version != "" {
		path += "/versions/" + url.PathEscape(o.Version)
	}
	a, err := c.ask(ctx, question{method: http.MethodPost, path: path + "/infer", media: "application/octet-stream", body: slices.Concat(head, raw),
		header: http.Header{headerLength: {strconv.Itoa(len(head))}}})
	if err != nil {
		return nil, err
	}
	return a.tensors()
}

// tensors reads the outputs of an answer, whose numbers are binary.
func (a *answer) tensors() ([]Tensor, error) {
	head, err := strconv.Atoi(a.header.Get(headerLength))
	if err != nil || head < 0 || head > len(a.body) {
		return nil, fmt.Errorf("client: the answer has %d bytes, and its JSON is said to have %q", len(a.body), a.header.Get(headerLength))
	}
	var m message
	if err := json.Unmarshal(a.body[:head], &m); err != nil {
		return nil, fmt.Errorf("client: the answer cannot be read: %w", err)
	}
	raw := a.body[head:]
	var out []Tensor
	for _, t := range m.Outputs {
		if t.Parameters.Size == nil || *t.Parameters.Size < 0 || *t.Parameters.Size > len(raw) {
			return nil, fmt.Errorf("client: output %q is not in binary form", t.Name)
		}
		one := Tensor{Name: t.Name, Shape: t.Shape}
		if err := one.read(t.Datatype, raw[:*t.Parameters.Size]); err != nil {
			return nil, err
		}
		out, raw = append(out, one), raw[*t.Parameters.Size:]
	}
	return out, nil
}

// read reads the numbers, or the strings, of a tensor.
func (t *Tensor) read(datatype string, raw []byte) error {
	count := 1
	for _, n := range t.Shape {
		if n < 0 || n > 0 && count > math.MaxInt32/n {
			return fmt.Errorf("client: output %q has the shape %v", t.Name, t.Shape)
		}
		count *= n
	}
	switch {
	case datatype == "BYTES":
		for len(raw) >= 4 && int(binary.LittleEndian.Uint32(raw)) <= len(raw)-4 {
			n := 4 + int(binary.LittleEndian.Uint32(raw))
			t.Strings, raw = append(t.Strings, string(raw[4:n])), raw[n:]
		}
		if len(raw) > 0 || len(t.Strings) != count {
			return fmt.Errorf("client: output %q has %d strings for the shape %v", t.Name, len(t.Strings), t.Shape)
		}
		return nil
	case datatype != "FP64" && datatype != "INT64" || len(raw) != 8*count:
		return fmt.Errorf("client: output %q has %d bytes of %s for the shape %v", t.Name, len(raw), datatype, t.Shape)
	}
	for at := 0; at < len(raw); at += 8 {
		bits := binary.LittleEndian.Uint64(raw[at:])
		v := math.Float64frombits(bits)
		if datatype == "INT64" {
			v = float64(int64(bits))
		}
		t.Numbers = append(t.Numbers, v)
	}
	return nil
}
