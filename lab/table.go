package lab

import (
	"context"
	"fmt"
	"math"
	"strconv"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/prep"
	"example.org/mercer/gram"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/kernel/width"
	"example.org/mercer/space"
	"example.org/mercer/supervised/krr"
)

// tableScreen learns from a table of the reader: first what it will take, then how good it is.
var tableScreen = screen("table", "Your table", answerTable)

// tableRequest has cells as text, column by column. With Fit the plan is followed.
type tableRequest struct {
	Names  []string   `json:"names"`
	Cells  [][]string `json:"cells"`
	Target string     `json:"target"`
	Kernel string     `json:"kernel"`
	Fit    bool       `json:"fit"`
}

// tableAnswer has the plan, and after the fit what the function says of each row without it.
type tableAnswer struct {
	Rows     int     `json:"rows"`
	Prepared string  `json:"prepared"`
	Features int     `json:"features"`
	Kernel   string  `json:"kernel"`
	Memory   int64   `json:"memory"`
	Seconds  float64 `json:"seconds"`

	Fit  *tableFit `json:"fit,omitempty"`
	Says string    `json:"says"`
}

// tableFit is ridge regression at the λ with the least leave-one-out error.
type tableFit struct {
	Lambda float64     `json:"lambda"`
	DOF    float64     `json:"dof"`
	Path   []pathPoint `json:"path"`
	// Of numbers: the targets, what the function says of each row without it, and their errors.
	Target  Numbers `json:"target,omitempty"`
	LeftOut Numbers `json:"left_out,omitempty"`
	RMSE    float64 `json:"rmse,omitempty"`
	R2      float64 `json:"r2,omitempty"`
	// Of labels: how many rows of each label are told to be of each.
	Labels []string `json:"labels,omitempty"`
	Told   [][]int  `json:"told,omitempty"`
}

// mostCells bounds a table.
const mostCells = 1 << 18

// mostLevels bounds the values of a column of words that is a category.
const mostLevels = 50

func answerTable(ctx context.Context, q tableRequest, o compute.Options) (*tableAnswer, error) {
	t, err := q.table()
	if err != nil {
		return nil, err
	}
	steps, rows, err := prep.Fit(t, prep.Spec{Targets: []string{q.Target}, Missing: prep.Mean})
	if err != nil {
		return nil, invalid("%v", err)
	}
	if len(rows.Rows) < 5 || rows.X.Dim() == 0 {
		return nil, invalid("%d rows with %d features are left: at least 5 rows and a feature are needed", len(rows.Rows), rows.X.Dim())
	}
	names, groups := steps.Features()
	k, err := width.ParseOn(ctx, q.Kernel, rows.X, vec.Schema{Names: names, Groups: groups})
	if err != nil {
		return nil, invalid("%v", err)
	}
	if i, err := kernel.Outside(k, rows.X); err != nil {
		return nil, invalid("row %d: %v", i+1, err)
	}
	machine, err := compute.Calibrate(ctx, o)
	if err != nil {
		return nil, err
	}
	bound := kernel.Bind(k, rows.X, rows.X)
	if machine.PairRate, err = compute.PairRate(ctx, bound, o); err != nil {
		return nil, err
	}
	_, outputs := rows.Y.Dims()
	plan := krr.Plan(krr.Work{Rows: len(rows.Rows), Columns: rows.X.Dim(), Targets: outputs, LOO: true, Solver: krr.Eigen}, machine, 0)
	out := &tableAnswer{Rows: len(rows.Rows), Prepared: steps.String(), Features: rows.X.Dim(), Kernel: k.String(), Memory: plan.Memory, Seconds: plan.Seconds}
	if !q.Fit {
		out.Says = fmt.Sprintf("Plan: %d rows with %d features (%s). All λ at once, with exact leave-one-out errors, take %s and about %.2g s here.", out.Rows, out.Features, out.Prepared, compute.FormatBytes(out.Memory), max(out.Seconds, 1e-3))
		return out, nil
	}
	if out.Fit, err = fitTable(ctx, bound, rows.Y, steps.Targets()[0], o); err != nil {
		return nil, err
	}
	out.Says = out.Fit.says(out.Rows)
	return out, nil
}

