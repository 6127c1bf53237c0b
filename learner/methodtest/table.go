package methodtest

import (
	"encoding/csv"
	"errors"
	"math"
	"os"
	"strconv"

	"example.org/mercer/data"
)

// Table has points of the plane (x, y), weights of 0, 1 and 2, and targets: a number, two classes,
// three classes, and sets, rankings and sequences of names.
func Table(rows int) *data.Table {
	t := &data.Table{Source: "plane", Headed: true, Columns: []data.Column{{Name: "x"}, {Name: "y"}, {Name: "weight"}, {Name: "number"},
		{Name: "two", Kind: data.Categorical}, {Name: "three", Kind: data.Categorical}, {Name: "set", Kind: data.Categorical},
		{Name: "order", Kind: data.Categorical}, {Name: "line", Kind: data.Categorical}}}
	for i := range rows {
		x, y := 1.6*math.Sin(1.7*float64(i+1)), 1.3*math.Cos(float64(i*i%977))
		for j, v := range []float64{x, y, float64(i % 3), math.Sin(2*x) + y + 0.3*float64(i%5)} {
			t.Columns[j].Numbers = append(t.Columns[j].Numbers, v)
		}
		two, set := "out", "{}"
		if x*x+y*y < 1.2+0.1*float64(i%7) {
			two = "in"
		}
		if x > 0.2 {
			set = "ash"
		}
		if y > 0 {
			set = "beech"
		}
		if x > 0.2 && y > 0 {
			set = "ash|beech"
		}
		three := []string{"low", "mid", "top"}[min(2, int(1.4*math.Abs(x+0.2*float64(i%4))))]
		order, line := "ash>beech>fir", "dry dry"
		if y > x {
			order, line = "beech>ash>fir", "dry wet"
		}
		if x < -0.8 {
			order, line = "fir>beech>ash", "wet wet"
		}
		for j, v := range []string{two, three, set, order, line} {
			t.Columns[4+j].Strings = append(t.Columns[4+j].Strings, v)
		}
	}
	return t
}

// Repeated has the rows of a table as often as their weights say.
func Repeated(t *data.Table) *data.Table {
	var rows []int
	for i, w := range t.Columns[2].Numbers {
		for range int(w) {
			rows = append(rows, i)
		}
	}
	return t.Gather(rows)
}

// writeCSV writes a table.
func writeCSV(path string, t *data.Table) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	w := csv.NewWriter(f)
	row := make([]string, len(t.Columns))
	for j, c := range t.Columns {
		row[j] = c.Name
	}
	problems := []error{w.Write(row)}
	for i := range t.Columns[0].Numbers {
		for j, c := range t.Columns {
			if c.Kind == data.Numeric {
				row[j] = strconv.FormatFloat(c.Numbers[i], 'g', -1, 64)
			} else {
				row[j] = c.Strings[i]
			}
		}
		problems = append(problems, w.Write(row))
	}
	w.Flush()
	return errors.Join(append(problems, w.Error(), f.Close())...)
}
