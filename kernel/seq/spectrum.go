package seq

import (
	"fmt"
	"strings"

	"example.org/mercer/kernel"
)

// Spectrum is the spectrum kernel
//
//	k(x, x′) = Σ_{u ∈ Aᵏ} φ_u(x) φ_u(x′),   φ_u(x) = the number of places where u occurs in x,
//
// over the words u of K symbols of the alphabet A; K = 0 means 3. With Both, φ_u(x) also
// counts the places of the other strand, the reverse complement of x. The kernel is positive
// definite, as an inner product of counts (Leslie, Eskin and Noble, The spectrum kernel,
// PSB 2002).
//
// Bound to points it compares lists of counts, of words packed in numbers that no two
// words share, so that its values are those of the tries to the bit (up to 2⁵³).
type Spectrum struct {
	K        int
	Alphabet Alphabet
	Both     bool
}

// Length returns k.
func (s Spectrum) Length() int {
	if s.K == 0 {
		return 3
	}
	return s.K
}

// Eval returns k(x, y) by two tries in O(k(|x| + |y|)) steps, not the O(k|x||y|) that
// one of the lectures prints: each k-mer is inserted once, and the walk through both
// tries visits no node twice.
func (s Spectrum) Eval(x, y string) float64 {
	r := newReader(s.Alphabet)
	return newTrie(r.strands(x, s.Both), s.Length()).Dot(newTrie(r.strands(y, s.Both), s.Length()))
}

// String returns the expression, such as spectrum(k=3) or spectrum(k=6, alphabet=dna, rc=yes).
func (s Spectrum) String() string {
	return fmt.Sprintf("spectrum(k=%d%s)", s.Length(), options(s.Alphabet, s.Both))
}

// options returns the arguments that are not at their defaults.
func options(a Alphabet, both bool) string {
	var b strings.Builder
	if a != Bytes {
		fmt.Fprintf(&b, ", alphabet=%s", a)
	}
	if both {
		b.WriteString(", rc=yes")
	}
	return b.String()
}

// Contains accepts every sequence of the alphabet, if K is positive. Sequences shorter
// than K have no k-mers, and the kernel is 0 there.
func (s Spectrum) Contains(x string) error {
	if s.Length() < 1 {
		return fmt.Errorf("spectrum: k is %d; words have at least one symbol", s.K)
	}
	if err := s.Alphabet.checkStrands(s.Both); err != nil {
		return err
	}
	return s.Alphabet.check(x)
}

// Family returns that of the kernels on sequences.
func (s Spectrum) Family() kernel.Family[string] { return family{} }

// Derive argues by the feature map.
func (s Spectrum) Derive() kernel.Derivation {
	return kernel.Derivation{Kernel: s.String(), Verdict: kernel.Definite,
		Reason: "an inner product of vectors of counts of words (Leslie, Eskin and Noble 2002)"}
}

// Reference describes the kernel.
func (s Spectrum) Reference() kernel.Reference {
	return kernel.Reference{Name: "spectrum", Title: "spectrum kernel", Formula: "Σ_u φ_u(x) φ_u(y), φ_u(x) = occurrences of the word u of k symbols in x",
		Domain: "x, y: sequences; k ≥ 1", Source: "Leslie, Eskin and Noble, The spectrum kernel: a string kernel for SVM protein classification, PSB 2002",
		SeeAlso: []string{"bounded", "mismatch", "gkm"}}
}
