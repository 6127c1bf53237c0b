package arch

import (
	"slices"
	"strings"
	"testing"
)

// rooms lists every room of the project, from the data up. A pattern ending in /*
// takes in the folders below it.
var rooms = []string{
	"data", "data/*",
	"prep",
	"kernel", "kernel/expr", "kernel/formula", "kernel/vec", "kernel/seq", "kernel/graph", "kernel/node", "kernel/count", "kernel/bag", "kernel/record", "kernel/check", "kernel/kerneltest",
	"linalg", "linalg/level3",
	"gram", "gram/gramtest", "gram/store",
	"rkhs",
	"model",
	"moments",
	"krr",
	"kfda", "mkl", "structured",
	"metric", "calibrate", "conformal",
	"svm", "svm/*",
	"loss", "irls", "klr", "erm", "gp", "sparsegp",
	"kmeans", "gmm",
	"pca", "kpca", "preimage",
	"nystrom", "features", "falkon", "compress", "mahalanobis",
	"tune",
	"pipeline",
	"gallery",
	"internal/bigmath", "internal/testkit", "internal/figure", "internal/atomicfile", "internal/checkpoint", "internal/checkpoint/checkpointtest", "internal/lbfgs", "internal/mapfile", "internal/spelling", "internal/simd", "internal/pages", "internal/parallel", "internal/arch",
	"internal/cli", "cmd/*",
	"bench/*",
}

