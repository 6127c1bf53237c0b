package prep

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/mat"
)

func TestTargetCodes(t *testing.T) {
	two := Target{Name: "y", Labels: []string{"no", "yes"}}
	three := Target{Name: "y", Labels: []string{"a", "b", "c"}}
	number := Target{Name: "y"}
	for _, c := range []struct {
		target  Target
		outputs []float64
		want    string
	}{
		{two, []float64{-0.1}, "no"},
		{two, []float64{0}, "yes"},
		{two, []float64{3}, "yes"},
		{two, []float64{1, 2}, ""},
		{three, []float64{-1, -0.5, -2}, "b"},
		{three, []float64{1, 1, 0}, "a"},
		{three, []float64{1}, ""},
		{number, []float64{1}, ""},
	} {
		if got := c.target.Decode(c.outputs); got != c.want {
			t.Errorf("%q decodes %v as %q, want %q", c.target.Labels, c.outputs, got, c.want)
		}
	}
	for _, target := range []Target{two, three} {
		for i, label := range target.Labels {
			outputs := make([]float64, target.Outputs())
			target.encode(outputs, i)
			if got := target.Decode(outputs); got != label {
				t.Errorf("%s is coded %v and decoded %s", label, outputs, got)
			}
		}
	}
	if !cmp.Equal(three.Names(), []string{"y=a", "y=b", "y=c"}) || !cmp.Equal(two.Names(), []string{"y"}) || !cmp.Equal(number.Names(), []string{"y"}) {
		t.Errorf("names %q, %q, %q", three.Names(), two.Names(), number.Names())
	}
}

// TestNumbersAsLabels: with Labels a numeric target is a class, whose labels are its
// numbers as text, and new tables are read the same way.
func TestNumbersAsLabels(t *testing.T) {
	tab := table("x y", "1 7", "2 -1", "3 7", "4 0.5")
	p, got := fit(t, tab, Spec{Targets: []string{"y"}, Labels: true})
	if want := []string{"-1", "0.5", "7"}; !cmp.Equal(p.Targets()[0].Labels, want) {
		t.Fatalf("labels %q, want %q", p.Targets()[0].Labels, want)
	}
	var classes []int
	for i := range 4 {
		classes = append(classes, p.Targets()[0].Class(got.Y.RawRowView(i)))
	}
	if !cmp.Equal(classes, []int{2, 0, 2, 1}) {
		t.Errorf("classes %v", classes)
	}
	again, err := p.Apply(tab)
	if err != nil || !mat.Equal(again.Y, got.Y) {
		t.Errorf("the same table again gives %v, %v", again, err)
	}
	if _, err := p.Apply(table("x y", "1 8")); err == nil || !strings.Contains(err.Error(), "not seen") {
		t.Errorf("an unseen number: %v", err)
	}
}
