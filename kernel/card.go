package kernel

// Cards returns the reference cards of k and of every kernel it is made of, an
// operator before its operands. A kernel that is not a [Describer] has none.
func Cards[T any](k Kernel[T]) []Card {
	var cards []Card
	if d, ok := k.(Describer); ok {
		cards = append(cards, d.Card())
	}
	switch k := k.(type) {
	case Compound[T]:
		for _, part := range k.Parts() {
			cards = append(cards, Cards(part)...)
		}
	case wrapper:
		cards = append(cards, k.partCards()...)
	}
	return cards
}

// wrapper is implemented by the kernels of the algebra that are no elementwise
// function of their part.
type wrapper interface{ partCards() []Card }

func (k Normalized[T]) partCards() []Card  { return Cards(k.Of) }
func (k Conformed[T]) partCards() []Card   { return Cards(k.Of) }
func (k Composed[S, T]) partCards() []Card { return Cards(k.Of) }
