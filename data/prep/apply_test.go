package prep

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"example.org/mercer/data"
	"example.org/mercer/internal/testkit"
)

var training = []string{
	"id age color w y   z",
	"a  1   red   1 10  no",
	"b  3   blue  2 20  yes",
	"c  2   red   1 ?   no",
	"d  ?   green 2 40  yes"}

func TestApplyToTheTrainingTable(t *testing.T) {
	for _, policy := range []Missing{DropRows, Mean, Indicator} {
		lines := training
		if policy != DropRows {
			lines = append(append([]string{}, training[:3]...), training[4])
		}
		p, want := fit(t, table(lines...), Spec{Targets: []string{"y", "z"}, ID: "id", Weights: "w", Missing: policy})
		got := apply(t, p, table(lines...))
		if !cmp.Equal(got.X.Raw(), want.X.Raw()) || !cmp.Equal(got.Y.RawMatrix(), want.Y.RawMatrix()) || !cmp.Equal(got.W, want.W) || !cmp.Equal(got.IDs, want.IDs) || !cmp.Equal(got.Rows, want.Rows) {
			t.Errorf("%v: Apply of the training table gives %+v, want %+v", policy, got, want)
		}
	}
}

// TestApplyIsFit draws tables and checks that Apply repeats Fit bit for bit, in any
// order of the columns.
func TestApplyIsFit(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(2, 20).Draw(rt, "rows")
		number := rapid.Float64Range(-1e6, 1e6)
		lines := []string{"a b c d y"}
		for i := range n {
			level := rapid.SampledFrom([]string{"u", "v", "w", "?"}).Draw(rt, "level")
			if i == 0 {
				level = "u"
			}
			b := fmt.Sprint(number.Draw(rt, "b"))
			if i > 0 && rapid.Bool().Draw(rt, "missing") {
				b = "?"
			}
			lines = append(lines, fmt.Sprintf("%v %s %s %v %v", number.Draw(rt, "a"), b, level, number.Draw(rt, "d"), number.Draw(rt, "y")))
		}
		tab := table(lines...)
		policy := rapid.SampledFrom([]Missing{Mean, Indicator, DropRows}).Draw(rt, "policy")
		p, want, err := Fit(tab, Spec{Targets: []string{"y"}, Missing: policy, Raw: rapid.SampledFrom([][]string{nil, {"*"}, {"first"}}).Draw(rt, "raw")})
		if err != nil {
			rt.Fatal(err)
		}
		order := rapid.Permutation([]int{0, 1, 2, 3, 4}).Draw(rt, "order")
		got, err := p.Apply(pick(tab, order...))
		if err != nil {
			rt.Fatal(err)
		}
		if !cmp.Equal(got.X.Raw(), want.X.Raw()) || !cmp.Equal(got.Y.RawMatrix(), want.Y.RawMatrix()) {
			rt.Fatalf("order %v: %v, want %v", order, got.X.Raw(), want.X.Raw())
		}
	})
}

func TestApplyMatchesNames(t *testing.T) {
	p, want := fit(t, table(training[:3]...), Spec{Targets: []string{"y"}, ID: "id", Weights: "w", Drop: []string{"z"}})
	got := apply(t, p, table("extra color age more", "1 red 1 x", "2 blue 3 y"))
	if !cmp.Equal(got.X.Raw(), want.X.Raw()) || got.Y != nil || got.W != nil || got.IDs != nil {
		t.Errorf("prepared %+v", got)
	}
	wantNote(t, got.Notes, "ignored 2 columns", "extra, more")

	_, err := p.Apply(table("Age colour", "1 red"))
	wantError(t, err, `no column "age"`, `did you mean "Age"`, `no column "color"`, `did you mean "colour"`, "#1 Age, #2 colour")
}

func TestApplyMatchesPositions(t *testing.T) {
	spec := Spec{Targets: []string{"#5"}, Weights: "#4", ID: "first", Drop: []string{"last"}}
	p, want := fit(t, headerless(table(training[:3]...)), spec)
	all := table(training[:3]...)
	for _, c := range []struct {
		columns              []int
		targets, weights, id bool
	}{
		{[]int{0, 1, 2, 3, 4, 5}, true, true, true},
		{[]int{0, 1, 2, 3, 5}, false, true, true},
		{[]int{0, 1, 2, 5}, false, false, true},
		{[]int{1, 2}, false, false, false},
	} {
		got := apply(t, p, headerless(pick(all, c.columns...)))
		if !cmp.Equal(got.X.Raw(), want.X.Raw()) || (got.Y != nil) != c.targets || (got.W != nil) != c.weights || (got.IDs != nil) != c.id {
			t.Errorf("columns %v: %+v", c.columns, got)
		}
	}
	_, err := p.Apply(headerless(pick(all, 0, 1, 2)))
	wantError(t, err, "has 3 columns", "6 (all columns), 5 (without targets), 4 (without targets and weights) or 2 (features alone)")

	got := apply(t, p, table(training[:3]...))
	wantNote(t, got.Notes, "only one of a.csv and the training table has a header")
	if !cmp.Equal(got.X.Raw(), want.X.Raw()) {
		t.Errorf("with a header: %v", got.X.Raw())
	}
}

