package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"example.org/mercer/cmd/mercer/internal/verb"
)

// What Ctrl-C leaves is said once, whatever number of workers stopped.
func TestInterrupted(t *testing.T) {
	stopped := fmt.Errorf("linalg: %w", context.Canceled)
	for want, err := range map[string]error{
		"mercer: interrupted: nothing was written (context canceled; linalg: context canceled)\n": errors.Join(stopped, context.Canceled, stopped),
		"mercer: interrupted: linalg: context canceled; figures are in here\n":                    &verb.Unfinished{Err: stopped, Left: "figures are in here"},
		"mercer: no such row; figures are in here\n":                                              &verb.Unfinished{Err: errors.New("no such row"), Left: "figures are in here"},
	} {
		var said strings.Builder
		inv := &verb.Invocation{Stderr: &said}
		fail(inv, newRoot(inv), err, exitWork)
		if said.String() != want {
			t.Errorf("got  %swant %s", said.String(), want)
		}
	}
}
