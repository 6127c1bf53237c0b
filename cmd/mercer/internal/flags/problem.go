package flags

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"example.org/mercer/approx/filters"
	"example.org/mercer/cmd/mercer/internal/verb"
	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/prep"
	"example.org/mercer/gram"
	"example.org/mercer/learner/methods"
	"example.org/mercer/task"
)

// Problem say what to learn from, and with which kernel.
type Problem struct {
	Table      Table
	Prep       Preparation
	Kernel     string
	method     string // the one that is to learn; "": none
	fixed      string // the kernel of methods that have no other; set by them
	start      string // the kernel where none is named
	psd        string
	Landmarks  Landmarks
	Features   Features
	Network    Network
	chosen     bool // the method has flags of its own for landmarks
	Rough      bool // landmarks are those of a plan
	Passes     Passes
	Checkpoint *Checkpoint // of the choice of landmarks; nil: there is none
}

// Register adds the flags of table, preparation and kernel.
func (f *Problem) Register(cmd *cobra.Command) {
	f.Table.Register(cmd)
	f.Table.Outcomes = func() []string { return append(slices.Clone(f.Prep.Targets), f.Prep.Weights) }
	f.Table.Unused = func() []string { return f.Prep.drop }
	f.Prep.Register(cmd)
	if f.Kernel = f.fixed; f.fixed != "" {
		return
	}
	registerKernel(cmd, &f.Kernel, cmp.Or(f.start, "rbf(sigma=median)"))
}

// registerKernel adds the flag of the kernel expression.
func registerKernel(cmd *cobra.Command, kernel *string, value string) {
	defer verb.KernelGroup.Claim(cmd.Flags())()
	cmd.Flags().StringVar(kernel, "kernel", value, "kernel expression, as mercer kernel lists them; tune finds every parameter that is a ?")
}

// RegisterTreatment adds the flags for Gram matrices that are not positive semidefinite,
// and for those that are approximated.
func (f *Problem) RegisterTreatment(cmd *cobra.Command) {
	if f.fixed != "" {
		return
	}
	words := make([]string, len(gram.Treatments))
	for i, t := range gram.Treatments {
		words[i] = string(t)
	}
	f.RegisterApproximation(cmd)
	f.Network.Register(cmd)
	defer verb.KernelGroup.Claim(cmd.Flags())()
	cmd.Flags().StringVar(&f.psd, "psd", "", "a Gram matrix with negative eigenvalues (tanh, a similarity): "+strings.Join(words, ", ")+"; default: left as it is")
	verb.Choices(cmd, "psd", words)
}

// RegisterApproximation adds the flags of landmarks and features.
func (f *Problem) RegisterApproximation(cmd *cobra.Command) {
	switch {
	case f.fixed != "":
	case f.chosen:
		f.Features.registerFilters(cmd)
	default:
		f.Landmarks.register(cmd)
		f.Features.register(cmd)
	}
}

// Task reads the table and puts the kernel on its rows.
func (f *Problem) Task(ctx context.Context, inv *verb.Invocation, path string) (*task.Task, error) {
	spec, err := f.Prep.Spec()
	if err != nil {
		return nil, err
	}
	t, err := f.Read(ctx, inv, path)
	if err != nil {
		return nil, verb.Blame(err)
	}
	return f.TaskOn(ctx, inv, t, spec)
}

// TaskOn puts the kernel on rows that were read.
func (f *Problem) TaskOn(ctx context.Context, inv *verb.Invocation, t data.Blocks, spec prep.Spec) (*task.Task, error) {
	p, err := task.New(ctx, t, spec, f.Kernel)
	if err != nil {
		return nil, verb.Blame(err)
	}
	return f.ready(ctx, inv, p)
}

// ready makes the task what the flags ask for.
func (f *Problem) ready(ctx context.Context, inv *verb.Invocation, p *task.Task) (*task.Task, error) {
	if p.Indefinite = gram.Treatment(f.psd); f.psd != "" && !slices.Contains(gram.Treatments, p.Indefinite) {
		return nil, verb.Usagef("--psd %q is not known; there are %q", f.psd, gram.Treatments)
	}
	if err := methods.CheckTargets(f.method, p.Prep.Targets()); err != nil {
		return nil, err
	}
	var err error
	if p.Network, err = f.Network.Options(); err != nil {
		return nil, err
	}
	inv.Notes(p.Rows.Notes)
	return f.approximate(ctx, inv, p)
}

