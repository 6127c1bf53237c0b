package mercer_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.org/mercer"
	"example.org/mercer/approx/nystrom"
	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/internal/progress/progresstest"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/learner"
	"example.org/mercer/learner/methods"
	"example.org/mercer/supervised/gp"
	"example.org/mercer/supervised/krr"
	"example.org/mercer/supervised/svm"
	"example.org/mercer/task"
)

// changed solves a change.
func changed(t *testing.T, c *mercer.Update, err error) *mercer.Model {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	m, _, err := c.Solve(background, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// methods are those whose rows come and go, with the largest change of a prediction that
// rounding allows between two ways to the same function: residuals of 1e-12 of targets
// below 300, over a ridge of at least 0.05 for kernel values of at most 2 on 100 rows.
var updatable = []struct {
	name      string
	method    learner.Learner
	keepRidge bool
	exact     bool // the very same computation, and the same bits
	bound     float64
}{
	{"krr, λ", methods.KRR{Options: krr.Options{Lambda: 1e-3, LOO: true}}, false, true, 0},
	{"krr, ridge", methods.KRR{Options: krr.Options{Ridge: 0.05}}, true, true, 0},
	{"krr, factor", methods.KRR{Options: krr.Options{Ridge: 0.05, LOO: true}, Updatable: true}, true, false, 2e-12 * 300 * 10 / 0.05 * 200},
	{"krr, factor but λ", methods.KRR{Options: krr.Options{Lambda: 1e-3}, Updatable: true}, false, true, 0},
	{"krr, products to a tolerance", methods.KRR{Options: krr.Options{Lambda: 1e-3, Solver: krr.CG, Tolerance: 1e-3}}, false, true, 0},
	{"gp", methods.GP{Options: gp.Options{Noise: 0.05}}, false, true, 0},
	{"gp, factor", methods.GP{Options: gp.Options{Noise: 0.05}, Updatable: true}, false, false, 2e-12 * 300 * 10 / 0.05 * 200},
}

// A model to which rows were added, or from which they were taken, is the one that is fitted
// to those rows: with the same preparation, which here is that of a model that has them all.
func TestChangesEqualARefit(t *testing.T) {
	const n = 90
	table := houses(n, 3)
	probe := houses(20, 8)
	rows := func(from, to int) *data.Table {
		index := make([]int, to-from)
		for i := range index {
			index[i] = from + i
		}
		return table.Gather(index)
	}
	for _, u := range updatable {
		p, err := task.New(background, table, spec, "rbf(sigma=2)")
		if err != nil {
			t.Fatal(err)
		}
		whole, err := mercer.Fit(background, p, u.method, 1)
		if err != nil {
			t.Fatal(err)
		}
		remove := func(m *mercer.Model, names ...string) *mercer.Model {
			c, err := m.Removing(names)
			if err == nil {
				c.KeepRidge = u.keepRidge
			}
			return changed(t, c, err)
		}
		add := func(m *mercer.Model, rows *data.Table) *mercer.Model {
			c, err := m.Adding(rows)
			if err == nil {
				c.KeepRidge = u.keepRidge
			}
			return changed(t, c, err)
		}
		var last []string
		for _, i := range []string{"80", "81", "82", "83", "84", "85", "86", "87", "88", "89"} {
			last = append(last, "h"+i)
		}
		shorter := remove(whole, last...)
		again := add(shorter, rows(80, n))
		if h := *again.History; h != (mercer.History{First: n, Added: 10, Forgotten: 10}) {
			t.Errorf("%s: history %+v", u.name, h)
		}
		if !slices.Equal(again.Trained, whole.Trained) {
			t.Errorf("%s: rows are called %q", u.name, again.Trained)
		}
		want, got := predict(t, whole, probe), predict(t, again, probe)
		bound := u.bound
		if u.exact {
			bound = 1e-13 * 300 // λ = R/N is rounded twice
		}
		testkit.CloseSlice(t, u.name, got.Values.RawMatrix().Data, want.Values.RawMatrix().Data, bound)
		if u.exact && u.keepRidge && !slices.Equal(got.Values.RawMatrix().Data, want.Values.RawMatrix().Data) {
			t.Errorf("%s: a refit at the same ridge has other bits", u.name)
		}
		// The file keeps what the next change needs.
		path := filepath.Join(t.TempDir(), "m.mercer")
		if err := shorter.Save(background, path); err != nil {
			t.Fatal(err)
		}
		loaded, err := mercer.Load(path)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := loaded.Verify(background, compute.Options{}); err != nil {
			t.Error(err)
		}
		reloaded := predict(t, add(loaded, rows(80, n)), probe)
		if !slices.Equal(reloaded.Values.RawMatrix().Data, got.Values.RawMatrix().Data) {
			t.Errorf("%s: another model comes from the file", u.name)
		}
		if (again.LeaveOneOut() == nil) != (whole.LeaveOneOut() == nil) {
			t.Errorf("%s: leave-one-out residuals are kept by one of both", u.name)
		} else if again.LeaveOneOut() != nil {
			testkit.CloseSlice(t, u.name+", left out", again.LeaveOneOut().RawMatrix().Data, whole.LeaveOneOut().RawMatrix().Data, 100*math.Max(bound, 1e-11))
		}
	}
}

// Nothing of a row that was forgotten is in the file, neither its numbers nor its text.
func TestForgottenRowsLeaveNoTrace(t *testing.T) {
	const secret = 7 // it alone has its level of the category
	for _, u := range updatable {
		table := houses(40, 3)
		for _, i := range []int{0, secret} {
			table.Columns[0].Strings[i] = "secret" + table.Columns[0].Strings[i]
			table.Columns[5].Numbers[i] = 123.456789 + float64(i)
		}
		table.Columns[3].Strings[secret] = "secretboat"
		p, err := task.New(background, table, spec, "rbf(sigma=2)")
		if err != nil {
			t.Fatal(err)
		}
		whole, err := mercer.Fit(background, p, u.method, 1)
		if err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		read := func(m *mercer.Model, name string) []byte {
			path := filepath.Join(dir, name)
			if err := m.Save(background, path); err != nil {
				t.Fatal(err)
			}
			raw, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			return raw
		}
		// What is looked for: the id, the target, the weight and the prepared features.
		traces := [][]byte{[]byte("secretboat")}
		for _, i := range []int{0, secret} {
			traces = append(traces, []byte("secreth"))
			for _, v := range append(slices.Clone(p.Rows.X.At(i)), p.Rows.Y.At(i, 0), p.Rows.W[i]) {
				if v == math.Trunc(v) {
					continue // as a level, which other rows have, too
				}
				traces = append(traces, binary.LittleEndian.AppendUint64(nil, math.Float64bits(v)))
			}
		}
		before := read(whole, "before.mercer")
		c, err := whole.Removing([]string{"secreth0", "secreth7"})
		if err != nil {
			t.Fatal(err)
		}
		c.KeepRidge = u.keepRidge
		left := changed(t, c, nil)
		after := read(left, "after.mercer")
		if v, err := left.Verify(background, compute.Options{}); err != nil || v.Rows == 0 {
			t.Errorf("%s: %+v, %v", u.name, v, err)
		}
		if names, _ := left.Prep.Features(); !slices.Contains(names, "kind=(forgotten 3)") {
			t.Errorf("%s: the features are %q", u.name, names)
		}
		if got := predict(t, left, table).Values.At(secret, 0); math.IsNaN(got) {
			t.Errorf("%s: a row of the forgotten level is predicted as %v", u.name, got)
		}
		for i, trace := range traces {
			if !bytes.Contains(before, trace) {
				t.Errorf("%s: trace %d is not in the model that has the row: the test looks for nothing", u.name, i)
			}
			if bytes.Contains(after, trace) {
				t.Errorf("%s: trace %d (% x) is left in the file", u.name, i, trace)
			}
		}
	}
}

func TestChangesAreRefused(t *testing.T) {
	table := houses(40, 3)
	m := fit(t, table, spec, "rbf(sigma=2)", krr.Options{Lambda: 1e-3})
	for want, names := range map[string][]string{"no training rows of this model, such as \"h99\"": {"h3", "h99"}, "no rows to forget": nil, "nothing would be left": m.Trained} {
		if _, err := m.Removing(names); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", want, err)
		}
	}
	bare := *table
	bare.Columns = table.Columns[:5]
	if _, err := m.Adding(&bare); err == nil || !strings.Contains(err.Error(), "does not have the targets") {
		t.Errorf("a table without targets: %v", err)
	}
	primal := fit(t, table, spec, "linear", krr.Options{Lambda: 1e-3})
	if _, err := primal.Adding(table); err == nil || !strings.Contains(err.Error(), "primal form") {
		t.Errorf("a primal model: %v", err)
	}
	p, err := task.New(background, table, spec, "linear")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := mercer.Fit(background, p, methods.KRR{Options: krr.Options{Solver: krr.CG}, Updatable: true}, 1); err == nil || !strings.Contains(err.Error(), "take solver packed") {
		t.Errorf("the factor of an iteration: %v", err)
	}
	machine, err := mercer.Fit(background, p, methods.SVR{Options: svm.Options{C: 1}}, 1)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := machine.Adding(table); err == nil || !strings.Contains(err.Error(), "this one is of \"svr\"") {
		t.Errorf("a machine: %v", err)
	}
	c, err := m.Adding(table.Gather([]int{3}))
	if err != nil || len(c.Notes) == 0 || !strings.Contains(c.Notes[0], "such as h3") {
		t.Errorf("a row that is there already: %v, %v", c, err)
	}
}

// TestChangesTellAndStop: rows that come and go, by a factor, by sums and by a new fit, tell how
// far they are; cancelled at any event they end, with few events more.
func TestChangesTellAndStop(t *testing.T) {
	const n = 90
	more := houses(20, 8)
	p, err := task.New(background, houses(n, 3), spec, "rbf(sigma=2)")
	if err != nil {
		t.Fatal(err)
	}
	landmarks, err := p.Reduced(background, task.Approximation{Landmarks: &nystrom.Options{Scheme: nystrom.Uniform, Rank: 12}}, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	type way struct {
		name string
		p    *task.Task
		m    learner.Learner
		keep bool
	}
	ways := []way{{"krr, sums", landmarks, methods.KRR{Options: krr.Options{Ridge: 0.05}, Updatable: true}, false}}
	for _, u := range updatable {
		ways = append(ways, way{u.name, p, u.method, u.keepRidge})
	}
	for _, w := range ways {
		m, err := mercer.Fit(background, w.p, w.m, 1)
		if err != nil {
			t.Fatal(err)
		}
		changes := map[string]func() (*mercer.Update, error){
			"come": func() (*mercer.Update, error) { return m.Adding(more) },
			"go":   func() (*mercer.Update, error) { return m.Removing([]string{"h3", "h7", "h50"}) },
		}
		if w.p == landmarks {
			c, err := m.Adding(more)
			longer := changed(t, c, err)
			changes["go"] = func() (*mercer.Update, error) { return longer.RemovingRows(more) }
		}
		for name, change := range changes {
			tellsAndStops(t, w.name+", rows "+name, func(ctx context.Context, o compute.Options) error {
				c, err := change()
				if err != nil {
					return err
				}
				c.KeepRidge = w.keep
				_, _, err = c.Solve(ctx, o)
				return err
			})
		}
	}
}

// tellsAndStops listens to work as a whole, and cancelled at its first event, in the middle, and at
// the last but one.
func tellsAndStops(t *testing.T, name string, work func(context.Context, compute.Options) error) {
	t.Helper()
	whole := new(progresstest.Listener)
	if err := work(t.Context(), compute.Options{Workers: 2, Progress: whole.Tell}); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	for _, problem := range whole.End() {
		t.Errorf("%s: %s", name, problem)
	}
	for _, at := range []int{1, whole.Events() / 2} {
		ctx, stop := context.WithCancel(t.Context())
		stopped := new(progresstest.Listener)
		stopped.At = func(event int) {
			if event == at {
				stop()
			}
		}
		err := work(ctx, compute.Options{Workers: 2, Progress: stopped.Tell})
		if more := stopped.Events() - at; !errors.Is(err, context.Canceled) || more > 8 {
			t.Errorf("%s, cancelled at event %d of %d: %v, and %d more", name, at, whole.Events(), err, more)
		}
		stop()
	}
}
