package learn

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"example.org/mercer/cmd/mercer/internal/figure"
	"example.org/mercer/cmd/mercer/internal/verb"
	"example.org/mercer/compute"
	"example.org/mercer/model"
	"example.org/mercer/outcome"
	"example.org/mercer/search"
	"example.org/mercer/supervised/krr"
	"example.org/mercer/task"
	"example.org/mercer/tune"
)

// tuned is what `mercer tune` prints: what was found, or how well that can be expected to do.
type tuned struct {
	path     bool // λ was followed along its path
	method   string
	found    *search.Tuned
	exact    string // the command that would not approximate
	assessed *search.Assessment
	model    *fit
}

func (t tuned) Text(w io.Writer) {
	if t.assessed != nil {
		t.assessment(w)
		return
	}
	how := fmt.Sprintf("%s, %d trials", t.found.Strategy, len(t.found.Trials))
	if t.found.Families != nil {
		how = fmt.Sprintf("%d families", len(t.found.Families))
	}
	verb.Columns(w, append(t.summary(), []string{"search", how + ", " + compute.FormatSeconds(t.found.Seconds)}))
	if t.model == nil { // which says it, too
		verb.Columns(w, slices.Concat(verb.LandmarkLines(t.found.Approximation, t.exact), verb.FeatureMapLines(t.found.FeatureMap, t.exact)))
	}
	verb.Columns(w, verb.NetworkLines(t.found.Network))
	verb.Columns(w, describeMetric(t.found.Metric))
	if t.found.Families != nil {
		verb.Columns(w, leaderboard(t.found))
		verb.Columns(w, baselines(t.found))
	} else {
		t.best(w)
	}
	if t.model != nil {
		fmt.Fprintln(w)
		t.model.Text(w)
	}
}

// summary are the kernel, the values of the method and their score.
func (t tuned) summary() [][]string {
	f := t.found
	lines := [][]string{{"kernel", verb.Brief(f.Kernel)}}
	if !t.path {
		for i, p := range f.Parameters {
			lines = append(lines, []string{p.Name, verb.Num(f.Best.Values[i])})
		}
		lines = append(lines, []string{f.Score, fmt.Sprintf("%s ± %s over %d splits", verb.Num(f.Best.Score), verb.Num(f.Best.Error), f.Splits)})
		return append(lines, describeTie(f.Tie)...)
	}
	score := verb.Num(f.Best.Score)
	if f.Point != nil {
		score = fmt.Sprintf("%s (leave-one-out RMSE %s)", score, model.FormatNumbers(f.Point.LOO.RMSE))
	}
	lines = append(lines,
		[]string{"λ", fmt.Sprintf("%s (ridge Nλ = %s)", verb.Num(f.Lambda()), verb.Num(f.Ridge))},
		[]string{strings.TrimSpace(string(f.Criterion) + " " + string(scored(f))), score})
	return append(lines, describeTie(f.Tie)...)
}

// describeTie says that what was taken is the simplest of several.
func describeTie(tie *tune.Tie) [][]string {
	switch {
	case tie == nil:
		return nil
	case tie.Margin == 0:
		return [][]string{{"ties", fmt.Sprintf("the simplest of %d that score the same", tie.Among)}}
	}
	return [][]string{{"ties", fmt.Sprintf("the simplest of %d within one standard error, %s, of the best, %s", tie.Among, verb.Num(tie.Margin), verb.Num(tie.Best))}}
}

// scored is the score of a criterion that has one beside its own name.
func scored(f *search.Tuned) tune.Score {
	if f.Criterion == tune.CV {
		return tune.Score(f.Score)
	}
	return ""
}

// leaderboard lists the families that were tried, the best first. Scores on different numbers of
// rows cannot be compared.
func leaderboard(f *search.Tuned) [][]string {
	closed := f.Criterion != tune.CV
	lines := [][]string{{"\nfamily", f.Score, "rows", "time", "kernel"}}
	if closed {
		lines[0][1] = string(f.Criterion)
		lines[0] = slices.Insert(lines[0], 2, "R²")
	}
	for _, e := range f.Families {
		if e.Rows == 0 {
			lines = append(lines, append([]string{e.Family, "failed"}, slices.Repeat([]string{""}, len(lines[0])-2)...))
			continue
		}
		line := []string{e.Family, verb.Num(e.Score), fmt.Sprint(e.Rows), compute.FormatSeconds(e.Seconds), verb.Brief(e.Kernel)}
		if closed {
			line = slices.Insert(line, 2, fmt.Sprintf("%.4f", e.R2))
		}
		lines = append(lines, line)
	}
	return lines
}

