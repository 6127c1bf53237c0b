package main

import (
	"go/ast"
	"strings"
	"testing"
)

// A word is one that the project used to have for something that the field has a word for.
type word struct {
	old   string // an exported name; Type.Member; or a file, whose suffixes after _ do not matter
	new   string
	where string // packages and groups; "": all
}

// glossary lists the words that are gone, with the field's own in their place. A word may be used
// elsewhere for what the field calls so: a part of a text, a root of a number.
var glossary = []word{
	{"Problem", "task.Task", "task learner search ."},
	{"Learner", "Solver", "tune"},
	{"Change", "Update", "task learner search ."},
	{"Parts", "the size of the working set, unexported", "supervised/svm"},
	{"Largest", "the size of the working set, unexported", "supervised/svm"},
	{"Stores", "unexported", "supervised/svm"},
	{"Descends", "unexported", "supervised/svm"},
	{"Start.Only", "EvaluateOnly", "supervised/svm"},
	{"Report.Compare", "Suboptimality", "supervised/svm"},
	{"Moved", "OptimizedLandmarks", "supervised/... approx/..."},
	{"Descent", "LandmarkOptions", "supervised/... approx/..."},
	{"Left", "ResidualKernel", "supervised/... space"},
	{"Given", "Posterior", "supervised/..."},
	{"Conditioned", "posterior by Cholesky", "supervised/..."},
	{"Iterated", "posterior by conjugate gradients", "supervised/..."},
	{"Cached", "LowRankCache", "supervised/..."},
	{"Latent", "Laplace", "supervised/..."},
	{"Average", "SoftmaxIntegral", "supervised/..."},
	{"Along", "ProjectedVariance", "rkhs"},
	{"Steep", "LipschitzPair", "rkhs"},
	{"Spread", "EffectiveDimension", "rkhs"},
	{"Root", "unexported", "rkhs"},
	{"Sums", "sufficient statistics", "approx/moments"},
	{"Filed", "Streamed", "data/..."},
	{"DesignReader", "Design", "gram"},
	{"Features", "Design", "gram"},
	{"Tall", "Design", "gram"},
	{"Own", "CopyDense", "gram"},
	{"Repeated", "CachedOperator", "gram"},
	{"Repeats", "CachedOperator", "gram"},
	{"Factored", "UpdatableFactor", ""},
	{"Price", "Cost", ""},
	{"Card", "Reference", ""},
	{"Conformed", "Conformal", ""},
	{"Comparing", "Compatible", ""},
	{"Agrees", "Compatible", ""},
	{"Anchored", "BoundColumns", ""},
	{"Keeper", "TileCache", ""},
	{"Keep", "TileCache", "kernel gram/..."},
	{"KeepParts", "TileCache", ""},
	{"Recipe", "FeatureConstruction", ""},
	{"Reciper", "FeatureConstruction", ""},
	{"Answer", "PreImage", "rkhs/... data/prep"},
	{"Answers", "structured output", ""},
	{"Decoded", "PreImage", ""},
	{"Machines", "Votes", "learner outcome supervised/..."},
	{"AfterLandmarks", "refinement on the exact kernel", ""},
	{"Reduction", "Approximation", ""},

	{"speech.go", "typed expression", ""},
	{"free.go", "free hyper-parameters", "task learner search ."},
	{"moved.go", "row update", ""},
	{"summed.go", "sufficient statistics", ""},
	{"golden.go", "self-test rows", ""},
	{"view.go", "what the file shows", "task learner search outcome/... ."},
	{"answers.go", "structured output", ""},
	{"once.go", "shared Gram matrix", ""},
	{"byrow.go", "kernel on row numbers", ""},
	{"blank.go", "warnings of degenerate kernels", ""},
	{"polish.go", "refinement on the exact kernel", ""},
	{"reduction.go", "approximation", ""},
	{"images.go", "design", "task"},
	{"parts.go", "working set", "supervised/svm"},
	{"outside.go", "gradient of the inactive rows", ""},
	{"forecast.go", "model of the cost", ""},
	{"runs.go", "blocks", "supervised/svm"},
	{"anew.go", "uncached rows", ""},
	{"whole.go", "stored matrix", ""},
	{"open.go", "first pass", "supervised/falkon space"},
	{"sections.go", "kernel columns at the landmarks", "supervised/... space"},
	{"descent.go", "landmark optimisation", "supervised/falkon"},
	{"conditioned.go", "posterior", ""},
	{"iterated.go", "posterior by conjugate gradients", ""},
	{"latent.go", "Laplace approximation", ""},
	{"steep.go", "Lipschitz pair", ""},
	{"stock.go", "source of rows", ""},
	{"study.go", "fit of columns", ""},
	{"abridged.go", "short list", ""},
	{"filed.go", "streamed", ""},
	{"climb.go", "run of Lloyd's algorithm", ""},
	{"cut.go", "normalised cut", ""},
	{"totals.go", "sums of clusters", ""},
	{"screen.go", "Hamerly bounds", ""},
	{"divide.go", "divide and conquer", "linalg"},
	{"deflate.go", "deflation", "linalg"},
	{"companion.go", "LᵀDL", ""},
	{"logged.go", "checkpointed", ""},
	{"lower.go", "updatable factor", "linalg"},
	{"own.go", "copy", ""},
	{"several.go", "multiple right-hand sides", ""},
	{"hold.go", "fits in memory", ""},
	{"width.go", "float", ""},
	{"tall.go", "tall and skinny", ""},
	{"easy.go", "easymkl.go", ""},
	{"recall.go", "cache of trials", "tune"},
	{"rounds.go", "successive halving", "tune"},
	{"price.go", "cost", ""},
	{"card.go", "reference", ""},
	{"agree.go", "compatible", ""},
	{"keep.go", "tile cache", "kernel/..."},
	{"sitting.go", "context of a figure", ""},
	{"lift.go", "feature map", ""},
	{"toy.go", "samples", "cmd/..."},
}

