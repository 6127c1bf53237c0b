package vec

import (
	"example.org/mercer/kernel/ckn"
	"example.org/mercer/kernel/deep"
	"example.org/mercer/kernel/expr"
	"example.org/mercer/kernel/formula"
	"example.org/mercer/kernel/visual"
)

type entry = expr.Entry[[]float64]

// Dictionary returns the names of this package's kernels, with columns selected by
// the names of the schema. The caller may extend it.
func Dictionary(schema Schema) expr.Dictionary[[]float64] {
	d := expr.Dictionary[[]float64]{
		Kernels: map[string]entry{
			"linear": linearEntry, "cosine": cosineEntry, "bilinear": bilinearEntry, "poly": polyEntry,
			"tanh": tanhEntry, "rbf": rbfEntry, "gaussian": rbfEntry, "laplace": laplaceEntry,
			"laplace1": laplace1Entry, "laplacepq": laplacePQEntry, "matern": maternEntry, "rq": rqEntry, "periodic": periodicEntry, "wave": waveEntry,
			"white": whiteEntry, "constant": constantEntry, "formula": formulaEntry, "chi2": chi2Entry,
			"js": jsEntry, "ckn": ckn.Entry, "deep": deep.Entry, "mahalanobis": mahalanobisEntry, "anova": anovaEntry, "category": categoryEntry, "wendland": wendlandEntry, "arccos": arccosEntry, "centred": centredEntry, "nngp": networkEntry(false), "ntk": networkEntry(true), "gintersection": gintersectionEntry, "words": visual.WordsEntry(onCodes(Min())), "fisher": visual.FisherEntry(onCodes(Linear{})), "intersection": intersectionEntry,
		},
		Select:   restricted(schema),
		Function: formula.Function,
		Map:      formula.Map,
		Refused:  refused(),
	}
	for _, n := range numberKernels {
		d.Kernels[n.name] = entry{Summary: n.formula, AsWritten: n.asWritten, Build: func(*expr.Args) (Kernel, error) { return Number{of: n}, nil }}
	}
	return d
}

// onCodes are the kernels that compare codes of images, which have no column names.
func onCodes(usual Kernel) visual.Inner {
	return visual.Inner{
		Usual:   usual,
		Resolve: func(n expr.Node) (expr.Node, error) { return expr.Resolve(n, Dictionary(Schema{})) },
		Build:   func(n expr.Node) (Kernel, error) { return expr.Build(n, Dictionary(Schema{})) },
	}
}

// refused returns the names that have a better one, and why.
func refused() map[string]string {
	return map[string]string{
		"laplacian": "the name is ambiguous: write laplace(sigma=…) for the Euclidean norm exp(−‖x−y‖₂/σ), or laplace1(sigma=…) for the sum of absolute differences exp(−‖x−y‖₁/σ)",
		"sigmoid":   "write tanh(scale=…, offset=…), which is not positive definite",
		"max":       "the maximum is not positive definite (k(0,0)k(1,1) < k(0,1)²); formula(\"max(x,y)\") can be checked",
		"lcm":       "the least common multiple is not positive definite (k(1,1)k(2,2) < k(1,2)²); formula(\"lcm(x,y)\") can be checked",
	}
}

// Schema names the coordinates of points, see [expr.Schema].
type Schema = expr.Schema

// restricted selects the columns that match patterns.
func restricted(s Schema) func(k Kernel, patterns []string) (Kernel, error) {
	return func(k Kernel, patterns []string) (Kernel, error) {
		index, err := s.Indices(patterns)
		if err != nil {
			return nil, err
		}
		return Columns{Of: k, Patterns: patterns, Index: index, Names: s.Of(index)}, nil
	}
}

// Parse reads a kernel on vectors without column names. See [example.org/mercer/kernel/expr] for
// the language.
func Parse(text string) (Kernel, error) { return ParseWith(text, Schema{}) }

// ParseWith reads a kernel on vectors whose coordinates have names.
func ParseWith(text string, schema Schema) (Kernel, error) {
	return expr.ParseKernel(text, Dictionary(schema))
}
