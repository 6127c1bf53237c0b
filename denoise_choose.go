package mercer

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/data"
	"example.org/mercer/data/prep"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/rkhs/preimage"
	"example.org/mercer/task"
	"example.org/mercer/unsupervised/dictionary"
	"example.org/mercer/unsupervised/pca"
)

// permutation returns 0 … n−1 in random order.
func permutation(n int, seed uint64) []int { return rand.New(rand.NewPCG(seed, 1)).Perm(n) }

// widthFactors are what the start of a free parameter is multiplied with.
var widthFactors = []float64{0.25, math.Sqrt2 / 4, 0.5, math.Sqrt2 / 2, 1, math.Sqrt2}

// widthsOf returns the kernels to choose from: those of all factors where the expression
// has a free parameter.
func widthsOf(ctx context.Context, parsed task.Parsed, xs data.Vectors, schema vec.Schema) ([]kernel.Kernel[[]float64], error) {
	node, _, err := task.FilledVectors(ctx, parsed.Node, xs, schema)
	if err != nil {
		return nil, err
	}
	free, err := task.FreeHyperparameters(ctx, node, dictionary.Points(node, xs, schema))
	if err != nil {
		return nil, err
	}
	space := task.SearchSpace(node, free, vec.Dictionary(schema))
	switch len(free) {
	case 0:
		k, err := space.Build(nil)
		return []kernel.Kernel[[]float64]{k}, err
	case 1:
	default:
		return nil, fmt.Errorf("denoise: kernel %s has %d free parameters; one can be chosen", parsed, len(free))
	}
	var kernels []kernel.Kernel[[]float64]
	for _, f := range widthFactors {
		k, err := space.Build([]float64{f * free[0].Starts[0]})
		if err != nil {
			return nil, err
		}
		kernels = append(kernels, k)
	}
	return kernels, nil
}

// What a search takes is bounded, whatever the table: components are found on so many rows, and
// more of them are not tried where that many numbers in a row brought no better error.
const (
	mostSearched = 1000
	patience     = 2
)

// choose keeps the kernel and the number of components with the smallest error on noisy copies
// of the rows held out, and by the same rule those of principal component analysis; without
// noise, what was given.
//
//  1. Of many rows a sample of [mostSearched] is taken, and every kernel is tried on it.
//  2. The best kernel is put on all rows, and the number of components is chosen anew, up to four
//     times that of the sample.
//
// A sample tells widths apart as well as all rows do, and the decomposition of all rows is made
// once in place of once for each width.
func (d *Denoiser) choose(ctx context.Context, kernels []kernel.Kernel[[]float64], train, held data.Vectors) error {
	r := d.Report
	d.counts = upTo(d.o.Components, d.largest(train.Len()))
	if r.Held == 0 {
		a, err := d.analyse(ctx, kernels[0], train, false)
		if err != nil {
			return err
		}
		d.best, r.Kernel, r.Components = a, a.kernel.String(), min(d.counts[0], a.e.Outputs())
		_, err = d.method(ctx, a, r.Components, fine)
		return err
	}
	noisy := d.o.Noise.add(held, d.least, d.most, d.o.Seed)
	if err := d.choosePCA(ctx, train, held, noisy); err != nil {
		return err
	}
	tried := kernels
	if train.Len() > mostSearched && len(kernels) > 1 {
		r.Searched = mostSearched
		order := permutation(train.Len(), d.o.Seed+1)[:mostSearched]
		slices.Sort(order)
		if err := d.try(ctx, "choose on a sample", kernels, train.Gather(order), held, noisy); err != nil {
			return err
		}
		best := slices.IndexFunc(kernels, func(k kernel.Kernel[[]float64]) bool { return k.String() == r.Kernel })
		d.counts = upTo(d.o.Components, min(4*r.Components, d.largest(train.Len())))
		tried = kernels[best : best+1]
	}
	if err := d.try(ctx, "choose", tried, train, held, noisy); err != nil {
		return err
	}
	d.warnAtTheEdge(kernels)
	return nil
}

// try keeps the best of some kernels and of the numbers of components d.counts.
func (d *Denoiser) try(ctx context.Context, stage string, kernels []kernel.Kernel[[]float64], train, held, noisy data.Vectors) error {
	d.best, d.Report.Error = nil, math.Inf(1)
	var only *analysis // which tells of itself
	if len(kernels) == 1 {
		var err error
		if only, err = d.analyse(ctx, kernels[0], train, false); err != nil {
			return err
		}
	}
	told := d.o.Compute.Meter(stage, int64(len(kernels)*len(d.counts)))
	defer told.End(ctx)
	for _, k := range kernels {
		a := only
		if a == nil {
			var err error
			if a, err = d.analyse(ctx, k, train, true); err != nil {
				return err
			}
		}
		if err := d.tryComponents(ctx, a, train.Len(), held, noisy, func() { told.Add(1) }); err != nil {
			return err
		}
	}
	if d.best == nil {
		return fmt.Errorf("denoise: none of %d kernels gives a finite error with any of %v components", len(kernels), d.counts)
	}
	return nil
}

