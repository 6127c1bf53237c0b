package kernel

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

// Derivation is a proof tree: why a kernel is positive definite, or why there is no
// proof. From holds the derivations of its parts.
type Derivation struct {
	Kernel  string // the sub-expression
	Verdict Verdict
	Reason  string // the rule and where it is proved, one sentence
	From    []Derivation
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
