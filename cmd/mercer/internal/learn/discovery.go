package learn

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"example.org/mercer/cmd/mercer/internal/flags"
	"example.org/mercer/cmd/mercer/internal/verb"
	"example.org/mercer/compute"
	"example.org/mercer/learner"
	"example.org/mercer/outcome"
	"example.org/mercer/outcome/tabular"
	"example.org/mercer/task"
)

// discovery is what the verbs of methods without a target print: `mercer embed` and
// `mercer cluster`.
type discovery struct {
	*fit
	Output    string     `json:"output,omitempty"` // scores or clusters of the rows
	Plot      string     `json:"plot,omitempty"`
	Agreement *agreement `json:"agreement,omitempty"`

	cmd     *cobra.Command
	problem *task.Task
	on      *outcome.Prediction // of the rows of the table; nil where these are read in passes
	labels  []int               // the cluster of every row; nil: there are none, or nobody asks
	target  string              // the column that was set aside; "": none
	groups  []string            // its cells
	group   []int               // that of every row
}

func (d *discovery) Text(w io.Writer) {
	d.fit.Text(w)
	if a := d.Agreement; a != nil {
		verb.Columns(w, [][]string{{"agreement", fmt.Sprintf("with the %d labels of %s: adjusted Rand index %s, normalised information %s", a.Labels, a.Target, verb.Num(float64(a.AdjustedRand)), verb.Num(float64(a.Information)))}})
	}
	if r, ok := d.Report.(candidates); ok {
		verb.Columns(w, r.Table())
	}
}

// discoveryFlags are those of the verbs beside the method's.
type discoveryFlags struct{ out, model, plot string }

func (f *discoveryFlags) register(cmd *cobra.Command, out string) {
	cmd.Flags().StringVarP(&f.out, "output", "o", "", "CSV file to write, such as "+out)
	cmd.Flags().StringVar(&f.model, "model", "", "model file to write, for predict on new rows")
	registerNoSelfTest(cmd)
	cmd.Flags().StringVar(&f.plot, "plot", "", "write a picture, a .png or .svg file")
}

// check reports files that cannot be written before anything is read.
func (f *discoveryFlags) check() error {
	var problems []error
	for _, path := range []string{f.out, f.model} {
		if path != "" {
			problems = append(problems, verb.CanWrite(path))
		}
	}
	return errors.Join(append(problems, verb.CanDraw(f.plot))...)
}

// newDiscovery returns the verb of a method without a target; out is what its table is
// called in the help.
func newDiscovery(inv *verb.Invocation, s *learner.Spec, out string) *cobra.Command {
	f, own := flags.For(s)
	files, kept, dry := &discoveryFlags{}, &flags.Checkpoint{}, false
	cmd := &cobra.Command{
		Use:     s.Name + " TABLE",
		Short:   strings.ToUpper(s.Verb[:1]) + s.Verb[1:] + " by " + s.Title,
		Long:    s.Purpose,
		Example: strings.ReplaceAll(examplesOf(s.Verb, s)+"\n", "\n", " -o "+out+"\n"),
		Args:    oneTable,
		RunE: func(cmd *cobra.Command, args []string) error {
			if dry {
				with := flags.Planner{Inv: inv, Cmd: cmd, Flags: f, Method: func(p *task.Task, how compute.Options) (learner.Learner, error) {
					return own.Learner(cmd, inv, p, how)
				}}
				return planFit(with, &flags.Route{}, false, args[0])
			}
			if err := errors.Join(files.check(), kept.Check()); err != nil {
				return err
			}
			f.Checkpoint, kept.Beside = kept, cmp.Or(files.model, files.out)
			p, err := f.Task(cmd.Context(), inv, args[0])
			if err != nil {
				return err
			}
			if err := f.Passes.RefusePlot(files.plot); err != nil {
				return err
			}
			d, err := discover(inv, cmd, p, files, kept, f.Prep.Targets, own)
			if err != nil {
				return err
			}
			d.Planned.Passes = f.Passes.Compiled
			if files.plot != "" {
				if err := d.draw(inv); err != nil {
					return err
				}
			}
			if cmp.Or(files.out, files.model, files.plot) != "" {
				return inv.EmitReport(d)
			}
			return inv.Emit(d)
		},
	}
	f.Register(cmd)
	f.RegisterTreatment(cmd)
	own.Register(cmd)
	f.Passes.Register(cmd)
	files.register(cmd, out)
	kept.Register(cmd)
	registerDryRun(cmd, &dry)
	return inv.Cached(cmd)
}

