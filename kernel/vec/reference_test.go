package vec_test

import (
	"slices"
	"strings"
	"testing"

	"example.org/mercer/kernel"
	"example.org/mercer/kernel/expr"
	"example.org/mercer/kernel/vec"
)

func TestCardsGiveEquivalents(t *testing.T) {
	for text, want := range map[string][]string{
		"rbf(gamma=0.5)":             {"sigma = 1", "gamma = 1/(2σ²) = 0.5", "lengthscale = 1", "precision = 1/σ² = 1"},
		"rbf(sigma=[1,2])":           {"gamma = 1/(2σ²) = [0.5, 0.125]"},
		"laplace1(gamma=4)":          {"sigma = 0.25", "gamma = 1/σ = 4"},
		"laplace(sigma=2)":           {"matern(nu=0.5, sigma=2)"},
		"poly(degree=3, offset=2)":   {"degree n = 3", "offset c = 2 (coef0)", "scale s = 1 (gamma)"},
		"rq(alpha=2,sigma=3)":        {"alpha = 2", "sigma = 3"},
		"periodic(period=7,sigma=2)": {"period p = 7", "lengthscale = 2"},
	} {
		got := parse(t, text).(kernel.Describer).Reference().Equivalents
		for _, w := range want {
			if !slices.Contains(got, w) {
				t.Errorf("%s: equivalents %q lack %q", text, got, w)
			}
		}
	}
}

// Every name of the dictionary has a summary; every kernel made with defaults and one
// width has a complete card, whose name is in the dictionary like its neighbours', and
// a reason.
func TestEveryKernelIsDocumented(t *testing.T) {
	d := vec.Dictionary(vec.Schema{})
	for name, e := range d.Kernels {
		if e.Summary == "" {
			t.Errorf("%s has no summary", name)
		}
		for _, a := range e.Arguments {
			if a.Help == "" {
				t.Errorf("%s: %s has no help", name, a.Name)
			}
		}
		text := name
		switch {
		case name == "bilinear":
			text = "bilinear(matrix=[1])"
		case name == "mahalanobis":
			text = "mahalanobis(of=linear, scales=[1])"
		case name == "anova":
			text = "anova(of=linear)"
		case name == "centred":
			text = "centred(of=rbf(sigma=1))"
		case name == "category":
			text = "category(rho=0.5)"
		case name == "wendland":
			text = "wendland(radius=1)"
		case name == "ckn":
			text = "ckn(shape=[3, 3, 1], patch=3, pool=2)"
		case name == "words" || name == "fisher":
			text += "(shape=[9, 9, 1])"
		case name == "deep":
			text = "deep(of=rbf(sigma=1), widths=[3, 2])"
		case name == "formula" || name == "constant":
			continue // documented where they are made
		case len(e.Arguments) > 0 && slices.ContainsFunc(e.Arguments, func(a expr.Argument) bool { return a.Name == "sigma" }):
			text += "(sigma=1)"
		}
		k := parse(t, text)
		card := k.(kernel.Describer).Reference()
		if card.Title == "" || card.Formula == "" || card.Domain == "" || card.Source == "" {
			t.Errorf("%s: incomplete card %+v", name, card)
		}
		for _, other := range append(card.SeeAlso, card.Name) {
			if _, ok := d.Kernels[other]; !ok {
				t.Errorf("%s: the card names %q, which is unknown", name, other)
			}
		}
		derivation := kernel.Derive(k)
		want := kernel.Definite
		if name == "tanh" {
			want = kernel.Indefinite
		}
		if derivation.Verdict != want || derivation.Reason == "" || derivation.Kernel != k.String() {
			t.Errorf("%s: %+v", name, derivation)
		}
	}
}

func TestIndefiniteKernelsSaySo(t *testing.T) {
	for text, want := range map[string]string{
		"poly(degree=2, offset=-1)":    "negative",
		"tanh(scale=-1)":               "the first, for scale < 0",
		"tanh(offset=1)":               "second",
		"tanh(offset=-1)":              "value at 0",
		"poly(degree=2, offset=-1)[0]": "projection",
	} {
		d := kernel.Derive(parse(t, text))
		if d.Verdict != kernel.Indefinite || !strings.Contains(d.Reason, want) {
			t.Errorf("%s: %+v", text, d)
		}
	}
}
