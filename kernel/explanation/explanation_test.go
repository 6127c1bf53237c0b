package explanation

import (
	"context"
	"errors"
	"math"
	"testing"
)

// TestByPlaceKeepsTheSum: parts are shared among their places, so that the values of places add up
// to those of the parts that have places.
func TestByPlaceKeepsTheSum(t *testing.T) {
	s := Split{Places: make([]Place, 4)}
	s.Add("ab", 1, []int{0, 1})
	s.Add("bc", 3, []int{1, 2})
	s.Add("constant", 10, nil)
	if s.Value != 14 {
		t.Errorf("value %g instead of 14", s.Value)
	}
	want := []float64{0.5, 2, 1.5, 0}
	for i, got := range s.ByPlace() {
		if got != want[i] {
			t.Errorf("place %d: %g instead of %g", i, got, want[i])
		}
	}
}

// TestAddCopiesPlaces: whoever lists occurrences overwrites the places after the visit.
func TestAddCopiesPlaces(t *testing.T) {
	var s Split
	at := []int{1}
	s.Add("a", 1, at)
	at[0] = 2
	if s.Parts[0].Places[0] != 1 {
		t.Error("the part has the places of the next one")
	}
}

// TestNamesAreGivenToPlacesWithout: names that there are stay, and a feature of one place takes its
// name.
func TestNamesAreGivenToPlacesWithout(t *testing.T) {
	s := Split{Rule: ByFeatures, Places: []Place{{}, {Name: "own"}, {}},
		Parts: []Part{{Places: []int{0}}, {Places: []int{1}}, {Places: []int{0, 1}}, {Feature: "f", Places: []int{0}}}}
	s.Name([]string{"first", "second"})
	if s.Places[0].Name != "first" || s.Places[1].Name != "own" || s.Places[2].Name != "" {
		t.Errorf("places %v", s.Places)
	}
	for i, want := range []string{"first", "own", "", "f"} {
		if got := s.Parts[i].Feature; got != want {
			t.Errorf("part %d is named %q instead of %q", i, got, want)
		}
	}
	w := Weights{Features: []Weight{{}, {Feature: "own"}}}
	w.Name([]string{"first", "second"})
	if w.Features[0].Feature != "first" || w.Features[1].Feature != "own" {
		t.Errorf("features %v", w.Features)
	}
}

// square is g(x) = x², one term.
type square struct{}

func (square) Split(_ context.Context, x float64) ([]Split, error) {
	return []Split{{Term: "square", Value: x * x}}, nil
}

func (square) Weights(context.Context) ([]Weights, error) { return []Weights{{Term: "square"}}, nil }

// TestMappingIsTheFunctionAtTheImage: g(φ(x)), and edits of terms reach splits and weights.
func TestMappingIsTheFunctionAtTheImage(t *testing.T) {
	m := Mapping[int, float64]{Of: square{}, By: func(n int) float64 { return math.Sqrt(float64(n)) },
		Edit: func(s *Split) { s.Term, s.Column = s.Term+"(sqrt)", "n" }}
	splits, err := m.Split(context.Background(), 4)
	if err != nil || splits[0].Value != 4 || splits[0].Term != "square(sqrt)" {
		t.Errorf("%+v, error %v", splits, err)
	}
	weights, err := m.Weights(context.Background())
	if err != nil || weights[0].Term != "square(sqrt)" || weights[0].Column != "n" {
		t.Errorf("%+v, error %v", weights, err)
	}
}

type kernel string

func (k kernel) String() string { return string(k) }

// TestNoFeaturesIsUnsupported: callers ask for the error by [errors.ErrUnsupported].
func TestNoFeaturesIsUnsupported(t *testing.T) {
	if err := NoFeatures(kernel("rbf()")); !errors.Is(err, errors.ErrUnsupported) {
		t.Error(err)
	}
}
