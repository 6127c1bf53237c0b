// Command mercer-beam is mercer with the passes over tables made by Apache Beam: on the Prism
// runner on this machine, or on a cluster such as one of Apache Flink. It has the verbs and
// flags of mercer, and writes the same model files.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"example.org/mercer/beam/engine"
	"example.org/mercer/cmd/mercer/command"
)

func main() {
	engine.Worker(os.Args[1:])
	if err := flag.CommandLine.Parse(nil); err != nil { // the flags of Beam are set by the engine
		fmt.Fprintln(os.Stderr, "mercer-beam:", err)
		os.Exit(2)
	}
	beam.Init()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	e := new(engine.Engine)
	code := run(ctx, e)
	stop()
	if err := e.Close(); err != nil {
		fmt.Fprintln(os.Stderr, "mercer-beam:", err)
	}
	os.Exit(code)
}

// run fetches tables from object stores, and runs the command line.
func run(ctx context.Context, e *engine.Engine) int {
	folder, err := os.UserCacheDir()
	if err != nil {
		folder = os.TempDir()
	}
	args, err := e.Local(ctx, os.Args[1:], filepath.Join(folder, "mercer", "objects"), func(format string, a ...any) { fmt.Fprintf(os.Stderr, "mercer-beam: "+format+"\n", a...) })
	if err != nil {
		fmt.Fprintln(os.Stderr, "mercer-beam:", err)
		return 1
	}
	return command.Main(ctx, e, args, os.Stdin, os.Stdout, os.Stderr)
}
