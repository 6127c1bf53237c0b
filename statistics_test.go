package mercer_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.org/mercer"
	"example.org/mercer/approx/nystrom"
	"example.org/mercer/approx/randomfeatures"
	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/prep"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/learner"
	"example.org/mercer/learner/methods"
	"example.org/mercer/loss"
	"example.org/mercer/supervised/falkon"
	"example.org/mercer/supervised/krr"
	"example.org/mercer/task"
)

// summedCase is a way to a model that keeps sums.
type summedCase struct {
	name, kernel string
	features     int // random ones; 0: none
	landmarks    int // of krr; 0: none
	method       func(updatable bool) learner.Learner
	// bound is the largest change of a prediction, of about 200, that rounding of the rows allows,
	// relative to the fit without sums.
	bound float64
}

func (c summedCase) onLandmarks() bool { return c.landmarks > 0 || c.name == "falkon" }

// bySums are the ways to a model that keeps sums over its rows: what a problem becomes before
// the fit, and the method, which also fits without sums.
var bySums = []summedCase{
	{"landmarks", "rbf(sigma=2)", 0, 25, func(u bool) learner.Learner {
		return methods.KRR{Options: krr.Options{Lambda: 1e-3}, Updatable: u}
	}, 1e-7},
	{"landmarks of a record", "rbf(sigma=2)[size,age] + spectrum(k=2)[dna]", 0, 20, func(u bool) learner.Learner {
		return methods.KRR{Options: krr.Options{Lambda: 1e-3, NoIntercept: true}, Updatable: u}
	}, 1e-7},
	{"random features", "rbf(sigma=2)", 40, 0, func(u bool) learner.Learner {
		return methods.KRR{Options: krr.Options{Lambda: 1e-3}, Updatable: u}
	}, 1e-7},
	{"few columns", "poly(degree=2, offset=1)", 0, 0, func(u bool) learner.Learner {
		return methods.KRR{Options: krr.Options{Lambda: 1e-4}, Updatable: u}
	}, 1e-7},
	{"falkon", "rbf(sigma=2)", 0, 0, func(u bool) learner.Learner {
		return methods.Falkon{Options: falkon.Options{Lambda: 1e-3, Stop: falkon.Stop{Tolerance: 1e-12}}, Landmarks: nystrom.Options{Rank: 25, Seed: 3, Scheme: nystrom.Uniform}, Updatable: u}
	}, 1e-5},
}

// estates are houses with a column of letters.
func estates(n int, seed uint64) *data.Table {
	t := houses(n, seed)
	dna := data.Column{Name: "dna", Kind: data.Text}
	for i := range n {
		dna.Strings = append(dna.Strings, strings.Repeat([]string{"ACG", "TTA", "GGC", "CAT"}[i%4], 2)+strings.Repeat("A", i%7)+strings.Repeat("GT", i%3))
	}
	t.Columns = append(t.Columns, dna)
	return t
}

// inFeatures puts the kernel of a case on a table.
func inFeatures(t *testing.T, table *data.Table, kernel string, landmarks, random int) *task.Task {
	t.Helper()
	s := spec
	if !strings.Contains(kernel, "[dna]") {
		s.Drop = []string{"dna"}
	}
	p, err := task.New(background, table, s, kernel)
	if err == nil && landmarks > 0 {
		p, err = p.LowRank(background, nystrom.Options{Rank: landmarks, Seed: 5})
	}
	if err == nil && random > 0 {
		p, err = p.WithFeatures(background, randomfeatures.Options{Dim: random}, compute.Options{})
	}
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TypedFunction(t *testing.T, p *task.Task, m learner.Learner) *mercer.Model {
	t.Helper()
	out, err := mercer.Fit(background, p, m, 1)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// reloaded writes a model to a file and reads it again.
func reloaded(t *testing.T, m *mercer.Model) (*mercer.Model, []byte) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "m.mercer")
	if err := m.Save(background, path); err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	out, err := mercer.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := out.Verify(background, compute.Options{}); err != nil {
		t.Error(err)
	}
	return out, raw
}

// tensors returns the part of a model file behind its text.
func tensors(t *testing.T, raw []byte) []byte {
	t.Helper()
	return raw[8+binary.LittleEndian.Uint64(raw):]
}

// others returns the rows of a table that are not among names: rows that are no landmarks.
func others(table *data.Table, names []string) []int {
	var rows []int
	for i, id := range table.Columns[0].Strings {
		if !slices.Contains(names, id) {
			rows = append(rows, i)
		}
	}
	return rows
}

