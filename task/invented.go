package task

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"example.org/mercer/data"
	"example.org/mercer/data/prep"
	"example.org/mercer/kernel/record"
)

// A model tests itself on rows that are made up: they have what a prediction needs, and no row of
// them is a training row. Drawn and blended ones say what moments and sums do. Single cells of
// training rows stand in shuffled ones, and names of training rows where a kernel looks these up.

// selfTestCount is the number of rows that a model keeps for its self-test.
const selfTestCount = 5

// sampled is the number of prepared rows that made up rows are to resemble, and sampledCells that
// of all of their cells.
const sampled, sampledCells = 256, 1 << 22

// Invented returns tables of made up rows, for a kernel on points of some kind, in the order in
// which they are to be tried: a kernel may not be defined for the first ones. The numbers of those
// from shuffled on are single cells of training rows. names are those of points that a kernel on
// row ids is known to have.
func Invented(kind, kernel string, steps *prep.Pipeline, like *prep.Prepared, names []string) (tables []*data.Table, shuffled int, err error) {
	r := rand.New(rand.NewPCG(5, 17))
	switch kind {
	case OnRowIDs:
		tables = []*data.Table{steps.Named(spreadOver(names))}
		return tables, len(tables), nil
	case OnRecords:
		tables, err = inventRecords(kernel, steps, like, r)
	default:
		tables = inventRows(steps, like, r, nil)
	}
	return tables, max(0, len(tables)-1), err // shuffling is the last of prep.Inventions
}

// spreadOver returns a few of the names.
func spreadOver(names []string) []string {
	n := min(selfTestCount, len(names))
	some := make([]string, n)
	for i := range some {
		some[i] = names[i*len(names)/n]
	}
	return some
}

// inventRows makes up rows in every way there is.
func inventRows(steps *prep.Pipeline, like *prep.Prepared, r *rand.Rand, text func(column string, row int) string) []*data.Table {
	var tables []*data.Table
	sample := sampleOf(like)
	for _, how := range prep.Inventions {
		if sample.Len() == 0 && sample.Dim() > 0 {
			continue
		}
		t := steps.Invent(sample, selfTestCount, how, r, text)
		t.Source = "self-test rows"
		tables = append(tables, t)
	}
	return tables
}

// sampleOf returns some of the prepared rows, spread over all.
func sampleOf(like *prep.Prepared) data.Vectors {
	xs := like.Vectors()
	n := min(sampled, xs.Len(), max(8, sampledCells/max(1, xs.Dim())))
	some := make([]int, n)
	for i := range some {
		some[i] = i * xs.Len() / n
	}
	out, _ := data.Subset(xs, some).(data.Vectors)
	return out
}

// inventRecords makes up rows with cells that are compared as they are.
func inventRecords(kernel string, steps *prep.Pipeline, like *prep.Prepared, r *rand.Rand) ([]*data.Table, error) {
	parsed, err := Parse(kernel)
	if err != nil {
		return nil, err
	}
	slots, err := record.Slots(parsed.Node, steps.Cells(), languages...)
	if err != nil {
		return nil, err
	}
	made := map[string][]string{}
	for _, of := range like.Cells {
		texts := make([]string, selfTestCount)
		for i := range texts {
			if texts[i], err = inventCell(of, slots, r); err != nil {
				return nil, err
			}
		}
		made[of.Name] = texts
	}
	return inventRows(steps, like, r, func(column string, row int) string { return made[column][row] }), nil
}

// inventCell makes up a cell such as a kernel compares in a column.
func inventCell(of prep.Cells, slots []record.Slot, r *rand.Rand) (string, error) {
	at := slices.IndexFunc(slots, func(s record.Slot) bool { return s.Column == of.Name })
	if at < 0 {
		return "", nil // not compared
	}
	language := slices.IndexFunc(languages, func(l record.Language) bool { return l.Name == slots[at].Language })
	if language < 0 || languages[language].Invent == nil {
		return "", fmt.Errorf("task: cells that hold a %s cannot be made up", slots[at].Language)
	}
	var like []string
	for i, n := 0, len(of.Text); i < n; i += max(1, n/sampled) {
		if of.Missing == nil || !of.Missing[i] {
			like = append(like, of.Text[i])
		}
	}
	return languages[language].Invent(like, r)
}
