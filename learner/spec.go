package learner

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"example.org/mercer/compute"
	"example.org/mercer/space"
	"example.org/mercer/task"
)

// Spec is what is known of a method before there are data: the command and the documents read it.
// One is declared in the file of every method, and [All] lists them.
type Spec struct {
	Name     string   // what the command and the model file call the method
	Title    string   // what it is, in a few words
	Purpose  string   // what it solves, and its source
	Examples []string // what follows "mercer fit NAME", at least two
	Target   Target
	// Kernel is the only one that it works with; "": any.
	Kernel string
	// OwnLandmarks says that the method chooses landmarks itself.
	OwnLandmarks bool
	// Verb is one that the method has beside fit and plan: "embed" or "cluster"; "": none.
	Verb string
	// Losses says that it minimises a sum of losses by Newton's method, of which fit has pictures.
	Losses bool
	// Probabilities and Conformal say what a fit can add from rows left out: probabilities of
	// labels, and conformal scores.
	Probabilities, Conformal bool
	// Path says that a search follows λ along its path: the settings have a method Along, which
	// returns the method as the search takes it. Tuned are the parameters that a search
	// varies unless they are given, by the names of their flags; nil: there is no search.
	Path  bool
	Tuned []string
	// Settings returns the settings of the method, all at their defaults.
	Settings func() Settings
	// ReadReport reads the report in a model file, for a function with so many outputs.
	ReadReport func(text json.RawMessage, outputs int) (Report, error)
	// ReadStates reads what the file has beside the function; nil: nothing.
	ReadStates func(s *Stored) ([]State, error)
	// Words are those that flags take which take words, for completion.
	Words map[string][]string
	// Approximate names flags that mean nothing in an exact fit.
	Approximate []string
	// Exact says of a report which method fits the same exactly, and with which λ, where the fit
	// approximates by itself or has chosen λ; "" and 0: this method with the same settings.
	Exact func(r Report) (method string, lambda float64)
}

// Target says what a method learns to predict.
type Target int

// What methods learn to predict.
const (
	_                Target = iota // numbers, or labels
	NumericTarget                  // numbers; labels are refused
	LabelTarget                    // labels, also where they look like numbers
	StructuredTarget               // sets, rankings, sequences
	NoTarget                       // nothing
	AsideTarget                    // nothing; a target that is named is kept out of the features
)

// Settings are the options of a method as somebody gives them by name: a command with its flags.
type Settings interface {
	// Flags declares them.
	Flags(fs Flags)
	// Learner returns the method with these settings. The task is nil where a search will vary
	// the parameters of the method, on parts of the rows.
	Learner(t *task.Task, g *Given) (Learner, error)
}

// Flags is where settings are declared: the flag set of a command, or of a test.
type Flags interface {
	BoolVar(p *bool, name string, value bool, usage string)
	IntVar(p *int, name string, value int, usage string)
	Float64Var(p *float64, name string, value float64, usage string)
	StringVar(p *string, name string, value string, usage string)
	Float64SliceVar(p *[]float64, name string, value []float64, usage string)
	StringSliceVar(p *[]string, name string, value []string, usage string)
}

// Given is what a method is told beside its own settings.
type Given struct {
	// Flags knows which flags were given.
	Flags interface{ Changed(name string) bool }
	// Note says what was chosen where nothing was given.
	Note    func(format string, args ...any)
	Seed    uint64 // of everything random
	Compute compute.Options
}

// has reports whether a flag was given.
func (g *Given) has(name string) bool { return g.Flags.Changed(name) }

// SettingError is the error of settings that cannot be meant.
type SettingError struct{ Err error }

func (e *SettingError) Error() string { return e.Err.Error() }

// Unwrap returns what is wrong.
func (e *SettingError) Unwrap() error { return e.Err }

// settingf returns the error of settings that cannot be meant.
func settingf(format string, args ...any) error {
	return &SettingError{fmt.Errorf(format, args...)}
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
func (s *penaltySettings) declare(fs Flags, usage string) {
	fs.Float64Var(&s.lambda, "lambda", 0, usage)
	fs.Float64Var(&s.ridge, "ridge", 0, "Nλ instead of --lambda: the 1/C of other programs")
	fs.BoolVar(&s.noIntercept, "no-intercept", false, "no free constant")
}

// halfPenalty is the usage of λ in most methods.
const halfPenalty = "λ in (1/N)Σ w·loss + (λ/2)‖f‖²; default 1e-2"

// defaultPenalty is the λ where none is given; it is said so.
const defaultPenalty = 1e-2

// chosen returns λ, one of the two ways to give it.
func (s *penaltySettings) chosen(g *Given) (lambda float64, err error) {
	lambda, given := s.lambda, g.has("lambda")
	switch ridge := g.has("ridge"); {
	case given && ridge:
		return 0, errTwoPenalties
	case given && !(lambda > 0), ridge && !(s.ridge > 0):
		return 0, settingf("--lambda is %g and --ridge %g: this method needs a penalty above 0", lambda, s.ridge)
	case !given && !ridge:
		lambda = defaultPenalty
		g.noteLambda(lambda)
	}
	return lambda, nil
}

// noteLambda says that λ is the default.
func (g *Given) noteLambda(lambda float64) {
	g.Note("λ = %g (default; give --lambda or --ridge, or let mercer tune choose)", lambda)
}

var errTwoPenalties = settingf("--lambda and --ridge are two ways to give one number (ridge = Nλ): give one")

// precisionNames are the precisions of tiles and factors.
var precisionNames = []string{compute.Double.String(), compute.Single.String()}

// inPrecision returns computing options in a precision that is named.
func inPrecision(o compute.Options, name string) (compute.Options, error) {
	var err error
	if o.Precision, err = compute.ParsePrecision(name); err != nil {
		return o, &SettingError{fmt.Errorf("--precision %w", err)}
	}
	return o, nil
}

// systemSettings say how the weighted systems of a method are solved.
type systemSettings struct{ solver, precision string }

// systemSolvers are the solvers of spaces.
var systemSolvers = words(space.Auto, space.Cholesky, space.Packed, space.CG, space.Features)

// systemWords are the words of these settings.
var systemWords = map[string][]string{"solver": systemSolvers, "precision": precisionNames}

func (s *systemSettings) declare(fs Flags) {
	fs.StringVar(&s.solver, "solver", string(space.Auto), strings.Join(systemSolvers, ", ")+": packed takes half of the memory, cg that of products")
	fs.StringVar(&s.precision, "precision", compute.Double.String(), "double, or single: factors and products in single precision with half the memory, refined to a residual in double precision")
}

// chosen returns the solver, and the computing options in the precision.
func (s *systemSettings) chosen(g *Given) (space.Solver, compute.Options, error) {
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
func (s *evidenceSettings) declare(fs Flags, what string) {
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
