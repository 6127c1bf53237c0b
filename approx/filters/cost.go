package filters

import (
	"example.org/mercer/compute"
	"example.org/mercer/kernel/ckn"
)

// Planned returns the kernel with filters that are all 0: it takes as long as one that has learned
// and says nothing. The errors are those of the options.
func Planned(of ckn.Kernel, o Options) (*Kernel, error) {
	if err := o.Validate(of, len(of.Layers())); err != nil {
		return nil, err
	}
	all := stages(of, o.Filters)
	if of.Input() == ckn.Whitened && of.Learned() == nil {
		d := all[0].dim()
		of = of.WithWhitening(&ckn.Whitening{Mean: make([]float64, d), Matrix: make([]float64, d*d)})
	}
	if err := whiten(&all[0], of); err != nil {
		return nil, err
	}
	for i := range all {
		all[i].filters, all[i].inverse = make([]float32, all[i].m*all[i].dim()), make([]float32, all[i].m*all[i].m)
	}
	return assembled(of, all, o.Compute.Workers), nil
}

// Flops are those of the products for one image: 2·p·m·d and 2·q·m² in each layer.
func (k *Kernel) Flops() float64 {
	sum := 0.0
	for i := range k.stages {
		s := &k.stages[i]
		sum += s.flops()
	}
	return sum
}

func (s *stage) flops() float64 {
	p, d, m, q := float64(s.positions()), float64(s.dim()), float64(s.m), float64(s.pooled())
	sum := 2*p*d*m + 2*q*m*m
	if s.whitening != nil {
		sum += 2 * p * d * d
	}
	return sum
}

// LearningCost is what [Learn] takes for n images, where an image is mapped in so many seconds: at
// most 20 rounds of k-means in each layer over the patches, the largest set of which stands in
// memory once, or twice where it is whitened, and the maps of the layers below.
func (k *Kernel) LearningCost(n int, mapped float64, o Options, m compute.Machine) compute.Cost {
	out := compute.Cost{Stage: "filters"}
	images, below := float64(min(n, mostImages)), 0.0
	for i := range k.stages {
		s := &k.stages[i]
		each := min(s.positions(), (o.PatchCount()+min(n, mostImages)-1)/min(n, mostImages))
		patches := images * float64(each)
		d := float64(s.dim())
		bytes := 4*patches*d + 64*patches + 12*float64(s.m)*d + 40*float64(s.m)*float64(s.m)
		if s.whitening != nil {
			bytes = max(bytes, 12*patches*d)
		}
		out.Memory = max(out.Memory, int64(bytes))
		flops := rounds * 2 * patches * d * float64(s.m)
		if int(patches) <= s.m {
			flops = 0
		}
		out.Flops += flops + images*below
		out.Seconds += flops/m.GemmRateAt(compute.Single) + images*mapped*(below+s.flops()/4)/k.Flops()
		below += s.flops()
	}
	return out
}

// Bytes is what the filters and inverse roots take in a model.
func (k *Kernel) Bytes() int64 {
	sum := int64(0)
	for i := range k.stages {
		sum += 4 * int64(len(k.stages[i].filters)+len(k.stages[i].inverse))
	}
	return sum
}

// comparedWork bounds the work of a comparison with the exact kernel, in about as many steps a
// second on one core, which is thousands of times slower.
const comparedWork = 1e9

// pairWork is that of a pair of the exact kernel.
func (k *Kernel) pairWork() float64 {
	work := 0.0
	h, w, c := k.of.MapShape()
	for i, l := range k.of.Layers() {
		n, d := float64(h*w), float64(c)
		switch {
		case i > 0:
			d = 1
		case k.stages[0].centred:
			d = float64(k.stages[0].dim())
		}
		left := float64(ckn.Pooled(h, l.Pool) * ckn.Pooled(w, l.Pool))
		window := float64((2*l.Pool + 1) * (2*l.Pool + 1))
		work += n*n*(2*d+float64(l.Patch*l.Patch)+40) + n*left*window*2
		h, w = ckn.Pooled(h, l.Pool), ckn.Pooled(w, l.Pool)
	}
	return work
}

// ComparedPoints is for how many images, half of them on either side, the exact kernel is
// worth computing to see how far the features are from it; it depends on the kernel alone.
func (k *Kernel) ComparedPoints() int {
	points, work := 4, k.pairWork()
	for points < 200 && float64(points+2)*float64(points+2)/4*work < comparedWork {
		points += 2
	}
	return points
}

// ComparisonCost is that of the comparison of as many of n images; the exact kernel reads each of
// them once.
func (k *Kernel) ComparisonCost(n int, m compute.Machine) compute.Cost {
	h, w, _ := k.of.MapShape()
	half := float64(min(n, k.ComparedPoints())) / 2
	pairs := half*half + 2*half
	return compute.Cost{Stage: "errors", Memory: 24 * int64(m.Workers) * int64(h*w) * int64(h*w), Flops: pairs * k.pairWork(), Seconds: pairs * k.pairWork() / comparedWork / float64(max(m.Workers, 1))}
}
