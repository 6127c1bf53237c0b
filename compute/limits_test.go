package compute

import (
	"errors"
	"strings"
	"testing"
)

func TestCheckMemoryListsWhatFits(t *testing.T) {
	p := Plan{Solver: "cholesky", Memory: 3 << 30, Alternatives: []Plan{
		{Solver: "packed", Hint: "--solver packed", Memory: 2 << 30, Seconds: 90},
		{Solver: "cg", Hint: "--solver cg", Memory: 1 << 20, Seconds: 600},
	}}
	for limit, want := range map[int64]string{
		0:       "",
		3 << 30: "",
		2 << 30: "solver cholesky needs 3.00 GiB, more than the limit of 2.00 GiB; within the limit are:\n  --solver packed  2.00 GiB  1 min 30 s\n  --solver cg      1.00 MiB  10 min 0 s",
		1 << 30: "solver cholesky needs 3.00 GiB, more than the limit of 1.00 GiB; within the limit are:\n  --solver cg  1.00 MiB  10 min 0 s",
		1 << 10: "solver cholesky needs 3.00 GiB, more than the limit of 1.00 KiB, and so does every alternative; raise the limit for one of:\n  --solver packed  2.00 GiB  1 min 30 s\n  --solver cg      1.00 MiB  10 min 0 s",
	} {
		err := CheckMemory(p, limit)
		var tooLarge *TooLarge
		switch {
		case want == "" && err != nil:
			t.Errorf("limit %d: %v", limit, err)
		case want != "" && (!errors.As(err, &tooLarge) || err.Error() != want):
			t.Errorf("limit %d:\n%v\nwant\n%s", limit, err, want)
		}
	}
	if err := CheckMemory(Plan{Solver: "x", Memory: 2}, 1); err == nil || !strings.Contains(err.Error(), "raise the limit or use fewer points") {
		t.Errorf("without alternatives: %v", err)
	}
}

// A plan in time and memory is allowed; what a refusal offers stays within both.
func TestLimits(t *testing.T) {
	fast := Plan{Solver: "primal", Hint: "--landmarks 250", Memory: 1 << 20, Seconds: 1, Error: 0.02}
	p := Plan{Solver: "cholesky", Memory: 3 << 30, Seconds: 600, Alternatives: []Plan{{Solver: "cg", Hint: "--solver cg", Memory: 4 << 30, Seconds: 30}, fast}}
	for _, l := range []Limits{{}, {Memory: 3 << 30}, {Seconds: 600}, {Error: 1e-9}} {
		if !l.Allow(p) || l.Check(p) != nil {
			t.Errorf("%+v does not allow what it equals: %v", l, l.Check(p))
		}
	}
	if (Limits{Error: 0.01}).Allow(fast) || !(Limits{Error: 0.02}).Allow(fast) {
		t.Error("the error is not compared")
	}
	err := Limits{Seconds: 60, Memory: 3 << 30}.Check(p)
	var long *TooLong
	const want = "solver cholesky takes about 10 min 0 s, more than the 1 min 0 s that it may; within the limit are:\n  --landmarks 250  1.00 MiB  1.0 s  error of the kernel about 0.02"
	if !errors.As(err, &long) || err.Error() != want {
		t.Errorf("%v\nwant\n%s", err, want)
	}
}

// TestChoose: the exact plan, then the fastest exact alternative that can be asked for, then the
// approximation with the least error.
func TestChoose(t *testing.T) {
	plan := func(hint string, seconds, off float64, memory int64) Plan {
		return Plan{Hint: hint, Seconds: seconds, Error: off, Memory: memory}
	}
	exact := plan("--solver cholesky", 100, 0, 1000)
	exact.Alternatives = []Plan{plan("a subsample", 1, 0, 10), plan("--solver cg", 50, 0, 100), plan("--solver packed", 30, 0, 500),
		plan("--landmarks 250", 1, 0.1, 50), plan("--landmarks 500", 2, 0.01, 60), plan("fit falkon --landmarks 2000", 1, 1e-4, 20)}
	for want, l := range map[string]Limits{
		"--solver cholesky": {},
		"--solver packed":   {Memory: 999},
		"--solver cg":       {Memory: 100},
		"--landmarks 500":   {Memory: 99},
		"--landmarks 250":   {Seconds: 1},
		"":                  {Memory: 99, Error: 1e-3},
	} {
		if got, ok := l.Choose(exact); got.Hint != want || ok != (want != "") {
			t.Errorf("within %+v: %q, %v; want %q", l, got.Hint, ok, want)
		}
	}
}
