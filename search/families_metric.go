package search

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/prep"
	"example.org/mercer/supervised/mahalanobis"
)

const (
	// metricRows is the number of rows from which metrics are tried, and metricColumns the largest
	// number of columns: a full metric has the square of them to learn.
	metricRows, metricColumns = 200, 100
)

// metricGain is the least share of the squared error that a metric must take off the m rows that
// judge its rounds: two standard errors of a mean of squares of m normal errors. Less may be the
// luck of the best of six rounds.
func metricGain(m int) float64 { return 2 * math.Sqrt(2/float64(m)) }

// metricSearches are the most that metrics take: two of them, each with six rounds and a search
// after these.
const metricSearches = 2 * 7

// isotropic are the families of ‖x − y‖₂, which a linear map may turn.
var isotropic = []string{"rbf", "matern 5/2", "laplace"}

// metrics tries learned metrics: one weight for each column with the best family, and a
// full metric with the best that is the same in all directions.
func (f *familySearch) metrics(ctx context.Context, best *FamilyScore, r rung) (out []*FamilyScore, err error) {
	table := f.part(r.rows)
	if f.spent() || !f.learnsMetrics(table) {
		return nil, nil
	}
	round := f.roundest()
	if round == nil {
		return nil, nil
	}
	if err := f.try(ctx, []*FamilyScore{round}, r, 1); err != nil { // for its score on these rows
		return nil, err
	}
	for _, c := range []struct {
		of    *FamilyScore
		shape mahalanobis.Shape
	}{{best, mahalanobis.Diagonal}, {round, mahalanobis.Full}} {
		watch := compute.StartStopwatch()
		e, err := f.underMetric(ctx, table, c.of, c.shape)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err == nil && e != nil { // else this kernel has no gradient, or no metric that gains
			e.Seconds = watch.Seconds()
			out = append(out, e)
		}
	}
	return out, nil
}

// roundest returns the best candidate that is the same in all directions; nil: there is none.
func (f *familySearch) roundest() *FamilyScore {
	var out *FamilyScore
	for _, e := range f.entries {
		if e.values != nil && slices.Contains(isotropic, e.Family) && (out == nil || f.order(e, out) < 0) {
			out = e
		}
	}
	return out
}

// learnsMetrics reports whether metrics are tried on a table: of one target, whose score is the
// leave-one-out error.
func (f *familySearch) learnsMetrics(table *data.Table) bool {
	if !f.closedForm() || f.Approximation.Wanted() || table.Rows() < metricRows || len(f.spec.Targets) != 1 || f.Splits.File != "" {
		return false
	}
	p, _, err := prep.Fit(f.part(firstRung), f.spec)
	if err != nil {
		return false
	}
	names, _ := p.Features()
	return len(names) > 1 && len(names) <= metricColumns
}

// underMetric learns a metric for the kernel of a candidate in three steps:
//
//  1. Learn it on four fifths of the rows; its rounds are judged by the others.
//  2. Give it up where the judges gain less than [metricGain].
//  3. Search λ on all rows of the rung, with the metric as it is.
//
// Leave-one-out errors after a metric that these rows have made are too good. So the score is that
// of the candidate without a metric, times the ratio of the squared errors of the rows that judge.
func (f *familySearch) underMetric(ctx context.Context, table *data.Table, of *FamilyScore, shape mahalanobis.Shape) (*FamilyScore, error) {
	e := &FamilyScore{Family: fmt.Sprintf("%s, %s metric", of.Family, shape), levels: of.levels, transform: of.transform, near: of.near}
	o := f.Search.part(string(shape) + " " + of.digest(table.Rows()))
	o.Metric = Metric{Shape: shape}
	if free := strings.Count(of.kernel, "?"); free > 0 {
		o.Ranges.Starts, o.Options.Trials = of.values[:free], narrowed
	}
	o.Criterion, o.Score = f.criterion(), ""
	f.begin(&o, e, table.Rows())
	_, _, tuned, err := Tune(ctx, table, f.specOf(e), of.kernel, f.method, o)
	if err != nil {
		return nil, err
	}
	learned := tuned.Metric
	ratio := math.Pow(learned.Of(learned.Best)/learned.Of(0), 2)
	if !(ratio < 1-metricGain(learned.Judged)) {
		return nil, nil
	}
	e.kernel, e.plain, e.shape = tuned.Kernel, of.withoutMetric(tuned.Best.Values), shape
	if e.found, err = f.one(ctx, table, e, 0); err != nil {
		return nil, err
	}
	e.optimism = ratio * of.Score / e.Score
	e.correct(e.found.tuned)
	e.found.tuned.Warnings = append(e.found.tuned.Warnings, fmt.Sprintf("the metric was learned from these rows, and leave-one-out errors after it are too good: the score is that of %s times %.3g, the ratio of the squared errors of %d rows that the metric had not seen", of.Family, ratio, learned.Judged))
	return e, nil
}

// correct gives a candidate the score that is not too good, where it is known by how much.
func (e *FamilyScore) correct(t *Tuned) {
	if e.optimism > 0 {
		e.Score *= e.optimism
		e.R2 = 1 - (1-e.R2)*e.optimism
		t.Best.Score = e.Score
	}
}