// Rows that come to sums, in whatever batches, and go from them leave the very model that is
// fitted to the rows which are there: the same bits, in the function and in the file. It is the
// model that is fitted without sums, up to rounding.
func TestSumsAreARefit(t *testing.T) {
	const n = 120
	table, probe := estates(n, 3), estates(20, 8)
	for _, c := range bySums {
		whole := TypedFunction(t, inFeatures(t, table, c.kernel, c.landmarks, c.features), c.method(true))
		plain := TypedFunction(t, inFeatures(t, table, c.kernel, c.landmarks, c.features), c.method(false))
		want := predict(t, whole, probe).Values.RawMatrix().Data
		testkit.CloseSlice(t, c.name, want, predict(t, plain, probe).Values.RawMatrix().Data, c.bound)

		free := others(table, nil)
		if c.onLandmarks() {
			free = others(table, whole.Trained)
		}
		free = free[:40]
		forget := func(m *mercer.Model, rows []int) *mercer.Model {
			change, err := m.RemovingRows(table.Gather(rows))
			return changed(t, change, err)
		}
		add := func(m *mercer.Model, rows []int) *mercer.Model {
			change, err := m.Adding(table.Gather(rows))
			return changed(t, change, err)
		}
		few := forget(whole, free)
		loaded, raw := reloaded(t, few)
		again, back := loaded, []int(nil)
		for from, size := 0, 1; from < len(free); from, size = from+size, 2*size {
			to := min(from+size, len(free))
			again = add(again, free[from:to])
			back = append(back, free[from:to]...)
		}
		if got := predict(t, again, probe).Values.RawMatrix().Data; !slices.Equal(got, want) {
			t.Errorf("%s: rows that went and came back leave another function", c.name)
		}
		slices.Reverse(back)
		_, others := reloaded(t, forget(again, back))
		if !bytes.Equal(tensors(t, raw), tensors(t, others)) {
			t.Errorf("%s: a model from which rows were forgotten twice has other bits than one from which they were forgotten once", c.name)
		}
		if h := *again.History; h != (mercer.History{First: n, Added: 40, Forgotten: 40}) {
			t.Errorf("%s: history %+v", c.name, h)
		}
		if u := again.Updatable(); u == nil || u.By != "sums" || u.Rows != n {
			t.Errorf("%s: updatable %+v", c.name, u)
		}
	}
}

// λ stays and the ridge follows the rows, or the other way round; a fit to the rows that are left
// has the same function.
func TestSumsKeepLambdaOrRidge(t *testing.T) {
	table := estates(80, 3)
	whole := TypedFunction(t, inFeatures(t, table, "poly(degree=2, offset=1)", 0, 0), methods.KRR{Options: krr.Options{Lambda: 1e-2}, Updatable: true})
	before := whole.Report.(*krr.Report)
	for _, ridge := range []bool{false, true} {
		c, err := whole.RemovingRows(table.Gather([]int{1, 5, 9}))
		if err != nil {
			t.Fatal(err)
		}
		c.KeepRidge = ridge
		r := changed(t, c, nil).Report.(*krr.Report)
		if stays := math.Abs(r.Lambda/before.Lambda-1) < 1e-14; stays == ridge {
			t.Errorf("λ was %v and is %v, the ridge %v and %v", before.Lambda, r.Lambda, before.Ridge, r.Ridge)
		}
		if stays := math.Abs(r.Ridge/before.Ridge-1) < 1e-14; stays != ridge || r.N != 77 {
			t.Errorf("λ was %v and is %v, the ridge %v and %v, %d rows", before.Lambda, r.Lambda, before.Ridge, r.Ridge, r.N)
		}
	}
}

// Nothing of a row that was forgotten is in the file: its sums are those of a model which has
// never seen it, and neither its id nor its numbers are there.
func TestForgottenSumsLeaveNoTrace(t *testing.T) {
	for _, c := range bySums {
		table := estates(100, 3)
		p := inFeatures(t, table, c.kernel, c.landmarks, c.features)
		m := TypedFunction(t, p, c.method(true))
		_, before := reloaded(t, m)
		row := 0 // that is no landmark
		for c.onLandmarks() && slices.Contains(m.Trained, table.Columns[0].Strings[row]) {
			row++
		}
		change, err := m.RemovingRows(table.Gather([]int{row}))
		_, after := reloaded(t, changed(t, change, err))
		for _, v := range []float64{table.Columns[1].Numbers[row], table.Columns[5].Numbers[row]} {
			text, err := json.Marshal(v)
			if err != nil {
				t.Fatal(err)
			}
			for _, trace := range [][]byte{text, binary.LittleEndian.AppendUint64(nil, math.Float64bits(v))} {
				if bytes.Contains(before, trace) || bytes.Contains(after, trace) {
					t.Errorf("%s: %v stands in the file with the row, %v, or in that without, %v", c.name, v, bytes.Contains(before, trace), bytes.Contains(after, trace))
				}
			}
		}
	}
}

