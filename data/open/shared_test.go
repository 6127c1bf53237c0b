package open_test

import (
	"encoding/json"
	"math"
	"os"
	"testing"

	"example.org/mercer/data"
	"example.org/mercer/data/open"
	"example.org/mercer/internal/testkit"
)

// reference is testdata/shared.json: what another program reads in the public data sets.
type reference struct {
	Origin string
	Files  []struct {
		File    string
		Rows    int
		Headed  bool
		Target  string
		Columns []struct {
			Name    string
			Kind    string
			Missing int
			Sum     float64
			Abs     float64
			Levels  map[string]int
		}
	}
}

// TestShared reads every public table without any option and compares names, types,
// missing cells, and the sum or the levels of every column with the reference.
func TestShared(t *testing.T) {
	raw, err := os.ReadFile("testdata/shared.json")
	if err != nil {
		t.Fatal(err)
	}
	var ref reference
	if err := json.Unmarshal(raw, &ref); err != nil {
		t.Fatal(err)
	}
	for _, want := range ref.Files {
		t.Run(want.File, func(t *testing.T) {
			got, err := open.Read(t.Context(), testkit.Shared(t, want.File), open.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if got.Rows() != want.Rows || len(got.Columns) != len(want.Columns) {
				t.Fatalf("%d rows of %d columns, want %d of %d", got.Rows(), len(got.Columns), want.Rows, len(want.Columns))
			}
			if got.Headed != want.Headed || got.Target != want.Target {
				t.Errorf("headed %v, target %q; want %v, %q", got.Headed, got.Target, want.Headed, want.Target)
			}
			for j, w := range want.Columns {
				c := &got.Columns[j]
				if c.Name != w.Name || c.Kind.String() != w.Kind {
					t.Errorf("column %d is %s (%v), want %s (%s)", j+1, c.Name, c.Kind, w.Name, w.Kind)
					continue
				}
				if n := countMissing(c); n != w.Missing {
					t.Errorf("column %s has %d missing cells, want %d", c.Name, n, w.Missing)
				}
				if c.Kind == data.Numeric {
					// A sum of n terms errs by at most (n−1)·2⁻⁵³·Σ|x| to first order, and
					// its reference is rounded once.
					tol := float64(want.Rows) * 0x1p-53 * w.Abs
					if s := sum(c); math.Abs(s-w.Sum) > tol {
						t.Errorf("column %s sums to %.17g, want %.17g ± %.2g", c.Name, s, w.Sum, tol)
					}
					continue
				}
				levels := make(map[string]int)
				for i, s := range c.Strings {
					if !c.IsMissing(i) {
						levels[s]++
					}
				}
				if len(levels) != len(w.Levels) {
					t.Errorf("column %s has levels %v, want %v", c.Name, levels, w.Levels)
				}
				for s, n := range w.Levels {
					if levels[s] != n {
						t.Errorf("column %s has %q %d times, want %d", c.Name, s, levels[s], n)
					}
				}
			}
		})
	}
}

func countMissing(c *data.Column) int {
	n := 0
	for i := range c.Len() {
		if c.IsMissing(i) {
			n++
		}
	}
	return n
}

// sum adds the cells that are not missing.
func sum(c *data.Column) float64 {
	s := 0.0
	for i, v := range c.Numbers {
		if !c.IsMissing(i) {
			s += v
		}
	}
	return s
}

// TestSharedDigits reads the test part of MNIST with its labels. The sums are those of
// NumPy 2.4.6 (frombuffer, offset 16 and 8); those weighted by the column tell apart an
// order of pixels from another.
func TestSharedDigits(t *testing.T) {
	got, err := open.Read(t.Context(), testkit.Shared(t, "images/mnist-t10k-images-idx3-ubyte.gz"), open.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got.Rows() != 10000 || len(got.Columns) != 785 || got.Target != "label" || got.Columns[784].Name != "p784" {
		t.Fatalf("%d rows of %d columns, target %q", got.Rows(), len(got.Columns), got.Target)
	}
	sums := [3]float64{}
	for j, c := range got.Columns {
		for _, v := range c.Numbers {
			if j == 0 {
				sums[0] += v
				continue
			}
			sums[1] += v
			sums[2] += v * float64(j)
		}
	}
	if want := [3]float64{44434, 264923200, 107790167391}; sums != want {
		t.Errorf("sums of labels, of pixels, and of pixels times column are %v, want %v", sums, want)
	}
}
