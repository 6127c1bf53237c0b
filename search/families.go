package search

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/prep"
	"example.org/mercer/learner"
	"example.org/mercer/supervised/krr"
	"example.org/mercer/supervised/mahalanobis"
	"example.org/mercer/task"
	"example.org/mercer/tune"
)

// Auto stands for the kernel of a search that chooses the family, too: see [Tune].
const Auto = "auto"

// FamilyScore is how well a family of kernels does with the best values of its parameters.
type FamilyScore struct {
	Family string  `json:"family"`
	Kernel string  `json:"kernel,omitempty"`
	Score  float64 `json:"score"`
	Error  float64 `json:"error,omitempty"` // the standard error, where there are splits
	// R2 is, in closed form, that of the rows left out: 0 for the mean of the targets.
	R2      float64 `json:"r2,omitempty"`
	Rows    int     `json:"rows"`    // the most on which it was tried
	Seconds float64 `json:"seconds"` // over all numbers of rows
	Failed  string  `json:"failed,omitempty"`

	kernel    string            // the expression with ?
	levels    int               // of numbers, see [prep.Spec]
	transform string            // of the target, see [prep.Spec]
	values    []float64         // of its free parameters, then of the method
	near      float64           // Nλ, where it is about known; 0: it is not
	plain     string            // of a metric that was learned: the kernel without it,
	shape     mahalanobis.Shape // and its shape
	optimism  float64           // what a leave-one-out error after a metric is to be multiplied by; 0: 1
	found     found             // on the most rows
}

// rung is a number of rows on which a number of families are tried.
type rung struct{ rows, families int }

// The rows of the rungs: all families are compared on some hundreds, the best on three times
// as many, and the last alone on all, in order that a search takes about as long as one fit.
const (
	firstRung  = 600
	secondRung = 2000
	promoted   = 3
	// added are the most that come beside them on each of the first two rungs: coded tables, and
	// means of kernels.
	added = 2
	// pathRows is the number of rows up to which λ is followed on all of them: beyond, the
	// decomposition takes longer than the fit.
	pathRows = 4000
	// narrowed is the number of values that are tried of a parameter that a smaller rung has found.
	narrowed = 5
)

// rungs returns those of successive halving for a number of rows.
func (o Search) rungs(n, families int) []rung {
	first := cmp.Or(o.Rungs[0], firstRung)
	second := max(first, cmp.Or(o.Rungs[1], secondRung))
	rungs := []rung{{min(n, first), families}, {min(n, second), promoted}}
	if n > second && !o.divides(n) {
		rungs = append(rungs, rung{n, 1})
	}
	return rungs
}

// prepared prepares rows for splits: those of the kernel [Auto] for the first of its families.
func prepared(t *data.Table, s prep.Spec, text string) (task.PreparedTable, error) {
	if text == Auto {
		families, err := task.Families(t, s)
		if err != nil {
			return task.PreparedTable{}, err
		}
		text = families[0].Kernel
	}
	return task.Prepare(t, s, text)
}

// familySearch chooses among families by successive halving on rows:
//
//  1. every family is searched on a part of the rows, and the best two once more where numbers of
//     few values are coded as levels, too, and the best for functions of a target that is skewed;
//  2. the best of them are searched again on three times as many rows, from the values that were
//     found, and then the means of their kernels;
//  3. for the best kernel the values of the method are searched on all rows. Where following λ
//     takes longer than the fit, λ is divided by the growth of the rows: Nλ, which is the variance
//     of the noise to a Gaussian process, stays.
//
// Successive halving is that of Jamieson and Talwalkar (2016), with rows as the resource.
type familySearch struct {
	Search
	table   *data.Table
	spec    prep.Spec
	method  learner.Learner
	entries []*FamilyScore
	larger  bool
	told    *compute.Meter // of the candidates on all rungs
	watch   compute.Stopwatch
	left    int // candidates for which no time was left
	resumed int // trials that journals knew
}

// found is what a search of one family found.
type found struct {
	p     *task.Task
	m     learner.Learner
	tuned *Tuned
}

