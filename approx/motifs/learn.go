package motifs

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"example.org/mercer/approx/filters"
	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/internal/parallel"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/construction"
)

// mostPoints bounds the points of which words are taken.
const mostPoints = 10_000

// Learn finds the motifs of a kernel from words of points. Where there are fewer different words
// than motifs there is one for each, and the features are exact up to ε. The errors are those of
// the options, of a kernel that compares no words, of points outside its domain, and of points
// without words; the last is that of ctx.
//
// With P words and m motifs of d numbers it takes 20·2Pdm flops.
func Learn[T any](ctx context.Context, of kernel.Kernel[T], xs data.Set[T], o filters.Options) (*Kernel[T], error) {
	if err := o.Validate(of, 1); err != nil {
		return nil, err
	}
	if xs.Len() == 0 {
		return nil, errors.New("motifs: there are no points to learn from")
	}
	words, _, err := wordsOf(of, xs.At(0))
	if err != nil {
		return nil, err
	}
	r := rand.New(rand.NewPCG(o.Seed, 0x6d6f74696673))
	chosen := r.Perm(xs.Len())[:min(xs.Len(), mostPoints)]
	slices.Sort(chosen)
	some := data.Subset(xs, chosen)
	if err := kernel.Validate(of, some); err != nil {
		return nil, err
	}
	patches, err := sample(ctx, words, some, o.PatchCount(), r)
	if err != nil {
		return nil, err
	}
	d, m := words.Dim(), o.Filters[0]
	z := filters.Different(slices.Clone(patches), d)
	if len(z) > m*d { // centres of all words: what is frequent is a motif
		if z, err = filters.Centres(ctx, patches, d, m, parallel.Workers(o.Compute.Workers), r); err != nil {
			return nil, err
		}
	}
	if len(z) == 0 {
		return nil, fmt.Errorf("motifs: no point has a word of %d symbols of the alphabet: choose shorter words, or another alphabet", words.K)
	}
	inverse, err := filters.InverseRoot(ctx, z, d, words.Sigma, o.Jitter())
	if err != nil {
		return nil, err
	}
	return Restore(of, xs.At(0), []filters.Stored{{Filters: z, Inverse: inverse}}, o.Compute.Workers)
}

// sample returns words of length 1, as many of each point, in the order of the points.
func sample[T any](ctx context.Context, words construction.Words[T], xs data.Set[T], most int, r *rand.Rand) ([]float32, error) {
	each := max(1, most/xs.Len())
	entry := float32(1 / math.Sqrt(float64(words.K)))
	var out []float32
	for i := range xs.Len() {
		var found [][]rune
		if err := words.List(ctx, xs.At(i), func(w construction.Word) { found = append(found, slices.Clone(w.Symbols)) }); err != nil {
			return nil, err
		}
		for _, at := range r.Perm(len(found))[:min(each, len(found))] {
			from := len(out)
			out = slices.Grow(out, words.Dim())[:from+words.Dim()]
			clear(out[from:])
			for place, symbol := range found[at] {
				out[from+place*len(words.Symbols)+int(symbol)] = entry
			}
		}
	}
	return out, ctx.Err()
}

// Planned returns the kernel with motifs that are all 0: it takes as long as one that has learned
// and says nothing. The errors are those of the options and of a kernel that compares no words.
func Planned[T any](of kernel.Kernel[T], like T, o filters.Options) (*Kernel[T], error) {
	if err := o.Validate(of, 1); err != nil {
		return nil, err
	}
	words, _, err := wordsOf(of, like)
	if err != nil {
		return nil, err
	}
	m := o.Filters[0]
	return Restore(of, like, []filters.Stored{{Filters: make([]float32, m*words.Dim()), Inverse: make([]float32, m*m)}}, o.Compute.Workers)
}

// rounds bounds those of k-means.
const rounds = 20

// LearningCost is what [Learn] takes for n points: at most 20 rounds of k-means over the words.
func (k *Kernel[T]) LearningCost(n int, _ float64, o filters.Options, m compute.Machine) compute.Cost {
	d := float64(k.words.Dim())
	patches := float64(min(n, mostPoints) * max(1, o.PatchCount()/min(n, mostPoints)))
	flops := rounds * 2 * patches * d * float64(k.m)
	bytes := 4*patches*d + 64*patches + 12*float64(k.m)*d + 40*float64(k.m)*float64(k.m)
	return compute.Cost{Stage: "motifs", Memory: int64(bytes), Flops: flops, Seconds: flops / m.GemmRateAt(compute.Single)}
}

// comparedPoints is for how many points, half of them on either side, the exact kernel is computed
// to see how far the features are from it.
const comparedPoints = 100

// ComparedPoints is their number.
func (k *Kernel[T]) ComparedPoints() int { return comparedPoints }

// ComparisonCost is that of the comparison, where a point has some hundred words: all pairs of
// them are compared in about a nanosecond each.
func (k *Kernel[T]) ComparisonCost(n int, m compute.Machine) compute.Cost {
	half := float64(min(n, comparedPoints)) / 2
	pairs := half * half * 200 * 200
	return compute.Cost{Stage: "errors", Flops: pairs, Seconds: pairs / 1e9 / float64(max(m.Workers, 1))}
}

// Bytes is what the motifs and the inverse root take in a model.
func (k *Kernel[T]) Bytes() int64 { return 4 * int64(len(k.stored.Filters)+len(k.stored.Inverse)) }
