package dkl

import (
	"cmp"
	"fmt"

	"example.org/mercer/compute"
)

// gradientPairs is how many values of a kernel its gradients in two points take as long as.
const gradientPairs = 4

// metricEvaluations is how many evaluations the rounds of a metric take as long as: six
// factorizations of n³/3, and six gradients of functions.
const metricEvaluations = 3

// Plan predicts [Learn] on n rows: an evaluation for each step and a tenth more, each with the Gram
// matrix of the images, its factorization and inverse, and the gradients in the images.
func (o *Options) Plan(n int, m compute.Machine) compute.Cost {
	evaluations, rows := 1.1*float64(cmp.Or(o.Steps, defaultSteps)), float64(n)
	if o.Start == Metric {
		evaluations += metricEvaluations
	}
	cost := compute.Cost{Stage: "network", Memory: 4 * 8 * int64(n) * int64(n), Flops: evaluations * 3 * rows * rows * rows}
	if m.PairRate > 0 && m.GemmRate > 0 {
		cost.Seconds = evaluations*(0.5+gradientPairs)*rows*rows/m.PairRate + cost.Flops/m.GemmRate
	}
	return cost
}

// Note says what a plan assumes.
func (o *Options) Note() string {
	first := ""
	if o.Start == Metric {
		first = ", from a metric of at most six fits"
	}
	return fmt.Sprintf("the network of the kernel is learned first by %s%s, in at most %d steps; it ends sooner where rows that are kept aside no longer gain", o.by(), first, cmp.Or(o.Steps, defaultSteps))
}
