package record_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"example.org/mercer/data"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/bag"
	"example.org/mercer/kernel/expr"
	"example.org/mercer/kernel/record"
	"example.org/mercer/kernel/seq"
	"example.org/mercer/kernel/vec"
)

var sequences = record.Of("sequence", seq.Dictionary(), func(cell string) (string, error) { return cell, nil })

var schema = record.Schema{
	Numbers: vec.Schema{Names: []string{"age", "income"}, Groups: []string{"age", "income"}},
	Slots:   []record.Slot{{Column: "dna", Language: "sequence"}, {Column: "protein", Language: "sequence"}},
}

func table() *record.Records {
	numbers, err := data.NewVectors(3, 2, []float64{1, 2, 0.5, -1, -2, 0.25})
	if err != nil {
		panic(err)
	}
	return &record.Records{
		Numbers: numbers,
		Cells:   [][]any{{"ACGTACG", "TTACG", "CCCC"}, {"MKV", "MKVL", "AMKV"}},
		Rows:    3,
	}
}

func parse(t *testing.T, text string) kernel.Kernel[record.Record] {
	t.Helper()
	d, err := record.Dictionary(schema, sequences)
	if err != nil {
		t.Fatal(err)
	}
	k, err := expr.ParseKernel(text, d)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// A kernel of another kernel on the numbers is made with the kernels on numbers.
func TestKernelsOfKernelsOnNumbers(t *testing.T) {
	k, xs := parse(t, "anova(of=2*rbf(sigma=2)+linear, degree=1) + mahalanobis(of=linear, scales=[2, 0])*spectrum(k=2)[dna]"), table()
	x, y := xs.At(0), xs.At(1)
	want := 0.0
	for j, v := range x.Numbers {
		d := v - y.Numbers[j]
		want += 2*math.Exp(-d*d/8) + v*y.Numbers[j]
	}
	want += 4 * x.Numbers[0] * y.Numbers[0] * seq.Spectrum{K: 2}.Eval(x.Cells[0].(string), y.Cells[0].(string))
	if got := k.Eval(x, y); math.Abs(got-want) > 1e-14 {
		t.Errorf("%s = %v, want %v", k, got, want)
	}
	if again := parse(t, k.String()); again.String() != k.String() {
		t.Errorf("%s parses as %s", k, again)
	}
	d, err := record.Dictionary(schema, sequences)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"anova(of=spectrum(k=2))", "mahalanobis(of=linear*spectrum(k=2)[dna], scales=[1,1])"} {
		if _, err := expr.ParseKernel(text, d); err == nil || !strings.Contains(err.Error(), "does not compare the same points: unknown kernel \"spectrum\"") {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// A kernel on parts is the same combination of the kernels of the parts, worked out by
// hand: by Eval, bound to columns, and bound to records one by one.
func TestPartsCombine(t *testing.T) {
	k, xs := parse(t, "0.5*rbf(sigma=2)[age] + spectrum(k=2)[dna] * normalize(of=spectrum(k=1)[protein])"), table()
	two, one := seq.Spectrum{K: 2}, seq.Spectrum{K: 1}
	want := func(i, j int) float64 {
		x, y := xs.At(i), xs.At(j)
		age := x.Numbers[0] - y.Numbers[0]
		dna := two.Eval(x.Cells[0].(string), y.Cells[0].(string))
		p, q := x.Cells[1].(string), y.Cells[1].(string)
		return 0.5*math.Exp(-age*age/8) + dna*one.Eval(p, q)/math.Sqrt(one.Eval(p, p)*one.Eval(q, q))
	}
	n := xs.Len()
	for name, set := range map[string]data.Set[record.Record]{"columns": xs, "records": data.Slice[record.Record]{xs.At(0), xs.At(1), xs.At(2)}, "a subset": data.Subset[record.Record](xs, []int{0, 1, 2})} {
		tile := kernel.NewTile(n, n)
		kernel.Bind(k, set, set).Tile(tile, 0, 0)
		for i := range n {
			for j := range n {
				for what, got := range map[string]float64{"Eval": k.Eval(set.At(i), set.At(j)), "tile": tile.Row(i)[j]} {
					if d := math.Abs(got - want(i, j)); d > 1e-14*math.Abs(want(i, j)) {
						t.Errorf("%s, %s of %d and %d: %v, want %v", name, what, i, j, got, want(i, j))
					}
				}
			}
		}
	}
}

// Binding the columns first gives the bits of binding both, also for new records with
// words that no column has.
func TestAnchorHasTheBitsOfBind(t *testing.T) {
	k := parse(t, "0.5*rbf(sigma=2)[age] + normalize(of=spectrum(k=2)[dna] + linear[age,income]) * normalize(of=spectrum(k=1))[protein]")
	cols := table()
	numbers, err := data.NewVectors(2, 2, []float64{3, 1, -0.5, 2})
	if err != nil {
		t.Fatal(err)
	}
	unseen := &record.Records{Numbers: numbers, Cells: [][]any{{"GGTTNNAC", "ACG"}, {"WWW", "KVW"}}, Rows: 2}
	anchored, old := kernel.BindColumns(k, data.Set[record.Record](cols)), kernel.Pairs(nil)
	for name, rows := range map[string]data.Set[record.Record]{"unseen": unseen, "the columns": cols, "one by one": data.Slice[record.Record]{unseen.At(1), cols.At(0)}} {
		old = anchored.Bind(rows, old)
		got, want := kernel.NewTile(rows.Len(), cols.Len()), kernel.NewTile(rows.Len(), cols.Len())
		old.Tile(got, 0, 0)
		kernel.Bind(k, rows, cols).Tile(want, 0, 0)
		if !slices.Equal(got.Data, want.Data) {
			t.Errorf("%s: %v, want %v", name, got.Data, want.Data)
		}
	}
}

// Of several columns the one with the name of what is compared is meant.
func TestMeantByName(t *testing.T) {
	named := record.Schema{Slots: []record.Slot{{Column: "dna", Language: "sequence"}, {Column: "sequence", Language: "sequence"}}}
	d, err := record.Dictionary(named, sequences)
	if err != nil {
		t.Fatal(err)
	}
	k, err := expr.ParseKernel("spectrum(k=1) + spectrum(k=2)[dna]", d)
	if err != nil || k.String() != "spectrum(k=1)[sequence] + spectrum(k=2)[dna]" {
		t.Errorf("%v, %v", k, err)
	}
}

// The text of a kernel parses to the same kernel, and says the column that was meant.
func TestText(t *testing.T) {
	for text, want := range map[string]string{
		"rbf(sigma=2)[age] + spectrum(k=2)[dna]": "rbf(sigma=2)[age] + spectrum(k=2)[dna]",
		"(spectrum(2) + spectrum(3))[protein]":   "spectrum(k=2)[protein] + spectrum(k=3)[protein]",
		"linear * 2":                             "linear()*2",
	} {
		k := parse(t, text)
		if again := parse(t, k.String()); k.String() != again.String() {
			t.Errorf("%s becomes %s and then %s", text, k, again)
		}
		if strings.ReplaceAll(k.String(), " ", "") != strings.ReplaceAll(want, " ", "") {
			t.Errorf("%s becomes %s, want %s", text, k, want)
		}
		if d := kernel.Derive(k); d.Verdict != kernel.Definite {
			t.Errorf("%s: %+v", text, d)
		}
	}
}

func TestParametersReachTheParts(t *testing.T) {
	k := parse(t, "rbf(sigma=2)[age] + spectrum(k=2)[dna]")
	tunable, ok := k.(kernel.Tunable[record.Record])
	if !ok || len(tunable.Parameters()) != 1 {
		t.Fatalf("%s has the parameters %v", k, tunable.Parameters())
	}
	other, err := tunable.With([]float64{3})
	if err != nil || other.String() != "rbf(sigma=3)[age] + spectrum(k=2)[dna]" {
		t.Errorf("%v, %v", other, err)
	}
}

// Slots finds the cells that an expression compares, and the only free column where none
// is named.
func TestSlots(t *testing.T) {
	dna, protein := record.Slot{Column: "dna", Language: "sequence"}, record.Slot{Column: "protein", Language: "sequence"}
	for _, c := range []struct {
		text string
		free []string
		want []record.Slot
		err  string
	}{
		{"rbf(sigma=1) + linear", []string{"dna"}, nil, ""},
		{"spectrum", []string{"dna"}, []record.Slot{dna}, ""},
		{"spectrum[protein] + normalize(of=spectrum(k=2)[dna]) + spectrum(k=4)[dna]", nil, []record.Slot{protein, dna}, ""},
		{"spectrum + spectrum(k=2)[dna]", []string{"dna", "sequence", "protein"}, []record.Slot{{Column: "sequence", Language: "sequence"}, dna}, ""},
		{"rbf[age] + spectrum", []string{"dna", "protein"}, nil, "column 12: spectrum compares one sequence of each row: say which in brackets"},
		{"spectrum", nil, nil, "no free column of text"},
		{"spectrum[dna,protein]", nil, nil, "say which"},
	} {
		n, err := expr.Parse(c.text)
		if err != nil {
			t.Fatal(err)
		}
		got, err := record.Slots(n, c.free, sequences)
		if c.err != "" {
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%s: error %v does not say %q", c.text, err, c.err)
			}
			continue
		}
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, %v; want %v", c.text, got, err, c.want)
		}
		if record.Speaks(n, sequences) != (c.want != nil) {
			t.Errorf("%s: whether it speaks of sequences", c.text)
		}
	}
}

func TestRefusals(t *testing.T) {
	d, err := record.Dictionary(schema, sequences)
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"spectrum(k=0)[dna]":             "k=0 is not a length",
		"spectrum[age]":                  "the columns with one are dna, protein",
		"linear[dna]":                    "unknown column",
		"laplacian":                      "ambiguous",
		"(linear + spectrum)[dna]":       "unknown column",
		"conform(of=linear, by=\"1+x\")": "cannot be written as text",
	} {
		if _, err := expr.ParseKernel(text, d); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v does not say %q", text, err, want)
		}
	}
	k, x := parse(t, "spectrum[dna]"), table().At(0)
	x.Cells[0] = nil
	if err := kernel.Contains(k, x); err == nil || !strings.Contains(err.Error(), "column dna has no value") {
		t.Errorf("a missing cell: %v", err)
	}
	if err := kernel.Contains(parse(t, "spectrum"), table().At(0)); err == nil {
		t.Error("a kernel without a column is defined on records")
	}
	if _, err := record.Dictionary(schema, sequences, sequences); err == nil {
		t.Error("two languages may share a name")
	}
}

