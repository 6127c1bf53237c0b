package learner_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"example.org/mercer/approx/nystrom"
	"example.org/mercer/approx/randomfeatures"
	"example.org/mercer/compute"
	"example.org/mercer/data/prep"
	"example.org/mercer/learner"
	"example.org/mercer/learner/clustering"
	"example.org/mercer/learner/methods"
	"example.org/mercer/learner/methodtest"
	"example.org/mercer/loss"
	"example.org/mercer/outcome"
	"example.org/mercer/outcome/calibrate"
	"example.org/mercer/supervised/erm"
	"example.org/mercer/supervised/falkon"
	"example.org/mercer/supervised/gp"
	"example.org/mercer/supervised/kfda"
	"example.org/mercer/supervised/klr"
	"example.org/mercer/supervised/krr"
	"example.org/mercer/supervised/mahalanobis"
	"example.org/mercer/supervised/propagation"
	"example.org/mercer/supervised/rfm"
	"example.org/mercer/supervised/structured"
	"example.org/mercer/supervised/svm"
	"example.org/mercer/task"
	"example.org/mercer/unsupervised/gmm"
	"example.org/mercer/unsupervised/kmeans"
	"example.org/mercer/unsupervised/kpca"
	"example.org/mercer/unsupervised/manifold"
	"example.org/mercer/unsupervised/pca"
)

// The rows of the tests and what is learned from them.
var (
	number = prep.Spec{Targets: []string{"number"}, Raw: []string{"*"}}
	two    = prep.Spec{Targets: []string{"two"}, Raw: []string{"*"}}
	three  = prep.Spec{Targets: []string{"three"}, Raw: []string{"*"}}
	sets   = prep.Spec{Targets: []string{"set"}, Form: prep.Set, Raw: []string{"*"}}
	orders = prep.Spec{Targets: []string{"order"}, Form: prep.Ranking, Raw: []string{"*"}}
	lines  = prep.Spec{Targets: []string{"line"}, Form: prep.Sequence, Raw: []string{"*"}}
	none   = prep.Spec{NoTarget: true, Raw: []string{"*"}}
)

const plane = "rbf(sigma=0.8)"

// A direct solver answers to the rounding of its condition. Iterations stop at a gap: of 1e-10 for
// support vector machines, whose objective is strongly convex in f, so that values agree to its
// root, and of 1e-8 for losses.
const direct, iterated, gap = 1e-9, 1e-5, 2e-4

var (
	inFeatures  = &task.Approximation{Features: &randomfeatures.Options{Dim: 12}}
	onLandmarks = &task.Approximation{Landmarks: &nystrom.Options{Scheme: nystrom.Uniform, Rank: 12}}
	asTheyAre   = &task.Approximation{}
)

// tight stops machines late.
func tight(o svm.Options) svm.Options {
	o.Tolerance = 1e-10
	return o
}

// losses has empirical risk minimisation with every other loss.
func losses(t *testing.T) (cases []methodtest.Case) {
	for text, target := range map[string]prep.Spec{"squared": number, "absolute": number, "tukey": number, "quantile(tau=0.7)": number, "insensitive(epsilon=0.1)": number,
		"logistic": two, "squared-hinge": two} {
		l, err := loss.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		c := methodtest.Case{Name: "erm, " + text, Spec: target, Kernel: plane, Method: methods.ERM{Options: erm.Options{Lambda: 1e-2}, Loss: l}, Repetition: gap, Landmarks: gap, Streamed: onLandmarks}
		if text == "tukey" {
			c.Repetition = 0 // it has several minima, and rounding may choose another
		}
		cases = append(cases, c)
	}
	return cases
}

