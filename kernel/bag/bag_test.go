package bag_test

import (
	"context"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"example.org/mercer/data"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/bag"
	"example.org/mercer/kernel/expr"
	"example.org/mercer/kernel/kerneltest"
	"example.org/mercer/kernel/seq"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/rkhs"
)

type vectors = [][]float64

// bags are bags of n points each in d dimensions; the first point of each bag occurs twice.
func bags(d int, sizes ...int) []vectors {
	r := rand.New(rand.NewPCG(3, 5))
	out := make([]vectors, len(sizes))
	for i, n := range sizes {
		for range n {
			x := make([]float64, d)
			for j := range x {
				x[j] = r.NormFloat64() + float64(i%2)
			}
			out[i] = append(out[i], x)
		}
		if n > 1 {
			out[i][1] = out[i][0]
		}
	}
	return out
}

func parser[T any](elements expr.Dictionary[T]) func(text string) (kernel.Kernel[[]T], error) {
	return func(text string) (kernel.Kernel[[]T], error) { return expr.ParseKernel(text, bag.Dictionary(elements)) }
}

func parsed[T any](t testing.TB, elements expr.Dictionary[T], text string) kernel.Kernel[[]T] {
	t.Helper()
	k, err := parser(elements)(text)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// The suite on bags of vectors, with and without a short feature map, of strings, and of bags.
func TestSuite(t *testing.T) {
	xs := bags(3, 1, 4, 2, 7, 3, 3, 1, 5)
	for _, text := range []string{"mean(of=rbf(sigma=1.5))", "sum(of=laplace(sigma=2) + 0.5*linear)", "mean(of=linear + 1)", "match(of=rbf(sigma=2), p=5)", "maxmatch(of=rbf(sigma=1))",
		"normalize(of=sum(of=poly(degree=2, offset=1)))", "mean(of=rbf(sigma=[1, 2, 3])) * sum(of=min) + 1"} {
		points := xs
		if strings.Contains(text, "min") {
			points = positive(xs)
		}
		kerneltest.Run(t, parsed(t, vec.Dictionary(vec.Schema{}), text), points, kerneltest.Options[vectors]{Parse: parser(vec.Dictionary(vec.Schema{}))})
	}
	words := [][]string{{"ACGT", "ACG"}, {"TTT"}, {"ACGT", "ACG"}, {"GATTACA", "ACA", "ACA"}, {"A"}}
	for _, text := range []string{"mean(of=spectrum(k=2))", "mean(of=normalize(of=spectrum(k=2)) + 1)", "maxmatch(of=spectrum(k=1))"} {
		kerneltest.Run(t, parsed(t, seq.Dictionary(), text), words, kerneltest.Options[[]string]{Parse: parser(seq.Dictionary())})
	}
	of := bag.Dictionary(vec.Dictionary(vec.Schema{}))
	kerneltest.Run(t, parsed(t, of, "mean(of=exp(of=mean(of=rbf(sigma=1))))"), [][]vectors{{xs[0], xs[1]}, {xs[2]}, {xs[3], xs[4], xs[0]}}, kerneltest.Options[[]vectors]{Parse: parser(of)})
}

func positive(bags []vectors) []vectors {
	out := make([]vectors, len(bags))
	for i, b := range bags {
		for _, x := range b {
			y := make([]float64, len(x))
			for j, v := range x {
				y[j] = math.Abs(v)
			}
			out[i] = append(out[i], y)
		}
	}
	return out
}

// Sums over pairs, written out, against Eval and tiles, with bags of more points than a block
// has and bags without any.
func TestByDefinition(t *testing.T) {
	for _, text := range []string{"rbf(sigma=1)", "linear", "poly(degree=2, offset=1)"} {
		k, err := vec.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		rows, cols := bags(2, 3, 0, 400, 1), bags(2, 150, 2, 0, 90, 1)
		sum, best, size := kernel.NewTile(4, 5), kernel.NewTile(4, 5), kernel.NewTile(4, 5)
		for i, x := range rows {
			for j, y := range cols {
				left, right := make([]float64, len(x)), make([]float64, len(y))
				for a := range left {
					left[a] = math.Inf(-1)
				}
				for b := range right {
					right[b] = math.Inf(-1)
				}
				for a, u := range x {
					for b, v := range y {
						value := k.Eval(u, v)
						sum.Row(i)[j] += value
						size.Row(i)[j] += math.Abs(value)
						left[a], right[b] = max(left[a], value), max(right[b], value)
					}
				}
				if len(x) > 0 && len(y) > 0 {
					for _, v := range left {
						best.Row(i)[j] += v / float64(2*len(x))
					}
					for _, v := range right {
						best.Row(i)[j] += v / float64(2*len(y))
					}
				}
			}
		}
		for name, of := range map[string]kernel.Kernel[vectors]{"sum": bag.Sum[[]float64]{Of: k}, "mean": bag.Mean[[]float64]{Of: k}, "maxmatch": bag.MaxMatch[[]float64]{Of: k}} {
			tile := kernel.NewTile(4, 5)
			kernel.Bind(of, data.Set[vectors](data.Slice[vectors](rows)), data.Set[vectors](data.Slice[vectors](cols))).Tile(tile, 0, 0)
			for i, x := range rows {
				for j, y := range cols {
					want := sum.Row(i)[j]
					if name == "mean" && len(x)*len(y) > 0 {
						want /= float64(len(x) * len(y))
					}
					if name == "maxmatch" {
						want = best.Row(i)[j]
					}
					// Up to n = 60 000 terms are added, each addition rounds by ε times a partial
					// sum: n·ε·Σ|k|.
					for what, got := range map[string]float64{"tile": tile.Row(i)[j], "Eval": of.Eval(x, y)} {
						if math.Abs(got-want) > 6e4*0x1p-52*size.Row(i)[j] {
							t.Errorf("%s of %s, %s (%d, %d): %v, want %v", name, text, what, i, j, got, want)
						}
					}
				}
			}
		}
	}
}

// ‖μ_X − μ_Y‖² is the squared MMD of the two samples (with all pairs, i = j among them).
func TestMeanMapsAreMMD(t *testing.T) {
	both := bags(3, 20, 31)
	x, y := both[0], both[1]
	k := vec.RBF{Sigma: 1.3}
	mean := bag.Mean[[]float64]{Of: k}
	want := mean.Eval(x, x) - 2*mean.Eval(x, y) + mean.Eval(y, y)
	var xs, ys data.Slice[[]float64] = x, y
	_, test, err := rkhs.MMD(context.Background(), k, xs, ys, rkhs.MMDOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(test.Biased-want) > 1e-14 {
		t.Errorf("MMD² is %.17g, ‖μ_X − μ_Y‖² %.17g", test.Biased, want)
	}
}

// A point that occurs twice counts twice, and repeating a bag changes no mean.
func TestMultiplicity(t *testing.T) {
	xs := bags(2, 3, 4)
	k := parsed(t, vec.Dictionary(vec.Schema{}), "mean(of=rbf(sigma=1))")
	repeated := append(append(vectors{}, xs[0]...), xs[0]...)
	if got, want := k.Eval(repeated, xs[1]), k.Eval(xs[0], xs[1]); math.Abs(got-want) > 1e-15 {
		t.Errorf("repeated: %v, once: %v", got, want)
	}
}

// The Gram matrix of the documented bags has the determinant −⅛.
func TestMaxMatchIsIndefinite(t *testing.T) {
	k := bag.MaxMatch[[]float64]{Of: vec.RBF{Sigma: 1e-3}} // [x = y] for far points
	x := []vectors{{{0}, {1}}, {{0}}, {{1}}}
	g := func(i, j int) float64 { return k.Eval(x[i], x[j]) }
	det := g(0, 0)*(g(1, 1)*g(2, 2)-g(1, 2)*g(2, 1)) - g(0, 1)*(g(1, 0)*g(2, 2)-g(1, 2)*g(2, 0)) + g(0, 2)*(g(1, 0)*g(2, 1)-g(1, 1)*g(2, 0))
	if det != -0.125 || kernel.Derive[vectors](k).Verdict != kernel.Indefinite {
		t.Errorf("the determinant is %v, %+v", det, kernel.Derive[vectors](k))
	}
}

func TestSets(t *testing.T) {
	sets := [][]string{{"a", "b", "c"}, {"b", "a", "b"}, {"d"}, {}, {"c", "d", "e", "f"}}
	for by, want := range map[bag.Measure][]float64{ // of the first set with each
		bag.Intersection: {3, 2, 0, 0, 1}, bag.Jaccard: {1, 2. / 3, 0, 0, 1. / 6}, bag.Dice: {1, 4. / 5, 0, 0, 2. / 7}, bag.Cosine: {1, 2 / math.Sqrt(6), 0, 0, 1 / math.Sqrt(12)},
	} {
		k := bag.Set{By: by}
		for j, w := range want {
			if got := k.Eval(sets[0], sets[j]); math.Abs(got-w) > 1e-15 {
				t.Errorf("%s: sets 0 and %d: %v, want %v", k, j, got, w)
			}
		}
		kerneltest.Run(t, kernel.Kernel[[]string](k), sets, kerneltest.Options[[]string]{Parse: func(text string) (kernel.Kernel[[]string], error) { return expr.ParseKernel(text, bag.Sets()) }})
	}
}

func TestRefusals(t *testing.T) {
	for text, want := range map[string]string{
		"mean":                           "needs the argument of",
		"mean(of=rbff(sigma=1))":         `column 9: unknown kernel "rbff"; did you mean`,
		"mean(of=rbf(sigma=1, p=2))":     "column 22: rbf has no argument",
		"mean(of=rbf(sigma=-1))":         "sigma",
		"match(of=linear, p=1.5)":        "p=1.5 is not a whole number from 1 to 1000",
		"mean(of=linear) + rbf(sigma=1)": `unknown kernel "rbf"`,
		"mean(of=rbf(sigma=?))":          "sigma=? is a free parameter",
		"mean(of=linear[0])[points]":     "these points have no columns",
		"mean(of=mean(of=rbf(sigma=1)))": `column 9: unknown kernel "mean"`,
	} {
		if _, err := parser(vec.Dictionary(vec.Schema{}))(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v does not say %q", text, err, want)
		}
	}
	if _, err := expr.ParseKernel("set(by=tversky)", bag.Sets()); err == nil || !strings.Contains(err.Error(), "intersection, jaccard, dice, cosine") {
		t.Error(err)
	}
	k := parsed(t, vec.Dictionary(vec.Schema{}), "mean(of=rbf(sigma=1))")
	if err := kernel.Contains(k, vectors{}); err == nil || !strings.Contains(err.Error(), "the bag is empty") {
		t.Error(err)
	}
	if err := kernel.Contains(k, vectors{{1}, {math.NaN()}}); err == nil || !strings.Contains(err.Error(), "element 2 of the bag") {
		t.Error(err)
	}
	if err := kernel.Contains(parsed(t, vec.Dictionary(vec.Schema{}), "sum(of=linear)"), vectors{}); err != nil {
		t.Error(err)
	}
}

// A width inside of a bag is a parameter of the kernel.
func TestParameters(t *testing.T) {
	k := parsed(t, vec.Dictionary(vec.Schema{}), "mean(of=rbf(sigma=2)[0] * laplace(sigma=3)[1])")
	tunable, ok := k.(kernel.Tunable[vectors])
	if !ok || len(tunable.Parameters()) != 2 {
		t.Fatalf("%s has no two parameters", k)
	}
	other, err := tunable.With([]float64{4, 5})
	if err != nil || other.String() != "mean(of=rbf(sigma=4)[0]*laplace(sigma=5)[1])" {
		t.Errorf("%v, %v", other, err)
	}
}