// tuneFamilies is [Tune] where the kernel is [Auto].
func tuneFamilies(ctx context.Context, t *data.Table, s prep.Spec, m learner.Learner, o Search) (*task.Task, learner.Learner, *Tuned, error) {
	if o.Metric.Shape != "" {
		return nil, nil, nil, errors.New("search: kernel auto learns no metric: choose the kernel first, and then tune it")
	}
	if err := o.checkLeaves(t, s, m); err != nil {
		return nil, nil, nil, err
	}
	if err := varies(t, s); err != nil {
		return nil, nil, nil, err
	}
	f := &familySearch{Search: o, table: t, spec: s, method: m, watch: compute.StartStopwatch()}
	families, err := task.Families(t, s)
	if err != nil {
		return nil, nil, nil, err
	}
	for _, family := range families {
		f.entries = append(f.entries, &FamilyScore{Family: family.Name, kernel: family.Kernel})
	}
	best, err := f.run(ctx)
	if err != nil {
		return nil, nil, nil, err
	}
	best.tuned.Families, best.tuned.Baselines = f.leaderboard(), f.baselines(best)
	best.tuned.Warnings = slices.Concat(best.tuned.Warnings, f.leak(), f.unfinished())
	best.tuned.Seconds, best.tuned.Resumed = 0, f.resumed
	for _, e := range f.entries {
		best.tuned.Seconds += e.Seconds
	}
	return best.p, best.m, best.tuned, nil
}

// varies refuses a table of one row, and a target of numbers that are all the same, of which every
// kernel says the same.
func varies(t *data.Table, s prep.Spec) error {
	if t.Rows() < 2 {
		return &data.Error{Source: t.Source, Reason: fmt.Sprintf("has %d row", t.Rows()), Fix: "a kernel is chosen by rows that are left out: give two at least"}
	}
	for _, name := range s.Targets {
		at, err := t.Find(name)
		if err != nil {
			return nil // who prepares the rows says it
		}
		c := &t.Columns[at]
		if c.Kind != data.Numeric || len(c.Numbers) < 2 {
			continue
		}
		if !slices.ContainsFunc(c.Numbers, func(v float64) bool { return v != c.Numbers[0] }) {
			return &data.Error{Source: t.Source, Reason: fmt.Sprintf("has the target %s, which is %v in every row", data.Quote(c.Name), c.Numbers[0]), Fix: "there is nothing to learn: name another target"}
		}
	}
	return nil
}

// join adds candidates that came later.
func (f *familySearch) join(candidates, later []*FamilyScore) []*FamilyScore {
	f.entries = append(f.entries, later...)
	return slices.Concat(candidates, later)
}

// leak warns of a target that a sum of the columns gives away.
func (f *familySearch) leak() []string {
	const determined = 1 - 1e-8
	for _, e := range f.entries {
		if strings.HasPrefix(e.kernel, "linear()") && e.R2 > determined {
			return []string{"the target is a sum of multiples of the columns, without an error: one of them may be the target under another name (--drop it)"}
		}
	}
	return nil
}

// run goes through the rungs, and returns what was found on the last.
func (f *familySearch) run(ctx context.Context) (found, error) {
	candidates := slices.Clone(f.entries)
	rungs := f.rungs(f.table.Rows(), len(candidates))
	work := int64(2*added + len(f.transforms()))
	for _, r := range rungs {
		work += int64(r.families)
	}
	f.told = f.Options.Compute.Meter("families", work)
	defer f.told.End(ctx)
	for level, r := range rungs {
		candidates = candidates[:min(len(candidates), r.families)]
		if err := f.try(ctx, candidates, r, level); err != nil {
			return found{}, err
		}
		slices.SortStableFunc(candidates, f.order)
		var more []*FamilyScore
		switch level {
		case 0:
			more = slices.Concat(f.coded(candidates), f.transformed(candidates[0]))
		case 1:
			more = f.mixtures(candidates)
		}
		if err := f.try(ctx, more, r, level); err != nil {
			return found{}, err
		}
		candidates = f.join(candidates, more)
		slices.SortStableFunc(candidates, f.order)
		if level == 1 {
			more, err := f.metrics(ctx, candidates[0], r)
			if err != nil {
				return found{}, err
			}
			candidates = f.join(candidates, more)
			slices.SortStableFunc(candidates, f.order)
		}
	}
	if f.divides(f.table.Rows()) {
		return f.divided(ctx, candidates)
	}
	if best := candidates[0]; best.Rows < f.table.Rows() && best.found.p != nil && best.found.p.Points.Size() < f.table.Rows() {
		return f.scaled(ctx, f.table, best, f.table.Rows()) // no time was left for all rows
	}
	return candidates[0].found, nil
}

