package methodtest

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer"
	"example.org/mercer/approx/nystrom"
	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/open"
	"example.org/mercer/data/prep"
	"example.org/mercer/internal/checkpoint/checkpointtest"
	"example.org/mercer/internal/progress/progresstest"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/learner"
	"example.org/mercer/task"
)

// Case is a method on a task. What a method does not have is 0 or nil, and then it must refuse it.
type Case struct {
	Name   string
	Spec   prep.Spec // of [Table], without weights
	Kernel string
	Method learner.Learner
	// Repetition is how far values may be, relative to the largest, where a row of weight 2 is
	// written twice.
	Repetition float64
	// Unweighted says that the method refuses weights.
	Unweighted bool
	// Landmarks is how far they may be where all rows stand for the kernel; it is refused, or says
	// something else, at 0.
	Landmarks float64
	// Streamed is the approximation in which the rows may stay in their file; nil: in none.
	Streamed *task.Approximation
	// Within is how far values may then be from those of rows in memory, where another solver
	// serves these; 0: the models are the same to the bit.
	Within float64
	// Steps are the least that a checkpoint has; a factor is one where it is kept.
	Steps int
}

// Run tests a method.
func (c Case) Run(t *testing.T) {
	t.Run(c.Name, func(t *testing.T) {
		t.Parallel()
		for _, test := range []struct {
			name string
			run  func(*testing.T)
		}{
			{"a weight is a repetition", c.repetition}, {"workers", c.workers}, {"file", c.file}, {"resumed", c.resumed}, {"cancelled", c.cancelled}, {"progress", c.progress},
			{"streamed", c.streamed}, {"all rows as landmarks", c.landmarks}, {"within its plan", c.plan}, {"kept of rows", c.kept},
		} {
			t.Run(test.name, test.run)
		}
	})
}

// spec is that of the columns of a table: x and y are the features.
func (c Case) spec(table *data.Table, weights string) prep.Spec {
	s := c.Spec
	s.Weights = weights
	for _, column := range table.Columns {
		if target := len(s.Targets) > 0 && s.Targets[0] == column.Name; !target && column.Name != weights && column.Name != "x" && column.Name != "y" {
			s.Drop = append(s.Drop, column.Name)
		}
	}
	return s
}

