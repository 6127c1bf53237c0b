package main

import (
	"slices"
	"strings"
)

// A level is a set of packages side by side. A package may import those of every level below
// its own, and none beside it or above it.
type level struct {
	title    string
	packages string
	// private, if not empty, names the packages and groups (a pattern ending in /...) that may
	// import this level; the others pass it by.
	private string
	why     string
}

const (
	families = "families of kernels are chosen by whoever reads an expression: no method depends on one"
	readers  = "who learns from a table need not read files"
	suites   = "test suites are for tests"
)

// order is the whole import policy, from the ground up.
var order = []level{
	{title: "ground", packages: "internal/simd internal/bessel internal/compensated internal/parallel internal/pages internal/mapfile internal/atomicfile internal/lbfgs internal/bigmath internal/spelling internal/progress internal/stoppable internal/arch"},
	{title: "steps that a killed computation goes on from", packages: "internal/checkpoint"},
	{title: "tests", packages: "internal/testkit internal/checkpoint/checkpointtest internal/progress/progresstest", private: "kernel/kerneltest gram/gramtest space/spacetest learner/methodtest", why: suites},
	{title: "numbers in, numbers out", packages: "metric loss"},
	{title: "products of matrices", packages: "linalg/level3"},
	{title: "linear algebra", packages: "linalg"},
	{title: "points", packages: "data"},
	{title: "functions of targets", packages: "data/prep/transform"},
	{title: "prepared columns, streamed rows, lines, graphs", packages: "data/prep data/lines data/graph"},
	{title: "readers", packages: "data/arff data/arrow data/bag data/cifar data/compiled data/csv data/fasta data/idx data/jsonl data/libsvm data/npy data/parquet data/png data/graph/edgelist data/graph/gml data/graph/graphml data/graph/jsonl", private: "data/... sklearn/skops task learner/... search . serve/... cmd/... bench/...", why: readers},
	{title: "folders of graphs", packages: "data/graph/tudataset", private: "data/open", why: readers},
	{title: "sheets as tables of text", packages: "data/xlsx", private: "data/open", why: readers},
	{title: "any file", packages: "data/open", private: "task distributed learner/... search . serve/... cmd/... bench/...", why: readers},
	{title: "functions taken apart", packages: "kernel/explanation"},
	{title: "what kernels are made of", packages: "kernel/construction"},
	{title: "kernels", packages: "kernel"},
	{title: "the language of kernels", packages: "kernel/expr kernel/count", private: "kernel/... unsupervised/dictionary task learner/... search . cmd/... bench/...", why: families},
	{title: "kernels from formulas, on images, after networks", packages: "kernel/formula kernel/ckn kernel/deep", private: "approx/filters unsupervised/dictionary supervised/dkl supervised/sckn onnx kernel/... task learner/... search . lab cmd/... bench/...", why: families},
	{title: "codes of images by dictionaries", packages: "kernel/visual", private: "unsupervised/dictionary kernel/... task learner/... search . lab cmd/... bench/...", why: families},
	{title: "maps of monomials", packages: "kernel/monomial", private: "kernel/vec", why: families},
	{title: "kernels of networks", packages: "kernel/network", private: "kernel/tile kernel/vec", why: families},
	{title: "means of kernels, missing coordinates", packages: "kernel/meanmap kernel/gaps", private: "kernel/vec", why: families},
	{title: "compiled kernels on packed points", packages: "kernel/tile", private: "kernel/vec kernel/median kernel/width onnx", why: "a plan is made by the family that compiles it, bound by kernel.Bind, and translated for other programs"},
	{title: "distances between points", packages: "kernel/median", private: "kernel/width", why: families},
	{title: "families", packages: "kernel/vec kernel/seq kernel/graph kernel/node kernel/bag", private: "kernel/... unsupervised/dictionary supervised/svm/libsvm sklearn task learner/... search . lab cmd/... bench/...", why: families},
	{title: "widths from points", packages: "kernel/width", private: "task learner/... search . lab cmd/... bench/...", why: families},
	{title: "kernels of records, falsification", packages: "kernel/record kernel/check", private: "task learner/... search . lab cmd/... bench/...", why: families},
	{title: "tests of kernels", packages: "kernel/kerneltest", private: "gram/gramtest", why: suites},
	{title: "how to compute, and what it costs", packages: "compute"},
	{title: "passes over rows", packages: "pass"},
	{title: "tests of passes", packages: "pass/passtest", private: "nobody", why: suites},
	{title: "design matrices", packages: "gram/design"},
	{title: "Gram matrices", packages: "gram"},
	{title: "tiles on disk, names of rows, shares of the peak", packages: "gram/store gram/idfile gram/roofline"},
	{title: "tests of operators", packages: "gram/gramtest", private: "nobody", why: suites},
	{title: "expansions and model files", packages: "model"},
	{title: "where a function is sought", packages: "space"},
	{title: "tests of spaces", packages: "space/spacetest", private: "nobody", why: suites},
	{title: "geometry of H", packages: "rkhs rkhs/preimage rkhs/compress rkhs/shapley rkhs/dependence rkhs/sobol rkhs/gradients"},
	{title: "structure without labels", packages: "unsupervised/kmeans unsupervised/pca"},
	{title: "structure on top of it", packages: "unsupervised/gmm unsupervised/kpca"},
	{title: "surfaces, dictionaries of descriptors", packages: "unsupervised/manifold unsupervised/dictionary"},
	{title: "approximations of kernels", packages: "approx/nystrom approx/randomfeatures approx/moments approx/filters"},
	{title: "on top of them", packages: "approx/motifs"},
	{title: "Newton's method", packages: "supervised/newton"},
	{title: "methods", packages: "supervised/krr supervised/klr supervised/erm supervised/svm supervised/gp supervised/kfda supervised/structured supervised/mkl supervised/mahalanobis supervised/tree supervised/falkon supervised/propagation"},
	{title: "methods on methods", packages: "supervised/sparsegp supervised/rfm supervised/dkl supervised/sckn supervised/svm/libsvm"},
	{title: "search for parameters", packages: "tune"},
	{title: "probabilities, label sets and intervals of one row", packages: "outcome/calibrate outcome/conformal"},
	{title: "what outputs mean", packages: "outcome"},
	{title: "predictions in columns", packages: "outcome/tabular"},
	{title: "graphs for other programs, trees of theirs", packages: "onnx sklearn/skops"},
	{title: "models of scikit-learn", packages: "sklearn", private: ".", why: "what another program found is a model from then on"},
	{title: "tables with a kernel on their rows", packages: "task"},
	{title: "passes on other machines", packages: "distributed", private: "cmd/...", why: "rows have a driver: no method knows which"},
	{title: "what a method is", packages: "learner"},
	{title: "settings that methods share", packages: "learner/settings"},
	{title: "methods that learn a distance", packages: "learner/distance"},
	{title: "methods that find clusters as values", packages: "learner/clustering"},
	{title: "methods as values", packages: "learner/methods"},
	{title: "the search for kernel and parameters", packages: "search"},
	{title: "a task, a fit and its model file", packages: "."},
	{title: "bodies of requests", packages: "serve/oip serve/records", private: "serve serve/oip/pb", why: "messages are the business of the server"},
	{title: "calls by gRPC", packages: "serve/oip/pb", private: "serve", why: "messages are the business of the server"},
	{title: "the server", packages: "serve"},
	{title: "its clients", packages: "serve/client"},
	{title: "drawn digits", packages: "lab/digits"},
	{title: "screens of the lab", packages: "lab"},
	{title: "the page of the lab", packages: "lab/page"},
	{title: "tests of methods", packages: "learner/methodtest", private: "nobody", why: suites},
	{title: "drawings", packages: "cmd/mercer/internal/figure"},
	{title: "pictures of the documents", packages: "cmd/mercer/internal/pictures", private: "nobody", why: suites},
	{title: "figures of the lectures", packages: "cmd/mercer/internal/gallery"},
	{title: "files that would be replaced", packages: "cmd/mercer/internal/replaced"},
	{title: "what verbs are made of", packages: "cmd/mercer/internal/verb"},
	{title: "flags that verbs share, predictions as they are shown", packages: "cmd/mercer/internal/flags cmd/mercer/internal/predicted"},
	{title: "verbs by subject", packages: "cmd/mercer/internal/learn cmd/mercer/internal/models cmd/mercer/internal/geometry cmd/mercer/internal/kernels cmd/mercer/internal/machine"},
	{title: "the command", packages: "cmd/mercer/internal/cli"},
	{title: "the command on an engine", packages: "cmd/mercer/command"},
	{title: "main", packages: "cmd/mercer cmd/mercer-wasm bench/mercerbench bench/serving internal/rename internal/notices"},
}

// standsIn reports whether a package is named in a list or stands below a pattern a/... of it.
func standsIn(list, pkg string) bool {
	for _, pattern := range strings.Fields(list) {
		above, below := strings.CutSuffix(pattern, "/...")
		if pattern == pkg || below && (pkg == above || strings.HasPrefix(pkg, above+"/")) {
			return true
		}
	}
	return false
}

// levelOf returns the place of a package in the order, or -1.
func levelOf(pkg string) int {
	return slices.IndexFunc(order, func(l level) bool { return standsIn(l.packages, pkg) })
}

// refusal says why a package may not import another, or returns "".
func refusal(from, to string) string {
	i, j := levelOf(from), levelOf(to)
	switch {
	case i < 0 || j < 0:
		return "a package is in no level"
	case j > i:
		return "it stands above: " + order[j].title + " over " + order[i].title
	case j == i:
		return "it stands beside it: " + order[i].title
	case order[j].private != "" && !standsIn(order[j].private, from):
		return order[j].why
	}
	return ""
}
