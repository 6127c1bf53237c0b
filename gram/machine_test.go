package gram

import (
	"testing"

	"mercer/internal/testkit"
)

func TestFitRateRecoversHockneysLaw(t *testing.T) {
	law := Rate{Asymptote: 2e10, HalfSize: 300}
	got := fitRate(200, law.At(200), 800, law.At(800), 1e12)
	testkit.Close(t, "asymptote", got.Asymptote/law.Asymptote, 1, 1e-12)
	testkit.Close(t, "half size", got.HalfSize, 300, 1e-12)
	testkit.Close(t, "half of the speed at n½", law.At(300), 1e10, 1e-15)
}

func TestFitRateKeepsToItsBounds(t *testing.T) {
	for name, c := range map[string]struct{ s1, s2, ceiling, asymptote float64 }{
		"falls with n":           {5, 4, 100, 4},
		"grows too fast":         {1, 5, 12, 12},
		"is above its ceiling":   {1, 5, 3, 5},
		"grows, under a ceiling": {4, 5, 5.5, 5.5},
	} {
		got := fitRate(100, c.s1, 200, c.s2, c.ceiling)
		testkit.Close(t, name+": asymptote", got.Asymptote, c.asymptote, 1e-12)
		testkit.Close(t, name+": speed at the larger size", got.At(200), c.s2, 1e-12)
		if got.HalfSize < 0 {
			t.Errorf("%s: n½ = %v", name, got.HalfSize)
		}
	}
}
