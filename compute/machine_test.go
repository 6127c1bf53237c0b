package compute

import (
	"testing"

	"example.org/mercer/internal/testkit"
)

func TestRateIsHockneysLaw(t *testing.T) {
	law := Rate{Asymptote: 2e10, HalfSize: 300}
	testkit.Close(t, "half of the speed at n½", law.At(300), 1e10, 1e-15)
	testkit.Close(t, "three quarters at 3n½", law.At(900), 1.5e10, 1e-15)
	got := rateThrough(200, law.At(200), 2e10)
	testkit.Close(t, "asymptote", got.Asymptote, 2e10, 1e-15)
	testkit.Close(t, "half size", got.HalfSize, 300, 1e-12)
}

func TestRateAboveItsAsymptoteIsConstant(t *testing.T) {
	got := rateThrough(100, 5, 3)
	testkit.Close(t, "speed at n = 10", got.At(10), 5, 0)
	testkit.Close(t, "speed at n = 10⁶", got.At(1e6), 5, 0)
}

// Memory at hand is written at one rate, and what is beyond at that of cold memory, if it is known.
func TestFreshMemory(t *testing.T) {
	m := Machine{CopyRate: 4 * atHand, ColdRate: atHand / 2}
	testkit.Close(t, "half of what is at hand", m.FreshSeconds(atHand/2), 0.125, 1e-15)
	testkit.Close(t, "twice that and a half", m.FreshSeconds(2.5*atHand), 0.25+3, 1e-15)
	m.ColdRate = 0
	testkit.Close(t, "cold memory is not known", m.FreshSeconds(2*atHand), 0.5, 1e-15)
}