func TestApplyToSparseTables(t *testing.T) {
	train := table("label f1 f2 f3", "1 0 4 0", "2 2 0 6")
	train.Headed, train.Target, train.Sparse = false, "label", true
	p, _ := fit(t, train, Spec{})
	short := table("label f1 f4", "1 2 9")
	short.Headed, short.Target, short.Sparse = false, "label", true
	got := apply(t, p, short)
	// f1 has mean 1 and deviation 1, f2 2 and 2, f3 3 and 3; what is absent is 0.
	testkit.CloseSlice(t, "sparse", got.X.Raw(), []float64{1, -1, -1}, 0)
	testkit.CloseSlice(t, "label", got.Y.RawMatrix().Data, []float64{1}, 0)
	wantNote(t, got.Notes, "2 columns", "0 in every row", "f2, f3")
	wantNote(t, got.Notes, "ignored 1 column", "f4")
	dense := table("f1 f4", "2 9")
	if _, err := p.Apply(dense); err == nil {
		t.Error("a table that is not sparse may lack columns")
	}
}

func TestApplyDealsWithMissingCells(t *testing.T) {
	lines := []string{"x c y", "1 a 1", "3 b 2"}
	hole := []string{"x c", "? b", "3 ?", "1 a"}
	for policy, want := range map[Missing][]float64{
		Mean:      {0, 0, 1, 1, 1, 0, -1, 1, 0},
		Indicator: {0, 0, 1, 1, 1, 0, -1, 1, 0}, // no cell was missing in training: no marks
		DropRows:  {-1, 1, 0},
	} {
		p, _ := fit(t, table(lines...), Spec{Targets: []string{"y"}, Missing: policy})
		got := apply(t, p, table(hole...))
		testkit.CloseSlice(t, policy.String(), got.X.Raw(), want, 0)
		if policy == DropRows {
			wantNote(t, got.Notes, "left out 2 of 3 rows")
			if !cmp.Equal(got.Rows, []int{2}) {
				t.Errorf("rows %v", got.Rows)
			}
		} else {
			wantNote(t, got.Notes, "column x: filled 1 missing cell with 2")
		}
	}
	p, _ := fit(t, table(lines...), Spec{Targets: []string{"y"}})
	_, err := p.Apply(table(hole...))
	wantError(t, err, "line 2", "column 1 (x)", "train again")

	drop, _ := fit(t, table(lines...), Spec{Targets: []string{"y"}, Missing: DropRows})
	if got := apply(t, drop, table("x c y", "? ? 1")); got.X.Len() != 0 || got.X.Dim() != 3 || got.Y != nil {
		t.Errorf("no row left gives %+v", got)
	}
}

func TestApplyNotesUnseenLevels(t *testing.T) {
	p, _ := fit(t, table("c y", "a 1", "b 2"), Spec{Targets: []string{"y"}, Missing: Mean})
	got := apply(t, p, table("c", "b", "q", "?", "r"))
	testkit.CloseSlice(t, "one-hot", got.X.Raw(), []float64{0, 1, 0, 0, 1, 0, 0, 0}, 0)
	wantNote(t, got.Notes, "line 3, column 1 (c)", `level "q" was not seen`, "2 such cells", "filled 1 missing cell with a")
}

func TestApplyReadsCellsAsTrainingDid(t *testing.T) {
	// 1 and 2.50 are levels in a column with "x", and numbers in one without.
	p, _ := fit(t, table("c n y", "1 1 1", "2.50 2 2", "x 3 3", "x 4 4"), Spec{Targets: []string{"y"}, Raw: []string{"*"}})
	got := apply(t, p, table("c n", "2.5 7", "1 8"))
	testkit.CloseSlice(t, "numbers as levels", got.X.Raw(), []float64{0, 1, 0, 7, 1, 0, 0, 8}, 0)
	got = apply(t, p, func() *data.Table { // numbers that another reader left as text
		tab := table("c n", "x 7", "x 8")
		tab.Columns[1] = data.Column{Name: "n", Kind: data.Text, Strings: []string{"7", "8"}}
		return tab
	}())
	testkit.CloseSlice(t, "text as numbers", got.X.Raw(), []float64{0, 0, 1, 7, 0, 0, 1, 8}, 0)
	_, err := p.Apply(table("c n", "x 7", "x 8,5"))
	wantError(t, err, "line 3", "column 2 (n)", `"8,5" is not a finite number`)
}

