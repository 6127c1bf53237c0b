package kfda_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/gram"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel"
	"example.org/mercer/linalg"
	"example.org/mercer/model"
	"example.org/mercer/space"
	"example.org/mercer/supervised/kfda"
)

// compare wants a solution to be the classical discriminant.
func compare(t *testing.T, want *classical, sol *projected, r *kfda.Report, p *problem, tol float64) {
	t.Helper()
	testkit.CloseSlice(t, "ratios", r.Ratios, want.ratios, tol)
	for i := range p.y {
		if p.weight(i) > 0 {
			testkit.CloseSlice(t, fmt.Sprintf("values of row %d", i), sol.Values.RawRowView(i), want.values.RawRowView(i), tol)
		}
	}
	for c, row := range r.Decision.Centroids {
		testkit.CloseSlice(t, "centroid", row, want.centroids.RawRowView(c), tol)
	}
}

// With the explicit features of a kernel the discriminant is that of the scatter
// matrices in ℝᴰ.
func TestEqualsScatterOfExplicitFeatures(t *testing.T) {
	for _, text := range []string{"linear()", "poly(degree=2, offset=1)"} {
		for _, m := range []int{2, 3, 5} {
			for _, weighted := range []bool{false, true} {
				t.Run(fmt.Sprintf("%s,%d,%v", text, m, weighted), func(t *testing.T) {
					p := newProblem(testkit.Rand(t, 1), 45, 4, m, weighted)
					k := parse(t, text)
					mapped := k.(kernel.Mapped[[]float64])
					dim, ok := mapped.Features(p.xs.At(0))
					if !ok {
						t.Fatal("no map")
					}
					x := mat.NewDense(45, dim, nil)
					for i := range p.y {
						mapped.Map(x.RawRowView(i), p.xs.At(i))
					}
					for _, lambda := range []float64{1e-3, 0.5, 100} {
						sol, r := solve(t, matrix(k, p.xs), p, kfda.Options{Lambda: lambda})
						compare(t, discriminant(t, x, p, lambda), sol, r, p, 1e-8)
					}
				})
			}
		}
	}
}

// Kernel PCA with all components, then the classical discriminant (Baudat and Anouar
// 2000; Yang et al. 2005).
func TestEqualsKernelPCAThenDiscriminant(t *testing.T) {
	p := newProblem(testkit.Rand(t, 2), 40, 2, 3, false)
	k := matrix(parse(t, "rbf(sigma=1)"), p.xs)
	centred := mat.NewSymDense(40, nil)
	centred.CopySym(k)
	if _, err := gram.Centre(t.Context(), centred, compute.Options{}); err != nil {
		t.Fatal(err)
	}
	var eigen mat.EigenSym
	if !eigen.Factorize(centred, true) {
		t.Fatal("no eigenvectors")
	}
	var x mat.Dense
	eigen.VectorsTo(&x)
	for j, v := range eigen.Values(nil) {
		for i := range 40 {
			x.Set(i, j, x.At(i, j)*math.Sqrt(max(0, v)))
		}
	}
	for _, lambda := range []float64{1e-4, 1e-2, 1} {
		sol, r := solve(t, k, p, kfda.Options{Lambda: lambda})
		compare(t, discriminant(t, &x, p, lambda), sol, r, p, 1e-8)
	}
}

// Two classes: v is proportional to the ridge regression of the labels with intercept,
// (HKH + NλI)α = Hy.
func TestTwoClassesAreRidgeRegressionOfLabels(t *testing.T) {
	p := newProblem(testkit.Rand(t, 3), 40, 2, 2, false)
	p.y[3], p.y[7] = 0, 0 // classes of different size
	k := matrix(parse(t, "rbf(sigma=1)"), p.xs)
	sol, _ := solve(t, k, p, kfda.Options{Lambda: 1e-2})
	a := mat.NewSymDense(40, nil)
	a.CopySym(k)
	if _, err := gram.Centre(t.Context(), a, compute.Options{}); err != nil {
		t.Fatal(err)
	}
	mean := 0.0
	for i := range 40 {
		a.SetSym(i, i, a.At(i, i)+40*1e-2)
		mean += float64(p.y[i]) / 40
	}
	b, alpha := mat.NewVecDense(40, nil), new(mat.VecDense)
	for i := range 40 {
		b.SetVec(i, float64(p.y[i])-mean)
	}
	if err := alpha.SolveVec(a, b); err != nil {
		t.Fatal(err)
	}
	scale := sol.Coef.At(0, 0) / alpha.AtVec(0)
	if scale <= 0 {
		t.Fatalf("class 1 is on the negative side: %g", scale)
	}
	for i := range 40 {
		testkit.Close(t, "coefficient", sol.Coef.At(i, 0), scale*alpha.AtVec(i), 1e-10)
	}
}

