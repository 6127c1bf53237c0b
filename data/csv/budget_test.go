package csv_test

import (
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"

	"example.org/mercer/data"
	"example.org/mercer/data/csv"
)

// endless repeats a text without an end.
type endless struct {
	text string
	at   int
}

func (e *endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = e.text[e.at]
		e.at = (e.at + 1) % len(e.text)
	}
	return len(p), nil
}

// Reading ends within its budget, whatever the source repeats, and holds not much more than it
// counts.
func TestBudget(t *testing.T) {
	const budget = 2 << 20
	for _, repeated := range []string{"1,2\n", "1,word\n", "\n", " ", ",", ";", "a different word of text,1\n", "# remark\n", "\"", "\"\n", "1\t\"\n", "x y z\n", "1,\"a\n b\"\n"} {
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		in := io.MultiReader(strings.NewReader("a,b\n1,2\n"), &endless{text: repeated})
		_, err := csv.Read(t.Context(), "t", in, csv.Options{Budget: data.NewBudget(budget)})
		runtime.ReadMemStats(&after)
		var e *data.Error
		if !errors.As(err, &e) || e.Source != "t" {
			t.Errorf("%q without an end: %v", repeated, err)
		}
		// What grows by a quarter is allocated five times until it has its size.
		if got := after.TotalAlloc - before.TotalAlloc; got > 10*budget {
			t.Errorf("%q without an end: %d MiB were allocated for a budget of %d", repeated, got>>20, budget>>20)
		}
	}
}

// What a table takes from a budget is near to what it holds.
func TestBudgetIsNearTheTruth(t *testing.T) {
	for name, row := range map[string]string{"numbers": "1,2,3,4,5,6,7,8\n", "words": "red,green,blue,red,green,blue,red,green\n"} {
		text := "a,b,c,d,e,f,g,h\n" + strings.Repeat(row, 50_000)
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		b := data.NewBudget(1 << 30)
		table, err := csv.Read(t.Context(), "t", strings.NewReader(text), csv.Options{Budget: b})
		if err != nil {
			t.Fatal(err)
		}
		runtime.GC()
		runtime.ReadMemStats(&after)
		left, _ := b.Left()
		counted, held := float64(1<<30-left), float64(after.HeapAlloc)-float64(before.HeapAlloc)
		if counted < 0.9*held || counted > 2*held {
			t.Errorf("%s: counted %.0f bytes of %.0f", name, counted, held)
		}
		runtime.KeepAlive(table)
	}
}

// A line of a million commas and more is refused as soon as it is seen to be too wide.
func TestTooWide(t *testing.T) {
	_, err := csv.Read(t.Context(), "t", strings.NewReader(strings.Repeat("1,", 3<<20)+"\n"), csv.Options{Delimiter: ','})
	if err == nil || !strings.Contains(err.Error(), "t: line 1: has more cells than the 1048576 columns of a table") {
		t.Error(err)
	}
}
