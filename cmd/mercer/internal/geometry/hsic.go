package geometry

import (
	"fmt"
	"io"
	"math"

	"github.com/spf13/cobra"

	"example.org/mercer"
	"example.org/mercer/cmd/mercer/internal/figure"
	"example.org/mercer/cmd/mercer/internal/flags"
	"example.org/mercer/cmd/mercer/internal/verb"
	"example.org/mercer/learner"
	"example.org/mercer/rkhs"
	"example.org/mercer/task"
)

// depended is what `mercer geom hsic` prints.
type depended struct {
	X        []string         `json:"x"`
	Y        []string         `json:"y"`
	KernelX  string           `json:"kernel_x"`
	KernelY  string           `json:"kernel_y"`
	Level    float64          `json:"level"`
	Rejected bool             `json:"rejected"`
	Test     *rkhs.Dependence `json:"test"`
	// Approximations are by landmarks, FeatureMaps by features, of x and of y; Exact is the command
	// that would not approximate.
	Approximations []*task.LandmarkMap `json:"approximations,omitempty"`
	FeatureMaps    []*task.FeatureMap  `json:"feature_maps,omitempty"`
	Exact          string              `json:"exact,omitempty"`
	Plot           string              `json:"plot,omitempty"`
}

func (d depended) Text(w io.Writer) {
	side := func(kernel string, names []string) string {
		if names == nil {
			return verb.Brief(kernel)
		}
		return fmt.Sprintf("%s on %s", verb.Brief(kernel), verb.ListShort(names))
	}
	lines := [][]string{
		{"rows", fmt.Sprint(d.Test.N)},
		{"x", side(d.KernelX, d.X)},
		{"y", side(d.KernelY, d.Y)},
		{"HSIC", verb.Num(d.Test.HSIC)},
		{"alignment", fmt.Sprintf("%s, from 0 (independent) to 1", verb.Num(d.Test.Alignment))},
		{"p", fmt.Sprintf("%s (%s)", verb.Num(d.Test.P), nullText(d.Test.Null, len(d.Test.Permuted), 0))},
	}
	for i, side := range []string{" of x", " of y"} {
		var said [][]string
		if d.Approximations != nil {
			said = verb.LandmarkLines(d.Approximations[i], "")
		} else if d.FeatureMaps != nil {
			said = verb.FeatureMapLines(d.FeatureMaps[i], "")
		}
		for _, line := range said {
			lines = append(lines, []string{line[0] + side, line[1]})
		}
	}
	if d.Exact != "" {
		lines = append(lines, []string{"exact", d.Exact})
	}
	verb.Columns(w, lines)
	fmt.Fprintln(w, verdict(d.Rejected, d.Level, "x and y depend on each other", "x and y may be independent"))
}

func newGeomHSIC(inv *verb.Invocation) *cobra.Command {
	f, t := &flags.Problem{Prep: flags.Preparation{Learns: learner.NoTarget}}, &testFlags{}
	var x, y []string
	var kernelY string
	cmd := &cobra.Command{
		Use:   "hsic TABLE --x COLUMNS",
		Short: "Test whether two groups of columns are independent: Hilbert–Schmidt independence criterion",
		Long: `hsic compares two kernels on the same rows, one on the columns --x, the other on the columns --y. HSIC is the squared norm of
the covariance of their features; with kernels such as rbf it is zero in the limit only for independent columns, whatever the form of
the dependence. The alignment is the same, scaled to at most 1. The p-value is the probability of such an HSIC, or a
larger one, for independent columns.

Columns are names, positions (#3, last) or patterns (hist*); without --y it has all columns but those of --x. Categories are one-hot. A
row with a missing cell is left out of both sides (--missing drop). With --landmarks or --random-features either side has so many
features of each row instead of a Gram matrix; the level of the test stays what it is. gram(file="…") as one of the kernels compares rows by their --id.`,
		Example: `  mercer geom hsic train.csv --x 'hist*' --y age,bmi
  mercer geom hsic iris.csv --x '#1' --y last --kernel 'rbf(sigma=median)' --kernel-y linear --plot null.png
  mercer geom hsic diabetes.tsv --x SEX --null gamma --json
  mercer geom hsic big.csv --x '#1' --y last --landmarks 100`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			parsed, err := task.Parse(f.Kernel)
			switch {
			case err != nil:
				return verb.Blame(err)
			case len(x) == 0 && parsed.Kind != task.OnRowIDs:
				return verb.Usagef("name the columns of one side with --x, such as --x 'hist*'")
			case t.null != "" && t.null != string(rkhs.Permutation) && t.null != string(rkhs.Gamma):
				return verb.Usagef("--null %q is not known; there are permutation and gamma", t.null)
			}
			if err := t.check(cmd, f.Prep.Weights); err != nil {
				return err
			}
			if kernelY == "" {
				kernelY = f.Kernel
			}
			return testIndependence(inv, cmd, f, t, mercer.Side{Columns: x, Kernel: f.Kernel}, mercer.Side{Columns: y, Kernel: kernelY}, args)
		},
	}
	f.Register(cmd)
	f.RegisterApproximation(cmd)
	t.register(cmd, "write a picture of the null with the statistic, a .png or .svg file", []string{"permutation", "gamma"})
	cmd.Flags().StringSliceVar(&x, "x", nil, "columns of one side: names, positions or patterns (repeatable)")
	cmd.Flags().StringSliceVar(&y, "y", nil, "columns of the other side; default: all others (repeatable)")
	cmd.Flags().StringVar(&kernelY, "kernel-y", "", "kernel of the other side; default: --kernel")
	return inv.Prints(inv.Cached(cmd), depended{})
}