// tryComponents tries the numbers of components d.counts of an analysis of so many rows.
func (d *Denoiser) tryComponents(ctx context.Context, a *analysis, rows int, held, noisy data.Vectors, tried func()) error {
	r, least, worse := d.Report, math.Inf(1), 0
	for _, q := range d.counts {
		if q > a.e.Outputs() || worse == patience && r.Searched > 0 {
			tried()
			continue
		}
		answers, err := d.remove(ctx, a, q, coarse, noisy)
		if err != nil {
			return err
		}
		e := squaredError(held, func(i int) []float64 { return answers[i].Point })
		r.Trials = append(r.Trials, DenoisingTrial{Kernel: a.kernel.String(), Components: q, Rows: rows, Error: e})
		if worse++; e < least {
			least, worse = e, 0
		}
		if e < r.Error {
			d.best, r.Kernel, r.Components, r.Error = a, a.kernel.String(), q, e
		}
		tried()
	}
	return nil
}

// warnAtTheEdge says where the best was the last that was tried.
func (d *Denoiser) warnAtTheEdge(kernels []kernel.Kernel[[]float64]) {
	r := d.Report
	if first, last := kernels[0].String(), kernels[len(kernels)-1].String(); len(kernels) > 1 && (r.Kernel == first || r.Kernel == last) {
		r.Warn("the best kernel, %s, is at the edge of those tried, from %s to %s", r.Kernel, first, last)
	}
	if last := d.counts[len(d.counts)-1]; len(d.counts) > 1 && r.Components == last {
		r.Warn("the best number of components, %d, is the largest that was tried", last)
	}
}

// choosePCA chooses the number of principal components.
func (d *Denoiser) choosePCA(ctx context.Context, train, held, noisy data.Vectors) error {
	m, report, err := pca.Fit(ctx, train, pca.Options{Solver: pca.Exact, Compute: d.o.Compute})
	if err != nil {
		return err
	}
	d.linear, d.Report.PCAError = m, math.Inf(1)
	if d.shrink, err = d.newShrinkage(train); err != nil {
		return err
	}
	z, err := d.shrink.remove(noisy)
	if err != nil {
		return err
	}
	d.Report.ShrunkPCAError = squaredError(held, z.At)
	for _, q := range upTo(d.o.Components, report.Components) {
		z, err := d.linearly(noisy, q)
		if err != nil {
			return err
		}
		e := squaredError(held, z.At)
		d.Report.Trials = append(d.Report.Trials, DenoisingTrial{Components: q, Rows: train.Len(), Error: e})
		if e < d.Report.PCAError {
			d.Report.PCA, d.Report.PCAError = q, e
		}
	}
	return nil
}

// upTo returns the numbers to try, the ladder where none were given, and the largest
// possible in place of those beyond it.
func upTo(counts []int, most int) []int {
	if counts == nil {
		counts = ladder
	}
	var out []int
	for _, q := range counts {
		if q = min(q, most); len(out) == 0 || q > out[len(out)-1] {
			out = append(out, q)
		}
	}
	return out
}

// linearly returns the projections on the mean and the first q principal components.
func (d *Denoiser) linearly(xs data.Vectors, q int) (data.Vectors, error) {
	z, err := d.linear.Transform(xs)
	if err != nil {
		return data.Vectors{}, err
	}
	n, _ := z.Dims()
	return d.linear.Inverse(mat.DenseCopyOf(z.Slice(0, n, 0, q)))
}

// remove denoises rows with q components of an analysis.
func (d *Denoiser) remove(ctx context.Context, a *analysis, q int, tolerance float64, noisy data.Vectors) ([]preimage.PreImage[[]float64], error) {
	m, err := d.method(ctx, a, q, tolerance)
	if err != nil {
		return nil, err
	}
	return preimage.Denoise(ctx, a.e, d.weights, q, noisy, m, d.o.Compute)
}

// squaredError is the mean over rows of their squared distance from the clean ones.
func squaredError(clean data.Vectors, point func(i int) []float64) float64 {
	sum := 0.0
	for i := range clean.Len() {
		for j, v := range point(i) {
			sum += (v - clean.At(i)[j]) * (v - clean.At(i)[j])
		}
	}
	return sum / float64(clean.Len())
}

// Extremes returns the smallest and the largest number of the clean rows.
func (d *Denoiser) Extremes() (least, most float64) { return d.least, d.most }

// Denoised are rows without their noise.
type Denoised struct {
	Rows      *prep.Prepared // as they came
	PreImages []preimage.PreImage[[]float64]
}

