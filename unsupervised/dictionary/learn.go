package dictionary

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/internal/parallel"
	"example.org/mercer/kernel/visual"
	"example.org/mercer/unsupervised/gmm"
	"example.org/mercer/unsupervised/kmeans"
	"example.org/mercer/unsupervised/pca"
)

// Images and descriptors of a sample, these for each member of the dictionary at least, and the
// iterations of k-means and of EM.
const (
	mostImages      = 2000
	mostDescriptors = 20_000
	ofMember        = 50
	iterations      = 50
)

// leastWeight is that of a component: Fisher vectors divide by its root.
const leastWeight = 1e-6

// Learn returns the numbers of a dictionary for a code, from images that are points of it. The seed
// chooses the sample and the start. The errors are those of images with fewer different descriptors
// than the dictionary has members, and of ctx; the bits do not depend on the number of workers.
//
// With P descriptors of d numbers in the sample, m words take at most 50·2Pmd flops.
func Learn(ctx context.Context, c *visual.Code, images data.Set[[]float64], seed uint64, how compute.Options) ([]float64, error) {
	sample, err := descriptors(ctx, c, images, seed, how)
	if err != nil {
		return nil, err
	}
	var numbers []float64
	if c.Components > 0 {
		if sample, numbers, err = reduced(ctx, sample, c.Components, how); err != nil {
			return nil, err
		}
	}
	if different := countDifferent(sample); different < c.Coding.Size() {
		return nil, fmt.Errorf("dictionary: %d different descriptors are in the sample of the images, fewer than the %d members of the dictionary: ask for fewer", different, c.Coding.Size())
	}
	members, err := learners[c.Coding.Name()](ctx, sample, c.Coding.Size(), seed, how)
	return append(numbers, members...), err
}

// learners find the members of a dictionary, by the name of the coding.
var learners = map[string]func(ctx context.Context, sample data.Vectors, count int, seed uint64, how compute.Options) ([]float64, error){
	visual.Words(0).Name():  words,
	visual.Fisher(0).Name(): mixture,
}

// descriptors returns as many of each of the chosen images, in their order.
func descriptors(ctx context.Context, c *visual.Code, images data.Set[[]float64], seed uint64, how compute.Options) (data.Vectors, error) {
	n := images.Len()
	if n == 0 {
		return data.Vectors{}, errors.New("dictionary: there are no images to learn from")
	}
	r := rand.New(rand.NewPCG(seed, 0x646963740000))
	chosen := r.Perm(n)[:min(n, mostImages)]
	slices.Sort(chosen)
	d := c.Descriptors()
	wanted := max(mostDescriptors, ofMember*c.Coding.Size())
	each := min(d.Count(), (wanted+len(chosen)-1)/len(chosen))
	places := make([][]int, len(chosen))
	for i := range places {
		places[i] = r.Perm(d.Count())[:each]
	}
	out := data.MakeVectors(len(chosen)*each, d.Dim())
	workers := parallel.Workers(how.Workers)
	type scratch struct{ all, others []float64 }
	own := make([]scratch, workers)
	err := parallel.Each(ctx, workers, len(chosen), func(worker, i int) {
		s := &own[worker]
		if s.all == nil {
			s.all, s.others = make([]float64, d.Count()*d.Dim()), make([]float64, d.Scratch())
		}
		d.Of(s.all, s.others, images.At(chosen[i]))
		for t, p := range places[i] {
			copy(out.At(i*each+t), s.all[p*d.Dim():(p+1)*d.Dim()])
		}
	})
	return out, err
}

// reduced projects descriptors on their principal components, and returns the mean and the
// directions.
func reduced(ctx context.Context, sample data.Vectors, components int, how compute.Options) (data.Vectors, []float64, error) {
	m, _, err := pca.Fit(ctx, sample, pca.Options{Components: components, Compute: how})
	if err != nil {
		return sample, nil, err
	}
	found, d := m.Components.RawMatrix(), sample.Dim()
	if found.Rows < components {
		return sample, nil, fmt.Errorf("dictionary: descriptors vary in %d directions, and %d principal components are asked for (pca)", found.Rows, components)
	}
	numbers := rounded(append(slices.Clone(m.Mean), found.Data[:components*d]...))
	m.Mean, m.Components = numbers[:d], mat.NewDense(components, d, numbers[d:])
	z, err := m.Transform(sample)
	if err != nil {
		return sample, nil, err
	}
	out, err := data.NewVectors(sample.Len(), components, z.RawMatrix().Data)
	return out, numbers, err
}

// words are the centres of k-means.
func words(ctx context.Context, sample data.Vectors, count int, seed uint64, how compute.Options) ([]float64, error) {
	found, _, err := kmeans.FitVectors(ctx, sample, count, kmeans.Options{Restarts: 1, MaxIterations: iterations, Seed: seed, Compute: how})
	if err != nil {
		return nil, err
	}
	return rounded(found.Centres.Raw()), nil
}

// mixture is the weights, the means and the variances of one.
func mixture(ctx context.Context, sample data.Vectors, count int, seed uint64, how compute.Options) ([]float64, error) {
	m, _, err := gmm.Fit(ctx, sample, count, gmm.Diagonal, gmm.Options{Restarts: 1, MaxIterations: iterations, Tolerance: 1e-4, Floor: floor(sample), Seed: seed, Compute: how})
	if err != nil {
		return nil, err
	}
	numbers := make([]float64, 0, visual.Fisher(count).Numbers(sample.Dim()))
	for _, w := range m.Weights {
		numbers = append(numbers, max(w, leastWeight))
	}
	return rounded(append(append(numbers, m.Means.Raw()...), m.Variances.Raw()...)), nil
}

// floor is the least variance of a component, a hundredth of the mean one of the descriptors: blank
// patches, which are many and equal, would have none.
func floor(sample data.Vectors) float64 {
	n, d := float64(sample.Len()), sample.Dim()
	mean, sum := make([]float64, d), 0.0
	for i := range sample.Len() {
		floats.AddScaled(mean, 1/n, sample.At(i))
	}
	for i := range sample.Len() {
		gap := floats.Distance(sample.At(i), mean, 2)
		sum += gap * gap
	}
	return sum / n / float64(d) / 100
}

// countDifferent returns the number of different rows.
func countDifferent(x data.Vectors) int {
	order := make([]int, x.Len())
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return slices.Compare(x.At(a), x.At(b)) })
	return len(slices.CompactFunc(order, func(a, b int) bool { return slices.Equal(x.At(a), x.At(b)) }))
}

// rounded rounds numbers to six digits.
func rounded(numbers []float64) []float64 {
	out := make([]float64, len(numbers))
	for i, v := range numbers {
		out[i], _ = strconv.ParseFloat(strconv.FormatFloat(v, 'g', 6, 64), 64) // which it has just written
	}
	return out
}