// baselines are what the families have to beat.
func baselines(f *search.Tuned) (lines [][]string) {
	for _, b := range f.Baselines {
		line := []string{"\nbaseline", b.Family, verb.Num(b.Score)}
		if lines != nil {
			line[0] = "baseline"
		}
		if f.Criterion != tune.CV {
			line = append(line, fmt.Sprintf("R² %.4f", b.R2))
		}
		lines = append(lines, append(line, fmt.Sprintf("%d rows", b.Rows)))
	}
	return lines
}

// best lists the best trials on all rows; along a path those of few parameters.
func (t tuned) best(w io.Writer) {
	const shown, most = 5, 5
	trials := slices.DeleteFunc(slices.Clone(t.found.Trials), func(x tune.Trial) bool { return x.Failed != "" || x.Share < 1 })
	slices.SortStableFunc(trials, func(a, b tune.Trial) int {
		if t.found.Larger {
			a, b = b, a
		}
		return cmp.Compare(a.Score, b.Score)
	})
	header := []string{"\nbest trials"}
	if !t.path {
		header = append(header, "error")
	} else if len(t.found.Parameters) > most || len(trials) < 2 {
		return
	}
	for _, p := range t.found.Parameters {
		header = append(header, p.Name)
	}
	if t.path {
		header[len(header)-1] = "λ"
	}
	lines := [][]string{header}
	for _, x := range trials[:min(shown, len(trials))] {
		line := []string{verb.Num(x.Score)}
		if !t.path {
			line = append(line, verb.Num(x.Error))
		}
		for _, v := range x.Values {
			line = append(line, verb.Num(v))
		}
		lines = append(lines, line)
	}
	verb.Columns(w, lines)
}

// assessment lists the splits, and their mean.
func (t tuned) assessment(w io.Writer) {
	if t.path {
		t.pathAssessment(w)
		return
	}
	a := t.assessed
	lines := [][]string{{"split", "train", "test", a.Score, "within", "kernel"}}
	for k, s := range a.Splits {
		lines = append(lines, []string{fmt.Sprint(k + 1), fmt.Sprint(s.Train), fmt.Sprint(s.Test), verb.Num(s.Score), verb.Num(s.Best.Score), verb.Brief(s.Kernel)})
	}
	verb.Columns(w, lines)
	fmt.Fprintf(w, "mean %s over %d splits: %s ± %s (standard error; deviation %s)\n", a.Score, len(a.Splits), verb.Num(a.Mean), verb.Num(a.StandardError), verb.Num(a.Deviation))
}

// pathAssessment has the accuracy of labels, or the errors of all targets.
func (t tuned) pathAssessment(w io.Writer) {
	a, what := t.assessed, "test RMSE"
	if a.Accuracy != nil {
		what = "test accuracy"
	}
	lines := [][]string{{"split", "train", "test", what, "λ", "kernel"}}
	for k, s := range a.Splits {
		var scores []float64
		for _, score := range s.Scores {
			if a.Accuracy != nil {
				scores = append(scores, score.Accuracy)
				continue
			}
			scores = append(scores, score.RMSE)
		}
		lines = append(lines, []string{fmt.Sprint(k + 1), fmt.Sprint(s.Train), fmt.Sprint(s.Test), model.FormatNumbers(scores), verb.Num(lastOf(s.Best.Values)), verb.Brief(s.Kernel)})
	}
	verb.Columns(w, lines)
	if a.Accuracy != nil {
		fmt.Fprintf(w, "mean test accuracy over %d splits: %s (standard deviation %s)\n", len(a.Splits), verb.Num(a.Accuracy.Mean), verb.Num(a.Accuracy.Deviation))
		return
	}
	fmt.Fprintf(w, "mean test RMSE over %d splits: %s ± %s\n", len(a.Splits), verb.Num(a.Mean), verb.Num(a.StandardError))
}

func lastOf(xs []float64) float64 { return xs[len(xs)-1] }

// MarshalJSON encodes the result in one of two forms: of a path, where λ has a place of its own, or
// of values of a method.
func (t tuned) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false) // as emit
	var form any = t.ofSplits()
	if t.path {
		form = t.ofPath()
	}
	err := enc.Encode(form)
	return b.Bytes(), err
}

