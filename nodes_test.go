package mercer_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.org/mercer"
	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/open"
	"example.org/mercer/data/prep"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/learner/methods"
	"example.org/mercer/search"
	"example.org/mercer/supervised/krr"
	"example.org/mercer/task"
	"example.org/mercer/tune"
	"example.org/mercer/unsupervised/kmeans"
)

// twoCircles writes a graph of two circles of 12 nodes that one edge joins, with the circle of
// each node as the attribute side.
func twoCircles(t *testing.T, name string, bridge int) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("graph [\n")
	for i := range 24 {
		fmt.Fprintf(&b, "node [ id %d side \"%c\" ]\n", i, "ab"[i/12])
	}
	for i := range 24 {
		fmt.Fprintf(&b, "edge [ source %d target %d ]\n", i, i/12*12+(i+1)%12)
		fmt.Fprintf(&b, "edge [ source %d target %d ]\n", i, i/12*12+(i+3)%12)
	}
	fmt.Fprintf(&b, "edge [ source 0 target %d ]\n]\n", bridge)
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func nodesOf(t *testing.T, path string) *data.Table {
	t.Helper()
	table, err := open.Read(t.Context(), path, open.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return table
}

var sideSpec = prep.Spec{Targets: []string{"side"}}

// TestNodes learns from half of the nodes of a graph and predicts all, from the model and from
// its file, with every kernel between nodes and with the algebra.
func TestNodes(t *testing.T) {
	path := twoCircles(t, "net.gml", 12)
	table := nodesOf(t, path)
	half := make([]int, 0, 12)
	for i := range 24 {
		if i%4 < 2 {
			half = append(half, i)
		}
	}
	for _, k := range []string{
		"diffusion(graph=%q, t=1)", "regularised_laplacian(graph=%q, t=2, laplacian=normalized)", "walk(graph=%q, a=2, p=4)",
		"exponential(graph=%q, t=0.5)", "commute(graph=%q)", "0.5*diffusion(graph=%[1]q, t=1) + normalize(of=exponential(graph=%[1]q, t=0.3))",
	} {
		text := fmt.Sprintf(k, path)
		p, err := task.New(background, table.Gather(half), sideSpec, text)
		if err != nil {
			t.Fatal(err)
		}
		m, err := mercer.Fit(background, p, methods.KRR{Options: krr.Options{Lambda: 1e-3}}, 1)
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(t.TempDir(), "m.mercer")
		if err := m.Save(background, file); err != nil {
			t.Fatal(err)
		}
		again, err := mercer.Load(file)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := again.Verify(background, compute.Options{}); err != nil {
			t.Error(err)
		}
		here, err := m.Predict(background, table, compute.Options{})
		if err != nil {
			t.Fatal(err)
		}
		there, err := again.Predict(background, table, compute.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for i := range 24 {
			if got, want := there.Label(i, 0), string("ab"[i/12]); got != want {
				t.Errorf("%s: node %d is on side %s, not %s", text, i, got, want)
			}
			if a, b := here.Values.At(i, 0), there.Values.At(i, 0); math.Abs(a-b) > 1e-10 {
				t.Errorf("%s: node %d is predicted as %v, and from the file as %v", text, i, a, b)
			}
		}
	}
}

// TestGraphOfAModel finds the graph again where it has moved, and refuses another one.
func TestGraphOfAModel(t *testing.T) {
	path := twoCircles(t, "net.gml", 12)
	table := nodesOf(t, path)
	p, err := task.New(background, table, sideSpec, fmt.Sprintf("diffusion(graph=%q)", path))
	if err != nil {
		t.Fatal(err)
	}
	m, err := mercer.Fit(background, p, methods.KRR{Options: krr.Options{Lambda: 1e-3}}, 1)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "m.mercer")
	if err := m.Save(background, file); err != nil {
		t.Fatal(err)
	}
	moved, other := twoCircles(t, "moved.gml", 12), twoCircles(t, "other.gml", 13)
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if _, err := mercer.Load(file); err == nil || !strings.Contains(err.Error(), path+": cannot be opened") {
		t.Errorf("without its graph: %v", err)
	}
	if _, err := mercer.LoadWith(file, task.Files{Graph: moved}); err != nil {
		t.Errorf("with its graph in another place: %v", err)
	}
	if _, err := mercer.LoadWith(file, task.Files{Graph: other}); err == nil || !strings.Contains(err.Error(), "has changed since the model was fitted") {
		t.Errorf("with another graph: %v", err)
	}
	stranger := &data.Table{Source: "new.csv", Headed: true, Columns: []data.Column{{Name: "id", Kind: data.Text, Strings: []string{"3", "99"}}}}
	if _, err := m.Predict(background, stranger, compute.Options{}); err == nil || !strings.Contains(err.Error(), `has no node "99"; its 24 nodes are named "0" … "23"`) {
		t.Errorf("a node that is not there: %v", err)
	}
}

// TestTuneOnNodes searches t with ridge regression and with a support vector machine.
func TestTuneOnNodes(t *testing.T) {
	path := twoCircles(t, "net.gml", 12)
	text := fmt.Sprintf("diffusion(graph=%q, t=?)", path)
	_, _, tuned, err := search.Tune(background, nodesOf(t, path), sideSpec, text, methods.KRR{}, search.Search{})
	if err != nil {
		t.Fatal(err)
	}
	if len(tuned.Parameters) != 2 || tuned.Parameters[0].Name != "t" || !strings.HasPrefix(tuned.Kernel, "diffusion(") {
		t.Errorf("%+v", tuned)
	}
	seen := map[float64]bool{}
	for _, trial := range tuned.Trials {
		seen[trial.Values[0]] = true
	}
	if len(seen) < 3 {
		t.Errorf("%d values of t were tried", len(seen))
	}
	spec := sideSpec
	spec.Labels = true
	_, _, cross, err := search.Tune(background, nodesOf(t, path), spec, text, methods.SVC{}, search.Search{})
	if err != nil || cross.Best.Score < 0.9 {
		t.Errorf("%+v, %v", cross, err)
	}
	if _, _, _, err := search.Tune(background, nodesOf(t, path), sideSpec, fmt.Sprintf("walk(graph=%q, p=?)", path), methods.KRR{}, search.Search{}); err == nil || !strings.Contains(err.Error(), "steps are whole numbers") {
		t.Error(err)
	}
}

// TestAssessNodes draws three nodes of each side, several times.
func TestAssessNodes(t *testing.T) {
	path := twoCircles(t, "net.gml", 12)
	table, text := nodesOf(t, path), fmt.Sprintf("diffusion(graph=%q, t=?)", path)
	splits, err := search.PerClassSplits(table, sideSpec, text, 3, 4, 1)
	if err != nil {
		t.Fatal(err)
	}
	a, err := search.Assess(background, table, sideSpec, text, methods.KRR{}, search.Search{Options: tune.Options{Seed: 1}}, 0, splits, nil)
	if err != nil {
		t.Fatal(err)
	}
	sum := 0.0
	for _, s := range a.Splits {
		if s.Train != 6 || s.Test != 18 {
			t.Errorf("%d and %d rows", s.Train, s.Test)
		}
		sum += s.Scores[0].Accuracy / 4
	}
	variance := 0.0
	for _, s := range a.Splits {
		variance += (s.Scores[0].Accuracy - sum) * (s.Scores[0].Accuracy - sum) / 3
	}
	if a.Accuracy == nil {
		t.Fatal("labels have no accuracy")
	}
	testkit.Close(t, "mean", a.Accuracy.Mean, sum, 1e-12)
	testkit.Close(t, "deviation", a.Accuracy.Deviation, math.Sqrt(variance), 1e-12)
}

// TestNodeNotes tells of a graph that is not connected.
func TestNodeNotes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "net.txt")
	if err := os.WriteFile(path, []byte("a b\nb a\nc d\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	table := &data.Table{Source: "t.csv", Headed: true, Columns: []data.Column{
		{Name: "who", Kind: data.Text, Strings: []string{"a", "b", "c", "d"}}, {Name: "y", Kind: data.Numeric, Numbers: []float64{1, 2, 3, 4}}}}
	p, err := task.New(background, table, prep.Spec{Targets: []string{"y"}, ID: "who"}, fmt.Sprintf("commute(graph=%q)", path))
	if err != nil {
		t.Fatal(err)
	}
	notes := strings.Join(p.Rows.Notes, "\n")
	for _, want := range []string{"2 components", "1 edges join nodes that another edge joins already"} {
		if !strings.Contains(notes, want) {
			t.Errorf("notes %q do not say %q", notes, want)
		}
	}
}

