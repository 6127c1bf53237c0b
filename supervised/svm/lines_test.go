package svm_test

import (
	"strings"
	"testing"

	"example.org/mercer/supervised/svm"
)

// Ten problems have a line each, and of more the last line counts the others.
func TestManyProblemsAreCounted(t *testing.T) {
	for problems, more := range map[int]string{1: "", 10: "", 11: "1 more ", 45: "35 more "} {
		r := svm.Report{Problems: make([]svm.BinaryProblem, problems)}
		listed, last := 0, ""
		for _, l := range r.Lines() {
			if last = l.Text; l.Output > 0 {
				listed++
			}
		}
		if listed != min(problems, 10) || more != "" && !strings.HasPrefix(last, more) || more == "" && strings.Contains(last, " more ") {
			t.Errorf("of %d problems %d have lines, and the last is %q", problems, listed, last)
		}
	}
}

// A line says whether the search converged, and what is known with the kernel itself.
func TestTheLineOfAProblem(t *testing.T) {
	for want, p := range map[string]svm.BinaryProblem{
		"gap 0.1, violation 0; 2 support vectors, 1 at the bound":              {Converged: true},
		"gap 0.1, violation 0, NOT CONVERGED; ":                                {},
		"gap 0.1 (with the kernel itself 3, of its coefficients 2), violation": {ModelGap: 3, ExactGap: 2},
		"gap 0.1 (of its coefficients with the kernel itself 2), violation":    {ExactGap: 2},
		"gap 0.1 (polished from 4), violation":                                 {StartGap: 4},
	} {
		p.Gap, p.Support, p.Bounded = 0.1, 2, 1
		r := svm.Report{Problems: []svm.BinaryProblem{p}}
		lines := r.Lines()
		if got := lines[len(lines)-1].Text; !strings.Contains(got, want) {
			t.Errorf("the line is %q, and has no %q", got, want)
		}
	}
}

// TestMargin: a machine of two classes has one margin; several machines, numbers and one class have
// none.
func TestMargin(t *testing.T) {
	two := svm.Report{N: 9, SupportVectors: 4, Decision: &svm.Decision{}, Problems: []svm.BinaryProblem{{Bounded: 3}}}
	if rows, support, bounded, ok := two.Margin(); rows != 9 || support != 4 || bounded != 3 || !ok {
		t.Errorf("two classes: %d rows, %d support vectors, %d at the bound, %v", rows, support, bounded, ok)
	}
	numbers, three := two, two
	numbers.Decision = nil
	three.Problems = make([]svm.BinaryProblem, 3)
	for _, r := range []svm.Report{numbers, three} {
		if _, _, _, ok := r.Margin(); ok {
			t.Errorf("%d problems with decision %v have one margin", len(r.Problems), r.Decision)
		}
	}
}
