package cli

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"example.org/mercer/compute"
	"example.org/mercer/data/prep"
	"example.org/mercer/gram"
	"example.org/mercer/learner"
	"example.org/mercer/task"
)

// problemFlags say what to learn from, and with which kernel.
type problemFlags struct {
	table  tableFlags
	prep   prepFlags
	kernel string
	fixed  string // the kernel of methods that have no other; set by them
	psd    string
	low    landmarkFlags
	maps   featureFlags
	chosen bool // the method chooses landmarks itself
	rough  bool // landmarks are those of a plan
	passes passFlags
	kept   *checkpointFlags // of the choice of landmarks; nil: there is none
}

// register adds the flags of table, preparation and kernel.
func (f *problemFlags) register(cmd *cobra.Command) {
	f.table.register(cmd)
	f.table.outcomes = func() []string { return append(slices.Clone(f.prep.targets), f.prep.weights) }
	f.prep.register(cmd)
	if f.kernel = f.fixed; f.fixed != "" {
		return
	}
	registerKernel(cmd, &f.kernel, "rbf(sigma=median)")
}

// registerKernel adds the flag of the kernel expression.
func registerKernel(cmd *cobra.Command, kernel *string, value string) {
	defer kernels.claim(cmd.Flags())()
	cmd.Flags().StringVar(kernel, "kernel", value, "kernel expression, as mercer kernel lists them; tune finds every parameter that is a ?")
}

// registerTreatment adds the flags for Gram matrices that are not positive semidefinite,
// and for those that are approximated.
func (f *problemFlags) registerTreatment(cmd *cobra.Command) {
	if f.fixed != "" {
		return
	}
	words := make([]string, len(gram.Treatments))
	for i, t := range gram.Treatments {
		words[i] = string(t)
	}
	f.registerReduction(cmd)
	defer kernels.claim(cmd.Flags())()
	cmd.Flags().StringVar(&f.psd, "psd", "", "a Gram matrix with negative eigenvalues (tanh, a similarity): "+strings.Join(words, ", ")+"; default: left as it is")
	_ = cmd.RegisterFlagCompletionFunc("psd", cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
}

// registerReduction adds the flags of landmarks and features.
func (f *problemFlags) registerReduction(cmd *cobra.Command) {
	if f.fixed == "" && !f.chosen {
		f.low.register(cmd)
		f.maps.register(cmd)
	}
}

// problem reads the table and puts the kernel on its rows.
func (f *problemFlags) problem(ctx context.Context, inv *invocation, path string) (*task.Task, error) {
	spec, err := f.prep.spec()
	if err != nil {
		return nil, err
	}
	p, err := f.onRows(ctx, inv, path, spec)
	if err != nil {
		return nil, blame(err)
	}
	if p.Indefinite = gram.Treatment(f.psd); f.psd != "" && !slices.Contains(gram.Treatments, p.Indefinite) {
		return nil, usagef("--psd %q is not known; there are %q", f.psd, gram.Treatments)
	}
	if f.prep.learns == learner.NumericTarget {
		if err := p.Numeric(); err != nil {
			return nil, err
		}
	}
	inv.notes(p.Rows.Notes)
	return f.approximate(ctx, inv, p)
}

// onRows puts the kernel on the rows, wherever they are to be.
func (f *problemFlags) onRows(ctx context.Context, inv *invocation, path string, spec prep.Spec) (*task.Task, error) {
	blocks, err := f.passes.open(ctx, inv, path, &f.table, f.prep.id)
	if err != nil {
		return nil, err
	}
	if blocks != nil {
		return task.NewStreamed(ctx, blocks, spec, f.kernel)
	}
	t, err := f.table.read(ctx, inv, path, f.prep.id)
	if err != nil {
		return nil, err
	}
	return task.New(ctx, t, spec, f.kernel)
}

// approximate puts a low-rank kernel or explicit features on the rows, if that is asked for.
func (f *problemFlags) approximate(ctx context.Context, inv *invocation, p *task.Task) (*task.Task, error) {
	how, stop := inv.compute()
	defer stop()
	r, err := f.reduction(inv, how)
	switch {
	case err != nil:
		return nil, err
	case f.rough && r.Landmarks != nil:
		return p.PlannedLowRank(ctx, *r.Landmarks)
	case f.rough && r.Features != nil:
		return p.PlannedFeatures(ctx, *r.Features, how)
	}
	return f.kept.reduced(ctx, inv, p, r, how)
}

// reduction returns the landmarks or the features that the flags ask for.
func (f *problemFlags) reduction(inv *invocation, how compute.Options) (task.Approximation, error) {
	return reductionOf(&f.low, &f.maps, inv, how)
}

func reductionOf(low *landmarkFlags, maps *featureFlags, inv *invocation, how compute.Options) (task.Approximation, error) {
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
		return r, usagef("--%s and --%s are two ways to approximate the kernel: give one of them", landmarkNames[0], featureNames[0])
	case chosen:
		r.Landmarks = &landmarks
	case mapped:
		r.Features = &features
	}
	return r, nil
}

// notes tells what preparation or a method has to say: all of it with --verbose, the
// first few otherwise.
func (inv *invocation) notes(notes []string) {
	const shown = 5
	for i, n := range notes {
		if i == shown && !inv.verbose {
			inv.note("… and %d more notes (--verbose shows them)", len(notes)-shown)
			return
		}
		inv.note("note: %s", strings.TrimSpace(n))
	}
}
