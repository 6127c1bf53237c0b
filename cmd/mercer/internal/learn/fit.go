package learn

import (
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"example.org/mercer"
	"example.org/mercer/cmd/mercer/internal/flags"
	"example.org/mercer/cmd/mercer/internal/predicted"
	"example.org/mercer/cmd/mercer/internal/verb"
	"example.org/mercer/compute"
	"example.org/mercer/learner"
	"example.org/mercer/outcome/calibrate"
	"example.org/mercer/supervised/dkl"
	"example.org/mercer/task"
)

// fit is what `mercer fit` prints.
type fit struct {
	Model    string         `json:"model,omitempty"`
	Method   string         `json:"method"`
	Planned  Planned        `json:"planned"`
	Report   learner.Report `json:"report"`
	Peak     int64          `json:"peak_memory"` // of the process while fitting, bytes; 0: unknown
	Outputs  []string       `json:"outputs"`
	Form     string         `json:"form"`
	FormSize int            `json:"form_size"`
	// Probabilities is how those of labels were made where the method has none of its
	// own; Conformal says whether the model has scores for intervals or sets.
	Probabilities calibrate.Method `json:"probabilities,omitempty"`
	Conformal     bool             `json:"conformal,omitempty"`
	Plot          string           `json:"plot,omitempty"`
	// Approximation is by landmarks, FeatureMap by features, Exact the command that would not
	// approximate.
	Approximation *task.LandmarkMap `json:"approximation,omitempty"`
	FeatureMap    *task.FeatureMap  `json:"feature_map,omitempty"`
	Exact         string            `json:"exact,omitempty"`
	// Network says how the network of the kernel was learned before the method.
	Network *dkl.Report `json:"network,omitempty"`

	held    [][]string
	verbose bool // all lines of the report
	fitted  *mercer.Model
}

func (f fit) Text(w io.Writer) {
	name := f.Model
	if name == "" {
		name = f.fitted.Source
	}
	fmt.Fprintf(w, "%s: %d rows × %d features → %s\n", name, f.Planned.Rows, f.Planned.Features, verb.ListShort(f.Outputs))
	var lines [][]string
	if f.Planned.Kernel != "" {
		lines = append(lines, []string{"kernel", verb.Brief(f.Planned.Kernel)})
	}
	lines = append(lines, verb.ReportLines(f.Report, f.fitted.Decision.LearnedNames(f.fitted.Prep.Targets()), []string{"form", fmt.Sprintf("%s, %d coefficients per output", f.Form, f.FormSize)}, !f.verbose)...)
	lines = append(lines, verb.ApproximationLines(f.Approximation, f.FeatureMap, f.Exact)...)
	run := f.Report.Ran()
	lines = append(lines, f.held...)
	lines = append(lines, []string{"time", fmt.Sprintf("%s (planned %s)", compute.FormatSeconds(run.Seconds), compute.FormatSeconds(f.Planned.Plan.Seconds))})
	if f.Peak > 0 {
		lines = append(lines, []string{"peak memory", fmt.Sprintf("%s (planned %s)", compute.FormatBytes(f.Peak), compute.FormatBytes(f.Planned.Plan.Memory))})
	}
	verb.Columns(w, lines)
}

func NewFit(inv *verb.Invocation) *cobra.Command {
	return inv.Prints(byMethod(inv, &cobra.Command{
		Aliases: []string{"train"},
		Use:     "fit [METHOD] TABLE -o MODEL",
		Short:   "Fit a model and write it to one file",
		Long: `fit reads a table, plans the work, refuses it if it exceeds --max-mem or --budget, solves it exactly, and writes one model
file that holds the preparation, the kernel, the coefficients and what these need of the training rows, which info lists,
and a few made up rows for a self-test (--no-selftest). The file appears whole or not at all. Nothing is approximated
unless --landmarks or --auto asks for it. Without a method the target decides: krr for numbers, svc for labels (words,
or two values).`,
		Example: `  mercer fit krr train.csv --target price --kernel 'rbf(sigma=median)' --lambda 1e-3 -o house.mercer
  mercer fit krr heart_scale --kernel 'poly(degree=2, offset=1)' --ridge 1 --loo -o heart.mercer
  zcat train.csv.gz | mercer fit krr - --target last --kernel 'rbf(sigma=1)[age,bmi] + linear' -o m.mercer`,
	}, func(s *learner.Spec) *cobra.Command { return newFitMethod(inv, s) }), fit{}, Planned{})
}

