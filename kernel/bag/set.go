package bag

import (
	"fmt"
	"math"
	"slices"

	"example.org/mercer/data"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/count"
)

// Measure is how the elements in common of two sets are made a number.
type Measure int

const (
	Intersection Measure = iota // |A ∩ B|
	Jaccard                     // |A ∩ B| / |A ∪ B|
	Dice                        // 2|A ∩ B| / (|A| + |B|)
	Cosine                      // |A ∩ B| / √(|A||B|)
)

// Measures are the names of the measures.
var Measures = []string{"intersection", "jaccard", "dice", "cosine"}

// Set compares sets of words, whose order and repetition do not count, by the elements in
// common. Every [Measure] is positive definite: |A ∩ B| is an inner product of 0/1 vectors, and
// the others multiply it by a positive definite function of the sizes or, Jaccard's, by a
// power series in one (Gower, A general coefficient of similarity, Biometrics 1971). Two empty
// sets are alike, 1 but for Intersection; an empty set and another have nothing in common, 0.
type Set struct{ By Measure }

// Eval returns k(a, b), in O((|a| + |b|) log) comparisons.
func (k Set) Eval(a, b []string) float64 {
	a, b = distinct(a), distinct(b)
	common := 0
	for _, word := range a {
		if _, found := slices.BinarySearch(b, word); found {
			common++
		}
	}
	return k.By.of(float64(common), float64(len(a)), float64(len(b)))
}

// distinct returns the sorted elements, each once.
func distinct(set []string) []string {
	if slices.IsSorted(set) {
		return slices.Compact(slices.Clone(set))
	}
	sorted := slices.Clone(set)
	slices.Sort(sorted)
	return slices.Compact(sorted)
}

// of returns the measure of |A ∩ B|, |A| and |B|.
func (m Measure) of(common, a, b float64) float64 {
	if m == Intersection {
		return common
	}
	if a == 0 && b == 0 {
		return 1
	}
	switch m {
	case Jaccard:
		return common / (a + b - common)
	case Dice:
		return 2 * common / (a + b)
	}
	return common / max(1, math.Sqrt(a*b)) // 0 where one is empty
}

// String returns set(by=jaccard).
func (k Set) String() string { return "set(by=" + Measures[k.By] + ")" }

// Contains accepts every set.
func (k Set) Contains([]string) error {
	if k.By < 0 || int(k.By) >= len(Measures) {
		return fmt.Errorf("set: measure %d is not known; there are %q", k.By, Measures)
	}
	return nil
}

// Bind numbers the words and counts those in common by their lists.
func (k Set) Bind(rows, cols data.Set[[]string]) kernel.Pairs {
	numbers := map[string]uint32{}
	right := k.counts(cols, numbers)
	left := right
	if !data.SameSlices(rows, cols) {
		left = k.counts(rows, numbers)
	}
	p := &measured{of: count.Bind(left, right), by: k.By, rows: make([]float64, len(left)), cols: make([]float64, len(right))}
	p.of.Norms(p.rows, p.cols) // of 0/1 vectors: the sizes
	return p
}

func (k Set) counts(sets data.Set[[]string], numbers map[string]uint32) []count.Row {
	out := make([]count.Row, sets.Len())
	for i := range out {
		words := distinct(sets.At(i))
		features := make([]uint32, len(words))
		for j, word := range words {
			n, known := numbers[word]
			if !known {
				n = uint32(len(numbers))
				numbers[word] = n
			}
			features[j] = n
		}
		out[i] = count.Tally(features)
	}
	return out
}

// measured makes measures of the numbers of elements in common.
type measured struct {
	of         *count.Pairs
	by         Measure
	rows, cols []float64 // sizes
}

// Dims returns the numbers of sets.
func (p *measured) Dims() (rows, cols int) { return p.of.Dims() }

// Tile measures what is in common.
func (p *measured) Tile(dst kernel.Tile, row, col int) {
	p.of.Tile(dst, row, col)
	for i := range dst.Rows {
		out := dst.Row(i)
		for j, common := range out {
			out[j] = p.by.of(common, p.rows[row+i], p.cols[col+j])
		}
	}
}

// Derive argues by 0/1 vectors and their norms.
func (k Set) Derive() kernel.Derivation {
	reason := map[Measure]string{
		Intersection: "an inner product of 0/1 vectors, one coordinate for each word",
		Jaccard:      "|A ∩ B|/|A ∪ B| is positive definite (Gower 1971); two empty sets are a point of their own",
		Dice:         "|A ∩ B| is an inner product and 2/(|A| + |B|) = 2∫exp(−t|A|)exp(−t|B|)dt is positive definite, so their product is; two empty sets are a point of their own",
		Cosine:       "the normalised inner product of 0/1 vectors; two empty sets are a point of their own",
	}[k.By]
	return kernel.Derivation{Kernel: k.String(), Verdict: kernel.Definite, Reason: reason}
}

// Reference describes the kernel.
func (k Set) Reference() kernel.Reference {
	formula := [...]string{"|A ∩ B|", "|A ∩ B|/|A ∪ B|", "2|A ∩ B|/(|A| + |B|)", "|A ∩ B|/√(|A||B|)"}[k.By]
	return kernel.Reference{Name: "set", Title: "elements that two sets have in common", Formula: formula, Domain: "A, B: sets of words; 1 for two empty sets (intersection: 0)",
		Source: "Gower, A general coefficient of similarity and some of its properties, Biometrics 27 (1971)", SeeAlso: []string{"mean"}}
}
