package mercer

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/prep"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/learner/methods"
	"example.org/mercer/model"
	"example.org/mercer/rkhs/preimage"
	"example.org/mercer/task"
	"example.org/mercer/unsupervised/kpca"
	"example.org/mercer/unsupervised/pca"
)

// Denoising says how rows are denoised: their images in the RKHS are projected on the
// leading components of clean rows, and the pre-images of the projections are the answer.
type Denoising struct {
	// Kernel is an expression. One parameter of it may be "?": it is chosen, a width among
	// multiples of the median heuristic.
	Kernel string
	// Components are the numbers of components to choose from, ascending; nil is a ladder
	// from 1 to 1024.
	Components []int
	// Noise is added to the rows that are held out: what has the smallest mean squared
	// error on them is chosen. Without noise there must be nothing to choose.
	Noise Noise
	// Held is the share of the rows that is held out; 0 means 0.1, and at most 200 rows.
	Held float64
	// Mean takes components about the mean of the images. They are about the origin
	// otherwise, where the size of a projection has no part in its pre-image, see
	// [preimage.Project].
	Mean     bool
	PreImage PreImage
	Seed     uint64 // of the rows held out and of noise
	Compute  compute.Options
}

// PreImage names a way from elements of the RKHS to points.
type PreImage string

// The ways of package preimage.
const (
	AutoPreImage PreImage = ""            // fixed point for Gaussian kernels, descent otherwise
	FixedPoint   PreImage = "fixed-point" // for rbf with one width
	Distances    PreImage = "distances"   // for rbf with one width
	Descent      PreImage = "descent"     // for differentiable kernels on vectors
	Learned      PreImage = "learned"     // kernel ridge regression from scores to rows
	Candidates   PreImage = "candidates"  // the best training row
)

// PreImages are the names of all ways.
var PreImages = []PreImage{FixedPoint, Distances, Descent, Learned, Candidates}

// ladder are the numbers of components that are tried unless some are given.
var ladder = []int{1, 4, 16, 32, 64, 128, 256, 512, 1024}

// How many rows are held out by default: a tenth, within bounds.
const (
	heldShare = 0.1
	leastHeld = 5
	mostHeld  = 200
)

// validate reports every problem of the options.
func (o *Denoising) validate() error {
	var problems []error
	add := func(format string, args ...any) { problems = append(problems, fmt.Errorf("denoise: "+format, args...)) }
	if err := o.Noise.Check(); err != nil {
		add("%w", err)
	}
	if !(o.Held >= 0 && o.Held < 1) {
		add("the share of rows held out is %g; it must be at least 0 and below 1", o.Held)
	}
	if len(o.Components) > 0 && o.Components[0] < 1 || !slices.IsSorted(o.Components) {
		add("components %v: give numbers above 0, ascending", o.Components)
	}
	if o.PreImage != AutoPreImage && !slices.Contains(PreImages, o.PreImage) {
		add("pre-images by %q are not known; there are %q", o.PreImage, PreImages)
	}
	if o.Noise == (Noise{}) && len(o.Components) != 1 {
		add("the number of components is to be chosen, and nothing says by what: give one number, or the noise that the rows have")
	}
	return errors.Join(problems...)
}

// DenoisingReport says what was chosen, and by which errors. Errors are squared
// distances from the clean rows, on average over rows.
type DenoisingReport struct {
	Rows       int     `json:"rows"` // trained on
	Held       int     `json:"held"` // chosen on
	Features   int     `json:"features"`
	Kernel     string  `json:"kernel"`
	Components int     `json:"components"`
	About      string  `json:"about"` // "origin" or "mean"
	PreImage   string  `json:"pre_image"`
	Noise      Noise   `json:"noise"`
	Error      float64 `json:"held_error,omitempty"` // of the choice
	// PCA is what principal component analysis does best by the same rule; 0: no noise.
	PCA      int     `json:"pca_components,omitempty"`
	PCAError float64 `json:"pca_held_error,omitempty"`
	// ShrunkPCAError is that of all principal components with their scores shrunk as the noise
	// asks for: much of what is gained over PCA is shrinkage, which needs no kernel.
	ShrunkPCAError float64 `json:"shrunk_pca_held_error,omitempty"`
	// Searched is the number of training rows, a sample, on which kernels were tried; 0: all.
	Searched int              `json:"searched_rows,omitempty"`
	Trials   []DenoisingTrial `json:"trials,omitempty"`
	Memory   int64            `json:"planned_memory"`

	model.Run
}

// DenoisingTrial is one choice and its error on the rows held out.
type DenoisingTrial struct {
	Kernel     string  `json:"kernel"` // "" is principal component analysis
	Components int     `json:"components"`
	Rows       int     `json:"rows"` // that it was fitted on
	Error      float64 `json:"error"`
}

// Denoiser removes noise from rows like those it was made of.
type Denoiser struct {
	Prep   *prep.Pipeline
	Report *DenoisingReport

	o           Denoising
	best        *analysis
	weights     []float64 // of the rows, for their mean; nil: equal
	linear      *pca.Model
	shrink      *shrinkage
	counts      []int // of kernel components that were tried
	least, most float64
}

