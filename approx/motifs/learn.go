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
	if xs.Len() == 0 {
		return nil, errors.New("motifs: there are no points to learn from")
	}
	blank, err := Planned(of, xs.At(0), o)
	if err != nil {
		return nil, err
	}
	words := blank.words
	r := rand.New(rand.NewPCG(o.Seed, 0x6d6f74696673))
	chosen := r.Perm(xs.Len())[:min(xs.Len(), mostPoints)]
	slices.Sort(chosen)
	some := data.Subset(xs, chosen)
	if err := kernel.Validate(blank, some); err != nil {
		return nil, err
	}
	patches, different, err := sample(ctx, words, some, sampled(len(chosen), words.Dim(), o), r)
	if err != nil {
		return nil, err
	}
	d, z := words.Dim(), patches
	if different <= o.Filters[0] {
		z = filters.Different(patches, d)
	} else if z, err = filters.Centres(ctx, patches, d, o.Filters[0], parallel.Workers(o.Compute.Workers), r); err != nil {
		return nil, err // centres of all words, repeated ones too: what is frequent is a motif
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

// mostNumbers bounds those of all words of a sample, 256 MiB.
const mostNumbers = 1 << 26

// sampled is how many words are taken of each of n points.
func sampled(n, dim int, o filters.Options) int {
	return max(1, min(o.PatchCount(), mostNumbers/dim)/n)
}

// sample returns words of length 1, as many of each point, in the order of the points, and how many
// different ones there are.
func sample[T any](ctx context.Context, words construction.Words[T], xs data.Set[T], each int, r *rand.Rand) (out []float32, different int, err error) {
	entry := float32(1 / math.Sqrt(float64(words.K)))
	known := map[string]bool{}
	for i := range xs.Len() {
		var found [][]rune
		if err := words.List(ctx, xs.At(i), func(w construction.Word) { found = append(found, slices.Clone(w.Symbols)) }); err != nil {
			return nil, 0, err
		}
		for _, at := range r.Perm(len(found))[:min(each, len(found))] {
			known[string(found[at])] = true
			from := len(out)
			out = slices.Grow(out, words.Dim())[:from+words.Dim()]
			clear(out[from:])
			for place, symbol := range found[at] {
				out[from+place*len(words.Symbols)+int(symbol)] = entry
			}
		}
	}
	return out, len(known), ctx.Err()
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
	chosen := min(n, mostPoints)
	patches := float64(chosen * sampled(chosen, k.words.Dim(), o))
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
