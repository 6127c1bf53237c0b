package cli

import (
	"bytes"
	"context"
	"os"
	"os/signal"
	"sync"

	"example.org/mercer/compute"
)

// runAsMercer in the environment makes the test binary behave as the command, and ratesOfTests is
// the folder where it keeps the rates of the machine, so that one process of a hundred measures it.
const runAsMercer, ratesOfTests = "MERCER_TEST_RUN", "MERCER_TEST_RATES"

// mercerMain is the main function of the command, as cmd/mercer has it.
func mercerMain() {
	compute.KeepRates(os.Getenv(ratesOfTests))
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	stdout, keep := recorded(os.Args[1:], os.Stdout)
	code := Main(ctx, os.Args[1:], os.Stdin, stdout, os.Stderr)
	stop()
	keep()
	os.Exit(code)
}

// lockedBuffer collects the output of a process while it runs.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}
