package loss_test

import (
	"strings"
	"testing"

	"example.org/mercer/loss"
)

func TestParseReadsWhatStringWrites(t *testing.T) {
	for _, l := range []loss.Loss{loss.Squared{}, loss.Absolute{}, loss.Huber{K: 1.345}, loss.Huber{K: 2, Scale: 0.25}, loss.Tukey{C: 4.685, Scale: 3},
		loss.Quantile{Tau: 0.9}, loss.Insensitive{Epsilon: 0.1}, loss.Logistic{}, loss.Hinge{}, loss.SquaredHinge{}} {
		got, err := loss.Parse(l.String())
		if err != nil || got != l {
			t.Errorf("%s is read as %v, %v", l, got, err)
		}
	}
	if got, err := loss.Parse(" huber ( scale = 2 ) "); err != nil || got != (loss.Huber{K: 1.345, Scale: 2}) {
		t.Errorf("with blanks: %v, %v", got, err)
	}
	if n := loss.Names(); len(n) != 9 || !strings.HasPrefix(n[4], "quantile(tau=?)") {
		t.Errorf("names %q", n)
	}
}

func TestParseRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"":                            "is not known; one of squared, absolute",
		"hubert":                      `"hubert" is not known`,
		"huber(k=2":                   "closing parenthesis",
		"huber(2)":                    `"2" is not name=number`,
		"huber(c=2)":                  `no parameter "c"; it is huber(k=1.345, scale=0)`,
		"huber(k=x)":                  `k = "x" is not a finite number`,
		"huber(k=inf)":                "not a finite number",
		"huber(k=1, k=2)":             "k is given twice",
		"quantile":                    "quantile needs tau",
		"quantile(tau=0.5, tau2=0.1)": "no parameter",
	} {
		if _, err := loss.Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}