// testIndependence reads both descriptions, tests and draws.
func testIndependence(inv *verb.Invocation, cmd *cobra.Command, f *flags.Problem, t *testFlags, x, y mercer.Side, args []string) error {
	spec, err := f.Prep.Spec()
	if err != nil {
		return err
	}
	table, err := f.Table.Read(cmd.Context(), inv, args[0], f.Prep.ID)
	if err != nil {
		return err
	}
	p, err := mercer.NewPair(cmd.Context(), table, spec, x, y)
	if err != nil {
		return verb.Blame(err)
	}
	inv.Notes(p.Rows.Notes)
	how, stop := inv.Compute()
	defer stop()
	result := depended{X: p.XNames, Y: p.YNames, Level: t.level, Plot: t.plot}
	result.KernelX, result.KernelY = p.Kernels()
	reduction, err := f.Approximation(inv, how)
	if err != nil {
		return err
	}
	if p, err = p.Reduced(cmd.Context(), reduction, how); err != nil {
		return err
	}
	test, err := p.Independence(cmd.Context(), rkhs.HSICOptions{Null: rkhs.Null(t.null), Permutations: t.permutations, Seed: inv.Seed, Compute: how})
	if err != nil {
		return err
	}
	stop()
	inv.Notes(test.Warnings)
	if t.plot != "" {
		pic := figure.Null{Title: "HSIC if x and y were independent", Statistic: "HSIC", Permuted: test.Permuted, Observed: test.HSIC, P: test.P}
		if test.Law != nil {
			pic.Density = densityOf(test.Law, 1, test.HSIC)
		}
		if err := verb.WritePicture(cmd, t.plot, pic); err != nil {
			return err
		}
	}
	result.Test, result.Rejected = test, test.P <= t.level
	if reduction.Wanted() {
		result.Exact = flags.ExactCommand(cmd, args)
	}
	if reduction.Landmarks != nil {
		result.Approximations = p.Approximations[:]
	} else if reduction.Features != nil {
		result.FeatureMaps = p.FeatureMaps[:]
	}
	return inv.Emit(result)
}

// densityOf draws the gamma law of a statistic, which is scale times what the law is of,
// up to where it was observed.
func densityOf(law *rkhs.GammaLaw, scale, observed float64) *figure.Curve {
	mean, deviation := law.Shape*law.Scale, math.Sqrt(law.Shape)*law.Scale
	return curveOf("gamma", 0, max(mean+5*deviation, 1.05*observed/scale), scale, law.Density)
}

// normalDensity draws a normal law about 0.
func normalDensity(deviation, observed float64) *figure.Curve {
	far := max(4*deviation, 1.05*math.Abs(observed))
	return curveOf("normal", -far, far, 1, func(x float64) float64 {
		z := x / deviation
		return math.Exp(-z*z/2) / deviation / math.Sqrt(2*math.Pi)
	})
}

func curveOf(name string, from, to, scale float64, density func(float64) float64) *figure.Curve {
	const points = 300
	c := &figure.Curve{Name: name}
	for i := 1; i <= points; i++ {
		x := from + (to-from)*float64(i)/points
		c.X, c.Y = append(c.X, scale*x), append(c.Y, density(x)/scale)
	}
	return c
}
