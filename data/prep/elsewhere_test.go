package prep_test

import (
	"bytes"
	"context"
	"encoding/gob"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"example.org/mercer/data"
	"example.org/mercer/data/prep"
)

// others make the passes over a table, the last run first, from what was sent to them.
type others struct {
	pieces
	passes, runs *int
}

func (o others) Prepare(ctx context.Context, p prep.Pass, runs []prep.Rows, done func([]byte) error) (why string, err error) {
	*o.passes++
	var message bytes.Buffer
	if err := gob.NewEncoder(&message).Encode(p); err != nil {
		return "", err
	}
	made := make([][]byte, len(runs))
	for i := len(runs) - 1; i >= 0; i-- {
		var got prep.Pass
		if err := gob.NewDecoder(bytes.NewReader(message.Bytes())).Decode(&got); err != nil {
			return "", err
		}
		*o.runs++
		if made[i], err = got.Run(ctx, o.pieces, runs[i]); err != nil {
			return err.Error(), nil
		}
	}
	for _, content := range made {
		if err := done(content); err != nil {
			return "", err
		}
	}
	return "", nil
}

// manyRows is a table of three runs: weights grow by powers of two, dates are of one day up to the
// second run, a level and a gap are in the third.
func manyRows(gaps bool) *data.Table {
	const n = 2<<16 + 5000
	t := mixedRows(n, gaps)
	day := data.Column{Name: "day", Unit: data.Dates}
	for i := range n {
		t.Columns[1].Numbers[i] *= float64(int(1) << (i / 40_000))
		t.Columns[2].Strings[i] = strings.Repeat("x", i/100_000) + t.Columns[2].Strings[i]
		day.Numbers = append(day.Numbers, float64(max(0, i-70_000)/7))
	}
	t.Columns = append(t.Columns, day)
	return t
}

// What others learn from runs of the rows, and encode of them, are the same pipeline and the same
// rows as without them, bit for bit.
func TestPreparedElsewhere(t *testing.T) {
	ctx := context.Background()
	whole := manyRows(true)
	for _, spec := range []prep.Spec{
		{Targets: []string{"y"}, Levels: 10, Missing: prep.Indicator},
		{Targets: []string{"label"}, Weights: "weight", ID: "name", Missing: prep.DropRows},
		{Targets: []string{"y", "label"}, Weights: "weight", Cells: []string{"name"}, Missing: prep.Mean},
	} {
		name := fmt.Sprintf("targets %v, %v", spec.Targets, spec.Missing)
		table := pieces{of: whole, size: 7000}
		wantSteps, want, err := prep.FitBlocks(ctx, table, spec)
		if err != nil {
			t.Fatal(err)
		}
		by := others{table, new(int), new(int)}
		steps, got, err := prep.FitBlocks(ctx, by, spec)
		if err != nil {
			t.Fatal(err)
		}
		if *by.passes != 2 || *by.runs != 6 {
			t.Errorf("%s: %d passes over %d runs elsewhere, want 2 over 6", name, *by.passes, *by.runs)
		}
		samePipeline(t, name, steps, wantSteps)
		sameRest(t, name, got, want)
		applied, err := wantSteps.ApplyBlocks(ctx, by, true)
		if err != nil {
			t.Fatal(err)
		}
		again, err := wantSteps.ApplyBlocks(ctx, table, true)
		if err != nil {
			t.Fatal(err)
		}
		if sameRest(t, name+", applied", applied, again); *by.passes != 4 {
			t.Errorf("%s: %d passes elsewhere after it was applied, want 4", name, *by.passes)
		}
	}
}

func samePipeline(t *testing.T, name string, got, want *prep.Pipeline) {
	t.Helper()
	a, err := json.Marshal(got)
	if err != nil {
		t.Fatal(err)
	}
	b, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(a, b) {
		t.Errorf("%s: learned\n%s, want\n%s", name, a, b)
	}
}

