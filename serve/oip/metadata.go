package oip

import (
	"example.org/mercer/data"
	"example.org/mercer/data/prep"
	"example.org/mercer/outcome"
)

// Described is a tensor in the description of a model; −1 in its shape stands for any number.
type Described struct {
	Name     string   `json:"name"`
	Datatype Datatype `json:"datatype"`
	Shape    []int    `json:"shape"`
}

// Metadata describes a model.
type Metadata struct {
	Name       string            `json:"name"`
	Versions   []string          `json:"versions"`
	Platform   string            `json:"platform"`
	Inputs     []Described       `json:"inputs"`
	Outputs    []Described       `json:"outputs"`
	Parameters map[string]string `json:"parameters,omitempty"`
}

// InputsOf describes the tensors that a table of these columns is asked for by: one of all numbers,
// or one for each column.
func InputsOf(columns []prep.Input) []Described {
	if numeric(columns) && len(columns) > 1 {
		return []Described{{Name: "input", Datatype: FP64, Shape: []int{-1, len(columns)}}}
	}
	var all []Described
	for _, c := range columns {
		d := Described{Name: c.Name, Datatype: Bytes, Shape: []int{-1}}
		if c.Kind == data.Numeric && c.Unit == "" {
			d.Datatype = FP64
		}
		all = append(all, d)
	}
	return all
}

// The names of outputs.
const (
	Value       = "value"
	Label       = "label"
	Probability = "probability"
	Cluster     = "cluster"
	Lower       = "lower"
	Upper       = "upper"
	LabelSet    = "set"
)

// OutputsOf makes the tensors of a prediction: the labels of targets that have some, the values of
// the function that are shown, probabilities, and clusters.
func OutputsOf(p *outcome.Prediction) []Output {
	n, _ := p.Values.Dims()
	var all []Output
	for k, t := range p.Targets {
		if t.Labels == nil && t.Form == prep.One {
			continue
		}
		out := Output{Name: Label, Datatype: Bytes, Shape: []int{n}, Strings: make([]string, n)}
		if len(p.Targets) > 1 {
			out.Name = Label + " " + t.Name
		}
		for i := range n {
			out.Strings[i] = p.Label(i, k)
		}
		all = append(all, out)
	}
	if clusters := p.Clusters(); clusters != nil {
		out := Output{Name: Cluster, Datatype: Int64, Shape: []int{n}, Numbers: make([]float64, n)}
		for i, c := range clusters {
			out.Numbers[i] = float64(c + 1)
		}
		all = append(all, out)
	}
	if shown := p.Decision.Shown(p.Targets); shown > 0 {
		all = append(all, matrix(Value, n, shown, p.Values.At))
	}
	if chances := p.Probabilities(); chances != nil {
		_, classes := chances.Dims()
		all = append(all, matrix(Probability, n, classes, chances.At))
	}
	return all
}

// matrix is an output of n×columns numbers.
func matrix(name string, n, columns int, at func(i, j int) float64) Output {
	out := Output{Name: name, Datatype: FP64, Shape: []int{n, columns}, Numbers: make([]float64, 0, n*columns)}
	for i := range n {
		for j := range columns {
			out.Numbers = append(out.Numbers, at(i, j))
		}
	}
	return out
}

// DescribedOutputs are the descriptions of outputs of any number of rows.
func DescribedOutputs(outputs []Output) []Described {
	var all []Described
	for _, o := range outputs {
		d := Described{Name: o.Name, Datatype: o.Datatype, Shape: append([]int{-1}, o.Shape[1:]...)}
		all = append(all, d)
	}
	return all
}
