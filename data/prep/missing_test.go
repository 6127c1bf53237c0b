package prep

import "testing"

func TestMissingNames(t *testing.T) {
	for _, m := range []Missing{Refuse, DropRows, Mean, Indicator, Keep} {
		if got, err := ParseMissing(m.String()); err != nil || got != m {
			t.Errorf("%v is read as %v (%v)", m, got, err)
		}
	}
	if m, err := ParseMissing(""); err != nil || m != Refuse {
		t.Errorf("nothing is read as %v (%v)", m, err)
	}
	_, err := ParseMissing("median")
	wantError(t, err, `"median"`, "refuse, drop, mean, indicator or keep")
	if s := Missing(-1).String(); s != "prep.Missing(-1)" {
		t.Errorf("String = %q", s)
	}
}