// Two languages share a name where it is about kernels on elements: the one that knows these
// speaks, and says what is wrong with them.
func TestSharedNames(t *testing.T) {
	words := record.Of("bag of sequences", bag.Dictionary(seq.Dictionary()), func(cell string) ([]string, error) { return strings.Fields(cell), nil })
	clouds := record.Of("bag of vectors", bag.Dictionary(vec.Dictionary(vec.Schema{})), func(string) ([][]float64, error) { return nil, nil })
	schema := record.Schema{Slots: []record.Slot{{Column: "tags", Language: words.Name}, {Column: "cloud", Language: clouds.Name}}}
	d, err := record.Dictionary(schema, clouds, words)
	if err != nil {
		t.Fatal(err)
	}
	k, err := expr.ParseKernel("mean(of=rbf(sigma=1)[0])[cloud] * mean(of=spectrum(k=1) + 1)[tags]", d)
	if err != nil {
		t.Fatal(err)
	}
	x := record.Record{Cells: []any{[]string{"AB", "B"}, [][]float64{{1}}}}
	if got := k.Eval(x, x); got != (2+1+1+1+4)/4. { // 2·1·1 pairs: ⟨AB,AB⟩ = 2, ⟨AB,B⟩ = 1 twice, ⟨B,B⟩ = 1, and 1 for each
		t.Errorf("%s is %v", k, got)
	}
	for text, want := range map[string]string{
		"mean(of=rbf(sigmas=1))": "column 13: rbf has no argument",
		"mean(of=spectrum(q=1))": "column 18: spectrum has no argument",
		"mean":                   "needs the argument of",
	} {
		if _, err := expr.ParseKernel(text, d); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v does not say %q", text, err, want)
		}
	}
	n, err := expr.Parse("mean(spectrum) + mean(of=rbf(sigma=1))")
	if err != nil {
		t.Fatal(err)
	}
	if got, err := record.Slots(n, []string{"c"}, clouds, words); err != nil || !slices.Equal(got, []record.Slot{{Column: "c", Language: words.Name}, {Column: "c", Language: clouds.Name}}) {
		t.Errorf("%v, %v", got, err)
	}
	if _, err := expr.Resolve(n, d); err != nil {
		t.Fatal(err)
	}
}
