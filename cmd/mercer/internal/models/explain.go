package models

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"example.org/mercer"
	"example.org/mercer/cmd/mercer/internal/flags"
	"example.org/mercer/cmd/mercer/internal/verb"
	"example.org/mercer/data/prep"
	"example.org/mercer/task"
)

// What predictions are explained by.
const (
	byRows       = "rows"
	byFeatures   = "features"
	byShapley    = "shapley"
	byGradient   = "gradient"
	byDependence = "dependence"
	bySobol      = "sobol"
)

var allWays = []string{byRows, byFeatures, byShapley, byGradient, byDependence, bySobol}

// explainFlags are those of the verb explain.
type explainFlags struct {
	flags.Apply
	by, plot, html string
	first          int // rows that are explained where none is named; 0: all
	mercer.ExplainOptions
}

func (f *explainFlags) register(cmd *cobra.Command) {
	f.Apply.Register(cmd)
	set := cmd.Flags()
	set.StringVar(&f.by, "by", "", "rows (training rows), features (what the kernel looks at in the row itself), shapley (columns of the row), gradient (derivatives in the columns) dependence (the mean prediction along columns) or sobol (shares of columns in the variance); default: features of sequences and graphs, else rows")
	set.IntVar(&f.Top, "top", 5, "training rows, features or columns to list for every prediction")
	set.IntSliceVar(&f.Rows, "row", nil, "rows of the table to explain, counted from 1; default: the first ones, see --rows")
	set.IntVar(&f.first, "rows", 5, "rows to explain where --row names none, the first of the table; 0 or --all: all, as in JSON, pictures and pages")
	set.StringVar(&f.Output, "of", "", "name of the only output to explain not by rows; default: all")
	set.BoolVar(&f.Means, "means", false, "by shapley: a column that is not there has the mean of its factors over the rows that the model keeps, and not 1")
	set.IntVar(&f.Samples, "samples", 0, "by shapley: orders of the columns to draw for a row, where exact values are not wanted; default: exact values, or 400 where there are none")
	set.BoolVar(&f.Interactions, "interactions", false, "by shapley: list the strongest interactions of two columns, too")
	set.StringVar(&f.plot, "plot", "", "picture (.png or .svg): sequences or graphs in the colours of the shares, up to 12, and without a table logos of motifs; by shapley a bar for every column of one row; by shapley or gradient a dot for every row; by dependence curves")
	set.StringSliceVar(&f.Columns, "columns", nil, "by dependence: columns to follow; default: the --top along which the mean changes most")
	set.StringVar(&f.html, "html", "", "page to write, one file with everything in it")
	verb.Choices(cmd, "by", allWays)
}

// check reports flags that contradict themselves, before anything is read.
func (f *explainFlags) check(args []string) error {
	ofColumns := f.by == byShapley || f.by == byGradient || f.by == byDependence
	switch {
	case f.Top < 1:
		return verb.Usagef("--top is %d; give the number of training rows, features or columns to list, at least 1", f.Top)
	case f.first < 0:
		return verb.Usagef("--rows is %d; give a number of rows, or 0 for all", f.first)
	case f.by != "" && !slices.Contains(allWays, f.by):
		return verb.Usagef("--by is %q; use rows, features, shapley, gradient, dependence or sobol", f.by)
	case f.by == bySobol && (len(args) == 2 || f.plot != "" || f.html != "" || f.Rows != nil):
		return verb.Usagef("--by sobol is about the function, under a law of the columns: name the model alone, without rows and pictures")
	case f.by != byDependence && f.Columns != nil:
		return verb.Usagef("--columns is for explanations by dependence")
	case f.by == byRows && (f.Output != "" || f.plot != "" || f.html != ""):
		return verb.Usagef("--of, --plot and --html are for explanations by features, and --of and --plot also for those by shapley, gradient and dependence")
	case f.by != byShapley && f.Means:
		return verb.Usagef("--means is for explanations by shapley")
	case f.by != byShapley && (f.Samples != 0 || f.Interactions):
		return verb.Usagef("--samples and --interactions are for explanations by shapley")
	case f.Samples < 0:
		return verb.Usagef("--samples is %d; give a positive number of orders, such as 400", f.Samples)
	case f.Samples > 0 && f.Means:
		return verb.Usagef("--means and --samples are different games; give one of them")
	case ofColumns && f.html != "":
		return verb.Usagef("--html is for explanations by features; --plot draws those by %s", f.by)
	case ofColumns && len(args) == 1:
		return verb.Usagef("--by %s explains predictions: name a table", f.by)
	case len(args) == 1 && f.html != "":
		return verb.Usagef("--html shows predictions: name a table")
	case f.by == byRows && len(args) == 1, len(args) == 1 && f.Rows != nil:
		return verb.Usagef("without a table the weights of features are listed: name a table to explain predictions")
	case f.html != "":
		if err := verb.CanWrite(f.html); err != nil {
			return err
		}
	}
	return verb.CanDraw(f.plot)
}

