package models

import (
	"strings"
	"testing"

	"example.org/mercer"
)

// Letters are on backgrounds where colours may be, and over digits elsewhere; words have room
// between them.
func TestLetters(t *testing.T) {
	dna := []mercer.Place{{Symbol: "A", Contribution: 1}, {Symbol: "C", Contribution: -0.5}, {Symbol: "G"}}
	words := []mercer.Place{{Symbol: "call"}, {Symbol: "now", Contribution: 2}}
	for _, c := range []struct {
		places  []mercer.Place
		colours bool
		want    []string
	}{
		{dna, false, []string{"1   ACG\n", "+ 9\n", "−  5\n"}},
		{dna, true, []string{"\x1b[30;48;5;208mA\x1b[0m\x1b[30;48;5;111mC\x1b[0mG\n"}},
		{words, false, []string{"1   call now\n", "+      9\n"}},
	} {
		var b strings.Builder
		letters(&b, c.places, c.colours)
		for _, want := range c.want {
			if !strings.Contains(b.String(), want) {
				t.Errorf("colours %v: %q has no %q", c.colours, b.String(), want)
			}
		}
		if !c.colours && strings.Contains(b.String(), "\x1b") {
			t.Errorf("%q has colours", b.String())
		}
	}
	var b strings.Builder
	letters(&b, []mercer.Place{{Symbol: "A"}, {Symbol: "C"}}, true)
	if text := b.String(); !strings.HasSuffix(text, "1   AC\n") {
		t.Errorf("shares of 0: %q", text)
	}
}
