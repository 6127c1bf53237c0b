package seq

import (
	"context"
	"math/bits"

	"example.org/mercer/data"
	"example.org/mercer/kernel/explanation"
)

// Explain returns g as a sum over words; see [GKM.Explain].
func (m Mismatch) Explain(ctx context.Context, points data.Set[string], coef []float64) (explanation.Function[string], error) {
	return m.profile().explain(ctx, m.String(), points, coef)
}

// Explain returns g as a sum over the words of x:
//
//	w(u) = Σ_v h(d(u, v)) Σᵢ cᵢ n_v(xᵢ)
//
// is what each place of the word u adds to g(x), n_v the number of places of the word v.
func (g GKM) Explain(ctx context.Context, points data.Set[string], coef []float64) (explanation.Function[string], error) {
	return g.profile().explain(ctx, g.String(), points, coef)
}

// neighbourhood is g of a profile: the words of the points with Σᵢ cᵢ n_v(xᵢ).
type neighbourhood struct {
	*profile
	term    string
	words   [][]rune
	codes   []uint64 // of the words, packed; nil where they do not fit
	weights []float64
	own     []explanation.Weight // the words of the written strand, without their values
	first   []int                // where each of own is among words
}

func (p *profile) explain(ctx context.Context, term string, points data.Set[string], coef []float64) (explanation.Function[string], error) {
	g := &neighbourhood{profile: p, term: term}
	known, names := map[string]int{}, map[string]int{}
	add := func(word []rune, c float64) int {
		u, ok := known[string(word)]
		if !ok {
			u = len(g.words)
			known[string(word)] = u
			g.words, g.weights = append(g.words, word), append(g.weights, 0)
		}
		g.weights[u] += c
		return u
	}
	for i, c := range coef {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		l := locate(p.alphabet, points.At(i))
		l.each(p.l, func(place int) {
			word := l.symbols[place : place+p.l]
			u := add(word, c)
			name, _ := l.name(place, p.l, p.both)
			at, ok := names[name]
			if !ok {
				at = len(g.own)
				names[name] = at
				g.own, g.first = append(g.own, explanation.Weight{Feature: name}), append(g.first, u)
			}
			g.own[at].Times++
			if p.both {
				add(complement(word), c)
			}
		})
	}
	g.pack()
	return g, nil
}

// pack gives the words numbers.
func (g *neighbourhood) pack() {
	b := newBook(g.alphabet)
	if _, ok := b.packed(g.l); !ok {
		return
	}
	for _, word := range g.words {
		g.codes = append(g.codes, b.codes(word, g.l)[0])
	}
}

// Split compares the words of x with those of the points, one by one.
func (g *neighbourhood) Split(ctx context.Context, x string) ([]explanation.Split, error) {
	s := explanation.Split{Term: g.term, Rule: explanation.ByFeatures, Places: g.alphabet.places(x)}
	l := locate(g.alphabet, x)
	b := newBook(g.alphabet)
	var places []int
	l.each(g.l, func(place int) {
		if ctx.Err() != nil {
			return
		}
		word, code := l.symbols[place:place+g.l], uint64(0)
		if g.codes != nil {
			code = b.codes(word, g.l)[0]
		}
		name, _ := l.name(place, g.l, g.both)
		places = span(places, place, g.l)
		s.Add(name, g.score(word, code), places)
	})
	return []explanation.Split{s}, ctx.Err()
}

// score is w(u), by the distance from u to every word.
func (g *neighbourhood) score(word []rune, code uint64) float64 {
	c := counter{width: alphabets[g.alphabet].bits}
	sums := make([]float64, len(g.h))
	for v, weight := range g.weights {
		d := 0
		if g.codes != nil {
			d = bits.OnesCount64(c.differ(code, g.codes[v]))
		} else {
			d = distance(word, g.words[v])
		}
		if d < len(sums) {
			sums[d] += weight
		}
	}
	return g.weigh(sums)
}

