package sklearn

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/kernel/vec"
	"example.org/mercer/sklearn/skops"
	"example.org/mercer/supervised/svm"
	"example.org/mercer/supervised/svm/libsvm"
)

// widthOf is the σ of exp(−γ‖x−y‖²).
func widthOf(gamma float64) float64 { return math.Sqrt(0.5 / gamma) }

// orElse is a setting, or a number where it is None.
func (r *reader) orElse(v *skops.Value, otherwise float64) setting { return setting{v, otherwise} }

// finish keeps the function of an estimator over points that have the features of the rows, unless
// something was wrong. No bias is a bias of 0.
func (r *reader) finish(v *skops.Value, k kernelOn, points, coef *mat.Dense, bias []float64) {
	if r.rows.mapped != nil {
		v.Failf("is a %s behind Nystroem: only linear models follow it here", v.Qualified())
	}
	if v.Err() == nil {
		n, d := points.Dims()
		rows, outputs := coef.Dims()
		if d != len(r.rows.features) || rows != n || bias != nil && len(bias) != outputs {
			v.Failf("has %d points of %d numbers with %d coefficients for %d outputs and %d constants, and %d features", n, d, rows, outputs, len(bias), len(r.rows.features))
		}
	}
	if v.Err() != nil {
		return
	}
	if bias == nil {
		_, outputs := coef.Dims()
		bias = make([]float64, outputs)
	}
	m := r.model
	m.Features, m.kernel, m.points, m.coef, m.bias = r.rows.features, k, points, coef, bias
}

// kernelRidge is f(x) = Σ αᵢ k(x, xᵢ), without a constant.
func (r *reader) kernelRidge(v *skops.Value) {
	r.unless(v.Get("kernel_params"), v.Get("kernel_params").IsNone(), "is that of a function of Python")
	k := r.pairwiseKernel(v, r.gamma(v.Get("gamma")))
	r.model.Answer = Numbers
	r.finish(v, k, v.Get("X_fit_").Matrix(r.ctx), v.Get("dual_coef_").Matrix(r.ctx), nil)
}

// gamma reads γ, which is 1/features where it is None.
func (r *reader) gamma(v *skops.Value) float64 {
	return r.orElse(v, 1/float64(max(1, len(r.rows.features)))).Float(r.ctx)
}

// kernelPCA is Σᵢ (k(x, xᵢ) − m(x) − rᵢ + r̄)·αᵢ for scaled eigenvectors α, where m(x) is the mean
// of k(x, ·) over the points, r that of each row of their matrix, and r̄ that of r: an expansion
// with the coefficients α less their mean.
func (r *reader) kernelPCA(v *skops.Value) {
	k := r.pairwiseKernel(v, r.gamma(v.Get("gamma_")))
	points, vectors := v.Get("X_fit_").Matrix(r.ctx), v.Get("eigenvectors_").Matrix(r.ctx)
	values := v.Get("eigenvalues_").Floats(r.ctx)
	means, mean := v.Get("_centerer").Get("K_fit_rows_").Floats(r.ctx), v.Get("_centerer").Get("K_fit_all_").Float(r.ctx)
	if v.Err() != nil {
		return
	}
	n, components := vectors.Dims()
	if len(values) != components || len(means) != n {
		v.Failf("has %d eigenvalues of %d vectors, and %d means of %d rows", len(values), components, len(means), n)
		return
	}
	coef, bias := mat.NewDense(n, components, nil), make([]float64, components)
	for c, value := range values {
		if !(value > 0) {
			continue // sklearn has a column of zeros here
		}
		alpha := mat.Col(nil, c, vectors)
		total := 0.0
		for i := range alpha {
			alpha[i] /= math.Sqrt(value)
			total += alpha[i]
			bias[c] += (mean - means[i]) * alpha[i]
		}
		for i := range alpha {
			coef.Set(i, c, alpha[i]-total/float64(n))
		}
	}
	r.model.Answer = Components
	r.finish(v, k, points, coef, bias)
}

// machines are the kinds of support vector machines.
var machines = map[string]svm.Type{"SVC": svm.CSVC, "NuSVC": svm.NuSVC, "SVR": svm.EpsilonSVR, "NuSVR": svm.NuSVR, "OneClassSVM": svm.OneClass}

// supportVectors reads the model of LIBSVM inside of an estimator.
func (r *reader) supportVectors(v *skops.Value) {
	k := r.pairwiseKernel(v, v.Get("_gamma").Float(r.ctx))
	dual, points, intercept := v.Get("_dual_coef_").Matrix(r.ctx), v.Get("support_vectors_").Matrix(r.ctx), v.Get("_intercept_").Floats(r.ctx)
	if v.Err() != nil {
		return
	}
	m := r.model
	of := &libsvm.Model{Type: machines[v.Class()], Coef: mat.DenseCopyOf(dual.T())}
	for _, b := range intercept {
		of.Rho = append(of.Rho, -b)
	}
	m.Vectors = of.Type
	switch of.Type {
	case svm.CSVC, svm.NuSVC:
		r.votes(v, of)
	case svm.OneClass:
		m.Answer = Members
	default:
		m.Answer = Numbers
	}
	if v.Err() != nil {
		return
	}
	coef, bias, rule := of.Spread()
	m.Rule = rule
	r.finish(v, k, points, coef, bias)
}

