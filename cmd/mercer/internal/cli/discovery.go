package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"example.org/mercer/compute"
	"example.org/mercer/internal/atomicfile"
	"example.org/mercer/learner"
	"example.org/mercer/outcome"
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

func (d *discovery) text(w io.Writer) {
	d.fit.text(w)
	if a := d.Agreement; a != nil {
		rows(w, [][]string{{"agreement", fmt.Sprintf("with the %d labels of %s: adjusted Rand index %s, normalised information %s", a.Labels, a.Target, num(float64(a.AdjustedRand)), num(float64(a.Information)))}})
	}
	if r, ok := d.Report.(candidates); ok {
		rows(w, r.Table())
	}
}

// discoveryFlags are those of the verbs beside the method's.
type discoveryFlags struct{ out, model, plot string }

func (f *discoveryFlags) register(cmd *cobra.Command, out string) {
	cmd.Flags().StringVarP(&f.out, "output", "o", "", "CSV file to write, such as "+out)
	cmd.Flags().StringVar(&f.model, "model", "", "model file to write, for predict on new rows")
	cmd.Flags().StringVar(&f.plot, "plot", "", "write a picture, a .png or .svg file")
}

// check reports files that cannot be written before anything is read.
func (f *discoveryFlags) check() error {
	var problems []error
	for _, path := range []string{f.out, f.model} {
		if path != "" {
			problems = append(problems, canWrite(path))
		}
	}
	return errors.Join(append(problems, canDraw(f.plot))...)
}

// newDiscovery returns the verb of a method without a target; out is what its table is
// called in the help.
func newDiscovery(inv *invocation, s *learner.Spec, out string) *cobra.Command {
	f, own := flagsFor(s)
	files, kept := &discoveryFlags{}, &checkpointFlags{}
	cmd := &cobra.Command{
		Use:     s.Name + " TABLE",
		Short:   strings.ToUpper(s.Verb[:1]) + s.Verb[1:] + " by " + s.Title,
		Long:    s.Purpose,
		Example: strings.ReplaceAll(examplesOf(s.Verb, s)+"\n", "\n", " -o "+out+"\n"),
		Args:    oneTable,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := errors.Join(files.check(), kept.check()); err != nil {
				return err
			}
			f.kept, kept.beside = kept, cmp.Or(files.model, files.out)
			p, err := f.problem(cmd.Context(), inv, args[0])
			if err != nil {
				return err
			}
			if err := f.passes.undrawn(files.plot); err != nil {
				return err
			}
			d, err := inv.discover(cmd, p, files, kept, f.prep.targets, own)
			if err != nil {
				return err
			}
			d.Planned.Passes = f.passes.did
			if files.plot != "" {
				if err := d.draw(inv); err != nil {
					return err
				}
			}
			return inv.emit(d)
		},
	}
	f.register(cmd)
	f.registerTreatment(cmd)
	own.register(cmd)
	f.passes.register(cmd)
	files.register(cmd, out)
	kept.register(cmd)
	return inv.cached(cmd)
}

// discover fits the method, and says of the rows of the table what the model says.
func (inv *invocation) discover(cmd *cobra.Command, p *task.Task, files *discoveryFlags, kept *checkpointFlags, targets []string, own *methodFlags) (*discovery, error) {
	d := &discovery{Output: files.out, Plot: files.plot, cmd: cmd, problem: p}
	err := d.compareWith(targets)
	if err != nil {
		return nil, err
	}
	if d.fit, err = inv.fit(cmd, p, files.model, kept, cmp.Or(files.model, files.out), func(how compute.Options) (learner.Learner, error) {
		return own.method(cmd, inv, p, how)
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
func (d *discovery) describeAtOnce(inv *invocation) error {
	if err := d.describe(inv); err != nil {
		return err
	}
	d.labels = d.on.Clusters()
	return d.write(d.on.Runs)
}

// describeInPasses writes what the model says of the rows as it is computed. Of clusters the labels
// are kept where they are compared with groups.
func (d *discovery) describeInPasses(inv *invocation) error {
	if d.Output == "" && d.groups == nil {
		return nil
	}
	how, stop := inv.compute()
	defer stop()
	defer hold(d.problem, d.Planned.Plan)()
	return d.write(func(use func(*outcome.Prediction) error) error {
		return d.fitted.OnEach(d.cmd.Context(), d.problem, how, func(run *outcome.Prediction) error {
			if d.groups != nil {
				d.labels = append(d.labels, run.Clusters()...)
			}
			return use(run)
		})
	})
}

// write writes the lines of runs of rows, if a file is named.
func (d *discovery) write(runs func(use func(*outcome.Prediction) error) error) error {
	if d.Output == "" {
		return runs(func(*outcome.Prediction) error { return nil })
	}
	return atomicfile.Write(d.cmd.Context(), d.Output, func(w io.Writer) error {
		to := &csvLines{w: w}
		return runs(func(run *outcome.Prediction) error { return to.write(tabulate(run, &added{})) })
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
	return usagef("--target names %d columns to compare with: name one, and --drop the others", len(targets))
}

// describe finds what the model says of the rows that it was learned from.
func (d *discovery) describe(inv *invocation) (err error) {
	how, stop := inv.compute()
	defer stop()
	d.on, err = d.fitted.On(d.cmd.Context(), d.problem, how)
	return err
}

// draw draws components or clusters.
func (d *discovery) draw(inv *invocation) error {
	if d.on.Clusters() != nil {
		return d.drawClusters(inv)
	}
	return d.drawComponents()
}
