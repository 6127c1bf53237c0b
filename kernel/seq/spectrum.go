package seq

import (
	"fmt"

	"mercer/kernel"
)

// Spectrum is the spectrum kernel
//
//	k(x, x′) = Σ_{u ∈ Aᵏ} φ_u(x) φ_u(x′),   φ_u(x) = the number of places where u occurs in x,
//
// over the words u of K symbols; K = 0 means 3. It is positive definite, as an inner
// product of counts (Leslie, Eskin and Noble, The spectrum kernel, PSB 2002).
type Spectrum struct{ K int }

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
	return NewTrie(x, s.Length()).Dot(NewTrie(y, s.Length()))
}

// String returns the expression, such as spectrum(k=3).
func (s Spectrum) String() string { return fmt.Sprintf("spectrum(k=%d)", s.Length()) }

// Contains accepts every sequence, if K is positive. Sequences shorter than K have no
// k-mers, and the kernel is 0 there.
func (s Spectrum) Contains(string) error {
	if s.Length() < 1 {
		return fmt.Errorf("spectrum: k is %d; words have at least one symbol", s.K)
	}
	return nil
}

// Derive argues by the feature map.
func (s Spectrum) Derive() kernel.Derivation {
	return kernel.Derivation{Kernel: s.String(), Verdict: kernel.Definite,
		Reason: "an inner product of vectors of counts of words (Leslie, Eskin and Noble 2002)"}
}

// Card describes the kernel.
func (s Spectrum) Card() kernel.Card {
	return kernel.Card{Name: "spectrum", Title: "spectrum kernel", Formula: "Σ_u φ_u(x) φ_u(y), φ_u(x) = occurrences of the word u of k symbols in x",
		Domain: "x, y: sequences; k ≥ 1", Source: "Leslie, Eskin and Noble, The spectrum kernel: a string kernel for SVM protein classification, PSB 2002"}
}
