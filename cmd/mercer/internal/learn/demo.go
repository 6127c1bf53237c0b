package learn

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"example.org/mercer"
	"example.org/mercer/cmd/mercer/internal/predicted"
	"example.org/mercer/cmd/mercer/internal/verb"
	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/open"
	"example.org/mercer/data/prep"
	"example.org/mercer/internal/atomicfile"
	"example.org/mercer/learner"
	"example.org/mercer/learner/methods"
	"example.org/mercer/outcome"
	"example.org/mercer/search"
	"example.org/mercer/supervised/krr"
	"example.org/mercer/task"
	"example.org/mercer/tune"
)

// demonstration is what `mercer demo` prints at the end, and with --json.
type demonstration struct {
	Data       string      `json:"data"`
	Train      string      `json:"train"`
	Test       string      `json:"test"`
	Plan       Planned     `json:"plan"`
	Tuned      *pathResult `json:"tuned"`
	Model      string      `json:"model"`
	Picture    string      `json:"picture"`
	RMSE       float64     `json:"test_rmse"`
	LinearRMSE float64     `json:"linear_test_rmse"`
	Noise      float64     `json:"noise"`
}

func (d demonstration) Text(w io.Writer) {
	fmt.Fprintln(w, "\n5. Test on rows it has not seen")
	verb.Columns(w, [][]string{
		{"   kernel ridge regression", "RMSE " + verb.Num(d.RMSE)},
		{"   linear least squares", "RMSE " + verb.Num(d.LinearRMSE)},
		{"   noise in the data", "RMSE " + verb.Num(d.Noise) + ": nobody can do better"},
	})
	fmt.Fprintf(w, "\nWritten: the model %s and a picture of fit and residuals, %s.\n", d.Model, d.Picture)
	fmt.Fprintf(w, `
Try next:
  mercer info %[1]s --verify
  mercer predict %[1]s %[2]s --interval 0.9
  mercer explain %[1]s %[2]s --row 1 --top 5
  mercer kernel '%[3]s'
and on your own file:
  mercer plan krr FILE --target COLUMN
  mercer tune krr FILE --target COLUMN --kernel 'rbf(sigma=?)' -o my.mercer
`, d.Model, d.Test, "rbf(sigma=1) + linear")
}

