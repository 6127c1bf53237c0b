package seq

import (
	"fmt"
	"math"

	"example.org/mercer/data"
	"example.org/mercer/kernel"
)

// Align is the local alignment kernel, normalised,
//
//	k(x, x′) = K(x, x′)/√(K(x, x) K(x′, x′)),   K(x, x′) = Σ_π exp(β·score(π)),
//
// where π runs over all local alignments of x and x′, the empty one included: pairs of
// symbols in order, and gaps between them. A pair scores BLOSUM62 for proteins, and Match or
// Mismatch for other alphabets; a gap of n symbols scores −Open − (n−1)·Extend. K is a sum of
// convolutions of kernels (Haussler 1999), and positive definite where exp(β·score) of two
// symbols is; the logarithm that Vert et al. use instead would not be. Since K overflows for
// sequences of some hundred symbols, it is kept with an exponent of its own, and only the
// normalised kernel is there.
//
// Zero Beta, Open, Extend, Match and Mismatch mean 0.5, 11, 1, 1 and −1. Symbols outside the
// alphabet are aligned with none. O(|x||x′|) steps.
//
// Vert, Saigo and Akutsu, Local alignment kernels for biological sequences, in Kernel Methods
// in Computational Biology (2004).
type Align struct {
	Beta, Open, Extend float64
	Match, Mismatch    float64
	Alphabet           Alphabet
}

// filled returns the kernel with its defaults.
func (a Align) filled() Align {
	for _, d := range []struct {
		field    *float64
		fallback float64
	}{{&a.Beta, 0.5}, {&a.Open, 11}, {&a.Extend, 1}, {&a.Match, 1}, {&a.Mismatch, -1}} {
		if *d.field == 0 {
			*d.field = d.fallback
		}
	}
	return a
}

func (a Align) pairwise() pairwise {
	a = a.filled()
	return pairwise{alphabet: a.Alphabet, value: a.logarithm, logarithms: true}
}

// Eval adds up all alignments by dynamic programming.
func (a Align) Eval(x, y string) float64 { return a.pairwise().eval(x, y) }

// pairs returns exp(β·score) of two symbols, 0 for those outside the alphabet.
func (a Align) pairs() func(x, y rune) float64 {
	var table [len(blosum62)][len(blosum62)]float64
	for i := range table {
		for j := range table {
			table[i][j] = math.Exp(a.Beta * float64(blosum62[i][j]))
		}
	}
	equal, different := math.Exp(a.Beta*a.Match), math.Exp(a.Beta*a.Mismatch)
	return func(x, y rune) float64 {
		switch {
		case x == outside || y == outside:
			return 0
		case a.Alphabet == Protein:
			return table[x][y]
		case x == y:
			return equal
		}
		return different
	}
}

// alignments is a row of the dynamic programme: the sums over the alignments that end with the last
// symbol of x so far and symbol j of y paired (m), with a gap in y (x), or with a gap in x (y).
type alignments struct{ m, x, y []float64 }

// logarithm returns log₂ K by the recursion of Vert et al., in which a gap in x follows one in
// y but not the other way round, so that every alignment counts once. All sums are times
// 2^exponent.
func (a Align) logarithm(x, y []rune) float64 {
	pair := a.pairs()
	open, extend := math.Exp(-a.Beta*a.Open), math.Exp(-a.Beta*a.Extend)
	var rows [2]alignments
	for r := range rows {
		rows[r] = alignments{make([]float64, len(y)+1), make([]float64, len(y)+1), make([]float64, len(y)+1)}
	}
	total, one, exponent := 0.0, 1.0, 0
	for i, s := range x {
		old, now := &rows[i%2], &rows[(i+1)%2]
		largest := total
		for j, t := range y {
			now.m[j+1] = pair(s, t) * (one + old.m[j] + old.x[j] + old.y[j])
			now.x[j+1] = open*old.m[j+1] + extend*old.x[j+1]
			now.y[j+1] = open*(now.m[j]+now.x[j]) + extend*now.y[j]
			total += now.m[j+1]
			largest = max(largest, now.m[j+1], now.x[j+1], now.y[j+1], total)
		}
		if largest > 0x1p300 {
			exponent += 300
			one, total = math.Ldexp(one, -300), math.Ldexp(total, -300)
			for j := range now.m {
				now.m[j], now.x[j], now.y[j] = math.Ldexp(now.m[j], -300), math.Ldexp(now.x[j], -300), math.Ldexp(now.y[j], -300)
			}
		}
	}
	return math.Log2(one+total) + float64(exponent)
}

