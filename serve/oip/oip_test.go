package oip

import (
	"encoding/binary"
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"example.org/mercer/data"
	"example.org/mercer/data/prep"
)

// Every type in binary form and in JSON is the same tensor.
func TestDatatypes(t *testing.T) {
	for d, raw := range map[Datatype][]byte{
		Bool: {0, 1}, Uint8: {0, 1}, Int8: {0, 1}, Uint16: {0, 0, 1, 0}, Int16: {0, 0, 1, 0}, FP16: {0, 0, 0, 0x3c}, BF16: {0, 0, 0x80, 0x3f},
		Uint32: {0, 0, 0, 0, 1, 0, 0, 0}, Int32: {0, 0, 0, 0, 1, 0, 0, 0}, FP32: {0, 0, 0, 0, 0, 0, 0x80, 0x3f},
		Uint64: append(make([]byte, 8), 1, 0, 0, 0, 0, 0, 0, 0), Int64: append(make([]byte, 8), 1, 0, 0, 0, 0, 0, 0, 0),
		FP64: append(make([]byte, 8), binary.LittleEndian.AppendUint64(nil, math.Float64bits(1))...),
	} {
		tensor := Tensor{Datatype: d, Shape: []int{2}}
		if err := tensor.decodeBinary(raw); err != nil || !slices.Equal(tensor.Numbers, []float64{0, 1}) {
			t.Errorf("%s: %v, %v", d, tensor.Numbers, err)
		}
		again := Tensor{Datatype: d, Shape: []int{2}}
		switch err := again.decode("[0, 1]"); {
		case (err != nil) != (d == FP16 || d == BF16):
			t.Errorf("%s in JSON: %v", d, err)
		case err == nil && !slices.Equal(again.Numbers, []float64{0, 1}):
			t.Errorf("%s in JSON: %v", d, again.Numbers)
		}
		if err := tensor.decodeBinary(raw[1:]); err == nil {
			t.Errorf("%s is read from too few bytes", d)
		}
	}
	if err := (&Tensor{Datatype: FP64, Shape: []int{1}}).decodeBinary(binary.LittleEndian.AppendUint64(nil, math.Float64bits(math.Inf(1)))); err == nil {
		t.Error("an infinite number is read")
	}
}

// Strings have their bytes in binary form, and JSON their escapes.
func TestStrings(t *testing.T) {
	tensor := Tensor{Datatype: Bytes, Shape: []int{2}}
	if err := tensor.decodeBinary([]byte("\x01\x00\x00\x00a\x02\x00\x00\x00\xc3\xa4")); err != nil || !slices.Equal(tensor.Strings, []string{"a", "ä"}) {
		t.Errorf("%q, %v", tensor.Strings, err)
	}
	for _, raw := range []string{"\x01\x00\x00\x00a", "\x01\x00\x00", "\xff\xff\xff\xffa", "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"} {
		if err := (&Tensor{Datatype: Bytes, Shape: []int{2}}).decodeBinary([]byte(raw)); err == nil {
			t.Errorf("%q is read", raw)
		}
	}
	tensor = Tensor{Datatype: Bytes, Shape: []int{5}}
	if err := tensor.decode(`["a\"\u00e4", "[,]", null, 7, true]`); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(tensor.Strings, []string{`a"ä`, "[,]", "", "7", "true"}) || !slices.Equal(tensor.Missing, []bool{false, false, true, false, false}) {
		t.Errorf("%q %v", tensor.Strings, tensor.Missing)
	}
}

// Only lists of JSON are read, nested as the shape says at most.
func TestLists(t *testing.T) {
	for text, ok := range map[string]bool{"[1,2]": true, "[ [1] , [2] ]": true, "[[[1,2]]]": false, "[1 2]": false, "[1,,2]": false, "[1,2": false, "[1,2,]": false,
		"[+1,2]": false, "[.5,2]": false, "[0x1,2]": false, "[1_0,2]": false, "[Inf,2]": false, "[nan,2]": false, "[-1,2e3]": true, "[1,[2]]": true, "[]": false} {
		tensor := Tensor{Datatype: FP64, Shape: []int{2}}
		if err := tensor.decode(text); (err == nil) != ok {
			t.Errorf("%s: %v, %v", text, tensor.Numbers, err)
		}
	}
	for _, body := range []string{`{"inputs":[{"name":"data","shape":[1],"datatype":"FP64","data":[7]}]}`, `{"inputs":[{"data" : [ 7 ] ,"parameters":{"data":[[1]]},"name":"a\"data","shape":[1],"datatype":"FP64"}],"parameters":{"data":"["}}`} {
		r, err := Read([]byte(body), -1)
		if err != nil || r.Inputs[0].Numbers[0] != 7 {
			t.Errorf("%s: %v, %v", body, r, err)
		}
	}
	for _, body := range []string{`{"inputs":[{"name":"a","shape":[1],"datatype":"FP64","data":7}]}`, `{"inputs":[{"name":"a","shape":[1],"datatype":"FP64","data":[7`, `{"inputs":[{"name":"a","shape":[1],"datatype":"FP64","data":[7]}]}{`, `{"inputs":[{"name":"a`} {
		if r, err := Read([]byte(body), -1); err == nil {
			t.Errorf("%s: %v", body, r)
		}
	}
}

