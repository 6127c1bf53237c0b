// Package command runs the verbs of mercer with the passes over tables made by an engine for
// clusters. It is what the command of such an engine, which is a module of its own, is made of.
package command

import (
	"context"
	"io"

	"example.org/mercer/cmd/mercer/internal/cli"
	"example.org/mercer/cmd/mercer/internal/verb"
)

// Engine makes passes over tables on machines of its own.
type Engine = verb.Engine

// Main runs the command with its arguments on an engine, and returns the exit code. All tables are
// read in passes.
func Main(ctx context.Context, e Engine, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return cli.MainOn(ctx, e, args, stdin, stdout, stderr)
}
