package preimage_test

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/model"
	"example.org/mercer/rkhs/preimage"
	"example.org/mercer/unsupervised/kpca"
)

type vectors = data.Set[[]float64]

func points(t *testing.T, seed uint64, n, d int) data.Vectors {
	t.Helper()
	rnd, xs := testkit.Rand(t, seed), data.MakeVectors(n, d)
	for i := range xs.Raw() {
		xs.Raw()[i] = rnd.NormFloat64()
	}
	return xs
}

func rbf(sigma float64) vec.Kernel { return vec.RBF{Sigma: sigma} }

// combination returns targets Σ γᵢφ(xᵢ) with one column of coefficients each.
func combination(t *testing.T, k vec.Kernel, xs data.Vectors, coef *mat.Dense) *preimage.Targets[[]float64] {
	t.Helper()
	targets, err := preimage.NewTargets(t.Context(), &model.Expansion[[]float64]{Kernel: k, Points: xs, Coef: coef}, compute.Options{Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	return targets
}

func solve(t *testing.T, m preimage.Method[[]float64], targets *preimage.Targets[[]float64], near vectors) []preimage.PreImage[[]float64] {
	t.Helper()
	answers, err := m.PreImages(t.Context(), targets, near)
	if err != nil {
		t.Fatal(err)
	}
	return answers
}

// residual is ‖φ(z) − Σ γᵢφ(xᵢ)‖ by the bilinear expansion, term by term.
func residual(k vec.Kernel, z []float64, xs data.Vectors, gamma []float64) float64 {
	sum := k.Eval(z, z)
	for i, a := range gamma {
		sum -= 2 * a * k.Eval(z, xs.At(i))
		for j, b := range gamma {
			sum += a * b * k.Eval(xs.At(i), xs.At(j))
		}
	}
	return math.Sqrt(max(sum, 0))
}

// With the linear kernel the residual is a distance between vectors.
func TestResidualByDefinition(t *testing.T) {
	xs, zs := points(t, 1, 12, 3), points(t, 2, 2, 3)
	rnd, coef := testkit.Rand(t, 3), mat.NewDense(12, 2, nil)
	coef.Apply(func(int, int, float64) float64 { return rnd.NormFloat64() }, coef)
	for _, k := range []vec.Kernel{vec.Linear{}, rbf(1)} {
		got, err := combination(t, k, xs, coef).Residuals(t.Context(), zs)
		if err != nil {
			t.Fatal(err)
		}
		for j := range 2 {
			testkit.Close(t, "residual", got[j], residual(k, zs.At(j), xs, mat.Col(nil, j, coef)), 1e-12)
		}
	}
	psi := make([]float64, 3)
	for i := range 12 {
		floats.AddScaled(psi, coef.At(i, 0), xs.At(i))
	}
	got, err := combination(t, vec.Linear{}, xs, coef).Residuals(t.Context(), zs)
	if err != nil {
		t.Fatal(err)
	}
	testkit.Close(t, "distance", got[0], floats.Distance(psi, zs.At(0), 2), 1e-12)
}

// The projection is Pφ(x): its residual to x itself is what the dropped components
// explain, and with all components nothing is left of a training point.
func TestProjection(t *testing.T) {
	xs, k := points(t, 4, 25, 2), rbf(1)
	weights := make([]float64, 25)
	for i := range weights {
		weights[i] = 1 + float64(i%3)
	}
	e, report, err := kpca.Fit(t.Context(), k, vectors(xs), kpca.Options{Weights: weights})
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range []int{3, report.Components} {
		targets, err := preimage.Project(t.Context(), e, weights, q, vectors(xs), compute.Options{})
		if err != nil {
			t.Fatal(err)
		}
		r, err := targets.Residuals(t.Context(), xs)
		if err != nil {
			t.Fatal(err)
		}
		left, total := 0.0, floats.Sum(weights)
		for i, v := range r {
			left += weights[i] / total * v * v
		}
		testkit.Close(t, "variance that is left", left, report.Total-floats.Sum(report.Variances[:q]), 1e-11)
	}
}

// About the origin nothing is added to the components: Pφ(x) = Σ ⟨vⱼ, φ(x)⟩ vⱼ.
func TestProjectionAboutTheOrigin(t *testing.T) {
	xs, zs, k := points(t, 4, 25, 2), points(t, 14, 6, 2), rbf(1)
	e, report, err := kpca.Fit(t.Context(), k, vectors(xs), kpca.Options{Origin: true, Components: 4})
	if err != nil {
		t.Fatal(err)
	}
	targets, err := preimage.Project(t.Context(), e, nil, 4, vectors(xs), compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := targets.Residuals(t.Context(), xs)
	if err != nil {
		t.Fatal(err)
	}
	testkit.Close(t, "second moment that is left", floats.Dot(r, r)/25, report.Total-floats.Sum(report.Variances), 1e-11)
	scores, err := e.Predict(t.Context(), zs, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if targets, err = preimage.Project(t.Context(), e, nil, 4, vectors(zs), compute.Options{}); err != nil {
		t.Fatal(err)
	}
	for j := range 6 {
		testkit.Close(t, "norm", targets.Norm(j), floats.Norm(scores.RawRowView(j), 2), 1e-11)
	}
}

// The iteration in blocks of matrix products takes the steps of its definition.
func TestFixedPointByDefinition(t *testing.T) {
	const sigma, steps = 1.5, 7
	xs, targets := points(t, 15, 30, 3), 150
	rnd, coef := testkit.Rand(t, 16), mat.NewDense(30, targets, nil)
	for i := range 30 {
		for j := range targets {
			coef.Set(i, j, rnd.Float64())
		}
	}
	near := points(t, 17, targets, 3)
	method := preimage.FixedPoint{Profile: preimage.Gaussian(sigma), Iterations: steps, Tolerance: 1e-300, Restarts: -1}
	for j, a := range solve(t, method, combination(t, rbf(sigma), xs, coef), near) {
		z := slices.Clone(near.At(j))
		for range steps {
			next, sum := make([]float64, 3), 0.0
			for i := range 30 {
				d := floats.Distance(z, xs.At(i), 2)
				w := coef.At(i, j) * math.Exp(-d*d/(2*sigma*sigma))
				floats.AddScaled(next, w, xs.At(i))
				sum += w
			}
			floats.Scale(1/sum, next)
			z = next
		}
		testkit.CloseSlice(t, "point", a.Point, z, 1e-11)
		if a.Iterations != steps {
			t.Errorf("target %d: %d steps", j, a.Iterations)
		}
	}
}

// Of a multiple of Ψ the fixed points are the same, and so is the location by distances
// once Ψ is scaled to the sphere; on the sphere the scaling changes nothing.
func TestMultiplesHaveOnePreImage(t *testing.T) {
	xs, near, p := points(t, 18, 30, 2), points(t, 19, 1, 2), preimage.Gaussian(1.5)
	coef, image := mat.NewDense(30, 1, nil), mat.NewDense(30, 1, nil)
	coef.Set(3, 0, 0.6)
	coef.Set(8, 0, 0.3)
	image.Set(5, 0, 1)
	var small mat.Dense
	small.Scale(0.01, coef)
	whole, part := combination(t, rbf(1.5), xs, coef), combination(t, rbf(1.5), xs, &small)
	for name, m := range map[string]preimage.Method[[]float64]{
		"fixed point": preimage.FixedPoint{Profile: p}, "distances": preimage.Distances{Profile: p, Sphere: true},
	} {
		testkit.CloseSlice(t, name, solve(t, m, part, near)[0].Point, solve(t, m, whole, near)[0].Point, 1e-6)
	}
	onSphere := combination(t, rbf(1.5), xs, image)
	testkit.CloseSlice(t, "on the sphere", solve(t, preimage.Distances{Profile: p, Sphere: true}, onSphere, nil)[0].Point, solve(t, preimage.Distances{Profile: p}, onSphere, nil)[0].Point, 1e-6)
}

// The image of a point has that point for its pre-image, and every method that works on
// it finds it.
func TestImagesAreFound(t *testing.T) {
	xs, k, p := points(t, 5, 30, 2), rbf(1.5), preimage.Gaussian(1.5)
	coef := mat.NewDense(30, 3, nil)
	near := data.MakeVectors(3, 2)
	for j := range 3 {
		coef.Set(j*7, j, 1)
		for c, v := range xs.At(j * 7) {
			near.At(j)[c] = v + 0.3
		}
	}
	targets := combination(t, k, xs, coef)
	for name, m := range map[string]preimage.Method[[]float64]{
		"fixed point": preimage.FixedPoint{Profile: p},
		"distances":   preimage.Distances{Profile: p},
		"descent":     preimage.Descent{Gradient: p.Gradient(), Tolerance: 1e-10},
		"differences": preimage.Descent{},
		"candidates":  preimage.Candidates[[]float64]{Points: xs},
	} {
		for j, a := range solve(t, m, targets, near) {
			if d := floats.Distance(a.Point, xs.At(j*7), 2); !(d < 1e-5) || !a.Converged || !(a.Residual < 1e-5) {
				t.Errorf("%s: target %d: distance %g, answer %+v", name, j, d, a)
			}
		}
	}
}

// grid is the smallest residual over a fine grid of the plane.
func grid(k vec.Kernel, xs data.Vectors, gamma []float64) float64 {
	best := math.Inf(1)
	for a := -4.0; a <= 4; a += 0.05 {
		for b := -4.0; b <= 4; b += 0.05 {
			v := k.Eval([]float64{a, b}, []float64{a, b})
			for i, c := range gamma {
				v -= 2 * c * k.Eval([]float64{a, b}, xs.At(i))
			}
			best = min(best, v)
		}
	}
	norm2 := 0.0
	for i, a := range gamma {
		for j, b := range gamma {
			norm2 += a * b * k.Eval(xs.At(i), xs.At(j))
		}
	}
	return math.Sqrt(best + norm2)
}

// Elements without a pre-image: brute force over a grid of the plane. No method may be
// below the grid by more than its width, and those that minimise may not be above it.
func TestBruteForce(t *testing.T) {
	xs, k, p := points(t, 6, 15, 2), rbf(1), preimage.Gaussian(1)
	e, _, err := kpca.Fit(t.Context(), k, vectors(xs), kpca.Options{Components: 3})
	if err != nil {
		t.Fatal(err)
	}
	noisy := points(t, 7, 6, 2)
	targets, err := preimage.Project(t.Context(), e, nil, 3, vectors(noisy), compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	z, err := e.Predict(t.Context(), noisy, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	fixed := solve(t, preimage.FixedPoint{Profile: p, Restarts: 15, Iterations: 5000}, targets, noisy)
	descent := solve(t, preimage.Descent{Gradient: p.Gradient()}, targets, nil)
	located := solve(t, preimage.Distances{Profile: p}, targets, nil)
	listed := solve(t, preimage.Candidates[[]float64]{Points: xs}, targets, nil)
	for j := range 6 {
		gamma := make([]float64, 15)
		for i := range gamma {
			gamma[i] = 1./15 + floats.Dot(e.Coef.RawRowView(i), z.RawRowView(j))
		}
		want := grid(k, xs, gamma)
		if r := fixed[j].Residual; math.Abs(r-want) > 2e-3 || !fixed[j].Converged {
			t.Errorf("fixed point %d: residual %g, grid %g", j, r, want)
		}
		if r := descent[j].Residual; r < want-2e-3 || r > listed[j].Residual+1e-9 {
			t.Errorf("descent %d: residual %g, grid %g, start %g", j, r, want, listed[j].Residual)
		}
		if r := located[j].Residual; r < want-2e-3 {
			t.Errorf("distances %d: residual %g, grid %g", j, r, want)
		}
		best := math.Inf(1)
		for i := range 15 {
			best = min(best, residual(k, xs.At(i), xs, gamma))
		}
		testkit.Close(t, "the best candidate", listed[j].Residual, best, 1e-10)
		testkit.Close(t, "its own residual", residual(k, xs.At(listed[j].Index), xs, gamma), best, 1e-10)
	}
}

// Kwok and Tsang's location by the normal equations of the same linear system.
func TestDistancesByNormalEquations(t *testing.T) {
	xs, k, sigma := points(t, 8, 20, 2), rbf(2), 2.0
	coef := mat.NewDense(20, 1, nil)
	coef.Set(3, 0, 0.5)
	coef.Set(4, 0, 0.45)
	got := solve(t, preimage.Distances{Profile: preimage.Gaussian(sigma), Neighbours: 20}, combination(t, k, xs, coef), nil)[0]
	gamma, mean := mat.Col(nil, 0, coef), []float64{0, 0}
	norm2 := 0.0
	for i, a := range gamma {
		floats.AddScaled(mean, 1./20, xs.At(i))
		for j, b := range gamma {
			norm2 += a * b * k.Eval(xs.At(i), xs.At(j))
		}
	}
	y, right := mat.NewDense(20, 2, nil), mat.NewVecDense(20, nil)
	for i := range 20 {
		floats.SubTo(y.RawRowView(i), xs.At(i), mean)
		inner := 0.0
		for j, b := range gamma {
			inner += b * k.Eval(xs.At(i), xs.At(j))
		}
		d2 := -2 * sigma * sigma * math.Log(1-(norm2-2*inner+1)/2)
		right.SetVec(i, (floats.Dot(y.RawRowView(i), y.RawRowView(i))-d2)/2)
	}
	average := mat.Sum(right) / 20
	for i := range 20 {
		right.SetVec(i, right.AtVec(i)-average)
	}
	var c mat.VecDense
	if err := c.SolveVec(y, right); err != nil {
		t.Fatal(err)
	}
	floats.Add(mean, c.RawVector().Data)
	testkit.CloseSlice(t, "location", got.Point, mean, 1e-9)
}

func TestLearnedMap(t *testing.T) {
	xs, k := data.MakeVectors(60, 2), rbf(1)
	for i := range 60 {
		a := 2 * math.Pi * float64(i) / 60
		xs.At(i)[0], xs.At(i)[1] = math.Cos(a), math.Sin(a)
	}
	e, _, err := kpca.Fit(t.Context(), k, vectors(xs), kpca.Options{Components: 8})
	if err != nil {
		t.Fatal(err)
	}
	learned, err := preimage.Learn(t.Context(), e, 8, preimage.Ridge(rbf(1), 1e-8, compute.Options{}), compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	noisy := data.Slice[[]float64]{{1.1, 0.02}, {0, -0.9}, {-0.72, 0.73}}
	answers, err := preimage.Denoise(t.Context(), e, nil, 8, vectors(noisy), learned, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for j, a := range answers {
		if r := floats.Norm(a.Point, 2); math.Abs(r-1) > 0.06 || a.Residual > 0.2 {
			t.Errorf("point %d: %v has the radius %g, residual %g", j, a.Point, r, a.Residual)
		}
	}
}

// Ridge is the solution of (K + nλI)α = y − ȳ.
func TestRidge(t *testing.T) {
	xs, k, lambda := points(t, 9, 10, 2), rbf(1), 0.1
	y := mat.NewDense(10, 1, nil)
	for i := range 10 {
		y.Set(i, 0, xs.At(i)[0]*xs.At(i)[1]+3)
	}
	f, err := preimage.Ridge(k, lambda, compute.Options{})(t.Context(), xs, y)
	if err != nil {
		t.Fatal(err)
	}
	e := f.(*model.Expansion[[]float64])
	for i := range 10 {
		left := 10*lambda*e.Coef.At(i, 0) + e.Bias[0]
		for j := range 10 {
			left += k.Eval(xs.At(i), xs.At(j)) * e.Coef.At(j, 0)
		}
		testkit.Close(t, "normal equation", left, y.At(i, 0), 1e-12)
	}
}

// letters is a kernel on strings: the inner product of their counts of letters.
type letters struct{}

func (letters) String() string { return "letters()" }

func (letters) Eval(x, y string) float64 {
	sum := 0.0
	for _, r := range x {
		sum += float64(strings.Count(y, string(r)))
	}
	return sum
}

// Candidates may be of any type.
func TestCandidatesAmongStrings(t *testing.T) {
	words := data.Slice[string]{"ab", "bc", "abc", "cab", "a"}
	f := &model.Expansion[string]{Kernel: kernel.Kernel[string](letters{}), Points: words, Coef: mat.NewDense(5, 1, []float64{1, 1, 0, 0, -1})}
	targets, err := preimage.NewTargets(t.Context(), f, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	// φ(ab) + φ(bc) − φ(a) counts a, b, c as (0, 2, 1).
	answers, err := preimage.Candidates[string]{Points: data.Slice[string]{"abc", "bbc", "cbb", "b"}}.PreImages(t.Context(), targets, nil)
	if err != nil {
		t.Fatal(err)
	}
	if a := answers[0]; a.Point != "bbc" || a.Index != 1 || a.Residual > 1e-7 {
		t.Errorf("answer %+v", a)
	}
}

func TestSameBitsForAnyNumberOfWorkers(t *testing.T) {
	xs, k, p := points(t, 10, 50, 3), rbf(1), preimage.Gaussian(1)
	e, _, err := kpca.Fit(t.Context(), k, vectors(xs), kpca.Options{Components: 5})
	if err != nil {
		t.Fatal(err)
	}
	noisy := points(t, 11, 7, 3)
	for name, m := range map[string]preimage.Method[[]float64]{
		"fixed": preimage.FixedPoint{Profile: p}, "distances": preimage.Distances{Profile: p}, "descent": preimage.Descent{Gradient: p.Gradient()},
	} {
		var first []preimage.PreImage[[]float64]
		for _, workers := range []int{1, 2, 3, 8} {
			answers, err := preimage.Denoise(t.Context(), e, nil, 5, vectors(noisy), m, compute.Options{Workers: workers})
			if err != nil {
				t.Fatal(err)
			}
			if first == nil {
				first = answers
			}
			for j := range answers {
				if !floats.Equal(answers[j].Point, first[j].Point) || answers[j].Residual != first[j].Residual {
					t.Errorf("%s: other bits for %d workers", name, workers)
				}
			}
		}
	}
}

func TestRefusals(t *testing.T) {
	xs, k := points(t, 12, 8, 2), rbf(1)
	targets := combination(t, k, xs, mat.NewDense(8, 2, []float64{1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}))
	e := &model.Expansion[[]float64]{Kernel: k, Points: xs, Coef: mat.NewDense(8, 2, nil), Bias: []float64{1, 0}}
	run := func(m preimage.Method[[]float64], near vectors) error {
		_, err := m.PreImages(t.Context(), targets, near)
		return err
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	for want, f := range map[string]func() error{
		"bias 1": func() error { _, err := preimage.NewTargets(t.Context(), e, compute.Options{}); return err },
		"3 components of 2": func() error {
			_, err := preimage.Project(t.Context(), e, nil, 3, vectors(xs), compute.Options{})
			return err
		},
		"make no mean": func() error {
			_, err := preimage.Project(t.Context(), e, []float64{1}, 1, vectors(xs), compute.Options{})
			return err
		},
		"another kernel":    func() error { return run(preimage.FixedPoint{Profile: preimage.Gaussian(2)}, nil) },
		"needs the profile": func() error { return run(preimage.Distances{}, nil) },
		"8 points to start": func() error { return run(preimage.Descent{}, xs) },
		"no point to start": func() error { return run(preimage.FixedPoint{Profile: preimage.Gaussian(1), Restarts: -1}, nil) },
		"no candidates":     func() error { return run(preimage.Candidates[[]float64]{}, nil) },
		"8 points for 2":    func() error { _, err := targets.Residuals(t.Context(), xs); return err },
		"needs the points":  func() error { return run(&preimage.Learned{}, nil) },
		"context canceled":  func() error { _, err := preimage.Descent{}.PreImages(cancelled, targets, nil); return err },
		"lambda = 0":        func() error { _, err := preimage.Ridge(k, 0, compute.Options{})(t.Context(), xs, nil); return err },
		"learning the map": func() error {
			_, err := preimage.Learn(t.Context(), e, 1, preimage.Ridge(k, -1, compute.Options{}), compute.Options{})
			return err
		},
	} {
		if err := f(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q in it", err, want)
		}
	}
}
