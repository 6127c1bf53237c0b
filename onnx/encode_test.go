package onnx_test

import (
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"

	"example.org/mercer/onnx"
)

// fields reads the fields of a message: numbers, and parts with their bytes.
func fields(t *testing.T, m []byte) map[protowire.Number][][]byte {
	t.Helper()
	out := map[protowire.Number][][]byte{}
	for len(m) > 0 {
		number, kind, n := protowire.ConsumeTag(m)
		if n < 0 {
			t.Fatalf("no field: %v", protowire.ParseError(n))
		}
		m = m[n:]
		size := protowire.ConsumeFieldValue(number, kind, m)
		if size < 0 {
			t.Fatalf("field %d is cut: %v", number, protowire.ParseError(size))
		}
		value := m[:size]
		if kind == protowire.BytesType {
			value, _ = protowire.ConsumeBytes(value)
		}
		out[number], m = append(out[number], value), m[size:]
	}
	return out
}

// TestEncode: fields have the numbers of onnx.proto (ModelProto 1 ir_version, 7 graph, 8
// opset_import, 14 metadata_props; GraphProto 1 node, 5 initializer, 11 input, 12 output; NodeProto
// 1 input, 2 output, 4 op_type; TensorProto 1 dims, 2 data_type, 9 raw_data).
func TestEncode(t *testing.T) {
	g := onnx.New(onnx.Double)
	g.Metadata["kernel"] = "linear()"
	in := g.Input(onnx.Port{Name: "table", Type: g.Number(), Columns: 2})
	g.Output(g.Apply("MatMul", in, g.Matrix(2, 1, []float64{1, -2})), onnx.Port{Name: "values", Type: g.Number(), Columns: 1})
	model := fields(t, g.Encode("mercer", "1"))
	if v, _ := protowire.ConsumeVarint(model[1][0]); v != 9 {
		t.Errorf("the format is version %d, want 9", v)
	}
	if v, _ := protowire.ConsumeVarint(fields(t, model[8][0])[2][0]); v != 19 {
		t.Errorf("the operators are version %d, want 19", v)
	}
	if e := fields(t, model[14][0]); string(e[1][0]) != "kernel" || string(e[2][0]) != "linear()" {
		t.Errorf("the metadata are %q", e)
	}
	graph := fields(t, model[7][0])
	if len(graph[1]) != 2 || len(graph[5]) != 1 || len(graph[11]) != 1 || len(graph[12]) != 1 {
		t.Fatalf("the graph has %d nodes, %d constants, %d inputs and %d outputs", len(graph[1]), len(graph[5]), len(graph[11]), len(graph[12]))
	}
	product, constant := fields(t, graph[1][0]), fields(t, graph[5][0])
	if string(product[4][0]) != "MatMul" || string(product[1][0]) != "table" || string(product[1][1]) != string(constant[8][0]) {
		t.Errorf("the product is %q of %q", product[4], product[1])
	}
	if kind, _ := protowire.ConsumeVarint(constant[2][0]); kind != 11 || len(constant[9][0]) != 16 || len(constant[1]) != 2 {
		t.Errorf("the matrix has the type %d and %d bytes", kind, len(constant[9][0]))
	}
	if port := string(graph[12][0]); !strings.Contains(port, "values") || !strings.Contains(port, "rows") {
		t.Errorf("the output is %q", port)
	}
}
