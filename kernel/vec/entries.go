package vec

import (
	"errors"
	"fmt"
	"math"

	"example.org/mercer/kernel"
	"example.org/mercer/kernel/expr"
	"example.org/mercer/kernel/formula"
)

// The names that books give to one parameter.
var (
	sigmaArgument  = expr.Argument{Name: "sigma", Also: []string{"σ"}, Kind: expr.ListArg, Guess: "median", Help: "width σ > 0, or a list of one per column"}
	lengthArgument = expr.Argument{Name: "lengthscale", Also: []string{"ℓ"}, Kind: expr.ListArg, Help: "another name of sigma"}
	omegaArgument  = expr.Argument{Name: "omega", Also: []string{"ω"}, Kind: expr.ListArg, Help: "ω = σ√2, of exp(−‖x−y‖²/ω²)"}
)

// widthSpellings are the arguments that give a width, of which a kernel takes some.
var widthSpellings = []string{"sigma", "lengthscale", "gamma", "omega", "radius"}

// widthArguments reads sigma, or one of its equivalents: exactly one of them.
func widthArguments(a *expr.Args, name string, fromGamma func(gamma float64) float64) (widths, error) {
	written := ""
	for _, argument := range widthSpellings {
		switch {
		case !a.Has(argument):
		case written != "":
			return widths{}, a.Errorf(argument, "%s: %s and %s say the same thing twice: give one of them", name, written, argument)
		default:
			written = argument
		}
	}
	values := a.List(written)
	if len(values) == 0 {
		return widths{}, a.Errorf(written, "%s: the list of widths is empty: give one number, or one per column", name)
	}
	sigma := make([]float64, len(values))
	for j, v := range values {
		if err := positive(written, v); err != nil {
			return widths{}, a.Errorf(written, "%s: %w", name, err)
		}
		switch sigma[j] = v; written {
		case "gamma":
			sigma[j] = fromGamma(v)
		case "omega":
			sigma[j] = v / math.Sqrt2
		}
	}
	w := widthsOf(0, sigma)
	if err := w.check(); err != nil {
		return widths{}, a.Errorf(written, "%s: %s = %s is too large or too small for a width: %w", name, written, list(values), err)
	}
	return w, nil
}

// positiveArgument reads a number above 0.
func positiveArgument(a *expr.Args, kernelName, argument string, fallback float64) (float64, error) {
	v := a.Number(argument, fallback)
	if err := positive(argument, v); err != nil {
		return 0, a.Errorf(argument, "%s: %w", kernelName, err)
	}
	return v, nil
}

// gammaArgument is the factor in the exponent, which some lectures call β.
func gammaArgument(help string) expr.Argument {
	return expr.Argument{Name: "gamma", Also: []string{"γ", "beta", "β"}, Kind: expr.ListArg, Help: help}
}

// The σ of a gamma: 1/(2σ²) for the Gaussian, 1/σ for the exponential kernels.
func sigmaOfGaussian(gamma float64) float64 { return math.Sqrt(1 / (2 * gamma)) }

var linearEntry = entry{
	Summary:   "⟨x,y⟩",
	Arguments: []expr.Argument{nanArgument},
	Build:     func(a *expr.Args) (Kernel, error) { return letMissing(a, Linear{}) },
}

var cosineEntry = entry{
	Summary: "⟨x,y⟩/(‖x‖‖y‖)",
	Build:   func(*expr.Args) (Kernel, error) { return Cosine{}, nil },
}

var bilinearEntry = entry{
	Summary:   "xᵀAy with A ⪰ 0",
	Arguments: []expr.Argument{{Name: "matrix", Kind: expr.ListArg, Help: "the rows of A, one after another"}},
	Build: func(a *expr.Args) (Kernel, error) {
		k, err := NewBilinear(a.List("matrix"))
		if err != nil {
			return nil, a.Errorf("matrix", "%w", err)
		}
		return k, nil
	},
}

var whiteEntry = entry{
	Summary:   "v if x = y, else 0",
	Arguments: []expr.Argument{{Name: "value", Kind: expr.NumberArg, Default: "1", Help: "variance v > 0"}},
	Build: func(a *expr.Args) (Kernel, error) {
		v, err := positiveArgument(a, "white", "value", 1)
		return White{Value: v}, err
	},
}

var chi2Entry = entry{
	Summary:   "exp(−γ Σⱼ (xⱼ−yⱼ)²/(xⱼ+yⱼ)), of histograms",
	AsWritten: amounts,
	Arguments: []expr.Argument{{Name: "gamma", Also: []string{"γ"}, Kind: expr.NumberArg, Default: "1", Help: "γ > 0"}},
	Build: func(a *expr.Args) (Kernel, error) {
		gamma, err := positiveArgument(a, "chi2", "gamma", 1)
		return Chi2{Gamma: gamma}, err
	},
}

