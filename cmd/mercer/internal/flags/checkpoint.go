package flags

import (
	"cmp"
	"context"
	"errors"
	"os"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"example.org/mercer"
	"example.org/mercer/cmd/mercer/internal/verb"
	"example.org/mercer/compute"
	"example.org/mercer/internal/checkpoint"
	"example.org/mercer/learner"
	"example.org/mercer/task"
)

// Checkpoint keep what takes long in a fit in a file beside its model.
type Checkpoint struct {
	resume bool
	file   string // "": beside the output
	every  time.Duration
	asked  func() bool // for checkpoints, not only by default

	Beside string              // the output; "": there is no checkpoint
	choice *learner.Checkpoint // of the landmarks, until the fit has ended; nil: there is none
}

func (f *Checkpoint) Register(cmd *cobra.Command) {
	defer verb.ResumeGroup.Claim(cmd.Flags())()
	cmd.Flags().BoolVar(&f.resume, resumeFlag, false, resumeHelp)
	cmd.Flags().StringVar(&f.file, "checkpoint", "", checkpointHelp)
	cmd.Flags().DurationVar(&f.every, "checkpoint-every", time.Minute, "how often what took long is saved to the checkpoint; 0: never. A fit by one factorization keeps its factor, 4n² bytes or more, where it is predicted to take over three minutes and a quarter of the free disk is enough, and always with this flag, --checkpoint or --resume")
	f.asked = func() bool { return f.resume || f.file != "" || cmd.Flags().Changed("checkpoint-every") }
}

func (f *Checkpoint) Check() error {
	if f.every < 0 {
		return verb.Usagef("--checkpoint-every is %s: a time is at least 0", f.every)
	}
	if (f.resume || f.file != "") && f.every == 0 {
		return verb.Usagef("--resume and --checkpoint need a checkpoint, and --checkpoint-every 0 keeps none")
	}
	if f.file != "" {
		return verb.CanWrite(f.file)
	}
	return nil
}

// reduced returns the problem on landmarks or features; the choice of landmarks has a checkpoint of
// its own, which stays until the fit on them has ended.
func (f *Checkpoint) reduced(ctx context.Context, inv *verb.Invocation, p *task.Task, r task.Approximation, how compute.Options) (*task.Task, error) {
	if f == nil || f.every == 0 || !f.stands(f.Beside) || r.Landmarks == nil {
		return p.Reduced(ctx, r, how)
	}
	var err error
	if how, f.choice, err = learner.OpenChoice(ctx, p, r, how, learner.Keeping{Path: f.choiceFile(), Resume: f.resume, Every: f.every, Factors: f.asked()}); err != nil {
		return nil, err
	}
	tellKept(inv, f.choice, f.choiceFile())
	q, err := p.Reduced(ctx, r, how)
	if err != nil {
		return nil, closeCheckpoint(inv, f.choice, f.choiceFile(), err)
	}
	return q, nil
}

func (f *Checkpoint) choiceFile() string { return cmp.Or(f.file, f.Beside) + ".landmarks" }

// stands reports whether the checkpoint of a fit has a name, by itself or beside an output.
func (f *Checkpoint) stands(output string) bool { return f.file != "" || hasName(output) }

// ends removes the checkpoint of the landmarks where the fit has come to its end, and else leaves
// it for the next attempt.
func (f *Checkpoint) ends(inv *verb.Invocation, err error) error {
	if f == nil || f.choice == nil {
		return err
	}
	var left *verb.Unfinished
	if errors.As(err, &left) {
		_, closing := f.choice.Close(false)
		return errors.Join(err, closing)
	}
	return closeCheckpoint(inv, f.choice, f.choiceFile(), err)
}

// Run runs a fit with a checkpoint beside an output, where the method has use for one.
func (f *Checkpoint) Run(inv *verb.Invocation, p *task.Task, method learner.Learner, plan compute.Plan, output string, fit func(learner.Learner) (*mercer.Model, error)) (*mercer.Model, error) {
	if f == nil || f.every == 0 || !f.stands(output) {
		return fit(method)
	}
	file := cmp.Or(f.file, output+".checkpoint")
	stale := !f.resume && checkpoint.Is(file)
	if stale {
		inv.Note("note: %s is of a run that was stopped, from which --resume goes on; this one begins anew, and removes it in the end", file)
	}
	method, log, err := learner.OpenCheckpoint(p, method, learner.Keeping{Path: file, Resume: f.resume, Every: f.every, Factors: f.asked(), Plan: plan})
	if err != nil {
		return nil, err
	}
	tellKept(inv, log, file)
	if f.resume && f.asked() && !log.Keeps() && log.Without == "" {
		inv.Note("note: this fit has no checkpoint: it takes less than a minute at any size that fits in memory, and begins anew")
	}
	m, err := fit(method)
	err = f.ends(inv, closeCheckpoint(inv, log, file, err))
	if stale && err == nil && checkpoint.Is(file) { // nothing took so long that it was saved there
		err = os.Remove(file)
	}
	return m, err
}

// hasName reports whether an output has a name, beside which a checkpoint may stand.
func hasName(output string) bool { return output != "" && output != verb.Stdout }

// fromOutside reports whether an error is an interruption, or one of the system such as a full
// disk, so that the same work can succeed another time.
func fromOutside(err error) bool {
	var number syscall.Errno
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) || errors.As(err, &number)
}

// tellKept says what a checkpoint has that is as large as a matrix, or why it has not.
func tellKept(inv *verb.Invocation, log *learner.Checkpoint, file string) {
	switch {
	case log.FactorBytes > 0:
		inv.Note("checkpoint: the factor takes up to %s in %s", compute.FormatBytes(log.FactorBytes), file)
	case log.Without != "":
		inv.Note("note: a stop loses what comes now: %s", log.Without)
	}
}

// closeCheckpoint ends a checkpoint, and says of an error that there is a file to go on from.
func closeCheckpoint(inv *verb.Invocation, log *learner.Checkpoint, file string, err error) error {
	saved, closing := log.Close(err == nil)
	err = errors.Join(err, closing)
	if saved {
		left := file + " holds the work until here: the same command with --resume goes on from it"
		if !fromOutside(err) {
			left += ", to the same error unless its cause is mended"
		}
		return &verb.Unfinished{Err: err, Left: left}
	}
	if log.Known() > 0 {
		inv.Note("%d steps came from %s", log.Known(), file)
	}
	return err
}

// AfterSearch are those of a fit at the end of a search: a checkpoint as any fit has it by default,
// from which it goes on where the search did.
func AfterSearch(resumes bool) *Checkpoint {
	return &Checkpoint{resume: resumes, every: time.Minute, asked: func() bool { return false }}
}