// table makes one of the cells: a column is of numbers where all its cells are, empty ones aside.
func (q *tableRequest) table() (*data.Table, error) {
	if len(q.Names) != len(q.Cells) || len(q.Names) < 2 {
		return nil, invalid("%d names for %d columns: a table has at least two, each with a name", len(q.Names), len(q.Cells))
	}
	t := &data.Table{Source: "the table", Headed: true}
	for j, cells := range q.Cells {
		if len(cells) != len(q.Cells[0]) || len(cells) > mostPoints || len(cells)*len(q.Cells) > mostCells {
			return nil, invalid("column %d has %d cells, and the first %d: columns are equally long, with up to %d rows and %d cells in all", j+1, len(cells), len(q.Cells[0]), mostPoints, mostCells)
		}
		t.Columns = append(t.Columns, columnOf(q.Names[j], cells))
	}
	return t, nil
}

// columnOf is a column of numbers, of categories, or of text where there are too many of these.
func columnOf(name string, cells []string) data.Column {
	c := data.Column{Name: name, Kind: data.Numeric}
	levels := map[string]bool{}
	for i, cell := range cells {
		v, err := strconv.ParseFloat(cell, 64)
		if cell == "" {
			if c.Missing == nil {
				c.Missing = make([]bool, len(cells))
			}
			c.Missing[i], v, err = true, math.NaN(), nil
		}
		if err != nil || math.IsInf(v, 0) {
			c.Kind = data.Categorical
		}
		levels[cell] = true
		c.Numbers = append(c.Numbers, v)
	}
	if c.Kind == data.Categorical {
		c.Numbers, c.Strings = nil, cells
		if len(levels) > mostLevels {
			c.Kind = data.Text
		}
	}
	return c
}

// fitTable takes the path of λ, and the point with the least leave-one-out error.
func fitTable(ctx context.Context, bound kernel.Pairs, y *mat.Dense, target prep.Target, o compute.Options) (*tableFit, error) {
	rows, err := space.DualOf(ctx, gram.Of(bound, o), space.Options{Unsolved: true, Compute: o})
	if err != nil {
		return nil, invalid("%v", err)
	}
	path, err := krr.NewPath(ctx, rows, y, krr.PathOptions{Compute: o})
	if err != nil {
		return nil, invalid("%v", err)
	}
	var lambdas []float64
	for e := -8.0; e <= 1; e += 1.0 / 3 {
		lambdas = append(lambdas, math.Pow(10, e))
	}
	all, err := path.Along(ctx, lambdas)
	if err != nil {
		return nil, err
	}
	best := all[0]
	f := &tableFit{}
	for i, p := range all {
		if stat.Mean(p.LOO.RMSE, nil) < stat.Mean(best.LOO.RMSE, nil) {
			best = p
		}
		f.Path = append(f.Path, pathPoint{lambdas[i], stat.Mean(p.LOO.RMSE, nil), stat.Mean(p.Train.RMSE, nil), math.Sqrt(p.GCV), p.DOF, p.Evidence})
	}
	f.Lambda, f.DOF = best.Lambda, best.DOF
	var without mat.Dense
	without.Sub(y, best.LOOResiduals)
	n, _ := y.Dims()
	if target.Labels == nil {
		f.Target, f.LeftOut = mat.Col(nil, 0, y), mat.Col(nil, 0, &without)
		f.RMSE, f.R2 = best.LOO.RMSE[0], best.LOO.R2[0]
		return f, nil
	}
	f.Labels = target.Labels
	f.Told = make([][]int, len(f.Labels))
	for c := range f.Told {
		f.Told[c] = make([]int, len(f.Labels))
	}
	for i := range n {
		f.Told[target.Class(y.RawRowView(i))][target.Class(without.RawRowView(i))]++
	}
	return f, nil
}

// says tells how good the function is.
func (f *tableFit) says(rows int) string {
	if f.Labels == nil {
		return fmt.Sprintf("Each of %d rows without it: root mean square error %.3g, R² %.3g, at λ = %.2g with %.3g effective degrees of freedom.", rows, f.RMSE, f.R2, f.Lambda, f.DOF)
	}
	right := 0
	for c := range f.Told {
		right += f.Told[c][c]
	}
	return fmt.Sprintf("Each of %d rows without it: %.3g %% have the right label, at λ = %.2g with %.3g effective degrees of freedom.", rows, 100*float64(right)/float64(rows), f.Lambda, f.DOF)
}
