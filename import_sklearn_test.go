package mercer_test

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer"
	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/csv"
	"example.org/mercer/data/prep"
)

// estimator is what scikit-learn says of the rows of a test table.
type estimator struct {
	Columns       []string
	Target        []string
	Class         string
	Values        [][]float64
	Labels        []string
	Classes       []string
	Probabilities [][]float64
	Deviations    []float64
}

// sklearnReference is sklearn/testdata/*/reference.json: tables, and the predictions of models that
// scikit-learn fitted to the first and skops wrote beside it. Models of the versions 1.9.1 (skops
// 0.16.0) and 1.5.2 (skops 0.11.0).
type sklearnReference struct {
	Version     string `json:"scikit_learn"`
	Train, Test string
	Models      map[string]estimator
}

func eachSklearn(t *testing.T, use func(t *testing.T, folder, name string, of estimator, ref *sklearnReference)) {
	for _, folder := range []string{"sklearn/testdata/1.9", "sklearn/testdata/1.5"} {
		text, err := os.ReadFile(filepath.Join(folder, "reference.json"))
		if err != nil {
			t.Fatal(err)
		}
		var ref sklearnReference
		if err := json.Unmarshal(text, &ref); err != nil {
			t.Fatal(err)
		}
		for name, of := range ref.Models {
			t.Run(filepath.Base(folder)+"/"+name, func(t *testing.T) { use(t, folder, name, of, &ref) })
		}
	}
}

func csvTable(t *testing.T, name, text string) *data.Table {
	t.Helper()
	table, err := csv.Read(background, name, strings.NewReader(text), csv.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// TestImportSklearn: the predictions of an imported model are those of scikit-learn, before and
// after it was written to a file; all labels agree.
func TestImportSklearn(t *testing.T) {
	eachSklearn(t, func(t *testing.T, folder, name string, of estimator, ref *sklearnReference) {
		m := importedModel(t, folder, name, of, ref)
		path := filepath.Join(t.TempDir(), "m.mercer")
		if err := m.Save(background, path); err != nil {
			t.Fatal(err)
		}
		loaded, err := mercer.Load(path)
		if err != nil {
			t.Fatal(err)
		}
		if v, err := loaded.Verify(background, compute.Options{}); err != nil || v.Rows == 0 {
			t.Errorf("self-test of %v rows: %v", v, err)
		}
		for _, m := range []*mercer.Model{m, loaded} {
			agrees(t, m, of, csvTable(t, "test.csv", ref.Test))
		}
	})
}

func importedModel(t *testing.T, folder, name string, of estimator, ref *sklearnReference) *mercer.Model {
	t.Helper()
	file, err := os.ReadFile(filepath.Join(folder, name+".skops"))
	if err != nil {
		t.Fatal(err)
	}
	spec := prep.Spec{Targets: of.Target, NoTarget: of.Target == nil}
	if name == "unnamed" {
		spec.Drop = []string{"kind", "rent", "sold", "grade"}
	}
	m, err := mercer.Import(background, name, section(string(file)), csvTable(t, "train.csv", ref.Train), spec, "", nil, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// agrees compares predictions. The tolerance is 1e-9 of the largest value: both sides sum the same
// numbers, of which those of a process are as large as its coefficients.
func agrees(t *testing.T, m *mercer.Model, of estimator, test *data.Table) {
	t.Helper()
	p, err := m.Predict(background, test, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range of.Labels {
		if got := p.Label(i, 0); got != want {
			t.Errorf("row %d is %s, want %s", i, got, want)
		}
	}
	if of.Probabilities != nil {
		// gpc: scikit-learn approximates what is exact here
		closeRows(t, "probabilities", p.Probabilities(), of.byLabel(m, of.Probabilities), map[bool]float64{true: 1e-3, false: 1e-9}[of.Class == "GaussianProcessClassifier"])
	}
	if of.Values == nil {
		return
	}
	want := of.Values
	if of.Class != "SVC" && of.Class != "NuSVC" {
		want = of.byLabel(m, want)
	} else if len(of.Classes) == 2 { // the value of LIBSVM speaks for the first class
		want = flipped(want)
	}
	if len(of.Classes) > 2 && (of.Class == "SVC" || of.Class == "NuSVC") {
		return // columns for pairs are in another order; their votes agree by the labels
	}
	closeRows(t, "values", p.Values, want, 1e-9)
	if of.Deviations == nil {
		return
	}
	lo, hi, err := m.Intervals(background, p, math.Erf(1/math.Sqrt2), "", compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range of.Deviations {
		if got := (hi.At(i, 0) - lo.At(i, 0)) / 2; math.Abs(got-want) > 1e-6*want {
			t.Errorf("deviation of row %d is %v, want %v", i, got, want)
		}
	}
}

// byLabel puts columns for classes in the order of the labels of the model.
func (e estimator) byLabel(m *mercer.Model, rows [][]float64) [][]float64 {
	if e.Classes == nil || e.Classes != nil && slices.IsSorted(e.Classes) {
		return rows
	}
	labels := m.Prep.Targets()[0].Labels
	if len(rows[0]) == 1 {
		return flipped(rows)
	}
	out := make([][]float64, len(rows))
	for i, row := range rows {
		for _, label := range labels {
			out[i] = append(out[i], row[slices.Index(e.Classes, label)])
		}
	}
	return out
}

func flipped(rows [][]float64) [][]float64 {
	out := make([][]float64, len(rows))
	for i, row := range rows {
		out[i] = []float64{-row[0]}
	}
	return out
}

func closeRows(t *testing.T, what string, got *mat.Dense, want [][]float64, tolerance float64) {
	t.Helper()
	rows, cols := got.Dims()
	if rows != len(want) || cols != len(want[0]) {
		t.Fatalf("%s: %d×%d, want %d×%d", what, rows, cols, len(want), len(want[0]))
	}
	largest := 0.0
	for _, row := range want {
		for _, v := range row {
			largest = max(largest, math.Abs(v))
		}
	}
	for i, row := range want {
		for j, v := range row {
			if !(math.Abs(got.At(i, j)-v) <= tolerance*largest) {
				t.Errorf("%s: row %d, column %d is %v, want %v", what, i, j, got.At(i, j), v)
				return
			}
		}
	}
}