// knownWords counts the declarations, or files, of each word.
var knownWords = map[string]int{}

// TestWords finds exported names and files that are called by a word of the glossary.
func TestWords(t *testing.T) {
	onlyKnownPlaces(t, "the field has a word for it: see glossary", knownWords, theTree(t).oldWords())
}

// oldWords finds them by word.
func (t *tree) oldWords() places {
	found := places{}
	for _, pkg := range t.packages {
		declared := places{}
		for _, f := range pkg.files {
			stem, _, _ := strings.Cut(strings.TrimSuffix(f.name(), ".go"), "_")
			declared.add(stem+".go", f.path)
			for name, id := range exportedMembers(f) {
				declared.add(name, t.at(id.Pos()))
			}
		}
		for _, w := range glossary {
			if w.where != "" && !standsIn(w.where, pkg.dir) {
				continue
			}
			for name, at := range declared {
				_, member, _ := strings.Cut(name, ".")
				if name == w.old || member == w.old && !strings.HasSuffix(name, ".go") {
					found[w.old] = append(found[w.old], at...)
				}
			}
		}
	}
	return found
}

// exportedMembers returns the exported names of a file: Name at top level, Type.Member of methods,
// fields and methods of interfaces.
func exportedMembers(f *file) map[string]*ast.Ident {
	names := map[string]*ast.Ident{}
	for name := range exportedNames([]*file{f}) {
		names[name] = f.Name
	}
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Name.IsExported() {
			names[functionName(fn)] = fn.Name
		}
	}
	for name, spec := range types(f) {
		names[name] = spec.Name
		var fields *ast.FieldList
		switch of := spec.Type.(type) {
		case *ast.StructType:
			fields = of.Fields
		case *ast.InterfaceType:
			fields = of.Methods
		default:
			continue
		}
		for _, field := range fields.List {
			for _, id := range field.Names {
				if id.IsExported() {
					names[name+"."+id.Name] = id
				}
			}
		}
	}
	return names
}
