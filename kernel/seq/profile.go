package seq

import (
	"fmt"
	"math/big"
	"slices"
	"sync"

	"example.org/mercer/data"
	"example.org/mercer/kernel"
)

// longest is the most symbols of a word whose distances are counted: fractions of the
// Hamming scheme beyond it would take long.
const longest = 31

// profile is a kernel Σ h(d(u, v)) over the words of l symbols of two sequences, where d is
// the Hamming distance.
type profile struct {
	l        int
	alphabet Alphabet
	both     bool
	exact    []*big.Rat
	h        []float64 // up to the largest distance that counts
	// allSieves returns sieves that leave different numbers of places, made when first asked for.
	allSieves func() [][]sieve
}

// profiles keeps those that were made: kernels are values, and fractions are slow.
var profiles sync.Map // from kernels

// profileOf returns the profile of a kernel.
func profileOf(key any, l int, a Alphabet, both bool, weights func() []*big.Rat) *profile {
	if p, ok := profiles.Load(key); ok {
		return p.(*profile)
	}
	p := &profile{l: l, alphabet: a, both: both}
	if checkWords("", l, a, both, "") == nil {
		p.exact = weights()
	}
	for _, w := range p.exact {
		v, _ := w.Float64()
		p.h = append(p.h, v)
	}
	for len(p.h) > 0 && p.h[len(p.h)-1] == 0 {
		p.h = p.h[:len(p.h)-1]
	}
	p.allSieves = sync.OnceValue(func() (all [][]sieve) {
		for spare := range mostSpare + 1 {
			if s := p.sieves(len(p.h) - 1 + spare); s != nil {
				all = append(all, s)
			}
		}
		return all
	})
	profiles.Store(key, p)
	return p
}

// checkWords refuses alphabets without a fixed number of symbols, words that are too long,
// and sequences outside the alphabet.
func checkWords(name string, l int, a Alphabet, both bool, x string) error {
	if a.size() == 0 {
		return fmt.Errorf("%s counts the words near another, for which the alphabet must have a fixed number of symbols: choose bytes, dna, rna or protein, not %s", name, a)
	}
	if l < 1 || l > longest {
		return fmt.Errorf("%s compares words of 1 to %d symbols, not %d", name, longest, l)
	}
	if err := a.checkStrands(both); err != nil {
		return err
	}
	return a.check(x)
}

// eval counts the distances between all words, symbol by symbol.
func (p *profile) eval(x, y string) float64 {
	r := newReader(p.alphabet)
	pairs := make([]uint64, p.l+1)
	for _, s := range r.strands(x, p.both) {
		for _, t := range r.strands(y, p.both) {
			for _, u := range p.words(s) {
				for _, v := range p.words(t) {
					pairs[distance(u, v)]++
				}
			}
		}
	}
	return p.value(pairs)
}

// words returns the words of a strand without symbols outside the alphabet.
func (p *profile) words(s []rune) (out [][]rune) {
	for i := 0; i+p.l <= len(s); i++ {
		if word := s[i : i+p.l]; !slices.Contains(word, outside) {
			out = append(out, word)
		}
	}
	return out
}

// distance is the number of places where two words differ.
func distance(u, v []rune) (d int) {
	for i := range u {
		if u[i] != v[i] {
			d++
		}
	}
	return d
}

// value weighs the numbers of pairs at each distance.
func (p *profile) value(pairs []uint64) float64 {
	sum := 0.0
	for d, h := range p.h {
		sum += h * float64(pairs[d])
	}
	return sum
}

// derive looks at the eigenvalues of h on all words, as fractions. A negative one is that of
// the Gram matrix of the sequences that are single words; on both strands words pair up, and
// it may be that of no sequence.
func (p *profile) derive(name, cut string) kernel.Derivation {
	for i, value := range eigenvalues(p.l, p.alphabet.size(), p.exact) {
		if value.Sign() >= 0 {
			continue
		}
		f, _ := value.Float64()
		if p.both {
			return kernel.Derivation{Kernel: name, Verdict: kernel.Unknown, Reason: fmt.Sprintf("%s, and then h has the eigenvalue %.3g on the words of one strand", cut, f)}
		}
		return kernel.Derivation{Kernel: name, Verdict: kernel.Indefinite,
			Reason: fmt.Sprintf("%s: the Gram matrix of all words of %d symbols has the eigenvalue %.3g, on the functions of exactly %d symbols", cut, p.l, f, i)}
	}
	return kernel.Derivation{Kernel: name, Verdict: kernel.Definite, Reason: cut + ", and h still has no negative eigenvalue on words (Delsarte 1973)"}
}

// near is a profile bound to its column points, whose words are packed.
type near struct {
	*profile
	points data.Set[string]
	cols   [][]uint64
}

// anchor packs the words of the column points, or returns nil where they do not fit.
func (p *profile) anchor(cols data.Set[string]) kernel.BoundColumns[string] {
	if _, ok := newBook(p.alphabet).packed(p.l); !ok || p.h == nil {
		return nil
	}
	return &near{p, cols, p.packed(cols, p.both)}
}

// packed returns the words of each point as numbers.
func (p *profile) packed(xs data.Set[string], both bool) [][]uint64 {
	r, b := newReader(p.alphabet), newBook(p.alphabet)
	out := make([][]uint64, xs.Len())
	for i := range out {
		for _, s := range r.strands(xs.At(i), both) {
			for _, code := range b.codes(s, p.l) {
				if code != absent {
					out[i] = append(out[i], code)
				}
			}
		}
	}
	return out
}

// Bind packs the words of the rows. Turning both words round changes no distance, so the
// pairs of both strands are twice those of one strand of the row with both of the column.
func (a *near) Bind(rows data.Set[string], _ kernel.Pairs) kernel.Pairs {
	own, same := a.cols, sameSet(rows, a.points)
	if a.both || !same {
		own = a.packed(rows, false)
	}
	p := &nearPairs{counter: newCounter(a.profile), rows: own, cols: a.cols, rowPoints: rows, colPoints: a.points}
	if same {
		p.rowPoints = nil
	}
	return p
}
