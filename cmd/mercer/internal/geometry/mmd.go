package geometry

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"example.org/mercer"
	"example.org/mercer/cmd/mercer/internal/figure"
	"example.org/mercer/cmd/mercer/internal/flags"
	"example.org/mercer/cmd/mercer/internal/verb"
	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/rkhs"
	"example.org/mercer/task"
)

// compared is what `mercer geom mmd` prints.
type compared struct {
	Samples  [2]string       `json:"samples"`
	Kernel   string          `json:"kernel"`
	Level    float64         `json:"level"`
	Rejected bool            `json:"rejected"`
	Test     *rkhs.TwoSample `json:"test"`
	// Approximation is by landmarks, FeatureMap by features, Exact the command that would not
	// approximate.
	Approximation *task.LandmarkMap `json:"approximation,omitempty"`
	FeatureMap    *task.FeatureMap  `json:"feature_map,omitempty"`
	Exact         string            `json:"exact,omitempty"`
	Plot          string            `json:"plot,omitempty"`
}

func (c compared) Text(w io.Writer) {
	t := c.Test
	lines := [][]string{
		{"samples", fmt.Sprintf("%s (%d rows), %s (%d rows)", c.Samples[0], t.M, c.Samples[1], t.N)},
		{"kernel", verb.Brief(c.Kernel)},
		{"MMD²", fmt.Sprintf("%s (%s)", verb.Num(t.MMD2), t.Statistic)},
	}
	if t.Null != rkhs.Normal {
		lines = append(lines, []string{"‖μ_X − μ_Y‖", rootOf(t.Biased, t.Biased)})
	}
	lines = append(lines, []string{"p", fmt.Sprintf("%s (%s)", verb.Num(t.P), nullText(t.Null, len(t.Permuted), t.Blocks))})
	verb.Columns(w, slices.Concat(lines, verb.LandmarkLines(c.Approximation, c.Exact), verb.FeatureMapLines(c.FeatureMap, c.Exact)))
	fmt.Fprintln(w, verdict(c.Rejected, c.Level, "the samples come from two distributions", "the samples may come from one distribution"))
}

// nullText says what a statistic was compared with.
func nullText(null rkhs.Null, permutations, blocks int) string {
	switch null {
	case rkhs.Permutation:
		return fmt.Sprintf("%d permutations", permutations)
	case rkhs.Normal:
		return fmt.Sprintf("normal, %d blocks", blocks)
	}
	return "gamma with the moments of all permutations"
}

// verdict says in words what a p-value means at a level.
func verdict(rejected bool, level float64, yes, no string) string {
	if rejected {
		return fmt.Sprintf("rejected at the level %g: %s", level, yes)
	}
	return fmt.Sprintf("not rejected at the level %g: %s", level, no)
}

// testFlags are those of both tests.
type testFlags struct {
	null         string
	permutations int
	level        float64
	plot         string
}

func (f *testFlags) register(cmd *cobra.Command, picture string, nulls []string) {
	set := cmd.Flags()
	set.StringVar(&f.null, "null", "", "what the statistic is compared with: "+fmt.Sprint(nulls)+"; default: "+nulls[0])
	set.IntVar(&f.permutations, "permutations", 0, "number of permutations; default 1000")
	set.Float64Var(&f.level, "level", 0.05, "reject where p is at most this")
	set.StringVar(&f.plot, "plot", "", picture)
	verb.Choices(cmd, "null", nulls)
}

func (f *testFlags) check(cmd *cobra.Command, weights string) error {
	if !(f.level > 0 && f.level < 1) {
		return verb.Usagef("--level is %g; give the probability of a false alarm that is allowed, such as 0.05", f.level)
	}
	if weights != "" {
		return verb.Usagef("--weights: a test by permutation needs rows that count alike; a row that counts twice is not a row and its copy")
	}
	if f.permutations < 0 || cmd.Flags().Changed("permutations") && f.permutations == 0 {
		return verb.Usagef("--permutations is %d; give a positive number, such as 1000", f.permutations)
	}
	if f.plot != "" {
		if e := verb.Ext(f.plot); e != ".png" && e != ".svg" {
			return verb.Usagef("picture %q: the name must end in .png or .svg", f.plot)
		}
		return verb.CanWrite(f.plot)
	}
	return nil
}

