package tune

import (
	"fmt"
	"slices"
)

// StratifiedKFold returns k splits in which every class has, to within one row, the
// same number of test rows in each: the rows of a class, in random order, are dealt out
// like cards, each class going on where the last one ended. Every class needs k rows, or
// some training part would be the only one to see it.
func StratifiedKFold(classes []int, k int, seed uint64) ([]Split, error) {
	n := len(classes)
	if k < 2 || k > n {
		return nil, fmt.Errorf("tune: %d folds of %d rows: there must be at least 2, and no more than rows", k, n)
	}
	order, rows := splitStream.rand(seed).Perm(n), map[int][]int{}
	for _, i := range order {
		rows[classes[i]] = append(rows[classes[i]], i)
	}
	tests, next := make([][]int, k), 0
	for _, c := range sortedClasses(rows) {
		if len(rows[c]) < 2 {
			return nil, fmt.Errorf("tune: class %d has %d row: cross-validation cannot both learn from it and test on it; leave it out or join it with another", c, len(rows[c]))
		}
		for _, i := range rows[c] {
			tests[next%k] = append(tests[next%k], i)
			next++
		}
	}
	return splitsOf(n, tests), nil
}

func sortedClasses(rows map[int][]int) []int {
	var out []int
	for c := range rows {
		out = append(out, c)
	}
	slices.Sort(out)
	return out
}

// GroupKFold returns k splits that never divide a group (a patient, a day): the groups,
// largest first, each go to the part with the fewest rows so far; equal ones in random
// order.
func GroupKFold(groups []string, k int, seed uint64) ([]Split, error) {
	rows := map[string][]int{}
	var names []string
	for i, g := range groups {
		if rows[g] == nil {
			names = append(names, g)
		}
		rows[g] = append(rows[g], i)
	}
	if k < 2 || k > len(names) {
		return nil, fmt.Errorf("tune: %d folds of %d groups: there must be at least 2, and no more than groups", k, len(names))
	}
	shuffled := make([]string, len(names))
	for to, from := range splitStream.rand(seed).Perm(len(names)) {
		shuffled[to] = names[from]
	}
	slices.SortStableFunc(shuffled, func(a, b string) int { return len(rows[b]) - len(rows[a]) })
	tests := make([][]int, k)
	for _, g := range shuffled {
		least := 0
		for f := range tests {
			if len(tests[f]) < len(tests[least]) {
				least = f
			}
		}
		tests[least] = append(tests[least], rows[g]...)
	}
	return splitsOf(len(groups), tests), nil
}

// Forward returns k splits of rows in the order of time: the rows are cut into k+1
// runs, and run i is tested by what was learned from all rows before it.
func Forward(n, k int) ([]Split, error) {
	if k < 1 || k >= n {
		return nil, fmt.Errorf("tune: %d splits of %d rows in time: there must be at least 1, and fewer than rows", k, n)
	}
	splits := make([]Split, k)
	for f := range splits {
		from, to := (f+1)*n/(k+1), (f+2)*n/(k+1)
		splits[f] = Split{Train: span(0, from), Test: span(from, to)}
	}
	return splits, nil
}

func span(from, to int) []int {
	out := make([]int, to-from)
	for i := range out {
		out[i] = from + i
	}
	return out
}

// splitsOf makes a split of n rows from each set of test rows.
func splitsOf(n int, tests [][]int) []Split {
	splits := make([]Split, len(tests))
	for f, test := range tests {
		splits[f] = newSplit(n, test)
	}
	return splits
}
