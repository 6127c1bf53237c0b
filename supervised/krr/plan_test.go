package krr_test

import (
	"errors"
	"math"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/gram"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel"
	"example.org/mercer/supervised/krr"
)

// machine is a made-up one with round numbers.
var machine = compute.Machine{Workers: 2, GemmRate: 1e10, CopyRate: 1e9, Cholesky: compute.Rate{Asymptote: 1e10}, Eigen: compute.Rate{Asymptote: 1e10}, PairRate: 1e8, Memory: 16 << 30}

// California housing: K has 20640² elements of 8 bytes.
func TestPlanRefusesWithAdvice(t *testing.T) {
	p := krr.Plan(krr.Work{Rows: 20640, Columns: 8, Targets: 1}, machine, 2<<30)
	if p.Solver != "cholesky" {
		t.Errorf("solver %s: memory must not change the choice", p.Solver)
	}
	square := int64(8 * 20640 * 20640)
	if p.Memory < square || p.Memory > square+square/50 {
		t.Errorf("peak %s, the matrix alone takes %s", compute.FormatBytes(p.Memory), compute.FormatBytes(square))
	}
	// n³/3 at 1e10 flop/s is 293 s; n²/2 kernel values at 1e8/s are 2 s.
	if p.Seconds < 290 || p.Seconds > 310 {
		t.Errorf("%g s, want about 296", p.Seconds)
	}
	err := compute.CheckMemory(p, 2<<30)
	var refused *compute.TooLarge
	if !errors.As(err, &refused) {
		t.Fatalf("2 GiB are enough? %v", err)
	}
	for _, want := range []string{"--solver packed", "--solver cg", "a subsample of "} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%v\ndoes not offer %q", err, want)
		}
	}
	sub := p.Alternatives[len(p.Alternatives)-1]
	if sub.Memory > 2<<30 || sub.Memory < 3<<29 {
		t.Errorf("the subsample takes %s of 2 GiB", compute.FormatBytes(sub.Memory))
	}
	if p := krr.Plan(krr.Work{Rows: 20640, Columns: 8, Features: 45, Targets: 1}, machine, 2<<30); p.Solver != "primal" || p.Memory > 2<<20 {
		t.Errorf("45 features: %s with %s", p.Solver, compute.FormatBytes(p.Memory))
	}
	for _, a := range krr.Plan(krr.Work{Rows: 1000, Targets: 1, LOO: true}, machine, 0).Alternatives {
		if a.Solver == "cg" {
			t.Error("cg is offered although it has no leave-one-out residuals")
		}
	}
}

// The plan counts buffers that are held together; what is allocated altogether may
// not exceed it by more than garbage of lower order, nor fall far below it.
func TestPlannedMemoryIsWhatIsAllocated(t *testing.T) {
	testkit.SkipUnderRace(t)
	const n = 1200
	xs := data.MakeVectors(n, 2)
	rng := testkit.Rand(t, 61)
	for i := range n {
		xs.At(i)[0], xs.At(i)[1] = rng.NormFloat64(), rng.NormFloat64()
	}
	y := newProblem(t, rng, n, 2, 1, false).y
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // a collection empties the pools
	for _, w := range []krr.Work{
		{Rows: n, Columns: 2, Targets: 1, Solver: krr.Cholesky},
		{Rows: n, Columns: 2, Targets: 1, Solver: krr.Cholesky, LOO: true},
		{Rows: n, Columns: 2, Targets: 1, Solver: krr.Packed},
	} {
		solve := func() {
			op := gram.Of(kernel.Bind(gauss{1}, xs, xs), compute.Options{Workers: 2})
			if _, _, err := solveGram(t.Context(), op, y, krr.Options{Lambda: 1e-3, Solver: w.Solver, LOO: w.LOO, Compute: compute.Options{Workers: 2}}); err != nil {
				t.Fatal(err)
			}
		}
		solve() // fills the pools of packed blocks, which are the process's
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		solve()
		runtime.ReadMemStats(&after)
		used, planned := int64(after.TotalAlloc-before.TotalAlloc), krr.Plan(w, machine, 0).Memory
		t.Logf("%s, LOO %v: planned %s, allocated %s", w.Solver, w.LOO, compute.FormatBytes(planned), compute.FormatBytes(used))
		if used > 2*planned || planned > 2*used {
			t.Errorf("%s, LOO %v: planned %s but allocated %s", w.Solver, w.LOO, compute.FormatBytes(planned), compute.FormatBytes(used))
		}
	}
}

// TestTrialIterations: on a subsample conjugate gradients take about as many iterations
// as on all rows, and a plan uses the number.
func TestTrialIterations(t *testing.T) {
	rng := testkit.Rand(t, 21)
	const n = 2500
	xs, y := data.MakeVectors(n, 2), mat.NewDense(n, 1, nil)
	for i := range n {
		x := xs.At(i)
		x[0], x[1] = rng.Float64(), rng.Float64()
		y.Set(i, 0, math.Sin(6*x[0])*x[1]+0.1*rng.NormFloat64())
	}
	o := krr.Options{Lambda: 1e-6, Solver: krr.CG}
	k := gauss{0.1}
	tried, err := krr.TrialIterations(t.Context(), k, xs, y, o)
	if err != nil {
		t.Fatal(err)
	}
	_, report, err := krr.Fit(t.Context(), k, xs, y, o)
	if err != nil {
		t.Fatal(err)
	}
	if tried < report.Iterations/3 || tried > 3*report.Iterations {
		t.Errorf("%d iterations on a subsample and %d on all rows: more than a factor of 3 apart", tried, report.Iterations)
	}
	w := krr.Work{Rows: n, Columns: 2, Targets: 1, Solver: krr.CG, Iterations: tried}
	longer := w
	longer.Iterations = 10 * tried
	if short, long := krr.Plan(w, machine, 0).Seconds, krr.Plan(longer, machine, 0).Seconds; long < 3*short {
		t.Errorf("ten times the iterations are planned with %v s instead of %v s", long, short)
	}
}
