package prep

import (
	"encoding/json"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"example.org/mercer/data"
	"example.org/mercer/internal/testkit"
)

// TestAgainstScikitLearn compares with testdata/standardscaler.json, whose origin is
// in the file.
func TestAgainstScikitLearn(t *testing.T) {
	text, err := os.ReadFile("testdata/standardscaler.json")
	if err != nil {
		t.Fatal(err)
	}
	type reference struct {
		Mean, Scale []float64
		Rows        []int
		Values      [][]float64
	}
	raw := map[string]json.RawMessage{}
	if err := json.Unmarshal(text, &raw); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		file     string
		spec     Spec
		weighted bool
	}{
		"wine":          {"csv/wine.csv", Spec{Targets: []string{"last"}}, false},
		"wine_weighted": {"csv/wine.csv", Spec{Targets: []string{"#14"}, Weights: "w"}, true},
		"concrete":      {"uci_splits/concrete.txt", Spec{Targets: []string{"#-1"}}, false},
		"breast_mean":   {"csv/breast-cancer-wisconsin.data", Spec{Targets: []string{"last"}, Drop: []string{"first"}, Missing: Mean}, false},
	} {
		t.Run(name, func(t *testing.T) {
			var want reference
			if err := json.Unmarshal(raw[name], &want); err != nil {
				t.Fatal(err)
			}
			tab := shared(t, c.file)
			if c.weighted {
				w := data.Column{Name: "w"}
				for i := range tab.Rows() {
					w.Numbers = append(w.Numbers, float64(1+i%3))
				}
				tab.Columns = append(tab.Columns, w)
			}
			p, got := fit(t, tab, c.spec)
			var mean, scale []float64
			for _, col := range p.columns {
				if col.Role == feature {
					mean, scale = append(mean, col.Center), append(scale, col.Scale)
				}
			}
			// Plain sums over n ≤ 1030 rows, as scikit-learn takes them, are off by n·ε.
			testkit.CloseSlice(t, "means", mean, want.Mean, 1e-13)
			testkit.CloseSlice(t, "scales", scale, want.Scale, 1e-13)
			for k, row := range want.Rows {
				testkit.CloseSlice(t, "row", got.X.At(row), want.Values[k], 1e-12)
			}
		})
	}
}

func TestFitByHand(t *testing.T) {
	tab := table(
		"id    age  color w  size   y",
		"a1    1    red   1  7      10",
		"a2    3    blue  1  7      20",
		"a3    1    red   2  7      30",
		"a4    3    green 2  7      40")
	p, got := fit(t, tab, Spec{Targets: []string{"y"}, Weights: "w", ID: "id"})
	names, groups := p.Features()
	if want := []string{"age", "color=blue", "color=green", "color=red", "size"}; !cmp.Equal(names, want) {
		t.Errorf("features %q, want %q", names, want)
	}
	if want := []string{"age", "color", "color", "color", "size"}; !cmp.Equal(groups, want) {
		t.Errorf("groups %q, want %q", groups, want)
	}
	// age has weighted mean 2 and deviation 1; size is constant and only centred.
	want := []float64{
		-1, 0, 0, 1, 0,
		1, 1, 0, 0, 0,
		-1, 0, 0, 1, 0,
		1, 0, 1, 0, 0}
	testkit.CloseSlice(t, "X", got.X.Raw(), want, 0)
	testkit.CloseSlice(t, "Y", got.Y.RawMatrix().Data, []float64{10, 20, 30, 40}, 0)
	testkit.CloseSlice(t, "W", got.W, []float64{1, 1, 2, 2}, 0)
	if !cmp.Equal(got.IDs, []string{"a1", "a2", "a3", "a4"}) || !cmp.Equal(got.Rows, []int{0, 1, 2, 3}) {
		t.Errorf("ids %q, rows %v", got.IDs, got.Rows)
	}
	wantNote(t, got.Notes, "size", "constant (7)")
	if s := p.String(); s != "standardise 2 columns; one-hot color (3 levels)" {
		t.Errorf("steps %q", s)
	}
	if !cmp.Equal(p.Outputs(), []string{"y"}) {
		t.Errorf("outputs %q", p.Outputs())
	}
}

