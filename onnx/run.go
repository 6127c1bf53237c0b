package onnx

import (
	"fmt"
	"math"
	"slices"
	"sort"
)

// Array is a tensor with its elements: numbers (also those of integers, and 0 and 1 of truth
// values), or text.
type Array struct {
	Dims  []int
	Float []float64
	Text  []string
}

// Run computes the outputs of a graph from its inputs by the definitions of the operators, slowly:
// in double precision, whatever that of the graph is. It knows the operators that this package
// writes.
func (g *Graph) Run(inputs map[string]Array) (map[string]Array, error) {
	known := map[Value]Array{}
	for _, p := range g.Inputs {
		a, ok := inputs[p.Name]
		if !ok {
			return nil, fmt.Errorf("onnx: the input %q is not given", p.Name)
		}
		known[Value(p.Name)] = a
	}
	for name, t := range g.constants {
		known[name] = Array{t.Dims, t.Float, t.Text}
	}
	for _, n := range g.nodes {
		run, ok := operators[n.op]
		if !ok {
			return nil, fmt.Errorf("onnx: the operator %s has no definition here", n.op)
		}
		var in []Array
		for _, v := range n.inputs {
			in = append(in, known[v])
		}
		out, err := run(n, in)
		if err != nil {
			return nil, fmt.Errorf("onnx: %s: %w", n.outputs[0], err)
		}
		known[n.outputs[0]] = out
	}
	out := map[string]Array{}
	for _, p := range g.Outputs {
		out[p.Name] = known[Value(p.Name)]
	}
	return out, nil
}

// operator computes the first output of a node.
type operator func(n node, in []Array) (Array, error)

var operators = map[string]operator{
	"Add":        elementwise(func(a, b float64) float64 { return a + b }),
	"Sub":        elementwise(func(a, b float64) float64 { return a - b }),
	"Mul":        elementwise(func(a, b float64) float64 { return a * b }),
	"Div":        elementwise(func(a, b float64) float64 { return a / b }),
	"Pow":        elementwise(math.Pow),
	"Min":        elementwise(math.Min),
	"Max":        elementwise(math.Max),
	"Greater":    elementwise(func(a, b float64) float64 { return truth(a > b) }),
	"Exp":        single(math.Exp),
	"Sqrt":       single(math.Sqrt),
	"Abs":        single(math.Abs),
	"Tanh":       single(math.Tanh),
	"Cos":        single(math.Cos),
	"Sin":        single(math.Sin),
	"Reciprocal": single(func(a float64) float64 { return 1 / a }),
	"Not":        single(func(a float64) float64 { return 1 - a }),
	"IsNaN":      single(func(a float64) float64 { return truth(math.IsNaN(a)) }),
	"Cast":       single(func(a float64) float64 { return a }),
	"Identity":   func(_ node, in []Array) (Array, error) { return in[0], nil },
	"Equal":      equal,
	"Where":      where,
	"MatMul":     matMul,
	"ReduceSum":  reduceSum,
	"Gather":     gather,
	"Concat":     concat,
	"Unsqueeze":  unsqueeze,
	"ArgMax":     argMax,
	"Softmax":    softmax,
	"TopK":       topK,
}

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// sizeOf is the number of elements.
func sizeOf(dims []int) int {
	n := 1
	for _, d := range dims {
		n *= d
	}
	return n
}

// single applies a function to every element.
func single(f func(float64) float64) operator {
	return func(_ node, in []Array) (Array, error) {
		out := Array{Dims: in[0].Dims, Float: make([]float64, len(in[0].Float))}
		for i, v := range in[0].Float {
			out.Float[i] = f(v)
		}
		return out, nil
	}
}

// elementwise applies a function to the elements of two arrays.
func elementwise(f func(a, b float64) float64) operator {
	return func(_ node, in []Array) (Array, error) {
		dims, err := broadcast(in...)
		if err != nil {
			return Array{}, err
		}
		out := Array{Dims: dims, Float: make([]float64, sizeOf(dims))}
		for i := range out.Float {
			out.Float[i] = f(in[0].Float[in[0].from(dims, i)], in[1].Float[in[1].from(dims, i)])
		}
		return out, nil
	}
}

// broadcast returns the shape that arrays have together: a side of 1 is repeated, and sides that
// are missing stand in front.
func broadcast(in ...Array) ([]int, error) {
	var dims []int
	for _, a := range in {
		for len(dims) < len(a.Dims) {
			dims = append([]int{1}, dims...)
		}
	}
	for _, a := range in {
		for k, d := range a.Dims {
			at := &dims[len(dims)-len(a.Dims)+k]
			if *at != d && *at != 1 && d != 1 {
				return nil, fmt.Errorf("the shapes %v and %v do not go together", in[0].Dims, a.Dims)
			}
			if *at == 1 {
				*at = d
			}
		}
	}
	return dims, nil
}

// from returns where the array has the element that becomes element i of a shape.
func (a Array) from(dims []int, i int) int {
	at, step := 0, 1
	for k := len(dims) - 1; k >= 0; k-- {
		along := i % dims[k]
		i /= dims[k]
		if own := k - (len(dims) - len(a.Dims)); own >= 0 {
			if a.Dims[own] > 1 {
				at += along * step
			}
			step *= a.Dims[own]
		}
	}
	return at
}