// weigh returns Σ_d h(d)·sums[d], twice that for two strands of x.
func (g *neighbourhood) weigh(sums []float64) float64 {
	total := 0.0
	for d, h := range g.h {
		total += h * sums[d]
	}
	if g.both {
		total *= 2
	}
	return total
}

// Weights returns those of the words that the points have on the strand that is written.
func (g *neighbourhood) Weights(ctx context.Context) ([]explanation.Weights, error) {
	sets := 0.0
	for j := range g.h {
		n, _ := choose(g.l, j).Float64()
		sets += n
	}
	if g.codes == nil || float64(len(g.own)) < 32*sets { // a table costs as much as some 32 comparisons a word
		for i := range g.own {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			u, code := g.first[i], uint64(0)
			if g.codes != nil {
				code = g.codes[u]
			}
			g.own[i].Value = g.score(g.words[u], code)
		}
		return []explanation.Weights{{Term: g.term, Features: g.own}}, nil
	}
	scores, err := g.scores(ctx)
	if err != nil {
		return nil, err
	}
	for i := range g.own {
		g.own[i].Value = scores[g.first[i]]
	}
	return []explanation.Weights{{Term: g.term, Features: g.own}}, nil
}

// masks returns the sets of keep of the l places from place on, as the bits of their symbols.
func (g *neighbourhood) masks(place, keep int) []uint64 {
	switch {
	case keep == 0:
		return []uint64{0}
	case g.l-place < keep:
		return nil
	}
	width := alphabets[g.alphabet].bits
	symbol := (uint64(1)<<width - 1) << (place * width)
	with := g.masks(place+1, keep-1)
	for i := range with {
		with[i] |= symbol
	}
	return append(with, g.masks(place+1, keep)...)
}

// scores returns w(u) of all words without comparing all pairs: for each set of l−j places there is
// one table of the sums over the words with the same symbols there. Summed over all such sets they
// are
//
//	N_j(u) = Σ_{d≤j} C(l−d, j−d) M_d(u),
//
// M_d(u) the sum over the words at distance d, because these agree with u in C(l−d, l−j) of the
// sets.
func (g *neighbourhood) scores(ctx context.Context) ([]float64, error) {
	sums := make([][]float64, len(g.h)) // M_d
	t := newSums(len(g.codes))
	for j := range sums {
		sums[j] = make([]float64, len(g.codes))
		for _, mask := range g.masks(0, g.l-j) {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			t.clear()
			for v, code := range g.codes {
				*t.of(code & mask) += g.weights[v]
			}
			for u, code := range g.codes {
				sums[j][u] += *t.of(code & mask)
			}
		}
		for d := range j {
			excess, _ := choose(g.l-d, j-d).Float64()
			for u, s := range sums[d] {
				sums[j][u] -= excess * s
			}
		}
	}
	out, one := make([]float64, len(g.codes)), make([]float64, len(g.h))
	for u := range out {
		for d := range one {
			one[d] = sums[d][u]
		}
		out[u] = g.weigh(one)
	}
	return out, nil
}

// sumTable holds sums by packed words, with open addresses.
type sumTable struct {
	keys  []uint64 // 1 + the word, 0 where free
	sums  []float64
	shift uint
}

func newSums(words int) *sumTable {
	size := bits.Len(uint(2 * words))
	return &sumTable{make([]uint64, 1<<size), make([]float64, 1<<size), uint(64 - size)}
}

func (t *sumTable) clear() { clear(t.keys) }

// of returns the sum of a word, which is 0 where there is none yet.
func (t *sumTable) of(word uint64) *float64 {
	const golden = 0x9e3779b97f4a7c15
	at := word * golden >> t.shift
	for t.keys[at] != word+1 {
		if t.keys[at] == 0 {
			t.keys[at], t.sums[at] = word+1, 0
			break
		}
		at = (at + 1) & uint64(len(t.keys)-1)
	}
	return &t.sums[at]
}