func newFitMethod(inv *verb.Invocation, s *learner.Spec) *cobra.Command {
	f, own := flags.For(s)
	held, route, out, picture := &heldFlags{}, &flags.Route{}, "", &pictureFlags{}
	kept, dry := &flags.Checkpoint{}, false
	cmd := &cobra.Command{
		Use:     s.Name + " TABLE -o MODEL",
		Short:   "Fit by " + s.Title,
		Long:    s.Purpose,
		Example: FitExamples(s),
		Args:    oneTable,
		RunE: func(cmd *cobra.Command, args []string) error {
			method := func(p *task.Task, how compute.Options) (learner.Learner, error) {
				m, err := own.Learner(cmd, inv, p, how)
				return held.method(m, inv.Seed), err
			}
			if dry {
				return planFit(flags.Planner{Inv: inv, Cmd: cmd, Flags: f, Method: method}, route, false, args[0])
			}
			if out == "" {
				return verb.Usagef("name the model file with -o, such as -o %s", modelName(args[0]))
			}
			if err := errors.Join(held.check(), kept.Check(), verb.CanWrite(out), picture.check(own.Settings)); err != nil {
				return err
			}
			f.Checkpoint, kept.Beside = kept, out
			p, err := f.Task(cmd.Context(), inv, args[0])
			if err != nil {
				return err
			}
			if err := errors.Join(f.Passes.RefusePlot(picture.plot), held.suits(p)); err != nil {
				return err
			}
			p, plan, err := route.Take(flags.Planner{Inv: inv, Cmd: cmd, Flags: f, Method: method}, p)
			if err != nil {
				return err
			}
			result, err := fitModel(inv, cmd, p, plan, out, kept, out, func(how compute.Options) (learner.Learner, error) { return method(p, how) })
			if err != nil {
				return err
			}
			result.Planned.Passes = f.Passes.Compiled
			if err := drawFit(inv, cmd, s, result, p, f.Prep.Targets, picture); err != nil {
				return err
			}
			return inv.EmitReport(result)
		},
	}
	f.Register(cmd)
	f.RegisterTreatment(cmd)
	own.Register(cmd)
	held.register(cmd, s)
	route.Register(cmd)
	kept.Register(cmd)
	f.Passes.Register(cmd)
	registerModel(cmd, &out)
	registerDryRun(cmd, &dry)
	picture.register(cmd, s)
	return inv.Cached(cmd)
}

// modelName is a name for the model of a table.
func modelName(table string) string {
	name, _, _ := strings.Cut(filepath.Base(table), ".")
	if name == "" || name == "-" || strings.ContainsAny(name, "=, '\"") {
		name = "house"
	}
	return name + ".mercer"
}

// registerModel adds the flag of the model file.
func registerModel(cmd *cobra.Command, out *string) {
	defer verb.OutputGroup.Claim(cmd.Flags())()
	cmd.Flags().StringVarP(out, "output", "o", "", "model file to write; tune fits it to all rows, with the best values that it found")
	registerNoSelfTest(cmd)
}

