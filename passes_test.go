package mercer_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
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
	"example.org/mercer/data/open"
	"example.org/mercer/data/prep"
	"example.org/mercer/learner"
	"example.org/mercer/learner/methods"
	"example.org/mercer/loss"
	"example.org/mercer/outcome"
	"example.org/mercer/supervised/falkon"
	"example.org/mercer/supervised/krr"
	"example.org/mercer/task"
)

// longTable writes a table of more rows than a block has, and returns it in memory and in its
// compiled file.
func longTable(t *testing.T) (path string, whole *data.Table, blocks data.Blocks) {
	t.Helper()
	n := 9000
	if testing.Short() {
		n = 4800 // two blocks of a compiled file, and not three
	}
	var b bytes.Buffer
	b.WriteString("a,b,kind,gap,y,label\n")
	for i := range n {
		x, z := math.Sin(float64(i)*1.7), math.Cos(float64(i*i%977))
		gap := fmt.Sprint(i % 13)
		if i%11 == 3 {
			gap = ""
		}
		label := "no"
		if x*z+0.3*math.Sin(float64(7*i)) > 0 {
			label = "yes"
		}
		fmt.Fprintf(&b, "%.6f,%.6f,%s,%s,%.6f,%s\n", x, z, []string{"u", "v", "w"}[i%3], gap, x*z+float64(i%3), label)
	}
	path = filepath.Join(t.TempDir(), "long.csv")
	if err := os.WriteFile(path, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	whole, err := open.Read(t.Context(), path, open.Options{})
	if err != nil {
		t.Fatal(err)
	}
	c, _, err := open.Compile(t.Context(), path, "", open.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return path, whole, c
}

// saved returns the bytes of a model file.
func saved(t *testing.T, m *mercer.Model) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "m.mercer")
	if err := m.Save(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// A model that was fitted in passes is the model that is fitted in memory, byte for byte, for any
// number of workers, and so are its predictions and their scores.
func TestFitInPassesIsFit(t *testing.T) {
	t.Parallel()
	_, whole, blocks := longTable(t)
	for _, c := range []struct {
		name   string
		spec   prep.Spec
		kernel string
		method methods.Falkon
	}{
		{"squared", prep.Spec{Targets: []string{"y"}, Drop: []string{"label"}, Missing: prep.DropRows}, "rbf(sigma=median)",
			methods.Falkon{Options: falkon.Options{Lambda: 1e-5}, Landmarks: nystrom.Options{Scheme: nystrom.Uniform, Rank: 40, Seed: 1}}},
		{"logistic", prep.Spec{Targets: []string{"label"}, Drop: []string{"y"}, Missing: prep.Indicator}, "rbf(gamma=scale)",
			methods.Falkon{Options: falkon.Options{Lambda: 1e-4, Loss: loss.Logistic{}, Compute: compute.Options{Precision: compute.Single}}, Holdout: 0.05, Landmarks: nystrom.Options{Scheme: nystrom.Pivoted, Rank: 25, Seed: 1}}},
	} {
		in, err := task.New(t.Context(), whole, c.spec, c.kernel)
		if err != nil {
			t.Fatal(err)
		}
		c.method.Compute.Workers = 2
		m, err := mercer.Fit(t.Context(), in, c.method, 1)
		if err != nil {
			t.Fatal(err)
		}
		want := saved(t, m)
		counts := []int{1, 2, 3, 8}
		if testing.Short() {
			counts = []int{3}
		}
		for _, workers := range counts {
			c.method.Compute.Workers = workers
			out, err := task.New(t.Context(), blocks, c.spec, c.kernel)
			if err != nil {
				t.Fatal(err)
			}
			if !out.Streamed() || out.Kernel() != in.Kernel() {
				t.Fatalf("%s: in passes %v with the kernel %s, want %s", c.name, out.Streamed(), out.Kernel(), in.Kernel())
			}
			q, err := mercer.Fit(t.Context(), out, c.method, 1)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(saved(t, q), want) {
				t.Errorf("%s with %d workers: the model differs", c.name, workers)
			}
		}
		samePredictions(t, c.name, m, whole, blocks)
	}
}

func samePredictions(t *testing.T, name string, m *mercer.Model, whole *data.Table, blocks data.Blocks) {
	t.Helper()
	o := compute.Options{}
	want, err := m.Predict(t.Context(), whole, o)
	if err != nil {
		t.Fatal(err)
	}
	row := 0
	notes, err := m.PredictBlocks(t.Context(), blocks, outcome.Asked{}, o, func(p *outcome.Prediction) error {
		n, _ := p.Values.Dims()
		for i := range n {
			if p.Rows.Rows[i] != want.Rows.Rows[row] || !slices.Equal(p.Values.RawRowView(i), want.Values.RawRowView(row)) || p.Label(i, 0) != want.Label(row, 0) {
				t.Fatalf("%s: the prediction of row %d differs", name, row)
			}
			row++
		}
		return nil
	})
	if n, _ := want.Values.Dims(); err != nil || row != n || !slices.Equal(notes, want.Rows.Notes) {
		t.Errorf("%s: %d rows, want %d; notes %q, want %q; %v", name, row, n, notes, want.Rows.Notes, err)
	}
	tested, err := m.Test(t.Context(), whole, o)
	if err != nil {
		t.Fatal(err)
	}
	filed, err := m.TestBlocks(t.Context(), blocks, o)
	if err != nil {
		t.Fatal(err)
	}
	a, err := tested.Scores()
	if err != nil {
		t.Fatal(err)
	}
	b, err := filed.Scores()
	if err != nil || fmt.Sprintf("%+v", b) == "" || fmt.Sprint(shownScores(a)) != fmt.Sprint(shownScores(b)) {
		t.Errorf("%s: scores %v, want %v; %v", name, shownScores(b), shownScores(a), err)
	}
}

func shownScores(scores []outcome.Scores) (shown []any) {
	for _, s := range scores {
		if s.NumberScores != nil {
			shown = append(shown, *s.NumberScores)
		}
		if s.LabelScores != nil {
			shown = append(shown, s.Accuracy, s.Confusion, *s.AUC, *s.LogLoss)
		}
	}
	return shown
}

// Methods that need all rows say so, with what that takes, before they begin.
func TestPassesRefusals(t *testing.T) {
	_, whole, blocks := longTable(t)
	spec := prep.Spec{Targets: []string{"y"}, Drop: []string{"label"}, Missing: prep.Mean}
	p, err := task.New(t.Context(), blocks, spec, "rbf(sigma=1)")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range []learner.Learner{
		methods.KRR{Options: krr.Options{Lambda: 1}},
		learner.Calibrated{Learner: methods.Falkon{Options: falkon.Options{Lambda: 1}}, Conformal: true},
	} {
		_, err := mercer.Fit(t.Context(), p, m, 1)
		if _, planned := learner.Plan(t.Context(), p, m); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("%d × 6 numbers of ", whole.Rows())) || fmt.Sprint(planned) != err.Error() {
			t.Errorf("%s: %v; planned: %v", m.Name(), err, planned)
		}
	}
	if _, err := task.New(t.Context(), blocks, spec, "spectrum(k=2)[kind]"); err == nil {
		t.Error("strings are read in passes")
	}
}

// cutShort fails from a moment on.
type cutShort struct {
	data.Blocks
	broken *bool
}

func (c cutShort) Block(b int, columns []int) (*data.Table, error) {
	if *c.broken && b == 1 {
		return nil, errors.New("the disk is gone")
	}
	return c.Blocks.Block(b, columns)
}

// A file that fails in the middle of a fit, or of a prediction, ends it with its own error.
func TestPassesOverABrokenFile(t *testing.T) {
	_, whole, blocks := longTable(t)
	broken := false
	spec := prep.Spec{Targets: []string{"y"}, Drop: []string{"label"}, Missing: prep.Mean}
	method := methods.Falkon{Options: falkon.Options{Lambda: 1e-3}, Landmarks: nystrom.Options{Scheme: nystrom.Uniform, Rank: 10, Seed: 1}}
	in, err := task.New(t.Context(), whole, spec, "rbf(sigma=1)")
	if err != nil {
		t.Fatal(err)
	}
	m, err := mercer.Fit(t.Context(), in, method, 1)
	if err != nil {
		t.Fatal(err)
	}
	broken = true
	p, err := task.New(t.Context(), blocks, spec, "rbf(sigma=1)")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.PredictBlocks(t.Context(), cutShort{blocks, &broken}, outcome.Asked{}, compute.Options{}, func(*outcome.Prediction) error { return nil }); err == nil || !strings.Contains(err.Error(), "the disk is gone") {
		t.Errorf("prediction: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := mercer.Fit(ctx, p, method, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end: %v", err)
	}
}

// The checkpoint of a fit in passes is that of its rows: one number of a feature that has changed
// in the source makes it another's, and the same rows in memory go on from it.
func TestCheckpointInPassesIsOfItsRows(t *testing.T) {
	t.Parallel()
	path, whole, blocks := longTable(t)
	spec := prep.Spec{Targets: []string{"y"}, Drop: []string{"label"}, Missing: prep.Mean, Raw: []string{"*"}}
	method := methods.Falkon{Options: falkon.Options{Lambda: 1e-3}, Landmarks: nystrom.Options{Scheme: nystrom.Uniform, Rank: 10, Seed: 1}}
	file := filepath.Join(t.TempDir(), "checkpoint")
	p, err := task.New(t.Context(), blocks, spec, "rbf(sigma=1)")
	if err != nil {
		t.Fatal(err)
	}
	kept, log, err := learner.OpenCheckpoint(p, method, learner.Keeping{Path: file, Every: 1})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := mercer.Fit(t.Context(), p, kept, 1); err != nil {
		t.Fatal(err)
	}
	if saved, err := log.Close(false); err != nil || !saved {
		t.Fatalf("the passes were not saved: %v", err)
	}
	in, err := task.New(t.Context(), whole, spec, "rbf(sigma=1)")
	if err != nil {
		t.Fatal(err)
	}
	if _, log, err = learner.OpenCheckpoint(in, method, learner.Keeping{Path: file, Resume: true, Every: 1}); err != nil {
		t.Errorf("the same rows in memory: %v", err)
	} else if _, err := log.Close(false); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(text), "\n")
	last := len(lines) - 500 // of another block than the first
	lines[last] = "0.5" + lines[last][strings.Index(lines[last], ","):]
	if err := os.WriteFile(path, []byte(strings.Join(lines, "")), 0o666); err != nil {
		t.Fatal(err)
	}
	changed, did, err := open.Compile(t.Context(), path, "", open.Options{})
	if err != nil || !did.Fresh {
		t.Fatalf("the source has changed: %+v, %v", did, err)
	}
	defer changed.Close()
	if p, err = task.New(t.Context(), changed, spec, "rbf(sigma=1)"); err != nil {
		t.Fatal(err)
	}
	if _, _, err := learner.OpenCheckpoint(p, method, learner.Keeping{Path: file, Resume: true, Every: 1}); err == nil || !strings.Contains(err.Error(), "differs in the rows") {
		t.Errorf("another source: %v", err)
	}
}
