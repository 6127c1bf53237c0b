package structured_test

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/model"
	"example.org/mercer/supervised/structured"
)

func parse(t testing.TB, text string) kernel.Kernel[[]float64] {
	t.Helper()
	k, err := vec.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// points has a set of three labels that depends on the place.
func points(t testing.TB, seed uint64, n int) (data.Vectors, [][]bool) {
	rng := testkit.Rand(t, seed)
	xs, ys := data.MakeVectors(n, 2), make([][]bool, n)
	for i := range n {
		x := xs.At(i)
		x[0], x[1] = rng.NormFloat64(), rng.NormFloat64()
		ys[i] = []bool{x[0]+0.3*rng.NormFloat64() > 0, x[1] > 0.5, x[0]*x[1] > 0}
	}
	return xs, ys
}

// h(x) from its definition: α(x) by dense solves, the loss summed over all answers. With
// an intercept α(x) solves the system bordered by ones, and adds up to one.
func TestEqualsTheDefinition(t *testing.T) {
	for _, without := range []bool{false, true} {
		equalsTheDefinition(t, structured.Options{Lambda: 1e-2, Weights: make([]float64, 40), NoIntercept: without})
	}
}

func equalsTheDefinition(t *testing.T, o structured.Options) {
	xs, ys := points(t, 1, 40)
	k, out := parse(t, "rbf(sigma=1)"), structured.LabelSetF1{Labels: 3}
	total := 0.0
	for i := range o.Weights {
		o.Weights[i] = float64(1 + i%3)
		total += o.Weights[i]
	}
	p, r, err := structured.Fit(t.Context(), k, xs, ys, out, o)
	if err != nil {
		t.Fatal(err)
	}
	testkit.Close(t, "ridge", r.Ridge, total*1e-2, 1e-12)
	size := 41
	if o.NoIntercept {
		size = 40
	}
	system := mat.NewDense(size, size, nil)
	for i := range 40 {
		if !o.NoIntercept {
			system.Set(i, 40, 1)
			system.Set(40, i, 1)
		}
		for j := range 40 {
			system.Set(i, j, k.Eval(xs.At(i), xs.At(j)))
		}
		system.Set(i, i, system.At(i, i)+r.Ridge/o.Weights[i])
	}
	fresh, _ := points(t, 2, 30)
	got, err := structured.Predict(t.Context(), p, out, fresh, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for at, y := range got {
		section, alpha := mat.NewVecDense(size, nil), new(mat.VecDense)
		for i := range 40 {
			section.SetVec(i, k.Eval(fresh.At(at), xs.At(i)))
		}
		if !o.NoIntercept {
			section.SetVec(40, 1)
		}
		if err := alpha.SolveVec(system, section); err != nil {
			t.Fatal(err)
		}
		expected := func(y []bool) float64 {
			sum := 0.0
			for i, z := range ys {
				sum += alpha.AtVec(i) * out.Loss(y, z)
			}
			return sum
		}
		best := math.Inf(1)
		for _, other := range sets(3) {
			best = min(best, expected(other))
		}
		testkit.Close(t, "expected loss", expected(y), best, 1e-9)
	}
	// The loss in the report is that of the predictions of the training rows.
	trained, err := structured.Predict(t.Context(), p, out, xs, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	loss := 0.0
	for i, y := range trained {
		loss += o.Weights[i] / total * out.Loss(y, ys[i])
	}
	testkit.Close(t, "loss", r.Loss, loss, 1e-12)
}

// The leave-one-out loss is that of fits without each row.
func TestLeaveOneOutEqualsRefits(t *testing.T) {
	for _, without := range []bool{false, true} {
		leaveOneOutEqualsRefits(t, without)
	}
}

func leaveOneOutEqualsRefits(t *testing.T, without bool) {
	xs, ys := points(t, 3, 30)
	k, out := parse(t, "rbf(sigma=1)"), structured.LabelSet{Labels: 3}
	weights := make([]float64, 30)
	for i := range weights {
		weights[i] = 0.5 + float64(i%2)
	}
	_, r, err := structured.Fit(t.Context(), k, xs, ys, out, structured.Options{Ridge: 0.3, LOO: true, Weights: weights, NoIntercept: without})
	if err != nil {
		t.Fatal(err)
	}
	sum, total := 0.0, 0.0
	for leave := range 30 {
		var keep []int
		var kept [][]bool
		var w []float64
		for i := range 30 {
			if i != leave {
				keep, kept, w = append(keep, i), append(kept, ys[i]), append(w, weights[i])
			}
		}
		p, _, err := structured.Fit(t.Context(), k, xs.Gather(keep), kept, out, structured.Options{Ridge: 0.3, Weights: w, NoIntercept: without})
		if err != nil {
			t.Fatal(err)
		}
		y, err := structured.Predict(t.Context(), p, out, xs.Gather([]int{leave}), compute.Options{})
		if err != nil {
			t.Fatal(err)
		}
		sum += weights[leave] * out.Loss(y[0], ys[leave])
		total += weights[leave]
	}
	testkit.Close(t, "leave-one-out", *r.LOOLoss, sum/total, 1e-12)
}

// A weight of 2 is the row twice, 0 is none, for any number of workers.
func TestWeightsAndWorkers(t *testing.T) {
	xs, ys := points(t, 4, 60)
	weights, keep, twice := make([]float64, 60), []int(nil), [][]bool(nil)
	for i := range weights {
		weights[i] = float64(i % 3)
		for range i % 3 {
			keep, twice = append(keep, i), append(twice, ys[i])
		}
	}
	k, out := parse(t, "rbf(sigma=1)"), structured.LabelSet{Labels: 3}
	want, _, err := structured.Fit(t.Context(), k, xs.Gather(keep), twice, out, structured.Options{Lambda: 1e-2})
	if err != nil {
		t.Fatal(err)
	}
	a, err := want.Predict(t.Context(), xs, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var first *mat.Dense
	for _, workers := range []int{1, 2, 3, 8} {
		got, _, err := structured.Fit(t.Context(), k, xs, ys, out, structured.Options{Lambda: 1e-2, Weights: weights, Compute: compute.Options{Workers: workers}})
		if err != nil {
			t.Fatal(err)
		}
		b, err := got.Predict(t.Context(), xs, compute.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if !mat.EqualApprox(a, b, 1e-10) || got.(*model.Expansion[[]float64]).Coef.At(0, 0) != 0 {
			t.Error("weights are not multiplicities")
		}
		if first == nil {
			first = got.(*model.Expansion[[]float64]).Coef
		}
		if !mat.Equal(first, got.(*model.Expansion[[]float64]).Coef) {
			t.Errorf("%d workers change bits", workers)
		}
	}
}

// Kernel dependency estimation is the ridge regression with the joint kernel: on all
// pairs of points and candidates its value is that of f(x, y) = Σ αᵢ(x) k_Y(y, yᵢ).
func TestDependencyIsJointKernel(t *testing.T) {
	xs, _ := points(t, 5, 12)
	list := [][]float64{{0}, {1}, {2}}
	ys := make([][]float64, 12)
	for i := range ys {
		ys[i] = list[i%3]
	}
	kx, ky := parse(t, "rbf(sigma=1)"), parse(t, "rbf(sigma=0.8)")
	p, r, err := structured.Fit(t.Context(), kx, xs, ys, structured.Dependency[[]float64]{Kernel: ky, List: list}, structured.Options{Lambda: 0.05, NoIntercept: true})
	if err != nil {
		t.Fatal(err)
	}
	// The minimum over f = Σ cᵢₐ k_X(·, xᵢ) k_Y(·, y_a) of Σ ‖k_Y(·, yᵢ) − f(xᵢ, ·)‖² + Nλ‖f‖²
	// has (K_X + NλI) C = indicators of yᵢ.
	system, ind := mat.NewDense(12, 12, nil), mat.NewDense(12, 3, nil)
	for i := range 12 {
		ind.Set(i, i%3, 1)
		for j := range 12 {
			system.Set(i, j, kx.Eval(xs.At(i), xs.At(j)))
		}
		system.Set(i, i, system.At(i, i)+r.Ridge)
	}
	var c mat.Dense
	if err := c.Solve(system, ind); err != nil {
		t.Fatal(err)
	}
	theta, err := p.Predict(t.Context(), xs, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 12 {
		for b, y := range list {
			want := 0.0
			for j := range 12 {
				for a, z := range list {
					want += c.At(j, a) * kx.Eval(xs.At(i), xs.At(j)) * ky.Eval(y, z)
				}
			}
			testkit.Close(t, "f(x, y)", theta.At(i, b), want, 1e-10)
		}
	}
}

func TestBadInput(t *testing.T) {
	xs, ys := points(t, 6, 5)
	out := structured.LabelSet{Labels: 3}
	for name, c := range map[string]struct {
		ys   [][]bool
		out  structured.LabelSet
		o    structured.Options
		want string
	}{
		"no penalty": {ys, out, structured.Options{}, "lambda is 0"},
		"both":       {ys, out, structured.Options{Lambda: 1, Ridge: 1}, "two ways"},
		"negative":   {ys, out, structured.Options{Ridge: -1}, "not a finite"},
		"answers":    {ys[:4], out, structured.Options{Lambda: 1}, "4 answers for 5"},
		"labels":     {ys, structured.LabelSet{Labels: 4}, structured.Options{Lambda: 1}, "answer of row 0"},
		"no labels":  {ys, structured.LabelSet{}, structured.Options{Lambda: 1}, "0 dimensions"},
		"weights":    {ys, out, structured.Options{Lambda: 1, Weights: []float64{1}}, "1 weights for 5"},
		"one row":    {ys[:1], out, structured.Options{Lambda: 1, LOO: true}, "only row"},
		"weightless": {ys, out, structured.Options{Lambda: 1, Weights: make([]float64, 5)}, "all weights are zero"},
	} {
		rows := xs
		if name == "one row" {
			rows = xs.Gather([]int{0})
		}
		_, _, err := structured.Fit(t.Context(), parse(t, "linear()"), rows, c.ys, c.out, c.o)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", name, err, c.want)
		}
	}
	negative := mat.NewSymDense(5, nil)
	for i := range 5 {
		negative.SetSym(i, i, -1)
	}
	if _, _, err := structured.Solve[[]bool](t.Context(), dual(t, negative), ys, out, structured.Options{Ridge: 0.5}); err == nil || !strings.Contains(err.Error(), "larger λ") {
		t.Errorf("indefinite: %v", err)
	}
}