func TestFitLeavesNumbersAlone(t *testing.T) {
	tab := table("x c y", "1e9 a 1", "-3 b 2", "? a 3")
	p, got := fit(t, tab, Spec{Targets: []string{"y"}, Missing: Mean, Raw: []string{"*"}, NoOneHot: true})
	testkit.CloseSlice(t, "X", got.X.Raw(), []float64{1e9, -3, 499999998.5}, 0)
	wantNote(t, got.Notes, "c is categorical and left out")
	if s := p.String(); s != "fill missing cells with means; take 1 column raw" {
		t.Errorf("steps %q", s)
	}
}

func TestLargeOffsetsKeepTheirDigits(t *testing.T) {
	r := testkit.Rand(t, 31)
	col := data.Column{Name: "x"}
	small := make([]float64, 500)
	for i := range small {
		// Multiples of 2⁻²⁰ stay exact when 10⁹ is added.
		small[i] = math.Round(r.NormFloat64()*1e6) * 0x1p-20
		col.Numbers = append(col.Numbers, 1e9+small[i])
	}
	y := data.Column{Name: "y", Numbers: small}
	p, got := fit(t, &data.Table{Source: "big", Columns: []data.Column{col, y}}, Spec{Targets: []string{"y"}})
	mean, sd := exactly(small, nil)
	m, _ := mean.Float64()
	s, _ := sd.Float64()
	for i, x := range small {
		// The mean 10⁹ + m is rounded to half a unit of 10⁹, that is 6e-8.
		if z := (x - m) / s; math.Abs(got.X.At(i)[0]-z) > 6.1e-8/s {
			t.Fatalf("row %d: %.17g, want %.17g", i, got.X.At(i)[0], z)
		}
	}
	testkit.Close(t, "scale", p.columns[0].Scale, s, 1e-14)
}

func TestRoundingNoiseIsAConstant(t *testing.T) {
	// 0.1+0.2 and 0.3 differ by one unit in the last place.
	tab := &data.Table{Source: "a", Columns: []data.Column{
		{Name: "sum", Numbers: []float64{0.1 + 0.2, 0.3, 0.3}},
		{Name: "y", Numbers: []float64{1, 2, 3}}}}
	tab.Columns[0].Numbers[0] = math.Nextafter(0.3, 1)
	_, got := fit(t, tab, Spec{Targets: []string{"y"}})
	wantNote(t, got.Notes, "sum is constant")
	if x := got.X.At(0)[0]; math.Abs(x) > 1e-15 {
		t.Errorf("noise became %g", x)
	}
}

func TestAWeightOfTwoIsARowTwice(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(2, 12).Draw(rt, "n")
		cell := rapid.SampledFrom([]string{"1", "2.5", "-3", "4", "1000", "?"})
		level := rapid.SampledFrom([]string{"a", "b", "c", "?"})
		lines, doubled := []string{"x c w y"}, []string{"x c w y"}
		for i := range n {
			x, c, w := cell.Draw(rt, "x"), level.Draw(rt, "c"), rapid.IntRange(1, 3).Draw(rt, "w")
			if i < 2 {
				x, c = "12"[i:i+1], "ab"[i:i+1]
			}
			lines = append(lines, strings.Join([]string{x, c, "0123"[w : w+1], "1"}, " "))
			doubled = append(doubled, slices.Repeat([]string{strings.Join([]string{x, c, "1", "1"}, " ")}, w)...)
		}
		s := Spec{Targets: []string{"y"}, Weights: "w", Missing: Mean}
		p, _, err := Fit(table(lines...), s)
		if err != nil {
			rt.Fatal(err)
		}
		q, _, err := Fit(table(doubled...), s)
		if err != nil {
			rt.Fatal(err)
		}
		for j, c := range p.columns {
			d := q.columns[j]
			if math.Abs(c.Center-d.Center) > 1e-12*(1+math.Abs(d.Center)) || math.Abs(c.Scale-d.Scale) > 1e-12*d.Scale || c.FillLevel != d.FillLevel {
				rt.Fatalf("weighted %+v, repeated %+v", c, d)
			}
		}
	})
}