// try searches candidates on the rows of a rung. It is an error if none of them can be scored.
func (f *familySearch) try(ctx context.Context, candidates []*FamilyScore, r rung, level int) error {
	table := f.part(r.rows)
	scored := len(candidates) == 0
	var problems []error
	for _, e := range candidates {
		if f.spent() && (scored || level > 0) {
			f.left++
			continue
		}
		watch := compute.StartStopwatch()
		var err error
		if e.Rows < table.Rows() {
			var one found
			if one, err = f.one(ctx, table, e, level); err == nil {
				e.found = one
			}
		}
		e.Seconds += watch.Seconds()
		f.told.Add(1)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			e.Failed = err.Error()
			problems = append(problems, err)
		}
		scored = scored || err == nil
	}
	if !scored && problems != nil {
		return errors.Join(once(problems)...)
	}
	return nil
}

// once leaves out what was said before: a table that no family can learn from.
func once(problems []error) (out []error) {
	said := map[string]bool{}
	for _, err := range problems {
		if !said[err.Error()] {
			out = append(out, err)
		}
		said[err.Error()] = true
	}
	return out
}

// closedForm reports whether the method is followed along its path of λ.
func (f *familySearch) closedForm() bool {
	_, path := f.method.(learner.ClosedForm)
	return path
}

// criterion is the same for all: many parameters would take another, which cannot be compared.
func (f *familySearch) criterion() krr.Criterion {
	if f.closedForm() {
		return cmp.Or(f.Criterion, krr.LOO)
	}
	return f.Criterion
}

// follows reports whether so many rows are searched: else what was found on fewer is taken.
func (f *familySearch) follows(rows int) bool {
	return !f.closedForm() || rows <= pathRows || f.Approximation.Wanted()
}

// one searches a candidate on a table.
func (f *familySearch) one(ctx context.Context, table *data.Table, e *FamilyScore, level int) (found, error) {
	o := f.Search.part(e.digest(table.Rows()))
	o.Criterion = f.criterion()
	again, rows := e.values != nil, table.Rows()
	if again && !f.follows(rows) {
		return f.scaled(ctx, table, e, rows)
	}
	kernel := e.kernel
	switch free := strings.Count(kernel, "?"); {
	case again && level > 1:
		kernel = filled(kernel, e.values)
	case again && free > 0:
		o.Ranges.Starts, o.Options.Trials = e.values[:free], narrowed
	}
	f.begin(&o, e, rows)
	p, m, tuned, err := Tune(ctx, table, f.specOf(e), kernel, f.method, o)
	if err == nil {
		err = f.inUnits(ctx, found{p, m, tuned})
	}
	if err != nil {
		return found{}, err
	}
	e.Kernel, e.Score, e.Error, e.Rows, e.values = tuned.Kernel, tuned.Best.Score, tuned.Best.Error, rows, tuned.Best.Values
	if f.closedForm() {
		e.near = e.values[len(e.values)-1] * float64(rows)
	}
	if tuned.Point != nil && tuned.Point.LOO != nil {
		e.R2 = mean(tuned.Point.LOO.R2)
	}
	e.correct(tuned)
	f.larger = tuned.Larger
	f.resumed += tuned.Resumed
	return found{p, m, tuned}, nil
}

// digest tells a candidate on a number of rows apart from all others, for the name of its journal:
// what is tried depends on what was found before, and on the time that was left.
func (e *FamilyScore) digest(rows int) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d %d %s %s %v", rows, e.levels, e.transform, e.kernel, e.values))
	return hex.EncodeToString(sum[:4])
}

// begin lets a search along a path of λ start where Nλ was found, and look around from there.
func (f *familySearch) begin(o *Search, e *FamilyScore, rows int) {
	if e.near == 0 || o.Approximation.Wanted() || o.Options.Strategy != "" && o.Options.Strategy != tune.Auto {
		return
	}
	lambda := e.near / float64(rows)
	if r := o.Ranges.Lambda; r.Upper == 0 || r.Lower <= lambda && lambda <= r.Upper {
		o.Ranges.Lambda.Start, o.Options.Strategy = lambda, tune.Compass
	}
}

