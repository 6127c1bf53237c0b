package motifs

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/kernel/construction"
	"example.org/mercer/kernel/explanation"
)

// ExplainWeights takes g(x) = ⟨w, φ(x)⟩ apart: with α = (κ(ZᵀZ) + εI)^(−1/2)·w it is a sum over
// the words of x,
//
//	g(x) = Σ_{u in x} g(u),   g(u) = Σⱼ αⱼ κ(⟨zⱼ, u⟩/√K),
//
// and g(zⱼ) is the weight of a motif. Under a normalised kernel both are divided by the norm of x.
func (k *Kernel[T]) ExplainWeights(w []float64) explanation.Function[T] {
	g := &weighed[T]{Kernel: k, alpha: make([]float64, k.m)}
	for j := range g.alpha {
		for l, v := range k.stored.Inverse[j*k.m : (j+1)*k.m] { // symmetric
			g.alpha[j] += float64(v) * w[l]
		}
	}
	return g
}

// weighed is g.
type weighed[T any] struct {
	*Kernel[T]
	alpha []float64
}

// Split returns what each word of x adds, by the name of the word.
func (g *weighed[T]) Split(ctx context.Context, x T) ([]explanation.Split, error) {
	s := explanation.Split{Term: g.of.String(), Column: g.words.Column, Rule: explanation.ByFeatures, Places: g.words.Places(x)}
	raw := *g.Kernel
	raw.unit = false
	phi := make([]float64, g.m)
	raw.Map(phi, x)
	scale := g.scale(phi)
	inner, places := make([]float32, g.m), make([]int, g.words.K)
	err := g.words.List(ctx, x, func(w construction.Word) {
		g.inner(inner, w.Symbols)
		sum := 0.0
		for j, v := range inner {
			sum += g.alpha[j] * g.words.Kappa(float64(v)+1)
		}
		for i := range places {
			places[i] = w.Place + i
		}
		s.Add(w.Name, scale*sum, places)
	})
	return []explanation.Split{s}, err
}

// Weights returns g(zⱼ) of the motifs, each with its frequencies.
func (g *weighed[T]) Weights(ctx context.Context) ([]explanation.Weights, error) {
	out := explanation.Weights{Term: g.of.String(), Column: g.words.Column, Symbols: g.words.Symbols}
	z := g.Motifs()
	for _, motif := range z {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		value := 0.0
		for l, other := range z {
			value += g.alpha[l] * g.words.Kappa(mat.Dot(motif.lengthOne(), other.lengthOne()))
		}
		out.Features = append(out.Features, explanation.Weight{Feature: motif.Consensus(g.words.Symbols), Value: value, Frequencies: motif.Frequencies()})
	}
	return []explanation.Weights{out}, nil
}

// Motif is a matrix of length 1 with a row for each place and a column for each symbol.
type Motif struct{ *mat.Dense }

// Motifs returns those of the kernel.
func (k *Kernel[T]) Motifs() []Motif {
	out, d := make([]Motif, k.m), k.words.Dim()
	for j := range out {
		z := mat.NewDense(k.words.K, len(k.words.Symbols), nil)
		for i, v := range k.stored.Filters[j*d : (j+1)*d] {
			z.RawMatrix().Data[i] = float64(v)
		}
		out[j] = Motif{z}
	}
	return out
}

func (z Motif) lengthOne() mat.Vector {
	return mat.NewVecDense(len(z.RawMatrix().Data), z.RawMatrix().Data)
}

// Frequencies returns those of the symbols in each place, which add up to 1: those among the words
// whose centre the motif is. Rounding below 0 counts as 0.
func (z Motif) Frequencies() [][]float64 {
	rows, _ := z.Dims()
	out := make([][]float64, rows)
	for i := range out {
		sum := 0.0
		for _, v := range z.RawRowView(i) {
			sum += math.Max(0, v)
			out[i] = append(out[i], math.Max(0, v))
		}
		for j := range out[i] {
			out[i][j] /= sum
		}
	}
	return out
}

// Consensus writes the most frequent symbol of each place, and · where it is hardly more frequent
// than by chance: by less than a quarter of what is left to certainty.
func (z Motif) Consensus(symbols []string) string {
	text := ""
	for _, place := range z.Frequencies() {
		best := 0
		for j, v := range place {
			if v > place[best] {
				best = j
			}
		}
		chance := 1 / float64(len(symbols))
		if place[best] < chance+0.25*(1-chance) {
			text += "·"
			continue
		}
		text += symbols[best]
	}
	return text
}
