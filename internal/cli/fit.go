package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"mercer/gram"
	"mercer/krr"
	"mercer/pipeline"
)

// fit is what `mercer fit` prints.
type fit struct {
	Model    string      `json:"model"`
	Planned  planned     `json:"planned"`
	Report   *krr.Report `json:"report"`
	Peak     int64       `json:"peak_memory"` // of the process while fitting, bytes; 0: unknown
	Outputs  []string    `json:"outputs"`
	Form     string      `json:"form"`
	FormSize int         `json:"form_size"`
}

func (f fit) text(w io.Writer) {
	r := f.Report
	fmt.Fprintf(w, "%s: %d rows × %d features → %s\n", f.Model, f.Planned.Rows, f.Planned.Features, strings.Join(f.Outputs, ", "))
	lines := [][]string{
		{"kernel", brief(f.Planned.Kernel)},
		{"λ", fmt.Sprintf("%s (ridge Nλ = %s)", num(r.Lambda), num(r.Ridge))},
		{"solver", fmt.Sprintf("%s (%s)", r.Solver, r.Why)},
		{"form", fmt.Sprintf("%s, %d coefficients per output", f.Form, f.FormSize)},
		{"residual", num(r.Residual)},
	}
	if r.Condition > 0 {
		lines = append(lines, []string{"condition", num(r.Condition)})
	}
	for j, name := range f.Outputs {
		lines = append(lines, []string{"train RMSE " + name, fmt.Sprintf("%s, R² %s", num(r.Train.RMSE[j]), num(r.Train.R2[j]))})
		if r.Point != nil {
			lines = append(lines, []string{"leave-one-out RMSE " + name, fmt.Sprintf("%s, R² %s", num(r.Point.LOO.RMSE[j]), num(r.Point.LOO.R2[j]))})
		}
	}
	if r.Point != nil {
		lines = append(lines, []string{"degrees of freedom", num(r.Point.DOF)})
	}
	lines = append(lines, []string{"time", fmt.Sprintf("%s (planned %s)", gram.FormatSeconds(r.Seconds), gram.FormatSeconds(f.Planned.Plan.Seconds))})
	if f.Peak > 0 {
		lines = append(lines, []string{"peak memory", fmt.Sprintf("%s (planned %s)", gram.FormatBytes(f.Peak), gram.FormatBytes(f.Planned.Plan.Memory))})
	}
	rows(w, lines)
}

func newFit(inv *invocation) *cobra.Command {
	f := &problemFlags{}
	var out string
	cmd := &cobra.Command{
		Use:   "fit METHOD TABLE -o MODEL",
		Short: "Fit a model and write it to one file",
		Long: `fit reads a table, plans the work, refuses it if it exceeds --max-mem, solves it exactly, and writes one model
file that holds the preparation, the kernel, the coefficients and a few golden rows. The file appears whole or not
at all.`,
		Example: `  mercer fit krr train.csv --target price --kernel 'rbf(sigma=median)' --lambda 1e-3 -o house.mercer
  mercer fit krr heart_scale --kernel 'poly(degree=2, offset=1)' --ridge 1 --loo -o heart.mercer
  zcat train.csv.gz | mercer fit krr - --target last --kernel 'rbf(sigma=1)[age,bmi] + linear' -o m.mercer`,
		Args:              methodAndTable,
		ValidArgsFunction: completeMethod,
		RunE: func(cmd *cobra.Command, args []string) error {
			if out == "" {
				return usagef("name the model file with -o, such as -o house.mercer")
			}
			if err := canWrite(out); err != nil {
				return err
			}
			p, err := f.problem(cmd.Context(), inv, args[1])
			if err != nil {
				return err
			}
			o, err := f.options(cmd, inv, p)
			if err != nil {
				return err
			}
			result, err := inv.fit(cmd, p, o, out)
			if err != nil {
				return err
			}
			return inv.emit(result)
		},
	}
	f.register(cmd)
	cmd.Flags().StringVarP(&out, "output", "o", "", "model file to write")
	return cmd
}

// fit plans, solves and saves.
func (inv *invocation) fit(cmd *cobra.Command, p *pipeline.Problem, o krr.Options, out string) (*fit, error) {
	plan, err := inv.plan(cmd, p, o)
	if err != nil {
		return nil, err
	}
	if err := inv.admit(plan); err != nil {
		return nil, err
	}
	inv.notes(plan.Notes)
	inv.note("preparation: %s", p.Prep)
	inv.note("plan: solver %s, peak memory %s, time about %s", plan.Solver, gram.FormatBytes(plan.Memory), gram.FormatSeconds(plan.Seconds))
	compute, stop := inv.compute()
	defer stop()
	o.Compute = compute
	forgetPeak()
	defer holdTo(plan.Memory)()
	m, err := p.Fit(cmd.Context(), o, inv.seed)
	if err != nil {
		return nil, err
	}
	stop()
	for _, s := range m.Report.Stages {
		inv.detail("%s: %s", s.Name, gram.FormatSeconds(s.Seconds))
	}
	inv.notes(m.Report.Warnings)
	if err := m.Save(cmd.Context(), out); err != nil {
		return nil, err
	}
	form, size := m.Form()
	return &fit{Model: out, Planned: newPlanned(p, plan), Report: m.Report, Peak: peakMemory(),
		Outputs: p.Prep.Outputs(), Form: form, FormSize: size}, nil
}
