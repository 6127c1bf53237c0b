package flags

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"example.org/mercer/approx/nystrom"
	"example.org/mercer/cmd/mercer/internal/verb"
	"example.org/mercer/compute"
	"example.org/mercer/learner"
	"example.org/mercer/task"
)

// Route say within which limits a fit is to stay, and whether it may choose the way.
type Route struct {
	Auto   bool
	budget time.Duration
	error  float64
}

// routeNames are the flags, which the command of the exact fit leaves out.
var routeNames = []string{"auto", "budget", "error"}

func (r *Route) Register(cmd *cobra.Command) {
	defer verb.LimitsGroup.Claim(cmd.Flags())()
	set := cmd.Flags()
	set.BoolVar(&r.Auto, routeNames[0], false, "where the exact fit exceeds --max-mem or --budget: take another solver, or else the approximation with the smallest expected error, of those that plan lists")
	set.DurationVar(&r.budget, routeNames[1], 0, "predicted time that the fit may take, such as 10m: longer work is refused before it starts")
	set.Float64Var(&r.error, routeNames[2], 0, "with --auto: largest error of the kernel that an approximation may be expected to have, ‖K − K̃‖/‖K‖ of a block of its values, such as 0.01; default: any")
}

// Check reports flags that cannot be meant.
func (r *Route) Check(f *Problem) error {
	switch {
	case r.budget < 0:
		return verb.Usagef("--budget is %v; give a time such as 10m", r.budget)
	case math.IsNaN(r.error) || r.error < 0 || r.error >= 1:
		return verb.Usagef("--error is %v; give a number between 0 and 1, such as 0.01", r.error)
	case r.error > 0 && !r.Auto:
		return verb.Usagef("--error is for --auto, which chooses an approximation; --landmarks with a share, such as 1e-3, takes as many as leave that share of the trace")
	case r.Auto && (f.Landmarks.Count != "" || f.Features.Count != 0):
		return verb.Usagef("--auto chooses how to approximate: leave out --landmarks and --random-features, or --auto")
	}
	return nil
}

// Limits are those of the flags.
func (r *Route) Limits(how compute.Options) compute.Limits {
	return compute.Limits{Memory: how.MaxMemory, Seconds: r.budget.Seconds(), Error: r.error}
}

// Planner plans the fit of a method on a problem.
type Planner struct {
	Inv    *verb.Invocation
	Cmd    *cobra.Command
	Flags  *Problem
	Method func(p *task.Task, how compute.Options) (learner.Learner, error)
}

// Plan plans the fit as the flags have it.
func (a Planner) Plan(ctx context.Context, p *task.Task, how compute.Options) (compute.Plan, error) {
	method, err := a.Method(p, how)
	if err != nil {
		return compute.Plan{}, err
	}
	return learner.Plan(ctx, p, method)
}

// Approximations adds those by landmarks and features to the alternatives of a plan.
func (a Planner) Approximations(ctx context.Context, p *task.Task, plan *compute.Plan, how compute.Options) error {
	if a.Cmd.Flag(landmarkNames[0]) == nil {
		return nil
	}
	method, err := a.Method(p, how)
	if err != nil {
		return err
	}
	by := nystrom.Options{Scheme: nystrom.Scheme(a.Flags.Landmarks.by), Among: a.Flags.Landmarks.among, Seed: a.Inv.Seed, Compute: how}
	routes, err := learner.Routes(ctx, p, method, by)
	plan.Alternatives = append(plan.Alternatives, routes...)
	return err
}

// Take returns the problem as the fit is to solve it, after setting the flags of the way that
// was chosen, and its plan; or refuses where none is within the limits.
func (r *Route) Take(a Planner, p *task.Task) (*task.Task, *compute.Plan, error) {
	if err := r.Check(a.Flags); err != nil {
		return nil, nil, err
	}
	how, stop := a.Inv.Compute()
	defer stop()
	limits := r.Limits(how)
	plan, err := a.Plan(a.Cmd.Context(), p, how)
	if err != nil || limits.Check(plan) == nil {
		return p, &plan, err
	}
	chosen, ok := limits.Choose(plan)
	if !r.Auto || !ok { // no other exact way: only now is it worth trying landmarks
		if err := a.Approximations(a.Cmd.Context(), p, &plan, how); err != nil {
			return nil, nil, err
		}
		chosen, ok = limits.Choose(plan)
	}
	stop()
	how, stop = a.Inv.Compute()
	defer stop()
	for ; r.Auto && ok; chosen, ok = limits.Choose(plan) {
		before := flagsOf(a.Cmd, chosen.Hint)
		way, err := r.take(a, p, plan, chosen)
		if err != nil {
			return nil, nil, err
		}
		// What was held when the ways were planned is more now: the next one may still fit.
		again, err := a.Plan(a.Cmd.Context(), way, how)
		if err != nil || limits.Check(again) == nil {
			return way, &again, err
		}
		before.restore()
		plan.Alternatives = slices.DeleteFunc(plan.Alternatives, func(a compute.Plan) bool { return a.Hint == chosen.Hint })
	}
	return nil, nil, limits.Check(plan)
}

// flagValues are flags as they were.
type flagValues map[*pflag.Flag]pflag.Flag

// flagsOf returns the flags that a hint sets, as they are.
func flagsOf(cmd *cobra.Command, hint string) flagValues {
	values := flagValues{}
	for _, word := range strings.Fields(hint) {
		if f := cmd.Flags().Lookup(strings.TrimPrefix(word, "--")); f != nil && strings.HasPrefix(word, "--") {
			values[f] = pflag.Flag{DefValue: f.Value.String(), Changed: f.Changed}
		}
	}
	return values
}

// restore sets them back.
func (v flagValues) restore() {
	for f, was := range v {
		_ = f.Value.Set(was.DefValue) // which it had
		f.Changed = was.Changed
	}
}

// take sets the flags of a way, and returns the problem that they make.
func (r *Route) take(a Planner, p *task.Task, plan, chosen compute.Plan) (*task.Task, error) {
	a.Inv.Note("route: solver %s would take %s and %s; %s takes %s and %s%s", plan.Solver, compute.FormatBytes(plan.Memory), compute.FormatSeconds(plan.Seconds),
		chosen.Hint, compute.FormatBytes(chosen.Memory), compute.FormatSeconds(chosen.Seconds), expected(chosen))
	words := strings.Fields(chosen.Hint)
	for i := 0; i+1 < len(words); i += 2 {
		if err := a.Cmd.Flags().Set(strings.TrimPrefix(words[i], "--"), words[i+1]); err != nil {
			return nil, fmt.Errorf("route %q: %w", chosen.Hint, err)
		}
	}
	return a.Flags.approximate(a.Cmd.Context(), a.Inv, p)
}

// expected says what a plan approximates.
func expected(p compute.Plan) string {
	if p.Error == 0 {
		return ""
	}
	return fmt.Sprintf(", and is expected to have an error of %.1g in the kernel", p.Error)
}
