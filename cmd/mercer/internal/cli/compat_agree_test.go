package cli

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"
)

// agree compares an answer with the one that was kept: nothing (it was not kept), an object in
// JSON, of which some parts were kept, or a table. Numbers may differ by the tolerance, beside
// the largest number of their column or list; text may not.
func agree(got, want string, tolerance float64) error {
	switch {
	case want == "":
		return nil
	case strings.HasPrefix(want, "{"):
		var g, w any
		if err := json.Unmarshal([]byte(want), &w); err != nil {
			return err
		}
		if err := json.Unmarshal([]byte(got), &g); err != nil {
			return err
		}
		return agreeJSON("", g, w, 0, tolerance)
	}
	return agreeTable(got, want, tolerance)
}

// agreeTable compares two tables in CSV with the same columns and rows.
func agreeTable(got, want string, tolerance float64) error {
	g, err := csv.NewReader(strings.NewReader(got)).ReadAll()
	if err != nil {
		return err
	}
	w, err := csv.NewReader(strings.NewReader(want)).ReadAll()
	if err != nil {
		return err
	}
	if len(g) != len(w) || strings.Join(g[0], ",") != strings.Join(w[0], ",") {
		return fmt.Errorf("%d rows of %q; there were %d of %q", len(g)-1, g[0], len(w)-1, w[0])
	}
	for j, name := range w[0] {
		scale := 0.0
		for _, row := range w[1:] {
			if v, err := strconv.ParseFloat(row[j], 64); err == nil {
				scale = max(scale, math.Abs(v))
			}
		}
		for i := range w[1:] {
			if err := agreeCell(g[i+1][j], w[i+1][j], scale*tolerance); err != nil {
				return fmt.Errorf("row %d, column %s: %w", i+1, name, err)
			}
		}
	}
	return nil
}

// agreeCell compares texts, which may be numbers.
func agreeCell(got, want string, most float64) error {
	if got == want {
		return nil
	}
	g, err1 := strconv.ParseFloat(got, 64)
	w, err2 := strconv.ParseFloat(want, 64)
	if err1 != nil || err2 != nil {
		return fmt.Errorf("%q, was %q", got, want)
	}
	return agreeNumber(g, w, most)
}

// agreeNumber compares numbers.
func agreeNumber(got, want, most float64) error {
	if d := math.Abs(got - want); !(d <= most) {
		return fmt.Errorf("%v, was %v: they differ by %.2g, allowed is %.2g", got, want, d, most)
	}
	return nil
}

// agreeJSON compares what was kept of an answer in JSON: parts that were not kept are free.
// Scale is the largest number of the list that a number stands in.
func agreeJSON(at string, got, want any, scale, tolerance float64) (err error) {
	switch w := want.(type) {
	case map[string]any:
		g, ok := got.(map[string]any)
		for key, part := range w {
			if _, has := g[key]; !ok || !has {
				return fmt.Errorf("%s: no %q", at, key)
			}
			if err := agreeJSON(at+"."+key, g[key], part, 0, tolerance); err != nil {
				return err
			}
		}
	case []any:
		g, ok := got.([]any)
		if !ok || len(g) != len(w) {
			return fmt.Errorf("%s: %v, was %v", at, got, want)
		}
		for _, part := range w {
			if v, ok := part.(float64); ok {
				scale = max(scale, math.Abs(v))
			}
		}
		for i, part := range w {
			place := fmt.Sprintf("%s[%d]", at, i)
			if err := agreeJSON(place, g[i], part, scale, tolerance); err != nil {
				return err
			}
		}
	case float64:
		g, ok := got.(float64)
		if !ok {
			return fmt.Errorf("%s: %v, was %v", at, got, want)
		}
		if err = agreeNumber(g, w, tolerance*max(scale, math.Abs(w))); err != nil {
			return fmt.Errorf("%s: %w", at, err)
		}
	default:
		if got != want {
			return fmt.Errorf("%s: %v, was %v", at, got, want)
		}
	}
	return nil
}

// TestAgree: the comparison finds what differs.
func TestAgree(t *testing.T) {
	for _, c := range []struct {
		got, want string
		tolerance float64
		agree     bool
	}{
		{"row,y\n1,2\n", "row,y\n1,2\n", 0, true},
		{"row,y\n1,2.0000001\n", "row,y\n1,2\n", 0, false},
		{"row,y\n1,1e-9\n2,1\n", "row,y\n1,2e-9\n2,1\n", 1e-8, true},
		{"row,y\n1,1e-9\n2,1\n", "row,y\n1,2e-9\n2,1\n", 1e-10, false},
		{"row,y\n1,a\n", "row,y\n1,b\n", 1, false},
		{"row,z\n1,2\n", "row,y\n1,2\n", 1, false},
		{"row,y\n1,2\n", "row,y\n1,2\n2,3\n", 1, false},
		{"row,y\n1,NaN\n", "row,y\n1,2\n", 1, false},
		{`{"a":[1,2],"more":1}`, `{"a":[1,2]}`, 0, true},
		{`{"a":[1,2,3]}`, `{"a":[1,2]}`, 0, false},
		{`{"b":1}`, `{"a":null}`, 0, false},
		{`{"a":{"b":1.1}}`, `{"a":{"b":1}}`, 0.01, false},
		{`{"a":["x"]}`, `{"a":["y"]}`, 1, false},
	} {
		if err := agree(c.got, c.want, c.tolerance); (err == nil) != c.agree {
			t.Errorf("%q and %q to %g: %v", c.got, c.want, c.tolerance, err)
		}
	}
}