// pathResult is the best of a search along a path.
type pathResult struct {
	Kernel        string                `json:"kernel"`
	Lambda        float64               `json:"lambda"`
	Ridge         float64               `json:"ridge"`
	Criterion     krr.Criterion         `json:"criterion"`
	Strategy      tune.Strategy         `json:"method"`
	Score         float64               `json:"score"`
	Scored        tune.Score            `json:"scored,omitempty"` // what Score is by cross-validation
	Parameters    []tune.Parameter      `json:"parameters"`
	Values        []float64             `json:"values"`
	Point         *krr.Point            `json:"point,omitempty"`
	Trials        []pathTrial           `json:"trials"`
	Resumed       int                   `json:"resumed,omitempty"` // kernels that a journal knew
	Warnings      []string              `json:"warnings,omitempty"`
	Seconds       float64               `json:"seconds"`
	Approximation *task.LandmarkMap     `json:"approximation,omitempty"`
	FeatureMap    *task.FeatureMap      `json:"feature_map,omitempty"`
	Metric        *search.LearnedMetric `json:"metric,omitempty"`
	Families      []search.FamilyScore  `json:"families,omitempty"`
	Baselines     []search.FamilyScore  `json:"baselines,omitempty"`
}

// pathTrial is a trial whose last value is λ.
type pathTrial struct {
	Values []float64 `json:"values"`
	Lambda float64   `json:"lambda"`
	Score  float64   `json:"score"`
	Failed string    `json:"failed,omitempty"`
}

func newPathResult(f *search.Tuned) *pathResult {
	if f == nil {
		return nil
	}
	free := len(f.Parameters) - 1
	r := &pathResult{Kernel: f.Kernel, Lambda: f.Lambda(), Ridge: f.Ridge, Criterion: f.Criterion, Strategy: f.Strategy, Score: f.Best.Score, Scored: scored(f),
		Point: f.Point, Resumed: f.Resumed, Warnings: f.Warnings, Seconds: f.Seconds,
		Approximation: f.Approximation, FeatureMap: f.FeatureMap, Metric: f.Metric, Families: f.Families, Baselines: f.Baselines}
	if free > 0 {
		r.Parameters, r.Values = f.Parameters[:free], f.Best.Values[:free]
	}
	for _, t := range f.Trials {
		r.Trials = append(r.Trials, pathTrial{t.Values[:free:free], t.Values[free], t.Score, t.Failed})
		if free == 0 {
			r.Trials[len(r.Trials)-1].Values = nil
		}
	}
	return r
}

// pathTuned is the form of a path.
type pathTuned struct {
	*pathResult
	Exact      string          `json:"exact,omitempty"`
	Assessment *pathAssessment `json:"assessment,omitempty"`
	Model      *fit            `json:"model,omitempty"`
}

// pathAssessment is how well a search along a path can be expected to do.
type pathAssessment struct {
	Splits        []pathSplit    `json:"splits"`
	Mean          float64        `json:"mean_rmse"`
	StandardError float64        `json:"standard_error"`
	Accuracy      *search.Spread `json:"accuracy,omitempty"`
}

// pathSplit is one of its splits.
type pathSplit struct {
	Train   int              `json:"train"`
	Test    int              `json:"test"`
	Kernel  string           `json:"kernel"`
	Lambda  float64          `json:"lambda"`
	Scores  []outcome.Scores `json:"scores"`
	Resumed int              `json:"resumed,omitempty"`
}

func (t tuned) ofPath() pathTuned {
	var assessed *pathAssessment
	if a := t.assessed; a != nil {
		assessed = &pathAssessment{Mean: a.Mean, StandardError: a.StandardError, Accuracy: a.Accuracy}
		for _, s := range a.Splits {
			assessed.Splits = append(assessed.Splits, pathSplit{s.Train, s.Test, s.Kernel, lastOf(s.Best.Values), s.Scores, s.Resumed})
		}
	}
	return pathTuned{newPathResult(t.found), t.exact, assessed, t.model}
}