func TestMissingPolicies(t *testing.T) {
	lines := []string{"x c y", "1 a 1", "? a 2", "3 ? 3", "5 b 4"}
	_, _, err := Fit(table(lines...), Spec{Targets: []string{"y"}})
	wantError(t, err, "a.csv", "line 3", "column 1 (x)", "first of 2", "drop", "mean", "indicator")

	_, got := fit(t, table(lines...), Spec{Targets: []string{"y"}, Missing: DropRows})
	if !cmp.Equal(got.Rows, []int{0, 3}) || got.Y.RawMatrix().Rows != 2 {
		t.Errorf("drop keeps rows %v", got.Rows)
	}
	wantNote(t, got.Notes, "left out 2 of 4 rows", "line 3")
	testkit.CloseSlice(t, "dropped", got.X.Raw(), []float64{-1, 1, 0, 1, 0, 1}, 0)

	// x: mean 3 of (1, 3, 5), variance ((−2)²+0+0+2²)/4 = 2; c: the most frequent is a.
	_, got = fit(t, table(lines...), Spec{Targets: []string{"y"}, Missing: Mean})
	s := math.Sqrt2
	testkit.CloseSlice(t, "mean", got.X.Raw(), []float64{-s, 1, 0, 0, 1, 0, 0, 1, 0, s, 0, 1}, 1e-15)
	wantNote(t, got.Notes, "column x: filled 1 missing cell with 3")
	wantNote(t, got.Notes, "column c: filled 1 missing cell with a")

	p, got := fit(t, table(lines...), Spec{Targets: []string{"y"}, Missing: Indicator})
	names, groups := p.Features()
	if !cmp.Equal(names, []string{"x", "x?missing", "c=a", "c=b", "c?missing"}) || !cmp.Equal(groups, []string{"x", "x", "c", "c", "c"}) {
		t.Errorf("features %q of %q", names, groups)
	}
	testkit.CloseSlice(t, "indicator", got.X.Raw(), []float64{
		-s, 0, 1, 0, 0,
		0, 1, 1, 0, 0,
		0, 0, 1, 0, 1,
		s, 0, 0, 1, 0}, 1e-15)
}

func TestMissingOutcomesAreNeverFilledIn(t *testing.T) {
	lines := []string{"x w y", "1 1 1", "2 1 ?", "3 ? 3"}
	_, _, err := Fit(table(lines...), Spec{Targets: []string{"y"}, Weights: "w", Missing: Mean})
	wantError(t, err, "line 3", "column 3 (y)", "missing target is never filled in", "drop")
	_, got := fit(t, table(lines...), Spec{Targets: []string{"y"}, Weights: "w", Missing: DropRows})
	if !cmp.Equal(got.Rows, []int{0}) {
		t.Errorf("rows %v, want the first alone", got.Rows)
	}
	_, _, err = Fit(table("x y", "? 1", "2 ?"), Spec{Targets: []string{"y"}, Missing: DropRows})
	wantError(t, err, "no row left")
	_, _, err = Fit(table("x z y", "? 1 1", "? 2 2"), Spec{Targets: []string{"y"}, Missing: Mean})
	wantError(t, err, "column 1 (x)", "no value", "drop the column")
}

func TestClassTargets(t *testing.T) {
	two, got := fit(t, table("x y", "1 yes", "2 no", "3 yes"), Spec{Targets: []string{"y"}})
	testkit.CloseSlice(t, "two classes", got.Y.RawMatrix().Data, []float64{1, -1, 1}, 0)
	if !cmp.Equal(two.Targets(), []Target{{Name: "y", Labels: []string{"no", "yes"}}}) {
		t.Errorf("targets %+v", two.Targets())
	}
	three, got := fit(t, table("x k y", "1 4 b", "2 5 a", "3 6 c", "4 7 b"), Spec{Targets: []string{"k", "y"}})
	testkit.CloseSlice(t, "number and three classes", got.Y.RawMatrix().Data, []float64{
		4, -1, 1, -1,
		5, 1, -1, -1,
		6, -1, -1, 1,
		7, -1, 1, -1}, 0)
	if !cmp.Equal(three.Outputs(), []string{"k", "y=a", "y=b", "y=c"}) {
		t.Errorf("outputs %q", three.Outputs())
	}
	wantNote(t, got.Notes, "y is a class: 3 labels")
	_, _, err := Fit(table("x y", "1 a", "2 a"), Spec{Targets: []string{"y"}})
	wantError(t, err, "one label", "nothing to tell apart")
	_, _, err = Fit(table("x y", "1 7.5", "2 n/a", "3 8"), Spec{Targets: []string{"y"}})
	wantError(t, err, "3 labels in 3 rows", "line 3", `"n/a"`)
}