func TestSumsRefuse(t *testing.T) {
	table := estates(60, 3)
	m := TypedFunction(t, inFeatures(t, table, "rbf(sigma=2)", 12, 0), methods.KRR{Options: krr.Options{Lambda: 1e-3}, Updatable: true})
	expect := func(what string, err error, want ...string) {
		t.Helper()
		for _, w := range want {
			if err == nil || !strings.Contains(err.Error(), w) {
				t.Errorf("%s: %v does not say %q", what, err, w)
			}
		}
	}
	solve := func(c *mercer.Update, err error) error {
		t.Helper()
		if err != nil {
			return err
		}
		_, _, err = c.Solve(background, compute.Options{})
		return err
	}
	landmark := slices.Index(table.Columns[0].Strings, m.Trained[4])
	expect("a landmark", solve(m.RemovingRows(table.Gather([]int{landmark}))), "row 1", "is landmark 5 ("+m.Trained[4]+")", "mercer fit krr TABLE --updatable")
	free := others(table, m.Trained)
	_, err := m.Removing([]string{"h3"})
	expect("names", err, "give the rows that are to be forgotten")
	stranger := table.Gather(free[:3])
	stranger.Columns[1].Numbers[1] += 1e-9
	_, err = m.RemovingRows(stranger)
	expect("a row that is another by its last digits", err, "row 2", "is none of the rows")
	_, err = m.RemovingRows(table.Gather([]int{free[0], free[0]}))
	expect("a row twice", err, "row 2", "taken out already")
	_, err = m.RemovingRows(table)
	expect("all rows", err, "60 rows are to be forgotten, and the model has learned from 60")
	bare := table.Gather(free[:3])
	bare.Columns = bare.Columns[:5]
	_, err = m.RemovingRows(bare)
	expect("no targets", err, "does not have the targets")
	_, err = m.Adding(bare)
	expect("no targets", err, "does not have the targets")
	unweighted := table.Gather(free[:3])
	unweighted.Columns = slices.Delete(slices.Clone(unweighted.Columns), 4, 5)
	_, err = m.Adding(unweighted)
	expect("no weights", err, "lacks the column of weights")
	narrow := table.Gather(free[:3])
	narrow.Columns = slices.Delete(slices.Clone(narrow.Columns), 1, 2)
	_, err = m.Adding(narrow)
	expect("no size", err, `no column "size"`)
	unknown := table.Gather(free[:3])
	unknown.Columns[3].Strings[0] = "castle"
	change, err := m.Adding(unknown)
	if err != nil || len(change.Notes) == 0 || !strings.Contains(change.Notes[0], "castle") {
		t.Errorf("an unknown level: %v, %+v", err, change)
	}
	huge := table.Gather(free[:3])
	huge.Columns[5].Numbers[2] = 1e12
	expect("a huge target", solve(m.Adding(huge)), "row 3", "cannot join the sums", "fit again")
	exact := fit(t, table, spec, "rbf(sigma=2)", krr.Options{Lambda: 1e-3})
	_, err = exact.RemovingRows(table.Gather(free[:3]))
	expect("a model with its rows", err, "name those to forget")
	for what, method := range map[string]learner.Learner{
		"is minimised: take the squared loss": methods.Falkon{Options: falkon.Options{Lambda: 1, Loss: loss.Huber{K: 1, Scale: 1}}, Landmarks: nystrom.Options{Rank: 5, Scheme: nystrom.Uniform}, Updatable: true},
		"end an iteration":                    methods.Falkon{Options: falkon.Options{Lambda: 1}, Landmarks: nystrom.Options{Rank: 5, Scheme: nystrom.Uniform}, Holdout: 0.2, Updatable: true},
		"sums have none":                      methods.KRR{Options: krr.Options{Lambda: 1, LOO: true}, Updatable: true},
		"and not by solver \"cholesky\"":      methods.KRR{Options: krr.Options{Lambda: 1, Solver: krr.Cholesky}, Updatable: true},
	} {
		p := inFeatures(t, table, "rbf(sigma=2)", 0, 0)
		if _, ok := method.(methods.KRR); ok {
			p = inFeatures(t, table, "rbf(sigma=2)", 12, 0)
		}
		_, err := mercer.Fit(background, p, method, 1)
		expect(what, err, what)
	}
}