// analysis is a kernel and its components.
type analysis struct {
	kernel kernel.Kernel[[]float64]
	e      *model.Expansion[[]float64]
}

// NewDenoiser finds the components of the rows of a clean table, of which all numeric
// columns are used as they are, and chooses the kernel and the number of components on
// rows that are held out.
func NewDenoiser(ctx context.Context, t *data.Table, s prep.Spec, o Denoising) (*Denoiser, error) {
	if err := o.validate(); err != nil {
		return nil, err
	}
	s.Raw, s.NoOneHot, s.NoTarget = []string{"*"}, true, len(s.Targets) == 0
	in, err := task.Prepare(t, s, o.Kernel)
	if needed := (*task.KernelNeeded)(nil); errors.As(err, &needed) { // no other kernel helps
		if found := (*data.Error)(nil); errors.As(needed.Err, &found) {
			plain := *found
			plain.Fix = "noise is taken from columns of numbers: give a table that has some"
			err = &plain
		}
	}
	if err != nil {
		return nil, err
	}
	if in.Kernel.Kind != task.OnVectors {
		return nil, fmt.Errorf("denoise: kernel %s is on %s, and new rows are sought among vectors", o.Kernel, in.Kernel.Kind)
	}
	d := &Denoiser{Prep: in.Steps, o: o, Report: &DenoisingReport{Features: in.Rows.X.Dim(), About: "origin", Noise: o.Noise}}
	if o.Mean {
		d.Report.About = "mean"
	}
	watch := model.NewStopwatch()
	train, held, err := d.split(in.Rows.X)
	if err != nil {
		return nil, err
	}
	d.least, d.most = extremes(train)
	kernels, err := widthsOf(ctx, in.Kernel, train, task.SchemaOf(in.Steps))
	if err != nil {
		return nil, err
	}
	if len(kernels) > 1 && o.Noise == (Noise{}) {
		return nil, fmt.Errorf("denoise: kernel %s has a parameter to be chosen, and nothing says by what: give its value, or the noise that the rows have", o.Kernel)
	}
	if err := d.fits(ctx, train); err != nil {
		return nil, err
	}
	d.Report.Rows = train.Len()
	if err := d.choose(ctx, kernels, train, held); err != nil {
		return nil, err
	}
	watch.Lap(&d.Report.Run, "choose")
	return d, nil
}

// NewDenoiserOf takes the components that a model has found, the leading ones as many as
// o.Components says or all. They are about the mean of the images of its rows. o has no kernel and
// no noise, as nothing is chosen. Errors: a model that is no kernel principal component analysis of
// vectors, on landmarks, or of features that are no numbers of a column.
func NewDenoiserOf(ctx context.Context, m *Model, o Denoising) (*Denoiser, error) {
	f, vectors := task.VectorEncoding.FunctionOf(m.Function)
	e, expansion := f.Predictor.(*model.Expansion[[]float64])
	switch {
	case m.Method != (methods.KPCA{}).Name() || !vectors || !expansion:
		return nil, fmt.Errorf("denoise: a model by %q on %s has no kernel principal components of vectors: make one with embed kpca", m.Method, m.Function.Kind())
	case m.Approximation != nil:
		return nil, fmt.Errorf("denoise: the components of the model are of landmarks, and the mean of its rows is not known: make a model without landmarks")
	case m.Weights != nil && len(m.Weights) != e.Points.Len():
		return nil, fmt.Errorf("denoise: the model stands on %d of its %d rows, and their mean is not known", e.Points.Len(), len(m.Weights))
	}
	d := &Denoiser{Prep: m.Prep, o: o, best: &analysis{kernel: f.Kernel, e: e}, weights: m.Weights,
		Report: &DenoisingReport{Rows: e.Points.Len(), Kernel: f.Kernel.String(), About: "mean", Components: e.Outputs()}}
	names, _ := m.Prep.Features()
	for j, name := range names {
		if _, ok := m.Prep.Original(j, 0); !ok {
			return nil, fmt.Errorf("denoise: the feature %s of the model is no number of a column: a point has no cell there", name)
		}
	}
	d.Report.Features = len(names)
	d.o.Mean = true
	if len(o.Components) > 0 {
		if d.Report.Components = o.Components[0]; d.Report.Components > e.Outputs() {
			return nil, fmt.Errorf("denoise: %d components are wanted, and the model has %d", d.Report.Components, e.Outputs())
		}
	}
	rows := data.MakeVectors(e.Points.Len(), len(names))
	for i := range rows.Len() {
		copy(rows.At(i), d.numbers(e.Points.At(i)))
	}
	d.least, d.most = extremes(rows)
	_, err := d.method(ctx, d.best, d.Report.Components, fine)
	return d, err
}

// numbers returns those that the features of a row were made of.
func (d *Denoiser) numbers(features []float64) []float64 {
	row := make([]float64, len(features))
	for j, v := range features {
		row[j], _ = d.Prep.Original(j, v)
	}
	return row
}

