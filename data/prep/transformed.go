package prep

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/data"
	"example.org/mercer/data/prep/transform"
)

// transformTargets chooses the function of every target of numbers, and stores its values in their
// place.
func (p *Pipeline) transformTargets(from *source, out *Prepared, name string) (notes []string, err error) {
	if name == "" || name == transform.None || out.Y == nil {
		return nil, nil
	}
	output, found := 0, false
	for j := range p.columns {
		c := &p.columns[j]
		if c.Role != target {
			continue
		}
		at := output
		if output += c.target().Outputs(); c.Kind != numeric {
			continue
		}
		known, y, w := labelledRows(out, at)
		m, err := transform.Fit(name, y, w)
		var undefined *transform.Undefined
		if errors.As(err, &undefined) {
			return nil, from.eachKept(func(k int) bool { return k == j }, func(v view, rows []int, first int) error {
				if at := known[undefined.Row] - first; at >= 0 && at < len(rows) {
					return v.cells(j).undefined(rows[at], name, undefined.Needs)
				}
				return nil
			})
		}
		if err != nil {
			return nil, err
		}
		c.Transform, found = m, true
		for _, i := range known {
			out.Y.Set(i, at, m.Forward(out.Y.At(i, at)))
		}
		notes = append(notes, fmt.Sprintf("%s is learned, and taken back in predictions", m.Named(c.Name)))
	}
	if !found {
		return nil, errors.New("prep: a function of the target (" + name + ") is for numbers, and the target has labels: leave it out")
	}
	return notes, nil
}

// labelledRows are the rows that have a target, with it and their weights.
func labelledRows(out *Prepared, output int) (rows []int, y, w []float64) {
	for i := range out.Rows {
		v := out.Y.At(i, output)
		if math.IsNaN(v) {
			continue
		}
		rows, y = append(rows, i), append(y, v)
		if out.W != nil {
			w = append(w, out.W[i])
		}
	}
	return rows, y, w
}

// undefined is the error of a target that a function has no value for.
func (c cells) undefined(row int, name, needs string) *data.Error {
	others := strings.Join(transform.Names(), ", ")
	return c.refuse(row, fmt.Sprintf("has no %s, which needs targets %s", name, needs), "take another function of the target ("+others+", none), or leave the row out")
}

// InUnits takes the outputs of numeric targets back to the units of their columns: rows × outputs,
// in place.
func InUnits(targets []Target, outputs *mat.Dense) {
	at := 0
	for _, t := range targets {
		if t.Transform != nil {
			rows, _ := outputs.Dims()
			for i := range rows {
				outputs.Set(i, at, t.Transform.Inverse(outputs.At(i, at)))
			}
		}
		at += t.Outputs()
	}
}

// IsTransformed reports whether a target is learned by a function of it.
func IsTransformed(targets []Target) bool {
	for _, t := range targets {
		if t.Transform != nil {
			return true
		}
	}
	return false
}
