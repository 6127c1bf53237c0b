package kernel

import (
	"fmt"
	"slices"
	"strings"
)

// Verdict says what is known of the definiteness of a kernel.
type Verdict int

const (
	// Unknown: not provably positive definite by the rules known here.
	Unknown Verdict = iota
	// Definite: positive definite (Σᵢⱼ aᵢaⱼk(xᵢ,xⱼ) ≥ 0 always), with a proof.
	Definite
	// Indefinite: not positive definite, with a known counter-example.
	Indefinite
)

// String returns a short phrase for the verdict.
func (v Verdict) String() string {
	switch v {
	case Definite:
		return "positive definite"
	case Indefinite:
		return "not positive definite"
	default:
		return "not provably positive definite"
	}
}

// MarshalText returns String, for JSON.
func (v Verdict) MarshalText() ([]byte, error) { return []byte(v.String()), nil }

// Derivation is a proof tree: why a kernel is positive definite, or why there is no
// proof. From holds the derivations of its parts.
type Derivation struct {
	Kernel  string       `json:"kernel"` // the sub-expression
	Verdict Verdict      `json:"verdict"`
	Reason  string       `json:"reason"` // the rule and where it is proved, one sentence
	From    []Derivation `json:"from,omitempty"`
}

// String returns the argument in sentences: that of the kernel, then those of its parts.
func (d Derivation) String() string {
	var sentences []string
	var tell func(d Derivation)
	tell = func(d Derivation) {
		sentence := d.Kernel + " is " + d.Verdict.String() + ": " + strings.TrimSuffix(d.Reason, ".") + "."
		if !slices.Contains(sentences, sentence) {
			sentences = append(sentences, sentence)
		}
		for _, part := range d.From {
			tell(part)
		}
	}
	tell(d)
	return strings.Join(sentences, " ")
}

// Deriver is implemented by kernels that can argue about their definiteness.
type Deriver interface {
	Derive() Derivation
}

// Derive returns the proof tree of k; a kernel that cannot argue is Unknown.
func Derive[T any](k Kernel[T]) Derivation {
	if d, ok := k.(Deriver); ok {
		return d.Derive()
	}
	return Derivation{Kernel: k.String(), Verdict: Unknown, Reason: "this kernel states no reason to be positive definite"}
}

// Where the rules of the algebra are proved.
const (
	closureSource = "Shawe-Taylor and Cristianini, Kernel Methods for Pattern Analysis (2004), Proposition 3.22"
	seriesSource  = "Shawe-Taylor and Cristianini, Kernel Methods for Pattern Analysis (2004), Proposition 3.24"
)

// premises begins a derivation with those of the parts.
func premises[T any](k Kernel[T], parts ...Kernel[T]) Derivation {
	d := Derivation{Kernel: k.String()}
	for _, part := range parts {
		d.From = append(d.From, Derive(part))
	}
	return d
}

// concluded applies a rule that needs every part to be positive definite. Where one is
// not known to be, nothing is concluded, and the reason names it.
func concluded(d Derivation, rule string) Derivation {
	for _, part := range d.From {
		if part.Verdict != Definite {
			d.Verdict, d.Reason = Unknown, part.Kernel+" is "+part.Verdict.String()+", so this rule does not apply: "+rule
			return d
		}
	}
	d.Verdict, d.Reason = Definite, rule
	return d
}

// alone passes on the verdict on an only part: a sum or product of one kernel is that
// kernel.
func alone(d Derivation, reason string) Derivation {
	d.Verdict, d.Reason = d.From[0].Verdict, reason
	return d
}

// texts names parts: k₁ = …, k₂ = ….
func texts[T any](name string, parts []Kernel[T]) []string {
	out := make([]string, len(parts))
	for i, part := range parts {
		out[i] = fmt.Sprintf("%s%d = %s", name, i+1, part)
	}
	return out
}