// TestKarate divides Zachary's karate club in two by kernel k-means with diffusion kernels and
// compares with the factions after the split of the club, up to their order.
func TestKarate(t *testing.T) {
	path := testkit.Shared(t, "graphs/karate/karate.gml")
	table := nodesOf(t, path)
	truth, _ := table.Column("groundTruth")
	for _, time := range []float64{0.5, 1, 2, 4, 8} {
		parsed, err := task.Parse(fmt.Sprintf("diffusion(graph=%q, t=%v)", path, time))
		if err != nil {
			t.Fatal(err)
		}
		k, err := task.IDKernel(background, parsed)
		if err != nil {
			t.Fatal(err)
		}
		_, r, err := kmeans.Fit(background, k, data.Set[string](data.Slice[string](table.Columns[0].Strings)), 2, kmeans.Options{Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		wrong := 0
		for i, label := range r.Solution.Labels {
			if label != int(truth.Numbers[i]) {
				wrong++
			}
		}
		wrong = min(wrong, 34-wrong)
		t.Logf("t = %v: %d of 34 in the other faction", time, wrong)
		if most := map[float64]int{0.5: 11, 1: 11, 2: 1, 4: 6, 8: 3}[time]; wrong > most { // as docs/guide/nodes.md says
			t.Errorf("t = %v: %d of 34 members are in the other faction", time, wrong)
		}
	}
}
