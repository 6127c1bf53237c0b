package skops

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/data"
)

// Value is an object of the tree, or an attribute or an element of one. One that is not there is a
// value, too: it is of no kind.
type Value struct {
	file *file
	path string // from the root
	node node
	none bool // it is not there
}

// Err returns the first thing that was asked for and is not there or not of its kind, in the whole
// file; nil: all answers are true.
func (v *Value) Err() error { return v.file.err }

// Failf notes that the value cannot be used, unless something else was noted before.
func (v *Value) Failf(format string, args ...any) {
	if v.file.err != nil {
		return
	}
	at := v.path
	if at == "" {
		at = "the model"
	}
	v.file.err = &data.Error{Source: v.file.name, Reason: at + " " + fmt.Sprintf(format, args...)}
}

// failed notes an error of reading.
func (v *Value) failed(err error) {
	if canceled := context.Canceled; errors.Is(err, canceled) && v.file.err == nil {
		v.file.err = err
		return
	}
	v.Failf("cannot be read: %v", err)
}

// Class returns the class of an object without its module, such as "SVC"; "" where there is none.
func (v *Value) Class() string { return v.node.Class }

// Qualified returns the class with its module, as messages name it.
func (v *Value) Qualified() string {
	switch {
	case v.none:
		return "nothing"
	case v.node.Module == "" || v.node.Module == "builtins":
		return v.node.Class
	}
	return v.node.Module + "." + v.node.Class
}

// Of reports whether the value is an object of a class of a package, or of one inside of it.
func (v *Value) Of(module string) bool {
	return v.node.Loader == "ObjectNode" && (v.node.Module == module || strings.HasPrefix(v.node.Module, module+"."))
}

// Missing reports whether there is no such attribute.
func (v *Value) Missing() bool { return v.none }

// IsNone reports whether the value is None.
func (v *Value) IsNone() bool {
	text, ok := v.Written()
	return ok && text == "null"
}

// Written returns the JSON of a plain value: a text in quotes, a number, true, false or null.
func (v *Value) Written() (text string, ok bool) {
	if v.node.Loader != "JsonNode" || json.Unmarshal(v.node.Content, &text) != nil {
		return "", false
	}
	return text, true
}

// children returns the members of a dict, or of the attributes of an object.
func (v *Value) children() map[string]node {
	content := v.node.Content
	if v.node.Loader == "ObjectNode" {
		var attributes node
		if json.Unmarshal(content, &attributes) != nil || attributes.Loader != "DictNode" {
			return nil
		}
		content = attributes.Content
	} else if v.node.Loader != "DictNode" {
		return nil
	}
	var members map[string]node
	if json.Unmarshal(content, &members) != nil {
		return nil
	}
	return members
}

// Get returns an attribute of an object, or a member of a dict.
func (v *Value) Get(name string) *Value {
	path := name
	if v.path != "" {
		path = v.path + "." + name
	}
	n, ok := v.children()[name]
	return &Value{v.file, path, n, !ok}
}

// Items returns the elements of a list or a tuple, or of an array of objects.
func (v *Value) Items() []*Value {
	var nodes []node
	isList := v.node.Loader == "ListNode" || v.node.Loader == "TupleNode" || v.node.Loader == "NdArrayNode" && v.node.Type == "json"
	if !isList || json.Unmarshal(v.node.Content, &nodes) != nil {
		v.Failf("is %s, and not a list", v.Qualified())
		return nil
	}
	out := make([]*Value, len(nodes))
	for i, n := range nodes {
		out[i] = &Value{v.file, fmt.Sprintf("%s[%d]", v.path, i), n, false}
	}
	return out
}

// Bool returns a truth value.
func (v *Value) Bool() bool {
	switch text, _ := v.Written(); text {
	case "true":
		return true
	case "false":
		return false
	}
	v.Failf("is %s, and not True or False", v.Qualified())
	return false
}

// String returns a text.
func (v *Value) String() string {
	var s string
	if text, ok := v.Written(); !ok || json.Unmarshal([]byte(text), &s) != nil {
		v.Failf("is %s, and not a text", v.Qualified())
	}
	return s
}

// IsString reports whether the value is a text.
func (v *Value) IsString() bool {
	text, ok := v.Written()
	return ok && strings.HasPrefix(text, `"`)
}

// IsArray reports whether the value is an array or a number of numpy.
func (v *Value) IsArray() bool { return v.node.Loader == "NdArrayNode" }

