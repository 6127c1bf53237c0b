package seq

import (
	"context"
	"fmt"

	"example.org/mercer/data"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/construction"
	"example.org/mercer/kernel/explanation"
)

// Explain returns g as a sum over words: w(u) = Σᵢ cᵢ φ_u(xᵢ) is what each place of the
// word u adds to g(x). Where both strands count, a word and its reverse complement are one
// feature, found on the strand that is written, with 2w(u) for both strands.
func (s Spectrum) Explain(ctx context.Context, points data.Set[string], coef []float64) (explanation.Function[string], error) {
	return s.counting().Explain(ctx, points, coef)
}

func (s Spectrum) counting() construction.Counting[string] {
	return counting(s, s.Alphabet, s.Both, []int{s.Length()}, []float64{1})
}

// FeatureConstruction lists the words.
func (s Spectrum) FeatureConstruction(string) (construction.Features[string], error) {
	return s.counting(), nil
}

// Explain returns g as a sum over the words of all lengths.
func (b Bounded) Explain(ctx context.Context, points data.Set[string], coef []float64) (explanation.Function[string], error) {
	return b.counting().Explain(ctx, points, coef)
}

func (b Bounded) counting() construction.Counting[string] {
	lengths, weights := make([]int, b.Length()), make([]float64, b.Length())
	for l := range lengths {
		lengths[l], weights[l] = l+1, 1
		if b.Weights != nil {
			weights[l] = b.Weights[l]
		}
	}
	return counting(b, b.Alphabet, b.Both, lengths, weights)
}

// FeatureConstruction lists the words of all lengths.
func (b Bounded) FeatureConstruction(string) (construction.Features[string], error) {
	return b.counting(), nil
}

// counting describes Σ_l weights_l Σ_u φ_u(x) φ_u(y), u of l symbols.
func counting(k kernel.Kernel[string], a Alphabet, both bool, lengths []int, weights []float64) construction.Counting[string] {
	return construction.Counting[string]{Term: k.String(), Places: a.places,
		List: func(ctx context.Context, x string, visit func(string, float64, []int)) error {
			l := locate(a, x)
			var places []int
			for i, length := range lengths {
				l.each(length, func(place int) {
					name, m := l.name(place, length, both)
					places = span(places, place, length)
					visit(name, m*weights[i], places)
				})
			}
			return ctx.Err()
		}}
}

// Explain returns g as a sum over words at places:
//
//	w_d(i, u) = β_d Σ_{|s| ≤ S} δ_|s| Σ_t c_t [u begins at place i + s of x_t]
//
// is what the word u of d symbols adds to g(x) where it begins at place i.
func (w Degree) Explain(ctx context.Context, points data.Set[string], coef []float64) (explanation.Function[string], error) {
	g := &placed{Degree: w, at: map[string]float64{}, times: map[string]int{}}
	for t, c := range coef {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		l := locate(w.Alphabet, points.At(t))
		for d := 1; d <= w.Length(); d++ {
			l.each(d, func(place int) {
				name := w.Alphabet.named(l.texts[place : place+d])
				key := key(d, place, name)
				if g.times[key] == 0 {
					g.order = append(g.order, position{d, place, name})
				}
				g.at[key] += c
				g.times[key]++
			})
		}
	}
	return g, nil
}

// position is a word of d symbols at a place.
type position struct {
	d, place int
	name     string
}

// key tells words apart that have other places, or other numbers of symbols.
func key(d, place int, name string) string { return fmt.Sprintf("%d %d %s", d, place, name) }

// placed is g of a weighted degree kernel.
type placed struct {
	Degree
	at    map[string]float64 // Σ c_t of the points with a word at a place
	times map[string]int
	order []position
}

// score is w_d(i, u).
func (g *placed) score(p position) float64 {
	sum := g.at[key(p.d, p.place, p.name)]
	for s := 1; s <= g.Shift; s++ {
		both := g.at[key(p.d, p.place-s, p.name)] + g.at[key(p.d, p.place+s, p.name)]
		sum += both / (2 * float64(s+1))
	}
	k := float64(g.Length())
	return 2 * (k - float64(p.d) + 1) / (k * (k + 1)) * sum
}

// Split returns the words of x at their places.
func (g *placed) Split(ctx context.Context, x string) ([]explanation.Split, error) {
	s := explanation.Split{Term: g.String(), Rule: explanation.ByFeatures, Places: g.Alphabet.places(x)}
	l := locate(g.Alphabet, x)
	var places []int
	for d := 1; d <= g.Length(); d++ {
		l.each(d, func(place int) {
			p := position{d, place, g.Alphabet.named(l.texts[place : place+d])}
			places = span(places, place, d)
			s.Add(at(p.name, place), g.score(p), places)
		})
	}
	return []explanation.Split{s}, ctx.Err()
}

// Weights returns those of the words that the points have, at their places.
func (g *placed) Weights(ctx context.Context) ([]explanation.Weights, error) {
	w := explanation.Weights{Term: g.String()}
	for _, p := range g.order {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		w.Features = append(w.Features, explanation.Weight{Feature: at(p.name, p.place), Value: g.score(p), Times: g.times[key(p.d, p.place, p.name)]})
	}
	return []explanation.Weights{w}, nil
}

// Occludes says that a symbol may be made unknown.
func (s Subsequence) Occludes() (string, error) { return "", nil }

// Places returns the symbols of x.
func (s Subsequence) Places(x string) []explanation.Place { return s.Alphabet.places(x) }

// Occlude returns x with a symbol that is equal to none.
func (s Subsequence) Occlude(x string, place int) string { return s.Alphabet.occlude(x, place) }

// Occludes says that a symbol may be made unknown.
func (a Align) Occludes() (string, error) { return "", nil }

// Places returns the symbols of x.
func (a Align) Places(x string) []explanation.Place { return a.Alphabet.places(x) }

// Occlude returns x with a symbol that is aligned with none, or different from all.
func (a Align) Occlude(x string, place int) string { return a.Alphabet.occlude(x, place) }