// Read returns the table: in memory, or in its files where it is to be read in passes.
func (f *Problem) Read(ctx context.Context, inv *verb.Invocation, path string) (data.Blocks, error) {
	blocks, err := f.Passes.Open(ctx, inv, path, &f.Table, f.Prep.ID)
	if blocks != nil || err != nil {
		return blocks, err
	}
	t, err := f.Table.Read(ctx, inv, path, f.Prep.ID)
	if err != nil {
		return nil, err // and no table that is nil
	}
	return t, nil
}

// TargetKind tells whether the table has labels to predict, and why; see [prep.Spec.TargetKind].
// The table is kept for the command that goes on with it.
func (f *Problem) TargetKind(ctx context.Context, inv *verb.Invocation, path string) (labels bool, why string, err error) {
	spec, err := f.Prep.Spec()
	if err != nil {
		return false, "", err
	}
	t, err := f.Read(ctx, inv, path)
	if err != nil {
		return false, "", err
	}
	if whole, ok := t.(*data.Table); ok {
		inv.Table = whole
	}
	return spec.TargetKind(t.Schema())
}

// approximate puts a low-rank kernel or explicit features on the rows, if that is asked for.
func (f *Problem) approximate(ctx context.Context, inv *verb.Invocation, p *task.Task) (*task.Task, error) {
	how, stop := inv.Compute()
	defer stop()
	r, err := f.Approximation(inv, how)
	switch {
	case err != nil:
		return nil, err
	case f.Rough && r.Landmarks != nil:
		return p.PlannedLowRank(ctx, *r.Landmarks)
	case f.Rough && r.Features != nil:
		return p.PlannedFeatures(ctx, *r.Features, how)
	case f.Rough && r.Filters != nil:
		return p.PlannedFilters(ctx, r, how)
	}
	return f.Checkpoint.reduced(ctx, inv, p, r, how)
}

// Approximation returns the landmarks or the features that the flags ask for.
func (f *Problem) Approximation(inv *verb.Invocation, how compute.Options) (task.Approximation, error) {
	return reductionOf(&f.Landmarks, &f.Features, inv, how)
}

func reductionOf(low *Landmarks, maps *Features, inv *verb.Invocation, how compute.Options) (task.Approximation, error) {
	var r task.Approximation
	landmarks, chosen, err := low.options(inv, how)
	if err != nil {
		return r, err
	}
	features, mapped, err := maps.options(inv, how)
	switch {
	case err != nil:
		return r, err
	case chosen && mapped:
		return r, verb.Usagef("--%s and --%s are two ways to approximate the kernel: give one of them", landmarkNames[0], featureNames[0])
	case len(maps.filters) > 0 && (chosen || mapped):
		return r, verb.Usagef("--%s are another way to approximate the kernel than landmarks and random features: give one of them", featureNames[2])
	case len(maps.filters) > 0:
		r.Filters = &filters.Options{Filters: maps.filters, Seed: inv.Seed, Compute: how}
		r.Training, err = maps.training(inv)
		return r, err
	case maps.epochs != 0:
		return r, verb.Usagef("--%s are passes that move filters: give their numbers by --%s", featureNames[3], featureNames[2])
	case chosen:
		r.Landmarks = &landmarks
	case mapped:
		r.Features = &features
	}
	return r, nil
}

// RegisterSearch adds the flags of a problem whose kernel is searched.
func (f *Problem) RegisterSearch(cmd *cobra.Command) {
	f.Register(cmd)
	f.Kernel = strings.ReplaceAll(f.Kernel, "median", "?")
	cmd.Flags().Lookup("kernel").DefValue = f.Kernel
	f.RegisterApproximation(cmd)
	f.Network.Register(cmd)
	f.Passes.Register(cmd)
}
