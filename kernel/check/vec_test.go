package check_test

import (
	"testing"

	"example.org/mercer/kernel"
	"example.org/mercer/kernel/check"
	"example.org/mercer/kernel/vec"
)

// TestVectorKernels runs the kernels of package vec and their algebra through the
// check: what is derived to be positive definite must never be falsified.
func TestVectorKernels(t *testing.T) {
	seeds, budget := uint64(8), 40_000
	if testing.Short() {
		seeds, budget = 1, 20_000
	}
	for _, c := range []struct {
		kernel, domain string
		dim            int
		want           check.Verdict
	}{
		// The quiz.
		{"geometric", "(-1,1)", 1, check.NoCounterexample},
		{"exp2sum", "reals", 1, check.NoCounterexample},
		{"exp2prod", "reals", 1, check.NoCounterexample},
		{"exp2prod", "naturals", 1, check.NoCounterexample},
		{"rbf(sigma=1)", "reals", 1, check.NoCounterexample},
		{"cosdiff", "reals", 1, check.NoCounterexample},
		{"min", "positive", 1, check.NoCounterexample},
		{"minmax", "positive", 1, check.NoCounterexample},
		{"gcd", "naturals", 1, check.NoCounterexample},
		{"gcdlcm", "naturals", 1, check.NoCounterexample},
		{"geometric_min", "unit", 1, check.NoCounterexample},
		{"tanh(scale=1, offset=0)", "reals", 1, check.NotAKernel},
		{"tanh(scale=1, offset=-1)", "reals", 2, check.NotAKernel},
		{`formula("log(1+x*y)")`, "positive", 1, check.NotAKernel},
		// Vectors.
		{"linear", "reals", 3, check.NoCounterexample},
		{"poly(degree=5, offset=1)", "reals", 2, check.NoCounterexample},
		{"rbf(sigma=1e6)", "reals", 2, check.NoCounterexample},
		{"laplace(sigma=1)", "reals", 2, check.NoCounterexample},
		{"laplace1(sigma=1)", "reals", 2, check.NoCounterexample},
		{"matern(nu=2.5, sigma=1)", "reals", 2, check.NoCounterexample},
		{"rq(sigma=1, alpha=0.5)", "reals", 2, check.NoCounterexample},
		{"cosine", "(0,inf)", 3, check.NoCounterexample},
		{"periodic(sigma=1, period=2)", "reals", 1, check.NoCounterexample},
		{"min", "positive", 3, check.NoCounterexample},
		{"minmax", "positive", 3, check.NoCounterexample},
		// The algebra.
		{"0.5*rbf(sigma=1) + poly(degree=2, offset=1)", "reals", 2, check.NoCounterexample},
		{"rbf(sigma=1)*linear + 3", "reals", 1, check.NoCounterexample},
		{"normalize(of=poly(degree=3, offset=1))^2", "reals", 2, check.NoCounterexample},
		{"linear + tanh(scale=1, offset=-5)", "reals", 1, check.NotAKernel},
	} {
		t.Run(c.kernel+" on "+c.domain, func(t *testing.T) {
			t.Parallel()
			k, err := vec.Parse(c.kernel)
			if err != nil {
				t.Fatal(err)
			}
			d, err := check.ParseDomain(c.domain)
			if err != nil {
				t.Fatal(err)
			}
			for seed := range seeds {
				r, err := check.Run(t.Context(), k, check.Options{Domain: d, Dim: c.dim, Seed: seed, Budget: budget})
				if err != nil {
					t.Fatal(err)
				}
				if r.Verdict != c.want || r.Contradiction {
					t.Fatalf("seed %d: want %s\n%s", seed, c.want, r)
				}
				if c.want == check.NotAKernel && r.Derivation.Verdict == kernel.Definite {
					t.Fatalf("derivation of a false kernel:\n%s", r)
				}
			}
		})
	}
}
