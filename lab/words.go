package lab

import (
	"context"
	"fmt"
	"math"

	"example.org/mercer/compute"
	"example.org/mercer/kernel/seq"
)

// wordsScreen compares two strings by the words of k letters that they share.
var wordsScreen = screen("words", "Strings", answerWords)

type wordsRequest struct {
	A string `json:"a"`
	B string `json:"b"`
	K int    `json:"k"`
}

// wordsAnswer has the kernel of the two strings, and the shared words with their counts.
type wordsAnswer struct {
	Value  float64  `json:"value"`
	Cosine float64  `json:"cosine"` // ⟨Φ(a), Φ(b)⟩/(‖Φ(a)‖‖Φ(b)‖)
	Shared []shared `json:"shared"`
	Says   string   `json:"says"`
}

type shared struct {
	Word string `json:"word"`
	InA  int    `json:"in_a"`
	InB  int    `json:"in_b"`
}

func answerWords(_ context.Context, q wordsRequest, _ compute.Options) (*wordsAnswer, error) {
	if len(q.A) > mostText || len(q.B) > mostText {
		return nil, invalid("strings of %d and %d letters; at most %d are read", len(q.A), len(q.B), mostText)
	}
	if q.K < 1 || q.K > 12 {
		return nil, invalid("words of %d letters: there are 1 to 12", q.K)
	}
	k := seq.Spectrum{K: q.K}
	out := &wordsAnswer{Value: k.Eval(q.A, q.B), Shared: []shared{}}
	if norms := math.Sqrt(k.Eval(q.A, q.A) * k.Eval(q.B, q.B)); norms > 0 {
		out.Cosine = out.Value / norms
	}
	a, b := seq.NewTrie(q.A, q.K), seq.NewTrie(q.B, q.K)
	out.descend(a.Root, b.Root, nil, q.K)
	out.Says = fmt.Sprintf("%d words of %d letters are in both; the kernel is %g, and the cosine %.3g.", len(out.Shared), q.K, out.Value, out.Cosine)
	return out, nil
}

// descend goes down both tries at once, in the order of the letters.
func (a *wordsAnswer) descend(u, v *seq.Node, word []byte, depth int) {
	if depth == 0 {
		a.Shared = append(a.Shared, shared{string(word), u.Count, v.Count})
		return
	}
	for _, child := range u.Children {
		if other := v.Child(child.Symbol); other != nil {
			a.descend(child, other, append(word, byte(child.Symbol)), depth-1)
		}
	}
}
