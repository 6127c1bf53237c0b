package tree_test

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/supervised/tree"
)

// cloud has n rows of d normal numbers.
func cloud(n, d int) data.Vectors {
	random := rand.New(rand.NewPCG(1, 2))
	x := data.MakeVectors(n, d)
	for i := range x.Raw() {
		x.Raw()[i] = random.NormFloat64()
	}
	return x
}

// along always splits along coordinates, the first for the first split.
func along(d int) func(context.Context, []int) ([]float64, error) {
	next := 0
	return func(context.Context, []int) ([]float64, error) {
		v := make([]float64, d)
		v[next%d] = 1
		next++
		return v, nil
	}
}

func TestGrowDividesInHalves(t *testing.T) {
	x := cloud(100, 3)
	splits, leaves, err := tree.Grow(t.Context(), x, tree.Options{Most: 25, Direction: along(3)})
	if err != nil || splits.Leaves() != 4 || splits.Check(3) != nil {
		t.Fatalf("%d leaves, %v, %v; want 4", splits.Leaves(), splits.Check(3), err)
	}
	for leaf, rows := range leaves {
		if len(rows) != 25 {
			t.Errorf("leaf %d has %d rows, want 25", leaf, len(rows))
		}
		for _, i := range rows {
			if got := splits.Leaf(x.At(i)); got != leaf {
				t.Errorf("row %d of leaf %d belongs to leaf %d", i, leaf, got)
			}
		}
	}
	// The interquartile range of 100 numbers x₍₂₅₎ … x₍₇₅₎ by definition.
	first := make([]float64, 100)
	for i := range first {
		first[i] = x.At(i)[0]
	}
	slices.Sort(first)
	testkit.Close(t, "scale", splits[0].Scale, first[74]-first[24], 0)
	testkit.Close(t, "bound", splits[0].Bound, (first[49]+first[50])/2, 1e-15)
}

func TestGrowTakesWeightsAsRepetitions(t *testing.T) {
	x := cloud(40, 2)
	weights, repeated := make([]float64, 40), []int{}
	for i := range weights {
		weights[i] = float64(i % 3)
		for range i % 3 {
			repeated = append(repeated, i)
		}
	}
	a, rows, err := tree.Grow(t.Context(), x, tree.Options{Most: 25, Weights: weights, Direction: along(2)})
	if err != nil || len(a) != 1 || len(rows[0])+len(rows[1]) != 40 {
		t.Fatalf("%d splits of %v, %v", len(a), rows, err)
	}
	b, _, err := tree.Grow(t.Context(), x.Gather(repeated), tree.Options{Most: 25, Direction: along(2)})
	if err != nil || a[0].Bound != b[0].Bound || a[0].Scale != b[0].Scale {
		t.Errorf("weights split at %v, repetitions at %v, %v", a, b, err)
	}
}

func TestGrowKeepsEqualRowsTogether(t *testing.T) {
	x := data.MakeVectors(10, 1)
	splits, leaves, err := tree.Grow(t.Context(), x, tree.Options{Most: 3, Direction: along(1)})
	if err != nil || len(splits) != 0 || len(leaves) != 1 {
		t.Errorf("rows that are all the same are divided: %v, %v", leaves, err)
	}
	x.At(9)[0] = 1 // one of ten differs: the bound is far from the median
	splits, leaves, err = tree.Grow(t.Context(), x, tree.Options{Most: 9, Direction: along(1)})
	if err != nil || len(leaves) != 2 || len(leaves[1]) != 1 || splits[0].Bound != 0.5 || splits[0].Scale != 1 {
		t.Errorf("%v with %v, %v", splits, leaves, err)
	}
}

func TestGrowRefuses(t *testing.T) {
	x := cloud(5, 1)
	for _, o := range []tree.Options{{Most: 0}, {Most: 2, Weights: []float64{1}}, {Most: 2, Weights: []float64{1, 1, 1, 1, math.NaN()}}} {
		o.Direction = along(1)
		if _, _, err := tree.Grow(t.Context(), x, o); err == nil {
			t.Errorf("%+v is taken", o)
		}
	}
	if _, _, err := tree.Grow(t.Context(), data.MakeVectors(0, 1), tree.Options{Most: 1, Direction: along(1)}); err == nil {
		t.Error("no rows are taken")
	}
}

func TestSharesAreProductsOfSigmoids(t *testing.T) {
	s := tree.Splits{{Direction: []float64{1, 0}, Bound: 0.5, Scale: 2, Below: -1, Above: 1}, {Direction: []float64{0, 1}, Bound: -1, Scale: 3, Below: -2, Above: -3}}
	sigmoid := func(t float64) float64 { return 1 / (1 + math.Exp(-t)) }
	x, got := []float64{0.9, 0.4}, make([]float64, 3)
	s.Shares(got, x, 0.7)
	right, second := sigmoid(0.4/(0.7*2)), sigmoid(1.4/(0.7*3))
	testkit.CloseSlice(t, "shares", got, []float64{1 - right, right * (1 - second), right * second}, 1e-15)
	testkit.Close(t, "their sum", floats.Sum(got), 1, 1e-15)
	for _, cold := range []float64{0, 1e-6} {
		s.Shares(got, x, cold)
		if want := []float64{0, 0, 1}; !slices.Equal(got, want) || s.Leaf(x) != 2 {
			t.Errorf("at T = %v the shares are %v, want %v", cold, got, want)
		}
	}
}