func equal(_ node, in []Array) (Array, error) {
	dims, err := broadcast(in...)
	if err != nil {
		return Array{}, err
	}
	out := Array{Dims: dims, Float: make([]float64, sizeOf(dims))}
	for i := range out.Float {
		a, b := in[0].from(dims, i), in[1].from(dims, i)
		if in[0].Text != nil {
			out.Float[i] = truth(in[0].Text[a] == in[1].Text[b])
		} else {
			out.Float[i] = truth(in[0].Float[a] == in[1].Float[b])
		}
	}
	return out, nil
}

func where(_ node, in []Array) (Array, error) {
	dims, err := broadcast(in...)
	if err != nil {
		return Array{}, err
	}
	out := Array{Dims: dims}
	for i := range sizeOf(dims) {
		from := in[2]
		if in[0].Float[in[0].from(dims, i)] != 0 {
			from = in[1]
		}
		if at := from.from(dims, i); from.Text != nil {
			out.Text = append(out.Text, from.Text[at])
		} else {
			out.Float = append(out.Float, from.Float[at])
		}
	}
	return out, nil
}

func matMul(_ node, in []Array) (Array, error) {
	a, b := in[0], in[1]
	if len(a.Dims) != 2 || len(b.Dims) != 2 || a.Dims[1] != b.Dims[0] {
		return Array{}, fmt.Errorf("matrices of the shapes %v and %v have no product", a.Dims, b.Dims)
	}
	n, inner, m := a.Dims[0], a.Dims[1], b.Dims[1]
	out := Array{Dims: []int{n, m}, Float: make([]float64, n*m)}
	for i := range n {
		for k := range inner {
			for j := range m {
				out.Float[i*m+j] += a.Float[i*inner+k] * b.Float[k*m+j]
			}
		}
	}
	return out, nil
}

// split returns the number of elements in front of an axis, along it and behind it.
func split(dims []int, axis int) (outer, along, inner int) {
	return sizeOf(dims[:axis]), dims[axis], sizeOf(dims[axis+1:])
}

func reduceSum(n node, in []Array) (Array, error) {
	axis := int(in[1].Float[0])
	outer, along, inner := split(in[0].Dims, axis)
	out := Array{Dims: slices.Clone(in[0].Dims), Float: make([]float64, outer*inner)}
	if out.Dims[axis] = 1; n.ints["keepdims"][0] == 0 {
		out.Dims = slices.Delete(out.Dims, axis, axis+1)
	}
	for o := range outer {
		for k := range along {
			for i := range inner {
				out.Float[o*inner+i] += in[0].Float[(o*along+k)*inner+i]
			}
		}
	}
	return out, nil
}

func gather(n node, in []Array) (Array, error) {
	axis := n.ints["axis"][0]
	outer, along, inner := split(in[0].Dims, axis)
	out := Array{Dims: slices.Concat(in[0].Dims[:axis], in[1].Dims, in[0].Dims[axis+1:])}
	for o := range outer {
		for _, at := range in[1].Float {
			if at < 0 || int(at) >= along {
				return Array{}, fmt.Errorf("there is no element %v along a side of %d", at, along)
			}
			from := (o*along + int(at)) * inner
			if in[0].Text != nil {
				out.Text = append(out.Text, in[0].Text[from:from+inner]...)
			} else {
				out.Float = append(out.Float, in[0].Float[from:from+inner]...)
			}
		}
	}
	return out, nil
}

func concat(n node, in []Array) (Array, error) {
	axis := n.ints["axis"][0]
	out := Array{Dims: slices.Clone(in[0].Dims)}
	out.Dims[axis] = 0
	for _, a := range in {
		out.Dims[axis] += a.Dims[axis]
	}
	for o := range sizeOf(out.Dims[:axis]) {
		for _, a := range in {
			size := sizeOf(a.Dims[axis:])
			out.Float = append(out.Float, a.Float[o*size:(o+1)*size]...)
		}
	}
	return out, nil
}

func unsqueeze(_ node, in []Array) (Array, error) {
	out := in[0]
	out.Dims = slices.Insert(slices.Clone(out.Dims), int(in[1].Float[0]), 1)
	return out, nil
}

// eachRow calls use with every row of a matrix.
func eachRow(a Array, use func(row []float64)) {
	for i := range a.Dims[0] {
		use(a.Float[i*a.Dims[1] : (i+1)*a.Dims[1]])
	}
}

func argMax(_ node, in []Array) (Array, error) {
	out := Array{Dims: in[0].Dims[:1]}
	eachRow(in[0], func(row []float64) {
		best := 0
		for j, v := range row {
			if v > row[best] {
				best = j
			}
		}
		out.Float = append(out.Float, float64(best))
	})
	return out, nil
}

func softmax(_ node, in []Array) (Array, error) {
	out := Array{Dims: in[0].Dims}
	eachRow(in[0], func(row []float64) {
		sum, most := 0.0, slices.Max(row)
		for _, v := range row {
			sum += math.Exp(v - most)
		}
		for _, v := range row {
			out.Float = append(out.Float, math.Exp(v-most)/sum)
		}
	})
	return out, nil
}

// topK is that of all columns, the smallest first: rows in their order.
func topK(_ node, in []Array) (Array, error) {
	out := Array{Dims: in[0].Dims}
	eachRow(in[0], func(row []float64) {
		row = slices.Clone(row)
		sort.Float64s(row)
		out.Float = append(out.Float, row...)
	})
	return out, nil
}
