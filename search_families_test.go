package mercer_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/prep"
	"example.org/mercer/learner/methods"
	"example.org/mercer/search"
	"example.org/mercer/supervised/krr"
	"example.org/mercer/task"
	"example.org/mercer/tune"
)

// steps is a table whose target is a sum of a step, a slope and a wave.
func steps(n int) *data.Table {
	r := rand.New(rand.NewPCG(3, 9))
	columns := []data.Column{{Name: "a"}, {Name: "b"}, {Name: "c"}, {Name: "y"}}
	for range n {
		a, b, c := r.NormFloat64(), r.NormFloat64(), float64(r.IntN(4))
		y := math.Sin(2*a) + b*c + 0.1*r.NormFloat64()
		if b > 0.5 {
			y += 2
		}
		for j, v := range []float64{a, b, c, y} {
			columns[j].Numbers = append(columns[j].Numbers, v)
		}
	}
	return &data.Table{Source: "steps", Headed: true, Columns: columns}
}

// TestAutoIsTheBestFamily: on few rows the kernel auto is the family whose own search scores best,
// and the model is that of this search.
func TestAutoIsTheBestFamily(t *testing.T) {
	table, spec := steps(120), prep.Spec{Targets: []string{"y"}}
	p, m, tuned, err := search.Tune(background, table, spec, search.Auto, methods.KRR{}, search.Search{})
	if err != nil {
		t.Fatal(err)
	}
	families, err := task.Families(table, spec)
	if err != nil {
		t.Fatal(err)
	}
	scores := map[string]float64{}
	for _, e := range tuned.Families {
		if e.Failed != "" || e.Rows != 120 {
			t.Errorf("family %s: %d rows, %s", e.Family, e.Rows, e.Failed)
		}
		scores[e.Family] = e.Score
	}
	if len(tuned.Families) < len(families)+2 {
		t.Errorf("%d entries: mixtures and levels are missing", len(tuned.Families))
	}
	for _, f := range families {
		_, _, alone, err := search.Tune(background, table, spec, f.Kernel, methods.KRR{}, search.Search{Criterion: krr.LOO})
		if err != nil {
			t.Fatal(err)
		}
		if alone.Best.Score != scores[f.Name] {
			t.Errorf("%s: score %v, alone %v", f.Name, scores[f.Name], alone.Best.Score)
		}
	}
	best := tuned.Families[0]
	for _, e := range tuned.Families {
		if e.Score < best.Score {
			t.Errorf("%s scores %v, and the best is said to be %s with %v", e.Family, e.Score, best.Family, best.Score)
		}
	}
	if best.Kernel != tuned.Kernel || best.Kernel != p.Kernel() || tuned.Best.Score != best.Score {
		t.Errorf("the best is %s, tuned %s, of the problem %s", best.Kernel, tuned.Kernel, p.Kernel())
	}
	// The score is the mean of the squared residuals of rows left out, of the fit itself.
	krrOf := m.(methods.KRR)
	krrOf.LOO = true
	f, err := krrOf.Fit(background, p)
	if err != nil {
		t.Fatal(err)
	}
	rmse := f.Report.(*krr.Report).Point.LOO.RMSE[0]
	if want := math.Sqrt(best.Score); math.Abs(rmse-want) > 1e-6*want {
		t.Errorf("leave-one-out error %v of the fit, %v of the search", rmse, want)
	}
}

// TestAutoClimbs: more rows are for fewer kernels, and any number of workers finds the same bits.
func TestAutoClimbs(t *testing.T) {
	table, spec := steps(150), prep.Spec{Targets: []string{"y"}}
	var first *search.Tuned
	for _, workers := range []int{1, 2} {
		_, _, tuned, err := search.Tune(background, table, spec, search.Auto, methods.KRR{}, search.Search{Rungs: [2]int{60, 90}, Options: tune.Options{Compute: compute.Options{Workers: workers}}})
		if err != nil {
			t.Fatal(err)
		}
		rows := map[int]int{}
		for _, e := range tuned.Families {
			rows[e.Rows]++
		}
		// Of eight families and two coded tables three go on, with their means, and one to the end.
		if rows[60] != 7 || rows[90]+rows[150] < 3 || rows[90]+rows[150] > 5 || rows[150] != 1 {
			t.Errorf("numbers of rows %v", rows)
		}
		if first == nil {
			first = tuned
		}
		for i, e := range tuned.Families {
			if e.Kernel != first.Families[i].Kernel || e.Score != first.Families[i].Score {
				t.Errorf("%d workers: %s scores %v, one worker: %s %v", workers, e.Kernel, e.Score, first.Families[i].Kernel, first.Families[i].Score)
			}
		}
	}
}

