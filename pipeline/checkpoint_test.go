package pipeline_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"mercer/falkon"
	"mercer/gram"
	"mercer/internal/checkpoint"
	"mercer/krr"
	"mercer/loss"
	"mercer/nystrom"
	"mercer/pipeline"
	"mercer/prep"
)

var errKilled = errors.New("killed")

// dying is a checkpoint whose computation ends before a step.
type dying struct {
	gram.Checkpoint
	left int
}

func (d *dying) Step(ctx context.Context, name string, results [][]float64, compute func() error) error {
	if d.left == 0 {
		return errKilled
	}
	d.left--
	return d.Checkpoint.Step(ctx, name, results, compute)
}

// A fit that was killed goes on from its checkpoint to the bits of one that was not, with any
// number of workers.
func TestFitsGoOnFromACheckpoint(t *testing.T) {
	cg := func(precision gram.Precision) func(gram.Checkpoint, int) pipeline.Method {
		return func(c gram.Checkpoint, workers int) pipeline.Method {
			return pipeline.KRR{Options: krr.Options{Lambda: 1e-6, Solver: krr.CG, Compute: gram.Options{Precision: precision, Workers: workers, Checkpoint: c}}}
		}
	}
	few := func(l loss.Loss, precision gram.Precision) func(gram.Checkpoint, int) pipeline.Method {
		return func(c gram.Checkpoint, workers int) pipeline.Method {
			return pipeline.Falkon{Options: falkon.Options{Lambda: 1e-6, Loss: l, Compute: gram.Options{Precision: precision, Workers: workers, Checkpoint: c}},
				Landmarks: nystrom.Options{Rank: 20, Scheme: nystrom.Uniform}}
		}
	}
	table := houses(150, 3)
	for name, c := range map[string]struct {
		target prep.Spec
		method func(gram.Checkpoint, int) pipeline.Method
	}{
		"krr":                 {spec, cg(gram.Double)},
		"krr, single":         {spec, cg(gram.Single)},
		"falkon":              {spec, few(nil, gram.Double)},
		"falkon, single":      {spec, few(nil, gram.Single)},
		"falkon, logistic":    {prep.Spec{Targets: []string{"kind"}, ID: "id"}, few(loss.Logistic{}, gram.Double)},
		"falkon, huber, some": {spec, few(loss.Huber{Scale: 5}, gram.Single)},
	} {
		p, err := pipeline.NewProblem(background, table, c.target, "rbf(sigma=2)")
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), "c")
		open := func(resume bool) *checkpoint.Log {
			l, err := checkpoint.Open(path, map[string]string{}, resume, 0)
			if err != nil {
				t.Fatal(err)
			}
			return l
		}
		whole := open(false)
		count := &dying{Checkpoint: whole, left: 1 << 30}
		m, err := p.Fit(background, c.method(count, 1), 1)
		if err != nil {
			t.Fatal(err)
		}
		if err := whole.Close(true); err != nil {
			t.Fatal(err)
		}
		steps := 1<<30 - count.left
		if steps < 4 {
			t.Fatalf("%s: only %d steps: nothing to interrupt", name, steps)
		}
		plain, err := p.Fit(background, c.method(nil, 1), 1)
		if err != nil {
			t.Fatal(err)
		}
		table := houses(30, 9)
		want := predict(t, plain, table).Values
		if !mat.Equal(predict(t, m, table).Values, want) {
			t.Errorf("%s: a fit with a checkpoint differs from one without", name)
		}
		for i, after := range []int{1, steps / 2, steps - 1} {
			l := open(false)
			if _, err := p.Fit(background, c.method(&dying{Checkpoint: l, left: after}, 1), 1); !errors.Is(err, errKilled) {
				t.Fatalf("%s: %v", name, err)
			}
			if err := l.Close(false); err != nil {
				t.Fatal(err)
			}
			l = open(true)
			m, err := p.Fit(background, c.method(l, []int{2, 3, 8}[i]), 1)
			if err != nil {
				t.Fatal(err)
			}
			if l.Known != after {
				t.Errorf("%s: %d steps of %d were read", name, l.Known, after)
			}
			if !mat.Equal(predict(t, m, table).Values, want) {
				t.Errorf("%s: killed after step %d of %d it ends elsewhere", name, after, steps)
			}
			if err := l.Close(true); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func TestACheckpointIsOfOneFit(t *testing.T) {
	path := filepath.Join(t.TempDir(), "c")
	method := func(lambda float64) pipeline.Method {
		return pipeline.KRR{Options: krr.Options{Lambda: lambda, Solver: krr.CG}}
	}
	problem := func(rows int) *pipeline.Problem {
		p, err := pipeline.NewProblem(background, houses(rows, 3), spec, "rbf(sigma=2)")
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	m, c, err := problem(60).OpenCheckpoint(method(1e-6), path, false, 1)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := problem(60).Fit(background, m, 1); err != nil {
		t.Fatal(err)
	}
	if saved, err := c.Close(false); !saved || err != nil {
		t.Fatalf("saved %v, %v", saved, err)
	}
	for want, again := range map[string]func() error{
		"differs in the options": func() error { _, _, err := problem(60).OpenCheckpoint(method(1e-5), path, true, 1); return err },
		"differs in the rows":    func() error { _, _, err := problem(61).OpenCheckpoint(method(1e-6), path, true, 1); return err },
	} {
		if err := again(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
	if _, c, err := problem(60).OpenCheckpoint(pipeline.KRR{}, path, true, 1); c != nil || err != nil {
		t.Errorf("a fit by factorization has a checkpoint: %v, %v", c, err)
	}
	_, c, err = problem(60).OpenCheckpoint(method(1e-6), path, true, 1)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Close(true); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); !os.IsNotExist(err) {
		t.Errorf("a finished fit left its checkpoint: %v", err)
	}
}
