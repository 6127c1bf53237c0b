package learner

import (
	"encoding/json"
	"fmt"

	"example.org/mercer/data/prep"
	"example.org/mercer/model"
)

// State is what a fit keeps beside its function, such as leave-one-out residuals or the
// covariance of a posterior. What a model can say and do by it are interfaces of their own:
// [Intervals], [averages], [RowNoise], [Removals], [Residuals], [RowUpdater].
type State interface {
	// Store puts it in a model file.
	Store(e *Entries) error
	// Restrict returns what is left of it where the function was put on landmarks or features;
	// nil: nothing. It is an error where the model would not say all that was asked for.
	Restrict() (State, error)
	// Weighted reports whether the weights of the training rows belong to it.
	Weighted() bool
	// Contents names what a model without it lacks.
	Contents() []string
}

// RowHolder is a state that holds something of single training rows, such as their targets.
type RowHolder interface {
	State
	// RowValues names it; nil: there is nothing.
	RowValues() []string
}

// CountRows names values of so many rows; nil: of none.
func CountRows(what string, rows int) []string {
	if rows == 0 {
		return nil
	}
	return []string{fmt.Sprintf("%s of %d rows", what, rows)}
}

// Entries are what a model file has beside the function.
type Entries struct {
	JSON    map[string]any // of the text part, by their names
	Tensors map[string]model.Tensor
}

// Floats puts numbers among the tensors.
func (e *Entries) Floats(name string, x []float64) (err error) {
	e.Tensors[name], err = model.Float64s(x, len(x))
	return err
}

// Stored is a model file of which function, decision, report and weights are read, and States
// are not yet.
type Stored struct {
	*Fitted
	File *model.File
	JSON map[string]json.RawMessage // the text part
	// TrainingRows is how many the report speaks of; −1: of none.
	TrainingRows int
	Steps        *prep.Pipeline // of preparation
	Compressed   bool           // the function was put on some of its rows, and lost its states
}

// Text reads an entry of the text part, if there is one.
func (s *Stored) Text(name string, to any) error {
	raw, ok := s.JSON[name]
	if !ok {
		return nil
	}
	return json.Unmarshal(raw, to)
}

// StateOf returns the first state of a type, or with an ability; ok is false where there is none.
func StateOf[S any](f *Fitted) (state S, ok bool) {
	for _, s := range f.States {
		if state, ok = s.(S); ok {
			return state, true
		}
	}
	return state, false
}

// restrict leaves of the states what does not need all rows.
func (f *Fitted) restrict() error {
	var left []State
	for _, s := range f.States {
		r, err := s.Restrict()
		if err != nil {
			return err
		}
		if r != nil {
			left = append(left, r)
		}
	}
	f.States = left
	return nil
}

// KeepWeights keeps the weights of the training rows where a state needs them.
func (f *Fitted) KeepWeights(weights []float64) {
	for _, s := range f.States {
		if s.Weighted() {
			f.Weights = weights
		}
	}
}
