package sckn

import (
	"cmp"
	"fmt"

	"example.org/mercer/approx/filters"
	"example.org/mercer/compute"
)

// Plan predicts [Learn] of filters on n images, of which one is mapped in so many seconds by one of
// the workers: for every epoch the features of all rows, their normal equations, five systems of
// them, and the steps.
func (o *Options) Plan(k *filters.Kernel, n int, mapped float64, m compute.Machine) compute.Cost {
	epochs := float64(cmp.Or(o.Epochs, defaultEpochs))
	rows, d := float64(n), float64(k.Dim())
	system := compute.CholeskyFlops(k.Dim())
	passes := (epochs + 1) * rows * k.Flops()
	steps := epochs * rows * k.PullFlops()
	out := compute.Cost{Stage: "filters by targets", Memory: 4*8*int64(k.Dim())*int64(k.Dim()) + 8*blockRows*int64(k.Dim())}
	out.Flops = passes + steps + (epochs+1)*(rows*d*d+systems*system)
	out.Seconds = (passes + steps) / k.Flops() * mapped
	if m.GemmRate > 0 {
		out.Seconds += (epochs + 1) * rows * d * d / m.GemmRate
		out.Seconds += (epochs + 1) * systems * system / m.CholeskyRateAt(compute.Double).At(k.Dim())
	}
	return out
}

// systems are those of an epoch: three λ for all rows, and one for each half.
const systems = 5

// Note says what a plan assumes.
func (o *Options) Note() string {
	return fmt.Sprintf("the filters are then moved by the targets in at most %d epochs; it ends sooner where rows that are kept aside no longer gain", cmp.Or(o.Epochs, defaultEpochs))
}