// most returns how many of n rows are explained: all where rows are named, and where nobody has to
// read them.
func (f *explainFlags) most(cmd *cobra.Command, inv *verb.Invocation, n int) int {
	unread := (inv.JSON || f.plot != "" || f.html != "") && !cmd.Flags().Changed("rows")
	if f.Rows != nil || f.first == 0 || f.first >= n || inv.All || unread {
		return n
	}
	inv.Note("note: the first %d of %d rows; --rows N explains more, --all all of them", f.first, n)
	return f.first
}

const explainLong = `explain takes predictions f(x) = b + Σ αᵢ·k(x, xᵢ) apart, in one of six ways.

By rows: into the contributions αᵢ·k(x, xᵢ) of the training rows, of which it lists the largest; for kernel ridge
regression with the leverage of each training row and the exact change of this prediction if it were removed from the
training table. That model must hold its training rows and their leave-one-out residuals: one in primal form (a linear
kernel on many rows) is fitted again with --solver cholesky, one without residuals with --loo.

By features: into what the kernel looks at in the row itself. A sum of kernels is split by its terms. A kernel of counts
(words of a sequence, colours of a graph) or a sum over columns is split by its features, f(x) = b + Σ w(u)·n_u(x), and each
occurrence is shared equally among its places: the k symbols of a word, the nodes that a colour looks at. For an alignment
or for subsequences every symbol is made unknown in turn, and the fall of f is shown; these numbers need not add up. A
product of kernels is not split. Normalised kernels are split alike.

By shapley: into Shapley values φⱼ of the columns of the row, f(x) = base + Σ φⱼ. φⱼ is the mean, over all orders of the
columns, of what column j adds to those before it; a column that is not there yet has the factor 1 in the kernel, as if it
agreed with every training row, and under linear() the value 0, the mean of a standardised column. With --means it has the
mean of its factors over the training rows that the model keeps, so that φⱼ is near 0 for a usual value. These values are exact,
for kernels that are products over columns (rbf, laplace1, periodic, and any of matern, laplace or rq on one column), products of
them, and weighted sums of such products and linear(). For others, or with --samples, orders are drawn: a missing column has
what it has in up to 100 kept rows, and every φⱼ gets its standard error. --interactions adds what two columns
do together. Several rows also get the mean |φⱼ| and the standard deviation of φⱼ. The codes of a category count as one column.

By gradient: into the derivatives ∂f/∂xⱼ in the columns, per unit of the column as the table has it, in closed form; over
several rows the means of |∂f/∂xⱼ| and (∂f/∂xⱼ)². Listed are the largest per standard deviation.

By dependence: into curves of columns, the mean of f over all rows where each has the same value in the column. Beside it are
the quantiles 10 % and 90 % of the curves of the rows, moved to one height: they differ where columns act together.

By sobol, without a table: into the shares of the columns in Var f, alone and with all that they do together, of a kernel
1 + anova(of=centred(of=rbf(sigma=…))). The columns are independent and normal there, standardised by default.

Without a table, the weights w(u) of the features of the training rows are listed; of a model on motif(…) with --filters
those of its motifs, each what a word like it adds, which --plot draws as sequence logos.`

