package methods

import (
	"fmt"

	"example.org/mercer/learner"
	"example.org/mercer/model"
)

// Imported is the report of a function that another program found: what is known of its fit.
type Imported struct {
	From   string `json:"from"`   // the program, with its version
	Class  string `json:"class"`  // what it calls the estimator
	Points int    `json:"points"` // that the function stands on
	model.Run
}

// Lines returns the report as people read it.
func (r *Imported) Lines() []model.Line {
	return []model.Line{
		{Name: "imported", Text: fmt.Sprintf("%s of %s", r.Class, r.From)},
		model.CountLine("points", r.Points),
		model.FormLine(),
	}
}

// importedSpec is that of functions that are none of [All]: they are read, and not fitted.
var importedSpec = &learner.Spec{
	Name:       "imported",
	Title:      "a function that another program found",
	ReadReport: learner.PlainReport[Imported],
}

// ImportedName is the method of such a function.
var ImportedName = importedSpec.Name

// ConditionedProcess is the state of an imported process: variances follow from its points and the
// noise of its report, a *[gp.Report]. Its rows do not come or go.
func ConditionedProcess() learner.State { return &processRows{} }

// LatentProcess is that of an imported classification by a process, of a *[gp.ClassReport].
func LatentProcess() learner.State { return &latentRows{} }
