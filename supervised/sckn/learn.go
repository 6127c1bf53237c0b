package sckn

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/approx/filters"
	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/model"
)

// Options say how filters are learned.
type Options struct {
	// Epochs is the largest number of passes over the rows; 0: 10.
	Epochs int
	// Batch is the number of rows of a step; 0: 128, or fewer where a pass would have less than ten
	// steps.
	Batch int
	// Rate is the angle of the first steps in radians; 0: 0.03.
	Rate float64
	// Patience is how many epochs in a row may not improve the error of the rows kept aside; 0: 3.
	Patience int
	// Augment says how images are changed by chance for the steps.
	Augment Augmentation
	// Epsilon is ε of the filters, see [filters.Options].
	Epsilon float64
	// Seed orders the rows, and chooses the changes.
	Seed uint64
	// Weights are those of the rows, nil: all 1.
	Weights []float64
	Compute compute.Options
}

const (
	defaultEpochs, defaultBatch, defaultPatience = 10, 128, 3
	defaultRate                                  = 0.03
	// leastRows is the number of rows of which every tenth and two halves of the others can judge.
	leastRows = 40
)

// Report says how filters were learned.
type Report struct {
	Rows   int `json:"rows"`   // that are learned from
	Judged int `json:"judged"` // and that judge
	// Errors are the mean squared errors of the rows that judge, at the start and after each epoch;
	// Best is the epoch that was kept.
	Errors []float64 `json:"errors"`
	Best   int       `json:"best"`
	// Share is the λ of the exact weights over the trace of the covariance of the features.
	Share float64 `json:"share"`

	model.Run `json:"-"` // a part of that of the fit
}

// Learn moves the filters of a kernel from where they are by the targets of images, a row of y
// for each. An epoch for n rows of D features takes n·D² + 5D³/3 flops for exact weights, and
// three passes of the features for the steps; memory is about 4·8D² bytes. The bits do not depend
// on the number of workers. Errors are those of the options, of fewer than forty rows, and of
// ctx.
func Learn(ctx context.Context, k *filters.Kernel, xs data.Set[[]float64], y *mat.Dense, o Options) (*filters.Kernel, *Report, error) {
	if err := o.check(xs.Len()); err != nil {
		return nil, nil, err
	}
	watch := model.NewStopwatch()
	m, err := k.Move(ctx, o.Epsilon)
	if err != nil {
		return nil, nil, err
	}
	d := newDescent(m, xs, y, o)
	epochs := cmp.Or(o.Epochs, defaultEpochs)
	told := o.Compute.Meter("epochs", int64(epochs))
	defer told.End(ctx)
	for epoch := 0; epoch <= epochs && !d.ended(); epoch++ {
		err := o.Compute.Step(ctx, "epoch", d.state(), func() error { return d.epoch(ctx, epoch, epoch < epochs) })
		if err != nil {
			return nil, nil, err
		}
		d.errors = append(d.errors, d.told[judged])
		told.Reach(int64(epoch))
	}
	if err := m.Set(ctx, d.best); err != nil {
		return nil, nil, err
	}
	r := &Report{Rows: len(d.halves[0]) + len(d.halves[1]), Judged: len(d.judging), Errors: d.errors, Best: int(d.told[bestEpoch]), Share: d.told[share]}
	watch.Lap(&r.Run, "filters by targets")
	learned, err := m.Still()
	return learned, r, err
}

func (o *Options) check(n int) error {
	c := model.NewChecks("sckn")
	if o.Epochs < 0 || o.Batch < 0 || o.Patience < 0 {
		c.Add("epochs = %d, batch = %d, patience = %d: none may be negative", o.Epochs, o.Batch, o.Patience)
	}
	if o.Rate < 0 || o.Rate > 1 || math.IsNaN(o.Rate) {
		c.Add("rate = %v is an angle from 0 to 1 in radians", o.Rate)
	}
	if o.Augment.Shift < 0 {
		c.Add("shift = %d pixels: give 0 or more", o.Augment.Shift)
	}
	if n < leastRows {
		c.Add("%d rows are too few to learn filters by targets: every tenth is kept aside, and the others are halved; give %d", n, leastRows)
	}
	return c.Err()
}

