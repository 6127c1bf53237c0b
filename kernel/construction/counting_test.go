package construction

import (
	"context"
	"reflect"
	"testing"

	"example.org/mercer/data"
	"example.org/mercer/kernel/explanation"
)

// letters counts the letters of a word, the vowel a twice as heavily.
var letters = Counting[string]{
	Term: "letters",
	Places: func(x string) (out []explanation.Place) {
		for _, c := range x {
			out = append(out, explanation.Place{Symbol: string(c)})
		}
		return out
	},
	List: func(_ context.Context, x string, visit func(feature string, m float64, places []int)) error {
		for i, c := range x {
			m := 1.0
			if c == 'a' {
				m = 2
			}
			visit(string(c), m, []int{i})
		}
		return nil
	},
}

// TestCountsAreExplainedExactly: with g = Σᵢ cᵢ k(·, xᵢ) for k(x, y) = 2n_a(x)n_a(y) + n_b(x)n_b(y)
// + …, an occurrence of a adds w(a) = 2Σᵢ cᵢ n_a(xᵢ), and so on. "c" is in no point and adds
// nothing.
func TestCountsAreExplainedExactly(t *testing.T) {
	g, err := letters.Explain(context.Background(), data.Slice[string]{"ab", "aab"}, []float64{1, -0.5})
	if err != nil {
		t.Fatal(err)
	}
	weights, err := g.Weights(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	want := []explanation.Weight{{Feature: "a", Value: 2 * (1 - 0.5*2), Times: 3}, {Feature: "b", Value: 1 - 0.5, Times: 2}}
	for i, w := range weights[0].Features {
		if !reflect.DeepEqual(w, want[i]) {
			t.Errorf("%+v instead of %+v", w, want[i])
		}
	}
	splits, err := g.Split(context.Background(), "bcb")
	if err != nil {
		t.Fatal(err)
	}
	if s := splits[0]; s.Value != 1 || len(s.Parts) != 2 || len(s.Places) != 3 {
		t.Errorf("%+v instead of two occurrences of b with 0.5 each", s)
	}
}

// TestPullCountsAtTheImage lists the features of φ(x).
func TestPullCountsAtTheImage(t *testing.T) {
	pulled := Pull(Features[string](letters), func(n int) string { return "abab"[:n] }).(Counting[int])
	n := 0
	if err := pulled.List(context.Background(), 3, func(string, float64, []int) { n++ }); err != nil || n != 3 {
		t.Errorf("%d features instead of 3, error %v", n, err)
	}
	if places := pulled.Places(2); len(places) != 2 || places[1].Symbol != "b" {
		t.Errorf("places %v", places)
	}
}
