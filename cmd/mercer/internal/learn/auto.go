package learn

import (
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"example.org/mercer/cmd/mercer/internal/verb"
	"example.org/mercer/compute"
	"example.org/mercer/data/prep"
	"example.org/mercer/learner/methods"
	"example.org/mercer/search"
)

// What `mercer auto` does without being asked: an exact fit up to exactRows, in single precision
// with refinement from singleRows on; else a tree of exact fits on vectors, and landmarks on other
// points.
const (
	exactRows, singleRows = 20_000, 5_000
	autoLeaf              = 5_000
	autoLandmarks         = 3_000
	// leastAutoLeaf is the number of rows that a leaf must be able to have.
	leastAutoLeaf = 10
)

// NewAuto returns `mercer auto`: a search along the path of kernel ridge regression with defaults
// that suit a table of which nothing is known.
func NewAuto(inv *verb.Invocation) *cobra.Command {
	spec := methods.Named(methods.KRR{}.Name())
	f := searchFlagsFor(spec).(*pathTuneFlags)
	cmd := &cobra.Command{
		Use:   "auto TABLE",
		Short: "Find the kernel, its parameters and λ for a table; with -o fit and write the model",
		Long: `auto looks at the table and tries families of kernels that suit its points: on numbers and categories kernels of the
Euclidean norm, of sums over the columns and mixtures of both; on text, graphs and bags those of their kinds. All are tried
on 600 rows, the best three and the means of their kernels on 2,000, and the best on all. The judge is the exact
leave-one-out error of kernel ridge regression, for which no row is put aside. Labels are coded by ±1. The model has what
predict --interval needs for numbers, and for labels probabilities and --sets, all from leave-one-out values.

Missing cells become the mean of their column with a column that says so. Up to 20,000 rows the fit is exact. Beyond, a tree
divides rows of numbers and categories, with an exact fit of at most 5,000 rows in every leaf (--leaves), and other points
have 3,000 landmarks. --nested tells what the whole search can be expected to do on rows that it has not seen. The same data,
options and seed give the same bits.`,
		Example: `  mercer auto train.csv --target price -o house.mercer
  mercer auto train.csv --target price --nested 10
  mercer auto train.csv --target price --plot board.png
  mercer auto sms.csv --target spam -o spam.mercer`,
		Args: oneTable,
	}
	f.register(cmd)
	cmd.Flags().StringVar(&f.plot, "plot", "", "draw the scores of the families: a .png or .svg file")
	setDefault(cmd, "kernel", search.Auto)
	setDefault(cmd, "missing", prep.Indicator.String())
	cmd.Flags().IntVar(&f.leaves, "leaves", 0, fmt.Sprintf("divide more rows than this by a tree, with a machine for each leaf of at most as many; default: %d beyond %d rows; 0: landmarks there", autoLeaf, exactRows))
	cmd.Flags().DurationVar(&f.budget, "budget", 0, "time after which no further candidate is begun, such as 5m; 0: none")
	dry := false
	registerDryRun(cmd, &dry)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		labels, why, err := f.TargetKind(cmd.Context(), inv, args[0])
		if err != nil {
			return err
		}
		if labels {
			inv.Note("labels: %s", why)
		}
		f.calibrated = labels && f.out != "" && len(f.Prep.Targets) == 1
		if inv.Table != nil {
			f.suit(cmd, inv, inv.Table.Rows())
		}
		if f.leaves < 0 || f.leaves > 0 && f.leaves < leastAutoLeaf {
			return verb.Usagef("--leaves is %d: a leaf has at least %d rows; 0 divides nothing", f.leaves, leastAutoLeaf)
		}
		if f.budget < 0 {
			return verb.Usagef("--budget is %s; give a time such as 5m, or 0 for none", f.budget)
		}
		if dry {
			return planSearch(inv, cmd, f, args[0])
		}
		return tuneMethod(inv, cmd, spec, f, args[0])
	}
	return inv.Prints(inv.Cached(cmd), pathTuned{}, Planned{})
}

// setDefault gives a flag another default.
func setDefault(cmd *cobra.Command, name, value string) {
	flag := cmd.Flags().Lookup(name)
	flag.DefValue = value
	if err := flag.Value.Set(value); err != nil {
		panic(err) // a default of this program
	}
}

// suit chooses landmarks and precision for a number of rows, where no flag does.
func (f *pathTuneFlags) suit(cmd *cobra.Command, inv *verb.Invocation, rows int) {
	changed := cmd.Flags().Changed
	spec, err := f.Prep.Spec() // whose error the search says
	switch approximates := changed("landmarks") || changed("random-features"); {
	case rows <= exactRows || approximates || changed("leaves") && f.leaves > 0:
	case !changed("leaves") && err == nil && search.Divides(inv.Table, spec):
		f.leaves = autoLeaf
		inv.Note("%d rows: the kernel is chosen on 2,000 of them, and a tree with leaves of %d learns from all (--leaves; --landmarks %d in its place)", rows, autoLeaf, autoLandmarks)
		return
	default:
		f.Landmarks.Count = strconv.Itoa(autoLandmarks)
		inv.Note("%d rows: the search and the fit are on %d landmarks (--landmarks)", rows, autoLandmarks)
		return
	}
	if rows > singleRows && !changed("precision") {
		f.precision = compute.Single.String()
	}
}
