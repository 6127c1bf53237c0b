package task

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"example.org/mercer/approx/filters"
	"example.org/mercer/approx/randomfeatures"
	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/ckn"
	"example.org/mercer/model"
)

// The names of the tensors of filters in a model file; those of a layer end with its number.
const (
	tensorFilters   = "filters"   // m×d of float32: unit patches
	tensorRoots     = "roots"     // m×m of float32: (κ(ZᵀZ) + εI)^(−1/2)
	tensorWhitening = "whitening" // d×d of float64
	tensorMean      = "mean_patch"
)

// learnedFilters are those of a feature map, and what learning them costs.
type learnedFilters struct {
	layers    []filters.Stored
	whitening *ckn.Whitening
	kernel    *filters.Kernel
	options   filters.Options
}

// WithFilters returns the problem with its kernel, a ckn(…) of images, replaced by the features of
// filters that are learned from the training images, see package filters. Methods learn from them
// as from any explicit features, and their functions are weights of these.
func (p *Task) WithFilters(ctx context.Context, o filters.Options, how compute.Options) (*Task, error) {
	return p.mapBy(ctx, func(ctx context.Context) (Points, *FeatureMap, error) {
		return p.Points.WithFilters(ctx, o, how, false)
	})
}

// PlannedFilters is [Task.Reduced] by filters for a plan: no filter is learned.
func (p *Task) PlannedFilters(ctx context.Context, r Approximation, how compute.Options) (*Task, error) {
	return r.trained(p.mapBy(ctx, func(ctx context.Context) (Points, *FeatureMap, error) {
		return p.Points.WithFilters(ctx, *r.Filters, how, true)
	}))
}

// network returns a kernel on images and the images; the error is about any other kernel.
func network[T any](k kernel.Kernel[T], xs data.Set[T]) (net ckn.Kernel, images data.Set[[]float64], err error) {
	net, ok := any(k).(ckn.Kernel)
	if !ok {
		return net, nil, fmt.Errorf("task: filters are those of a convolutional kernel network, and the kernel is %s: write ckn(shape=[…], …) alone, or leave the filters out; landmarks approximate any kernel", k)
	}
	if images, ok = any(xs).(data.Set[[]float64]); !ok {
		return net, nil, fmt.Errorf("task: images are vectors, and a point here is a %T", *new(T))
	}
	return net, images, nil
}

// learnFilters replaces a kernel on images by the features of filters that are learned from some.
func learnFilters[T any](ctx context.Context, k kernel.Kernel[T], xs data.Set[T], o filters.Options) (approximated[T], error) {
	net, images, err := network(k, xs)
	if err != nil {
		return nil, err
	}
	found, err := filters.Learn(ctx, net, images, o)
	if err != nil {
		return nil, err
	}
	return any(found).(approximated[T]), nil
}

func (l TypedPoints[T]) WithFilters(ctx context.Context, o filters.Options, how compute.Options, planned bool) (Points, *FeatureMap, error) {
	net, images, err := network(l.Kernel, l.Set)
	if err != nil {
		return Points{}, nil, err
	}
	if images.Len() == 0 {
		return Points{}, nil, errors.New("task: there are no rows to map")
	}
	watch, found := model.NewStopwatch(), (*filters.Kernel)(nil)
	if o.Compute = how; planned {
		found, err = filters.Planned(net, o)
	} else {
		found, err = filters.Learn(ctx, net, images, o)
	}
	if err != nil {
		return Points{}, nil, err
	}
	m := &FeatureMap{Dim: found.Dim(), Features: found.Dim(), Filters: found.Filters(), Seed: o.Seed, rows: images.Len()}
	watch.Lap(&m.Run, "filters")
	m.time(func(few kernel.Tile) { found.MapRows(few, images, 0) })
	m.learned.kernel, m.learned.options = found, o
	if !planned {
		if asked := o.Filters; !slices.Equal(asked, m.Filters) {
			m.Run.Warn("%v filters were asked for, and there are %v different patches: features are exact up to rounding", asked, m.Filters)
		}
		var by kernel.RowMapped[[]float64] = found
		e, err := randomfeatures.Compare(ctx, found.Of(), by, images, found.ComparedPoints(), o.Seed, how)
		if err != nil {
			return Points{}, nil, err
		}
		m.Errors = e.Errors
		watch.Lap(&m.Run, "errors")
	}
	l.Kernel = any(found).(kernel.Kernel[T])
	return l.Any(), m, nil
}

