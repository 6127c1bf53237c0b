package settings

import (
	"fmt"
	"slices"
	"strings"

	"example.org/mercer/compute"
	"example.org/mercer/learner"
	"example.org/mercer/space"
)

// Errorf returns the error of settings that cannot be meant.
func Errorf(format string, args ...any) error {
	return &learner.SettingError{Err: fmt.Errorf(format, args...)}
}

// The flags of a task that settings of methods depend on.
const (
	LandmarksFlag = "landmarks" // approximates the kernel
	AutoFlag      = "auto"      // may choose to
)

// Penalty are λ and the free constant of methods with (λ/2)‖f‖².
type Penalty struct {
	Lambda, Ridge float64
	NoIntercept   bool
}

// Declare declares them; usage is that of λ.
func (s *Penalty) Declare(fs learner.Flags, usage string) {
	fs.Float64Var(&s.Lambda, "lambda", 0, usage)
	fs.Float64Var(&s.Ridge, "ridge", 0, "Nλ instead of --lambda: the 1/C of other programs")
	fs.BoolVar(&s.NoIntercept, "no-intercept", false, "no free constant")
}

// HalfPenalty is the usage of λ in most methods.
const HalfPenalty = "λ in (1/N)Σ w·loss + (λ/2)‖f‖²; default 1e-2"

// DefaultPenalty is the λ where none is given; it is said so.
const DefaultPenalty = 1e-2

// Chosen returns λ, one of the two ways to give it.
func (s *Penalty) Chosen(g *learner.Given) (lambda float64, err error) {
	lambda, given := s.Lambda, g.Has("lambda")
	switch ridge := g.Has("ridge"); {
	case given && ridge:
		return 0, ErrTwoPenalties
	case given && !(lambda > 0), ridge && !(s.Ridge > 0):
		return 0, Errorf("--lambda is %g and --ridge %g: this method needs a penalty above 0", lambda, s.Ridge)
	case !given && !ridge:
		lambda = DefaultPenalty
		NoteLambda(g, lambda)
	}
	return lambda, nil
}

// NoteLambda says that λ is the default.
func NoteLambda(g *learner.Given, lambda float64) {
	g.Note("λ = %g (default; give --lambda or --ridge, or let mercer tune choose)", lambda)
}

var ErrTwoPenalties = Errorf("--lambda and --ridge are two ways to give one number (ridge = Nλ): give one")

// Precisions are the precisions of tiles and factors.
var Precisions = []string{compute.Double.String(), compute.Single.String()}

// InPrecision returns computing options in a precision that is named.
func InPrecision(o compute.Options, name string) (compute.Options, error) {
	var err error
	if o.Precision, err = compute.ParsePrecision(name); err != nil {
		return o, &learner.SettingError{Err: fmt.Errorf("--precision %w", err)}
	}
	return o, nil
}

// System say how the weighted systems of a method are solved.
type System struct{ solver, precision string }

// solvers are the solvers of spaces.
var solvers = Words(space.Auto, space.Cholesky, space.Packed, space.CG, space.Features)

// SystemWords are the words of these settings.
var SystemWords = map[string][]string{"solver": solvers, "precision": Precisions}

func (s *System) Declare(fs learner.Flags) {
	fs.StringVar(&s.solver, "solver", string(space.Auto), strings.Join(solvers, ", ")+": packed takes half of the memory, cg that of products")
	fs.StringVar(&s.precision, "precision", compute.Double.String(), "double, or single: factors and products in single precision with half the memory, refined to a residual in double precision")
}

// Chosen returns the solver, and the computing options in the precision.
func (s *System) Chosen(g *learner.Given) (space.Solver, compute.Options, error) {
	if !slices.Contains(solvers, s.solver) {
		return "", g.Compute, Errorf("--solver %q is not known; there are %s", s.solver, strings.Join(solvers, ", "))
	}
	how, err := InPrecision(g.Compute, s.precision)
	return space.Solver(s.solver), how, err
}

// Evidence are those of methods whose kernel the evidence can find.
type Evidence struct {
	Optimize bool
	Fixed    []string
	Restarts int
}

// Declare declares them; what says what is found.
func (s *Evidence) Declare(fs learner.Flags, what string) {
	fs.BoolVar(&s.Optimize, "optimize", false, "find "+what+" by the evidence")
	fs.StringSliceVar(&s.Fixed, "fix", nil, "parameters that --optimize leaves as they are, by the names that it reports, such as sigma or scale#2 (repeatable)")
	fs.IntVar(&s.Restarts, "restarts", 0, "further searches of --optimize from random starts")
}

// Check refuses what goes together with --optimize alone; tuning by folds does without.
func (s *Evidence) Check(method string, folds bool) error {
	switch {
	case s.Restarts < 0 || s.Restarts > 0 && !s.Optimize:
		return Errorf("--restarts is %d: it is the number of further searches of --optimize", s.Restarts)
	case len(s.Fixed) > 0 && !s.Optimize:
		return Errorf("--fix %q: without --optimize all parameters stay as they are", s.Fixed)
	case folds && s.Optimize:
		return Errorf("--optimize finds parameters by the evidence, without folds: mercer fit %s --optimize", method)
	}
	return nil
}

// Words returns names as strings, those that a flag takes.
func Words[S ~string](names ...S) []string {
	out := make([]string, len(names))
	for i, name := range names {
		out[i] = string(name)
	}
	return out
}