func TestApplyTargets(t *testing.T) {
	p, _ := fit(t, table("x y k", "1 a 1", "2 b 2", "3 b 3"), Spec{Targets: []string{"y", "k"}})
	_, err := p.Apply(table("x y k", "1 c 1"))
	wantError(t, err, "line 2", "column 2 (y)", `"c" is a label that was not seen`, `["a" "b"]`)
	in, err := p.ApplyInputs(table("x y k", "1 c ?"))
	if err != nil || in.Y != nil || in.X.Len() != 1 {
		t.Errorf("inputs alone: %+v, %v", in, err)
	}
	got := apply(t, p, table("x y", "1 a"))
	if got.Y != nil {
		t.Errorf("one of two targets gives %v", got.Y)
	}
	wantNote(t, got.Notes, "1 of the 2 targets")
	got = apply(t, p, table("x y k", "1 ? ?", "2 ? ?"))
	if got.Y != nil {
		t.Errorf("empty targets give %v", got.Y)
	}
	wantNote(t, got.Notes, "target y is empty")
	_, err = p.Apply(table("x y k", "1 a 1", "2 ? 2"))
	wantError(t, err, "line 3", "column 2 (y)")
}

func TestApplyRefusesWhatIsNoTable(t *testing.T) {
	p, _ := fit(t, table("x y", "1 1", "2 2"), Spec{Targets: []string{"y"}})
	_, err := p.Apply(&data.Table{Source: "e", Headed: true, Columns: []data.Column{{Name: "x", Numbers: []float64{1}}, {Name: "z"}}})
	wantError(t, err, "has 0 cells")
	_, err = p.Apply(&data.Table{Source: "e", Headed: true})
	wantError(t, err, `no column "x"`)
	if got := apply(t, p, table("x")); got.X.Len() != 0 {
		t.Errorf("no rows give %d", got.X.Len())
	}
}

func TestLongListsAreAbridged(t *testing.T) {
	p, _ := fit(t, table("x y", "1 1", "2 2"), Spec{Targets: []string{"y"}})
	header, row := "x", "1"
	for i := range 30 {
		header += fmt.Sprintf(" extra%d", i)
		row += " 1"
	}
	got := apply(t, p, table(header, row))
	if n := got.Notes[0]; !strings.Contains(n, "ignored 30 columns") || !strings.HasSuffix(n, "extra11, …") {
		t.Errorf("note %q", n)
	}
	_, err := p.Apply(table(strings.Replace(header, "x ", "q ", 1), row))
	wantError(t, err, "its 31 columns", "#12 extra10, … #31 extra29")
}

// Kept cells are NaN, in every level of a category, and new tables keep theirs; targets do
// not.
func TestMissingCellsAreKept(t *testing.T) {
	table := func() *data.Table {
		return &data.Table{Source: "t", Headed: true, Columns: []data.Column{
			{Name: "x", Numbers: []float64{1, math.NaN(), 3}, Missing: []bool{false, true, false}},
			{Name: "c", Kind: data.Categorical, Strings: []string{"a", "b", ""}, Missing: []bool{false, false, true}},
			{Name: "y", Numbers: []float64{1, 2, 3}},
		}}
	}
	p, rows, err := Fit(table(), Spec{Targets: []string{"y"}, Missing: Keep})
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	var again Pipeline
	if err := json.Unmarshal(text, &again); err != nil {
		t.Fatal(err)
	}
	applied, err := again.Apply(table())
	if err != nil {
		t.Fatal(err)
	}
	for _, xs := range []data.Vectors{rows.X, applied.X} {
		if got := fmt.Sprint(xs.Raw()); got != "[-1 1 0 NaN 0 1 1 NaN NaN]" {
			t.Errorf("%s", got)
		}
	}
	holed := table()
	holed.Columns[2].Missing = []bool{true, false, false}
	_, _, err = Fit(holed, Spec{Targets: []string{"y"}, Missing: Keep})
	wantError(t, err, "row 1, column 3 (y)")
}
