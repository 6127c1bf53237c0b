package serve

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"example.org/mercer/compute"
	"example.org/mercer/data"
)

// answer is one of the protocol.
type answer struct {
	Name    string `json:"model_name"`
	Version string `json:"model_version"`
	ID      string `json:"id"`
	Outputs []struct {
		Name       string         `json:"name"`
		Datatype   string         `json:"datatype"`
		Shape      []int          `json:"shape"`
		Data       []any          `json:"data"`
		Parameters map[string]int `json:"parameters"`
	} `json:"outputs"`
}

func parsed(t *testing.T, text string) (a answer) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &a); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return a
}

// The outputs over HTTP are those of the library, to the bit.
func TestInferIsPredict(t *testing.T) {
	s := serving(t, Options{})
	table := tableOf(t, houses(5, 9))
	want, err := s.house.Predict(t.Context(), table, compute.Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	request := columnsOf(table, "size", "rooms", "place")
	for _, path := range []string{"/v2/models/house/infer", "/v2/models/house/versions/1/infer"} {
		got := s.ask(t, "POST", path, request)
		got.want(t, http.StatusOK, `"model_name":"house"`)
		a := parsed(t, got.body)
		if len(a.Outputs) != 1 || a.Outputs[0].Name != "value" || a.ID != "q1" || a.Version != "1" || len(a.Outputs[0].Data) != 5 {
			t.Fatalf("%s", got.body)
		}
		for i, v := range a.Outputs[0].Data {
			if v != want.Values.At(i, 0) {
				t.Errorf("row %d: %v over HTTP, %v of the library", i, v, want.Values.At(i, 0))
			}
		}
	}
	s.ask(t, "POST", "/v2/models/house/versions/2/infer", request).want(t, http.StatusNotFound, `no version \"2\"`)
	s.ask(t, "POST", "/v2/models/castle/infer", request).want(t, http.StatusNotFound, "no model")
}

// columnsOf is a request with a tensor for each column.
func columnsOf(t *data.Table, names ...string) []byte {
	type tensor struct {
		Name     string `json:"name"`
		Shape    []int  `json:"shape"`
		Datatype string `json:"datatype"`
		Data     any    `json:"data"`
	}
	var inputs []tensor
	for _, name := range names {
		c, _ := t.Column(name)
		if c.Kind == data.Numeric {
			inputs = append(inputs, tensor{name, []int{t.Rows(), 1}, "FP64", c.Numbers})
		} else {
			inputs = append(inputs, tensor{name, []int{t.Rows()}, "BYTES", c.Strings})
		}
	}
	text, _ := json.Marshal(map[string]any{"id": "q1", "inputs": inputs})
	return text
}

// One tensor of numbers in JSON, nested or not, and in binary form gives the labels and
// probabilities of the library; the outputs are those that are asked for.
func TestInferTensor(t *testing.T) {
	s := serving(t, Options{})
	table := tableOf(t, kinds(7, 5))
	want, err := s.kinds.Predict(t.Context(), table, compute.Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	x, _ := table.Column("x")
	y, _ := table.Column("y")
	var flat, nested []string
	var raw []byte
	for i := range table.Rows() {
		a, b := strconv.FormatFloat(x.Numbers[i], 'g', -1, 64), strconv.FormatFloat(y.Numbers[i], 'g', -1, 64)
		flat, nested = append(flat, a, b), append(nested, "["+a+", "+b+"]")
		raw = binary.LittleEndian.AppendUint64(raw, math.Float64bits(x.Numbers[i]))
		raw = binary.LittleEndian.AppendUint64(raw, math.Float64bits(y.Numbers[i]))
	}
	check := func(labels []any, chances []float64) {
		t.Helper()
		p := want.Probabilities()
		for i := range table.Rows() {
			if labels[i] != want.Label(i, 0) {
				t.Errorf("row %d is %v, and %s of the library", i, labels[i], want.Label(i, 0))
			}
			for j := range 3 {
				if chances[3*i+j] != p.At(i, j) {
					t.Errorf("row %d has a probability of %v, and of %v", i, chances[3*i+j], p.At(i, j))
				}
			}
		}
	}
	for _, values := range []string{"[" + strings.Join(flat, ",") + "]", "[" + strings.Join(nested, ", ") + "]"} {
		body := fmt.Sprintf(`{"inputs":[{"name":"any","shape":[7,2],"datatype":"FP64","data":%s}],"outputs":[{"name":"probability"},{"name":"label"}]}`, values)
		a := parsed(t, s.ask(t, "POST", "/v2/models/kinds/infer", []byte(body)).body)
		if len(a.Outputs) != 2 || a.Outputs[0].Name != "probability" {
			t.Fatalf("%+v", a)
		}
		var chances []float64
		for _, v := range a.Outputs[0].Data {
			chances = append(chances, v.(float64))
		}
		check(a.Outputs[1].Data, chances)
	}
	head := fmt.Sprintf(`{"inputs":[{"name":"any","shape":[7,2],"datatype":"FP64","parameters":{"binary_data_size":%d}}],"outputs":[{"name":"label"},{"name":"probability","parameters":{"binary_data":true}}]}`, len(raw))
	got := s.ask(t, "POST", "/v2/models/kinds/infer", append([]byte(head), raw...), headerLength, strconv.Itoa(len(head)), "Content-Type", "application/octet-stream")
	got.want(t, http.StatusOK, "model_name")
	length, err := strconv.Atoi(got.header.Get(headerLength))
	if err != nil || len(got.body) != length+8*21 || got.header.Get("Content-Type") != "application/octet-stream" {
		t.Fatalf("%v: %v", err, got.header)
	}
	chances := make([]float64, 21)
	if err := binary.Read(bytes.NewReader([]byte(got.body[length:])), binary.LittleEndian, chances); err != nil {
		t.Fatal(err)
	}
	check(parsed(t, got.body[:length]).Outputs[0].Data, chances)
}

// What is wrong with a request is said, with its place.
func TestInferRefuses(t *testing.T) {
	s := serving(t, Options{MaxRows: 10})
	for _, tc := range []struct {
		body   string
		status int
		text   string
	}{
		{`{`, 400, "no JSON"},
		{`{}`, 400, "no inputs"},
		{`{"inputs":[{"name":"x","shape":[1],"datatype":"FP64","data":[1]}]}`, 400, `\"y\" is missing`},
		{`{"inputs":[{"name":"a","shape":[1,2],"datatype":"FP65","data":[1,2]}]}`, 400, "FP65"},
		{`{"inputs":[{"name":"a","shape":[1,2],"datatype":"FP64","data":[1,"b"]}]}`, 400, `value 2 is the text \"b\"`},
		{`{"inputs":[{"name":"a","shape":[2,2],"datatype":"FP64","data":[1,2,3]}]}`, 400, "has 4 values, and its data have 3"},
		{`{"inputs":[{"name":"a","shape":[-1,2],"datatype":"FP64","data":[1,2]}]}`, 400, "0 or more"},
		{`{"inputs":[{"name":"a","shape":[4294967296,4294967296],"datatype":"FP64","data":[1,2]}]}`, 400, "below 2^40"},
		{`{"inputs":[{"name":"a","shape":[1073741824],"datatype":"FP64","data":[1,2]}]}`, 400, "more than its data have"},
		{`{"inputs":[{"name":"a","shape":[0,2],"datatype":"FP64","data":[]}]}`, 400, "no rows"},
		{`{"inputs":[{"name":"a","shape":[1,2],"datatype":"FP64","data":[1e999,2]}]}`, 400, "no number of float64"},
		{`{"inputs":[{"name":"a","shape":[1,2],"datatype":"FP64","parameters":{"binary_data_size":16}}]}`, 400, "Inference-Header-Content-Length is missing"},
		{`{"inputs":[{"name":"a","shape":[1,2],"datatype":"FP64","data":[1,2]}],"outputs":[{"name":"odds"}]}`, 400, "no output"},
		{`{"inputs":[{"name":"a","shape":[1,2],"datatype":"FP64","data":[1,2]}],"parameters":{"interval":2}}`, 400, "interval is 2"},
		{`{"inputs":[{"name":"a","shape":[11,2],"datatype":"FP64","data":[1,2,3,4,5,6,7,8,9,10,11,1,2,3,4,5,6,7,8,9,10,11]}]}`, 413, "11 rows"},
	} {
		s.ask(t, "POST", "/v2/models/kinds/infer", []byte(tc.body)).want(t, tc.status, tc.text)
	}
}

// Bounds and label sets are those of the library.
func TestInferIntervals(t *testing.T) {
	s := serving(t, Options{})
	table := tableOf(t, houses(3, 4))
	request := bytes.Replace(columnsOf(table, "size", "rooms", "place"), []byte(`{"id"`), []byte(`{"parameters":{"interval":0.8},"id"`), 1)
	a := parsed(t, s.ask(t, "POST", "/v2/models/house/infer", request).body)
	p, err := s.house.Predict(t.Context(), table, compute.Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	lo, hi, err := s.house.Intervals(t.Context(), p, 0.8, "jackknife+", compute.Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	if len(a.Outputs) != 3 || a.Outputs[1].Name != "lower" || a.Outputs[2].Name != "upper" {
		t.Fatalf("%+v", a)
	}
	for i := range 3 {
		if a.Outputs[1].Data[i] != lo.At(i, 0) || a.Outputs[2].Data[i] != hi.At(i, 0) {
			t.Errorf("row %d: %v to %v, and %v to %v of the library", i, a.Outputs[1].Data[i], a.Outputs[2].Data[i], lo.At(i, 0), hi.At(i, 0))
		}
	}
}

// The metadata of models name what they take and give; health and repository answer as the protocol
// says.
func TestProtocolAnswers(t *testing.T) {
	s := serving(t, Options{})
	for path, text := range map[string]string{
		"/v2":                         `"binary_tensor_data"`,
		"/v2/":                        `"name":"mercer"`,
		"/v2/health/live":             `{"live":true}`,
		"/v2/health/ready":            `"ready":true`,
		"/livez":                      `"live":true`,
		"/readyz":                     `"ready":true`,
		"/v2/models/kinds/ready":      `{"name":"kinds","ready":true}`,
		"/v2/models/kinds":            `"inputs":[{"name":"input","datatype":"FP64","shape":[-1,2]}]`,
		"/v2/models/kinds/versions/1": `"outputs":[{"name":"label","datatype":"BYTES","shape":[-1]},`,
		"/v2/models/house":            `{"name":"place","datatype":"BYTES","shape":[-1]}`,
		"/v1/models":                  `"method":"klr"`,
		"/v1/models/house":            `"levels":["coast","town","village"]`,
		"/v1/models/house/info":       `"derivation":`,
		"/openapi.json":               `"openapi":"3.1.0"`,
		"/":                           "openapi.json",
	} {
		s.ask(t, "GET", path, nil).want(t, http.StatusOK, text)
	}
	s.ask(t, "POST", "/v2/repository/index", nil).want(t, http.StatusOK, `"state":"READY"`)
	s.ask(t, "GET", "/v2/models/castle/ready", nil).want(t, http.StatusNotFound, "no model")
	s.ask(t, "GET", "/v3", nil).want(t, http.StatusNotFound, "no address")
	s.ask(t, "POST", "/v2/repository/models/house/load", nil).want(t, http.StatusForbidden, "tokens")
}