func NewDemo(inv *verb.Invocation) *cobra.Command {
	var dir string
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Run the whole job on a generated data set: plan, tune, fit, test, picture",
		Long: `demo generates a data set that no linear method can learn, splits it, predicts the cost of the work, tunes a kernel
and λ by exact leave-one-out, fits, compares the test error with least squares, and writes the tables, the model and
a picture into a folder. The data are Friedman's first benchmark function:
  ` + friedmanText,
		Example: `  mercer demo
  mercer demo --dir /tmp/tour --seed 7 --json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			d, err := demonstrate(inv, cmd, dir)
			if err != nil {
				return err
			}
			return inv.EmitReport(d)
		},
	}
	cmd.Flags().StringVar(&dir, "dir", "mercer-demo", "folder to write to; made if it is not there")
	return inv.Prints(cmd, demonstration{})
}

// step tells what happens, unless JSON is wanted.
func step(inv *verb.Invocation, format string, args ...any) {
	if !inv.JSON && !inv.Quiet {
		fmt.Fprintf(inv.Stdout, format+"\n", args...)
	}
}

// demonstrate is the main job of the command, in the order in which a user does it.
func demonstrate(inv *verb.Invocation, cmd *cobra.Command, dir string) (*demonstration, error) {
	d := &demonstration{Data: friedmanText, Noise: 1, Train: filepath.Join(dir, "train.csv"), Test: filepath.Join(dir, "test.csv"),
		Model: filepath.Join(dir, "friedman.mercer"), Picture: filepath.Join(dir, "fit.png")}
	if err := generate(inv, cmd.Context(), dir, d); err != nil {
		return nil, err
	}
	train, err := open.Read(cmd.Context(), d.Train, open.Options{})
	if err != nil {
		return nil, err
	}
	if err := demoPlan(inv, cmd, d, train); err != nil {
		return nil, err
	}
	m, err := demoTuneAndFit(inv, cmd, d, train)
	if err != nil {
		return nil, err
	}
	return d, demoTest(inv, cmd, d, train, m)
}

var demoSpec = prep.Spec{Targets: []string{"y"}}

func demoPlan(inv *verb.Invocation, cmd *cobra.Command, d *demonstration, train *data.Table) error {
	p, err := task.New(cmd.Context(), train, demoSpec, "rbf(sigma=median)")
	if err != nil {
		return err
	}
	how, stop := inv.Compute()
	defer stop()
	const plannedLambda = 1e-3 // whatever it is, the plan is the same
	plan, err := learner.Plan(cmd.Context(), p, methods.KRR{Options: krr.Options{Lambda: plannedLambda, LOO: true, Compute: how}})
	if err != nil {
		return err
	}
	stop()
	d.Plan = newPlanned(p, plan)
	step(inv, "\n2. Plan: what will it cost?\n   %d rows × %d features; %s\n   solver %s, peak memory %s, time about %s", d.Plan.Rows, d.Plan.Features, d.Plan.Prep,
		plan.Solver, compute.FormatBytes(plan.Memory), compute.FormatSeconds(plan.Seconds))
	return nil
}

func demoTuneAndFit(inv *verb.Invocation, cmd *cobra.Command, d *demonstration, train *data.Table) (*mercer.Model, error) {
	how, stop := inv.Compute()
	defer stop()
	wanted := search.Search{Ranges: search.Ranges{PerColumn: true}, Options: tune.Options{Seed: inv.Seed, Compute: how}}
	p, _, tuned, err := search.Tune(cmd.Context(), train, demoSpec, "rbf(sigma=?)", methods.KRR{Options: krr.Options{Compute: how}}, wanted)
	if err != nil {
		return nil, err
	}
	stop()
	d.Tuned = newPathResult(tuned)
	step(inv, "\n3. Tune λ and one bandwidth per column by exact leave-one-out (%d trials, %s)\n   %s\n   λ = %s, leave-one-out RMSE %s", len(tuned.Trials),
		compute.FormatSeconds(tuned.Seconds), verb.Brief(tuned.Kernel), verb.Num(tuned.Lambda()), verb.Num(tuned.Point.LOO.RMSE[0]))
	m, err := mercer.Fit(cmd.Context(), p, methods.KRR{Options: krr.Options{Lambda: tuned.Lambda(), LOO: true, Compute: how}}, inv.Seed)
	if err != nil {
		return nil, err
	}
	if err := m.Save(cmd.Context(), d.Model); err != nil {
		return nil, err
	}
	step(inv, "\n4. Fit and save, %s", compute.FormatSeconds(m.Report.Ran().Seconds))
	for _, line := range m.Report.Lines() {
		if line.Name == "solver" || line.Name == "residual" {
			step(inv, "   %s %s", line.Name, line.Text)
		}
	}
	return m, nil
}

func demoTest(inv *verb.Invocation, cmd *cobra.Command, d *demonstration, train *data.Table, m *mercer.Model) error {
	ctx := cmd.Context()
	how, stop := inv.Compute()
	defer stop()
	test, err := open.Read(ctx, d.Test, open.Options{})
	if err != nil {
		return err
	}
	prediction, err := m.Test(ctx, test, how)
	if err != nil {
		return err
	}
	if d.RMSE, err = rmseOf(prediction); err != nil {
		return err
	}
	linear, err := task.New(ctx, train, demoSpec, "linear")
	if err != nil {
		return err
	}
	// A ridge of 1e-9 on standardised columns is least squares to nine digits.
	baseline, err := mercer.Fit(ctx, linear, methods.KRR{Options: krr.Options{Ridge: 1e-9, Compute: how}}, inv.Seed)
	if err != nil {
		return err
	}
	straight, err := baseline.Test(ctx, test, how)
	if err != nil {
		return err
	}
	if d.LinearRMSE, err = rmseOf(straight); err != nil {
		return err
	}
	return predicted.Picture{Cmd: cmd, Inv: inv, Model: m, On: prediction, Table: test}.Draw(d.Picture)
}

func rmseOf(p *outcome.Prediction) (float64, error) {
	scores, err := p.Scores()
	if err != nil {
		return 0, err
	}
	return scores[0].RMSE, nil
}

// generate writes the two tables.
func generate(inv *verb.Invocation, ctx context.Context, dir string, d *demonstration) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return fmt.Errorf("demo: %w; choose another folder with --dir", err)
	}
	r := rand.New(rand.NewPCG(inv.Seed, 1991))
	for _, part := range []struct {
		path string
		rows int
	}{{d.Train, friedmanTrain}, {d.Test, friedmanTest}} {
		err := atomicfile.Write(ctx, part.path, func(w io.Writer) error { return writeFriedman(w, r, part.rows) })
		if err != nil {
			return err
		}
	}
	step(inv, "1. Generate a data set that is not linear\n   %s\n   %s (%d rows), %s (%d rows)", d.Data, d.Train, friedmanTrain, d.Test, friedmanTest)
	return nil
}