// A table that is read in passes leaves the model of the table in memory.
func TestSumsInPasses(t *testing.T) {
	t.Parallel()
	_, whole, blocks := longTable(t)
	s := prep.Spec{Targets: []string{"y"}, Drop: []string{"label"}, Missing: prep.Mean}
	method := methods.Falkon{Options: falkon.Options{Lambda: 1e-4}, Landmarks: nystrom.Options{Rank: 30, Scheme: nystrom.Uniform}, Updatable: true}
	p, err := task.New(background, whole, s, "rbf(sigma=2)")
	if err != nil {
		t.Fatal(err)
	}
	want := TypedFunction(t, p, method)
	if p, err = task.New(background, blocks, s, "rbf(sigma=2)"); err != nil {
		t.Fatal(err)
	}
	got := TypedFunction(t, p, method)
	_, a := reloaded(t, want)
	_, b := reloaded(t, got)
	if !bytes.Equal(tensors(t, a), tensors(t, b)) {
		t.Error("other bits in passes")
	}
}

// Rows that come from a table read in passes, and go by one, leave the model of the table in
// memory.
func TestChangesInPasses(t *testing.T) {
	t.Parallel()
	_, whole, blocks := longTable(t)
	s := prep.Spec{Targets: []string{"y"}, Drop: []string{"label"}, Missing: prep.Mean}
	p, err := task.New(background, whole.Gather(first(500)), s, "rbf(sigma=2)")
	if err != nil {
		t.Fatal(err)
	}
	on, err := p.Reduced(background, task.Approximation{Features: &randomfeatures.Options{Dim: 20, Seed: 1}}, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	base := TypedFunction(t, on, methods.KRR{Options: krr.Options{Lambda: 1e-3}, Updatable: true})
	solved := func(workers int) func(c *mercer.Update, err error) *mercer.Model {
		return func(c *mercer.Update, err error) *mercer.Model {
			t.Helper()
			if err != nil {
				t.Fatal(err)
			}
			m, _, err := c.Solve(background, compute.Options{Workers: workers})
			if err != nil {
				t.Fatal(err)
			}
			return m
		}
	}
	want := solved(2)(base.Adding(whole))
	for _, workers := range []int{1, 2, 3, 8} {
		if got := solved(workers)(base.AddingBlocks(background, blocks)); !bytes.Equal(saved(t, got), saved(t, want)) {
			t.Errorf("%d workers: rows that came in passes leave another model", workers)
		}
	}
	left := solved(1)(want.RemovingRows(whole))
	if got := solved(3)(want.RemovingBlocks(background, blocks)); !bytes.Equal(saved(t, got), saved(t, left)) {
		t.Error("rows that went in passes leave another model")
	}
	c, err := base.AddingBlocks(background, blocks)
	if err != nil {
		t.Fatal(err)
	}
	if plan, err := c.Plan(background, compute.Options{}); err != nil || plan.Stages[0].Stage != "blocks" {
		t.Errorf("the plan is %v; %v", plan, err)
	}
	if _, err := base.RemovingBlocks(background, blocks); err == nil || !strings.Contains(err.Error(), "nothing would be left") {
		t.Errorf("more rows are to go than are there: %v", err)
	}
	if p, err = task.New(background, whole.Gather(first(50)), s, "rbf(sigma=2)"); err != nil {
		t.Fatal(err)
	}
	if _, err := TypedFunction(t, p, methods.KRR{Options: krr.Options{Lambda: 1e-3}}).AddingBlocks(background, blocks); err == nil || !strings.Contains(err.Error(), "keep sums over their rows") {
		t.Errorf("a model with its rows, in passes: %v", err)
	}
	ended, cancel := context.WithCancel(background)
	cancel()
	if _, err := base.AddingBlocks(ended, blocks); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end: %v", err)
	}
}

// first are the numbers of so many rows.
func first(count int) []int {
	rows := make([]int, count)
	for i := range rows {
		rows[i] = i
	}
	return rows
}