// sameRest compares all but the vectors, which stay in the table.
func sameRest(t *testing.T, name string, got, want *prep.Prepared) {
	t.Helper()
	a, b := *got, *want
	a.Streamed, b.Streamed = nil, nil
	if !reflect.DeepEqual(a, b) {
		t.Errorf("%s: other rows, targets, weights, ids, cells or notes: %q, want %q", name, got.Notes, want.Notes)
	}
}

// What is learned from several runs is what is learned from all rows at once, to a few roundings.
func TestRunsAreOneTable(t *testing.T) {
	table := manyRows(false)
	spec := prep.Spec{Targets: []string{"y"}, Weights: "weight", Drop: []string{"kind", "label", "day", "name"}}
	_, got, err := prep.Fit(table, spec)
	if err != nil {
		t.Fatal(err)
	}
	for j, name := range []string{"size", "flat", "count"} {
		column, _ := table.Column(name)
		var total, mean, variance float64 // about the first number
		for i, x := range column.Numbers {
			w := table.Columns[1].Numbers[i]
			total, mean = total+w, mean+w*(x-column.Numbers[0])
		}
		mean = column.Numbers[0] + mean/total
		for i, x := range column.Numbers {
			variance += table.Columns[1].Numbers[i] * (x - mean) * (x - mean) / total
		}
		scale := math.Sqrt(variance)
		if scale < 1e-12 {
			scale = 1
		}
		for _, i := range []int{0, 70_000, 130_000} {
			want := (column.Numbers[i] - mean) / scale
			if d := math.Abs(got.X.At(i)[j] - want); d > 1e-11*(1+math.Abs(want)) { // plain sums of 136,072 numbers
				t.Errorf("%s, row %d: %v, want %v", name, i, got.X.At(i)[j], want)
			}
		}
	}
}

// Errors are those without others: of a cell, a weight, a label and of missing cells.
func TestErrorsElsewhere(t *testing.T) {
	ctx, whole := context.Background(), manyRows(false)
	every := data.Range(0, whole.Rows())
	for name, c := range map[string]struct {
		spoil func(t *data.Table)
		spec  prep.Spec
	}{
		"number":    {func(t *data.Table) { t.Columns[0].Numbers[133_000] = math.Inf(1) }, prep.Spec{Targets: []string{"y"}}},
		"weight":    {func(t *data.Table) { t.Columns[1].Numbers[100_000] = -1 }, prep.Spec{Targets: []string{"y"}, Weights: "weight"}},
		"weights":   {func(t *data.Table) { clear(t.Columns[1].Numbers) }, prep.Spec{Targets: []string{"y"}, Weights: "weight"}},
		"label":     {func(t *data.Table) { t.Columns[7].Strings = t.Columns[3].Strings }, prep.Spec{Targets: []string{"label"}}},
		"missing":   {func(t *data.Table) { t.Columns[0].Missing[90_000], t.Columns[6].Missing[120_000] = true, true }, prep.Spec{Targets: []string{"y"}}},
		"target":    {func(t *data.Table) { t.Columns[6].Numbers[90_000] = 1e200 }, prep.Spec{Targets: []string{"y"}}},
		"no target": {func(t *data.Table) { t.Columns[6].Missing[90_000] = true }, prep.Spec{Targets: []string{"y"}, Missing: prep.Mean}},
	} {
		table := pieces{of: whole.Gather(every), size: 7000}
		c.spoil(table.of)
		if name == "label" { // words of which most rows have their own
			for i := range table.of.Columns[7].Strings {
				table.of.Columns[7].Strings[i] = fmt.Sprint("word,", i)
			}
		}
		_, _, want := prep.FitBlocks(ctx, table, c.spec)
		_, _, got := prep.FitBlocks(ctx, others{table, new(int), new(int)}, c.spec)
		if want == nil || got == nil || got.Error() != want.Error() {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}
