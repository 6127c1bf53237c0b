package tune

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
)

// Split divides rows in those to learn from and those to test on, each ascending.
type Split struct {
	Train []int `json:"train"`
	Test  []int `json:"test"`
}

// newSplit returns the split of n rows with the given test rows, which it sorts.
func newSplit(n int, test []int) Split {
	slices.Sort(test)
	s := Split{Test: test, Train: make([]int, 0, n-len(test))}
	for i, t := 0, 0; i < n; i++ {
		if t < len(test) && test[t] == i {
			t++
			continue
		}
		s.Train = append(s.Train, i)
	}
	return s
}

// stream separates the generators of the package that share a seed.
type stream uint64

const (
	splitStream stream = iota + 1
	screenStream
	searchStream
)

func (s stream) rand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, uint64(s))) }

// KFold returns k splits of n rows: a random partition in k parts that differ in size
// by at most one, each the test rows of one split. 2 ≤ k ≤ n.
func KFold(n, k int, seed uint64) ([]Split, error) {
	if k < 2 || k > n {
		return nil, fmt.Errorf("tune: %d folds of %d rows: there must be at least 2, and no more than rows", k, n)
	}
	order := splitStream.rand(seed).Perm(n)
	splits := make([]Split, k)
	for f := range splits {
		splits[f] = newSplit(n, slices.Clone(order[f*n/k:(f+1)*n/k]))
	}
	return splits, nil
}

// Holdout returns one split of n rows with a random share of test rows, rounded, at
// least one row on either side. 0 < share < 1.
func Holdout(n int, share float64, seed uint64) (Split, error) {
	if n < 2 || !(share > 0 && share < 1) {
		return Split{}, fmt.Errorf("tune: a share of %v of %d rows cannot be held out: it must be between 0 and 1, of at least 2 rows", share, n)
	}
	test := min(n-1, max(1, int(share*float64(n)+0.5)))
	return newSplit(n, splitStream.rand(seed).Perm(n)[:test]), nil
}

// PerClass returns random splits of rows with the given classes, 0 ≤ class: each has the same
// number of training rows of every class, drawn anew for every split, and all others to test on. A
// class needs more rows than that.
func PerClass(classes []int, each, draws int, seed uint64) ([]Split, error) {
	if each < 1 || draws < 1 {
		return nil, fmt.Errorf("tune: %d draws of %d rows of every class: both must be at least 1", draws, each)
	}
	var rows [][]int
	for i, c := range classes {
		for c >= len(rows) {
			rows = append(rows, nil)
		}
		rows[c] = append(rows[c], i)
	}
	for c, of := range rows {
		if len(of) <= each && len(of) > 0 {
			return nil, fmt.Errorf("tune: class %d has %d rows: %d of every class cannot be drawn and leave some to test on", c, len(of), each)
		}
	}
	rnd := splitStream.rand(seed)
	splits := make([]Split, draws)
	for k := range splits {
		var test []int
		for _, of := range rows {
			order := rnd.Perm(len(of))
			for _, p := range order[min(each, len(of)):] {
				test = append(test, of[p])
			}
		}
		splits[k] = newSplit(len(classes), test)
	}
	return splits, nil
}

// ReadSplits reads splits of n rows: line k holds the test rows of split k as numbers
// from 0 between blanks, and all other rows are for training. Empty lines and lines
// that begin with # are passed over. Errors name the source, the line and the column
// in bytes, both counted from 1.
func ReadSplits(r io.Reader, source string, n int) ([]Split, error) {
	var splits []Split
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<28)
	for number := 1; lines.Scan(); number++ {
		text := lines.Text()
		if t := strings.TrimSpace(text); t == "" || t[0] == '#' {
			continue
		}
		test, err := testRows(text, n)
		if err != nil {
			return nil, fmt.Errorf("%s, line %d, %w", source, number, err)
		}
		splits = append(splits, newSplit(n, test))
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", source, err)
	}
	if len(splits) == 0 {
		return nil, fmt.Errorf("%s: there are no splits in it; each line must list the test rows of one split, counted from 0", source)
	}
	return splits, nil
}

// testRows parses one line; its errors begin with the column.
func testRows(line string, n int) ([]int, error) {
	seen := make(map[int]bool)
	var test []int
	for at := 0; at < len(line); {
		if line[at] == ' ' || line[at] == '\t' || line[at] == '\r' {
			at++
			continue
		}
		end := at
		for end < len(line) && !strings.ContainsRune(" \t\r", rune(line[end])) {
			end++
		}
		word := line[at:end]
		row, err := strconv.Atoi(word)
		switch {
		case err != nil:
			return nil, fmt.Errorf("column %d: %q is not a row number; rows are whole numbers counted from 0, between blanks", at+1, word)
		case row < 0 || row >= n:
			return nil, fmt.Errorf("column %d: there is no row %d: the data have %d rows, counted from 0", at+1, row, n)
		case seen[row]:
			return nil, fmt.Errorf("column %d: row %d is listed twice", at+1, row)
		}
		seen[row] = true
		test = append(test, row)
		at = end
	}
	if len(test) == n {
		return nil, fmt.Errorf("column 1: all %d rows are test rows: there is nothing to learn from", n)
	}
	return test, nil
}

// checkSplits reports the first split that does not fit n rows.
func checkSplits(splits []Split, n int) error {
	for k, s := range splits {
		if len(s.Train) == 0 || len(s.Test) == 0 {
			return fmt.Errorf("tune: split %d has %d training and %d test rows: it needs both", k, len(s.Train), len(s.Test))
		}
		for _, rows := range [][]int{s.Train, s.Test} {
			for _, i := range rows {
				if i < 0 || i >= n {
					return fmt.Errorf("tune: split %d has row %d: there are %d, counted from 0", k, i, n)
				}
			}
		}
	}
	return nil
}

// Share returns the first part of the rows in an order that does not depend on the
// share, so that smaller parts are parts of larger ones; all of them for 1.
func Share(rows []int, part float64) []int {
	if part >= 1 {
		return rows
	}
	return spread(rows, max(2, int(part*float64(len(rows))+0.5)))
}

// spread returns count of the rows, equally spaced, in ascending order.
func spread(rows []int, count int) []int {
	if count >= len(rows) {
		return rows
	}
	out := make([]int, count)
	for i := range out {
		out[i] = rows[i*len(rows)/count]
	}
	return out
}
