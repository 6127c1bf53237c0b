package expr

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
)

// Schema names the coordinates of points. Names[j] is the name of coordinate j, and
// Groups[j] the column of the table that it came from: the coordinates "color=red"
// and "color=blue" both belong to the group "color". Groups may be nil. The zero
// value names nothing: coordinates are then written as numbers, counted from 0.
type Schema struct {
	Names  []string
	Groups []string
}

// Indices returns the coordinates that match the patterns, each once, in the order of
// the patterns and then of the coordinates. A pattern is
//
//   - a name, or the name of a group, which stands for all of its coordinates;
//   - a glob in which * stands for any text, ? for any character and [a-z] for one of
//     a range: hist*;
//   - a whole number: a coordinate counted from 0, unless a name or group is written
//     like that.
//
// It returns an error for a pattern that matches nothing, with near names where there
// are any.
func (s Schema) Indices(patterns []string) ([]int, error) {
	if len(patterns) == 0 {
		return nil, fmt.Errorf("no columns are selected: write at least one name or number")
	}
	var index []int
	for _, pattern := range patterns {
		found, err := s.match(pattern)
		if err != nil {
			return nil, err
		}
		for _, j := range found {
			if !slices.Contains(index, j) {
				index = append(index, j)
			}
		}
	}
	return index, nil
}

// match returns the coordinates that match one pattern.
func (s Schema) match(pattern string) ([]int, error) {
	if found := s.where(func(name string) bool { return name == pattern }); found != nil {
		return found, nil
	}
	if j, err := strconv.Atoi(pattern); err == nil {
		if j < 0 || s.Names != nil && j >= len(s.Names) {
			return nil, fmt.Errorf("there is no column %d: columns are counted from 0%s", j, s.last())
		}
		return []int{j}, nil
	}
	if s.Names == nil {
		return nil, fmt.Errorf("unknown column %q: these points have no column names, only numbers counted from 0", pattern)
	}
	if !strings.ContainsAny(pattern, "*?[") {
		return nil, fmt.Errorf("unknown column %q%s", pattern, s.near(pattern))
	}
	if _, err := path.Match(flat(pattern), ""); err != nil {
		return nil, fmt.Errorf("the pattern %q is malformed: a [ needs its ]", pattern)
	}
	found := s.where(func(name string) bool {
		ok, _ := path.Match(flat(pattern), flat(name))
		return ok
	})
	if found == nil {
		return nil, fmt.Errorf("no column matches the pattern %q; the columns are %s", pattern, shortened(s.columns()))
	}
	return found, nil
}

// flat replaces slashes, which path.Match does not let a * stand for.
func flat(text string) string { return strings.ReplaceAll(text, "/", "\x00") }

// where returns the coordinates whose name or group satisfies ok, or nil.
func (s Schema) where(ok func(name string) bool) []int {
	var found []int
	for j, name := range s.Names {
		if ok(name) || j < len(s.Groups) && ok(s.Groups[j]) {
			found = append(found, j)
		}
	}
	return found
}

func (s Schema) last() string {
	if s.Names == nil {
		return ""
	}
	return fmt.Sprintf(" to %d", len(s.Names)-1)
}

// columns returns the groups, or names where there is no group, each once.
func (s Schema) columns() []string {
	var all []string
	for j, name := range s.Names {
		if j < len(s.Groups) && s.Groups[j] != "" {
			name = s.Groups[j]
		}
		if !slices.Contains(all, name) {
			all = append(all, name)
		}
	}
	return all
}

// near suggests the column whose name resembles a wrong one, or lists some.
func (s Schema) near(wrong string) string {
	if hint := Suggest(wrong, s.columns()); hint != "" {
		return hint
	}
	if len(s.Names) == 0 {
		return "; there are no columns of numbers"
	}
	return "; the columns are " + shortened(s.columns())
}

// shortened joins names, the first twelve of them.
func shortened(names []string) string {
	if len(names) > 12 {
		return strings.Join(names[:12], ", ") + fmt.Sprintf(", … (%d in all)", len(names))
	}
	return strings.Join(names, ", ")
}

// Of returns the names of coordinates, or nil where there are none.
func (s Schema) Of(index []int) []string {
	if s.Names == nil {
		return nil
	}
	names := make([]string, len(index))
	for i, j := range index {
		names[i] = s.Names[j]
	}
	return names
}
