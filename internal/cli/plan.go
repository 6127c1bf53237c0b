package cli

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"mercer/gram"
	"mercer/pipeline"
)

// planned is what `mercer plan` prints.
type planned struct {
	Rows     int       `json:"rows"`
	Features int       `json:"features"`
	Outputs  int       `json:"outputs"`
	Prep     string    `json:"preparation"`
	Kernel   string    `json:"kernel"`
	Plan     gram.Plan `json:"plan"`
}

func (p planned) text(w io.Writer) {
	fmt.Fprintf(w, "%d rows × %d features → %d outputs\n", p.Rows, p.Features, p.Outputs)
	fmt.Fprintf(w, "preparation: %s\n", p.Prep)
	fmt.Fprintf(w, "kernel: %s\n", brief(p.Kernel))
	fmt.Fprint(w, p.Plan)
}

func newPlanned(p *pipeline.Problem, plan gram.Plan) planned {
	n, d, m := p.Dims()
	return planned{Rows: n, Features: d, Outputs: m, Prep: p.Prep.String(), Kernel: p.Kernel(), Plan: plan}
}

func newPlan(inv *invocation) *cobra.Command {
	return byMethod(&cobra.Command{
		Use:   "plan METHOD TABLE",
		Short: "Predict memory, operations and time of a fit on this machine, without doing it",
		Long: `plan reads the table, measures this machine for a moment, and predicts what fit would cost: peak memory and
time of every stage, the solver and why, and the alternatives. With --max-mem it answers as fit would: with exit
code 1 and advice where the work is too large.`,
		Example: `  mercer plan krr train.csv --target price --kernel 'rbf(sigma=median)'
  mercer plan krr big.csv.gz --target last --max-mem 2GiB --json`,
	}, func(l learner) *cobra.Command { return newPlanMethod(inv, l) })
}

func newPlanMethod(inv *invocation, l learner) *cobra.Command {
	f, own := l.start()
	cmd := &cobra.Command{
		Use:     l.name + " TABLE",
		Short:   "Predict the cost of " + l.short,
		Long:    l.long,
		Example: l.examplesOf("plan"),
		Args:    oneTable,
		RunE: func(cmd *cobra.Command, args []string) error {
			f.rough = true
			p, err := f.problem(cmd.Context(), inv, args[0])
			if err != nil {
				return err
			}
			compute, stop := inv.compute()
			defer stop()
			method, err := own.method(cmd, inv, p, compute)
			if err != nil {
				return err
			}
			plan, err := p.Plan(cmd.Context(), method)
			if err != nil {
				return err
			}
			stop()
			if err := inv.emit(newPlanned(p, plan)); err != nil {
				return err
			}
			return gram.CheckMemory(plan, compute.MaxMemory)
		},
	}
	f.register(cmd)
	f.registerTreatment(cmd)
	own.register(cmd)
	return cmd
}
