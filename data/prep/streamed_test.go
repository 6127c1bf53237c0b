package prep_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"sync"
	"testing"

	"example.org/mercer/data"
	"example.org/mercer/data/prep"
)

// pieces is a table in blocks of some rows.
type pieces struct {
	of   *data.Table
	size int
	fail error // of the last block
}

func (p pieces) Schema() *data.Table {
	t := *p.of
	t.Columns = slices.Clone(t.Columns)
	for i := range t.Columns {
		t.Columns[i].Numbers, t.Columns[i].Strings, t.Columns[i].Missing = nil, nil, nil
	}
	t.Lines = nil
	return &t
}

func (p pieces) Starts() []int {
	var starts []int
	for row := 0; row < p.of.Rows(); row += p.size {
		starts = append(starts, row)
	}
	return append(starts, p.of.Rows())
}

func (p pieces) Block(b int, columns []int) (*data.Table, error) {
	starts := p.Starts()
	if p.fail != nil && b == len(starts)-2 {
		return nil, p.fail
	}
	from, to, t := starts[b], starts[b+1], p.Schema()
	t.Before = from
	if p.of.Lines != nil {
		t.Lines = p.of.Lines[from:to]
	}
	for i, c := range p.of.Columns {
		if columns != nil && !slices.Contains(columns, i) {
			continue
		}
		if c.Numbers != nil {
			t.Columns[i].Numbers = c.Numbers[from:to]
		}
		if c.Strings != nil {
			t.Columns[i].Strings = c.Strings[from:to]
		}
		if c.Missing != nil {
			t.Columns[i].Missing = c.Missing[from:to]
		}
	}
	return t, nil
}

// mixed is a table with every kind of column, and gaps.
func mixed(gaps bool) *data.Table { return mixedRows(61, gaps) }

func mixedRows(n int, gaps bool) *data.Table {
	t := &data.Table{Source: "mixed.csv", Headed: true}
	columns := []data.Column{{Name: "size"}, {Name: "weight"}, {Name: "kind", Kind: data.Categorical}, {Name: "name", Kind: data.Text}, {Name: "flat"}, {Name: "count"}, {Name: "y"}, {Name: "label", Kind: data.Categorical}}
	for i := range n {
		t.Lines = append(t.Lines, 2*i+3)
		for j, v := range []float64{math.Exp(float64(i%13) / 3), float64(i%4) / 2, 0, 0, 0.1, float64(i), math.Sin(float64(i)), 0} {
			c := &columns[j]
			if c.Kind == data.Numeric {
				c.Numbers = append(c.Numbers, v)
			} else {
				c.Strings = append(c.Strings, fmt.Sprint("v", i%(j+1)))
			}
			c.Missing = append(c.Missing, gaps && j < 3 && j != 1 && i%(7+j) == 5)
			if c.Kind == data.Numeric && c.Missing[i] {
				c.Numbers[i] = math.NaN()
			}
		}
	}
	t.Columns = columns
	return t
}

// sameRows compares rows in a file with rows in memory.
func sameRows(t *testing.T, name string, got, want *prep.Prepared) {
	t.Helper()
	f := got.Streamed
	if f == nil || f.Len() != want.X.Len() || f.Dim() != want.X.Dim() {
		t.Fatalf("%s: the filed rows are %v", name, f)
	}
	for i := range f.Len() {
		for j, v := range f.At(i) {
			if math.Float64bits(v) != math.Float64bits(want.X.At(i)[j]) {
				t.Fatalf("%s: row %d feature %d is %v, want %v", name, i, j, v, want.X.At(i)[j])
			}
		}
	}
	in := *got
	in.Streamed, in.X = nil, want.X
	if !reflect.DeepEqual(&in, want) {
		t.Errorf("%s: prepared\n%+v, want\n%+v", name, in, want)
	}
}

// Preparation block by block is that of the whole table, and so is its application.
func TestFitBlocksIsFit(t *testing.T) {
	for _, gaps := range []bool{false, true} {
		for _, missing := range []prep.Missing{prep.DropRows, prep.Mean, prep.Indicator, prep.Keep} {
			for k, spec := range []prep.Spec{
				{Targets: []string{"y"}},
				{Targets: []string{"label"}, Weights: "weight", ID: "name"},
				{Targets: []string{"y", "label"}, Raw: []string{"s*"}, Drop: []string{"kind"}, Cells: []string{"name"}},
				{NoTarget: true, NoOneHot: true},
			} {
				whole := mixed(gaps)
				spec.Missing = missing
				p, want, err := prep.Fit(whole, spec)
				if err != nil {
					t.Fatal(err)
				}
				text, err := json.Marshal(p)
				if err != nil {
					t.Fatal(err)
				}
				for _, size := range []int{1, 7, 60, 61, 100} {
					name := fmt.Sprintf("gaps %v, missing %v, spec %d, blocks of %d", gaps, missing, k, size)
					q, got, err := prep.FitBlocks(t.Context(), pieces{of: whole, size: size}, spec)
					if err != nil {
						t.Fatalf("%s: %v", name, err)
					}
					if other, _ := json.Marshal(q); string(other) != string(text) {
						t.Errorf("%s: %s, want %s", name, other, text)
					}
					sameRows(t, name, got, want)
					for _, outcomes := range []bool{false, true} {
						apply := p.ApplyInputs
						if outcomes {
							apply = p.Apply
						}
						want, err := apply(whole)
						if err != nil {
							t.Fatal(err)
						}
						got, err := q.ApplyBlocks(t.Context(), pieces{of: whole, size: size}, outcomes)
						if err != nil {
							t.Fatal(err)
						}
						sameRows(t, name+", applied", got, want)
					}
				}
			}
		}
	}
}