// forbidden lists the edges that may not exist: from a room to the rooms of a list
// or, after "!", to every room but those listed. The reason is what the author of an
// offending import reads.
var forbidden = []struct{ from, to, why string }{
	{"data", "!internal/spelling", "data is the first room: it knows nothing of what is done with points"},
	{"data/*", "!data data/* internal/atomicfile internal/parallel", "a reader makes tables, and compiled files of them; whoever reads a file must not need a kernel"},
	{"prep", "!data", "preprocessing is fitted and applied before any kernel exists"},
	{"kernel", "!data internal/bigmath", "kernel is the seam itself: a family, a solver or gonum behind it would reach every user of an interface"},
	{"kernel/expr", "!kernel internal/spelling", "the language serves every type of point; names come in through a Dictionary"},
	{"kernel/formula", "!kernel kernel/expr data internal/bigmath", "a formula is one kernel, not a user of methods"},
	{"kernel/vec", "!kernel kernel/expr kernel/formula data linalg internal/simd internal/bigmath", "families never see Gram matrices, methods or models"},
	{"kernel/seq", "!kernel kernel/expr kernel/count data linalg internal/parallel", "families never see Gram matrices, methods or models"},
	{"kernel/count", "!kernel linalg/level3", "whatever counts may use it: it knows features by number alone"},
	{"kernel/graph", "!kernel kernel/expr kernel/count data data/graph linalg internal/parallel", "families never see Gram matrices, methods or models"},
	{"kernel/node", "!kernel kernel/expr data data/graph linalg internal/parallel", "families never see Gram matrices, methods or models; their operators fit the interface of gram without knowing it"},
	{"kernel/bag", "!kernel kernel/expr kernel/count data", "kernels on bags of points of any type know no family: base kernels come in through a dictionary"},
	{"kernel/record", "!kernel kernel/expr kernel/vec data", "a record joins numbers to cells of any language: languages come in through a dictionary"},
	{"kernel/check", "!kernel kernel/expr kernel/formula kernel/vec data linalg internal/bigmath", "falsification looks at kernels, not at what is learned with them"},
	{"kernel/kerneltest", "!kernel kernel/expr data linalg internal/testkit", "the conformance suite is for kernels of strangers: it may not lean on ours"},
	{"linalg", "!linalg/level3 internal/simd internal/pages internal/parallel", "index space: matrices have no points, kernels or files"},
	{"linalg/level3", "!internal/simd", "products for any user of gonum: they know nothing of kernels, not even of linalg"},
	{"gram", "!kernel data linalg linalg/level3 internal/simd internal/pages internal/parallel", "gram sees a bound kernel (Pairs) and the type-free part of its points; families and methods stay out"},
	{"gram/gramtest", "!gram kernel linalg data internal/testkit", "the conformance suite is for operators of strangers"},
	{"gram/store", "!kernel internal/atomicfile internal/mapfile", "the store keeps tiles of any bound kernel: it knows neither points nor what is learned from the tiles"},
	{"rkhs", "!kernel data gram linalg/level3 model internal/parallel", "the geometry of any kernel's space: inner products of points, or of features, are all that it knows of a kernel, a Gram matrix or an expansion"},
	{"model", "!kernel data gram linalg internal/atomicfile internal/mapfile", "a model is what every method returns: it cannot depend on one of them"},
	{"moments", "!kernel data gram linalg linalg/level3 internal/parallel", "sums of products of features and targets: what a method makes of them it does not know"},
	{"krr", "!kernel data gram linalg linalg/level3 model moments", "methods never see a kernel family, a table, or one another"},
	{"kfda", "!kernel data gram linalg loss model", "methods never see a kernel family, a table, or one another"},
	{"mkl", "!kernel data gram linalg model", "methods never see a kernel family, a table, or one another"},
	{"structured", "!kernel data gram linalg model", "methods never see a kernel family, a table, or one another"},
	{"tune", "!kernel data gram linalg linalg/level3 model krr gp metric internal/lbfgs", "the search moves parameters of any kernel and never sees a family or a table; gp stands for the scores in the search by bayes"},
	{"metric", "*", "how well predictions meet what happened is said of numbers alone"},
	{"calibrate", "*", "probabilities are made of decision values, whatever made these"},
	{"conformal", "*", "how strange a target is to a model is a number, whatever the model"},
	{"svm", "!kernel data gram linalg linalg/level3 model internal/pages internal/parallel internal/simd", "methods never see a kernel family, a table, or one another; the loops of a step and the large matrix are as deep as those of linalg"},
	{"svm/libsvm", "!svm kernel kernel/vec data gram model", "a foreign format names its kernels, so its reader is the one place that joins them to the method"},
	{"loss", "*", "a loss is a function of two numbers"},
	{"irls", "!gram linalg linalg/level3 loss", "Newton's method sees a matrix or rows of features, losses, and no method; points stay out"},
	{"erm", "!kernel data gram linalg model irls loss", "methods never see a kernel family, a table, or one another"},
	{"gp", "!kernel data gram linalg linalg/level3 model irls loss internal/lbfgs internal/parallel", "methods never see a kernel family, a table, or one another"},
	{"sparsegp", "!kernel data gram linalg linalg/level3 model gp", "methods never see a kernel family, a table, or one another; a process on landmarks is one of package gp, which searches its kernel and draws its samples"},
	{"klr", "!kernel data gram linalg model irls loss", "methods never see a kernel family, a table, or one another"},
	{"kmeans", "!kernel data data/passes gram linalg linalg/level3 model internal/pages internal/parallel internal/simd", "methods never see a kernel family, a table, or one another"},
	{"gmm", "!data data/passes gram linalg/level3 model kmeans internal/parallel internal/simd", "a mixture of Gaussians lives on vectors, not kernels; k-means, where EM starts, is the one method it knows"},
	{"falkon", "!kernel data gram linalg model loss moments nystrom internal/lbfgs internal/parallel", "methods never see a kernel family, a table, or one another; its landmarks are chosen by nystrom"},
	{"pca", "!kernel data data/passes gram linalg linalg/level3 model internal/parallel", "methods never see a kernel family, a table, or one another"},
	{"kpca", "!kernel data gram linalg model pca", "methods never see a kernel family, a table, or one another; in explicit features kernel components are those of pca"},
	{"preimage", "!kernel data gram linalg linalg/level3 model internal/parallel", "a pre-image is sought for any expansion, whichever method made it"},
	{"nystrom", "!kernel data gram linalg linalg/level3 model kmeans internal/parallel", "a low-rank approximation is a kernel to every method and knows none; k-means, whose centres may be landmarks, is the one exception"},
	{"features", "!kernel data gram linalg/level3 model internal/parallel internal/simd", "features stand for a kernel whichever family it is of: families give recipes, and methods take the map like any kernel"},
	{"mahalanobis", "!data linalg model internal/parallel", "a distance is learned from vectors and expansions over them: what makes the expansions, and of which family their kernel is, comes in as a function"},
	{"compress", "!kernel data gram model internal/parallel", "any expansion is put on fewer points, whichever method made it"},
	{"pipeline", "internal/cli internal/figure cmd/*", "the pipeline serves the command and a server alike"},
	{"pipeline", "kernel/kerneltest gram/gramtest internal/testkit internal/arch", "test suites are for tests"},
	{"gallery", "internal/cli cmd/* bench/* pipeline tune kernel/kerneltest gram/gramtest", "the gallery shows what the methods compute: it is no part of the command's work on tables"},
	{"internal/bigmath", "*", "arithmetic stands alone"},
	{"internal/testkit", "*", "every test imports it, so it may import nobody"},
	{"internal/simd", "*", "the innermost loops see numbers only"},
	{"internal/pages", "*", "memory has no contents"},
	{"internal/parallel", "*", "sharing work among goroutines needs no mathematics"},
	{"internal/spelling", "*", "words need no mathematics"},
	{"internal/atomicfile", "*", "writing a file whole needs no mathematics"},
	{"internal/checkpoint", "!internal/atomicfile", "a file of steps knows names and numbers, and no solver"},
	{"internal/checkpoint/checkpointtest", "!internal/checkpoint", "whoever takes steps is killed in the same way"},
	{"internal/lbfgs", "*", "a search sees numbers, and no function that it goes down"},
	{"internal/mapfile", "*", "a file in memory is bytes and numbers"},
	{"internal/figure", "*", "a picture is drawn from numbers, not from models"},
	{"internal/arch", "*", "the rules have no code"},
	{"internal/cli", "internal/testkit kernel/kerneltest gram/gramtest internal/arch", "test suites are for tests"},
	{"internal/cli", "cmd/*", "commands are leaves"},
	{"cmd/*", "!internal/cli", "a command is a dozen lines: everything else is in internal/cli, where it is tested"},
	{"bench/*", "internal/* kernel/kerneltest gram/gramtest", "what is measured beside the peers is what every user can call"},
}

