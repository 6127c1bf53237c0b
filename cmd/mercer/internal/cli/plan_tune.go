package cli

import (
	"context"

	"github.com/spf13/cobra"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/prep"
	"example.org/mercer/pipeline"
	"example.org/mercer/supervised/krr"
	"example.org/mercer/task"
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
	}, func(l learner) *cobra.Command {
		switch {
		case l.name == ridgeLearner.name:
			return newPlanTuneRidge(inv, l)
		case l.tuned == nil:
			return nil
		}
		return newPlanTuneMethod(inv, l)
	})
}

// planTuneCommand is the command of a method below plan tune.
func planTuneCommand(l learner, run func(cmd *cobra.Command, args []string) error) *cobra.Command {
	return &cobra.Command{
		Use:     l.name + " TABLE",
		Short:   "Predict the cost of tuning " + l.short,
		Long:    l.long,
		Example: "  mercer plan tune " + l.name + " train.csv --target y --kernel 'rbf(sigma=?)' -o best.mercer",
		Args:    oneTable,
		RunE:    run,
	}
}

func newPlanTuneRidge(inv *invocation, l learner) *cobra.Command {
	f := &tuneFlags{}
	cmd := planTuneCommand(l, func(cmd *cobra.Command, args []string) error {
		search, err := f.plan(cmd, inv)
		if err != nil {
			return err
		}
		if f.assess.wanted() {
			return errPlanAssess
		}
		return inv.planSearch(cmd, &f.table, &f.prep, args[0], func(ctx context.Context, t *data.Table, spec prep.Spec, how compute.Options) (*task.Task, compute.Plan, error) {
			search.Options.Fit.Compute = how
			if search.Reduction, err = reductionOf(&f.low, &f.maps, inv, how); err != nil {
				return nil, compute.Plan{}, err
			}
			var last *pipeline.KRR
			if f.out != "" {
				how, err := inPrecision(how, f.precision)
				if err != nil {
					return nil, compute.Plan{}, err
				}
				rows := t.Rows()
				last = &pipeline.KRR{Options: krr.Options{Lambda: 1, NoIntercept: f.noIntercept, LOO: rows <= freeLOO && rows > 2 && how.Precision == compute.Double, Compute: how}}
			}
			return pipeline.PlanTune(ctx, t, spec, f.kernel, search, last)
		})
	})
	f.register(cmd)
	return inv.cached(cmd)
}

// errPlanAssess refuses what is several searches.
var errPlanAssess = usagef("--nested, --assess and --train-per-class make a search for each outer split: plan the search alone, and multiply")

func newPlanTuneMethod(inv *invocation, l learner) *cobra.Command {
	f, own := l.start()
	search := &crossFlags{}
	cmd := planTuneCommand(l, func(cmd *cobra.Command, args []string) error {
		if search.nested != 0 || search.assess.wanted() {
			return errPlanAssess
		}
		return inv.planSearch(cmd, &f.table, &f.prep, args[0], func(ctx context.Context, t *data.Table, spec prep.Spec, how compute.Options) (*task.Task, compute.Plan, error) {
			s, err := search.searchOf(cmd, inv, l, how)
			if err != nil {
				return nil, compute.Plan{}, err
			}
			if s.Reduction, err = f.reduction(inv, how); err != nil {
				return nil, compute.Plan{}, err
			}
			silent := *inv
			silent.quiet = true // what the flags leave open is what is searched
			method, err := own.method(cmd, &silent, nil, how)
			if err != nil {
				return nil, compute.Plan{}, err
			}
			return pipeline.PlanCrossTune(ctx, t, spec, f.kernel, method, s, search.out != "")
		})
	})
	f.registerSearch(cmd)
	registerOwn(cmd, own)
	search.register(cmd)
	return cmd
}

// planSearch prints the plan of a search on a table.
func (inv *invocation) planSearch(cmd *cobra.Command, table *tableFlags, preparation *prepFlags, path string,
	plan func(ctx context.Context, t *data.Table, spec prep.Spec, how compute.Options) (*task.Task, compute.Plan, error)) error {
	ctx := cmd.Context()
	spec, err := preparation.spec()
	if err != nil {
		return err
	}
	t, err := table.read(ctx, inv, path, preparation.id)
	if err != nil {
		return err
	}
	how, stop := inv.compute()
	defer stop()
	p, predicted, err := plan(ctx, t, spec, how)
	if err != nil {
		return blame(err)
	}
	stop()
	if err := inv.emit(newPlanned(p, predicted)); err != nil {
		return err
	}
	return compute.CheckMemory(predicted, how.MaxMemory)
}
