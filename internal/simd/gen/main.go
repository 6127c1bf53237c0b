// Command gen writes the assembly of internal/simd: a file of loops and one of their Go
// declarations for each concept.
//
//	go run . [-dir ..] [-only gemm]
//
// It is a module of its own so that its tools are no dependency of mercer.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	. "github.com/mmcloughlin/avo/build"
)

// files are what is written to name_amd64.s and name_amd64_gen.go.
var files = []struct {
	name  string
	write func()
}{
	{"bytes", bytesInner},
	{"distance", distances},
	{"arithmetic", arithmetic},
	{"counts", counts},
	{"decay", decays},
	{"exp", exponential},
	{"expdistance", expDistances},
	{"gaussian", gaussians},
	{"gemm", products},
	{"log", logarithms},
	{"mixed", mixed},
	{"narrow", narrowing},
	{"nearest", nearests},
	{"peak", peak},
	{"pair", pairs},
	{"rows", rows},
	{"sincos", waves},
	{"solve", substitutions},
	{"sparse", sparse},
	{"sqrt", squareRoots},
	{"tanh", hyperbolicTangents},
	{"transpose", transpositions},
}

func main() {
	dir := flag.String("dir", "..", "directory of the package")
	only := flag.String("only", "", "name of the one file to write")
	flag.Parse()
	for _, f := range files {
		switch *only {
		case f.name:
			generate(*dir, f.name, f.write)
		case "":
			again(*dir, f.name)
		}
	}
}

// again runs this program for one file: avo has room for one in a process.
func again(dir, name string) {
	c := exec.Command(os.Args[0], "-dir", dir, "-only", name)
	c.Stdout, c.Stderr = os.Stdout, os.Stderr
	if err := c.Run(); err != nil {
		fmt.Fprintf(os.Stderr, "gen: %s: %v\n", name, err)
		os.Exit(1)
	}
}

// generate writes one file and ends the process.
func generate(dir, name string, write func()) {
	flag.Set("out", filepath.Join(dir, name+"_amd64.s"))
	flag.Set("stubs", filepath.Join(dir, name+"_amd64_gen.go"))
	flag.Set("pkg", "simd")
	os.Args = os.Args[:1] // the first line of a file shows the command: the same wherever it is written
	ConstraintExpr("amd64,!purego,!noasm")
	write()
	Generate()
}