// Denoise removes the noise from the rows of a table.
func (d *Denoiser) Denoise(ctx context.Context, t *data.Table) (*Denoised, error) {
	rows, err := d.Prep.ApplyInputs(t)
	if err != nil {
		return nil, err
	}
	answers, err := d.remove(ctx, d.best, d.Report.Components, fine, rows.X)
	if err != nil {
		return nil, err
	}
	for i := range answers {
		answers[i].Point = d.numbers(answers[i].Point)
		copy(rows.X.At(i), d.numbers(rows.X.At(i)))
	}
	return &Denoised{Rows: rows, PreImages: answers}, nil
}

// Comparison is what is left of noise that was added to clean rows.
type Comparison struct {
	Rows    int                `json:"rows"`
	Noisy   float64            `json:"noisy_error"` // of doing nothing
	PCA     float64            `json:"pca_error"`   // each with the components chosen
	Shrunk  float64            `json:"shrunk_pca_error"`
	Kernel  float64            `json:"error"`
	Ratio   float64            `json:"ratio"` // PCA/Kernel
	ByCount []ComparisonAtSame `json:"at_same_components"`
	// ByCountRows are the rows, the first ones, that ByCount is about.
	ByCountRows int `json:"at_same_components_rows"`

	// The clean rows, and what became of them.
	Clean, WithNoise, Linear data.Vectors `json:"-"`
	Denoised                 *Denoised    `json:"-"`
}

// ComparisonAtSame has the errors with the same number of components for both.
type ComparisonAtSame struct {
	Components int     `json:"components"`
	PCA        float64 `json:"pca_error"`
	Kernel     float64 `json:"error"`
	Ratio      float64 `json:"ratio"`
}

// Compare adds the noise to the clean rows of a table, removes it again, and compares with
// principal component analysis. Both have the number of components that was chosen for each, and
// all that both can have.
func (d *Denoiser) Compare(ctx context.Context, t *data.Table) (*Comparison, error) {
	if d.linear == nil {
		return nil, fmt.Errorf("denoise: to compare on clean rows, say which noise is added to them")
	}
	rows, err := d.Prep.ApplyInputs(t)
	if err != nil {
		return nil, err
	}
	c := &Comparison{Rows: rows.X.Len(), Clean: rows.X, Denoised: &Denoised{Rows: rows}}
	c.WithNoise = d.o.Noise.add(rows.X, d.least, d.most, d.o.Seed+1)
	c.Noisy = squaredError(c.Clean, c.WithNoise.At)
	if c.Linear, err = d.linearly(c.WithNoise, d.Report.PCA); err != nil {
		return nil, err
	}
	if c.Denoised.PreImages, err = d.remove(ctx, d.best, d.Report.Components, fine, c.WithNoise); err != nil {
		return nil, err
	}
	shrunk, err := d.shrink.remove(c.WithNoise)
	if err != nil {
		return nil, err
	}
	c.PCA, c.Shrunk = squaredError(c.Clean, c.Linear.At), squaredError(c.Clean, shrunk.At)
	c.Kernel = squaredError(c.Clean, func(i int) []float64 { return c.Denoised.PreImages[i].Point })
	c.Ratio = c.PCA / c.Kernel
	return c, d.compareCounts(ctx, c)
}

// mostCompared is the number of rows on which numbers of components are compared.
const mostCompared = 500

// compareCounts compares all numbers of components that both can have, of many rows on the first.
func (d *Denoiser) compareCounts(ctx context.Context, c *Comparison) error {
	few := *c
	if n := min(c.Rows, mostCompared); n < c.Rows {
		rows := data.Range(0, n)
		few.Clean, few.WithNoise = c.Clean.Gather(rows), c.WithNoise.Gather(rows)
	}
	c.ByCountRows = few.Clean.Len()
	most, _ := d.linear.Components.Dims()
	told := d.o.Compute.Meter("compare", int64(len(d.counts)))
	defer told.End(ctx)
	for _, q := range d.counts {
		if q > min(most, d.best.e.Outputs()) {
			break
		}
		at, err := d.compareAt(ctx, &few, q)
		if err != nil {
			return err
		}
		c.ByCount = append(c.ByCount, at)
		told.Add(1)
	}
	return nil
}

func (d *Denoiser) compareAt(ctx context.Context, c *Comparison, q int) (ComparisonAtSame, error) {
	z, err := d.linearly(c.WithNoise, q)
	if err != nil {
		return ComparisonAtSame{}, err
	}
	answers, err := d.remove(ctx, d.best, q, coarse, c.WithNoise)
	if err != nil {
		return ComparisonAtSame{}, err
	}
	at := ComparisonAtSame{Components: q, PCA: squaredError(c.Clean, z.At),
		Kernel: squaredError(c.Clean, func(i int) []float64 { return answers[i].Point })}
	at.Ratio = at.PCA / at.Kernel
	return at, nil
}