// outputs has structured prediction with every other output.
func outputs() (cases []methodtest.Case) {
	for _, c := range []struct {
		spec   prep.Spec
		output outcome.StructuredOutput
	}{
		{sets, outcome.StructuredOutput{Loss: "f1"}}, {orders, outcome.StructuredOutput{}}, {orders, outcome.StructuredOutput{Loss: "footrule"}},
		{orders, outcome.StructuredOutput{Loss: "kendall"}}, {lines, outcome.StructuredOutput{}}, {lines, outcome.StructuredOutput{Chain: 0.5}},
	} {
		cases = append(cases, methodtest.Case{Name: fmt.Sprintf("structured, %s %s %g", c.spec.Form, c.output.Loss, c.output.Chain), Spec: c.spec, Kernel: plane,
			Method: methods.Structured{Options: structured.Options{Lambda: 1e-2}, Output: c.output}, Repetition: direct, Landmarks: 1e-6, Streamed: inFeatures})
	}
	return cases
}

// cases has every method.
func cases() []methodtest.Case {
	factors := compute.Options{KeepFactors: true}
	clusters := kmeans.Range{Least: 2, Most: 3}
	return []methodtest.Case{
		{Name: "krr", Spec: number, Kernel: plane, Method: methods.KRR{Options: krr.Options{Lambda: 1e-2, Compute: factors}}, Repetition: direct, Landmarks: 1e-6, Streamed: inFeatures},
		{Name: "krr of classes", Spec: three, Kernel: plane, Method: methods.KRR{Options: krr.Options{Lambda: 1e-2, Solver: krr.CG}}, Repetition: direct, Steps: 1},
		{Name: "klr", Spec: two, Kernel: plane, Method: methods.KLR{Options: klr.Options{Lambda: 1e-2}}, Repetition: iterated, Landmarks: iterated, Streamed: onLandmarks, Steps: 2},
		{Name: "klr of classes", Spec: three, Kernel: plane, Method: methods.KLR{Options: klr.Options{Lambda: 1e-2}}, Repetition: iterated, Landmarks: iterated, Streamed: inFeatures, Steps: 2},
		{Name: "gp", Spec: number, Kernel: plane, Method: methods.GP{Options: gp.Options{Noise: 0.1, Compute: factors}}, Repetition: direct, Landmarks: 1e-6, Streamed: onLandmarks},
		{Name: "gpc", Spec: two, Kernel: plane, Method: methods.GPC{}, Repetition: iterated, Landmarks: iterated, Streamed: onLandmarks, Steps: 2},
		{Name: "svc", Spec: two, Kernel: plane, Method: methods.SVC{Options: tight(svm.Options{C: 2})}, Repetition: iterated, Landmarks: iterated, Streamed: inFeatures, Within: iterated},
		{Name: "svc, balanced", Spec: three, Kernel: plane, Method: methods.SVC{Options: tight(svm.Options{C: 2}), Balanced: true}, Repetition: iterated, Landmarks: iterated, Streamed: inFeatures, Within: iterated},
		{Name: "svc, one against the rest", Spec: three, Kernel: plane, Method: methods.SVC{Options: tight(svm.Options{C: 2, Scheme: svm.OneVsRest})}, Repetition: iterated, Landmarks: iterated, Streamed: inFeatures, Within: iterated},
		{Name: "svc, hard margin", Spec: two, Kernel: plane, Method: methods.SVC{Options: tight(svm.Options{C: math.Inf(1)})}, Repetition: iterated},
		{Name: "svc, nu", Spec: two, Kernel: plane, Method: methods.SVC{Options: tight(svm.Options{Type: svm.NuSVC, Nu: 0.3})}, Repetition: iterated},
		{Name: "svr", Spec: number, Kernel: plane, Method: methods.SVR{Options: tight(svm.Options{C: 2})}, Repetition: iterated, Landmarks: iterated, Streamed: inFeatures, Within: iterated},
		{Name: "svr, nu", Spec: number, Kernel: plane, Method: methods.SVR{Options: tight(svm.Options{Type: svm.NuSVR, C: 2})}, Repetition: iterated},
		{Name: "one-class", Spec: none, Kernel: plane, Method: methods.OneClass{Options: tight(svm.Options{Nu: 0.3})}, Repetition: iterated, Landmarks: iterated, Streamed: inFeatures, Within: iterated},
		{Name: "kfda", Spec: two, Kernel: plane, Method: methods.KFDA{Options: kfda.Options{Lambda: 1e-2, Compute: factors}}, Repetition: 1e-8, Landmarks: iterated, Streamed: inFeatures},
		{Name: "kfda of classes", Spec: three, Kernel: plane, Method: methods.KFDA{Options: kfda.Options{Lambda: 1e-2}}, Repetition: 1e-8, Landmarks: iterated, Streamed: onLandmarks},
		{Name: "barycentre", Spec: three, Kernel: plane, Method: methods.Barycentre{}, Repetition: direct, Landmarks: iterated, Streamed: inFeatures},
		{Name: "structured", Spec: sets, Kernel: plane, Method: methods.Structured{Options: structured.Options{Lambda: 1e-2}}, Repetition: direct, Landmarks: 1e-6, Streamed: inFeatures},
		{Name: "erm", Spec: number, Kernel: plane, Method: methods.ERM{Options: erm.Options{Lambda: 1e-2}, Loss: loss.Huber{K: 1.345}}, Repetition: gap, Landmarks: gap, Streamed: inFeatures, Steps: 2},
		{Name: "erm, hinge", Spec: two, Kernel: plane, Method: methods.ERM{Options: erm.Options{Lambda: 1e-2}, Loss: loss.Hinge{}}, Repetition: gap, Landmarks: gap, Streamed: inFeatures, Steps: 2},
		{Name: "quantiles", Spec: number, Kernel: plane, Method: methods.Quantiles{Options: erm.Options{Lambda: 1e-2}, Taus: []float64{0.2, 0.5, 0.8}}, Repetition: gap, Landmarks: gap, Streamed: inFeatures, Steps: 2},
		{Name: "falkon", Spec: number, Kernel: plane, Method: methods.Falkon{Options: falkon.Options{Lambda: 1e-3}, Landmarks: nystrom.Options{Rank: 20, Scheme: nystrom.Uniform}}, Streamed: asTheyAre, Steps: 2},
		{Name: "rfm", Spec: number, Kernel: "laplace(sigma=0.8)", Method: methods.RFM{Options: rfm.Options{Shape: mahalanobis.Full, Rounds: 2}, Lambda: 1e-3, Last: true}, Repetition: 1e-8},
		{Name: "rfm, leave-one-out", Spec: number, Kernel: plane, Method: methods.RFM{Lambda: 1e-2}},
		{Name: "rfm, leaves", Spec: number, Kernel: "laplace(sigma=0.8)", Method: methods.RFM{Options: rfm.Options{Shape: mahalanobis.Full, Rounds: 2}, Lambda: 1e-3, Last: true, Leaves: 35}, Repetition: 1e-8, Steps: 2},
		{Name: "rfm of classes, leaves", Spec: three, Kernel: "laplace(sigma=0.8)", Method: methods.RFM{Options: rfm.Options{Rounds: 2}, Lambda: 1e-2, Validation: 0.3, Leaves: 20}, Steps: 3},
		{Name: "rfm of classes", Spec: three, Kernel: plane, Method: methods.RFM{Options: rfm.Options{Power: 0.5, Centred: true, Rounds: 3}, Lambda: 1e-2, Validation: 0.3}},
		{Name: "krr, conformal", Spec: number, Kernel: plane, Method: learner.Calibrated{Learner: methods.KRR{Options: krr.Options{Lambda: 1e-2}}, Conformal: true}},
		{Name: "svc, probabilities", Spec: two, Kernel: plane, Method: learner.Calibrated{Learner: methods.SVC{}, Probabilities: calibrate.Temperature, Folds: 3}},
		{Name: "pca", Spec: none, Kernel: "linear", Method: methods.PCA{Options: pca.Options{Components: 2}}, Repetition: direct, Streamed: asTheyAre},
		{Name: "kpca", Spec: none, Kernel: plane, Method: methods.KPCA{Options: kpca.Options{Components: 2}}, Repetition: 1e-8, Landmarks: iterated, Streamed: inFeatures},
		{Name: "isomap", Spec: none, Kernel: plane, Method: methods.Manifold{Options: manifold.Options{Method: manifold.Isomap, Neighbours: 8}}, Unweighted: true},
		{Name: "lle", Spec: none, Kernel: plane, Method: methods.Manifold{Options: manifold.Options{Method: manifold.LLE}}, Unweighted: true},
		{Name: "eigenmap", Spec: none, Kernel: plane, Method: methods.Manifold{Options: manifold.Options{Method: manifold.Eigenmap}}, Unweighted: true},
		{Name: "diffusion-map", Spec: none, Kernel: plane, Method: methods.Manifold{Options: manifold.Options{Method: manifold.DiffusionMap, Alpha: 1, Time: 1}}, Unweighted: true},
		{Name: "mds", Spec: none, Kernel: plane, Method: methods.Manifold{Options: manifold.Options{Method: manifold.Stress}}, Unweighted: true},
		{Name: "mds, classical", Spec: none, Kernel: plane, Method: methods.Manifold{Options: manifold.Options{Method: manifold.Classical}}, Unweighted: true},
		{Name: "laprls", Spec: number, Kernel: plane, Method: methods.Laplacian{Loss: "laprls", Lambda: 1e-2, Smoothness: 1}, Unweighted: true},
		{Name: "laprls of classes", Spec: three, Kernel: plane, Method: methods.Laplacian{Loss: "laprls", Lambda: 1e-2, Smoothness: 1}, Unweighted: true},
		{Name: "lapsvm", Spec: three, Kernel: plane, Method: methods.Laplacian{Loss: "lapsvm", Lambda: 1e-2, Smoothness: 1}, Unweighted: true},
		{Name: "propagate", Spec: two, Kernel: plane, Method: methods.Propagate{}, Unweighted: true},
		{Name: "propagate, spreading", Spec: three, Kernel: plane, Method: methods.Propagate{Options: propagation.Options{Alpha: 0.7}}, Unweighted: true},
		{Name: "kmeans", Spec: none, Kernel: "linear", Method: clustering.KMeans{Options: kmeans.Options{Restarts: 3}, Clusters: clusters}, Streamed: asTheyAre, Steps: 2},
		{Name: "kernel-kmeans", Spec: none, Kernel: plane, Method: clustering.KernelKMeans{Options: kmeans.Options{Restarts: 2}, Clusters: clusters}, Streamed: inFeatures, Steps: 2},
		{Name: "spectral", Spec: none, Kernel: plane, Method: clustering.Spectral{Clusters: clusters}, Streamed: onLandmarks, Steps: 1},
		{Name: "gmm", Spec: none, Kernel: "linear", Method: clustering.GMM{Options: gmm.Options{Restarts: 2, MaxIterations: 20}, Choices: gmm.Choices{Least: 1, Most: 2, Shapes: []gmm.Shape{gmm.Full, gmm.Spherical}}}, Streamed: asTheyAre, Steps: 2},
	}
}

// TestEveryMethod tries all that every method must hold on each.
func TestEveryMethod(t *testing.T) {
	tried := map[string]bool{}
	all := cases()
	if !testing.Short() {
		all = slices.Concat(all, losses(t), outputs())
	}
	for _, c := range all {
		tried[c.Method.Name()] = true
		c.Run(t)
	}
	for _, spec := range methods.All {
		if !tried[spec.Name] {
			t.Errorf("method %s is not tried", spec.Name)
		}
	}
}
