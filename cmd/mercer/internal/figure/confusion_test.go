package figure

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

func confused(n int) Confusion {
	m := Confusion{Title: "svc: kind, 93.1 % right"}
	for i := range n {
		m.Labels = append(m.Labels, fmt.Sprintf("class %d", i+1))
		row := make([]float64, n)
		for j := range row {
			row[j] = float64((i*7 + j*j*3) % 5 * ((i + j) % 2))
		}
		row[i] = 120 + float64(i)
		m.Counts = append(m.Counts, row)
	}
	return m
}

// TestConfusion reads names, counts and the bar of up to thirty classes.
func TestConfusion(t *testing.T) {
	for _, n := range []int{2, 3, 10, 30, 60} {
		svg, err := confused(n).SVG()
		if err != nil {
			t.Fatal(err)
		}
		wants := []string{"share of the true class", "predicted", "true", "class 1", "0.50"}
		if n <= numberedClasses {
			wants = append(wants, fmt.Sprint(119+n), fmt.Sprintf("class %d", n))
		}
		for _, want := range wants {
			if !strings.Contains(string(svg), ">"+want+"<") {
				t.Errorf("%d classes: the picture does not say %q", n, want)
			}
		}
		if dir := os.Getenv("LOOK"); dir != "" {
			png, _ := confused(n).PNG()
			os.WriteFile(fmt.Sprintf("%s/confusion%d.png", dir, n), png, 0o666)
		}
	}
}

// TestConfusionRefuses wants a count for every pair.
func TestConfusionRefuses(t *testing.T) {
	short := confused(3)
	short.Counts[1] = short.Counts[1][:2]
	for name, m := range map[string]Confusion{"no classes": {}, "a short row": short, "no rows": {Labels: []string{"a"}}} {
		if _, err := m.PNG(); err == nil {
			t.Errorf("%s: was drawn", name)
		}
	}
}

// TestConfusionShares paints rows by their shares: a class that is twice as frequent looks alike.
func TestConfusionShares(t *testing.T) {
	m := Confusion{Labels: []string{"a", "b"}, Counts: [][]float64{{30, 10}, {20, 60}}}
	svg, err := m.SVG()
	if err != nil {
		t.Fatal(err)
	}
	of := func(share float64) string {
		c := sequential(share)
		return fmt.Sprintf("fill:#%02X%02X%02X", c.R, c.G, c.B)
	}
	for _, share := range []float64{0.75, 0.25} {
		if got := strings.Count(string(svg), of(share)); got < 2 {
			t.Errorf("%d squares of a share of %g, want 2", got, share)
		}
	}
}

// TestLettersOnColours wants letters that differ from their ground by at least 40 in lightness.
func TestLettersOnColours(t *testing.T) {
	for k := range 101 {
		for _, ground := range []float64{float64(k) / 100, -float64(k) / 100} {
			c := diverging(ground)
			if d := lightness(on(c)) - lightness(c); max(d, -d) < 40 {
				t.Errorf("letters on the colour of %g differ by %.1f in lightness", ground, d)
			}
		}
	}
}