// What the report says: the scatter of the values along each direction.
func TestReportIsTheScatterOfTheValues(t *testing.T) {
	p := newProblem(testkit.Rand(t, 4), 60, 3, 4, true)
	k := matrix(parse(t, "rbf(sigma=1)"), p.xs)
	sol, r := solve(t, k, p, kfda.Options{Lambda: 1e-2})
	var values mat.Dense
	values.Mul(k, sol.Coef)
	total, shares := 0.0, make([]float64, 4)
	for i, c := range p.y {
		total += p.weight(i)
		shares[c] += p.weight(i)
	}
	for d := range 3 {
		means, mean, within, between := make([]float64, 4), 0.0, 0.0, 0.0
		for i, c := range p.y {
			v := values.At(i, d) + sol.Bias[d]
			if p.weight(i) > 0 {
				testkit.Close(t, "value", sol.Values.At(i, d), v, 1e-10)
			} else if sol.Coef.At(i, d) != 0 {
				t.Error("a row of weight zero takes part")
			}
			means[c] += p.weight(i) / shares[c] * v
			mean += p.weight(i) / total * v
		}
		testkit.Close(t, "mean", mean, 0, 1e-10)
		for i, c := range p.y {
			v := values.At(i, d) + sol.Bias[d]
			within += p.weight(i) / total * (v - means[c]) * (v - means[c])
		}
		for c := range means {
			testkit.Close(t, "centroid", r.Decision.Centroids[c][d], means[c], 1e-10)
			between += shares[c] / total * means[c] * means[c]
		}
		testkit.Close(t, "between", between, r.Ratios[d], 1e-9)
		testkit.Close(t, "within", within, 1-1e-2*r.Norm2[d], 1e-9)
		testkit.Close(t, "norm", mat.Inner(sol.Coef.ColView(d), k, sol.Coef.ColView(d)), r.Norm2[d], 1e-9)
	}
}

func TestWeightTwoIsTheRowTwice(t *testing.T) {
	p := newProblem(testkit.Rand(t, 5), 30, 2, 3, false)
	keep, weights := []int(nil), make([]float64, 30)
	for i := range 30 {
		weights[i] = float64(i % 3)
		for range i % 3 {
			keep = append(keep, i)
		}
	}
	p.y = make([]int, 30)
	for i := range p.y { // classes that do not go with the weights
		p.y[i] = i / 10
	}
	kern := parse(t, "rbf(sigma=1)")
	twice := p.rows(keep)
	p.weights = weights
	want, wr := solve(t, matrix(kern, twice.xs), twice, kfda.Options{Lambda: 1e-2})
	got, gr := solve(t, matrix(kern, p.xs), p, kfda.Options{Lambda: 1e-2})
	testkit.CloseSlice(t, "ratios", gr.Ratios, wr.Ratios, 1e-10)
	testkit.CloseSlice(t, "bias", got.Bias, want.Bias, 1e-9)
	testkit.Close(t, "accuracy", gr.Accuracy, wr.Accuracy, 1e-14)
	for at, i := range keep {
		testkit.CloseSlice(t, "values", want.Values.RawRowView(at), got.Values.RawRowView(i), 1e-9)
	}
	bary, br, err := kfda.SolveBarycentres(t.Context(), space.NewDual(matrix(kern, p.xs), linalg.Options{}), p.y, kfda.BarycentreOptions{Weights: weights})
	if err != nil {
		t.Fatal(err)
	}
	baryTwice, brt, err := kfda.SolveBarycentres(t.Context(), space.NewDual(matrix(kern, twice.xs), linalg.Options{}), twice.y, kfda.BarycentreOptions{})
	if err != nil {
		t.Fatal(err)
	}
	testkit.CloseSlice(t, "norms", br.Norm2, brt.Norm2, 1e-13)
	testkit.Close(t, "accuracy", br.Accuracy, brt.Accuracy, 1e-14)
	testkit.CloseSlice(t, "bias", bary.Bias, baryTwice.Bias, 1e-13)
}

