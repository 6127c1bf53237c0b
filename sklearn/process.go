package sklearn

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/loss"
	"example.org/mercer/model"
	"example.org/mercer/sklearn/skops"
)

// process reads a regression. Its target was z = (y − m)/s; for y the kernel is s²k, the noise
// s²σ², and the coefficients are those of z divided by s.
func (r *reader) process(v *skops.Value) {
	k := r.covariance(v.Get("kernel_"))
	points, alpha, z := v.Get("X_train_").Matrix(r.ctx), v.Get("alpha_").Matrix(r.ctx), v.Get("y_train_").Matrix(r.ctx)
	mean, deviation := v.Get("_y_train_mean").Matrix(r.ctx), v.Get("_y_train_std").Matrix(r.ctx)
	evidence := v.Get("log_marginal_likelihood_value_").Float(r.ctx)
	noise := v.Get("alpha")
	if noise.IsArray() {
		noise.Failf("has a variance for each row, which has no column of the table here: fit with one for all")
	}
	variance := noise.Float(r.ctx)
	if v.Err() != nil {
		return
	}
	for _, of := range []*mat.Dense{alpha, z} {
		if _, targets := of.Dims(); targets != 1 {
			v.Failf("has %d targets: a process of one is read, so fit one for each", targets)
			return
		}
	}
	if mean.RawMatrix().Rows*mean.RawMatrix().Cols != 1 || deviation.RawMatrix().Rows*deviation.RawMatrix().Cols != 1 {
		v.Failf("has the means of several targets")
		return
	}
	m, s := mean.At(0, 0), deviation.At(0, 0)
	n, _ := z.Dims()
	if rows, _ := alpha.Dims(); rows != n || !(s > 0) {
		v.Failf("has %d coefficients for %d targets of deviation %v", rows, n, s)
		return
	}
	p := &Process{Noise: s * s * (variance + k.white), LogEvidence: evidence - float64(n)*math.Log(s)}
	alpha.Scale(1/s, alpha)
	for i := range n {
		p.Targets = append(p.Targets, s*z.At(i, 0))
	}
	r.model.Answer, r.model.Process = Numbers, p
	r.finish(v, k.times(s*s).kernel, points, alpha, []float64{m})
}

// processClassifier reads a classification of two classes (R&W algorithm 3.2),
//
//	f(x) = Σ (yᵢ − πᵢ) k(x, xᵢ), y of 0 and 1.
func (r *reader) processClassifier(v *skops.Value) {
	r.model.Answer = Classes
	r.classes(v)
	base := v.Get("base_estimator_")
	if v.Err() == nil && (len(r.model.Labels) != 2 || base.Class() != "_BinaryGaussianProcessClassifierLaplace") {
		v.Failf("has %d classes, each against the rest by a process of its own; one of two classes is read", len(r.model.Labels))
	}
	k := r.covariance(base.Get("kernel_"))
	points, y, pi := base.Get("X_train_").Matrix(r.ctx), base.Get("y_train_").Floats(r.ctx), base.Get("pi_").Floats(r.ctx)
	evidence := base.Get("log_marginal_likelihood_value_").Float(r.ctx)
	if v.Err() != nil {
		return
	}
	if len(y) != len(pi) || k.white != 0 {
		v.Failf("has %d classes of rows and %d probabilities, and noise %v: a kernel with a WhiteKernel is not read here", len(y), len(pi), k.white)
		return
	}
	l := &Latent{LogEvidence: evidence}
	coef := mat.NewDense(len(y), 1, nil)
	for i := range y {
		coef.Set(i, 0, y[i]-pi[i])
		l.Classes = append(l.Classes, int(y[i]))
	}
	r.model.Latent = l
	r.finish(v, k.kernel, points, coef, nil)
}

// tolerance bounds how far a process may be from what it says of its own rows. Both sides are
// rounded by solvers of ill-conditioned systems.
const tolerance = 1e-4

// check compares a process with what it says of its own rows, so that a kernel that is another one
// here is no silent error: Kα + σ²α = y, and σ(Kα) = π.
func (m *Model) check(ctx context.Context) error {
	if m.Process == nil && m.Latent == nil {
		return nil
	}
	f, err := m.own()
	if err != nil {
		return err
	}
	values, err := f.Predict(ctx, f.Points, compute.Options{})
	if err != nil {
		return fmt.Errorf("sklearn: the kernel %s on the rows of the model: %w", data.Cut(f.Kernel.String()), err)
	}
	if m.Process != nil {
		return m.checkProcess(f, values)
	}
	return m.checkLatent(f, values)
}

func (m *Model) checkProcess(f *model.Expansion[[]float64], values *mat.Dense) error {
	p := m.Process
	off := mat.NewVecDense(len(p.Targets), nil)
	for i, y := range p.Targets {
		off.SetVec(i, values.At(i, 0)-m.bias[0]+p.Noise*m.coef.At(i, 0)-y)
	}
	if norm := floats.Norm(p.Targets, 2); norm > 0 {
		p.Residual = mat.Norm(off, 2) / norm
	}
	return m.agrees(f, p.Residual)
}

func (m *Model) checkLatent(f *model.Expansion[[]float64], values *mat.Dense) error {
	l, worst, right := m.Latent, 0.0, 0
	for i, y := range l.Classes {
		latent := values.At(i, 0)
		worst = max(worst, math.Abs(loss.Sigmoid(latent)-(float64(y)-m.coef.At(i, 0))))
		if y == 0 {
			latent = -latent
		}
		l.Likelihood += math.Log(loss.Sigmoid(latent))
		if latent > 0 {
			right++
		}
	}
	l.Accuracy = float64(right) / float64(len(l.Classes))
	return m.agrees(f, worst)
}

// agrees refuses what is too far off.
func (m *Model) agrees(f *model.Expansion[[]float64], off float64) error {
	if off <= tolerance {
		return nil
	}
	return fmt.Errorf("sklearn: the kernel %s does not say of the rows of the model what the file says, by %.2g: the file was changed, or made by a version of scikit-learn (%s) that is not known", data.Cut(f.Kernel.String()), off, m.Version)
}
