package onnx

import (
	"encoding/binary"
	"fmt"
	"maps"
	"math"
	"slices"

	"google.golang.org/protobuf/encoding/protowire"
)

const (
	// opset is the version of the operators: the first in which Equal compares text.
	opset = 19
	// irVersion is that of the format which goes with it.
	irVersion = 9
)

// message is one of protocol buffers that is being written.
type message []byte

func (m *message) number(field protowire.Number, v uint64) {
	*m = protowire.AppendVarint(protowire.AppendTag(*m, field, protowire.VarintType), v)
}

func (m *message) bytes(field protowire.Number, v []byte) {
	*m = protowire.AppendBytes(protowire.AppendTag(*m, field, protowire.BytesType), v)
}

func (m *message) text(field protowire.Number, v string) { m.bytes(field, []byte(v)) }

// pair writes an entry of a map of texts.
func (m *message) pair(field protowire.Number, key, value string) {
	var e message
	e.text(1, key)
	e.text(2, value)
	m.bytes(field, e)
}

// mostBytes is the size of a message of protocol buffers that programs read.
const mostBytes = 1<<31 - 1

// Check returns an [*Unsupported] error for a graph that no file can hold.
func (g *Graph) Check() error {
	bytes := int64(0)
	for _, t := range g.constants {
		size := int64(8)
		if t.Type == float32s {
			size = 4
		}
		bytes += size * int64(len(t.Float))
	}
	if bytes > mostBytes {
		return &Unsupported{fmt.Sprintf("numbers of %d bytes", bytes), "a file of this format holds at most 2 GiB: write numbers of 32 bits (--single), or fit on landmarks (--landmarks)"}
	}
	return nil
}

// Encode writes the graph as a file of a model. Names and numbers of fields are those of
// onnx.proto.
func (g *Graph) Encode(producer, version string) []byte {
	var m, operators message
	m.number(1, irVersion)
	operators.text(1, "")
	operators.number(2, opset)
	m.bytes(8, operators)
	m.text(2, producer)
	m.text(3, version)
	m.bytes(7, g.encode())
	for _, key := range slices.Sorted(maps.Keys(g.Metadata)) {
		m.pair(14, key, g.Metadata[key])
	}
	return m
}

func (g *Graph) encode() message {
	var m message
	for _, n := range g.nodes {
		m.bytes(1, n.encode())
	}
	m.text(2, "function")
	for _, name := range g.order {
		m.bytes(5, g.constants[name].encode(string(name)))
	}
	for _, p := range g.Inputs {
		m.bytes(11, p.encode())
	}
	for _, p := range g.Outputs {
		m.bytes(12, p.encode())
	}
	return m
}

func (n node) encode() message {
	var m message
	for _, v := range n.inputs {
		m.text(1, string(v))
	}
	for _, v := range n.outputs {
		m.text(2, string(v))
	}
	m.text(3, string(n.outputs[0]))
	m.text(4, n.op)
	attribute := func(name string, value int) {
		const integer = 2
		var a message
		a.text(1, name)
		a.number(3, uint64(int64(value)))
		a.number(20, integer)
		m.bytes(5, a)
	}
	for _, name := range slices.Sorted(maps.Keys(n.ints)) {
		attribute(name, n.ints[name][0])
	}
	if n.to != 0 {
		attribute("to", int(n.to))
	}
	return m
}

func (t Tensor) encode(name string) message {
	var m message
	for _, d := range t.Dims {
		m.number(1, uint64(d))
	}
	m.number(2, uint64(t.Type))
	m.text(8, name)
	if t.Type == Strings {
		for _, s := range t.Text {
			m.text(6, s)
		}
		return m
	}
	var raw []byte
	for _, v := range t.Float {
		switch t.Type {
		case float32s:
			raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(float32(v)))
		case int64s:
			raw = binary.LittleEndian.AppendUint64(raw, uint64(int64(v)))
		default:
			raw = binary.LittleEndian.AppendUint64(raw, math.Float64bits(v))
		}
	}
	m.bytes(9, raw)
	return m
}

// encode writes a port: rows, whose number is called rows, and columns.
func (p Port) encode() message {
	var m, kind, tensor, shape, rows message
	rows.text(2, "rows")
	shape.bytes(1, rows)
	if p.Columns > 0 {
		var columns message
		columns.number(1, uint64(p.Columns))
		shape.bytes(1, columns)
	}
	tensor.number(1, uint64(p.Type))
	tensor.bytes(2, shape)
	kind.bytes(1, tensor)
	m.text(1, p.Name)
	m.bytes(2, kind)
	return m
}
