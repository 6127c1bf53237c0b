package pipeline

import (
	"strings"
	"testing"

	"example.org/mercer/compute"
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
		method, computed, other Method
	}{
		{"svc", SVC{}, SVC{Options: svm.Options{Compute: computed}}, SVC{Balanced: true}},
		{"klr", KLR{}, KLR{klr.Options{Compute: computed}}, KLR{klr.Options{NoIntercept: true}}},
		{"gpc", GPC{}, GPC{ClassOptions: gp.ClassOptions{Compute: computed}}, GPC{Optimize: true}},
		{"erm", ERM{Loss: loss.Huber{K: 1}}, ERM{Options: erm.Options{Compute: computed}, Loss: loss.Huber{K: 1}}, ERM{Loss: loss.Huber{K: 2}}},
		{"structured", Structured{}, Structured{Options: structured.Options{Compute: computed}}, Structured{Output: outcome.StructuredOutput{Loss: "hamming"}}},
	} {
		text := describeMethod(c.method)
		if got := describeMethod(c.computed); got != text {
			t.Errorf("%s: %s, and computed otherwise %s", c.name, text, got)
		}
		if got := describeMethod(c.other); got == text {
			t.Errorf("%s: %s also with other options", c.name, text)
		}
		if strings.Contains(text, "0x") {
			t.Errorf("%s: %s contains an address", c.name, text)
		}
	}
}
