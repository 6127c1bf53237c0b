package kernel

// References returns the reference cards of k and of every kernel it is made of, an
// operator before its operands. A kernel that is not a [Describer] has none.
func References[T any](k Kernel[T]) []Reference {
	var cards []Reference
	if d, ok := k.(Describer); ok {
		cards = append(cards, d.Reference())
	}
	switch k := k.(type) {
	case Compound[T]:
		for _, part := range k.Parts() {
			cards = append(cards, References(part)...)
		}
	case wrapper:
		cards = append(cards, k.partReferences()...)
	}
	return cards
}

// wrapper is implemented by the kernels of the algebra that are no elementwise
// function of their part.
type wrapper interface{ partReferences() []Reference }

func (k Normalized[T]) partReferences() []Reference  { return References(k.Of) }
func (k Conformal[T]) partReferences() []Reference   { return References(k.Of) }
func (k Composed[S, T]) partReferences() []Reference { return References(k.Of) }