// scaled puts the kernel that was found on fewer rows on all of them, with the same Nλ.
func (f *familySearch) scaled(ctx context.Context, table *data.Table, e *FamilyScore, rows int) (found, error) {
	kernel := filled(e.kernel, e.values)
	p, err := task.New(ctx, table, f.specOf(e), kernel)
	if err != nil {
		return found{}, err
	}
	values, share := slices.Clone(e.values), float64(e.Rows)/float64(rows)
	lambda := &values[len(values)-1]
	*lambda *= share
	tuned := *e.found.tuned // on fewer rows, as its score is
	tuned.Kernel, tuned.Ridge, tuned.Point = p.Kernel(), *lambda*totalWeight(p.Rows), nil
	tuned.Best.Values, tuned.Best.Share = values, share
	e.Kernel = tuned.Kernel
	return found{p, f.method.(learner.Tunable).With([]float64{*lambda}), &tuned}, nil
}

// filled puts values in the place of the ? of an expression.
func filled(kernel string, values []float64) string {
	for _, v := range values[:strings.Count(kernel, "?")] {
		kernel = strings.Replace(kernel, "?", fmt.Sprint(v), 1)
	}
	return kernel
}

// mixtures are the means of the best two and of the best three kernels: the sum of their features,
// which does better where each family sees what the others miss.
func (f *familySearch) mixtures(best []*FamilyScore) []*FamilyScore {
	var out []*FamilyScore
	first := best[0]
	best = slices.DeleteFunc(slices.Clone(best), func(e *FamilyScore) bool { return e.levels != first.levels || e.transform != first.transform })
	for count := 2; count <= len(best); count++ {
		e := &FamilyScore{levels: first.levels, transform: first.transform, near: first.near}
		var names, kernels []string
		for _, b := range best[:count] {
			if b.values == nil {
				return out
			}
			names, kernels = append(names, b.Family), append(kernels, fmt.Sprintf("%.4g*(%s)", 1/float64(count), filled(b.kernel, b.values)))
		}
		e.Family, e.kernel = "mean of "+strings.Join(names, ", "), strings.Join(kernels, " + ")
		out = append(out, e)
	}
	return out
}

// fewValues is the number of values up to which a number may stand for a kind.
const fewValues = 16

// coded are the best two kernels on a table whose numbers of few values are coded as levels, too,
// where there are such.
func (f *familySearch) coded(best []*FamilyScore) []*FamilyScore {
	features := func(levels int) int {
		s := f.spec
		s.Levels = levels
		p, _, err := prep.Fit(f.part(firstRung), s)
		if err != nil {
			return 0 // who searches the table says why
		}
		names, _ := p.Features()
		return len(names)
	}
	if best[0].values == nil || f.spec.Levels != 0 || features(fewValues) == features(0) {
		return nil
	}
	var out []*FamilyScore
	for _, b := range best[:min(2, len(best))] {
		out = append(out, &FamilyScore{Family: b.Family + ", values as levels", kernel: b.kernel, levels: fewValues})
	}
	return out
}

// specOf is how the table is prepared for a candidate.
func (f *familySearch) specOf(e *FamilyScore) prep.Spec {
	s := f.spec
	if e.levels > 0 {
		s.Levels = e.levels
	}
	if e.transform != "" {
		s.Transform = e.transform
	}
	return s
}

// order compares families: those that were tried on more rows first, and then by their scores.
func (f *familySearch) order(a, b *FamilyScore) int {
	better := cmp.Compare(a.Score, b.Score)
	if f.larger {
		better = -better
	}
	failed := func(e *FamilyScore) int {
		if e.values == nil {
			return 1
		}
		return 0
	}
	return cmp.Or(cmp.Compare(failed(a), failed(b)), -cmp.Compare(a.Rows, b.Rows), better)
}

// leaderboard returns the families in their order.
func (f *familySearch) leaderboard() []FamilyScore {
	slices.SortStableFunc(f.entries, f.order)
	out := make([]FamilyScore, len(f.entries))
	for i, e := range f.entries {
		out[i] = *e
	}
	return out
}
