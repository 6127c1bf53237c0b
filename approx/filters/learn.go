package filters

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/data"
	"example.org/mercer/internal/parallel"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/ckn"
	"example.org/mercer/linalg/level3"
)

// Learn finds the filters of a kernel from images, layer by layer. A layer with fewer different
// patches than filters has one filter for each, so that its features are exact up to ε. The errors
// are those of the options, of images outside the domain of the kernel, and of images of which no
// patch is other than 0; the last is that of ctx.
//
// With P patches of d numbers, m filters take 20·2Pdm flops in a layer, and those that map the
// chosen images by the layers below.
func Learn(ctx context.Context, of ckn.Kernel, xs data.Set[[]float64], o Options) (*Kernel, error) {
	if err := o.Validate(of, len(of.Layers())); err != nil {
		return nil, err
	}
	if xs.Len() == 0 {
		return nil, errors.New("filters: there are no images to learn from")
	}
	counts := slices.Clone(o.Filters)
	l := &learning{o: o, xs: xs, r: rand.New(rand.NewPCG(o.Seed, 0x66696c74657273))}
	if err := l.choose(of); err != nil {
		return nil, err
	}
	told := o.Compute.Meter("filters", int64(len(counts)))
	for i := range counts {
		all := stages(of, counts)
		for j := range i {
			all[j].filters, all[j].inverse = l.done[j].Filters, l.done[j].Inverse
		}
		if i == 0 && of.Input() == ckn.Whitened {
			w, err := l.whitening(ctx, assembled(of, all, o.Compute.Workers))
			if err != nil {
				return nil, err
			}
			of = of.WithWhitening(w)
		}
		if err := whiten(&all[0], of); err != nil {
			return nil, err
		}
		layer, err := l.layer(ctx, assembled(of, all, o.Compute.Workers), i)
		if err != nil {
			return nil, err
		}
		counts[i] = int(math.Round(math.Sqrt(float64(len(layer.Inverse)))))
		l.done = append(l.done, layer)
		told.Reach(int64(i + 1))
	}
	return Restore(of, l.done, o.Compute.Workers)
}

// learning is the state of Learn.
type learning struct {
	o      Options
	xs     data.Set[[]float64]
	r      *rand.Rand
	chosen []int // images
	done   []Stored
}

// choose chooses the images, and checks them.
func (l *learning) choose(of ckn.Kernel) error {
	l.chosen = l.r.Perm(l.xs.Len())[:min(l.xs.Len(), mostImages)]
	slices.Sort(l.chosen)
	l.xs = data.Subset(l.xs, l.chosen)
	var exact kernel.Kernel[[]float64] = of
	return kernel.Validate(exact, l.xs)
}

// layer learns one.
func (l *learning) layer(ctx context.Context, k *Kernel, i int) (Stored, error) {
	s := &k.stages[i]
	patches, err := l.sample(ctx, k, i, func(s *stage, b *scratch, count int) { s.cut(b, b.from, count) })
	if err != nil {
		return Stored{}, err
	}
	z := Different(patches, s.dim())
	if len(z) > s.m*s.dim() {
		if z, err = Centres(ctx, z, s.dim(), s.m, parallel.Workers(l.o.Compute.Workers), l.r); err != nil {
			return Stored{}, err
		}
	}
	if len(z) == 0 {
		return Stored{}, fmt.Errorf("filters: all patches of layer %d are 0 in the images to learn from: there is nothing to compare", i+1)
	}
	inverse, err := InverseRoot(ctx, z, s.dim(), s.Sigma, l.o.Jitter())
	return Stored{Filters: z, Inverse: inverse}, err
}

// sample returns patches of layer i, of the images that were chosen: all of them, or as many from
// each. cut leaves those of a group of images, which were mapped by the layers below, in b.
func (l *learning) sample(ctx context.Context, k *Kernel, i int, cut func(s *stage, b *scratch, count int)) ([]float32, error) {
	s := &k.stages[i]
	n, d := s.positions(), s.dim()
	each := min(n, (l.o.PatchCount()+len(l.chosen)-1)/len(l.chosen))
	places := make([][]int, len(l.chosen))
	for j := range places {
		places[j] = l.r.Perm(n)[:each]
	}
	out := make([]float32, len(l.chosen)*each*d)
	group := max(1, min(64, groupNumbers/(n*max(d, s.m))))
	groups := (len(l.chosen) + group - 1) / group
	err := parallel.Each(ctx, parallel.Workers(k.workers), groups, func(_, g int) {
		b := k.free.Get().(*scratch)
		defer k.free.Put(b)
		from, to := g*group, min((g+1)*group, len(l.chosen))
		for f := from; f < to; f++ { // one by one: of few patches the bits depend on company
			k.through(b, l.xs, f, 1, i)
			cut(s, b, 1)
			for t, p := range places[f] {
				copy(out[(f*each+t)*d:], b.patches[p*d:(p+1)*d])
			}
		}
	})
	return out, err
}

// whitening learns that of the first layer: the inverse root of the covariance of centred patches,
// with a part of its mean diagonal added.
func (l *learning) whitening(ctx context.Context, k *Kernel) (*ckn.Whitening, error) {
	k.stages[0].mean, k.stages[0].whitening = nil, nil
	x, err := l.sample(ctx, k, 0, func(s *stage, b *scratch, count int) {
		b.patches = grown(b.patches, s.positions()*s.dim())
		s.raw(b, b.from, count)
	})
	if err != nil {
		return nil, err
	}
	d := k.stages[0].dim()
	count := float64(len(x) / d)
	w := &ckn.Whitening{Mean: make([]float64, d), Matrix: make([]float64, d*d)}
	wide := make([]float64, len(x))
	for i, v := range x {
		wide[i] = float64(v)
		w.Mean[i%d] += float64(v) / count
	}
	for i := range wide {
		wide[i] -= w.Mean[i%d]
	}
	c := mat.NewSymDense(d, nil)
	level3.Implementation{Workers: k.workers}.Dsyrk(blas.Upper, blas.Trans, d, len(x)/d, 1/count, wide, d, 0, c.RawSymmetric().Data, d)
	trace := 0.0
	for i := range d {
		trace += c.At(i, i)
	}
	if trace == 0 {
		return nil, errors.New("filters: all patches are constant in the images to learn from: there is nothing to whiten")
	}
	for i := range d {
		c.SetSym(i, i, c.At(i, i)+whitened*trace/float64(d))
	}
	r, err := decomposed(ctx, c)
	if err != nil {
		return nil, err
	}
	r.inverse(w.Matrix)
	return w, nil
}

// whitened is the part of the mean variance that is added to all: directions in which patches
// hardly vary are noise.
const whitened = 0.01