// approximate adds to a plan what it takes to learn the filters and to map rows so many times.
func (l learnedFilters) approximate(plan compute.Plan, stage compute.Cost, m *FeatureMap, times float64) compute.Plan {
	stage.Memory += l.kernel.Bytes()
	stage.Keeps += l.kernel.Bytes()
	learning := l.kernel.LearningCost(m.rows, m.seconds, l.options, plan.Machine)
	before := []compute.Cost{learning, l.kernel.ComparisonCost(m.rows, plan.Machine)}
	note := fmt.Sprintf("%d features of %v filters stand for the kernel: an approximation; fit reports its error", m.Features, m.Filters)
	if m.training != nil {
		before = append(before, m.training.Plan(l.kernel, m.rows, m.seconds, plan.Machine))
		note += "; " + m.training.Note()
	}
	return WithStages(plan, append(before, stage), note)
}

// storeFilters puts the filters of a kernel, if it has some, among the tensors of a file.
func storeFilters[T any](k kernel.Kernel[T], tensors map[string]model.Tensor) (err error) {
	f, ok := any(k).(*filters.Kernel)
	if !ok {
		return nil
	}
	for i, l := range f.Layers() {
		m := f.Filters()[i]
		if tensors[layered(tensorFilters, i)], err = model.Float32s(l.Filters, m, len(l.Filters)/m); err != nil {
			return err
		}
		if tensors[layered(tensorRoots, i)], err = model.Float32s(l.Inverse, m, m); err != nil {
			return err
		}
	}
	if w := f.Network().Learned(); w != nil {
		d := len(w.Mean)
		if tensors[tensorMean], err = model.Float64s(w.Mean, d); err != nil {
			return err
		}
		tensors[tensorWhitening], err = model.Float64s(w.Matrix, d, d)
	}
	return err
}

func layered(name string, layer int) string { return fmt.Sprintf("%s%d", name, layer+1) }

// read finds the filters of a feature map in a file.
func (m *FeatureMap) read(file *model.File) error {
	for i := range m.Filters {
		var l filters.Stored
		for name, into := range map[string]*[]float32{layered(tensorFilters, i): &l.Filters, layered(tensorRoots, i): &l.Inverse} {
			t, err := file.Tensor(name)
			if err != nil {
				return err
			}
			if *into, err = t.Float32s(); err != nil {
				return fmt.Errorf("tensor %q: %w", name, err)
			}
		}
		m.learned.layers = append(m.learned.layers, l)
	}
	if m.Filters == nil || !file.Has(tensorWhitening) {
		return nil
	}
	mean, err := file.Floats(tensorMean, -1)
	if err != nil {
		return err
	}
	matrix, err := file.Floats(tensorWhitening, len(mean), len(mean))
	m.learned.whitening = &ckn.Whitening{Mean: mean, Matrix: matrix}
	return err
}

// refilter makes the features of a model file, for weights of so many.
func refilter[T any](k kernel.Kernel[T], m *FeatureMap, weights int) (kernel.Mapped[T], error) {
	net, ok := any(k).(ckn.Kernel)
	if !ok {
		return nil, fmt.Errorf("task: the model has filters, and its kernel is %s: the file contradicts itself", k)
	}
	found, err := filters.Restore(net.WithWhitening(m.learned.whitening), m.learned.layers, 0)
	if err != nil {
		return nil, fmt.Errorf("task: the file contradicts itself: %w", err)
	}
	if found.Dim() != weights {
		return nil, fmt.Errorf("task: the images are mapped to %d features, and there are weights of %d: the file contradicts itself", found.Dim(), weights)
	}
	return any(found).(kernel.Mapped[T]), nil
}