// String returns the expression, such as align(beta=0.5, open=11, extend=1, alphabet=protein).
func (a Align) String() string {
	a = a.filled()
	scores := ""
	if a.Alphabet != Protein {
		scores = fmt.Sprintf(", match=%s, mismatch=%s", number(a.Match), number(a.Mismatch))
	}
	return fmt.Sprintf("align(beta=%s, open=%s, extend=%s%s, alphabet=%s)", number(a.Beta), number(a.Open), number(a.Extend), scores, a.Alphabet)
}

// largestPair bounds β·score of a pair, so that a row of the dynamic programme cannot
// overflow.
const largestPair = 100

// Contains refuses parameters without meaning, and sequences outside the alphabet.
func (a Align) Contains(x string) error {
	a = a.filled()
	best := max(a.Match, a.Mismatch)
	if a.Alphabet == Protein {
		best = 11 // tryptophan with itself
	}
	switch {
	case !positive(a.Beta) || !(a.Open >= 0) || !(a.Extend >= 0):
		return fmt.Errorf("align: beta=%v, open=%v, extend=%v: beta is positive and finite, and gaps cost 0 or more", a.Beta, a.Open, a.Extend)
	case math.IsNaN(best) || math.IsInf(a.Match, 0) || math.IsInf(a.Mismatch, 0) || a.Beta*best > largestPair:
		return fmt.Errorf("align: beta=%v times the best score %v of a pair is beyond %d: give a smaller beta", a.Beta, best, largestPair)
	}
	return a.Alphabet.check(x)
}

// Family returns that of the kernels on sequences.
func (a Align) Family() kernel.Family[string] { return family{} }

func (a Align) anchor(cols data.Set[string]) kernel.BoundColumns[string] {
	return a.pairwise().anchor(cols)
}

// Derive argues by convolutions, and looks at the matrix exp(β·score) of the symbols.
func (a Align) Derive() kernel.Derivation {
	d := kernel.Derivation{Kernel: a.String(), Verdict: kernel.Definite,
		Reason: "a sum of convolutions of positive definite kernels, normalised: exp(β·score) of two symbols is one, and so is exp(−β·cost) of two gaps (Haussler 1999; Vert, Saigo and Akutsu 2004)"}
	a = a.filled()
	if a.Alphabet == Protein && !a.factors() || a.Alphabet != Protein && a.Match < a.Mismatch {
		d.Verdict, d.Reason = kernel.Unknown, "the matrix exp(β·score) of the symbols is not positive definite, so the argument by convolutions does not apply"
	}
	return d
}

// factors reports whether exp(β·score) of the amino acids has a Cholesky factor with
// pivots well above rounding.
func (a Align) factors() bool {
	const n = len(blosum62)
	pair, l := a.pairs(), [n][n]float64{}
	for j := range n {
		for i := j; i < n; i++ {
			v := pair(rune(i), rune(j))
			for k := range j {
				v -= l[i][k] * l[j][k]
			}
			switch {
			case i > j:
				l[i][j] = v / l[j][j]
			case v > 1e-12*pair(rune(i), rune(i)):
				l[j][j] = math.Sqrt(v)
			default:
				return false
			}
		}
	}
	return true
}

