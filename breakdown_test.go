package mercer_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"example.org/mercer"
	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/graph"
	"example.org/mercer/data/graph/jsonl"
	"example.org/mercer/data/prep"
	"example.org/mercer/kernel/explanation"
	"example.org/mercer/learner"
	"example.org/mercer/learner/methods"
	"example.org/mercer/supervised/gp"
	"example.org/mercer/supervised/kfda"
	"example.org/mercer/supervised/klr"
	"example.org/mercer/supervised/krr"
	"example.org/mercer/supervised/svm"
	"example.org/mercer/task"
	"example.org/mercer/unsupervised/kpca"
)

// adds checks that the terms of a breakdown add up to the prediction, and features and places
// to their term, to rounding of the sums.
func adds(t *testing.T, b mercer.Breakdown, want float64) {
	t.Helper()
	sum, size := b.Bias, math.Abs(b.Bias)
	for _, term := range b.Terms {
		features, places, scale := term.Rest, 0.0, math.Abs(term.Contribution)
		sum, size = sum+term.Contribution, size+scale
		for _, f := range term.Features {
			features, scale = features+f.Contribution, scale+math.Abs(f.Contribution)
		}
		for _, p := range term.Places {
			places, scale = places+p.Contribution, scale+math.Abs(p.Contribution)
		}
		if term.Rule != explanation.ByFeatures {
			continue
		}
		for what, got := range map[string]float64{"features": features, "places": places} {
			if math.Abs(got-term.Contribution) > 1e-12*(1+scale) {
				t.Errorf("row %s, %s: the %s of %s add up to %v, and it adds %v", b.Row, b.Output, what, term.Kernel, got, term.Contribution)
			}
		}
	}
	for what, got := range map[string]float64{"terms": sum, "prediction": b.Prediction} {
		if math.Abs(got-want) > 1e-11*(1+size) {
			t.Errorf("row %s: %s of %s: %v, and the model says %v", b.Row, what, b.Output, got, want)
		}
	}
}

// Whatever method made a function, what its features add is what it predicts.
func TestBreakdownsAddUp(t *testing.T) {
	t.Parallel()
	table := reads(24)
	for text, all := range map[string][]learner.Learner{
		"rbf(sigma=2)[age] + normalize(of=spectrum(k=2)[dna] + bounded(k=2)[protein])": {
			methods.KRR{Options: krr.Options{Lambda: 1e-2}}, methods.SVC{Options: svm.Options{}}, methods.KLR{Options: klr.Options{Lambda: 1e-2}},
			methods.KFDA{Options: kfda.Options{Ridge: 1e-2}}, methods.GPC{ClassOptions: gp.ClassOptions{}}, methods.KPCA{Options: kpca.Options{Components: 2}}},
		"0.5*mismatch(k=3, m=1, alphabet=dna)[dna] + align[protein]": {methods.SVC{Options: svm.Options{}}},
	} {
		for _, method := range all {
			spec := prep.Spec{Targets: []string{"kind"}, Drop: []string{"y"}, Labels: true}
			if _, free := method.(methods.KPCA); free {
				spec = prep.Spec{Drop: []string{"y", "kind"}, NoTarget: true}
			}
			p, err := task.New(background, table, spec, text)
			if err != nil {
				t.Fatal(err)
			}
			m, err := mercer.Fit(background, p, method, 1)
			if err != nil {
				t.Fatalf("%s: %v", method.Name(), err)
			}
			said, err := m.Predict(background, table, compute.Options{})
			if err != nil {
				t.Fatal(err)
			}
			broken, err := m.BreakDown(background, said, mercer.ExplainOptions{Top: 3, Rows: []int{2, 24}})
			if err != nil {
				t.Fatalf("%s: %v", method.Name(), err)
			}
			if len(broken) != 2*len(said.Outputs) {
				t.Fatalf("%s: %d breakdowns of 2 rows with %d outputs", method.Name(), len(broken), len(said.Outputs))
			}
			for i, b := range broken {
				adds(t, b, said.Values.At([]int{1, 23}[i/len(said.Outputs)], i%len(said.Outputs)))
			}
		}
	}
}

