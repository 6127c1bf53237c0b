package learner_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"example.org/mercer/compute"
	"example.org/mercer/learner"
	"example.org/mercer/learner/methods"
)

// declared collects flags, and sets some of them.
type declared struct {
	names []string
	set   map[string]any
	usage map[string]string
}

func declare[T any](d *declared, p *T, name string, value T, usage string) {
	d.names = append(d.names, name)
	d.usage[name] = usage
	if *p = value; d.Changed(name) {
		*p = d.set[name].(T)
	}
}

func (d *declared) Changed(name string) bool { return d.set[name] != nil }

func (d *declared) BoolVar(p *bool, name string, value bool, usage string) {
	declare(d, p, name, value, usage)
}
func (d *declared) IntVar(p *int, name string, value int, usage string) {
	declare(d, p, name, value, usage)
}
func (d *declared) Float64Var(p *float64, name string, value float64, usage string) {
	declare(d, p, name, value, usage)
}
func (d *declared) StringVar(p *string, name string, value string, usage string) {
	declare(d, p, name, value, usage)
}
func (d *declared) Float64SliceVar(p *[]float64, name string, value []float64, usage string) {
	declare(d, p, name, value, usage)
}
func (d *declared) StringSliceVar(p *[]string, name string, value []string, usage string) {
	declare(d, p, name, value, usage)
}

// settingsOf returns the settings of a method with some flags, and what was declared.
func settingsOf(of *learner.Spec, set map[string]any) (learner.Settings, *declared) {
	d := &declared{set: set, usage: map[string]string{}}
	s := of.Settings()
	s.Flags(d)
	return s, d
}

// given is what a command would say beside the flags; notes are collected.
func given(d *declared, notes *[]string) *learner.Given {
	return &learner.Given{Flags: d, Seed: 7, Note: func(format string, args ...any) { *notes = append(*notes, fmt.Sprintf(format, args...)) }}
}

// What a Spec says of flags is true of its settings, and all that the help needs is there.
func TestSpecsAreWhole(t *testing.T) {
	seen := map[string]bool{}
	for _, of := range methods.All {
		_, d := settingsOf(of, nil)
		if seen[of.Name] || methods.Named(of.Name) != of {
			t.Errorf("there are two methods %s, or it is not found", of.Name)
		}
		seen[of.Name] = true
		for _, other := range of.Synonyms {
			for _, m := range methods.All {
				if m.Name == other || m != of && m.Called(other) && m.Target == of.Target {
					t.Errorf("%s cannot be called %s: nothing tells it from %s", of.Name, other, m.Name)
				}
			}
		}
		if of.Title == "" || of.Purpose == "" || len(of.Examples) < 2 || of.ReadReport == nil {
			t.Errorf("%s has no title, purpose, two examples or reader of its report", of.Name)
		}
		for name, words := range of.Words {
			if !slices.Contains(d.names, name) || len(words) < 2 {
				t.Errorf("%s has words of --%s: %q, and it takes %q", of.Name, name, words, d.names)
			}
		}
		for _, name := range slices.Concat(of.Tuned, of.Approximate) {
			if !slices.Contains(d.names, name) {
				t.Errorf("%s speaks of --%s, and takes %q", of.Name, name, d.names)
			}
		}
		sorted := slices.Sorted(slices.Values(d.names))
		if len(slices.Compact(sorted)) != len(d.names) {
			t.Errorf("%s declares a flag twice: %q", of.Name, d.names)
		}
		for name, usage := range d.usage {
			if usage == "" {
				t.Errorf("%s says nothing of --%s", of.Name, name)
			}
		}
		if along, ok := of.Settings().(interface {
			Along(noIntercept bool, o compute.Options) learner.Learner
		}); ok != of.Path {
			t.Errorf("%s has a path: %v, and settings for it: %T", of.Name, of.Path, along)
		}
	}
	if methods.Named("no such method") != nil {
		t.Error("a method is found that does not exist")
	}
}

// Two settings of the same options are apart: one does not change the other.
func TestSettingsAreApart(t *testing.T) {
	a, _ := settingsOf(methods.Named("klr"), map[string]any{"lambda": 0.5})
	b, d := settingsOf(methods.Named("klr"), nil)
	if a == b {
		t.Fatal("one value serves two commands")
	}
	var notes []string
	m, err := b.Learner(nil, given(d, &notes))
	if err != nil {
		t.Fatal(err)
	}
	if got := m.(methods.KLR).Lambda; got != 1e-2 || len(notes) != 1 || !strings.Contains(notes[0], "default") {
		t.Errorf("λ is %g, and %q was noted", got, notes)
	}
}

// Settings that cannot be meant are errors of their own kind, which a command answers as misuse.
func TestSettingsThatCannotBeMeant(t *testing.T) {
	for name, set := range map[string]map[string]any{
		"klr":       {"lambda": 1e-3, "ridge": 2.0},
		"svc":       {"C": "1", "nu": 0.5},
		"svr":       {"nu": 2.0},
		"one-class": {"nu": -0.5},
		"erm":       {"loss": "no such loss"},
		"falkon":    {"loss": "softmax", "one-vs-rest": true},
		"gp":        {"variance-cache": 0.5},
		"gpc":       {"scale": -1.0},
		"kfda":      {"directions": -1},
		"rfm":       {"rounds": 0},
	} {
		s, d := settingsOf(methods.Named(name), set)
		var wrong *learner.SettingError
		if _, err := s.Learner(nil, given(d, new([]string))); !errors.As(err, &wrong) || wrong.Unwrap() == nil {
			t.Errorf("%s with %v: %v is no SettingError", name, set, err)
		}
	}
}
