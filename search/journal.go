package search

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"example.org/mercer/internal/checkpoint"
	"example.org/mercer/learner"
	"example.org/mercer/task"
	"example.org/mercer/tune"
)

// A journal of trials is for the values of a method's parameters: each is told apart by them. Along
// a path λ is found, and a gradient has more numbers than a score: there a journal is a checkpoint,
// whose steps are kernels.

// keepSteps opens the checkpoint of a search along a path, where a journal is wanted; nil: there is
// none.
func (w *tuning) keepSteps() (*checkpoint.Log, error) {
	if _, path := w.method.(learner.ClosedForm); !path || w.Journal == "" {
		return nil, nil
	}
	kept, err := checkpoint.Open(w.Journal, w.dependsOn, true, 0)
	if err == nil {
		w.steps.Checkpoint = kept
	}
	return kept, err
}

// dependsOn says what is searched along a path on what rows, each thing by a name.
func (w *tuning) dependsOn() map[string]string {
	h, o := sha256.New(), w.Search
	p := &task.Task{Prep: w.in.Steps, Rows: w.in.Rows, Points: task.TypedPoints[[]float64]{Encoding: task.VectorEncoding, Set: w.in.Rows.Vectors()}.Any()}
	splits, _ := w.splits(p) // whose error ends the search
	_ = json.NewEncoder(h).Encode(splits)
	all := learner.DependsOnRows(w.in.Rows, o.Options.Compute)
	all["the kernel"], all["the splits"] = w.in.Kernel.String(), hex.EncodeToString(h.Sum(nil))[:32]
	all["the search"] = fmt.Sprintf("%s %s %d %d %s %v %+v %v %+v", learner.Describe(w.method), o.Options.Strategy, o.Options.Trials, o.Options.Seed, o.Criterion, o.Score, o.Ranges, o.Approximation, o.Metric)
	return all
}

// key says what is searched by cross-validation on what data, so that a journal is never taken for
// that of another search.
func (w *tuning) key(p *task.Task, judge tune.Judge, splits []tune.Split, free *tune.Free) string {
	h := sha256.New()
	learner.DigestRows(h, p.Rows)
	start := make([]float64, len(free.Axes))
	for i, a := range free.Axes {
		start[i] = a.Values[0]
	}
	o := w.Options
	what := fmt.Sprintf("%s %q %q %v %v %s %s %d %d", w.method.Name(), p.Kernel(), p.Rows.IDs, free.Parameters, free.Axes, judge.Name, o.Strategy, o.Trials, o.Seed)
	fmt.Fprint(h, what, w.Approximation)
	_ = json.NewEncoder(h).Encode(splits)
	fmt.Fprint(h, learner.Describe(w.method.With(start)))
	return hex.EncodeToString(h.Sum(nil))[:32]
}

// part returns the search in one of several parts, counted from a number on or named, each with a
// journal of its own.
func (o Search) part(name any) Search {
	if o.Journal != "" {
		o.Journal = fmt.Sprintf("%s.%v", o.Journal, name)
	}
	return o
}