// Errors in a block name the line in the file, as those of a table in memory do.
func TestFitBlocksErrors(t *testing.T) {
	for name, spoil := range map[string]func(t *data.Table){
		"missing":  func(t *data.Table) { t.Columns[0].Missing[33], t.Columns[0].Missing[50] = true, true },
		"infinite": func(t *data.Table) { t.Columns[0].Numbers[59] = math.Inf(1) },
		"weight":   func(t *data.Table) { t.Columns[1].Numbers[40] = -1 },
		"no lines": func(t *data.Table) { t.Columns[1].Numbers[40], t.Lines = -1, nil },
	} {
		whole := mixed(false)
		spoil(whole)
		spec := prep.Spec{Targets: []string{"y"}, Weights: "weight"}
		_, _, want := prep.Fit(whole, spec)
		_, _, err := prep.FitBlocks(t.Context(), pieces{of: whole, size: 9}, spec)
		if err == nil || want == nil || err.Error() != want.Error() {
			t.Errorf("%s: %v\nwant %v", name, err, want)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := prep.FitBlocks(ctx, pieces{of: mixed(false), size: 9}, prep.Spec{Targets: []string{"y"}}); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end: %v", err)
	}
}

// unreadable fails from some moment on.
type unreadable struct {
	pieces
	broken *bool
}

func (u unreadable) Block(b int, columns []int) (*data.Table, error) {
	if *u.broken {
		return nil, errors.New("the disk is gone")
	}
	return u.pieces.Block(b, columns)
}

// A part of rows in a file is read from the file, and tells them of its error.
func TestPartOfStreamedRows(t *testing.T) {
	broken := false
	_, rows, err := prep.FitBlocks(t.Context(), unreadable{pieces{of: mixed(false), size: 9}, &broken}, prep.Spec{Targets: []string{"y"}})
	if err != nil {
		t.Fatal(err)
	}
	index := []int{0, 8, 9, 10, 30, 60}
	part := rows.Streamed.Some(index)
	if part.Len() != len(index) || part.Dim() != rows.Streamed.Dim() || !slices.Equal(part.Kept(), index) {
		t.Fatalf("the part has the rows %v", part.Kept())
	}
	all := part.Run(0, part.Len())
	for i, row := range index {
		if want := rows.Streamed.At(row); !slices.Equal(part.At(i), want) || !slices.Equal(all.At(i), want) {
			t.Errorf("row %d of the part is %v, not %v", i, part.At(i), want)
		}
	}
	if again := part.Some([]int{1, 4}); !slices.Equal(again.Kept(), []int{8, 30}) || !slices.Equal(again.At(1), rows.Streamed.At(30)) {
		t.Errorf("a part of the part has the rows %v", again.Kept())
	}
	broken = true
	var told error
	rows.Streamed.OnError(func(err error) { told = err })
	rows.Streamed.Some([]int{50}).At(0)
	if rows.Streamed.Err() == nil || told == nil {
		t.Errorf("the rows have the error %v, and tell %v", rows.Streamed.Err(), told)
	}
}

// Rows that cannot be read are told once, and are zeros.
func TestFiledFails(t *testing.T) {
	broken := false
	whole := mixed(false)
	_, rows, err := prep.FitBlocks(t.Context(), unreadable{pieces{of: whole, size: 9}, &broken}, prep.Spec{Targets: []string{"y"}})
	if err != nil {
		t.Fatal(err)
	}
	if rows.Streamed.Err() != nil {
		t.Fatal(rows.Streamed.Err())
	}
	broken = true
	told := 0
	rows.Streamed.OnError(func(error) { told++ })
	if x := rows.Streamed.At(30); x[0] != 0 || len(x) != rows.Streamed.Dim() {
		t.Errorf("row 30 is %v", x)
	}
	rows.Streamed.Gather([]int{60, 3, 20})
	if rows.Streamed.Err() == nil || told != 1 {
		t.Errorf("the error is %v, told %d times", rows.Streamed.Err(), told)
	}
}

// A pass over rows that stay in memory reads nothing, and one over more blocks than are kept does.
func TestPassSeconds(t *testing.T) {
	for size, reads := range map[int]bool{3: true, 1000: false} {
		_, rows, err := prep.FitBlocks(t.Context(), pieces{of: mixed(false), size: size}, prep.Spec{Targets: []string{"y"}})
		if err != nil {
			t.Fatal(err)
		}
		if s := rows.Streamed.PassSeconds(); (s > 0) != reads {
			t.Errorf("blocks of %d rows: a pass reads for %v s", size, s)
		}
	}
}

// Runs and subsets are the rows, from several goroutines at a time.
func TestFiledTogether(t *testing.T) {
	whole := mixed(true)
	spec := prep.Spec{Targets: []string{"y"}, Missing: prep.DropRows}
	_, want, err := prep.Fit(whole, spec)
	if err != nil {
		t.Fatal(err)
	}
	_, got, err := prep.FitBlocks(t.Context(), pieces{of: whole, size: 3}, spec)
	if err != nil {
		t.Fatal(err)
	}
	n := want.X.Len()
	var wait sync.WaitGroup
	for g := range 8 {
		wait.Go(func() {
			for from := g; from < n; from += 5 {
				to := min(n, from+11)
				run := got.Streamed.Run(from, to)
				index := []int{to - 1, from, n - 1 - from, from}
				some := got.Streamed.Gather(index)
				for i := range run.Len() {
					if !slices.Equal(run.At(i), want.X.At(from+i)) {
						t.Errorf("row %d of the run from %d differs", i, from)
					}
				}
				for i, row := range index {
					if !slices.Equal(some.At(i), want.X.At(row)) {
						t.Errorf("row %d differs in a subset", row)
					}
				}
			}
		})
	}
	wait.Wait()
}