// mmdFlags say which samples to compare, and how.
type mmdFlags struct {
	problem   *flags.Problem
	test      testFlags
	statistic string
	block     int
	by        string
	levels    []string
}

func newGeomMMD(inv *verb.Invocation) *cobra.Command {
	f := &mmdFlags{}
	cmd := &cobra.Command{
		Use:   "mmd A B",
		Short: "Test whether the rows of two tables come from one distribution: maximum mean discrepancy",
		Long: `mmd compares the barycentres of two samples in feature space. ‖μ_X − μ_Y‖² is large where they come from two
distributions; with a kernel such as rbf any difference shows, not only one of means. The p-value is the probability of such a
statistic, or a larger one, if there is no difference.

Both tables are prepared together: means, deviations, levels and words of the kernel (median) are those of all rows, which do not
change when rows change tables. The columns must be the same. One table with a column that tells the samples apart is split by
--by; --levels names two of its levels.

  --statistic quadratic  all pairs of rows, unbiased (default); biased: ‖μ_X − μ_Y‖² itself
  --statistic linear     disjoint pairs of rows, for very many rows; block: all pairs within blocks
  --null permutation     exact for any number of rows (default); one Gram matrix serves all permutations
  --null gamma           a gamma distribution with the moments of all permutations; no matrix is stored
  --landmarks, --random-features   D features of each row instead of the Gram matrix: for many rows. The approximation looks at
                         rows and not at samples, so that the level stays what it is; its error is in the report

--plot draws the witness μ_X − μ_Y, which is positive where the first sample is denser: over one or two numeric features as it
is, otherwise by its values at the rows. Beside it stands the null with the statistic.`,
		Example: `  mercer geom mmd before.csv after.csv --kernel 'rbf(sigma=median)' --plot witness.png
  mercer geom mmd iris.csv --by last --levels Iris-versicolor,Iris-virginica --permutations 5000
  mercer geom mmd a.csv b.csv --statistic block --kernel 'rbf(sigma=1)' --json
  mercer geom mmd a.csv b.csv --landmarks 200`,
		Args: cobra.RangeArgs(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.check(cmd, len(args)); err != nil {
				return err
			}
			return testSamples(inv, cmd, f, args)
		},
	}
	f.problem = geomFlags(cmd)
	f.problem.RegisterApproximation(cmd)
	statistics := make([]string, len(rkhs.Statistics))
	for i, s := range rkhs.Statistics {
		statistics[i] = string(s)
	}
	f.test.register(cmd, "write a picture of the witness and the null, a .png or .svg file", []string{"permutation", "gamma"})
	cmd.Flags().StringVar(&f.statistic, "statistic", statistics[0], fmt.Sprint(statistics))
	cmd.Flags().IntVar(&f.block, "block-size", 0, "rows of each sample in a block; default: the root of the smaller sample")
	cmd.Flags().StringVar(&f.by, "by", "", "split one table by the levels of this column")
	cmd.Flags().StringSliceVar(&f.levels, "levels", nil, "two levels of the column --by; default: its only two")
	verb.Choices(cmd, "statistic", statistics)
	return inv.Prints(inv.Cached(cmd), compared{})
}

// check reports flags that contradict themselves, before anything is read.
func (f *mmdFlags) check(cmd *cobra.Command, tables int) error {
	switch s := rkhs.Statistic(f.statistic); {
	case tables == 1 && f.by == "":
		return verb.Usagef("give two tables, or one and the column that tells the samples apart (--by)")
	case tables == 2 && f.by != "":
		return verb.Usagef("--by splits one table, and there are two")
	case f.levels != nil && f.by == "":
		return verb.Usagef("--levels are those of a column that --by names")
	case !slices.Contains(rkhs.Statistics, s):
		return verb.Usagef("--statistic %q is not known; one of %q is", f.statistic, rkhs.Statistics)
	case f.test.null != "" && (s == rkhs.Linear || s == rkhs.Block):
		return verb.Usagef("--null: the %s statistic is a mean of independent terms and compared with a normal distribution", s)
	case f.test.null != "" && f.test.null != string(rkhs.Permutation) && f.test.null != string(rkhs.Gamma):
		return verb.Usagef("--null %q is not known; there are permutation and gamma", f.test.null)
	case (f.problem.Landmarks.Count != "" || f.problem.Features.Count != 0) && (s == rkhs.Linear || s == rkhs.Block):
		return verb.Usagef("the %s statistic takes few kernel values of each row, and needs no landmarks or features: leave them out, or take the statistic quadratic", s)
	case f.block != 0 && (s != rkhs.Block || f.block < 2):
		return verb.Usagef("--block-size %d: blocks of at least two rows belong to --statistic block", f.block)
	}
	return f.test.check(cmd, f.problem.Prep.Weights)
}

