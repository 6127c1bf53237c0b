package mercer_test

import (
	"context"
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"example.org/mercer"
	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/prep"
	"example.org/mercer/learner/methods"
	"example.org/mercer/outcome"
	"example.org/mercer/supervised/krr"
	"example.org/mercer/task"
)

var background = context.Background()

// houses is a table with numbers, a category, ids and weights: price depends on size
// and age smoothly and on kind by a step.
func houses(rows int, seed uint64) *data.Table {
	r := rand.New(rand.NewPCG(seed, 1))
	names := []string{"id", "size", "age", "kind", "weight", "price"}
	columns := make([]data.Column, len(names))
	for i, name := range names {
		columns[i].Name = name
	}
	columns[0].Kind, columns[3].Kind = data.Text, data.Categorical
	for i := range rows {
		size, age := 40+80*r.Float64(), 40*r.Float64()
		kind, step := "flat", 0.0
		if r.Float64() < 0.4 {
			kind, step = "house", 30.0
		}
		columns[0].Strings = append(columns[0].Strings, "h"+strconv.Itoa(i))
		columns[1].Numbers = append(columns[1].Numbers, size)
		columns[2].Numbers = append(columns[2].Numbers, age)
		columns[3].Strings = append(columns[3].Strings, kind)
		columns[4].Numbers = append(columns[4].Numbers, 0.5+r.Float64())
		columns[5].Numbers = append(columns[5].Numbers, 2*size+step+20*math.Exp(-age/10)+r.NormFloat64())
	}
	return &data.Table{Source: "houses", Headed: true, Columns: columns}
}

var spec = prep.Spec{Targets: []string{"price"}, ID: "id", Weights: "weight"}

// fit fits the houses with a kernel.
func fit(t *testing.T, table *data.Table, s prep.Spec, kernel string, o krr.Options) *mercer.Model {
	t.Helper()
	p, err := task.New(background, table, s, kernel)
	if err != nil {
		t.Fatal(err)
	}
	m, err := mercer.Fit(background, p, methods.KRR{Options: o}, 1)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func predict(t *testing.T, m *mercer.Model, table *data.Table) *outcome.Prediction {
	t.Helper()
	p, err := m.Predict(background, table, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}