// splitsTuned is the form of values of a method.
type splitsTuned struct {
	Method        string                `json:"method"`
	Kernel        string                `json:"kernel"`
	Parameters    []tune.Parameter      `json:"parameters"`
	Best          tune.Trial            `json:"best"`
	Score         string                `json:"score"`
	Larger        bool                  `json:"larger_is_better"`
	Strategy      tune.Strategy         `json:"strategy"`
	Splits        int                   `json:"splits"`
	Trials        []tune.Trial          `json:"trials"`
	Resumed       int                   `json:"resumed,omitempty"`
	Warnings      []string              `json:"warnings,omitempty"`
	Seconds       float64               `json:"seconds"`
	Approximation *task.LandmarkMap     `json:"approximation,omitempty"`
	FeatureMap    *task.FeatureMap      `json:"feature_map,omitempty"`
	Metric        *search.LearnedMetric `json:"metric,omitempty"`
	Families      []search.FamilyScore  `json:"families,omitempty"`
	Baselines     []search.FamilyScore  `json:"baselines,omitempty"`
	Exact         string                `json:"exact,omitempty"`
	Assessment    *splitsAssessment     `json:"assessment,omitempty"`
	Model         *fit                  `json:"model,omitempty"`
}

// splitsAssessment is how well a search by cross-validation can be expected to do.
type splitsAssessment struct {
	Score         string        `json:"score"`
	Splits        []splitsSplit `json:"splits"`
	Mean          float64       `json:"mean"`
	StandardError float64       `json:"standard_error"`
	Deviation     float64       `json:"standard_deviation"`
}

// splitsSplit is one of its splits.
type splitsSplit struct {
	Train   int              `json:"train"`
	Test    int              `json:"test"`
	Kernel  string           `json:"kernel"`
	Values  []float64        `json:"values"` // the best on the training rows
	Inner   float64          `json:"inner"`  // their score by cross-validation there
	Score   float64          `json:"score"`  // on the test rows
	Scores  []outcome.Scores `json:"scores"`
	Resumed int              `json:"resumed,omitempty"`
}

func (t tuned) ofSplits() splitsTuned {
	var assessed *splitsAssessment
	if a := t.assessed; a != nil {
		assessed = &splitsAssessment{Score: a.Score, Mean: a.Mean, StandardError: a.StandardError, Deviation: a.Deviation}
		for _, s := range a.Splits {
			assessed.Splits = append(assessed.Splits, splitsSplit{s.Train, s.Test, s.Kernel, s.Best.Values, s.Best.Score, s.Score, s.Scores, s.Resumed})
		}
	}
	f := t.found
	if f == nil {
		f = &search.Tuned{}
	}
	return splitsTuned{t.method, f.Kernel, f.Parameters, f.Best, f.Score, f.Larger, f.Strategy, f.Splits, f.Trials, f.Resumed, f.Warnings, f.Seconds,
		f.Approximation, f.FeatureMap, f.Metric, f.Families, f.Baselines, t.exact, assessed, t.model}
}

// drawScores draws the scores over the first two parameters that have more than one
// value; of trials that differ in others the best counts.
func drawScores(cmd *cobra.Command, found *search.Tuned, path string) error {
	if found.Families != nil {
		return verb.WritePicture(cmd, path, boardOf(found))
	}
	var axes []int
	for i := range found.Parameters {
		seen := map[float64]bool{}
		for _, t := range found.Trials {
			seen[t.Values[i]] = true
		}
		if len(seen) > 1 && len(axes) < 2 {
			axes = append(axes, i)
		}
	}
	if len(axes) < 2 {
		return verb.Usagef("--plot draws scores over two parameters, and this search moved %d", len(axes))
	}
	pic := figure.Scores{Title: "mean " + found.Score, X: found.Parameters[axes[0]].Name, Y: found.Parameters[axes[1]].Name, LargerIsBetter: found.Larger}
	for _, t := range found.Trials {
		if t.Failed == "" {
			pic.Points = append(pic.Points, figure.Scored{X: t.Values[axes[0]], Y: t.Values[axes[1]], Score: t.Score})
		}
	}
	return verb.WritePicture(cmd, path, pic)
}

// boardOf draws the families, and the baselines as lines.
func boardOf(found *search.Tuned) figure.Board {
	pic := figure.Board{Title: "families of kernels", X: found.Score}
	if found.Criterion != tune.CV {
		if pic.X = string(found.Criterion); found.Criterion == krr.LOO {
			pic.X = "leave-one-out mean squared error"
		}
	}
	most := found.Families[0].Rows
	for _, e := range found.Families {
		if e.Rows == 0 {
			continue
		}
		if name := e.Family; e.Rows == most {
			pic.Names = append(pic.Names, name)
		} else {
			pic.Names = append(pic.Names, fmt.Sprintf("%s (%d rows)", name, e.Rows))
		}
		pic.Values = append(pic.Values, e.Score)
	}
	for _, b := range found.Baselines {
		pic.Lines = append(pic.Lines, figure.BoardLine{Name: b.Family, At: b.Score})
	}
	return pic
}
