package methods

import (
	"fmt"
	"slices"
	"strings"

	"example.org/mercer/compute"
	"example.org/mercer/learner"
	"example.org/mercer/space"
)

// settingf returns the error of settings that cannot be meant.
func settingf(format string, args ...any) error {
	return &learner.SettingError{Err: fmt.Errorf(format, args...)}
}

// The flags of a task that settings of methods depend on.
const (
	landmarksFlag = "landmarks" // approximates the kernel
	autoFlag      = "auto"      // may choose to
)

// penaltySettings are λ and the free constant of methods with (λ/2)‖f‖².
type penaltySettings struct {
	lambda, ridge float64
	noIntercept   bool
}

// declare declares them; usage is that of λ.
func (s *penaltySettings) declare(fs learner.Flags, usage string) {
	fs.Float64Var(&s.lambda, "lambda", 0, usage)
	fs.Float64Var(&s.ridge, "ridge", 0, "Nλ instead of --lambda: the 1/C of other programs")
	fs.BoolVar(&s.noIntercept, "no-intercept", false, "no free constant")
}

// halfPenalty is the usage of λ in most methods.
const halfPenalty = "λ in (1/N)Σ w·loss + (λ/2)‖f‖²; default 1e-2"

// defaultPenalty is the λ where none is given; it is said so.
const defaultPenalty = 1e-2

// chosen returns λ, one of the two ways to give it.
func (s *penaltySettings) chosen(g *learner.Given) (lambda float64, err error) {
	lambda, given := s.lambda, g.Has("lambda")
	switch ridge := g.Has("ridge"); {
	case given && ridge:
		return 0, errTwoPenalties
	case given && !(lambda > 0), ridge && !(s.ridge > 0):
		return 0, settingf("--lambda is %g and --ridge %g: this method needs a penalty above 0", lambda, s.ridge)
	case !given && !ridge:
		lambda = defaultPenalty
		noteLambda(g, lambda)
	}
	return lambda, nil
}

// noteLambda says that λ is the default.
func noteLambda(g *learner.Given, lambda float64) {
	g.Note("λ = %g (default; give --lambda or --ridge, or let mercer tune choose)", lambda)
}

var errTwoPenalties = settingf("--lambda and --ridge are two ways to give one number (ridge = Nλ): give one")

// precisionNames are the precisions of tiles and factors.
var precisionNames = []string{compute.Double.String(), compute.Single.String()}

// inPrecision returns computing options in a precision that is named.
func inPrecision(o compute.Options, name string) (compute.Options, error) {
	var err error
	if o.Precision, err = compute.ParsePrecision(name); err != nil {
		return o, &learner.SettingError{Err: fmt.Errorf("--precision %w", err)}
	}
	return o, nil
}

// systemSettings say how the weighted systems of a method are solved.
type systemSettings struct{ solver, precision string }

// systemSolvers are the solvers of spaces.
var systemSolvers = words(space.Auto, space.Cholesky, space.Packed, space.CG, space.Features)

// systemWords are the words of these settings.
var systemWords = map[string][]string{"solver": systemSolvers, "precision": precisionNames}

func (s *systemSettings) declare(fs learner.Flags) {
	fs.StringVar(&s.solver, "solver", string(space.Auto), strings.Join(systemSolvers, ", ")+": packed takes half of the memory, cg that of products")
	fs.StringVar(&s.precision, "precision", compute.Double.String(), "double, or single: factors and products in single precision with half the memory, refined to a residual in double precision")
}

// chosen returns the solver, and the computing options in the precision.
func (s *systemSettings) chosen(g *learner.Given) (space.Solver, compute.Options, error) {
	if !slices.Contains(systemSolvers, s.solver) {
		return "", g.Compute, settingf("--solver %q is not known; there are %s", s.solver, strings.Join(systemSolvers, ", "))
	}
	how, err := inPrecision(g.Compute, s.precision)
	return space.Solver(s.solver), how, err
}

// evidenceSettings are those of methods whose kernel the evidence can find.
type evidenceSettings struct {
	optimize bool
	fixed    []string
	restarts int
}

// declare declares them; what says what is found.
func (s *evidenceSettings) declare(fs learner.Flags, what string) {
	fs.BoolVar(&s.optimize, "optimize", false, "find "+what+" by the evidence")
	fs.StringSliceVar(&s.fixed, "fix", nil, "parameters that --optimize leaves as they are, by the names that it reports, such as sigma or scale#2 (repeatable)")
	fs.IntVar(&s.restarts, "restarts", 0, "further searches of --optimize from random starts")
}

// check refuses what goes together with --optimize alone; tuning by folds does without.
func (s *evidenceSettings) check(method string, folds bool) error {
	switch {
	case s.restarts < 0 || s.restarts > 0 && !s.optimize:
		return settingf("--restarts is %d: it is the number of further searches of --optimize", s.restarts)
	case len(s.fixed) > 0 && !s.optimize:
		return settingf("--fix %q: without --optimize all parameters stay as they are", s.fixed)
	case folds && s.optimize:
		return settingf("--optimize finds parameters by the evidence, without folds: mercer fit %s --optimize", method)
	}
	return nil
}

// words returns names as strings, those that a flag takes.
func words[S ~string](names ...S) []string {
	out := make([]string, len(names))
	for i, name := range names {
		out[i] = string(name)
	}
	return out
}
