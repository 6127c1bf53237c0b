package main

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime/pprof"
	"strings"
	"time"

	"gonum.org/v1/gonum/mat"

	"mercer/data"
	"mercer/gram"
	"mercer/kernel"
	"mercer/kernel/vec"
	"mercer/krr"
)

func main() {
	n := flag.Int("n", 4000, "")
	d := flag.Int("d", 100, "")
	solver := flag.String("solver", "cg", "")
	single := flag.Bool("single", false, "")
	ridge := flag.Float64("ridge", 0.1, "")
	reps := flag.Int("reps", 3, "")
	maxmem := flag.Int64("max", 0, "")
	flag.Parse()
	rng := rand.New(rand.NewPCG(1, 1))
	xs := data.MakeVectors(*n, *d)
	y := mat.NewDense(*n, 1, nil)
	for i := range *n {
		x := xs.At(i)
		for j := range x {
			x[j] = rng.NormFloat64()
		}
		y.Set(i, 0, x[0]+0.5*x[1%*d]*x[2%*d]+0.1*rng.NormFloat64())
	}
	k, err := vec.Parse(fmt.Sprintf("rbf(gamma=%g)", 1/(2*float64(*d))))
	if err != nil {
		panic(err)
	}
	o := krr.Options{Ridge: *ridge, NoIntercept: true, Solver: krr.Solver(*solver), Compute: gram.Options{MaxMemory: *maxmem}}
	if *single {
		o.Compute.Precision = gram.Single
	}
	if p := os.Getenv("PROF"); p != "" {
		f, _ := os.Create(p)
		pprof.StartCPUProfile(f)
		defer pprof.StopCPUProfile()
	}
	for range *reps {
		s := time.Now()
		sol, r, err := krr.Solve(context.Background(), gram.Of(kernel.Bind(k, data.Set[[]float64](xs), xs), o.Compute), y, o)
		if err != nil {
			panic(err)
		}
		_ = sol
		fmt.Printf("%s %s n=%d: %.3f s residual %.2e its %d single %d cond %.2g warn %v\n", r.Solver, r.Precision, *n, time.Since(s).Seconds(), r.Residual, r.Iterations, r.SingleProducts, r.Condition, r.Warnings)
		for _, st := range r.Stages {
			fmt.Printf("   %s %.3f", st.Name, st.Seconds)
		}
		fmt.Println()
	}
	text, _ := os.ReadFile("/proc/self/status")
	for _, l := range strings.Split(string(text), "\n") {
		if strings.HasPrefix(l, "VmHWM") {
			fmt.Println(l)
		}
	}
}
