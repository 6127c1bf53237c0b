package learn

import (
	"github.com/spf13/cobra"

	"example.org/mercer/cmd/mercer/internal/verb"
	"example.org/mercer/compute"
	"example.org/mercer/learner"
	"example.org/mercer/search"
)

// newPlanTune returns `mercer plan tune METHOD TABLE`, which takes the flags of tune.
func newPlanTune(inv *verb.Invocation) *cobra.Command {
	return byMethod(inv, &cobra.Command{
		Use:   "tune [METHOD] TABLE",
		Short: "Predict the cost of a search for parameters, with the flags of tune",
		Long: `plan tune reads the table and predicts what tune would take with the same flags: the Gram matrices or features of all
kernels that it tries, the fits to parts of the rows for every split and every set of values of the method, and with -o the
fit to all rows. A search beyond --max-mem is answered with exit code 1.`,
		Example: `  mercer plan tune krr train.csv --target price --kernel 'rbf(sigma=?)' -o house.mercer
  mercer plan tune svc train.csv --target kind --search halving --trials 81 --json`,
	}, func(s *learner.Spec) *cobra.Command {
		f := searchFlagsFor(s)
		if f == nil {
			return nil
		}
		cmd := &cobra.Command{
			Use:     s.Name + " TABLE",
			Short:   "Predict the cost of tuning " + s.Title,
			Long:    s.Purpose,
			Example: "  mercer plan tune " + s.Name + " train.csv --target y --kernel 'rbf(sigma=?)' -o best.mercer",
			Args:    oneTable,
			RunE:    func(cmd *cobra.Command, args []string) error { return planSearch(inv, cmd, f, args[0]) },
		}
		f.register(cmd)
		if s.Path {
			return inv.Cached(cmd)
		}
		return cmd
	})
}

// errPlanAssess refuses what is several searches.
var errPlanAssess = verb.Usagef("--nested, --assess and --train-per-class make a search for each outer split: plan the search alone, and multiply")

// planSearch prints the plan of a search on a table.
func planSearch(inv *verb.Invocation, cmd *cobra.Command, asked searchFlags, path string) error {
	ctx, f := cmd.Context(), asked.common()
	if f.assesses() {
		return errPlanAssess
	}
	spec, err := f.Prep.Spec()
	if err != nil {
		return err
	}
	how, stop := inv.Compute()
	defer stop()
	wanted, method, err := asked.search(cmd, inv, how)
	if err != nil {
		return err
	}
	t, err := f.read(ctx, inv, path)
	if err != nil {
		return err
	}
	var last func(best learner.Learner) learner.Learner
	if f.out != "" {
		last = func(best learner.Learner) learner.Learner {
			m, _ := asked.last(best, t.Starts()[len(t.Starts())-1], how) // whose error search has told
			return m
		}
	}
	p, plan, err := search.PlanTune(ctx, t, spec, f.Kernel, method, wanted, last)
	if err != nil {
		return verb.Blame(err)
	}
	stop()
	if err := inv.Emit(newPlanned(p, plan)); err != nil {
		return err
	}
	return compute.CheckMemory(plan, how.MaxMemory)
}