// IsList reports whether the value is a list or a tuple.
func (v *Value) IsList() bool { return v.node.Loader == "ListNode" || v.node.Loader == "TupleNode" }

// Float returns a finite number, of Python or of numpy.
func (v *Value) Float(ctx context.Context) float64 {
	if text, ok := v.Written(); ok {
		x, err := strconv.ParseFloat(text, 64)
		if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
			v.Failf("is %s, and not a finite number", data.Cut(text))
			return 0
		}
		return x
	}
	x := v.Floats(ctx)
	if v.Err() == nil && len(x) != 1 {
		v.Failf("has %d numbers, and not one", len(x))
	}
	if v.Err() != nil {
		return 0
	}
	return x[0]
}

// Int returns a whole number that fits 32 bits.
func (v *Value) Int(ctx context.Context) int {
	x := v.Float(ctx)
	if x != math.Trunc(x) || math.Abs(x) > math.MaxInt32 {
		v.Failf("is %v, and not a whole number", x)
		return 0
	}
	return int(x)
}

// Floats returns the finite numbers of an array of one dimension, or of a list; a number is one.
func (v *Value) Floats(ctx context.Context) []float64 {
	if _, plain := v.Written(); plain {
		return []float64{v.Float(ctx)}
	}
	if v.IsArray() && v.node.Type != "json" {
		m := v.Matrix(ctx)
		if m == nil {
			return nil
		}
		if _, cols := m.Dims(); cols != 1 {
			v.Failf("has %d columns, and not one", cols)
			return nil
		}
		return m.RawMatrix().Data
	}
	items := v.Items()
	out := make([]float64, len(items))
	for i, item := range items {
		out[i] = item.Float(ctx)
	}
	return out
}

// Matrix returns the finite numbers of an array of up to two dimensions; one of a single dimension
// is a column. nil: it cannot be read, or is empty.
func (v *Value) Matrix(ctx context.Context) *mat.Dense {
	if !v.IsArray() || v.node.Type != "numpy" {
		v.Failf("is %s, and not an array of numbers", v.Qualified())
		return nil
	}
	rows, cols, values, err := v.file.matrix(ctx, v.node.File)
	if err != nil {
		v.failed(err)
		return nil
	}
	if rows == 0 || cols == 0 {
		v.Failf("is an empty array")
		return nil
	}
	for i, x := range values {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			v.Failf("holds %v in row %d, column %d, counted from 0", x, i/cols, i%cols)
			return nil
		}
	}
	return mat.NewDense(rows, cols, values)
}

// Texts returns the elements of an array or a list as tables write them: texts as they are, whole
// numbers without a point, truth values as True and False.
func (v *Value) Texts(ctx context.Context) []string {
	if v.IsArray() && v.node.Type == "numpy" {
		return v.ofArray(ctx)
	}
	var out []string
	for _, item := range v.Items() {
		text, plain := item.Written()
		switch {
		case item.IsString():
			out = append(out, item.String())
		case plain && (text == "true" || text == "false"):
			out = append(out, truth(text == "true"))
		default:
			out = append(out, written([]float64{item.Float(ctx)})...)
		}
	}
	return out
}

// ofArray returns the elements of an array of numpy.
func (v *Value) ofArray(ctx context.Context) []string {
	kind, err := v.file.kind(v.node.File)
	if err == nil && (kind == 'U' || kind == 'S') {
		var texts []string
		if texts, err = v.file.strings(v.node.File); err == nil {
			return texts
		}
	}
	if err != nil {
		v.failed(err)
		return nil
	}
	numbers := v.Floats(ctx)
	if kind != 'b' {
		return written(numbers)
	}
	out := make([]string, len(numbers))
	for i, x := range numbers {
		out[i] = truth(x != 0)
	}
	return out
}

// truth is a truth value as Python writes it.
func truth(v bool) string {
	if v {
		return "True"
	}
	return "False"
}

// written returns numbers in the shortest form.
func written(x []float64) []string {
	out := make([]string, len(x))
	for i, x := range x {
		out[i] = strconv.FormatFloat(x, 'g', -1, 64)
	}
	return out
}

// IsNumbers reports whether the value is an array of numbers.
func (v *Value) IsNumbers() bool {
	if !v.IsArray() || v.node.Type != "numpy" {
		return false
	}
	kind, err := v.file.kind(v.node.File)
	return err == nil && strings.IndexByte("biuf", kind) >= 0
}

// IsTrue reports whether the value is True.
func (v *Value) IsTrue() bool {
	text, ok := v.Written()
	return ok && text == "true"
}
