package machine

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"

	"github.com/spf13/cobra"

	"example.org/mercer/cmd/mercer/internal/verb"
	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/gram/roofline"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/supervised/krr"
)

// benched is what `mercer bench` prints.
type benched struct {
	Machine compute.Machine `json:"machine"`
	Columns int             `json:"columns"`
	Kernels []kernelSpeed   `json:"kernels"`
	// Roofline compares with the peak; its kernel is the first of Kernels, of which
	// 2·Columns operations are counted per element.
	Roofline []roofline.Achievement `json:"roofline"`
	Fits     []fitForecast          `json:"fits"`
}

// kernelSpeed is how fast tiles of one kernel are computed.
type kernelSpeed struct {
	Kernel string  `json:"kernel"`
	Pairs  float64 `json:"pairs_per_second"`
}

// fitForecast is what a fit of kernel ridge regression would take.
type fitForecast struct {
	Rows    int     `json:"rows"`
	Solver  string  `json:"solver"`
	Memory  int64   `json:"memory"`
	Seconds float64 `json:"seconds"`
}

func (b benched) Text(w io.Writer) {
	m := b.Machine
	verb.Columns(w, [][]string{
		{"workers", fmt.Sprint(m.Workers)},
		{"matrix products", fmt.Sprintf("%.1f GFLOP/s", m.GemmRate/1e9)},
		{"Cholesky, n = 4000", fmt.Sprintf("%.1f GFLOP/s", m.Cholesky.At(4000)/1e9)},
		{"eigenproblem, n = 1000", fmt.Sprintf("%.1f GFLOP/s", m.Eigen.At(1000)/1e9)},
		{"fresh memory", fmt.Sprintf("%.1f GB/s", m.CopyRate/1e9)},
		{"memory", compute.FormatBytes(m.Memory)},
	})
	fmt.Fprintf(w, "\nkernels on vectors of %d numbers\n", b.Columns)
	var lines [][]string
	for _, k := range b.Kernels {
		lines = append(lines, []string{"  " + k.Kernel, fmt.Sprintf("%.0f million pairs/s", k.Pairs/1e6)})
	}
	verb.Columns(w, lines)
	fmt.Fprintf(w, "\nshare of the peak, %s double and %s single\n", gigaflops(b.Roofline, "double"), gigaflops(b.Roofline, "single"))
	lines = [][]string{{"  work", "precision", "speed", "share"}}
	for _, a := range b.Roofline {
		lines = append(lines, []string{"  " + a.Work, a.Precision, fmt.Sprintf("%.1f GFLOP/s", a.Rate/1e9), fmt.Sprintf("%.0f %%", 100*a.Share)})
	}
	verb.Columns(w, lines)
	fmt.Fprintf(w, "\nforecast of mercer fit krr with %s\n", b.Kernels[0].Kernel)
	lines = [][]string{{"  rows", "solver", "memory", "time"}}
	for _, f := range b.Fits {
		lines = append(lines, []string{fmt.Sprintf("  %d", f.Rows), f.Solver, compute.FormatBytes(f.Memory), compute.FormatSeconds(f.Seconds)})
	}
	verb.Columns(w, lines)
}

// gigaflops returns the peak at a precision.
func gigaflops(roofline []roofline.Achievement, precision string) string {
	for _, a := range roofline {
		if a.Precision == precision {
			return fmt.Sprintf("%.1f GFLOP/s", a.Peak/1e9)
		}
	}
	return "unknown"
}

func NewBench(inv *verb.Invocation) *cobra.Command {
	var columns int
	var expressions []string
	cmd := &cobra.Command{
		Use:   "bench",
		Short: "Measure this machine for a moment: its speed, that of kernels, and what fits would take",
		Long: `bench times small pieces of the real work, as every plan does, and shows the figures that plans are made of:
matrix products, factorisations, kernel values per second, and a forecast of exact fits of several sizes. It also
shows what share of the peak of the processor products, factorisations and the first kernel reach, the peak being
fused multiply-adds on numbers in registers.`,
		Example: `  mercer bench
  mercer bench --columns 100 --kernel 'rbf(sigma=1)' --json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if columns < 1 {
				return verb.Usagef("--columns is %d; give the length of a vector, at least 1", columns)
			}
			how, stop := inv.Compute()
			defer stop()
			result, err := measureMachine(cmd.Context(), columns, expressions, inv.Seed, how)
			if err != nil {
				return verb.Blame(err)
			}
			return inv.Emit(result)
		},
	}
	cmd.Flags().IntVar(&columns, "columns", 10, "length of the vectors")
	cmd.Flags().StringArrayVar(&expressions, "kernel", []string{"rbf(sigma=1)", "linear", "laplace1(sigma=1)", "matern(nu=1.5, sigma=1)", "min"}, "kernel to measure (repeatable)")
	return inv.Prints(cmd, benched{})
}

// benchRows is the number of vectors whose tiles are timed.
const benchRows = 2048

func measureMachine(ctx context.Context, columns int, expressions []string, seed uint64, o compute.Options) (*benched, error) {
	compute.KeepRates("") // a benchmark measures
	m, err := compute.Calibrate(ctx, o)
	if err != nil {
		return nil, err
	}
	b := &benched{Machine: m, Columns: columns}
	xs := data.MakeVectors(benchRows, columns)
	r := rand.New(rand.NewPCG(seed, 1024))
	for i := range xs.Raw() {
		xs.Raw()[i] = r.Float64()
	}
	var first kernel.Pairs
	for _, text := range expressions {
		k, err := vec.Parse(text)
		if err != nil {
			return nil, err
		}
		if err := kernel.Validate(k, xs); err != nil {
			return nil, err
		}
		p := kernel.Bind(k, xs, xs)
		rate, err := compute.PairRate(ctx, p, o)
		if err != nil {
			return nil, err
		}
		if first == nil {
			first = p
		}
		b.Kernels = append(b.Kernels, kernelSpeed{Kernel: k.String(), Pairs: rate})
	}
	if b.Roofline, err = roofline.Measure(ctx, first, 2*float64(columns), o); err != nil {
		return nil, err
	}
	m.PairRate = b.Kernels[0].Pairs
	b.Fits = forecast(m, columns)
	return b, nil
}

// forecast plans fits of several sizes.
func forecast(m compute.Machine, columns int) []fitForecast {
	var fits []fitForecast
	for _, n := range []int{1000, 5000, 20000, 60000} {
		for _, s := range []krr.Solver{krr.Cholesky, krr.Packed} {
			p := krr.Plan(krr.Work{Rows: n, Columns: columns, Targets: 1, Solver: s}, m, 0)
			fits = append(fits, fitForecast{Rows: n, Solver: p.Solver, Memory: p.Memory, Seconds: p.Seconds})
		}
	}
	return fits
}
