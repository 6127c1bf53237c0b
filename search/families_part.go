package search

import (
	"fmt"
	"slices"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/tune"
)

// leastOfLabel is how many rows of every label a part of a table has, as far as there are so many:
// a label that no row of the part has could not be learned on it.
const leastOfLabel = 5

// part returns about so many rows of the table, equally spaced, of every label of the only target
// its share.
func (f *familySearch) part(rows int) *data.Table {
	n := f.table.Rows()
	if rows >= n {
		return f.table
	}
	share := float64(rows) / float64(n)
	labels := f.labels()
	if labels == nil {
		return f.table.Gather(tune.Share(data.Range(0, n), share))
	}
	of := map[string][]int{}
	for i, label := range labels {
		of[label] = append(of[label], i)
	}
	var picked []int
	for _, same := range of {
		least := min(1, float64(leastOfLabel)/float64(len(same)))
		picked = append(picked, tune.Share(same, max(share, least))...)
	}
	slices.Sort(picked) // whatever the order of the labels
	return f.table.Gather(picked)
}

// labels are the cells of the only target where it holds labels, else nil.
func (f *familySearch) labels() []string {
	if len(f.spec.Targets) != 1 {
		return nil
	}
	kinds, _, err := f.spec.TargetKind(f.table)
	at, missing := f.table.Find(f.spec.Targets[0])
	if err != nil || missing != nil || !kinds {
		return nil // who prepares the rows says why
	}
	c := &f.table.Columns[at]
	if c.Kind != data.Numeric {
		return c.Strings
	}
	out := make([]string, len(c.Numbers))
	for i, v := range c.Numbers {
		out[i] = fmt.Sprint(v)
	}
	return out
}

// spent reports whether the time of the search is over.
func (f *familySearch) spent() bool {
	return f.Budget > 0 && f.watch.Seconds() >= f.Budget.Seconds()
}

// unfinished warns of candidates for which no time was left.
func (f *familySearch) unfinished() []string {
	if f.left == 0 {
		return nil
	}
	return []string{fmt.Sprintf("the time of the search, %s, was over with %d candidates left: more time may find a better kernel", compute.FormatSeconds(f.Budget.Seconds()), f.left)}
}