// molecules are chains of C and O, of which those with two O in a row belong together.
func molecules() *data.Table {
	t := &data.Table{Source: "molecules", Headed: true}
	var cells, kinds []string
	for _, word := range []string{"CCO", "COOC", "CCCC", "OOC", "COCO", "CCOOC", "CCCO", "OOCC"} {
		var edges, labels []string
		for v := range word {
			labels = append(labels, fmt.Sprintf("%q", word[v:v+1]))
			if v > 0 {
				edges = append(edges, fmt.Sprintf("[%d,%d]", v-1, v))
			}
		}
		cells = append(cells, fmt.Sprintf(`{"nodes":%d,"edges":[%s],"node":{"label":[%s]}}`, len(word), strings.Join(edges, ","), strings.Join(labels, ",")))
		kinds = append(kinds, map[bool]string{true: "peroxide", false: "other"}[strings.Contains(word, "OO")])
	}
	t.Columns = []data.Column{{Name: "graph", Kind: data.Text, Strings: cells}, {Name: "kind", Kind: data.Categorical, Strings: kinds}}
	return t
}

// A model on graphs is broken down to nodes, and the colour that tells the classes apart has the
// largest weight.
func TestGraphsBreakDown(t *testing.T) {
	table := molecules()
	for _, text := range []string{"normalize(of=wl(h=1))", "sp", "walk(k=1)", "edges + vertices", "graphlets(size=3)", "randomwalk(lambda=0.01)"} {
		p, err := task.New(background, table, prep.Spec{Targets: []string{"kind"}, Labels: true}, text)
		if err != nil {
			t.Fatal(err)
		}
		m, err := mercer.Fit(background, p, methods.SVC{Options: svm.Options{}}, 1)
		if err != nil {
			t.Fatal(err)
		}
		said, err := m.Predict(background, table, compute.Options{})
		if err != nil {
			t.Fatal(err)
		}
		broken, err := m.BreakDown(background, said, mercer.ExplainOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for i, b := range broken {
			adds(t, b, said.Values.At(i, 0))
			if b.Above != "peroxide" && b.Above != "other" || b.Above == b.Below {
				t.Errorf("%s: above 0 for %q, below for %q", text, b.Above, b.Below)
			}
			for _, term := range b.Terms {
				if term.Rule == explanation.ByFeatures && !sameIDs(t, term.Graph, table.Columns[0].Strings[i]) {
					t.Errorf("%s, row %d: the graph of the term is not that of the row", text, i+1)
				}
			}
		}
		if text != "walk(k=1)" {
			continue
		}
		weights, err := m.Features(background, mercer.ExplainOptions{Top: 1})
		if err != nil {
			t.Fatal(err)
		}
		if f := weights[0].Terms[0].Features; len(f) != 1 || f[0].Name != "O-O" {
			t.Errorf("%s: the largest weight is that of %v, and O-O tells the classes apart", text, f)
		}
	}
}

func sameIDs(t *testing.T, g *graph.Graph, cell string) bool {
	t.Helper()
	want, err := jsonl.Parse(cell)
	if err != nil {
		t.Fatal(err)
	}
	return g != nil && slices.Equal(g.IDs, want.IDs)
}

// Bins of histograms have the names of their columns.
func TestBinsHaveNames(t *testing.T) {
	table := &data.Table{Source: "bins", Headed: true}
	var a, b, y []float64
	for i := range 12 {
		a, b, y = append(a, float64(i%4)), append(b, float64(i%3)), append(y, float64(i%4))
	}
	table.Columns = []data.Column{{Name: "a", Kind: data.Numeric, Numbers: a}, {Name: "b", Kind: data.Numeric, Numbers: b}, {Name: "y", Kind: data.Numeric, Numbers: y}}
	p, err := task.New(background, table, prep.Spec{Targets: []string{"y"}, Raw: []string{"*"}}, "chi2add + min[b]")
	if err != nil {
		t.Fatal(err)
	}
	m, err := mercer.Fit(background, p, methods.KRR{Options: krr.Options{Lambda: 1e-3}}, 1)
	if err != nil {
		t.Fatal(err)
	}
	said, err := m.Predict(background, table, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	broken, err := m.BreakDown(background, said, mercer.ExplainOptions{Rows: []int{4}})
	if err != nil {
		t.Fatal(err)
	}
	adds(t, broken[0], said.Values.At(3, 0))
	var names []string
	for _, term := range broken[0].Terms {
		for _, p := range term.Places {
			names = append(names, term.Kernel+":"+p.Name)
		}
	}
	if want := []string{"chi2add():a", "chi2add():b", "min()[b]:b"}; !slices.Equal(names, want) {
		t.Errorf("places %q, want %q", names, want)
	}
	if _, err := m.BreakDown(background, said, mercer.ExplainOptions{Output: "z"}); err == nil || !strings.Contains(err.Error(), `"z"`) {
		t.Errorf("an output that is not there: %v", err)
	}
}