// drawFit draws a model over the rows that it was learned from, where a picture is asked for.
func drawFit(inv *verb.Invocation, cmd *cobra.Command, s *learner.Spec, f *fit, p *task.Task, targets []string, picture *pictureFlags) error {
	if f.Plot = picture.plot; picture.plot == "" {
		return nil
	}
	if s.Verb != "" {
		d := &discovery{fit: f, Plot: picture.plot, cmd: cmd, problem: p}
		if err := d.compareWith(targets); err != nil {
			return err
		}
		if err := d.describe(inv); err != nil {
			return err
		}
		return d.draw(inv)
	}
	how, stop := inv.Compute()
	defer stop()
	seen, open := p, []int(nil)
	if s.Unlabelled {
		seen, open = withTargets(p)
	}
	on, err := f.fitted.On(cmd.Context(), seen, how)
	if err != nil {
		return err
	}
	stop()
	show := predicted.Picture{Cmd: cmd, Inv: inv, Model: f.fitted, On: on, Table: p.Table(), Open: open}
	switch picture.of {
	case ofNewton:
		return show.Newton(picture.plot)
	case ofLoss:
		return show.Losses(picture.plot)
	}
	return show.Draw(picture.plot)
}

// withTargets returns the task on the rows that have a target, and the rows of the table that have
// none.
func withTargets(p *task.Task) (some *task.Task, open []int) {
	var rows []int
	for i := range p.Rows.Rows {
		if slices.ContainsFunc(p.Rows.Y.RawRowView(i), math.IsNaN) {
			open = append(open, p.Rows.Rows[i])
		} else {
			rows = append(rows, i)
		}
	}
	return p.Part(rows), open
}

// fitModel plans, unless there is a plan, solves and saves, unless out is empty, with a checkpoint
// beside an output.
func fitModel(inv *verb.Invocation, cmd *cobra.Command, p *task.Task, planned *compute.Plan, out string, kept *flags.Checkpoint, beside string, with func(compute.Options) (learner.Learner, error)) (*fit, error) {
	how, stop := inv.Compute()
	defer func() { stop() }()
	p.NoSelfTest = withoutSelfTest(cmd)
	method, err := with(how)
	if err != nil {
		return nil, err
	}
	if planned == nil {
		plan, err := learner.Plan(cmd.Context(), p, method)
		if err != nil {
			return nil, err
		}
		planned = &plan
	}
	plan := *planned
	stop()
	if err := compute.CheckMemory(plan, how.MaxMemory); err != nil {
		return nil, err
	}
	inv.Notes(plan.Notes)
	inv.Note("preparation: %s", p.Prep)
	inv.Note("plan: solver %s, peak memory %s, time about %s", plan.Solver, compute.FormatBytes(plan.Memory), compute.FormatSeconds(plan.Seconds))
	if how.MaxMemory == 0 { // a limit is one of planning, too
		verb.ForgetPeak()
	}
	defer verb.Hold(plan.Memory)()
	m, err := kept.Run(inv, p, method, plan, beside, func(method learner.Learner) (*mercer.Model, error) {
		m, err := mercer.Fit(cmd.Context(), p, method, inv.Seed)
		if err == nil {
			m.Exact, m.Command = flags.ExactFit(cmd, m), flags.FitCommand(cmd)
		}
		if err == nil && out != "" {
			err = inv.Save(cmd.Context(), m, out)
		}
		return m, err
	})
	if err != nil {
		return nil, err
	}
	stop()
	for _, s := range m.Report.Ran().Stages {
		inv.Detail("%s: %s", s.Name, compute.FormatSeconds(s.Seconds))
	}
	inv.Notes(m.Report.Ran().Warnings)
	form, size := m.Form()
	did := newPlanned(p, plan)
	did.Kernel = m.Kernel() // a search may have moved it
	result := &fit{Model: out, Method: m.Method, Planned: did, Report: m.Report, Peak: verb.PeakMemory(),
		Outputs: m.Decision.Outputs, Form: form, FormSize: size, Conformal: m.Conformal() != nil, Network: m.Network, held: verb.HeldLines(m), verbose: inv.Verbose, fitted: m}
	result.Approximation, result.FeatureMap = m.Approximation, m.FeatureMap
	result.Exact = m.Exact
	if c := m.Decision.Calibration; c != nil {
		result.Probabilities = c.Method
	}
	return result, nil
}
