package kernel_test

import (
	"slices"
	"testing"

	"example.org/mercer/kernel"
)

func TestCardsOfEveryPart(t *testing.T) {
	k, err := parse(`2*normalize(of=exp(of=dot) + 1) + conform(of=compose(of=dot^2, map="2x"), by="1 + x²")*series(of=3, coefficients=[1])`)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, c := range kernel.References(k) {
		names = append(names, c.Name)
	}
	want := []string{"sum", "scaled", "normalize", "sum", "exp", "constant", "product", "conform", "compose", "power", "series", "constant"}
	if !slices.Equal(names, want) {
		t.Errorf("cards of %v, want %v", names, want)
	}
}