func TestCheck(t *testing.T) {
	good := func() tree.Splits {
		return tree.Splits{{Direction: []float64{1}, Scale: 1, Below: -1, Above: 1}, {Direction: []float64{1}, Scale: 1, Below: -2, Above: -3}}
	}
	if err := good().Check(1); err != nil {
		t.Fatal(err)
	}
	for what, spoil := range map[string]func(s tree.Splits){
		"a loop":                func(s tree.Splits) { s[1].Below = 0 },
		"no such split":         func(s tree.Splits) { s[1].Above = 7 },
		"a leaf twice":          func(s tree.Splits) { s[1].Below = -1 },
		"a split nobody meets":  func(s tree.Splits) { s[0].Above = -2 },
		"no scale":              func(s tree.Splits) { s[0].Scale = 0 },
		"an infinite bound":     func(s tree.Splits) { s[0].Bound = math.Inf(1) },
		"a direction too short": func(s tree.Splits) { s[1].Direction = nil },
	} {
		s := good()
		if spoil(s); s.Check(1) == nil {
			t.Errorf("%s is taken", what)
		}
	}
}

// machine is x ↦ a + b·x₀.
type machine struct{ a, b float64 }

func (machine) Outputs() int { return 1 }

func (m machine) Predict(_ context.Context, xs data.Set[[]float64], _ compute.Options) (*mat.Dense, error) {
	out := mat.NewDense(xs.Len(), 1, nil)
	for i := range xs.Len() {
		out.Set(i, 0, m.a+m.b*xs.At(i)[0])
	}
	return out, nil
}

func TestPredictIsTheSumOverLeaves(t *testing.T) {
	x := cloud(50, 2)
	f := &tree.Tree{Splits: tree.Splits{{Direction: []float64{1, 1}, Bound: 0.1, Scale: 1, Below: -1, Above: 1}, {Direction: []float64{0, 1}, Bound: 0, Scale: 2, Below: -2, Above: -3}}}
	machines := []machine{{1, 2}, {-3, 1}, {5, -1}}
	for _, m := range machines {
		f.Predictors = append(f.Predictors, m)
	}
	w := make([]float64, 3)
	for _, f.Temperature = range []float64{0, 0.1, 2} {
		got, err := f.Predict(t.Context(), x, compute.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for i := range x.Len() {
			f.Shares(w, x.At(i), f.Temperature)
			want := 0.0
			for l, m := range machines {
				want += w[l] * (m.a + m.b*x.At(i)[0])
			}
			// Shares below 10⁻³/3 are left out: two of them, of leaves that differ by less than 20.
			testkit.Close(t, "a prediction", got.At(i, 0), want, 2*20*1e-3/3)
		}
	}
}

func TestChooseTemperatureTakesTheLeastError(t *testing.T) {
	x := cloud(200, 1)
	f := &tree.Tree{Splits: tree.Splits{{Direction: []float64{1}, Bound: 0, Scale: 1, Below: -1, Above: -2}}}
	f.Predictors = append(f.Predictors, machine{0, 0}, machine{1, 0})
	y, weights := mat.NewDense(200, 1, nil), make([]float64, 200)
	for i := range 200 { // the tree itself at T = 0.3
		y.Set(i, 0, 1/(1+math.Exp(-x.At(i)[0]/0.3)))
		weights[i] = float64(i % 4)
	}
	got, err := tree.ChooseTemperature(t.Context(), f, x, y, weights, compute.Options{})
	if err != nil || got.Temperature != 0.3 {
		t.Errorf("temperature %v, %v; want 0.3", got.Temperature, err)
	}
	testkit.Close(t, "its error", got.Error, 0, 1e-3)
	f.Temperature = 0.3
	same, err := f.Predict(t.Context(), x, compute.Options{})
	if err != nil || !mat.Equal(got.Values, same) {
		t.Errorf("the values at the rows are not those of the tree, %v", err)
	}
	if _, err := tree.ChooseTemperature(t.Context(), f, cloud(3, 1), y, nil, compute.Options{}); err == nil {
		t.Error("other numbers of rows and targets are taken")
	}
}

// Gradients are the central differences of the tree, soft and hard, where leaves differ in both
// values and slopes.
func TestGradientsAreDifferences(t *testing.T) {
	x := cloud(40, 2)
	f := &tree.Tree{Splits: tree.Splits{
		{Direction: []float64{1, 0}, Bound: 0, Scale: 1, Below: -1, Above: 1},
		{Direction: []float64{0.6, 0.8}, Bound: 0.3, Scale: 0.7, Below: -2, Above: -3},
	}}
	slopes := []machine{{1, 2}, {-3, 0.5}, {0.25, -2}}
	for _, m := range slopes {
		f.Predictors = append(f.Predictors, m)
	}
	of := func(_ context.Context, leaf int, xs data.Set[[]float64]) ([]*mat.Dense, error) {
		g := mat.NewDense(xs.Len(), 2, nil)
		for i := range xs.Len() {
			g.SetRow(i, []float64{slopes[leaf].b, 0})
		}
		return []*mat.Dense{g}, nil
	}
	at := func(p []float64) float64 {
		v, err := f.Predict(t.Context(), data.Slice[[]float64]{p}, compute.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return v.At(0, 0)
	}
	const h = 1e-5
	for _, f.Temperature = range []float64{0, 0.3, 2} {
		got, err := f.Gradients(t.Context(), x, of, compute.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for i := range x.Len() {
			for j := range 2 {
				up, down := slices.Clone(x.At(i)), slices.Clone(x.At(i))
				up[j] += h
				down[j] -= h
				want := (at(up) - at(down)) / (2 * h)
				testkit.Close(t, "T, row, coordinate", got[0].At(i, j), want, 1e-6*(1+math.Abs(want)))
			}
		}
	}
}