// task prepares rows of the table.
func (c Case) task(t *testing.T, table *data.Table, weights string) *task.Task {
	t.Helper()
	p, err := task.New(t.Context(), table, c.spec(table, weights), c.Kernel)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// fit fits a task with a number of workers and the steps of a checkpoint.
func fit(t *testing.T, p *task.Task, m learner.Learner, workers int, steps compute.Checkpoint) (*mercer.Model, error) {
	t.Helper()
	o := m.ComputeOptions()
	o.Workers = workers
	if steps != nil {
		o.Checkpoint = steps
	}
	return mercer.Fit(t.Context(), p, m.WithCompute(o), 1)
}

// mustFit is fit that does not fail.
func mustFit(t *testing.T, p *task.Task, m learner.Learner, workers int) *mercer.Model {
	t.Helper()
	f, err := fit(t, p, m, workers, nil)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// values are those of a model at the rows of a table.
func values(t *testing.T, m *mercer.Model, table *data.Table) *mat.Dense {
	t.Helper()
	p, err := m.Predict(t.Context(), table, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return p.Values
}

// saved returns the bytes of a model file.
func saved(t *testing.T, m *mercer.Model) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "m.mercer")
	if err := m.Save(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// repetition compares weights of 0, 1 and 2 with rows that are written so often.
func (c Case) repetition(t *testing.T) {
	if c.Unweighted {
		if _, err := fit(t, c.task(t, Table(60), "weight"), c.Method, 2, nil); err == nil {
			t.Error("weights are not refused")
		}
		return
	}
	if c.Repetition == 0 {
		t.Skip("the method draws by the number of the row, or has several minima")
	}
	table := Table(60)
	a := values(t, mustFit(t, c.task(t, table, "weight"), c.Method, 2), table)
	b := values(t, mustFit(t, c.task(t, Repeated(table), ""), c.Method, 2), table)
	testkit.CloseSlice(t, "values", a.RawMatrix().Data, b.RawMatrix().Data, c.Repetition)
}

// workers compares the files of fits with 1, 2, 3 and 8 of them.
func (c Case) workers(t *testing.T) {
	p := c.task(t, Table(120), "")
	want := saved(t, mustFit(t, p, c.Method, 1))
	for _, workers := range []int{2, 3, 8} {
		if !bytes.Equal(saved(t, mustFit(t, p, c.Method, workers)), want) {
			t.Errorf("%d workers make another file than one", workers)
		}
	}
}

// file loads a saved model.
func (c Case) file(t *testing.T) {
	table, weights := Table(60), "weight"
	if c.Unweighted {
		weights = ""
	}
	m := mustFit(t, c.task(t, table, weights), c.Method, 2)
	path := filepath.Join(t.TempDir(), "m.mercer")
	if err := m.Save(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	again, err := mercer.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	if !mat.Equal(values(t, m, table), values(t, again, table)) {
		t.Error("values differ after loading")
	}
	if v, err := again.Verify(t.Context(), compute.Options{}); err != nil || v.Rows == 0 {
		t.Errorf("verified %v, %v", v, err)
	}
	if !bytes.Equal(saved(t, m), saved(t, again)) {
		t.Error("a loaded model is saved as another file")
	}
}

// resumed kills a fit after its first, middle and last step, and lets it go on.
func (c Case) resumed(t *testing.T) {
	p, path := c.task(t, Table(120), ""), filepath.Join(t.TempDir(), "c")
	var got []byte
	run := func(workers, after int, resume bool) (taken, known int, err error) {
		return checkpointtest.Run(t, path, after, resume, func(s *checkpointtest.Steps) error {
			m, err := fit(t, p, c.Method, workers, s)
			if err == nil {
				got = saved(t, m)
			}
			return err
		})
	}
	steps, _, err := run(1, checkpointtest.Never, false)
	if err != nil {
		t.Fatal(err)
	}
	if steps < c.Steps {
		t.Fatalf("%d steps, want at least %d", steps, c.Steps)
	}
	want := saved(t, mustFit(t, p, c.Method, 2))
	if !bytes.Equal(got, want) {
		t.Error("a fit with a checkpoint differs from one without")
	}
	for i, after := range kills(steps) {
		if _, _, err := run(2, after, false); after < steps != errors.Is(err, checkpointtest.ErrKilled) {
			t.Fatalf("killed after step %d of %d: %v", after, steps, err)
		}
		if _, known, err := run([]int{2, 3, 8}[i], checkpointtest.Never, true); err != nil || known > after || !bytes.Equal(got, want) {
			t.Errorf("killed after step %d of %d it knows %d, and comes to the same bits: %v; %v", after, steps, known, bytes.Equal(got, want), err)
		}
	}
}

// kills are the steps after which a fit is killed.
func kills(steps int) []int {
	switch {
	case steps == 0:
		return nil
	case testing.Short():
		return []int{max(1, steps/2)}
	}
	return []int{1, max(1, steps/2), steps}
}

// cancelled fits under a context that has ended.
func (c Case) cancelled(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	p := c.task(t, Table(120), "")
	stop()
	if _, err := mercer.Fit(ctx, p, c.Method, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("a fit under a context that has ended returns %v", err)
	}
}

// progress listens to fits of all rows and, where the method has them, in features or on
// landmarks: every stage of them begins at nothing and ends with all. Cancelled at any event they
// end, with few events more.
func (c Case) progress(t *testing.T) {
	p := c.task(t, Table(120), "")
	tasks := []*task.Task{p}
	if c.Streamed != nil {
		tasks = append(tasks, c.reduced(t, p, *c.Streamed))
	}
	for _, p := range tasks {
		heard := new(progresstest.Listener)
		o := c.Method.ComputeOptions()
		o.Workers, o.Progress = 2, heard.Tell
		if _, err := mercer.Fit(t.Context(), p, c.Method.WithCompute(o), 1); err != nil {
			t.Fatal(err)
		}
		for _, problem := range heard.End() {
			t.Error(problem)
		}
		for _, at := range []int{1, heard.Events() / 2, heard.Events() - 1} {
			ctx, stop := context.WithCancel(t.Context())
			stopped := new(progresstest.Listener)
			stopped.At = func(event int) {
				if event == at {
					stop()
				}
			}
			o.Progress = stopped.Tell
			_, err := mercer.Fit(ctx, p, c.Method.WithCompute(o), 1)
			if at < heard.Events()-1 && !errors.Is(err, context.Canceled) {
				t.Errorf("cancelled at event %d of %d: %v", at, heard.Events(), err)
			}
			if more := stopped.Events() - at; more > eventsAfterwards {
				t.Errorf("cancelled at event %d of %d: %d more", at, heard.Events(), more)
			}
			stop()
		}
	}
}

// eventsAfterwards is how many events may come after the end of a context: of each worker the piece
// that it is at, and the ends of the stages that are open.
const eventsAfterwards = 8

// streamed compares rows in memory with rows that stay in their file.
func (c Case) streamed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "rows.csv")
	if err := writeCSV(path, Table(700)); err != nil {
		t.Fatal(err)
	}
	table, err := open.Read(t.Context(), path, open.Options{})
	if err != nil {
		t.Fatal(err)
	}
	blocks, _, err := open.Compile(t.Context(), path, "", open.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { blocks.Close() })
	p, err := task.New(t.Context(), blocks, c.spec(table, ""), c.Kernel)
	if err != nil {
		t.Fatal(err)
	}
	if c.Streamed == nil {
		if _, err := fit(t, p, c.Method, 1, nil); err == nil {
			t.Error("rows that stay in their file are not refused")
		}
		return
	}
	in, out := c.reduced(t, c.task(t, table, ""), *c.Streamed), c.reduced(t, p, *c.Streamed)
	m := mustFit(t, in, c.Method, 2)
	if c.Within > 0 {
		other := mustFit(t, out, c.Method, 2)
		a, b := values(t, m, table), values(t, other, table)
		testkit.CloseSlice(t, "values", a.RawMatrix().Data, b.RawMatrix().Data, c.Within)
		m = other
	}
	want := saved(t, m)
	for _, workers := range []int{1, 3} {
		if !bytes.Equal(saved(t, mustFit(t, out, c.Method, workers)), want) {
			t.Errorf("rows that stay in their file make another model with %d workers", workers)
		}
	}
}

// reduced approximates the kernel of a task.
func (c Case) reduced(t *testing.T, p *task.Task, by task.Approximation) *task.Task {
	t.Helper()
	p, err := p.Reduced(t.Context(), by, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// landmarks lets all rows stand for the kernel.
func (c Case) landmarks(t *testing.T) {
	if c.Landmarks == 0 {
		t.Skip("the method chooses landmarks itself, or has no values that all of them would leave")
	}
	table := Table(60)
	p := c.task(t, table, "")
	q := c.reduced(t, p, task.Approximation{Landmarks: &nystrom.Options{Scheme: nystrom.Uniform, Rank: 60}})
	a, b := values(t, mustFit(t, p, c.Method, 2), table), values(t, mustFit(t, q, c.Method, 2), table)
	testkit.CloseSlice(t, "values", a.RawMatrix().Data, b.RawMatrix().Data, c.Landmarks)
}

// plan fits in the memory that is planned.
func (c Case) plan(t *testing.T) {
	p := c.task(t, Table(120), "")
	plan, err := learner.Plan(t.Context(), p, c.Method)
	if err != nil {
		t.Fatal(err)
	}
	if len(plan.Stages) == 0 || plan.Memory <= 0 {
		t.Fatalf("a plan of %d stages and %d bytes", len(plan.Stages), plan.Memory)
	}
	o := c.Method.ComputeOptions()
	o.MaxMemory = plan.Memory
	mustFit(t, p, c.Method.WithCompute(o), 2)
}