var jsEntry = entry{
	Summary:   "exp(−γ JS(x,y)) of the Jensen–Shannon divergence, of histograms",
	AsWritten: amounts,
	Arguments: []expr.Argument{{Name: "gamma", Also: []string{"γ"}, Kind: expr.NumberArg, Default: "1", Help: "γ > 0"}},
	Build: func(a *expr.Args) (Kernel, error) {
		gamma, err := positiveArgument(a, "js", "gamma", 1)
		return JS{Gamma: gamma}, err
	},
}

var gintersectionEntry = entry{
	Summary:   "Σⱼ min(|xⱼ|^β,|yⱼ|^β), generalised intersection of histograms",
	AsWritten: amounts,
	Arguments: []expr.Argument{{Name: "beta", Also: []string{"β"}, Kind: expr.NumberArg, Default: "1", Help: "β > 0"}},
	Build: func(a *expr.Args) (Kernel, error) {
		beta, err := positiveArgument(a, "gintersection", "beta", 1)
		return GIntersection{Beta: beta}, err
	},
}

var intersectionEntry = entry{
	Summary:   "Σⱼ min(xⱼ,yⱼ), another name of min",
	AsWritten: amounts,
	Build:     func(*expr.Args) (Kernel, error) { return Min(), nil },
}

var constantEntry = entry{
	Summary:   "the constant c ≥ 0",
	Arguments: []expr.Argument{{Name: "value", Kind: expr.NumberArg, Default: "1", Help: "c ≥ 0"}},
	Build: func(a *expr.Args) (Kernel, error) {
		v := a.Number("value", 1)
		if !(v >= 0) || math.IsInf(v, 1) {
			return nil, a.Errorf("value", "constant: value = %s must be a finite number of at least 0", number(v))
		}
		return kernel.Constant[[]float64]{Value: v}, nil
	},
}

var formulaEntry = entry{
	Summary:   "any formula in x and y",
	Arguments: []expr.Argument{{Name: "text", Kind: expr.StringArg, Help: "such as \"exp(-abs(x-y))\""}},
	Build: func(a *expr.Args) (Kernel, error) {
		k, err := formula.New(a.Text("text", ""))
		if err != nil {
			return nil, a.Errorf("text", "%w", err)
		}
		return k, nil
	},
}

var rbfEntry = entry{
	Summary:   "exp(−‖x−y‖²/(2σ²))",
	Arguments: []expr.Argument{sigmaArgument, gammaArgument("1/(2σ²)"), lengthArgument, nanArgument, centerArgument, spreadArgument, omegaArgument},
	Build: func(a *expr.Args) (Kernel, error) {
		w, err := widthArguments(a, "rbf", sigmaOfGaussian)
		if err != nil {
			return nil, err
		}
		sigma, each := w.fields()
		return letMissing(a, RBF{Sigma: sigma, Widths: each})
	},
}

var (
	nanArgument    = expr.Argument{Name: "nan", Kind: expr.WordArg, Default: "refuse", Help: "missing coordinates: refuse, ignore (averaged over the column) or penalise (like none but another missing one)"}
	centerArgument = expr.Argument{Name: "center", Kind: expr.NumberArg, Default: "0", Help: "mean of the columns, of nan=ignore"}
	spreadArgument = expr.Argument{Name: "spread", Kind: expr.NumberArg, Default: "1", Help: "standard deviation of the columns, of nan=ignore"}
)

// letMissing says what missing coordinates mean to a kernel.
func letMissing(a *expr.Args, of Kernel) (Kernel, error) {
	nan := Nan(a.Text("nan", "refuse"))
	switch nan {
	case Ignore, Penalise:
	case "refuse":
		if a.Has("center") || a.Has("spread") {
			return nil, errors.New("center and spread are those of missing values: write nan=ignore, too")
		}
		return of, nil
	default:
		return nil, a.Errorf("nan", "nan=%s is not known: use refuse, ignore or penalise", nan)
	}
	spread := a.Number("spread", 1)
	if !(spread > 0) || math.IsInf(spread, 0) {
		return nil, a.Errorf("spread", "spread=%v is not a standard deviation: give a finite number above 0", spread)
	}
	return Incomplete{Of: of, Nan: nan, Center: a.Number("center", 0), Spread: spread}, nil
}

var laplaceEntry = entry{
	Summary:   "exp(−‖x−y‖₂/σ)",
	Arguments: []expr.Argument{sigmaArgument, gammaArgument("1/σ"), lengthArgument},
	Build: func(a *expr.Args) (Kernel, error) {
		w, err := widthArguments(a, "laplace", inverse)
		sigma, each := w.fields()
		return Laplace{Sigma: sigma, Widths: each}, err
	},
}

