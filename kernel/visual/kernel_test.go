package visual_test

import (
	"math"
	"strings"
	"testing"

	"example.org/mercer/data"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/kerneltest"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/kernel/visual"
)

func TestConformance(t *testing.T) {
	rng := testkit.Rand(t, 8)
	images := make([][]float64, 16)
	for i := range images {
		images[i] = pixels(rng, 12*10)
	}
	clear(images[2])
	for _, o := range []visual.Options{
		{Coding: visual.Words(6), Pyramid: visual.Pyramid{1, 2}},
		{Coding: visual.Fisher(3), Components: 4},
	} {
		o.Dense = denses[0]
		for _, of := range []vec.Kernel{vec.Min(), vec.RBF{Sigma: 0.7}, vec.Linear{}} {
			if _, ok := o.Coding.(visual.Fisher); ok && of.String() == "min()" {
				continue // which compares numbers ≥ 0
			}
			k := visual.New(of, learned(t, o, rng))
			t.Run(o.Coding.Name()+" "+of.String(), func(t *testing.T) {
				kerneltest.Run(t, k, images, kerneltest.Options[[]float64]{Parse: vec.Parse, Set: kerneltest.Vectors})
			})
		}
	}
}

// Many images have the codes of each, and the kernel is that of the codes.
func TestKernelIsThatOfTheCodes(t *testing.T) {
	rng := testkit.Rand(t, 9)
	xs := data.MakeVectors(20, 120)
	copy(xs.Raw(), pixels(rng, len(xs.Raw())))
	c := learned(t, visual.Options{Dense: denses[0], Coding: visual.Words(6)}, rng)
	k := visual.New(vec.Min(), c)
	codes := k.Images(xs)
	one := make([]float64, c.Features())
	for i := range xs.Len() {
		c.Of(one, xs.At(i))
		testkit.CloseSlice(t, "code", codes.At(i), one, 0)
	}
	if got, want := k.Eval(xs.At(1), xs.At(2)), vec.Min().Eval(codes.At(1), codes.At(2)); got != want {
		t.Errorf("%v, want %v", got, want)
	}
}

// Without a dictionary there are no values, and the domain says why.
func TestUnlearned(t *testing.T) {
	for _, text := range []string{"words(shape=[12, 10, 1])", "fisher(shape=[12, 10, 1], of=rbf(sigma=1))"} {
		k, err := vec.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		x := make([]float64, 120)
		if v := k.Eval(x, x); !math.IsNaN(v) {
			t.Errorf("%s: %v without a dictionary", text, v)
		}
		if err := kernel.Contains(k, x); err == nil || !strings.Contains(err.Error(), "has no dictionary yet") {
			t.Errorf("%s: %v", text, err)
		}
		if err := kernel.Contains(k, x[1:]); err == nil || !strings.Contains(err.Error(), "a point has 119") {
			t.Errorf("%s: %v", text, err)
		}
		again, err := vec.Parse(k.String())
		if err != nil || again.String() != k.String() {
			t.Errorf("%s is read again as %v: %v", k, again, err)
		}
	}
}

func TestExpressionsThatAreRefused(t *testing.T) {
	for text, want := range map[string]string{
		"words(shape=[3, 3])":                        "three numbers",
		"words(size=3)":                              "needs",
		"words(shape=[3, 3.5, 1])":                   "whole numbers",
		"words(shape=[9, 9, 1], patch=0)":            "patch = 0",
		"words(shape=[9, 9, 1], components=3)":       "components",
		"fisher(shape=[9, 9, 1], pyramid=[0])":       "pyramid",
		"words(shape=[9, 9, 1], of=rbf(sigma=1)[x])": "column",
		"words(shape=[9, 9, 1], dictionary=[1, 2])":  "the dictionary has 2 numbers",
	} {
		if _, err := vec.Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

// The first image that is refused is found among many, whatever is wrong with it.
func TestOutsideIsTheFirstThatContainsRefuses(t *testing.T) {
	rng := testkit.Rand(t, 11)
	negative := visual.New(vec.Min(), learned(t, visual.Options{Dense: denses[0], Coding: visual.Fisher(3), Components: 4}, rng))
	fine := visual.New(vec.Min(), learned(t, visual.Options{Dense: denses[0], Coding: visual.Words(6)}, rng))
	xs := make(data.Slice[[]float64], 300)
	for i := range xs {
		xs[i] = pixels(rng, 120)
	}
	if row, err := fine.Outside(xs); row != -1 || err != nil {
		t.Errorf("row %d: %v", row, err)
	}
	if row, err := negative.Outside(xs); row != 0 || err == nil || err.Error() != negative.Contains(xs[0]).Error() {
		t.Errorf("row %d: %v", row, err)
	}
	xs[290] = xs[290][1:]
	if row, err := fine.Outside(xs); row != 290 || err == nil || err.Error() != fine.Contains(xs[290]).Error() {
		t.Errorf("row %d: %v", row, err)
	}
}