// Reference describes the kernel.
func (a Align) Reference() kernel.Reference {
	return kernel.Reference{Name: "align", Title: "local alignment kernel, normalised", Formula: "K(x, y)/√(K(x, x)·K(y, y)), K = Σ_π exp(β·score(π)) over local alignments π",
		Domain: "x, y: sequences; β > 0; a gap of n symbols costs open + (n−1)·extend", Source: "Vert, Saigo and Akutsu, Local alignment kernels for biological sequences, 2004", SeeAlso: []string{"subsequence", "mismatch"}}
}

// blosum62 scores pairs of amino acids, in the order of the alphabet (Henikoff and Henikoff,
// Amino acid substitution matrices from protein blocks, PNAS 89, 1992).
var blosum62 = [20][20]int8{
	{4, 0, -2, -1, -2, 0, -2, -1, -1, -1, -1, -2, -1, -1, -1, 1, 0, 0, -3, -2},      // A
	{0, 9, -3, -4, -2, -3, -3, -1, -3, -1, -1, -3, -3, -3, -3, -1, -1, -1, -2, -2},  // C
	{-2, -3, 6, 2, -3, -1, -1, -3, -1, -4, -3, 1, -1, 0, -2, 0, -1, -3, -4, -3},     // D
	{-1, -4, 2, 5, -3, -2, 0, -3, 1, -3, -2, 0, -1, 2, 0, 0, -1, -2, -3, -2},        // E
	{-2, -2, -3, -3, 6, -3, -1, 0, -3, 0, 0, -3, -4, -3, -3, -2, -2, -1, 1, 3},      // F
	{0, -3, -1, -2, -3, 6, -2, -4, -2, -4, -3, 0, -2, -2, -2, 0, -2, -3, -2, -3},    // G
	{-2, -3, -1, 0, -1, -2, 8, -3, -1, -3, -2, 1, -2, 0, 0, -1, -2, -3, -2, 2},      // H
	{-1, -1, -3, -3, 0, -4, -3, 4, -3, 2, 1, -3, -3, -3, -3, -2, -1, 3, -3, -1},     // I
	{-1, -3, -1, 1, -3, -2, -1, -3, 5, -2, -1, 0, -1, 1, 2, 0, -1, -2, -3, -2},      // K
	{-1, -1, -4, -3, 0, -4, -3, 2, -2, 4, 2, -3, -3, -2, -2, -2, -1, 1, -2, -1},     // L
	{-1, -1, -3, -2, 0, -3, -2, 1, -1, 2, 5, -2, -2, 0, -1, -1, -1, 1, -1, -1},      // M
	{-2, -3, 1, 0, -3, 0, 1, -3, 0, -3, -2, 6, -2, 0, 0, 1, 0, -3, -4, -2},          // N
	{-1, -3, -1, -1, -4, -2, -2, -3, -1, -3, -2, -2, 7, -1, -2, -1, -1, -2, -4, -3}, // P
	{-1, -3, 0, 2, -3, -2, 0, -3, 1, -2, 0, 0, -1, 5, 1, 0, -1, -2, -2, -1},         // Q
	{-1, -3, -2, 0, -3, -2, 0, -3, 2, -2, -1, 0, -2, 1, 5, -1, -1, -3, -3, -2},      // R
	{1, -1, 0, 0, -2, 0, -1, -2, 0, -2, -1, 1, -1, 0, -1, 4, 1, -2, -3, -2},         // S
	{0, -1, -1, -1, -2, -2, -2, -1, -1, -1, -1, 0, -1, -1, -1, 1, 5, 0, -2, -2},     // T
	{0, -1, -3, -2, -1, -3, -3, 3, -2, 1, 1, -3, -2, -2, -3, -2, 0, 4, -3, -1},      // V
	{-3, -2, -4, -3, 1, -2, -2, -3, -3, -2, -1, -4, -4, -2, -3, -3, -2, -3, 11, 2},  // W
	{-2, -2, -3, -2, 3, -3, 2, -1, -2, -1, -1, -2, -3, -1, -2, -2, -2, -1, 2, 7},    // Y
}