// The numbers of a descent that an epoch leaves to the next.
const (
	judged    = iota // the error of the rows kept aside
	bestError        // the least of all
	bestEpoch        // and its epoch
	share            // of λ
	rate             // of the steps
	taken            // how many there were
	idle             // epochs without an improvement
	numbers
)

// descent is a search over filters.
type descent struct {
	m       *filters.Moving
	xs      data.Set[[]float64]
	y       *mat.Dense
	weights []float64
	halves  [2][]int
	judging []int
	o       Options

	at, best     [][]float64 // filters of each layer
	mean         [][]float64 // of derivatives, m
	second       [][]float64 // of their squared lengths, v, one for a filter
	told, errors []float64
	heads        [2]head // of the halves
}

func newDescent(m *filters.Moving, xs data.Set[[]float64], y *mat.Dense, o Options) *descent {
	d := &descent{m: m, xs: xs, y: y, o: o, told: make([]float64, numbers), weights: make([]float64, xs.Len())}
	for i := range d.weights {
		d.weights[i] = model.Weight(o.Weights, i)
		if i%10 == 9 {
			d.judging = append(d.judging, i)
		} else {
			d.halves[i%2] = append(d.halves[i%2], i)
		}
	}
	for l, count := range m.Filters() {
		z := m.FiltersOf(l).RawMatrix().Data
		d.at, d.best = append(d.at, slices.Clone(z)), append(d.best, slices.Clone(z))
		d.mean, d.second = append(d.mean, make([]float64, len(z))), append(d.second, make([]float64, count))
	}
	d.told[bestError], d.told[rate] = math.Inf(1), cmp.Or(o.Rate, defaultRate)
	return d
}

// state is all that an epoch leaves to the next.
func (d *descent) state() [][]float64 {
	return slices.Concat(d.at, d.best, d.mean, d.second, [][]float64{d.told})
}

func (d *descent) ended() bool {
	return int(d.told[idle]) >= cmp.Or(d.o.Patience, defaultPatience)
}

// epoch finds the exact weights, judges the filters and, unless it is the last, moves them.
func (d *descent) epoch(ctx context.Context, epoch int, more bool) error {
	if err := d.m.Set(ctx, d.at); err != nil {
		return err
	}
	if err := d.weigh(ctx, epoch == 0); err != nil {
		return err
	}
	switch {
	case d.told[judged] < d.told[bestError]:
		d.told[bestError], d.told[bestEpoch], d.told[idle] = d.told[judged], float64(epoch), 0
		copies(d.best, d.at)
	default:
		d.told[idle]++
		d.told[rate] /= 2
		copies(d.at, d.best)
		if more && !d.ended() {
			if err := d.m.Set(ctx, d.at); err != nil {
				return err
			}
			if err := d.weigh(ctx, false); err != nil {
				return err
			}
		}
	}
	if !more || d.ended() {
		return nil
	}
	return d.steps(ctx, epoch)
}

func copies(to, from [][]float64) {
	for l := range to {
		copy(to[l], from[l])
	}
}

// Lines returns the report as people read it.
func (r *Report) Lines() []model.Line {
	return []model.Line{model.Linef("filters", "learned by targets, epoch %d of %d by %d rows: RMSE %s of %d rows kept aside, %s at the start", r.Best, len(r.Errors)-1, r.Rows,
		model.FormatNumber(math.Sqrt(r.Errors[r.Best])), r.Judged, model.FormatNumber(math.Sqrt(r.Errors[0])))}
}

// String names the rows and the epochs.
func (r *Report) String() string { return fmt.Sprintf("%d epochs by %d rows", r.Best, r.Rows) }