// TestAutoOnText: words are told apart by their letters, and numbers beside them are not needed.
func TestAutoOnText(t *testing.T) {
	var words, kinds []string
	r := rand.New(rand.NewPCG(5, 5))
	for i := range 60 {
		kind, letters := "vowels", "aeiou"
		if i%2 == 1 {
			kind, letters = "others", "bcdfg"
		}
		var b strings.Builder
		for range 12 {
			b.WriteByte(letters[r.IntN(len(letters))])
		}
		words, kinds = append(words, b.String()), append(kinds, kind)
	}
	table := &data.Table{Source: "words", Headed: true, Columns: []data.Column{{Name: "word", Kind: data.Text, Strings: words}, {Name: "kind", Kind: data.Categorical, Strings: kinds}}}
	_, _, tuned, err := search.Tune(background, table, prep.Spec{Targets: []string{"kind"}}, search.Auto, methods.SVC{}, search.Search{Splits: search.Splits{Folds: 3}})
	if err != nil {
		t.Fatal(err)
	}
	if tuned.Score != "accuracy" || tuned.Best.Score < 0.99 || !strings.Contains(tuned.Kernel, "k=") {
		t.Errorf("%s scores %v %s", tuned.Kernel, tuned.Best.Score, tuned.Score)
	}
	if !slices.IsSortedFunc(tuned.Families, func(a, b search.FamilyScore) int { return int(math.Copysign(1, b.Score-a.Score)) }) {
		t.Errorf("the larger accuracy is not the first: %+v", tuned.Families)
	}
}

// TestAutoPlans: the stages are the rungs, and the fit.
func TestAutoPlans(t *testing.T) {
	_, plan, err := search.PlanTune(background, steps(150), prep.Spec{Targets: []string{"y"}}, search.Auto, methods.KRR{}, search.Search{Rungs: [2]int{60, 90}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, s := range plan.Stages {
		names = append(names, s.Stage)
	}
	if want := []string{"search on 60 rows (10)", "search on 90 rows (5)", "search on 150 rows (1)"}; !slices.Equal(names, want) || plan.Seconds <= 0 {
		t.Errorf("stages %q, %v seconds", names, plan.Seconds)
	}
}

// TestAutoWarnsOfALeak: a column that is the target under another name.
func TestAutoWarnsOfALeak(t *testing.T) {
	table := steps(60)
	leaked := slices.Clone(table.Columns[3].Numbers)
	for i := range leaked {
		leaked[i] = 3*leaked[i] + 1
	}
	table.Columns = append(table.Columns, data.Column{Name: "price in cents", Numbers: leaked})
	for _, drop := range [][]string{nil, {"price in cents"}} {
		_, _, tuned, err := search.Tune(background, table, prep.Spec{Targets: []string{"y"}, Drop: drop}, search.Auto, methods.KRR{}, search.Search{})
		if err != nil {
			t.Fatal(err)
		}
		if warned := strings.Contains(strings.Join(tuned.Warnings, "\n"), "under another name"); warned != (drop == nil) {
			t.Errorf("dropped %q: warnings %q", drop, tuned.Warnings)
		}
	}
}

// TestAutoRefuses what it cannot search.
func TestAutoRefuses(t *testing.T) {
	table := steps(40)
	constant := steps(40)
	for i := range constant.Columns[3].Numbers {
		constant.Columns[3].Numbers[i] = 7
	}
	for _, c := range []struct {
		name  string
		table *data.Table
		o     search.Search
		want  string
	}{
		{"metric", table, search.Search{Metric: search.Metric{Shape: "full"}}, "metric"},
		{"constant", constant, search.Search{}, `"y", which is 7 in every row`},
		{"criterion", table, search.Search{Criterion: "best"}, `"best"`},
	} {
		if _, _, _, err := search.Tune(background, c.table, prep.Spec{Targets: []string{"y"}}, search.Auto, methods.KRR{}, c.o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v", c.name, err)
		}
	}
}

// TestAutoGoesOn: a search that was stopped half-way goes on from the journals of its candidates,
// to the same bits, and with other options it does not take them.
func TestAutoGoesOn(t *testing.T) {
	spec := prep.Spec{Targets: []string{"y"}}
	run := func(o search.Search, stop bool) (*search.Tuned, string, error) {
		ctx, cancel := context.WithCancel(background)
		defer cancel()
		o.Rungs = [2]int{40, 80}
		o.Options.Compute.Progress = func(stage string, done, total int64) {
			if stop && stage == "families" && 2*done >= total {
				cancel()
			}
		}
		_, _, tuned, err := search.Tune(ctx, steps(100), spec, search.Auto, methods.KRR{}, o)
		if err != nil {
			return nil, "", err
		}
		text, err := json.Marshal(struct{ Kernel, Best any }{tuned.Kernel, tuned.Best})
		for _, e := range tuned.Families {
			text = fmt.Appendf(text, "\n%s %s %v %d", e.Family, e.Kernel, e.Score, e.Rows)
		}
		return tuned, string(text), err
	}
	_, want, err := run(search.Search{}, false)
	if err != nil {
		t.Fatal(err)
	}
	kept := search.Search{Journal: filepath.Join(t.TempDir(), "trials")}
	if _, _, err := run(kept, true); !errors.Is(err, context.Canceled) {
		t.Fatalf("stopped: %v", err)
	}
	half, got, err := run(kept, false)
	if err != nil {
		t.Fatal(err)
	}
	if got != want || half.Resumed == 0 {
		t.Errorf("after %d known kernels it ends with\n%s\nand not with\n%s", half.Resumed, got, want)
	}
	whole, got, err := run(kept, false)
	if err != nil || got != want || whole.Resumed <= half.Resumed {
		t.Errorf("once more %d kernels are known, after %d: %v", whole.Resumed, half.Resumed, err)
	}
	kept.Options.Seed++
	if _, _, err := run(kept, false); err == nil || !strings.Contains(err.Error(), "differs in the search") {
		t.Errorf("the journals of another seed: %v", err)
	}
}