// matches reports whether a room matches a pattern: "*" everything, "a/*" below a.
func matches(pattern, room string) bool {
	if pattern == "*" || pattern == room {
		return true
	}
	above, ok := strings.CutSuffix(pattern, "/*")
	return ok && strings.HasPrefix(room, above+"/")
}

// covers reports whether the list of a rule takes in a room.
func covers(to, room string) bool {
	list, except := strings.CutPrefix(to, "!")
	for _, pattern := range strings.Fields(list) {
		if matches(pattern, room) {
			return !except
		}
	}
	return except
}

// reason returns why the edge is forbidden, or "".
func reason(from, to string) string {
	for _, rule := range forbidden {
		if from != to && matches(rule.from, from) && covers(rule.to, to) {
			return rule.why
		}
	}
	return ""
}

func TestRooms(t *testing.T) {
	for _, pkg := range packages(t) {
		if pkg.dir == "." {
			continue
		}
		known := false
		for _, room := range rooms {
			known = known || matches(room, pkg.dir)
		}
		if !known {
			t.Errorf("package %s is in no room: add it to rooms and to forbidden, and say in DESIGN.md what it holds", pkg.dir)
		}
		for _, to := range pkg.internal {
			if why := reason(pkg.dir, to); why != "" {
				t.Errorf("%s may not import %s: %s", pkg.dir, to, why)
			}
		}
	}
}

// TestRulesBite makes sure that the rules can fail.
func TestRulesBite(t *testing.T) {
	for _, edge := range [][2]string{
		{"data", "kernel"}, {"kernel", "kernel/vec"}, {"krr", "kernel/vec"}, {"gram", "krr"},
		{"model", "krr"}, {"linalg", "data"}, {"kernel/vec", "gram"}, {"cmd/mercer", "krr"}, {"data/csv", "prep"},
	} {
		if reason(edge[0], edge[1]) == "" {
			t.Errorf("the edge %s → %s is not forbidden", edge[0], edge[1])
		}
	}
	for _, edge := range [][2]string{
		{"kernel", "data"}, {"krr", "gram"}, {"pipeline", "kernel/vec"}, {"cmd/mercer", "internal/cli"}, {"data/open", "data/csv"},
	} {
		if why := reason(edge[0], edge[1]); why != "" {
			t.Errorf("the edge %s → %s is forbidden: %s", edge[0], edge[1], why)
		}
	}
}

// doors lists the dependencies that have one door each, or a few, and why.
var doors = []struct{ dependency, only, why string }{
	{"github.com/spf13/cobra", "internal/cli", "the command line has one room"},
	{"github.com/schollz/progressbar", "internal/cli", "libraries report progress through a callback"},
	{"golang.org/x/term", "internal/cli", "only the command talks to a terminal"},
	{"github.com/parquet-go/parquet-go", "data/parquet", "whoever reads no Parquet should not link it"},
	{"github.com/expr-lang/expr", "kernel/formula", "formulas are one kernel"},
	{"gonum.org/v1/plot", "internal/figure", "pictures are drawn in one place"},
	{"unsafe", "internal/mapfile internal/pages", "only the memory of files and the allocator of large matrices view bytes as numbers"},
	{"golang.org/x/sys/unix", "internal/mapfile internal/pages", "files are mapped in one place, and only the allocator of large matrices advises on memory"},
	{"golang.org/x/sys/cpu", "internal/simd", "which instructions there are is asked in one place"},
}

func TestDoors(t *testing.T) {
	for _, pkg := range packages(t) {
		for _, imported := range pkg.external {
			for _, door := range doors {
				if (imported == door.dependency || strings.HasPrefix(imported, door.dependency+"/")) && !slices.Contains(strings.Fields(door.only), pkg.dir) {
					t.Errorf("%s imports %s, which may enter by %s only: %s", pkg.dir, imported, door.only, door.why)
				}
			}
		}
	}
}