// The order of rows, the unit of the kernel (with that of λ) and a constant added to the
// kernel change no value; another numbering permutes the classes.
func TestInvariances(t *testing.T) {
	p := newProblem(testkit.Rand(t, 6), 40, 2, 3, true)
	k := matrix(parse(t, "rbf(sigma=1)"), p.xs)
	want, wr := solve(t, k, p, kfda.Options{Lambda: 1e-2})
	scaled, shifted := mat.NewSymDense(40, nil), mat.NewSymDense(40, nil)
	for i := range 40 {
		for j := i; j < 40; j++ {
			scaled.SetSym(i, j, 8*k.At(i, j))
			shifted.SetSym(i, j, k.At(i, j)+3)
		}
	}
	check := func(name string, got *projected, gr *kfda.Report, row func(i int) int) {
		t.Helper()
		testkit.CloseSlice(t, name+": ratios", gr.Ratios, wr.Ratios, 1e-9)
		for i := range 40 {
			if p.weight(i) > 0 {
				for d := range 2 {
					testkit.Close(t, name, math.Abs(got.Values.At(row(i), d)), math.Abs(want.Values.At(i, d)), 1e-9)
				}
			}
		}
	}
	same := func(i int) int { return i }
	got, gr := solve(t, scaled, p, kfda.Options{Lambda: 8e-2})
	check("scaled", got, gr, same)
	got, gr = solve(t, shifted, p, kfda.Options{Lambda: 1e-2})
	check("shifted", got, gr, same)
	order := testkit.Rand(t, 7).Perm(40)
	place := make([]int, 40)
	for to, from := range order {
		place[from] = to
	}
	q := p.rows(order)
	got, gr = solve(t, matrix(parse(t, "rbf(sigma=1)"), q.xs), q, kfda.Options{Lambda: 1e-2})
	check("permuted", got, gr, func(i int) int { return place[i] })
	renamed := *p
	renamed.y = slices.Clone(p.y)
	for i, c := range p.y {
		renamed.y[i] = (c + 1) % 3
	}
	got, gr = solve(t, k, &renamed, kfda.Options{Lambda: 1e-2})
	check("renamed", got, gr, same)
	for i := range 40 {
		if p.weight(i) > 0 && gr.Decision.Class(got.Values.RawRowView(i)) != (wr.Decision.Class(want.Values.RawRowView(i))+1)%3 {
			t.Error("another numbering changes a class")
		}
	}
}

func TestDegenerateMeans(t *testing.T) {
	// Three classes on a line have one direction.
	xs := data.MakeVectors(9, 1)
	y := make([]int, 9)
	for i := range y {
		y[i] = i / 3
		xs.At(i)[0] = float64(y[i]) + 0.1*float64(i%3)
	}
	p := &problem{xs: xs, y: y}
	sol, r := solve(t, matrix(parse(t, "linear()"), xs), p, kfda.Options{Lambda: 1e-3})
	if _, d := sol.Coef.Dims(); d != 1 || len(r.Ratios) != 1 || len(r.Warnings) != 1 || !strings.Contains(r.Warnings[0], "1 directions, not 2") {
		t.Errorf("%d directions, warnings %q", d, r.Warnings)
	}
	// Equal means have none.
	for i := range y {
		y[i] = i % 2
		xs.At(i)[0] = 5
	}
	_, _, err := kfda.Solve(t.Context(), dual(t, matrix(parse(t, "linear()"), xs)), y, kfda.Options{Lambda: 1e-3})
	if err == nil || !strings.Contains(err.Error(), "coincide") {
		t.Errorf("error %v", err)
	}
}

