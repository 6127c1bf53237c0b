package mercer_test

import (
	"errors"
	"strings"
	"testing"

	"example.org/mercer"
	"example.org/mercer/data/prep"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/learner/methods"
	"example.org/mercer/supervised/krr"
)

// The shares of all columns and pairs add up to 1, also after the file; other kernels and outputs
// are refused. What the numbers are is tested in rkhs/sobol.
func TestSobol(t *testing.T) {
	t.Parallel()
	table, spec := flats(40), prep.Spec{Targets: []string{"price"}, Drop: []string{"kind"}}
	ridge := methods.KRR{Options: krr.Options{Lambda: 1e-3}}
	m := reload(t, fitted(t, table, spec, "1 + anova(of=centred(of=rbf(sigma=1)))", ridge))
	got, err := m.Sobol(background, mercer.ExplainOptions{})
	if err != nil {
		t.Fatal(err)
	}
	sum := 0.0
	for _, f := range got[0].Features {
		sum += f.First
		if f.Total < f.First-1e-12 {
			t.Errorf("%+v has a total below its own share", f)
		}
	}
	for _, p := range got[0].Pairs {
		sum += p.Share
	}
	testkit.Close(t, "all shares", sum, 1, 1e-9)
	short, err := m.Sobol(background, mercer.ExplainOptions{Top: 1, Output: "price"})
	if err != nil || len(short[0].Features) != 1 || short[0].Others != len(got[0].Features)-1 || short[0].Features[0] != got[0].Features[0] {
		t.Errorf("the first of them: %+v, %v", short, err)
	}
	if _, err := m.Sobol(background, mercer.ExplainOptions{Output: "rent"}); err == nil || !strings.Contains(err.Error(), "rent") {
		t.Errorf("an output that is not there: %v", err)
	}
	other := fitted(t, table, spec, "rbf(sigma=1)", ridge)
	if _, err := other.Sobol(background, mercer.ExplainOptions{}); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("another kernel: %v", err)
	}
}