// Labels whose rows have no weight are told of; one label with weight is not enough.
func TestLabelsWithoutWeight(t *testing.T) {
	table := &data.Table{Source: "t", Headed: true, Columns: []data.Column{{Name: "x", Numbers: []float64{1, 2, 4, 7}},
		{Name: "w", Numbers: []float64{1, 1, 0, 0}}, {Name: "y", Kind: data.Categorical, Strings: []string{"a", "b", "c", "c"}}}}
	_, rows, err := Fit(table, Spec{Targets: []string{"y"}, Weights: "w"})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(strings.Join(rows.Notes, "\n"), `all rows of ["c"] have weight 0`) {
		t.Errorf("notes %q", rows.Notes)
	}
	table.Columns[1].Numbers[1] = 0
	if _, _, err := Fit(table, Spec{Targets: []string{"y"}, Weights: "w"}); err == nil || !strings.Contains(err.Error(), `one label alone has rows with a weight above 0: all rows of ["b" "c"]`) {
		t.Errorf("error %v", err)
	}
}

func TestFitRefuses(t *testing.T) {
	lines := []string{"x c w y", "1 a 1 1", "2 b 2 2"}
	for want, s := range map[string]Spec{
		"no target column is given; name the column": {},
		"#1 x, #2 c, #3 w, #4 y":                     {},
		`target: a.csv: has no column "Y"`:           {Targets: []string{"Y"}},
		`did you mean "y"?`:                          {Targets: []string{"Y"}},
		`has no column "#5"; it has 4 columns`:       {Targets: []string{"#5"}},
		"a position is #1":                           {Targets: []string{"#0"}},
		"cannot be both target and weights":          {Targets: []string{"y"}, Weights: "last"},
		"cannot be both target and dropped":          {Targets: []string{"y"}, Drop: []string{"y"}},
		"is named twice as target":                   {Targets: []string{"y", "#4"}},
		"a method that learns without":               {Targets: []string{"y"}, NoTarget: true},
		"prep.Missing(9) is not a policy":            {Targets: []string{"y"}, Missing: 9},
		"no column left as a feature":                {Targets: []string{"y"}, Drop: []string{"x", "c", "w"}},
		"is not a finite number":                     {Targets: []string{"y"}, Weights: "c"},
	} {
		_, _, err := Fit(table(lines...), s)
		wantError(t, err, want)
	}
	// All problems at once.
	_, _, err := Fit(table(lines...), Spec{Targets: []string{"yy"}, Weights: "v", Drop: []string{"zz"}})
	wantError(t, err, `"yy"`, `"v"`, `"zz"`)

	for want, tab := range map[string]*data.Table{
		"has no columns":            {Source: "e"},
		"has no rows":               {Source: "e", Columns: []data.Column{{Name: "x"}, {Name: "y"}}},
		"has the name of column 1":  {Source: "e", Columns: []data.Column{{Name: "y"}, {Name: "y"}}},
		"has 1 cells and 0 missing": {Source: "e", Columns: []data.Column{{Name: "x"}, {Name: "y", Numbers: []float64{1}}}},
		"2 line numbers for 1 rows": {Source: "e", Lines: []int{1, 2}, Columns: []data.Column{{Name: "y", Numbers: []float64{1}}}},
		`Inf" is not a number`:      {Source: "e", Columns: []data.Column{{Name: "x", Numbers: []float64{math.Inf(1)}}, {Name: "y", Numbers: []float64{1}}}},
		"numbers too large":         {Source: "e", Columns: []data.Column{{Name: "x", Numbers: []float64{1.7e308, -1.7e308}}, {Name: "y", Numbers: []float64{1, 2}}}},
	} {
		_, _, err := Fit(tab, Spec{Targets: []string{"y"}})
		wantError(t, err, want)
	}
}