func TestSameBitsForAnyNumberOfWorkers(t *testing.T) {
	p := newProblem(testkit.Rand(t, 8), 300, 3, 4, true)
	var first *model.Expansion[[]float64]
	for _, workers := range []int{1, 2, 3, 8} {
		found, r, err := kfda.Fit(t.Context(), parse(t, "rbf(sigma=1)"), p.xs, p.y, kfda.Options{Lambda: 1e-3, Weights: p.weights, Compute: compute.Options{Workers: workers}})
		if err != nil {
			t.Fatal(err)
		}
		f := found.(*model.Expansion[[]float64])
		if first == nil {
			first = f
			continue
		}
		if !mat.Equal(f.Coef, first.Coef) || !slices.Equal(f.Bias, first.Bias) {
			t.Errorf("%d workers change bits", workers)
		}
		if len(r.Stages) != 3 {
			t.Errorf("stages %v", r.Stages)
		}
	}
}

func TestBadInput(t *testing.T) {
	xs := data.MakeVectors(4, 1)
	for i := range 4 {
		xs.At(i)[0] = float64(i * i)
	}
	good := []int{0, 0, 1, 1}
	for name, c := range map[string]struct {
		y    []int
		o    kfda.Options
		want string
	}{
		"no penalty":    {good, kfda.Options{}, "lambda is 0"},
		"both":          {good, kfda.Options{Lambda: 1, Ridge: 1}, "two ways"},
		"negative":      {good, kfda.Options{Lambda: -1}, "not a finite"},
		"labels":        {good[:3], kfda.Options{Lambda: 1}, "3 targets for 4 rows"},
		"one class":     {[]int{0, 0, 0, 0}, kfda.Options{Lambda: 1}, "at least two"},
		"gap":           {[]int{0, 0, 2, 2}, kfda.Options{Lambda: 1}, "class 1 has no rows"},
		"large":         {[]int{0, 0, 1, 9}, kfda.Options{Lambda: 1}, "row 3 is 9"},
		"weightless":    {good, kfda.Options{Lambda: 1, Weights: []float64{0, 0, 1, 1}}, "weight zero"},
		"weight":        {good, kfda.Options{Lambda: 1, Weights: []float64{math.NaN(), 0, 1, 1}}, "weight 0 = NaN"},
		"directions":    {good, kfda.Options{Lambda: 1, Directions: 2}, "at most 1"},
		"priors":        {good, kfda.Options{Lambda: 1, Priors: []float64{1}}, "1 priors for 2"},
		"prior of zero": {good, kfda.Options{Lambda: 1, Priors: []float64{1, 0}}, "the prior 0 of class 1"},
	} {
		_, _, err := kfda.Fit(t.Context(), parse(t, "linear()"), xs, c.y, c.o)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", name, err, c.want)
		}
	}
	negative := mat.NewSymDense(4, nil)
	for i := range 4 {
		negative.SetSym(i, i, -1)
	}
	if _, _, err := kfda.Solve(t.Context(), dual(t, negative), good, kfda.Options{Lambda: 1e-3}); err == nil || !strings.Contains(err.Error(), "larger λ") {
		t.Errorf("indefinite kernel: %v", err)
	}
	if err := (&kfda.Decision{}).Check(2, 1); err == nil {
		t.Error("an empty rule passes")
	}
}

// Directions keeps the first ones; priors move the rule.
func TestDirectionsAndPriors(t *testing.T) {
	p := newProblem(testkit.Rand(t, 9), 50, 3, 4, false)
	k := matrix(parse(t, "rbf(sigma=1)"), p.xs)
	all, ar := solve(t, k, p, kfda.Options{Lambda: 1e-2})
	two, tr := solve(t, k, p, kfda.Options{Lambda: 1e-2, Directions: 2, Priors: []float64{1, 1, 1, 97}})
	if !mat.EqualApprox(all.Coef.Slice(0, 50, 0, 2), two.Coef, 1e-13) || len(tr.Ratios) != 2 {
		t.Error("the first two directions differ")
	}
	testkit.Close(t, "prior", tr.Decision.LogPriors[3], math.Log(0.97), 1e-15)
	row := ar.Decision.Probabilities(all.Values)
	for i, c := range ar.Decision.Classes(all.Values) {
		p := row.RawRowView(i)
		if p[c] != slices.Max(p) {
			t.Errorf("row %d: class %d of %v", i, c, p)
		}
	}
}
