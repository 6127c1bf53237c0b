package krr

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/approx/nystrom"
	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/model"
)

// momentsTo is the residual above which a solution by moments of kernel values is not taken.
const momentsTo = 1e-10

// onLandmarks is a problem of n rows on m landmarks, which are the first of them, with two
// targets and weights, every fifth of which is 0.
type onLandmarks struct {
	xs      data.Set[[]float64]
	low     *nystrom.Kernel[[]float64]
	y       *mat.Dense
	weights []float64
}

func newOnLandmarks(t *testing.T, text string, n, m int) *onLandmarks {
	t.Helper()
	rng := testkit.Rand(t, 71)
	xs, p := data.MakeVectors(n, 3), &onLandmarks{y: mat.NewDense(n, 2, nil), weights: make([]float64, n)}
	for i := range n {
		for j := range 3 {
			xs.At(i)[j] = rng.NormFloat64()
		}
		p.y.SetRow(i, []float64{5 + math.Sin(2*xs.At(i)[0]) + 0.1*rng.NormFloat64(), xs.At(i)[1] * xs.At(i)[2]})
		p.weights[i] = float64(i%5) * rng.ExpFloat64()
	}
	p.xs = xs
	k, err := vec.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	if p.low, err = nystrom.New(t.Context(), k, data.Run(p.xs, 0, m), compute.Options{}); err != nil {
		t.Fatal(err)
	}
	return p
}

func (p *onLandmarks) fit(t *testing.T, options Options) (*model.Primal[[]float64], *Report) {
	t.Helper()
	options.Solver = Primal
	f, report, err := Fit(t.Context(), p.low, p.xs, p.y, options)
	if err != nil {
		t.Fatal(err)
	}
	return f.(*model.Primal[[]float64]), report
}

// equations returns H and b in the features of every row, made one by one.
func (p *onLandmarks) equations(options Options, ridge float64) (h, b *mat.Dense) {
	n, m := p.xs.Len(), p.low.Rank()
	phi, w, total := mat.NewDense(n, m, nil), make([]float64, n), 0.0
	raw := phi.RawMatrix()
	kernel.MapRows(p.low, kernel.Tile{Rows: n, Cols: m, Stride: raw.Stride, Data: raw.Data}, p.xs, 0)
	for i := range w {
		w[i] = model.Weight(options.Weights, i)
		total += w[i]
	}
	y := mat.DenseCopyOf(p.y)
	if !options.NoIntercept {
		for _, a := range []*mat.Dense{phi, y} {
			_, cols := a.Dims()
			for c := range cols {
				mean := 0.0
				for i, v := range mat.Col(nil, c, a) {
					mean += w[i] * v / total
				}
				for i := range n {
					a.Set(i, c, a.At(i, c)-mean)
				}
			}
		}
	}
	h, b = mat.NewDense(m, m, nil), new(mat.Dense)
	var weighted mat.Dense
	weighted.Apply(func(i, _ int, v float64) float64 { return w[i] * v }, phi)
	h.Mul(weighted.T(), phi)
	for d := range m {
		h.Set(d, d, h.At(d, d)+ridge)
	}
	b.Mul(weighted.T(), y)
	return h, b
}

// rounding is the relative error of H that features have: those of a triangular solve, 2⁻⁵² m
// times the root of the condition of K_CC.
func (p *onLandmarks) rounding() float64 {
	return 0x1p-52 * float64(p.low.Rank()) * math.Sqrt(p.low.Factor().Condition())
}

// meets wants a residual of Hw = b no larger than the report says, for features that round.
func (p *onLandmarks) meets(t *testing.T, name string, w, h, b *mat.Dense, by *Report) {
	t.Helper()
	var rest mat.Dense
	rest.Mul(h, w)
	rest.Sub(b, &rest)
	for c := range 2 {
		size := mat.Norm(b.ColView(c), 2)
		bound := (by.Residual+p.rounding())*size + p.rounding()*mat.Norm(h, 2)*mat.Norm(w.ColView(c), 2)
		if r := mat.Norm(rest.ColView(c), 2); r > bound {
			t.Errorf("%s, target %d: a residual of %.1e of the equations, bound %.1e", name, c, r/size, bound/size)
		}
	}
}

