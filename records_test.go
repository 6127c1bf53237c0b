package mercer_test

import (
	"math"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer"
	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/prep"
	"example.org/mercer/gram"
	"example.org/mercer/kernel/seq"
	"example.org/mercer/learner/methods"
	"example.org/mercer/search"
	"example.org/mercer/space"
	"example.org/mercer/supervised/krr"
	"example.org/mercer/supervised/svm"
	"example.org/mercer/task"
)

// reads is a table with a number, two columns of sequences, a label and a number to predict.
func reads(n int) *data.Table {
	t := &data.Table{Source: "reads", Headed: true}
	var dna, protein, kind []string
	var age, y []float64
	for i := range n {
		word := strings.Repeat([]string{"ACG", "TTA", "GGC"}[i%3], 3) + strings.Repeat("A", i%5) + "C"
		dna, protein = append(dna, word), append(protein, strings.Repeat("MK", 1+i%2)+"VL"[:1+i%2])
		kind = append(kind, []string{"red", "green"}[i%3/2])
		age, y = append(age, float64(i*i%11)), append(y, math.Sin(float64(i))+float64(i%3))
	}
	t.Columns = []data.Column{
		{Name: "dna", Kind: data.Text, Strings: dna}, {Name: "protein", Kind: data.Text, Strings: protein},
		{Name: "age", Kind: data.Numeric, Numbers: age}, {Name: "kind", Kind: data.Categorical, Strings: kind}, {Name: "y", Kind: data.Numeric, Numbers: y},
	}
	return t
}

// A fit on rows with text is that of the package on the same Gram matrix, worked out by
// hand; the model file keeps it, its self-test rows, and new rows have predictions.
func TestRecordsAreLearned(t *testing.T) {
	table := reads(24)
	p, err := task.New(background, table, prep.Spec{Targets: []string{"y"}, Drop: []string{"kind"}}, "rbf(sigma=2)[age] + 0.1*spectrum(k=2)[dna]")
	if err != nil {
		t.Fatal(err)
	}
	m, err := mercer.Fit(background, p, methods.KRR{Options: krr.Options{Lambda: 1e-2}}, 1)
	if err != nil {
		t.Fatal(err)
	}
	age, words, n := p.Rows.X, seq.Spectrum{K: 2}, table.Rows()
	k := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			d := age.At(i)[0] - age.At(j)[0]
			k.SetSym(i, j, math.Exp(-d*d/8)+0.1*words.Eval(table.Columns[0].Strings[i], table.Columns[0].Strings[j]))
		}
	}
	in, err := space.DualOf(background, gram.FromMatrix(k), space.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s, _, err := krr.Solve(background, in, p.Rows.Y, krr.Options{Lambda: 1e-2})
	if err != nil {
		t.Fatal(err)
	}
	var want mat.Dense
	want.Mul(k, s.Coef)
	path := filepath.Join(t.TempDir(), "m.mercer")
	if err := m.Save(background, path); err != nil {
		t.Fatal(err)
	}
	back, err := mercer.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	for name, m := range map[string]*mercer.Model{"fitted": m, "loaded": back} {
		if v, err := m.Verify(background, compute.Options{}); err != nil || v.Rows == 0 {
			t.Errorf("%s: self-test rows: %+v, %v", name, v, err)
		}
		got, err := m.Predict(background, table, compute.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for i := range n {
			if w := want.At(i, 0) + s.Bias[0]; math.Abs(got.Values.At(i, 0)-w) > 1e-9 {
				t.Errorf("%s: row %d is %v, want %v", name, i, got.Values.At(i, 0), w)
			}
		}
	}
	for file, want := range map[string]string{"rbf(sigma=2)[age] + 0.1*spectrum(k=2)[dna]": back.Kernel()} {
		if file != want {
			t.Errorf("the kernel %s came back as %s", file, want)
		}
	}
}

// A width is tuned together with C, beside a kernel on text.
func TestRecordsAreTuned(t *testing.T) {
	table := reads(30)
	spec := prep.Spec{Targets: []string{"kind"}, Drop: []string{"y", "protein"}, Labels: true}
	p, m, tuned, err := search.Tune(background, table, spec, "rbf(sigma=?)[age] + normalize(of=spectrum(k=2)[dna])", methods.SVC{Options: svm.Options{}}, search.Search{Splits: search.Splits{Folds: 3}})
	if err != nil {
		t.Fatal(err)
	}
	if len(tuned.Parameters) != 2 || tuned.Best.Score < 0.9 {
		t.Errorf("%d parameters, accuracy %v", len(tuned.Parameters), tuned.Best.Score)
	}
	if _, err := mercer.Fit(background, p, m, 1); err != nil {
		t.Fatal(err)
	}
}

func TestRecordsRefuse(t *testing.T) {
	table := reads(6)
	holes := reads(6)
	holes.Columns[0].Missing, holes.Columns[0].Strings[2] = make([]bool, 6), ""
	holes.Columns[0].Missing[2] = true
	for _, c := range []struct {
		table  *data.Table
		drop   []string
		kernel string
		want   string
	}{
		{table, nil, "spectrum(k=2)", "there are dna, protein"},
		{table, []string{"dna", "protein"}, "spectrum(k=2)", "no free column of text"},
		{table, []string{"dna"}, "spectrum(k=2)[dna]", "cannot be both"},
		{table, nil, "spectrum(k=2)[rna]", "rna"},
		{holes, nil, "spectrum(k=2)[dna]", "row 3, column 1 (dna)"},
	} {
		_, err := task.New(background, c.table, prep.Spec{Targets: []string{"y"}, Drop: append(c.drop, "kind")}, c.kernel)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v does not say %q", c.kernel, err, c.want)
		}
	}
}

// TestOneMatrixForAllSplits: a kernel on cells alone is evaluated once for all outer parts
// where memory allows that; the answer is that of evaluating it for each.
func TestOneMatrixForAllSplits(t *testing.T) {
	table, spec := reads(60), prep.Spec{Targets: []string{"kind"}, Drop: []string{"y", "age"}}
	const text = "spectrum(k=2)[dna] + normalize(of=spectrum(k=1))[protein]"
	n := int64(table.Rows())
	var found []*search.Assessment
	for _, limit := range []int64{0, 2 * 8 * n * n} {
		wanted := search.Search{Splits: search.Splits{Folds: 3}, Ranges: search.Ranges{Grid: map[string][]float64{"C": {1e-3, 1}}}}
		wanted.Options.Compute.MaxMemory = limit
		method := methods.SVC{Options: svm.Options{Compute: wanted.Options.Compute}}
		a, err := search.Assess(background, table, spec, text, method, wanted, 4, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		found = append(found, a)
	}
	if !reflect.DeepEqual(found[0], found[1]) {
		t.Errorf("one matrix: %+v; a matrix for each split: %+v", found[0], found[1])
	}
	if a := found[0]; a.Splits[0].Kernel != "spectrum(k=2)[dna] + normalize(of=spectrum(k=1)[protein])" || a.Splits[0].Best.Values[0] != 1 || a.Mean < 0.9 {
		t.Errorf("%+v", a)
	}
}
