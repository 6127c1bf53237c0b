package learner

import (
	"encoding/json"
	"slices"

	"example.org/mercer/compute"
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
	// Unlabelled says that the method also learns from rows whose target is empty.
	Unlabelled bool
	// Synonyms are other names of the method. One that several methods have is decided by the
	// Target of each and the column to predict.
	Synonyms []string
	// Default is the kind of target for which this is the method where none is named;
	// [AsideTarget] where the verb of the method learns none. 0: for no kind.
	Default Target
	// Kernel is the only one that it works with; "": any.
	Kernel string
	// Start is the kernel where none is named; "": rbf(sigma=median). A search takes ? for the
	// median.
	Start string
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

// Called reports whether a word is the name of the method or a synonym of it.
func (s *Spec) Called(word string) bool {
	return s.Name == word || slices.Contains(s.Synonyms, word)
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

// Has reports whether a flag was given.
func (g *Given) Has(name string) bool { return g.Flags.Changed(name) }

// SettingError is the error of settings that cannot be meant.
type SettingError struct{ Err error }

func (e *SettingError) Error() string { return e.Err.Error() }

// Unwrap returns what is wrong.
func (e *SettingError) Unwrap() error { return e.Err }
