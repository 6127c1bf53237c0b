// Command mercer learns with kernels: it plans, tunes, fits, checks, explains and
// applies kernel models on tables. Run "mercer demo" for a tour.
package main

import (
	"context"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"example.org/mercer/cmd/mercer/internal/cli"
	"example.org/mercer/compute"
)

func main() {
	if folder, err := os.UserCacheDir(); err == nil {
		compute.KeepRates(filepath.Join(folder, "mercer"))
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := cli.Main(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}