// discover fits the method, and says of the rows of the table what the model says.
func discover(inv *verb.Invocation, cmd *cobra.Command, p *task.Task, files *discoveryFlags, kept *flags.Checkpoint, targets []string, own *flags.Method) (*discovery, error) {
	d := &discovery{Output: files.out, Plot: files.plot, cmd: cmd, problem: p}
	err := d.compareWith(targets)
	if err != nil {
		return nil, err
	}
	if d.fit, err = fitModel(inv, cmd, p, nil, files.model, kept, cmp.Or(files.model, files.out), func(how compute.Options) (learner.Learner, error) {
		return own.Learner(cmd, inv, p, how)
	}); err != nil {
		return nil, err
	}
	if p.Streamed() {
		err = d.describeInPasses(inv)
	} else {
		err = d.describeAtOnce(inv)
	}
	if err == nil {
		d.agree()
	}
	return d, err
}

// describeAtOnce finds what the model says of all rows, and writes it.
func (d *discovery) describeAtOnce(inv *verb.Invocation) error {
	if err := d.describe(inv); err != nil {
		return err
	}
	d.labels = d.on.Clusters()
	return d.write(inv, d.on.Runs)
}

// describeInPasses writes what the model says of the rows as it is computed. Of clusters the labels
// are kept where they are compared with groups.
func (d *discovery) describeInPasses(inv *verb.Invocation) error {
	if d.Output == "" && d.groups == nil {
		return nil
	}
	how, stop := inv.Compute()
	defer stop()
	defer verb.Hold(d.Planned.Plan.Memory)()
	return d.write(inv, func(use func(*outcome.Prediction) error) error {
		return d.fitted.OnEach(d.cmd.Context(), d.problem, how, func(run *outcome.Prediction) error {
			if d.groups != nil {
				d.labels = append(d.labels, run.Clusters()...)
			}
			return use(run)
		})
	})
}

// write writes the lines of runs of rows, if a file is named.
func (d *discovery) write(inv *verb.Invocation, runs func(use func(*outcome.Prediction) error) error) error {
	if d.Output == "" {
		return runs(func(*outcome.Prediction) error { return nil })
	}
	return inv.WriteFile(d.cmd.Context(), d.Output, func(w io.Writer) error {
		to := &tabular.CSV{W: w}
		return runs(func(run *outcome.Prediction) error { return to.Write(tabular.Tabulate(run, &tabular.Additions{})) })
	})
}

// compareWith groups the rows by the column that was set aside, if there is one.
func (d *discovery) compareWith(targets []string) (err error) {
	switch len(targets) {
	case 0:
		return nil
	case 1:
		d.target, d.groups, d.group, err = d.problem.Groups(targets[0])
		return err
	}
	return verb.Usagef("--target names %d columns to compare with: name one, and --drop the others", len(targets))
}

// describe finds what the model says of the rows that it was learned from.
func (d *discovery) describe(inv *verb.Invocation) (err error) {
	how, stop := inv.Compute()
	defer stop()
	d.on, err = d.fitted.On(d.cmd.Context(), d.problem, how)
	return err
}

// draw draws components or clusters.
func (d *discovery) draw(inv *verb.Invocation) error {
	if d.on.Clusters() != nil {
		return d.drawClusters(inv)
	}
	return d.drawComponents()
}

// What some reports have beside their lines.
type (
	// candidates is the report of a method that compared candidates: a table of them.
	candidates interface{ Table() [][]string }
	// components has the shares of the variance that components explain.
	components interface{ ExplainedRatio() []float64 }
)
