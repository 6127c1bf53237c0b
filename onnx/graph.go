package onnx

import (
	"fmt"
	"math"
	"strconv"
)

// Precision is the type of the numbers of a graph.
type Precision int

const (
	// Double is 64 bits.
	Double Precision = iota
	// Single is 32 bits: half the file, and where it runs several times as fast.
	Single
)

// Type is that of the elements of a tensor, by its number in the format.
type Type int

const (
	float32s Type = 1
	int64s   Type = 7
	// Strings are text, an input of categories or an output of labels.
	Strings Type = 8
	bools   Type = 9
	doubles Type = 11
)

// Value is a tensor of a graph, by its name.
type Value string

// Tensor is a constant: numbers or text in row-major order. No dimensions: a single one.
type Tensor struct {
	Type  Type
	Dims  []int
	Float []float64
	Text  []string
}

// Port is an input or an output of a graph: rows, any number of them, with so many columns; 0: one
// value for each row.
type Port struct {
	Name    string
	Type    Type
	Columns int
}

// node is an application of an operator.
type node struct {
	op      string
	inputs  []Value
	outputs []Value
	ints    map[string][]int // attributes that are integers; of one, a list of it
	to      Type             // of Cast; 0: not
}

// Graph is a program of operators, each after those that it needs.
type Graph struct {
	Precision Precision
	Inputs    []Port
	Outputs   []Port
	// Metadata are texts beside the program, such as the expression of a kernel.
	Metadata map[string]string

	nodes     []node
	constants map[Value]Tensor
	order     []Value // of the constants
	names     int
}

// New returns an empty graph.
func New(p Precision) *Graph {
	return &Graph{Precision: p, Metadata: map[string]string{}, constants: map[Value]Tensor{}}
}

// Number is the type of the numbers of the graph.
func (g *Graph) Number() Type {
	if g.Precision == Single {
		return float32s
	}
	return doubles
}

// Input declares an input and returns it.
func (g *Graph) Input(p Port) Value {
	g.Inputs = append(g.Inputs, p)
	return Value(p.Name)
}

// Output gives a value the name of an output.
func (g *Graph) Output(v Value, p Port) {
	g.nodes = append(g.nodes, node{op: "Identity", inputs: []Value{v}, outputs: []Value{Value(p.Name)}})
	g.Outputs = append(g.Outputs, p)
}

// fresh returns a name that no value has.
func (g *Graph) fresh(of string) Value {
	g.names++
	return Value(of + "." + strconv.Itoa(g.names))
}

// constant adds a tensor.
func (g *Graph) constant(t Tensor) Value {
	name := g.fresh("constant")
	g.constants[name], g.order = t, append(g.order, name)
	return name
}

// Matrix is a constant of rows × columns numbers, in row-major order.
func (g *Graph) Matrix(rows, columns int, numbers []float64) Value {
	return g.constant(Tensor{Type: g.Number(), Dims: []int{rows, columns}, Float: g.rounded(numbers)})
}

// Row is a constant of one row of numbers.
func (g *Graph) Row(numbers []float64) Value { return g.Matrix(1, len(numbers), numbers) }

// Scalar is a constant number.
func (g *Graph) Scalar(v float64) Value {
	return g.constant(Tensor{Type: g.Number(), Float: g.rounded([]float64{v})})
}

// Texts is a constant row of texts: 1 × n, or n of them in a list.
func (g *Graph) Texts(list bool, texts ...string) Value {
	dims := []int{1, len(texts)}
	if list {
		dims = dims[1:]
	}
	return g.constant(Tensor{Type: Strings, Dims: dims, Text: texts})
}

// rounded are numbers as the graph has them.
func (g *Graph) rounded(numbers []float64) []float64 {
	if g.Precision == Double {
		return numbers
	}
	out := make([]float64, len(numbers))
	for i, v := range numbers {
		out[i] = float64(float32(v))
		if math.IsInf(out[i], 0) && !math.IsInf(v, 0) {
			out[i] = math.Copysign(math.MaxFloat32, v)
		}
	}
	return out
}

func (g *Graph) integers(values ...int) Value {
	t := Tensor{Type: int64s, Dims: []int{len(values)}}
	for _, v := range values {
		t.Float = append(t.Float, float64(v))
	}
	return g.constant(t)
}

// Apply adds an operator with one output.
func (g *Graph) Apply(op string, inputs ...Value) Value { return g.apply(op, nil, inputs...) }

func (g *Graph) apply(op string, ints map[string][]int, inputs ...Value) Value {
	out := g.fresh(op)
	g.nodes = append(g.nodes, node{op: op, inputs: inputs, outputs: []Value{out}, ints: ints})
	return out
}

// Cast converts a value to numbers of the graph.
func (g *Graph) Cast(v Value) Value {
	out := g.fresh("Cast")
	g.nodes = append(g.nodes, node{op: "Cast", inputs: []Value{v}, outputs: []Value{out}, to: g.Number()})
	return out
}

// Columns takes some columns of a matrix.
func (g *Graph) Columns(v Value, columns []int) Value {
	return g.apply("Gather", map[string][]int{"axis": {1}}, v, g.integers(columns...))
}

// Side puts matrices side by side.
func (g *Graph) Side(parts ...Value) Value {
	if len(parts) == 1 {
		return parts[0]
	}
	return g.apply("Concat", map[string][]int{"axis": {1}}, parts...)
}

// Largest returns the number of the largest column of each row, the first of equals: a list.
func (g *Graph) Largest(v Value) Value {
	return g.apply("ArgMax", map[string][]int{"axis": {1}, "keepdims": {0}}, v)
}

// Choose returns for a list of numbers what a list of texts has there.
func (g *Graph) Choose(texts, at Value) Value {
	return g.apply("Gather", map[string][]int{"axis": {0}}, texts, at)
}

// Softmax returns shares of each row.
func (g *Graph) Softmax(v Value) Value {
	return g.apply("Softmax", map[string][]int{"axis": {1}}, v)
}

// Sorted puts the columns of each row, so many of them, in their order.
func (g *Graph) Sorted(v Value, columns int) Value {
	out, places := g.fresh("TopK"), g.fresh("TopK")
	g.nodes = append(g.nodes, node{op: "TopK", inputs: []Value{v, g.integers(columns)}, outputs: []Value{out, places},
		ints: map[string][]int{"axis": {1}, "largest": {0}, "sorted": {1}}})
	return out
}

// sum adds up along an axis, which is left out or stays with one element.
func (g *Graph) sum(v Value, axis int, keep bool) Value {
	kept := 0
	if keep {
		kept = 1
	}
	return g.apply("ReduceSum", map[string][]int{"keepdims": {kept}}, v, g.integers(axis))
}

// Unsupported is an error for what no graph of standard operators is known for.
type Unsupported struct{ What, Why string }

func (e *Unsupported) Error() string { return fmt.Sprintf("onnx: %s: %s", e.What, e.Why) }
