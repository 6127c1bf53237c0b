package task

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"example.org/mercer/approx/filters"
	"example.org/mercer/approx/motifs"
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
	kernel    layered
	options   filters.Options
}

// WithFilters returns the problem with its kernel, ckn(…) of images or motif(…) of sequences,
// replaced by features of filters that are learned from the training rows, see packages filters
// and motifs. Methods learn from them
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

// filtered is a kernel of features by filters that were learned from points; it is layered, too.
type filtered[T any] interface {
	standing[T]
	approximated[T]
}

// layered are filters of points of any type.
type layered interface {
	// ComparedPoints is for how many points the exact kernel is worth computing.
	ComparedPoints() int
	Filters() []int
	Layers() []filters.Stored
	Bytes() int64
	LearningCost(n int, mapped float64, o filters.Options, m compute.Machine) compute.Cost
	ComparisonCost(n int, m compute.Machine) compute.Cost
}

// network returns a kernel on images and the images; the error is about any other kernel.
func network[T any](k kernel.Kernel[T], xs data.Set[T]) (net ckn.Kernel, images data.Set[[]float64], err error) {
	net, ok := any(k).(ckn.Kernel)
	if !ok {
		return net, nil, fmt.Errorf("task: filters are those of a convolutional kernel network, and the kernel is %s: write ckn(shape=[…], …) of images or motif(k=…, sigma=…) of sequences alone, or leave the filters out; landmarks approximate any kernel", k)
	}
	if images, ok = any(xs).(data.Set[[]float64]); !ok {
		return net, nil, fmt.Errorf("task: images are vectors, and a point here is a %T", *new(T))
	}
	return net, images, nil
}

// learnFilters replaces a kernel by the features of filters that are learned from some points;
// where a plan is made of filters that are 0.
func learnFilters[T any](ctx context.Context, k kernel.Kernel[T], xs data.Set[T], o filters.Options, planned bool) (filtered[T], error) {
	if motifs.Comparable(k, xs.At(0)) {
		if planned {
			return motifs.Planned(k, xs.At(0), o)
		}
		return motifs.Learn(ctx, k, xs, o)
	}
	net, images, err := network(k, xs)
	if err != nil {
		return nil, err
	}
	var found *filters.Kernel
	if planned {
		found, err = filters.Planned(net, o)
	} else {
		found, err = filters.Learn(ctx, net, images, o)
	}
	if err != nil {
		return nil, err
	}
	return any(found).(filtered[T]), nil
}

func (l TypedPoints[T]) WithFilters(ctx context.Context, o filters.Options, how compute.Options, planned bool) (Points, *FeatureMap, error) {
	if l.Set.Len() == 0 {
		return Points{}, nil, errors.New("task: there are no rows to map")
	}
	watch := model.NewStopwatch()
	o.Compute = how
	found, err := learnFilters(ctx, l.Kernel, l.Set, o, planned)
	if err != nil {
		return Points{}, nil, err
	}
	layers := any(found).(layered)
	dim, _ := found.Features(l.Set.At(0))
	m := &FeatureMap{Dim: dim, Features: dim, Filters: layers.Filters(), Seed: o.Seed, rows: l.Set.Len()}
	watch.Lap(&m.Run, "filters")
	m.time(func(few kernel.Tile) { found.MapRows(few, l.Set, 0) })
	m.learned.kernel, m.learned.options = layers, o
	if !planned {
		if asked := o.Filters; !slices.Equal(asked, m.Filters) {
			m.Run.Warn("%v filters were asked for, and there are %v different patches: features are exact up to rounding", asked, m.Filters)
		}
		e, err := randomfeatures.Compare(ctx, found.Of(), kernel.RowMapped[T](found), l.Set, layers.ComparedPoints(), o.Seed, how)
		if err != nil {
			return Points{}, nil, err
		}
		m.Errors = e.Errors
		watch.Lap(&m.Run, "errors")
	}
	l.Kernel = found
	return l.Any(), m, nil
}

// approximate adds to a plan what it takes to learn the filters and to map rows so many times.
func (l learnedFilters) approximate(plan compute.Plan, stage compute.Cost, m *FeatureMap, times float64) compute.Plan {
	stage.Memory += l.kernel.Bytes()
	stage.Keeps += l.kernel.Bytes()
	learning := l.kernel.LearningCost(m.rows, m.seconds, l.options, plan.Machine)
	before := []compute.Cost{learning, l.kernel.ComparisonCost(m.rows, plan.Machine)}
	note := fmt.Sprintf("%d features of %v filters stand for the kernel: an approximation; fit reports its error", m.Features, m.Filters)
	if net, ok := l.kernel.(*filters.Kernel); ok && m.training != nil {
		before = append(before, m.training.Plan(net, m.rows, m.seconds, plan.Machine))
		note += "; " + m.training.Note()
	}
	return WithStages(plan, append(before, stage), note)
}

// storeFilters puts the filters of a kernel, if it has some, among the tensors of a file.
func storeFilters[T any](k kernel.Kernel[T], tensors map[string]model.Tensor) (err error) {
	f, ok := any(k).(layered)
	if !ok {
		return nil
	}
	for i, l := range f.Layers() {
		m := f.Filters()[i]
		if tensors[ofLayer(tensorFilters, i)], err = model.Float32s(l.Filters, m, len(l.Filters)/m); err != nil {
			return err
		}
		if tensors[ofLayer(tensorRoots, i)], err = model.Float32s(l.Inverse, m, m); err != nil {
			return err
		}
	}
	net, ok := any(k).(*filters.Kernel)
	if !ok {
		return nil
	}
	if w := net.Network().Learned(); w != nil {
		d := len(w.Mean)
		if tensors[tensorMean], err = model.Float64s(w.Mean, d); err != nil {
			return err
		}
		tensors[tensorWhitening], err = model.Float64s(w.Matrix, d, d)
	}
	return err
}

func ofLayer(name string, layer int) string { return fmt.Sprintf("%s%d", name, layer+1) }

// read finds the filters of a feature map in a file.
func (m *FeatureMap) read(file *model.File) error {
	for i := range m.Filters {
		var l filters.Stored
		for name, into := range map[string]*[]float32{ofLayer(tensorFilters, i): &l.Filters, ofLayer(tensorRoots, i): &l.Inverse} {
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
func refilter[T any](k kernel.Kernel[T], m *FeatureMap, like T, weights int) (kernel.Mapped[T], error) {
	found, err := restoreFilters(k, m, like)
	if err != nil {
		return nil, fmt.Errorf("task: the file contradicts itself: %w", err)
	}
	if dim, _ := found.Features(like); dim != weights {
		return nil, fmt.Errorf("task: points are mapped to %d features, and there are weights of %d: the file contradicts itself", dim, weights)
	}
	return found, nil
}

func restoreFilters[T any](k kernel.Kernel[T], m *FeatureMap, like T) (kernel.Mapped[T], error) {
	net, ok := any(k).(ckn.Kernel)
	if !ok {
		return motifs.Restore(k, like, m.learned.layers, 0)
	}
	found, err := filters.Restore(net.WithWhitening(m.learned.whitening), m.learned.layers, 0)
	if err != nil {
		return nil, err
	}
	return any(found).(kernel.Mapped[T]), nil
}
