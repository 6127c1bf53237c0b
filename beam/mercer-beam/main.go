// Command mercer-beam is mercer with the passes over tables made by Apache Beam: on the Prism
// runner on this machine, or on a cluster such as one of Apache Flink. It has the verbs and flags of
// mercer, and writes the same model files.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
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
	code := command.Main(ctx, e, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	stop()
	if err := e.Close(); err != nil {
		fmt.Fprintln(os.Stderr, "mercer-beam:", err)
	}
	os.Exit(code)
}
