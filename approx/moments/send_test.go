package moments_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"example.org/mercer/approx/moments"
	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/pass/passtest"
)

// apart gives the rows a driver.
func apart(r moments.Rows[[]float64]) (moments.Rows[[]float64], *passtest.Scrambled) {
	rows, driver := passtest.Apart(r.Points.(data.Vectors))
	r.Points = rows
	return r, driver
}

// Sums that a driver has added up are those of rows in memory, word by word, of one piece and of
// several, and with any number of workers; also where their steps are chosen twice.
func TestSumsElsewhere(t *testing.T) {
	for name, c := range map[string]struct {
		rows   int
		factor float64 // of a row in the last piece
	}{"one piece": {1000, 1}, "several": {60000, 1}, "whole blocks": {384 * 64 * 2, 1}, "other steps": {60000, 1e7}} {
		r := drawn(t, c.rows, 3, 2, 4)
		far := r.Points.At(c.rows - 5)
		for j := range far {
			far[j] *= c.factor
		}
		for i := range 500 { // the first blocks weigh nothing
			r.Weights[i] = 0
		}
		sent, driver := apart(r)
		for _, workers := range []int{1, 2, 3, 8} {
			want, got := of(t, r, workers), of(t, sent, workers)
			if got.Rows != want.Rows || !slices.Equal(got.Words(), want.Words()) {
				t.Errorf("%s, %d workers: sums of %d rows differ from those of %d", name, workers, got.Rows, want.Rows)
			}
			if got, want := like(t, want, sent), like(t, want, r); !slices.Equal(got.Words(), want.Words()) {
				t.Errorf("%s: sums in the steps of others differ", name)
			}
		}
		if driver.Passes < 8 {
			t.Errorf("%s: %d passes by the driver", name, driver.Passes)
		}
	}
}

// Errors are those of rows in memory: they name the row.
func TestErrorsElsewhere(t *testing.T) {
	r := drawn(t, 60000, 3, 1, 5)
	s := of(t, r, 2)
	for name, v := range map[string]float64{"large": 1e30, "not finite": math.Inf(1)} {
		bad := drawn(t, 60000, 3, 1, 5)
		bad.Points.At(50001)[2] = v
		bad.Points.At(59999)[2] = v
		_, want := moments.Like(t.Context(), s, bad, compute.Options{})
		sent, driver := apart(bad)
		_, got := moments.Like(t.Context(), s, sent, compute.Options{})
		var a, b *moments.TooLarge
		if !errors.As(want, &a) || !errors.As(got, &b) || a.Row != 50001 || a.Error() != b.Error() {
			t.Errorf("%s: %v, and %v in memory", name, got, want)
		}
		driver.Fails = errors.New("the worker is gone")
		if _, got = moments.Like(t.Context(), s, sent, compute.Options{}); got == nil {
			t.Errorf("%s: no error of the driver", name)
		}
	}
	nothing := drawn(t, 1000, 3, 1, 6)
	clear(nothing.Weights)
	sent, _ := apart(nothing)
	if _, err := moments.Of(t.Context(), sent, compute.Options{}); err == nil || !strings.Contains(err.Error(), "add up to zero") {
		t.Errorf("rows without weight: %v", err)
	}
}