// What an answer writes in JSON and in binary form reads back to the same bits.
func TestAnswerReadsBack(t *testing.T) {
	numbers := []float64{0, -0.1, 1e-320, 1.7976931348623157e308, 1. / 3, 123456789012345680}
	a := Answer{Model: `a"b`, Version: "1", ID: "q", Outputs: []Output{
		{Name: Value, Datatype: FP64, Shape: []int{3, 2}, Numbers: numbers},
		{Name: Value, Datatype: FP64, Shape: []int{3, 2}, Numbers: numbers, Binary: true},
		{Name: Label, Datatype: Bytes, Shape: []int{2}, Strings: []string{"<ä>", ""}, Binary: true},
		{Name: Cluster, Datatype: Int64, Shape: []int{2}, Numbers: []float64{1, 7}, Binary: true},
	}}
	body, header, err := a.Encode()
	if err != nil || !json.Valid(body[:header]) {
		t.Fatalf("%v: %s", err, body)
	}
	// An answer is a request when its outputs are called inputs.
	text := strings.Replace(string(body[:header]), `"outputs"`, `"inputs"`, 1)
	r, err := Read(append([]byte(text), body[header:]...), len(text))
	if err != nil {
		t.Fatal(err)
	}
	for k := range 2 {
		if !slices.Equal(r.Inputs[k].Numbers, numbers) {
			t.Errorf("output %d reads back as %v", k, r.Inputs[k].Numbers)
		}
	}
	if !slices.Equal(r.Inputs[2].Strings, []string{"<ä>", ""}) || !slices.Equal(r.Inputs[3].Numbers, []float64{1, 7}) {
		t.Errorf("%q, %v", r.Inputs[2].Strings, r.Inputs[3].Numbers)
	}
	a.Outputs[0].Numbers = []float64{math.NaN()}
	if _, _, err := a.Encode(); err == nil {
		t.Error("JSON has no NaN")
	}
}

// Tensors for each column become the table of a model whatever their order.
func TestTableByColumn(t *testing.T) {
	columns := []prep.Input{{Name: "size"}, {Name: "kind", Kind: data.Categorical}}
	r := &Request{Inputs: []Tensor{
		{Name: "other", Datatype: FP64, Shape: []int{2}, Numbers: []float64{8, 9}},
		{Name: "kind", Datatype: Int64, Shape: []int{2, 1}, Numbers: []float64{3, math.NaN()}},
		{Name: "size", Datatype: FP64, Shape: []int{2}, Numbers: []float64{1, math.NaN()}},
		{Name: "id", Datatype: Bytes, Shape: []int{2}, Strings: []string{"a", "b"}},
	}}
	table, err := r.Table(columns, "id")
	if err != nil {
		t.Fatal(err)
	}
	if len(table.Columns) != 3 || table.Columns[0].Name != "size" || table.Columns[1].Strings[0] != "3" || !table.Columns[1].Missing[1] || !table.Columns[0].Missing[1] || table.Columns[2].Strings[1] != "b" {
		t.Errorf("%+v", table.Columns)
	}
	r.Inputs[1].Shape = []int{1, 2}
	if _, err := r.Table(columns, ""); err == nil || !strings.Contains(err.Error(), "shape [1 2]") {
		t.Error(err)
	}
	r.Inputs[1] = r.Inputs[2]
	if _, err := r.Table(columns, ""); err == nil || !strings.Contains(err.Error(), "twice") {
		t.Error(err)
	}
}

// No request ends in anything but a table or an error.
func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"inputs":[{"name":"a","shape":[1,2],"datatype":"FP64","data":[[1,2]]}]}`), -1)
	f.Add([]byte(`{"inputs":[{"name":"x","shape":[1],"datatype":"BYTES","data":["a\n"]},{"name":"y","shape":[1,1],"datatype":"BOOL","data":[true]}]}`), -1)
	f.Add([]byte(`{"inputs":[{"name":"x","shape":[1,2],"datatype":"FP16","parameters":{"binary_data_size":4}}]}abcd`), 88)
	columns := []prep.Input{{Name: "x"}, {Name: "y", Kind: data.Text}}
	f.Fuzz(func(t *testing.T, body []byte, header int) {
		r, err := Read(body, header)
		if err != nil {
			return
		}
		table, err := r.Table(columns, "id")
		if err != nil {
			return
		}
		for _, c := range table.Columns {
			if c.Len() != table.Rows() || c.Missing != nil && len(c.Missing) != c.Len() {
				t.Errorf("column %s has %d cells of %d rows", c.Name, c.Len(), table.Rows())
			}
		}
	})
}