// testSamples reads the samples, tests and draws.
func testSamples(inv *verb.Invocation, cmd *cobra.Command, f *mmdFlags, args []string) error {
	ctx := cmd.Context()
	s, names, err := f.samples(ctx, inv, args)
	if err != nil {
		return verb.Blame(err)
	}
	inv.Notes(s.Rows.Notes)
	how, stop := inv.Compute()
	defer stop()
	kernel := s.Kernel()
	reduction, err := f.problem.Approximation(inv, how)
	if err != nil {
		return err
	}
	if s, err = s.Reduced(ctx, reduction, how); err != nil {
		return err
	}
	test, err := s.Compare(ctx, rkhs.MMDOptions{Statistic: rkhs.Statistic(f.statistic), Null: rkhs.Null(f.test.null), Permutations: f.test.permutations,
		BlockSize: f.block, Seed: inv.Seed, Compute: how})
	if err != nil {
		return err
	}
	if f.test.plot != "" {
		if err := drawMMD(cmd, s, names, test, how, f.test.plot); err != nil {
			return err
		}
	}
	stop()
	inv.Notes(test.Warnings)
	result := compared{Samples: names, Kernel: kernel, Level: f.test.level, Rejected: test.P <= f.test.level, Test: test, Plot: f.test.plot,
		Approximation: s.LandmarkMap, FeatureMap: s.FeatureMap}
	if reduction.Wanted() {
		result.Exact = flags.ExactCommand(cmd, args)
	}
	return inv.Emit(result)
}

// samples reads two tables, or splits one.
func (f *mmdFlags) samples(ctx context.Context, inv *verb.Invocation, args []string) (*mercer.Samples, [2]string, error) {
	spec, err := f.problem.Prep.Spec()
	if err != nil {
		return nil, [2]string{}, err
	}
	tables, names := make([]*data.Table, 2), [2]string{}
	for i, path := range args {
		if tables[i], err = f.problem.Table.Read(ctx, inv, path, f.problem.Prep.ID); err != nil {
			return nil, names, err
		}
		names[i] = filepath.Base(path)
	}
	if f.by != "" {
		var levels []string
		if tables[0], tables[1], levels, err = mercer.SplitBy(tables[0], f.by, f.levels); err != nil {
			return nil, names, err
		}
		names = [2]string{levels[0], levels[1]}
	}
	s, err := mercer.NewSamples(ctx, tables[0], tables[1], spec, f.problem.Kernel)
	return s, names, err
}

// drawMMD draws the witness beside the null.
func drawMMD(cmd *cobra.Command, s *mercer.Samples, names [2]string, t *rkhs.TwoSample, o compute.Options, path string) error {
	pic := figure.Tested{Null: figure.Null{Title: "the statistic if there were no difference", Statistic: "MMD²", Permuted: t.Permuted, Observed: t.MMD2, P: t.P}}
	switch {
	case t.Law != nil:
		scale := float64(t.M+t.N) / float64(t.M) / float64(t.N) // the law is that of Biased/scale
		pic.Null.Density = densityOf(t.Law, scale, t.Biased)
		pic.Null.Observed, pic.Null.Statistic = t.Biased, "MMD² (biased)"
	case t.Null == rkhs.Normal:
		pic.Null.Density = normalDensity(t.Deviation, t.MMD2)
	}
	w := &figure.Witness{Title: "witness: where " + names[0] + " is denser than " + names[1], Samples: names, First: s.M}
	const side = 120
	l, err := s.Landscape(cmd.Context(), side, o)
	if err != nil {
		return err
	}
	if l != nil {
		w.Features, w.Axes, w.Values, w.Points = l.Features, l.Axes, l.Values, l.Points
	} else if w.AtRows, err = s.Witness(cmd.Context(), nil, o); err != nil {
		return err
	}
	pic.Witness = w
	return verb.WritePicture(cmd, path, pic)
}
