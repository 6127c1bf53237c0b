package verb

import "testing"

func TestBrief(t *testing.T) {
	for _, c := range []struct{ in, want, reason string }{
		{"rbf(sigma=2.4976459136707274)", "rbf(sigma=2.4976)", "digits beyond five"},
		{"rbf(sigma=[1.5, 4665.383291278081])[x10]", "rbf(sigma=[1.5, 4665.4])[x10]", "a list, and a name with digits"},
		{"poly(degree=2, offset=0.001)", "poly(degree=2, offset=0.001)", "short numbers stay"},
		{"mahalanobis(of=rbf(sigma=1), scales=[1, -2e-05, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13])", "mahalanobis(of=rbf(sigma=1), scales=[1, -2e-05, 3, 4, … (13)])", "a long list"},
		{"rbf(sigma=1)[a, b, c, d, e, f, g, h, i, j, k, l, m, n]", "rbf(sigma=1)[a, b, c, d, e, f, g, h, i, j, k, l, m, n]", "names stay"},
		{"1.2345678901e-07*linear()", "1.2346e-07*linear()", "an exponent"},
	} {
		if got := Brief(c.in); got != c.want {
			t.Errorf("%s: brief(%q) = %q, want %q", c.reason, c.in, got, c.want)
		}
	}
}

func TestShortListsKeepsDigits(t *testing.T) {
	if got := ShortLists("k(dictionary=[0.25, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 0.0…: no"); got != "k(dictionary=[0.25, 1, 2, 3, …: no" {
		t.Errorf("a list that was cut off is %q", got)
	}
	in := "row 3: words(size=5, dictionary=[0.123456, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]): 0.123456789"
	if got, want := ShortLists(in), "row 3: words(size=5, dictionary=[0.123456, 1, 2, 3, … (13)]): 0.123456789"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