var laplace1Entry = entry{
	Summary:   "exp(−‖x−y‖₁/σ)",
	Arguments: []expr.Argument{sigmaArgument, gammaArgument("1/σ"), lengthArgument, nanArgument, centerArgument, spreadArgument},
	Build: func(a *expr.Args) (Kernel, error) {
		w, err := widthArguments(a, "laplace1", inverse)
		if err != nil {
			return nil, err
		}
		sigma, each := w.fields()
		return letMissing(a, Laplace1{Sigma: sigma, Widths: each})
	},
}

var maternEntry = entry{
	Summary:   "Matérn of smoothness ν",
	Arguments: []expr.Argument{{Name: "nu", Also: []string{"ν"}, Kind: expr.NumberArg, Default: "1.5", Help: "smoothness ν > 0; 0.5, 1.5 and 2.5 are fastest"}, sigmaArgument, lengthArgument},
	Build: func(a *expr.Args) (Kernel, error) {
		nu, err := positiveArgument(a, "matern", "nu", 1.5)
		if err != nil {
			return nil, err
		}
		w, err := widthArguments(a, "matern", inverse)
		sigma, each := w.fields()
		return Matern{Nu: nu, Sigma: sigma, Widths: each}, err
	},
}

var rqEntry = entry{
	Summary:   "(1 + ‖x−y‖²/(2ασ²))^−α",
	Arguments: []expr.Argument{{Name: "alpha", Also: []string{"α"}, Kind: expr.NumberArg, Default: "1", Help: "mixture of widths α > 0"}, sigmaArgument, lengthArgument},
	Build: func(a *expr.Args) (Kernel, error) {
		alpha, err := positiveArgument(a, "rq", "alpha", 1)
		if err != nil {
			return nil, err
		}
		w, err := widthArguments(a, "rq", inverse)
		sigma, each := w.fields()
		return RQ{Alpha: alpha, Sigma: sigma, Widths: each}, err
	},
}

var periodicEntry = entry{
	Summary: "exp(−2 Σ sin²(π(xⱼ−yⱼ)/p)/σ²)",
	Arguments: []expr.Argument{
		{Name: "period", Also: []string{"p"}, Kind: expr.NumberArg, Default: "1", Help: "p > 0"},
		{Name: "sigma", Also: []string{"σ"}, Kind: expr.NumberArg, Help: "width σ > 0"},
		{Name: "lengthscale", Kind: expr.NumberArg, Help: "another name of sigma"},
	},
	Build: func(a *expr.Args) (Kernel, error) {
		period, err := positiveArgument(a, "periodic", "period", 1)
		if err != nil {
			return nil, err
		}
		w, err := widthArguments(a, "periodic", inverse)
		if err != nil {
			return nil, err
		}
		return Periodic{Period: period, Sigma: w.at(0)}, nil
	},
}

var polyEntry = entry{
	Synonyms: []string{"polynomial"},
	Summary:  "(s·⟨x,y⟩ + c)ⁿ",
	Arguments: []expr.Argument{
		{Name: "degree", Also: []string{"d", "p"}, Kind: expr.NumberArg, Default: "2", Help: "n = 1, 2, 3, …"},
		{Name: "offset", Also: []string{"delta", "δ", "a", "c"}, Kind: expr.NumberArg, Default: "0", Help: "c; positive definite for c ≥ 0"},
		{Name: "scale", Also: []string{"gamma", "γ"}, Kind: expr.NumberArg, Default: "1", Help: "s > 0"},
	},
	Build: func(a *expr.Args) (Kernel, error) {
		degree := a.Number("degree", 2)
		if degree != math.Trunc(degree) || degree < 1 || degree > 1000 {
			return nil, a.Errorf("degree", "poly: degree = %s must be a whole number from 1 to 1000", number(degree))
		}
		scale, err := positiveArgument(a, "poly", "scale", 1)
		if err != nil {
			return nil, err
		}
		k := Poly{Degree: int(degree), Offset: a.Number("offset", 0), Scale: scale}
		if err := k.Contains(nil); err != nil {
			return nil, a.Errorf("offset", "%w", err)
		}
		return k, nil
	},
}

var tanhEntry = entry{
	Summary: "tanh(s·⟨x,y⟩ + c), not positive definite",
	Arguments: []expr.Argument{
		{Name: "scale", Also: []string{"gamma", "γ"}, Kind: expr.NumberArg, Default: "1", Help: "s ≠ 0"},
		{Name: "offset", Also: []string{"delta", "δ", "c"}, Kind: expr.NumberArg, Default: "0", Help: "c"},
	},
	Build: func(a *expr.Args) (Kernel, error) {
		k, err := Tanh{}.With([]float64{a.Number("scale", 1), a.Number("offset", 0)})
		if err != nil {
			return nil, fmt.Errorf("tanh: %w", err)
		}
		return k, nil
	},
}
