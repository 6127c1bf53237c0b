package main

import (
	"go/ast"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// noMethods lists the packages beside the methods that are none, and why.
var noMethods = map[string]string{
	"supervised/mahalanobis":  "learns the distance of a kernel, not a function",
	"supervised/dkl":          "learns the network of a kernel, not a function",
	"supervised/sckn":         "learns the filters of a kernel, not a function",
	"supervised/rfm":          "learns on vectors alone, whose distance it changes",
	"supervised/mkl":          "learns the weights of kernels, not a function",
	"supervised/tree":         "divides rows, for which other packages fit machines",
	"unsupervised/dictionary": "learns the dictionary of a kernel, not a function",
	"supervised/newton":       "the algorithm of several methods",
	"supervised/svm/libsvm":   "a file format",
}

// onVectors lists the methods that have no kernel: there is no span to choose, and what they find
// is no function in H. They have a Fit(ctx, x data.Rows, …, o Options) (*Result, *Report, error).
var onVectors = map[string]string{
	"unsupervised/gmm": "a density of vectors",
	"unsupervised/pca": "components of vectors",
}

const maxOptions = 8

// knownGrammar lists where packages of methods speak otherwise; the number is 1, or that of the
// fields of Options.
var knownGrammar = map[string]int{}

var secondEntry = regexp.MustCompile(`^(Solve|Fit|Cut)\w*Features$`)

// TestAPIGrammar compares what the packages of methods export with the one grammar,
//
//	Solve(ctx, …, o Options) (…, *Report, error)                       on a span
//	Fit[T any](ctx, k, xs, …, o Options) (model.Predictor[T], *Report, error)   on points
//
// where Options are flat, at most 8 fields, of which Compute is the last. The first result of Fit
// is as narrow as is always true: see [source.predicts]. What a method does in features is no entry
// of its own: the span is an argument. A method without a kernel has no Solve, and its Fit returns
// what it found of the vectors.
func TestAPIGrammar(t *testing.T) {
	tr := theTree(t)
	for _, list := range []map[string]string{noMethods, onVectors} {
		for dir := range list {
			if tr.find(dir) == nil {
				t.Errorf("a list names %s, which is not there", dir)
			}
		}
	}
	if n := len(tr.methodPackages()); n < 10 {
		t.Errorf("%d packages of methods: did they move?", n)
	}
	onlyKnown(t, "every method is Options, Report, Solve and Fit", knownGrammar, tr.otherGrammar())
}

// methodPackages returns the packages that hold a method each.
func (t *tree) methodPackages() (out []*source) {
	for _, pkg := range t.packages {
		if standsIn("supervised/... unsupervised/...", pkg.dir) && noMethods[pkg.dir] == "" && len(pkg.files) > 0 {
			out = append(out, pkg)
		}
	}
	return out
}

// otherGrammar returns what is not in the grammar, by package.
func (t *tree) otherGrammar() map[string]int {
	found := map[string]int{}
	for _, pkg := range t.packages {
		for name := range exportedNames(pkg.files) {
			if secondEntry.MatchString(name) {
				found[pkg.dir+" exports "+name] = 1
			}
		}
	}
	for _, pkg := range t.methodPackages() {
		for what, n := range spokenOtherwise(pkg) {
			found[pkg.dir+" "+what] = n
		}
	}
	return found
}

// spokenOtherwise returns what in a package is not in the grammar.
func spokenOtherwise(pkg *source) map[string]int {
	found := map[string]int{}
	exported := exportedNames(pkg.files)
	_, vectors := onVectors[pkg.dir]
	for _, want := range []string{"Options", "Report", "Solve", "Fit"} {
		if !exported[want] && !(want == "Solve" && vectors) {
			found["has no "+want] = 1
		}
	}
	if _, spec := pkg.typeNamed("Options"); spec != nil {
		fields := fieldsOf(spec)
		if len(fields) > maxOptions {
			found["has many Options"] = len(fields)
		}
		if len(fields) == 0 || fields[len(fields)-1] != "Compute" {
			found["has Options that do not end with Compute"] = 1
		}
	}
	for _, f := range pkg.files {
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Recv != nil || fn.Name.Name != "Fit" {
				continue
			}
			got := resultsOf(fn)
			if len(got) != 3 || !slices.Equal(got[1:], []string{"*Report", "error"}) ||
				!pkg.predicts(got[0]) && !(vectors && strings.HasPrefix(got[0], "*")) {
				found["has a Fit of other results"] = 1
			}
		}
	}
	return found
}

// forms are the functions that can be fitted, of which each is a model.Predictor.
var forms = []string{"*model.Expansion", "*model.Primal"}

// predicts reports whether a type as it is written is a model.Predictor: that itself, where the
// kernel or the options choose the form of a function; a form; or a type of the package that embeds
// a form, so that it says more of the function.
func (s *source) predicts(written string) bool {
	if written == "model.Predictor" || slices.Contains(forms, written) {
		return true
	}
	_, spec := s.typeNamed(strings.TrimPrefix(written, "*"))
	return spec != nil && slices.ContainsFunc(embeddedIn(spec), func(name string) bool { return slices.Contains(forms, name) })
}

// embeddedIn returns the types that a struct embeds, as they are written.
func embeddedIn(spec *ast.TypeSpec) (out []string) {
	if of, ok := spec.Type.(*ast.StructType); ok {
		for _, field := range of.Fields.List {
			if len(field.Names) == 0 {
				out = append(out, written(field.Type))
			}
		}
	}
	return out
}

// fieldsOf returns the exported fields of a struct, embedded ones by their type.
func fieldsOf(spec *ast.TypeSpec) (names []string) {
	of, ok := spec.Type.(*ast.StructType)
	if !ok {
		return nil
	}
	for _, field := range of.Fields.List {
		for _, id := range field.Names {
			if id.IsExported() {
				names = append(names, id.Name)
			}
		}
		if len(field.Names) == 0 {
			names = append(names, typeName(field.Type))
		}
	}
	return names
}

// resultsOf returns the types of the results of a function, without type arguments.
func resultsOf(fn *ast.FuncDecl) (out []string) {
	if fn.Type.Results == nil {
		return nil
	}
	for _, field := range fn.Type.Results.List {
		for range max(1, len(field.Names)) {
			out = append(out, written(field.Type))
		}
	}
	return out
}

// written returns a type as it is written, without type arguments.
func written(e ast.Expr) string {
	switch e := unindexed(e).(type) {
	case *ast.StarExpr:
		return "*" + written(e.X)
	case *ast.SelectorExpr:
		return written(e.X) + "." + e.Sel.Name
	case *ast.Ident:
		return e.Name
	}
	return "?"
}