// Numbers whose squares overflow would end as NaN or infinity somewhere behind; standardised
// features are none.
func TestNumbersTooLargeToSquare(t *testing.T) {
	tab := table("x y", "1e200 1", "2e200 2", "-3e200 3")
	fit(t, tab, Spec{Targets: []string{"y"}})
	_, _, err := Fit(tab, Spec{Targets: []string{"y"}, Raw: []string{"x"}})
	wantError(t, err, "column 1 (x): holds numbers too large to be squared (3e+200)", "standardised")
	_, _, err = Fit(table("x y", "1 1", "2 -2e200", "3 4"), Spec{Targets: []string{"y"}})
	wantError(t, err, `line 3, column 2 (y): "-2e+200" is too large to be squared`)
	p, _ := fit(t, table("x y", "1 1", "2 2"), Spec{Targets: []string{"y"}})
	_, err = p.Apply(table("x y", "1 1", "2 2e200"))
	wantError(t, err, "line 3, column 2 (y)")
}

// Why a column is text is told where nothing else is left.
func TestTextAloneSaysWhy(t *testing.T) {
	tab := table("x y", "1 1", "2 2")
	tab.Columns[0] = data.Column{Name: "x", Kind: data.Text, Strings: []string{"1,5", "2,5"}, Why: `line 2 holds "1,5"`}
	_, _, err := Fit(tab, Spec{Targets: []string{"y"}})
	wantError(t, err, `#1 x (text: line 2 holds "1,5"), #2 y (target)`)
}

func TestWeightsAreChecked(t *testing.T) {
	s := Spec{Targets: []string{"y"}, Weights: "w"}
	_, _, err := Fit(table("x w y", "1 1 1", "2 -0.5 2"), s)
	wantError(t, err, "line 3", "column 2 (w)", `"-0.5" is a negative weight`)
	_, _, err = Fit(table("x w y", "1 0 1", "2 0 2"), s)
	wantError(t, err, "2 weights that are all 0")
	_, got := fit(t, table("x w y", "1 1e308 1", "3 1e308 2", "100 0 3"), s)
	testkit.CloseSlice(t, "huge weights", got.X.Raw()[:2], []float64{-1, 1}, 1e-15)
}

func TestTargetOfTheFormat(t *testing.T) {
	tab := table("label f1 f2", "1 2 3", "2 3 5")
	tab.Target = "label"
	p, _ := fit(t, tab, Spec{})
	if !cmp.Equal(p.Outputs(), []string{"label"}) {
		t.Errorf("outputs %q", p.Outputs())
	}
	p, got := fit(t, tab, Spec{NoTarget: true})
	if names, _ := p.Features(); !cmp.Equal(names, []string{"f1", "f2"}) || got.Y != nil {
		t.Errorf("without target the features are %q, Y %v", names, got.Y)
	}
}

func TestTextIsKeptAside(t *testing.T) {
	tab := table("x note y", "1 hello 1", "2 world 2")
	tab.Columns[1].Kind, tab.Columns[1].Why = data.Text, "it has 2 distinct values"
	p, got := fit(t, tab, Spec{Targets: []string{"y"}})
	if names, _ := p.Features(); !cmp.Equal(names, []string{"x"}) {
		t.Errorf("features %q", names)
	}
	wantNote(t, got.Notes, "note is text (it has 2 distinct values)", "not used")
}

func TestManyLevelsAreNoted(t *testing.T) {
	lines := []string{"zip y"}
	for i := range 101 {
		lines = append(lines, "z"+string(rune('a'+i%26))+strings.Repeat("x", i/26)+" 1")
	}
	_, got := fit(t, table(lines...), Spec{Targets: []string{"y"}})
	wantNote(t, got.Notes, "zip has 101 levels")
}

