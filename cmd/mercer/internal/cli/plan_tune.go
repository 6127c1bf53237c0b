package cli

import (
	"github.com/spf13/cobra"

	"example.org/mercer/compute"
	"example.org/mercer/learner"
	"example.org/mercer/search"
)

// newPlanTune returns `mercer plan tune METHOD TABLE`, which takes the flags of tune.
func newPlanTune(inv *invocation) *cobra.Command {
	return byMethod(&cobra.Command{
		Use:   "tune METHOD TABLE",
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
			RunE:    func(cmd *cobra.Command, args []string) error { return inv.planSearch(cmd, f, args[0]) },
		}
		f.register(cmd)
		if s.Path {
			return inv.cached(cmd)
		}
		return cmd
	})
}

// errPlanAssess refuses what is several searches.
var errPlanAssess = usagef("--nested, --assess and --train-per-class make a search for each outer split: plan the search alone, and multiply")

// planSearch prints the plan of a search on a table.
func (inv *invocation) planSearch(cmd *cobra.Command, flags searchFlags, path string) error {
	ctx, f := cmd.Context(), flags.common()
	if f.assesses() {
		return errPlanAssess
	}
	spec, err := f.prep.spec()
	if err != nil {
		return err
	}
	how, stop := inv.compute()
	defer stop()
	wanted, method, err := flags.search(cmd, inv, how)
	if err != nil {
		return err
	}
	t, err := f.table.read(ctx, inv, path, f.prep.id)
	if err != nil {
		return err
	}
	var last func(best learner.Learner) learner.Learner
	if f.out != "" {
		last = func(best learner.Learner) learner.Learner {
			m, _ := flags.last(best, t.Rows(), how) // whose error search has told
			return m
		}
	}
	p, predicted, err := search.PlanTune(ctx, t, spec, f.kernel, method, wanted, last)
	if err != nil {
		return blame(err)
	}
	stop()
	if err := inv.emit(newPlanned(p, predicted)); err != nil {
		return err
	}
	return compute.CheckMemory(predicted, how.MaxMemory)
}
