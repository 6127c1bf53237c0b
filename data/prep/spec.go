package prep

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"example.org/mercer/data"
	"example.org/mercer/data/prep/transform"
)

// Spec says what the columns of a table are for. Columns that no field names are
// features. Columns are named as the package comment says.
type Spec struct {
	Targets []string // what to predict; empty: the column that the format marks, if it marks one
	Weights string   // a numeric column of row weights ≥ 0
	ID      string   // a column that names rows; empty: the column that the format marks, if it marks one
	Drop    []string // columns to leave out
	Missing Missing
	// Labels takes every target for a set of labels, also one whose labels are numbers.
	Labels bool
	// Transform names the increasing function that every target of numbers is learned by, see
	// package transform; "" and [transform.None]: none.
	Transform string
	// Form is that of every target: [One], or answers that have parts.
	Form Form
	// Unlabelled keeps rows whose target is missing: their outputs are NaN.
	Unlabelled bool
	// NoTarget says that there is nothing to predict: every other column is a feature.
	NoTarget bool
	// Raw names numeric features that are used as they are, by references or patterns
	// in which * stands for any text: "*" is all of them. Every other one is moved to
	// mean 0 and divided by its standard deviation (divisor n).
	Raw []string
	// AsWritten is asked, with the names of all features and their columns, which of them a kernel
	// compares as the table writes them, and why. Of columns of numbers these become raw, with a
	// note. nil: none.
	AsWritten func(names, columns []string) []AsWritten
	// Cells names columns that kernels compare as they are, such as strings; they are read as
	// text, and are no features.
	Cells []string
	// NoOneHot leaves categorical columns out instead of writing one 0/1 feature for
	// each level.
	NoOneHot bool
	// Ordered are the orders of categorical columns.
	Ordered []Ordering
	// Levels gives every value of a numeric feature a 0/1 feature, too, where there are from three
	// to so many values: a number that stands for a kind, or that matters by steps. 0: none.
	Levels int
	// NoFeatures leaves every column aside that no field names: kernels on row ids need none.
	NoFeatures bool
}

// AsWritten are features that are used as they are, and the reason.
type AsWritten struct {
	Features []int
	Reason   string // as in "tanimoto compares bits"
}

// role is what a column is for.
type role string

const (
	feature role = "feature"
	target  role = "target"
	weights role = "weights"
	id      role = "id"
	cell    role = "cell"    // compared as it is
	dropped role = "dropped" // by the caller
	ignored role = "aside"   // not usable by kernels on vectors
)

// resolve gives every column of the table its role. The error joins everything that
// is wrong with s.
func (s Spec) resolve(t *data.Table) ([]role, error) {
	if len(t.Columns) == 0 {
		return nil, &data.Error{Source: t.Source, Reason: "has no columns"}
	}
	roles := make([]role, len(t.Columns))
	var problems []error
	find := t.Finder()
	assign := func(r role, ref string) {
		at, err := find(ref)
		switch {
		case err != nil:
			problems = append(problems, fmt.Errorf("%s: %w", r, err))
		case roles[at] == r && r != dropped:
			problems = append(problems, cells{of: t, at: at}.failColumn(fmt.Sprintf("is named twice as %s", r), "name it once"))
		case roles[at] != "" && roles[at] != r:
			problems = append(problems, cells{of: t, at: at}.failColumn(fmt.Sprintf("cannot be both %s and %s", roles[at], r), "choose one"))
		default:
			roles[at] = r
		}
	}
	targets, err := s.targets(t)
	problems = append(problems, s.problems(err)...)
	for _, ref := range targets {
		assign(target, ref)
	}
	if s.Weights != "" {
		assign(weights, s.Weights)
	}
	if name := cmp.Or(s.ID, t.ID); name != "" {
		assign(id, name)
	}
	for _, ref := range s.Drop {
		assign(dropped, ref)
	}
	for _, ref := range s.Cells {
		assign(cell, ref)
	}
	if _, err := s.raw(t); err != nil {
		problems = append(problems, err)
	}
	if len(problems) > 0 {
		return nil, errors.Join(problems...)
	}
	for i := range roles {
		if roles[i] == "" {
			roles[i] = s.featureOrNot(t, i)
		}
	}
	return roles, nil
}

// problems returns what is wrong with s in any table, and with its targets.
func (s Spec) problems(ofTargets error) []error {
	var problems []error
	if ofTargets != nil {
		problems = append(problems, ofTargets)
	}
	if _, err := s.Missing.MarshalText(); err != nil {
		problems = append(problems, err)
	}
	if s.Levels < 0 {
		problems = append(problems, fmt.Errorf("prep: %d levels of a numeric column: there are at least 0", s.Levels))
	}
	if s.Form != One && !slices.Contains(Forms, s.Form) {
		problems = append(problems, fmt.Errorf("prep: answers of the form %q are not known; there are %q", s.Form, Forms))
	}
	if s.Transform != "" {
		if err := transform.Known(s.Transform); err != nil {
			problems = append(problems, err)
		}
	}
	return problems
}

// UnnamedText returns the columns of text that s leaves aside: those that a kernel on text can
// have without being told.
func (s Spec) UnnamedText(t *data.Table) ([]string, error) {
	names, _, err := s.text(t)
	return names, err
}

// TextAlone returns the columns of text that s leaves aside where it leaves no feature, so that
// a kernel on vectors has nothing to compare.
func (s Spec) TextAlone(t *data.Table) ([]string, error) {
	names, features, err := s.text(t)
	if features || s.NoFeatures {
		return nil, err
	}
	return names, err
}

// text returns the columns of text that s leaves aside, and whether others are compared.
func (s Spec) text(t *data.Table) (names []string, others bool, err error) {
	roles, err := s.resolve(t)
	for i, r := range roles {
		if r == ignored && t.Columns[i].Kind == data.Text {
			names = append(names, t.Columns[i].Name)
		}
		others = others || r == feature || r == cell
	}
	return names, others, err
}

// raw says which columns are not standardised. A pattern must match a column.
func (s Spec) raw(t *data.Table) ([]bool, error) {
	at, err := t.FindAll(s.Raw)
	if err != nil {
		return nil, fmt.Errorf("prep: raw: %w", err)
	}
	raw := make([]bool, len(t.Columns))
	for _, j := range at {
		raw[j] = true
	}
	return raw, nil
}

// targets returns the references of the target columns.
func (s Spec) targets(t *data.Table) ([]string, error) {
	switch {
	case s.NoTarget && len(s.Targets) > 0:
		return nil, fmt.Errorf("prep: targets %q are given to a method that learns without: leave them out", s.Targets)
	case s.NoTarget || len(s.Targets) > 0:
		return s.Targets, nil
	case t.Target != "":
		return []string{t.Target}, nil
	}
	return nil, &data.Error{Source: t.Source, Reason: "no target column is given", Fix: "name the column to predict, for example last; " + t.Listing()}
}

// featureOrNot decides the role of a column that no field of the Spec names.
func (s Spec) featureOrNot(t *data.Table, i int) role {
	c := &t.Columns[i]
	switch {
	case s.NoTarget && c.Name == t.Target:
		return dropped
	case s.NoFeatures, c.Kind == data.Text, c.Kind == data.Categorical && s.NoOneHot:
		return ignored
	}
	return feature
}
