package rfm

import (
	"fmt"

	"example.org/mercer/compute"
	"example.org/mercer/rkhs/gradients"
	"example.org/mercer/supervised/krr"
	"example.org/mercer/supervised/mahalanobis"
)

// Work is the size of a fit, all that a plan needs.
type Work struct {
	Regression krr.Work // on all rows
	Shape      mahalanobis.Shape
	Rounds     int // 0: 5
	Judges     int // rows that are left out of the rounds
	// GradientRate is the number of gradients of the kernel in a second.
	GradientRate float64
}

// Plan predicts memory and time of [Fit] where no round ends it early.
func Plan(w Work, m compute.Machine, limit int64) compute.Plan {
	how := mahalanobis.Options{Shape: w.Shape, Rounds: w.Rounds}
	metrics := how.MostRounds()
	one := w.Regression
	if one.Rows -= w.Judges; one.LOO {
		one.Precision = compute.Double
	}
	stages := []compute.Cost{repeated(krr.Plan(one, m, limit), metrics+1)}
	pairs, d := float64(min(one.Rows, how.MostRows()))*float64(one.Rows), int64(w.Regression.Columns)
	gradients := compute.Cost{Stage: "gradients", Memory: 8*(32*d*d+2*d*int64(w.Regression.Rows)) + gradients.StripBytes(one.Rows, m.Workers), Flops: float64(metrics) * pairs * float64(4*d)}
	if w.GradientRate > 0 {
		gradients.Seconds = float64(metrics) * pairs / w.GradientRate
	}
	if metrics > 0 {
		stages = append(stages, gradients)
	}
	if w.Judges > 0 {
		one = w.Regression
		one.LOO = false
		last := repeated(krr.Plan(one, m, limit), 1)
		last.Stage = "last regression"
		stages = append(stages, last)
	}
	plan := compute.NewPlan("rounds", m, stages...)
	plan.Notes = append(plan.Notes, fmt.Sprintf("all %d rounds are planned; they end when two take less than half a per cent off the best", metrics+1))
	return plan
}

// PlanTree predicts memory and time of [FitTree], for leaves of at most so many rows: w is the work
// on all rows, of which the judges are shared out. Some leaves are planned to be full.
func PlanTree(w Work, leaf int, m compute.Machine, limit int64) compute.Plan {
	n, d, outputs := w.Regression.Rows, int64(w.Regression.Columns), int64(w.Regression.Targets)
	leaves := 1
	for leaves*leaf < n {
		leaves *= 2
	}
	one, some := w, w
	one.Regression.Rows, one.Judges = min(n, leaf+leaf/8), w.Judges*leaf/n
	machine := Plan(one, m, limit)
	some.Regression.Rows, some.Judges, some.Shape, some.Regression.LOO = min(n, directionRows), 0, mahalanobis.Identity, false
	direction := Plan(some, m, limit)
	if w.GradientRate > 0 {
		direction.Seconds += float64(min(n, directionRows)) * float64(min(n, directionGradients)) / w.GradientRate
	}
	kept := compute.Cost{Stage: "rows of the leaves", Memory: 8 * int64(n) * (2*d + 4*outputs + int64(leaves)), Keeps: 8 * int64(n) * (2*d + 4*outputs)}
	judges := compute.Cost{Stage: "temperature", Memory: 8*int64(w.Judges)*outputs*int64(leaves) + machine.Working(), Flops: float64(w.Judges) * float64(n) * float64(2*d)}
	if m.PairRate > 0 {
		judges.Seconds = float64(w.Judges) * float64(n) / m.PairRate
	}
	plan := compute.NewPlan("tree", m, kept, times("splits", direction, leaves-1), times("leaves", machine, leaves), judges)
	plan.Notes = append(plan.Notes, fmt.Sprintf("about %d leaves; all rounds of each are planned", leaves))
	return plan
}

// times are so many fits of a plan, one after the other.
func times(stage string, plan compute.Plan, count int) compute.Cost {
	return compute.Cost{Stage: stage, Memory: 2 * plan.Working(), Flops: float64(count) * plan.Flops, Seconds: float64(count) * plan.Seconds}
}

// repeated repeats a regression. What one lets go may still be held while the next one begins.
func repeated(plan compute.Plan, times int) compute.Cost {
	c := compute.Cost{Stage: fmt.Sprintf("regressions (%d)", times), Memory: 2 * plan.Working()}
	c.Flops, c.Seconds = float64(times)*plan.Flops, float64(times)*plan.Seconds
	return c
}