// votes reads what classes need.
func (r *reader) votes(v *skops.Value, of *libsvm.Model) {
	m := r.model
	m.Answer = Votes
	r.classes(v)
	for _, count := range v.Get("_n_support").Floats(r.ctx) {
		of.Count = append(of.Count, int(count))
	}
	if v.Err() != nil {
		return
	}
	classes, total := len(m.Labels), 0
	for c := range m.Labels {
		of.Labels = append(of.Labels, c)
	}
	for _, count := range of.Count {
		total += max(0, count)
	}
	vectors, columns := of.Coef.Dims()
	if len(of.Count) != classes || total != vectors || columns != classes-1 || len(of.Rho) != classes*(classes-1)/2 {
		v.Failf("has the coefficients of %d vectors in %d columns, %d of them counted, and %d constants for %d classes", vectors, columns, total, len(of.Rho), classes)
		return
	}
	if ties := v.Get("break_ties"); !ties.Missing() && ties.Bool() && classes > 2 {
		ties.Failf("is True, and votes are counted here: set break_ties=False")
	}
	if probability := v.Get("probability"); !probability.Missing() && probability.IsTrue() {
		m.Warnings = append(m.Warnings, "probabilities were left out: they are another model, that of Platt, whose labels may differ")
	}
}

// classes reads the labels.
func (r *reader) classes(v *skops.Value) {
	r.model.Labels = v.Get("classes_").Texts(r.ctx)
	if n := len(r.model.Labels); v.Err() == nil && (n < 2 || n > mostClasses) {
		v.Get("classes_").Failf("has %d classes, and models have 2 to %d", n, mostClasses)
	}
}

// mostClasses bounds the classes of a model.
const mostClasses = 1 << 15

// nystroemMap is z(x) = N k(x), where k(x) are the kernel values with some points.
type nystroemMap struct {
	kernel kernelOn
	points *mat.Dense
	matrix *mat.Dense // N
}

// nystroem keeps the map for the linear model behind it; alone its features are the outputs.
func (r *reader) nystroem(v *skops.Value) {
	r.unless(v.Get("kernel_params"), v.Get("kernel_params").IsNone(), "is that of a function of Python")
	gamma := r.gamma(v.Get("gamma"))
	if v.Get("gamma").IsNone() && v.Get("kernel").IsString() && v.Get("kernel").String() == "chi2" {
		gamma = 1 // what chi2_kernel takes by itself, and only Nystroem leaves to it
	}
	m := &nystroemMap{kernel: r.pairwiseKernel(v, gamma), points: v.Get("components_").Matrix(r.ctx), matrix: v.Get("normalization_").Matrix(r.ctx)}
	if v.Err() != nil {
		return
	}
	n, d := m.points.Dims()
	if z, k := m.matrix.Dims(); k != n || d != len(r.rows.features) {
		v.Failf("maps %d kernel values to %d features, and has %d points of %d numbers for %d features", k, z, n, d, len(r.rows.features))
		return
	}
	r.rows.mapped = m
}

// coordinates makes the features of a map the outputs where nothing follows it.
func (r *reader) coordinates(v *skops.Value) {
	if m := r.rows.mapped; m != nil && v.Err() == nil {
		r.rows.mapped = nil
		r.model.Class, r.model.Answer = "Nystroem", Coordinates
		r.finish(v, m.kernel, m.points, mat.DenseCopyOf(m.matrix.T()), nil)
	}
}

// linear is b + ⟨w, z(x)⟩, where z are the features of the rows or of a map of them. It is an
// expansion over the points of the map; without one over w itself, by the linear kernel.
func (r *reader) linear(v *skops.Value) {
	weights, intercept := v.Get("coef_").Matrix(r.ctx), v.Get("intercept_").Floats(r.ctx)
	if v.Err() != nil {
		return
	}
	if _, cols := weights.Dims(); cols == 1 && !r.rows.wide(1) { // one output, whose weights have one dimension
		weights = mat.DenseCopyOf(weights.T())
	}
	outputs, width := weights.Dims()
	if len(intercept) == 1 && outputs > 1 {
		intercept = slices.Repeat(intercept, outputs)
	}
	if !r.rows.wide(width) {
		v.Failf("has weights of %d features, and there are others before it", width)
		return
	}
	if m := r.rows.mapped; m != nil {
		coef := new(mat.Dense)
		coef.Mul(m.matrix.T(), weights.T())
		r.rows.mapped = nil
		r.finish(v, m.kernel, m.points, coef, intercept)
		return
	}
	identity := mat.NewDense(outputs, outputs, nil)
	for j := range outputs {
		identity.Set(j, j, 1)
	}
	r.finish(v, func([]int) vec.Kernel { return vec.Linear{} }, weights, identity, intercept)
}

// wide reports whether rows have so many features.
func (s rows) wide(width int) bool {
	if s.mapped != nil {
		z, _ := s.mapped.matrix.Dims()
		return z == width
	}
	return len(s.features) == width
}

func (r *reader) linearNumbers(v *skops.Value) {
	r.model.Answer = Numbers
	r.linear(v)
}

func (r *reader) linearClasses(v *skops.Value) {
	r.model.Answer = Classes
	r.classes(v)
	r.linear(v)
	if v.Err() != nil {
		return
	}
	if _, outputs := r.model.coef.Dims(); outputs != len(r.model.Labels) && (outputs != 1 || len(r.model.Labels) != 2) {
		v.Failf("has %d outputs for %d classes", outputs, len(r.model.Labels))
	}
}

// logistic is linearClasses with probabilities by the softmax; those of one-against-rest are left
// out.
func (r *reader) logistic(v *skops.Value) {
	r.linearClasses(v)
	if v.Err() != nil {
		return
	}
	overRest := v.Get("solver").String() == "liblinear" && len(r.model.Labels) > 2
	if how := v.Get("multi_class"); how.IsString() && how.String() == "ovr" && len(r.model.Labels) > 2 {
		overRest = true
	}
	if r.model.Softmax = !overRest; overRest {
		r.model.Warnings = append(r.model.Warnings, "probabilities were left out: they are those of one class against the rest, made to sum to 1")
	}
}
