package cli

import (
	"context"
	"errors"
	"time"

	"github.com/spf13/cobra"

	"mercer/pipeline"
)

// checkpointFlags keep the passes of a fit that iterates in a file beside its model.
type checkpointFlags struct {
	resume bool
	every  time.Duration
}

func (f *checkpointFlags) register(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&f.resume, "resume", false, "go on from OUTPUT.checkpoint, which a fit that was stopped has left, to the same bits")
	cmd.Flags().DurationVar(&f.every, "checkpoint-every", time.Minute, "how often the passes of an iteration are saved to OUTPUT.checkpoint; 0: never")
}

func (f *checkpointFlags) check() error {
	if f.every < 0 {
		return usagef("--checkpoint-every is %s: a time is at least 0", f.every)
	}
	if f.resume && f.every == 0 {
		return usagef("--resume needs a checkpoint, and --checkpoint-every 0 keeps none")
	}
	return nil
}

// fit fits with a checkpoint where the method has use for one. Nil flags ask for none.
func (f *checkpointFlags) fit(ctx context.Context, inv *invocation, p *pipeline.Problem, method pipeline.Method, out string) (m *pipeline.Model, err error) {
	if f == nil || f.every == 0 || out == "" {
		return p.Fit(ctx, method, inv.seed)
	}
	file := out + ".checkpoint"
	method, log, err := p.OpenCheckpoint(method, file, f.resume, f.every)
	if err != nil {
		return nil, err
	}
	if f.resume && log == nil {
		inv.note("note: this fit has no checkpoints: it does not iterate, and begins anew")
	}
	defer func() {
		saved, closing := log.Close(err == nil)
		err = errors.Join(err, closing)
		switch {
		case saved:
			inv.note("%s: --resume goes on from here", file)
		case log.Known() > 0:
			inv.note("%d passes came from %s", log.Known(), file)
		}
	}()
	return p.Fit(ctx, method, inv.seed)
}
