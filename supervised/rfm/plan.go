package rfm

import (
	"fmt"

	"example.org/mercer/compute"
	"example.org/mercer/supervised/krr"
	"example.org/mercer/supervised/mahalanobis"
)

// Work is the size of a fit, all that a plan needs.
type Work struct {
	Regression krr.Work // on all rows
	Rounds     int      // 0: 5
	Judges     int      // rows that are left out of the rounds
	// GradientRate is the number of gradients of the kernel in a second.
	GradientRate float64
}

// Plan predicts memory and time of [Fit] where no round ends it early.
func Plan(w Work, m compute.Machine, limit int64) compute.Plan {
	metrics := (&mahalanobis.Options{Rounds: w.Rounds}).MostRounds()
	one := w.Regression
	if one.Rows -= w.Judges; one.LOO {
		one.Precision = compute.Double
	}
	stages := []compute.Cost{repeated(krr.Plan(one, m, limit), metrics+1)}
	n, d := float64(one.Rows), int64(w.Regression.Columns)
	gradients := compute.Cost{Stage: "gradients", Memory: 8*(32*d*d+2*d*int64(w.Regression.Rows)) + mahalanobis.StripBytes(one.Rows, m.Workers), Flops: float64(metrics) * n * n * float64(4*d)}
	if w.GradientRate > 0 {
		gradients.Seconds = float64(metrics) * n * n / w.GradientRate
	}
	stages = append(stages, gradients)
	if w.Judges > 0 {
		one = w.Regression
		one.LOO = false
		last := repeated(krr.Plan(one, m, limit), 1)
		last.Stage = "last regression"
		stages = append(stages, last)
	}
	plan := compute.NewPlan("rounds", m, stages...)
	plan.Notes = append(plan.Notes, fmt.Sprintf("all %d rounds are planned; they end when two are no better than the best", metrics+1))
	return plan
}

// repeated repeats a regression. What one lets go may still be held while the next one begins.
func repeated(plan compute.Plan, times int) compute.Cost {
	c := compute.Cost{Stage: fmt.Sprintf("regressions (%d)", times), Memory: 2 * plan.Working()}
	c.Flops, c.Seconds = float64(times)*plan.Flops, float64(times)*plan.Seconds
	return c
}
