package rfm

import (
	"fmt"
	"slices"
	"strings"

	"example.org/mercer/model"
	"example.org/mercer/supervised/krr"
	"example.org/mercer/supervised/mahalanobis"
)

// Report says how the rounds went.
type Report struct {
	N      int     `json:"n"`
	Lambda float64 `json:"lambda"`
	Ridge  float64 `json:"ridge"` // Nλ
	// Judge says what the scores of the rounds are of: "leave-one-out", "rows left out", or
	// "the rows themselves", where nobody judges.
	Judge   string            `json:"judge"`
	Judges  int               `json:"judges"`
	Power   float64           `json:"power"`
	Centred bool              `json:"centred,omitempty"`
	Shape   mahalanobis.Shape `json:"shape"`
	// Scores are the root mean square errors of the rounds, the first with the coordinates as they
	// are, and Best the round that is kept, counted from 0.
	Scores []float64 `json:"scores"`
	Best   int       `json:"best"`
	// Relevance is the share of every coordinate in the diagonal of M, and Columns are their names,
	// where they have names.
	Relevance []float64 `json:"relevance"`
	Columns   []string  `json:"columns,omitempty"`
	// Solver and Condition are those of the regression that is kept, and Train its errors.
	Solver    krr.Solver  `json:"solver"`
	Condition float64     `json:"condition,omitempty"`
	Train     *krr.Scores `json:"train"`

	// Tree is that of the leaves, of which the rest are means; nil: there is one machine for all.
	Tree *TreeReport `json:"tree,omitempty"`

	model.Run
}

// The judges of the rounds.
const (
	byLeaveOneOut = "leave-one-out"
	byLeftOut     = "rows left out"
	byNobody      = "the rows themselves"
)

// report tells of n rows.
func (r *rounds) report(n int, learned *mahalanobis.Report) *Report {
	out := &Report{N: n, Ridge: r.o.Ridge, Lambda: r.fitted.Lambda, Judge: byLeaveOneOut, Judges: n, Power: r.o.power(), Centred: r.o.Centred, Shape: learned.Shape,
		Best: learned.Best, Relevance: learned.Rounds[learned.Best].Relevance, Solver: r.fitted.Solver, Condition: r.fitted.Condition, Train: r.fitted.Train, Run: learned.Run}
	out.Scores = r.scores
	if r.o.Judges != nil {
		out.Judge, out.Judges = byNobody, 0
	}
	if len(r.o.Judges) > 0 {
		out.Judge, out.Judges = byLeftOut, len(r.o.Judges)
		last := r.fitted.Run
		last.Before(out.Run)
		out.Run = last
	}
	return out
}

// TrainingRows is the number of rows of the fit.
func (r *Report) TrainingRows() int { return r.N }

// shownColumns is how many columns people read of.
const shownColumns = 8

// Lines returns the report as people read it.
func (r *Report) Lines() []model.Line {
	metric := fmt.Sprintf("%s, power %g", r.Shape, r.Power)
	if r.Shape == mahalanobis.Identity {
		metric = "none"
	} else if r.Centred {
		metric += ", centred gradients"
	}
	lines := []model.Line{
		model.PenaltyLine(r.Lambda, r.Ridge, ""),
		model.CountLine("rows", r.N),
		model.FormLine(),
		{Name: "metric", Text: metric},
		r.rounds(),
	}
	if r.Shape != mahalanobis.Identity {
		lines = append(lines, model.Line{Name: "columns", Text: r.columns()})
	}
	if r.Condition > 0 {
		lines = append(lines, model.NumberLine("condition", r.Condition).InDetail())
	}
	if r.Train.Decided != nil {
		return append(lines, model.NumberLine("train accuracy", *r.Train.Decided))
	}
	for j := range r.Train.RMSE {
		if r.Train.Accuracy != nil {
			lines = append(lines, model.Line{Name: "train accuracy", Text: model.FormatNumber(r.Train.Accuracy[j]), Output: j + 1})
			continue
		}
		lines = append(lines, model.Line{Name: "train RMSE", Text: model.FormatNumber(r.Train.RMSE[j]), Output: j + 1})
	}
	return lines
}

// rounds are those of the machine, or of the leaves.
func (r *Report) rounds() model.Line {
	if r.Tree == nil {
		return model.Linef("rounds", "RMSE of %s: %s; round %d is kept", r.judge(), model.FormatNumbers(r.Scores), r.Best)
	}
	text := fmt.Sprintf("%d, of %d to %d rows; temperature %g", len(r.Tree.Leaves), slices.Min(r.Tree.Leaves), slices.Max(r.Tree.Leaves), r.Tree.Temperature)
	if r.Tree.Error > 0 {
		text += fmt.Sprintf(", RMSE of %s %s", r.judge(), model.FormatNumber(r.Tree.Error))
	}
	return model.Line{Name: "leaves", Text: text}
}

// columns lists those with the largest relevance.
func (r *Report) columns() string {
	order := make([]int, len(r.Relevance))
	for j := range order {
		order[j] = j
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case r.Relevance[a] > r.Relevance[b]:
			return -1
		case r.Relevance[a] < r.Relevance[b]:
			return 1
		}
		return 0
	})
	var out []string
	for _, j := range order[:min(shownColumns, len(order))] {
		name := fmt.Sprintf("(%d)", j)
		if j < len(r.Columns) {
			name = r.Columns[j]
		}
		out = append(out, fmt.Sprintf("%s %.3f", name, r.Relevance[j]))
	}
	if rest := len(order) - len(out); rest > 0 {
		out = append(out, fmt.Sprintf("%d more", rest))
	}
	return strings.Join(out, ", ")
}

// judge says whose errors the scores are.
func (r *Report) judge() string {
	if r.Judge == byLeftOut {
		return fmt.Sprintf("%d %s", r.Judges, r.Judge)
	}
	return r.Judge
}
