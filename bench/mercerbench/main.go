// Command mercerbench is mercer's side of the benchmarks: a process that does one
// piece of work as often as it is asked to, and times it.
//
// It speaks the protocol of the peers (bench/peers.py), one JSON object a line:
//
//	mercerbench CONTESTANT DIR    load the inputs from DIR, answer {"ready": …}
//	run                           do the work once, answer {"seconds": …}
//	save                          write the result of the last run into DIR for the judge
//	end of input                  leave
//
// Only the work itself is inside of the clock. Before every run the previous result
// is dropped and its memory goes back to the system, as that of large NumPy arrays
// does, so that both sides pay for fresh memory where the work allocates.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"time"

	"gonum.org/v1/gonum/blas/gonum"

	"example.org/mercer/compute"
	"example.org/mercer/linalg/level3"
	"example.org/mercer/model"
	"example.org/mercer/supervised/krr"
)

// work is one contestant with its inputs loaded. run returns the seconds to report
// where they are not those of the whole call, and 0 where they are.
type work interface {
	forget()
	run(ctx context.Context) (seconds float64, err error)
	save(ctx context.Context, dir string) error
}

// params is what a row of the benchmark says of its work; each contestant reads the
// fields that it needs.
type params struct {
	Kernel  string    `json:"kernel"`
	Ridge   float64   `json:"ridge"`
	Ridges  []float64 `json:"ridges"`
	C       float64   `json:"c"`
	Repeats int       `json:"repeats"`

	Components int `json:"components"` // eigenvectors wanted
	K          int `json:"k"`          // clusters
	Iterations int `json:"iterations"`

	Graphs string `json:"graphs"` // kernel between graphs
}

var contestants = map[string]func(dir string, p params) (work, error){
	"mercer":                    newRect,
	"mercer symmetric":          newSymmetric,
	"mercer in place":           newInPlace,
	"mercer f32":                newRectSingle,
	"mercer product":            newProduct(compute.Double),
	"mercer product f32":        newProduct(compute.Single),
	"mercer gemm":               newGemm(level3.Implementation{}),
	"mercer cholesky":           newFit("cholesky", compute.Double),
	"mercer packed":             newFit("packed", compute.Double),
	"mercer single":             newFit("packed", compute.Single),
	"mercer cg":                 newFit("cg", compute.Double),
	"mercer cg single":          newFit("cg", compute.Single),
	"mercer eigh":               newEigen,
	"mercer kpca":               newComponents(compute.Double),
	"mercer kpca f32":           newComponents(compute.Single),
	"mercer loo":                newLOO,
	"mercer one row":            newOneRow,
	"mercer svc":                newSVC,
	"mercer svc predict":        newSVCLabels(compute.Double),
	"mercer svc predict f32":    newSVCLabels(compute.Single),
	"mercer gmm":                newMixture,
	"mercer k-means":            newCentres,
	"mercer kernel k-means":     newKernelClusters(compute.Double),
	"mercer kernel k-means f32": newKernelClusters(compute.Single),
	"mercer nystrom":            newLowRank,
	"mercer falkon":             newFewLandmarks,
	"mercer spectrum":           newSpectrum,
	"mercer gapped words":       newGappedWords,
	"mercer graphs":             newGraphs,
	"mercer end to end":         newTable(krr.Auto, compute.Double),
	"mercer end to end f32":     newTable(krr.Packed, compute.Single),
	"mercer end to end cg":      newTable(krr.CG, compute.Single),

	// A peer that lives in Go.
	"gonum gemm": newGemm(gonum.Implementation{}),
	"gonum eigh": newGonumEigen,
}

func main() {
	if err := serve(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "mercerbench:", err)
		os.Exit(1)
	}
}

func serve(args []string) error {
	if len(args) != 2 {
		return fmt.Errorf("want a contestant and a folder, have %q; see bench/README.md", args)
	}
	name, dir := args[0], args[1]
	start := contestants[name]
	if start == nil {
		return fmt.Errorf("no contestant %q", name)
	}
	var p params
	text, err := os.ReadFile(filepath.Join(dir, "params.json"))
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, &p); err != nil {
		return err
	}
	w, err := start(dir, p)
	if err != nil {
		return err
	}
	answer(map[string]any{"ready": versions()})
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		switch in.Text() {
		case "run":
			seconds, err := timed(w)
			if err != nil {
				return err
			}
			answer(map[string]any{"seconds": seconds})
		case "save":
			if err := w.save(context.Background(), dir); err != nil {
				return err
			}
			answer(map[string]any{"saved": true})
		default:
			return fmt.Errorf("no command %q", in.Text())
		}
	}
	return in.Err()
}

// versions names what this process is made of.
func versions() map[string]string {
	out := map[string]string{"mercer": model.Version, "go": runtime.Version()}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, dep := range info.Deps {
			if dep.Path == "gonum.org/v1/gonum" {
				out["gonum"] = dep.Version
			}
		}
	}
	return out
}

func timed(w work) (float64, error) {
	w.forget()
	debug.FreeOSMemory()
	start := time.Now()
	seconds, err := w.run(context.Background())
	if seconds == 0 {
		seconds = time.Since(start).Seconds()
	}
	return seconds, err
}

func answer(v map[string]any) {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // maps of numbers and strings
	}
	fmt.Println(string(text))
}