func TestWholeNumbersStayWhole(t *testing.T) {
	_, got := fit(t, table("code x y", "1000025 1 1", "1.5 2 2", "1e300 3 3"), Spec{Targets: []string{"y"}, ID: "code"})
	if !cmp.Equal(got.IDs, []string{"1000025", "1.5", "1e+300"}) {
		t.Errorf("ids %q", got.IDs)
	}
}

func TestAnIndexColumnIsNoted(t *testing.T) {
	lines := []string{"n x y", "7 1 2", "8 5 9", "9 3 4", "10 ? 1", "11 2 3"}
	_, got := fit(t, table(lines...), Spec{Targets: []string{"y"}, Missing: DropRows})
	wantNote(t, got.Notes, "column n counts the rows (7, 8, …)")
	lines[2] = "8.5 5 9"
	_, got = fit(t, table(lines...), Spec{Targets: []string{"y"}, Missing: DropRows})
	for _, n := range got.Notes {
		if strings.Contains(n, "counts the rows") {
			t.Errorf("no index, but the note %q", n)
		}
	}
}

// TestDeclaredID takes the column that the format declares for ids, unless another is named.
func TestDeclaredID(t *testing.T) {
	tab := table("name x y other", "a 1 1 p", "b 2 2 q")
	tab.ID = "name"
	if _, got := fit(t, tab, Spec{Targets: []string{"y"}}); !cmp.Equal(got.IDs, []string{"a", "b"}) {
		t.Errorf("ids %q", got.IDs)
	}
	if _, got := fit(t, tab, Spec{Targets: []string{"y"}, ID: "other"}); !cmp.Equal(got.IDs, []string{"p", "q"}) {
		t.Errorf("ids %q", got.IDs)
	}
}

// A column that kernels compare as it is keeps its text, takes part in what missing cells
// mean, and is no feature.
func TestCells(t *testing.T) {
	table := &data.Table{Source: "t", Headed: true, Columns: []data.Column{
		{Name: "dna", Kind: data.Text, Strings: []string{"ACGT", "", "TT"}, Missing: []bool{false, true, false}},
		{Name: "code", Kind: data.Numeric, Numbers: []float64{7, 12, 3}},
		{Name: "note", Kind: data.Text, Strings: []string{"a", "b", "c"}},
		{Name: "y", Kind: data.Numeric, Numbers: []float64{1, 2, 3}},
	}}
	spec := Spec{Targets: []string{"y"}, Cells: []string{"dna", "code"}, Missing: DropRows}
	if free, err := (Spec{Targets: []string{"y"}}).UnnamedText(table); err != nil || !slices.Equal(free, []string{"dna", "note"}) {
		t.Errorf("free columns %v, %v", free, err)
	}
	p, rows, err := Fit(table, spec)
	if err != nil {
		t.Fatal(err)
	}
	if rows.X.Dim() != 0 || len(rows.Cells) != 2 || !slices.Equal(rows.Cells[0].Text, []string{"ACGT", "TT"}) || !slices.Equal(rows.Cells[1].Text, []string{"7", "3"}) {
		t.Errorf("%d features, cells %v", rows.X.Dim(), rows.Cells)
	}
	text, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	back := new(Pipeline)
	if err := json.Unmarshal(text, back); err != nil {
		t.Fatal(err)
	}
	again, err := back.Apply(table)
	if err != nil || !slices.Equal(again.Cells[0].Text, rows.Cells[0].Text) {
		t.Errorf("after JSON: %v, %v", again, err)
	}
	spec.Missing = Mean
	if _, rows, err = Fit(table, spec); err != nil || !rows.Cells[0].Missing[1] || rows.Cells[0].Text[1] != "" {
		t.Errorf("a missing cell that is kept: %v, %v", rows, err)
	}
	spec.Missing = Refuse
	if _, _, err = Fit(table, spec); err == nil || !strings.Contains(err.Error(), "row 2, column 1 (dna)") {
		t.Errorf("error %v", err)
	}
}
