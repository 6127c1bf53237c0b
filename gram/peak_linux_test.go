package gram

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel"
	"example.org/mercer/linalg"
)

// peakVariable asks the test binary to run one job and print its memory, instead of
// the tests: only a process of its own has a peak of its own.
const peakVariable = "MERCER_GRAM_PEAK"

func TestMain(m *testing.M) {
	if job := os.Getenv(peakVariable); job != "" {
		if err := runPeakJob(job); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// peakJobs are computations with their plans.
var peakJobs = map[string]struct {
	n    int
	plan func(n int, m compute.Machine) compute.Plan
	run  func(ctx context.Context, n int) error
}{
	"dense": {2500, func(n int, m compute.Machine) compute.Plan {
		return compute.NewPlan("cholesky", m, compute.BindCost(n, 8, m), DenseGramCost(n, m), compute.FactorCost(n, m), compute.SolveCost(n, 5, m), compute.InverseDiagCost(n, m))
	}, runDense},
	"packed": {3500, func(n int, m compute.Machine) compute.Plan {
		return compute.NewPlan("packed", m, compute.BindCost(n, 8, m), PackedGramCost(n, compute.Double, m), compute.PackedFactorCost(n, compute.Double, m), compute.SolveCost(n, 5, m))
	}, runPacked},
	"single": {5000, func(n int, m compute.Machine) compute.Plan {
		return compute.NewPlan("packed", m, compute.BindCost(n, 8, m), PackedGramCost(n, compute.Single, m), compute.PackedFactorCost(n, compute.Single, m), compute.SolveCost(n, 5, m))
	}, runSingle},
	"eigen": {1200, func(n int, m compute.Machine) compute.Plan {
		return compute.NewPlan("eigen", m, compute.BindCost(n, 8, m), DenseGramCost(n, m), compute.EigenCost(n, m))
	}, runEigen},
	"conjugate gradients": {8000, func(n int, m compute.Machine) compute.Plan {
		return compute.NewPlan("cg", m, compute.BindCost(n, 8, m), ConjugateGradientCost(n, 5, Iteration{Rank: 400, Double: 1}, m))
	}, runConjugateGradients},
}

func peakPairs(n int) *Stream {
	xs := randomPoints(new(testing.T), 80, n, 8)
	return Of(bind(gaussian{}, xs, xs), compute.Options{})
}

func runDense(ctx context.Context, n int) error {
	k, err := Dense(ctx, peakPairs(n).Pairs(), compute.Options{})
	if err != nil {
		return err
	}
	f, err := linalg.Factor(ctx, k, 0.1, linalg.Options{})
	if err != nil {
		return err
	}
	if err := f.Solve(ctx, new(mat.Dense), mat.NewDense(n, 5, nil)); err != nil {
		return err
	}
	return f.InverseDiag(ctx, make([]float64, n))
}

func runPacked(ctx context.Context, n int) error {
	k, err := PackedOf(ctx, peakPairs(n).Pairs(), compute.Options{})
	if err != nil {
		return err
	}
	f, err := linalg.FactorPacked(ctx, k, 0.1, linalg.Options{})
	if err != nil {
		return err
	}
	return f.Solve(ctx, new(mat.Dense), mat.NewDense(n, 5, nil))
}

func runSingle(ctx context.Context, n int) error {
	k, err := PackedSingleOf(ctx, nil, peakPairs(n).Pairs(), compute.Options{})
	if err != nil {
		return err
	}
	shift := make([]float64, n)
	for i := range shift {
		shift[i] = 0.1
	}
	f, err := linalg.FactorPackedSingle(ctx, k, shift, linalg.Options{})
	if err != nil {
		return err
	}
	return f.Solve(ctx, new(mat.Dense), mat.NewDense(n, 5, nil))
}

func runEigen(ctx context.Context, n int) error {
	k, err := Dense(ctx, peakPairs(n).Pairs(), compute.Options{})
	if err != nil {
		return err
	}
	_, err = linalg.EigenSym(ctx, k, linalg.Options{})
	return err
}

// runConjugateGradients makes a preconditioner and does what one iteration does.
func runConjugateGradients(ctx context.Context, n int) error {
	stream, diag := peakPairs(n), make([]float64, n)
	kernel.Diag(stream.Pairs(), diag)
	low, err := linalg.PivotedCholesky(ctx, diag, stream.Rows, linalg.LowRankOptions{Rank: 400, Pivots: linalg.Random})
	if err != nil {
		return err
	}
	for i := range low.Rest {
		low.Rest[i] += 0.1
	}
	inverse, err := linalg.NewWoodbury(ctx, low.LT, low.Rest, linalg.Options{})
	if err != nil {
		return err
	}
	x, r := mat.NewDense(n, 5, nil), mat.NewDense(n, 5, nil)
	if err := inverse.Mul(ctx, x, r); err != nil {
		return err
	}
	return stream.Mul(ctx, r, x)
}

// runPeakJob prints the resident memory before the job and the peak after it.
func runPeakJob(name string) error {
	job := peakJobs[name]
	before := compute.ResidentMemory()
	if err := job.run(context.Background(), job.n); err != nil {
		return err
	}
	fmt.Printf("%d %d\n", before, peakMemory())
	return nil
}

// peakMemory returns the most that this process has held, in bytes; 0 if it is unknown.
func peakMemory() int64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	kilobytes, err := strconv.ParseInt(strings.Fields(rest + " 0")[0], 10, 64)
	if err != nil {
		return 0
	}
	return kilobytes << 10
}

// The predicted peak of memory is the measured one within 25 % and 16 MiB: the latter
// for the code of the runtime, its own data and garbage that was not yet collected.
// A second matrix of the size of the first would be noticed in every job.
func TestPlanPredictsPeakMemory(t *testing.T) {
	testkit.SkipUnderRace(t)
	for name, job := range peakJobs {
		t.Run(name, func(t *testing.T) {
			if testing.Short() && name != "dense" {
				t.Skip("one job will do for a short test")
			}
			command := exec.Command(os.Args[0])
			command.Env = append(os.Environ(), peakVariable+"="+name)
			out, err := command.CombinedOutput()
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			fields := strings.Fields(string(out))
			before, err1 := strconv.ParseInt(fields[0], 10, 64)
			measured, err2 := strconv.ParseInt(fields[1], 10, 64)
			if err1 != nil || err2 != nil {
				t.Fatalf("the job printed %q", out)
			}
			predicted := job.plan(job.n, compute.Machine{Workers: compute.Options{}.WorkerCount(), Resident: before}).Memory
			t.Logf("n = %d: predicted %s, measured %s, of which %s before", job.n, compute.FormatBytes(predicted), compute.FormatBytes(measured), compute.FormatBytes(before))
			const slack = 16 << 20
			if low, high := predicted*3/4-slack, predicted*5/4+slack; measured < low || measured > high {
				t.Errorf("measured %s is not within 25 %% and 16 MiB of the predicted %s", compute.FormatBytes(measured), compute.FormatBytes(predicted))
			}
		})
	}
}