func NewExplain(inv *verb.Invocation) *cobra.Command {
	f := &explainFlags{}
	cmd := &cobra.Command{
		Use:   "explain MODEL [TABLE]",
		Short: "Show what carries a prediction: training rows, or words, nodes and columns of the row",
		Long:  explainLong,
		Example: `  mercer explain house.mercer new.csv --top 5
  mercer explain house.mercer new.csv --row 3 --json
  mercer explain house.mercer new.csv --by shapley --plot columns.png
  mercer explain house.mercer new.csv --by gradient --row 3
  mercer explain house.mercer new.csv --by dependence --columns size --plot curve.png
  mercer explain promoters.mercer --top 20
  mercer explain binding.mercer --top 9 --plot logos.png
  mercer explain promoters.mercer new.fa --row 7 --html why.html
  mercer explain mutag.mercer new.jsonl --row 1,2 --plot why.png`,
		Args: modelAndTable,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.check(args); err != nil {
				return err
			}
			if len(args) == 1 {
				return f.weights(cmd, inv, args[0])
			}
			m, p, err := f.Load(cmd, inv, args, false)
			if err != nil {
				return err
			}
			noteLearned(inv, m)
			if f.by == byDependence {
				return f.dependence(cmd, inv, args[0], m, p)
			}
			n, _ := p.Values.Dims()
			shown := f.most(cmd, inv, n)
			switch f.by {
			case byShapley:
				return f.shapley(cmd, inv, args[0], m, p, shown)
			case byGradient:
				return f.gradient(cmd, inv, args[0], m, p, shown)
			}
			for i := 1; shown < n && i <= shown; i++ {
				f.Rows = append(f.Rows, i)
			}
			if f.by == byFeatures || f.by == "" && (m.Function.Kind() == task.OnRecords || f.plot != "" || f.html != "") {
				return f.features(cmd, inv, args[0], m, p)
			}
			how, stop := inv.Compute()
			defer stop()
			parts, err := m.Explain(cmd.Context(), p, f.ExplainOptions, how)
			if err == nil {
				err = inv.Emit(explained{Model: args[0], Rows: parts})
			}
			return err
		},
	}
	f.register(cmd)
	return inv.Prints(cmd, explained{}, brokenDown{}, weightsOf{}, sharedOut{}, sloped{}, followed{}, varied{})
}

// modelAndTable wants a model, and perhaps a table.
func modelAndTable(_ *cobra.Command, args []string) error {
	if len(args) != 1 && len(args) != 2 {
		return fmt.Errorf("expected a model file, and a table for predictions, such as: house.mercer new.csv (got %d arguments)", len(args))
	}
	return nil
}

// noteLearned says what adds up where targets are learned by functions of them.
func noteLearned(inv *verb.Invocation, m *mercer.Model) {
	if targets := m.Prep.Targets(); prep.IsTransformed(targets) {
		inv.Note("what adds up is %s, from which predictions are taken back", strings.Join(m.Decision.LearnedNames(targets), ", "))
	}
}

// explained is what `mercer explain --by rows` prints.
type explained struct {
	Model string               `json:"model"`
	Rows  []mercer.Explanation `json:"rows"`
}

func (e explained) Text(w io.Writer) {
	for i, r := range e.Rows {
		if i > 0 {
			fmt.Fprintln(w)
		}
		fmt.Fprintf(w, "row %s: %s = %s (intercept %s)\n", r.Row, r.Output, verb.Num(r.Prediction), verb.Num(r.Bias))
		lines := [][]string{{"  training row", "k(x, xᵢ)", "contribution", "share"}}
		for _, part := range r.Parts {
			line := []string{"  " + part.Name, verb.Num(part.Kernel), verb.Num(part.Contribution), fmt.Sprintf("%.1f%%", 100*part.Share)}
			if part.Removal != nil {
				lines[0] = append(lines[0][:4], "leverage", "change if removed")
				line = append(line, verb.Num(part.Removal.Leverage), verb.Num(part.Removal.Difference))
			}
			lines = append(lines, line)
		}
		verb.Columns(w, lines)
		if r.Rest != 0 {
			fmt.Fprintf(w, "  the other %d add up to %s\n", r.Others, verb.Num(r.Rest))
		}
	}
}
