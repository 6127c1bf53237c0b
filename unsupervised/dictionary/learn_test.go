package dictionary_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel/expr"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/kernel/visual"
	"example.org/mercer/unsupervised/dictionary"
)

// blobs are images of single pixels around a few grey levels, so that the best words are known.
func blobs(t *testing.T, n int) data.Vectors {
	rng := testkit.Rand(t, 7)
	xs := data.MakeVectors(n, 16)
	for i := range xs.Raw() {
		level := []float64{1, 5, 9}[rng.IntN(3)]
		xs.Raw()[i] = level + 0.01*rng.NormFloat64()
	}
	return xs
}

func code(t *testing.T, o visual.Options) *visual.Code {
	t.Helper()
	c, err := o.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

var small = visual.Dense{Shape: [3]int{4, 4, 1}, Input: "raw", Reduce: 1, Patch: 2}

// The words of a sample are centres that Lloyd's iteration leaves where they are: each is the mean
// of the descriptors nearest to it, up to six digits.
func TestWordsAreCentres(t *testing.T) {
	xs := blobs(t, 40)
	c := code(t, visual.Options{Dense: small, Coding: visual.Words(5)})
	numbers, err := dictionary.Learn(t.Context(), c, xs, 1, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	d := c.Descriptors()
	all, scratch := make([]float64, d.Count()*d.Dim()), make([]float64, d.Scratch())
	sums, counts := make([]float64, len(numbers)), make([]float64, 5)
	for i := range xs.Len() { // few images: the sample is all of their descriptors
		d.Of(all, scratch, xs.At(i))
		for x := range slices.Chunk(all, 4) {
			best, at := math.Inf(1), 0
			for j := range 5 {
				gap := 0.0
				for q, v := range x {
					gap += (v - numbers[4*j+q]) * (v - numbers[4*j+q])
				}
				if gap < best {
					best, at = gap, j
				}
			}
			counts[at]++
			for q, v := range x {
				sums[4*at+q] += v
			}
		}
	}
	for i, v := range numbers {
		testkit.Close(t, "word", v, sums[i]/counts[i/4], 0.01)
	}
}

// A mixture has weights of sum 1, and the variances of its floor at least; directions of principal
// components are orthonormal up to six digits.
func TestMixtureAfterPrincipalComponents(t *testing.T) {
	c := code(t, visual.Options{Dense: small, Components: 3, Coding: visual.Fisher(4)})
	numbers, err := dictionary.Learn(t.Context(), c, blobs(t, 60), 1, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	directions, own := numbers[4:16], numbers[16:]
	for a := range 3 {
		for b := range 3 {
			sum := 0.0
			for q := range 4 {
				sum += directions[4*a+q] * directions[4*b+q]
			}
			want := 0.0
			if a == b {
				want = 1
			}
			testkit.Close(t, "direction", sum, want, 1e-5)
		}
	}
	sum := 0.0
	for _, w := range own[:4] {
		sum += w
	}
	testkit.Close(t, "weights", sum, 1, 1e-5)
	if _, err := c.New(numbers); err != nil {
		t.Error(err)
	}
}

func TestSameBitsForAnyWorkers(t *testing.T) {
	xs := blobs(t, 50)
	for _, coding := range []visual.Coding{visual.Words(6), visual.Fisher(3)} {
		c := code(t, visual.Options{Dense: small, Components: 2, Coding: coding})
		one, err := dictionary.Learn(t.Context(), c, xs, 3, compute.Options{Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		for _, workers := range []int{2, 5} {
			other, err := dictionary.Learn(t.Context(), c, xs, 3, compute.Options{Workers: workers})
			if err != nil || !slices.Equal(one, other) {
				t.Errorf("%s with %d workers: %v, other numbers", coding.Name(), workers, err)
			}
		}
	}
}

func TestImagesThatAreRefused(t *testing.T) {
	same := data.MakeVectors(30, 16)
	for i := range same.Raw() {
		same.Raw()[i] = 3
	}
	c := code(t, visual.Options{Dense: small, Coding: visual.Words(5)})
	if _, err := dictionary.Learn(t.Context(), c, same, 0, compute.Options{}); err == nil || !strings.Contains(err.Error(), "1 different descriptors") {
		t.Errorf("equal images: %v", err)
	}
	if _, err := dictionary.Learn(t.Context(), c, data.MakeVectors(0, 16), 0, compute.Options{}); err == nil || !strings.Contains(err.Error(), "no images") {
		t.Errorf("no images: %v", err)
	}
	deep := code(t, visual.Options{Dense: small, Components: 3, Coding: visual.Words(1)})
	if _, err := dictionary.Learn(t.Context(), deep, same, 0, compute.Options{}); err == nil || !strings.Contains(err.Error(), "are the same") {
		t.Errorf("no direction: %v", err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := dictionary.Learn(ended, c, blobs(t, 20), 0, compute.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// Dictionaries are learned where an expression has none, from the columns that it selects; a width
// in the kernel of the codes is one of codes.
func TestFill(t *testing.T) {
	xs := data.MakeVectors(30, 18)
	images := blobs(t, 30)
	for i := range 30 {
		copy(xs.At(i)[2:], images.At(i))
		xs.At(i)[0] = float64(i)
	}
	schema := vec.Schema{Names: make([]string, 18)}
	for j := range schema.Names {
		schema.Names[j] = "p" + string(rune('a'+j))
	}
	schema.Names[0], schema.Names[1] = "age", "size"
	text := "rbf(sigma=median)[age] + normalize(of=words(shape=[4, 4, 1], input=raw, reduce=1, patch=2, size=5, of=rbf(sigma=?)))[p*]"
	node, err := expr.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	if node, err = expr.Resolve(node, vec.Dictionary(schema)); err != nil {
		t.Fatal(err)
	}
	node, notes, err := dictionary.Fill(t.Context(), node, xs, schema, 0, compute.Options{})
	if err != nil || len(notes) != 1 || !strings.Contains(notes[0], "a dictionary of 5 was learned from descriptors of 30 images") {
		t.Fatal(notes, err)
	}
	c := code(t, visual.Options{Dense: small, Coding: visual.Words(5)})
	numbers, err := dictionary.Learn(t.Context(), c, images, 0, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	points := dictionary.Points(node, xs, schema)
	if c, err = c.New(numbers); err != nil {
		t.Fatal(err)
	}
	want := make([]float64, 5)
	for _, p := range node.Placeholders() {
		seen, _, err := points(p)
		if err != nil {
			t.Fatal(err)
		}
		if p.Word == "median" {
			if seen.Len() != 30 || len(seen.At(0)) != 18 {
				t.Errorf("the width of the ages sees %d points of %d", seen.Len(), len(seen.At(0)))
			}
			continue
		}
		if p.Word != "?" {
			continue
		}
		for i := range 30 {
			c.Of(want, images.At(i))
			testkit.CloseSlice(t, "code", seen.At(i), want, 0)
		}
	}
	again, notes, err := dictionary.Fill(t.Context(), node, xs, schema, 9, compute.Options{})
	if err != nil || notes != nil || again.String() != node.String() {
		t.Errorf("a dictionary is learned again: %v", err)
	}
}

func TestFillPlacesErrors(t *testing.T) {
	node, err := expr.Parse("2*words(shape=[5, 5, 1], patch=2)")
	if err != nil {
		t.Fatal(err)
	}
	if node, err = expr.Resolve(node, vec.Dictionary(vec.Schema{})); err != nil {
		t.Fatal(err)
	}
	_, _, err = dictionary.Fill(t.Context(), node, blobs(t, 20), vec.Schema{}, 0, compute.Options{})
	if err == nil || !strings.Contains(err.Error(), "column 3") || !strings.Contains(err.Error(), "a point has 16") {
		t.Errorf("%v", err)
	}
}