// near wants two solutions within (r + r′)‖b‖/R, which is what residuals r and r′ allow as
// ‖H⁻¹‖ ≤ 1/R, and the rounding of H.
func (p *onLandmarks) near(t *testing.T, name string, got, want, h, b *mat.Dense, by, in *Report) {
	t.Helper()
	var apart mat.Dense
	apart.Sub(got, want)
	for c := range 2 {
		bound := ((by.Residual+in.Residual+2*p.rounding())*mat.Norm(b.ColView(c), 2) + 2*p.rounding()*mat.Norm(h, 2)*mat.Norm(want.ColView(c), 2)) / by.Ridge
		if d := mat.Norm(apart.ColView(c), 2); d > bound {
			t.Errorf("%s, target %d: ‖w − w′‖ = %.1e, bound %.1e", name, c, d, bound)
		}
	}
}

// TestSampleSolvesTheEquationsOfAllRows: w that a sample found meets the equations as they are
// defined, and is what the product of all rows gives.
func TestSampleSolvesTheEquationsOfAllRows(t *testing.T) {
	const n, m = 4000, 40
	p := newOnLandmarks(t, "rbf(sigma=1.5)", n, m)
	for _, c := range []struct {
		name    string
		options Options
	}{
		{"plain", Options{Ridge: 2, NoIntercept: true}},
		{"intercept", Options{Ridge: 2}},
		{"weights", Options{Lambda: 1e-3, Weights: p.weights, NoIntercept: true}},
		{"both", Options{Lambda: 1e-4, Weights: p.weights}},
	} {
		sampled, whole := c.options, c.options
		sampled.sample, whole.sample = 20*m, -1
		got, by := p.fit(t, sampled)
		want, in := p.fit(t, whole)
		if by.Sample != 20*m || by.SingleProducts < 3 || by.Residual > momentsTo || len(by.Warnings) > 0 {
			t.Errorf("%s: sample of %d, %d products in single precision, residual %.1e, warnings %q", c.name, by.Sample, by.SingleProducts, by.Residual, by.Warnings)
		}
		if in.Sample != 0 || in.SingleProducts != 0 {
			t.Errorf("%s: the whole product has a sample of %d", c.name, in.Sample)
		}
		h, b := p.equations(c.options, by.Ridge)
		p.meets(t, c.name, got.W, h, b, by)
		p.near(t, c.name, got.W, want.W, h, b, by, in)
		for target := range 2 {
			testkit.Close(t, c.name+": training error", by.Train.RMSE[target], in.Train.RMSE[target], 1e-9)
			testkit.Close(t, c.name+": intercept", got.Bias[target], want.Bias[target], 1e-7)
		}
		for _, workers := range []int{1, 2, 3, 8} {
			again := sampled
			again.Compute.Workers = workers
			if f, _ := p.fit(t, again); !mat.Equal(f.W, got.W) {
				t.Errorf("%s: %d workers give other bits", c.name, workers)
			}
		}
	}
}

// TestSampleThatIsTooSmallIsReplaced by the product of all rows, with a warning: fewer rows
// than landmarks leave directions of which they know nothing.
func TestSampleThatIsTooSmallIsReplaced(t *testing.T) {
	p := newOnLandmarks(t, "rbf(sigma=1.5)", 3000, 60)
	want, in := p.fit(t, Options{Ridge: 1e-3, sample: -1})
	got, by := p.fit(t, Options{Ridge: 1e-3, sample: 10})
	if len(by.Warnings) != 1 || !strings.Contains(by.Warnings[0], "sample of 10 rows") {
		t.Fatalf("warnings %q", by.Warnings)
	}
	if !mat.Equal(got.W, want.W) || by.Residual != in.Residual || by.Sample != 0 || by.SingleProducts != 0 || by.Iterations != in.Iterations {
		t.Errorf("another solution than that of the whole product: residual %.1e, %.1e", by.Residual, in.Residual)
	}
}

