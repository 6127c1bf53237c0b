package data

import "testing"

func TestParseKind(t *testing.T) {
	for _, k := range []Kind{Numeric, Categorical, Text} {
		if got, err := ParseKind(k.String()); err != nil || got != k {
			t.Errorf("ParseKind(%q) = %v, %v", k, got, err)
		}
	}
	if _, err := ParseKind("number"); err == nil {
		t.Error("ParseKind accepted \"number\"")
	}
}
