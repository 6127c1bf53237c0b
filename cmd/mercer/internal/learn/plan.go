package learn

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"example.org/mercer/cmd/mercer/internal/flags"
	"example.org/mercer/cmd/mercer/internal/verb"
	"example.org/mercer/compute"
	"example.org/mercer/data/open"
	"example.org/mercer/learner"
	"example.org/mercer/task"
)

// Planned is what `mercer plan` prints.
type Planned struct {
	Rows     int          `json:"rows"`
	Features int          `json:"features"`
	Outputs  int          `json:"outputs"`
	Prep     string       `json:"preparation"`
	Kernel   string       `json:"kernel"`
	Plan     compute.Plan `json:"plan"`
	// Route is what fit --auto would ask for within the limits.
	Route string `json:"route,omitempty"`
	// Passes says which compiled file is read, where the table is not read at once.
	Passes *open.Compiled `json:"passes,omitempty"`
}

func (p Planned) Text(w io.Writer) {
	fmt.Fprintf(w, "%d rows × %d features → %d outputs\n", p.Rows, p.Features, p.Outputs)
	fmt.Fprintf(w, "preparation: %s\n", p.Prep)
	fmt.Fprintf(w, "kernel: %s\n", verb.Brief(p.Kernel))
	if c := p.Passes; c != nil {
		fmt.Fprintf(w, "compiled file: %s, %s on the disk", c.Path, compute.FormatBytes(c.Size))
		if c.Fresh {
			fmt.Fprintf(w, ", made in %s", compute.FormatSeconds(c.Seconds))
		}
		fmt.Fprintln(w)
	}
	fmt.Fprint(w, p.Plan)
	if p.Route != "" {
		fmt.Fprintf(w, "within the limits: %s\n", p.Route)
	}
}

func newPlanned(p *task.Task, plan compute.Plan) Planned {
	n, d, m := p.Dims()
	return Planned{Rows: n, Features: d, Outputs: m, Prep: p.Prep.String(), Kernel: p.Kernel(), Plan: plan}
}

func NewPlan(inv *verb.Invocation) *cobra.Command {
	plan := byMethod(inv, &cobra.Command{
		Use:   "plan [METHOD] TABLE",
		Short: "Predict memory, operations and time of a fit on this machine, without doing it",
		Long: `plan reads the table, measures this machine for a moment, and predicts what fit would cost: peak memory and
time of every stage, the solver and why, and other solvers. With --alternatives, or where the work is refused, it adds landmarks and
random features (--landmarks, --random-features of fit) with the error of the kernel that they are expected to have, tried on a
sample, and fit falkon where it solves the same problem. With --max-mem or --budget it answers as fit would: with exit code 1 and advice where the work is too large; with --auto it names the way that
fit --auto would take.

plan tune METHOD TABLE predicts a search with the flags of tune: the kernels, splits and sets of values that it will try, and with -o the fit at its end.`,
		Example: `  mercer plan krr train.csv --target price --kernel 'rbf(sigma=median)'
  mercer plan krr big.csv.gz --target last --max-mem 2GiB --json
  mercer plan krr big.csv.gz --target last --alternatives
  mercer plan tune svc train.csv --target kind --kernel 'rbf(sigma=?)' --folds 10`,
	}, func(s *learner.Spec) *cobra.Command { return newPlanMethod(inv, s) })
	plan.AddCommand(newPlanTune(inv))
	return inv.Prints(plan, Planned{})
}

func newPlanMethod(inv *verb.Invocation, s *learner.Spec) *cobra.Command {
	f, own := flags.For(s)
	route, alternatives := &flags.Route{}, false
	cmd := &cobra.Command{
		Use:     s.Name + " TABLE",
		Short:   "Predict the cost of " + s.Title,
		Long:    s.Purpose,
		Example: examplesOf("plan", s),
		Args:    oneTable,
		RunE: func(cmd *cobra.Command, args []string) error {
			with := flags.Planner{Inv: inv, Cmd: cmd, Flags: f, Method: func(p *task.Task, how compute.Options) (learner.Learner, error) {
				return own.Learner(cmd, inv, p, how)
			}}
			return planFit(with, route, alternatives, args[0])
		},
	}
	f.Register(cmd)
	f.RegisterTreatment(cmd)
	own.Register(cmd)
	route.Register(cmd)
	f.Passes.Register(cmd)
	defer verb.LimitsGroup.Claim(cmd.Flags())()
	cmd.Flags().BoolVar(&alternatives, "alternatives", false, "also try approximations, by landmarks and random features, on a sample of the rows: their memory, time and error of the kernel")
	return inv.Cached(cmd)
}

// planFit prints the plan of a fit to a table, with approximations where they are asked for or
// needed.
func planFit(with flags.Planner, route *flags.Route, alternatives bool, path string) error {
	f, inv, ctx := with.Flags, with.Inv, with.Cmd.Context()
	f.Rough = true
	if err := route.Check(f); err != nil {
		return err
	}
	p, err := f.Task(ctx, inv, path)
	if err != nil {
		return err
	}
	how, stop := inv.Compute()
	defer stop()
	limits := route.Limits(how)
	plan, err := with.Plan(ctx, p, how)
	if err != nil {
		return err
	}
	if alternatives || limits.Check(plan) != nil { // trying approximations may take longer than the fit
		if err := with.Approximations(ctx, p, &plan, how); err != nil {
			return err
		}
	}
	stop()
	shown := newPlanned(p, plan)
	shown.Passes = f.Passes.Compiled
	chosen, ok := limits.Choose(plan)
	if ok = ok && route.Auto; ok {
		shown.Route = chosen.Hint
	}
	if err := inv.Emit(shown); err != nil || ok {
		return err
	}
	return limits.Check(plan)
}

// registerDryRun adds the flag that asks for the plan alone.
func registerDryRun(cmd *cobra.Command, dry *bool) {
	defer verb.OutputGroup.Claim(cmd.Flags())()
	cmd.Flags().BoolVar(dry, "dry-run", false, "print what plan prints, and do nothing else")
}
