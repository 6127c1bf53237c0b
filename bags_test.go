package mercer_test

import (
	"bytes"
	"encoding/csv"
	"flag"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"example.org/mercer"
	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/open"
	"example.org/mercer/data/prep"
	"example.org/mercer/learner/methods"
	"example.org/mercer/search"
	"example.org/mercer/supervised/svm"
	"example.org/mercer/task"
)

// bagsPicture is the table of docs/guide/bags.md: 120 bags of 4 to 11 points of the standard normal
// distribution in the plane; in every second bag one point is moved to (2.5, 2.5) ± 0.3, and
// that bag is a hit. Which point it is nobody tells.
const bagsPicture = "docs/pictures/bags.csv"

var update = flag.Bool("update", false, "write the table of docs/guide/bags.md again")

func hits(t *testing.T) []byte {
	t.Helper()
	r := rand.New(rand.NewPCG(7, 11))
	var text bytes.Buffer
	w := csv.NewWriter(&text)
	w.Write([]string{"sample", "kind", "x", "y"})
	for b := range 120 {
		kind, moved, n := []string{"miss", "hit"}[b%2], -1, 4+r.IntN(8)
		if b%2 == 1 {
			moved = r.IntN(n)
		}
		for i := range n {
			x, y := r.NormFloat64(), r.NormFloat64()
			if i == moved {
				x, y = 2.5+0.3*x, 2.5+0.3*y
			}
			w.Write([]string{strconv.Itoa(b + 1), kind, strconv.FormatFloat(x, 'f', 3, 64), strconv.FormatFloat(y, 'f', 3, 64)})
		}
	}
	w.Flush()
	if *update {
		if err := os.WriteFile(filepath.FromSlash(bagsPicture), text.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return text.Bytes()
}

// Multiple-instance learning: the label of a bag is decided by one of its points. The means of
// the coordinates say little, the mean map of a narrow kernel nearly all.
func TestMultipleInstances(t *testing.T) {
	t.Parallel()
	want := hits(t)
	if got, err := os.ReadFile(bagsPicture); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s is not what this test makes (%v); run with -update", bagsPicture, err)
	}
	table, err := open.Read(background, bagsPicture, open.Options{Bag: "sample", Keep: []string{"kind"}, Types: map[string]data.Kind{"sample": data.Text}})
	if err != nil {
		t.Fatal(err)
	}
	score := map[string]float64{}
	for _, kernel := range []string{"mean(of=linear)[bag]", "normalize(of=sum(of=rbf(sigma=0.5)))[bag]"} {
		_, _, tuned, err := search.Tune(background, table, prep.Spec{Targets: []string{"kind"}, Labels: true}, kernel, methods.SVC{Options: svm.Options{}}, search.Search{Splits: search.Splits{Folds: 5}})
		if err != nil {
			t.Fatal(err)
		}
		score[kernel] = tuned.Best.Score
	}
	t.Log(score)
	if score["mean(of=linear)[bag]"] > 0.8 || score["normalize(of=sum(of=rbf(sigma=0.5)))[bag]"] < 0.88 {
		t.Errorf("accuracies %v", score)
	}
}

// A linear kernel of bags is that of the mean vectors, which a table can hold: the same
// model of the same file, and a bag of one vector is that vector.
func TestMeansAreFeatures(t *testing.T) {
	bags := &data.Table{Source: "bags", Headed: true, Columns: []data.Column{
		{Name: "kind", Kind: data.Categorical, Strings: []string{"a", "b", "a", "b"}},
		{Name: "points", Kind: data.Text, Strings: []string{"1 2; 3 4", "5 5", "[[0, 1], [1, 0], [2, 2]]", "7 4; 5 6"}},
	}}
	means := &data.Table{Source: "means", Headed: true, Columns: []data.Column{bags.Columns[0],
		{Name: "x", Kind: data.Numeric, Numbers: []float64{2, 5, 1, 6}}, {Name: "y", Kind: data.Numeric, Numbers: []float64{3, 5, 1, 5}},
	}}
	spec := prep.Spec{Targets: []string{"kind"}, Labels: true, Raw: []string{"*"}}
	values := map[*data.Table][]float64{}
	for table, kernel := range map[*data.Table]string{bags: "mean(of=linear)[points]", means: "linear"} {
		p, err := task.New(background, table, spec, kernel)
		if err != nil {
			t.Fatal(err)
		}
		m, err := mercer.Fit(background, p, methods.SVC{Options: svm.Options{C: 10}}, 1)
		if err != nil {
			t.Fatal(err)
		}
		got, err := m.Predict(background, table, compute.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for i := range 4 {
			values[table] = append(values[table], got.Values.At(i, 0))
		}
	}
	for i, v := range values[bags] {
		if d := v - values[means][i]; d > 1e-6 || d < -1e-6 {
			t.Errorf("row %d: %v of the bag, %v of its mean", i, v, values[means][i])
		}
	}
}
