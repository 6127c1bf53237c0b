package prep

import (
	"testing"

	"github.com/google/go-cmp/cmp"
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