// split holds rows out where something is to be chosen on them.
func (d *Denoiser) split(xs data.Vectors) (train, held data.Vectors, err error) {
	if d.o.Noise == (Noise{}) {
		return xs, held, nil
	}
	n := xs.Len()
	count := max(int(d.o.Held*float64(n)), leastHeld)
	if d.o.Held == 0 {
		count = min(max(int(heldShare*float64(n)), leastHeld), mostHeld)
	}
	if n-count < 2 {
		return train, held, fmt.Errorf("denoise: %d rows are too few to hold %d of them out: give more, or one kernel and number of components and no noise", n, count)
	}
	order := permutation(n, d.o.Seed)
	slices.Sort(order[:count])
	slices.Sort(order[count:])
	d.Report.Held = count
	return xs.Gather(order[count:]), xs.Gather(order[:count]), nil
}

// fits plans the memory and refuses what is beyond the limit, if there is one.
func (d *Denoiser) fits(ctx context.Context, xs data.Vectors) error {
	if d.o.Compute.MaxMemory <= 0 {
		return nil
	}
	machine, err := compute.Calibrate(ctx, d.o.Compute)
	if err != nil {
		return err
	}
	n := xs.Len()
	plan := kpca.Plan(n, xs.Dim(), 0, d.options(n, d.o.Compute), machine)
	// Components, and of every row that is denoised coefficients, values and weights.
	plan.Memory += 8 * int64(n) * int64(d.largest(n)+4*max(d.Report.Held, 1))
	d.Report.Memory = plan.Memory
	return compute.CheckMemory(plan, d.o.Compute.MaxMemory)
}

// largest is the largest number of components that is tried.
func (d *Denoiser) largest(n int) int {
	counts := d.o.Components
	if counts == nil {
		counts = ladder
	}
	return min(counts[len(counts)-1], n-1)
}

func (d *Denoiser) options(n int, how compute.Options) kpca.Options {
	return kpca.Options{Components: d.largest(n), Origin: !d.o.Mean, Seed: d.o.Seed, Compute: how}
}

// analyse finds the components of one kernel. It tells how far it is, unless it is one of several
// analyses that are told of together.
func (d *Denoiser) analyse(ctx context.Context, k kernel.Kernel[[]float64], xs data.Vectors, several bool) (*analysis, error) {
	how := d.o.Compute
	if several {
		how.Progress = nil
	}
	e, r, err := kpca.Fit(ctx, k, xs, d.options(xs.Len(), how))
	if err != nil {
		return nil, err
	}
	for _, w := range r.Warnings {
		d.Report.Warn("%s: %s", k, w)
	}
	return &analysis{kernel: k, e: e}, nil
}

// The tolerances of iterations, of a step beside the spread of the rows: mean squared
// errors do not see less than the coarse one.
const coarse, fine = 1e-3, 1e-7

// method is the way to pre-images with q components.
func (d *Denoiser) method(ctx context.Context, a *analysis, q int, tolerance float64) (preimage.Method[[]float64], error) {
	rbf, gaussian := a.kernel.(vec.RBF)
	gaussian = gaussian && rbf.Widths == nil
	profile := preimage.Profile{}
	if gaussian {
		profile = preimage.Gaussian(rbf.Sigma)
	}
	way := d.o.PreImage
	if way == AutoPreImage {
		if way = Descent; gaussian {
			way = FixedPoint
		}
	}
	d.Report.PreImage = string(way)
	switch way {
	case FixedPoint:
		return preimage.FixedPoint{Profile: profile, Tolerance: tolerance, Restarts: -1}, nil
	case Distances:
		return preimage.Distances{Profile: profile, Sphere: !d.o.Mean}, nil
	case Learned:
		return d.learn(ctx, a, q)
	case Candidates:
		return preimage.Candidates[[]float64]{Points: a.e.Points}, nil
	}
	if gaussian {
		return preimage.Descent{Gradient: profile.Gradient(), Tolerance: tolerance}, nil
	}
	return preimage.Descent{Tolerance: tolerance}, nil
}

// learn regresses the training rows on their scores, with a Gaussian kernel of the median
// width between scores and a small penalty.
func (d *Denoiser) learn(ctx context.Context, a *analysis, q int) (preimage.Method[[]float64], error) {
	z, err := a.e.Predict(ctx, a.e.Points, d.o.Compute)
	if err != nil {
		return nil, err
	}
	n, _ := z.Dims()
	scores := data.MakeVectors(n, q)
	for i := range n {
		copy(scores.At(i), z.RawRowView(i))
	}
	median, err := task.Parse("rbf(sigma=median)")
	if err != nil {
		return nil, err
	}
	k, err := task.VectorKernel(ctx, median, scores, vec.Schema{})
	if err != nil {
		return nil, err
	}
	return preimage.Learn(ctx, a.e, q, preimage.Ridge(k, learnedPenalty, d.o.Compute), d.o.Compute)
}

const learnedPenalty = 1e-6
