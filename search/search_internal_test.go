package search

import (
	"strings"
	"testing"

	"example.org/mercer/compute"
	"example.org/mercer/learner"
	"example.org/mercer/learner/methods"
	"example.org/mercer/loss"
	"example.org/mercer/outcome"
	"example.org/mercer/supervised/erm"
	"example.org/mercer/supervised/gp"
	"example.org/mercer/supervised/klr"
	"example.org/mercer/supervised/structured"
	"example.org/mercer/supervised/svm"
)

// A journal belongs to a method with all its options, but not to the way it is computed,
// and its key is the same in the next process.
func TestDescribeMethod(t *testing.T) {
	computed := compute.Options{Workers: 3, Progress: func(string, int64, int64) {}}
	for _, c := range []struct {
		name                    string
		method, computed, other learner.Learner
	}{
		{"svc", methods.SVC{}, methods.SVC{Options: svm.Options{Compute: computed}}, methods.SVC{Balanced: true}},
		{"klr", methods.KLR{}, methods.KLR{Options: klr.Options{Compute: computed}}, methods.KLR{Options: klr.Options{NoIntercept: true}}},
		{"gpc", methods.GPC{}, methods.GPC{ClassOptions: gp.ClassOptions{Compute: computed}}, methods.GPC{Optimize: true}},
		{"erm", methods.ERM{Loss: loss.Huber{K: 1}}, methods.ERM{Options: erm.Options{Compute: computed}, Loss: loss.Huber{K: 1}}, methods.ERM{Loss: loss.Huber{K: 2}}},
		{"structured", methods.Structured{}, methods.Structured{Options: structured.Options{Compute: computed}}, methods.Structured{Output: outcome.StructuredOutput{Loss: "hamming"}}},
	} {
		text := learner.Describe(c.method)
		if got := learner.Describe(c.computed); got != text {
			t.Errorf("%s: %s, and computed otherwise %s", c.name, text, got)
		}
		if got := learner.Describe(c.other); got == text {
			t.Errorf("%s: %s also with other options", c.name, text)
		}
		if strings.Contains(text, "0x") {
			t.Errorf("%s: %s contains an address", c.name, text)
		}
	}
}