// TestSampleOfLandmarksThatAreNearlyAlike: the worse the condition of K_CC, the less single
// precision knows of the equations; where it is not enough the product of all rows is made, with a
// warning. The result is the same as that of features of every row, which leave-one-out errors
// take.
func TestSampleOfLandmarksThatAreNearlyAlike(t *testing.T) {
	for _, c := range []struct {
		kernel      string
		ridge       float64
		least, most float64 // condition of K_CC
	}{
		{"rbf(sigma=2.5)", 10, 1e8, 1e10},
		{"rbf(sigma=6)", 100, 1e12, 1e13},
	} {
		p := newOnLandmarks(t, c.kernel, 3000, 40)
		if k := p.low.Factor().Condition(); k < c.least || k > c.most {
			t.Fatalf("%s: K_CC has a condition of %.1e", c.kernel, k)
		}
		want, in := p.fit(t, Options{Ridge: c.ridge, LOO: true})
		got, by := p.fit(t, Options{Ridge: c.ridge, sample: 1000})
		if by.Residual > momentsTo || (by.Sample > 0) != (len(by.Warnings) == 0) {
			t.Errorf("%s: sample of %d, residual %.1e, warnings %q", c.kernel, by.Sample, by.Residual, by.Warnings)
		}
		h, b := p.equations(Options{}, c.ridge)
		p.near(t, c.kernel, got.W, want.W, h, b, by, in)
	}
}

// TestPlanCountsTheSample: a plan has the time and the words of the way that is taken.
func TestPlanCountsTheSample(t *testing.T) {
	p := newOnLandmarks(t, "rbf(sigma=1.5)", 3000, 40)
	if rows, share := ChooseSample(p.low, p.xs, 1, Options{}); rows != 0 || share != 1 {
		t.Errorf("3000 rows: a sample of %d, %v of the time", rows, share)
	}
	rows, share := ChooseSample(p.low, p.xs, 1, Options{Ridge: 1, sample: 400})
	if rows != 400 || !(share > 0) {
		t.Errorf("a sample of %d, %v of the time", rows, share)
	}
	if rows, _ := ChooseSample(p.low, p.xs, 1, Options{Ridge: 1, sample: 400, LOO: true}); rows != 0 {
		t.Errorf("leave-one-out errors of a sample of %d", rows)
	}
	small := Options{Ridge: 1e-14, sample: 400}
	if rows, share := ChooseSample(p.low, p.xs, 2, small); rows != 0 || share != 1 {
		t.Errorf("a ridge that sends the fit to the features: a sample of %d is planned", rows)
	}
	if _, by := p.fit(t, small); by.Sample != 0 || len(by.Warnings) > 0 {
		t.Errorf("a ridge that sends the fit to the features: a sample of %d is tried, warnings %q", by.Sample, by.Warnings)
	}
	m := compute.Machine{GemmRate: 1e9, PairRate: 1e6, Workers: 1}
	whole := Plan(Work{Rows: 3000, Features: 40, Targets: 1}, m, 0)
	if half := Plan(Work{Rows: 3000, Features: 40, Targets: 1, Sample: 400, Share: 0.5}, m, 0); half.Seconds != whole.Seconds/2 || !strings.Contains(half.Stages[0].Stage, "400 rows") {
		t.Errorf("%v s in %q, and %v s for the whole", half.Seconds, half.Stages[0].Stage, whole.Seconds)
	}
}

// TestSampledFitEndsWithItsContext.
func TestSampledFitEndsWithItsContext(t *testing.T) {
	p := newOnLandmarks(t, "rbf(sigma=1.5)", 3000, 40)
	for stage, after := range map[string]int{"first pass": 1, "later": 6} {
		ctx, cancel := context.WithCancel(t.Context())
		seen := 0
		options := Options{Ridge: 1, sample: 800, Solver: Primal}
		options.Compute.Progress = func(string, int64, int64) {
			if seen++; seen == after {
				cancel()
			}
		}
		if _, _, err := Fit(ctx, p.low, p.xs, p.y, options); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", stage, err)
		}
		cancel()
	}
}
