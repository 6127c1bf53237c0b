package models

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"example.org/mercer"
	"example.org/mercer/cmd/mercer/internal/flags"
	"example.org/mercer/cmd/mercer/internal/verb"
	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/learner"
)

// changed is what `mercer update` and `mercer forget` print.
type changed struct {
	From      string          `json:"from"`
	Model     string          `json:"model"`
	Method    string          `json:"method"`
	Rows      int             `json:"rows"`
	Added     int             `json:"added,omitempty"`
	Forgotten int             `json:"forgotten,omitempty"`
	Factor    bool            `json:"by_factor"` // else by sums, or a new fit
	Sums      bool            `json:"by_sums"`
	History   *mercer.History `json:"history"`
	Outputs   []string        `json:"outputs"`
	Report    learner.Report  `json:"report"`
	Lacks     []string        `json:"lacks,omitempty"`

	learned []string // names of the outputs, with functions of the targets around them
}

func (c changed) Text(w io.Writer) {
	moved := fmt.Sprintf("%d added", c.Added)
	if c.Forgotten > 0 {
		moved = fmt.Sprintf("%d forgotten", c.Forgotten)
	}
	fmt.Fprintf(w, "%s → %s: %s, %d rows\n", c.From, c.Model, moved, c.Rows)
	way := "a new fit to all rows"
	switch {
	case c.Factor:
		way = "the factor of the model"
	case c.Sums:
		way = "the sums of the model"
	}
	lines := verb.ReportLines(c.Report, c.learned, []string{"by", way}, false)
	verb.Columns(w, append(lines, []string{"time", compute.FormatSeconds(c.Report.Ran().Seconds)}))
}

// changeFlags are those of both verbs.
type changeFlags struct {
	out    string
	keep   string
	files  flags.ModelFiles
	table  flags.Table
	passes flags.Passes
}

func (f *changeFlags) register(cmd *cobra.Command) {
	cmd.Flags().StringVarP(&f.out, "output", "o", "", "model file to write; it may be MODEL itself")
	cmd.Flags().StringVar(&f.keep, "keep", "lambda", "what stays as it is in kernel ridge regression: lambda, as a fit to the rows with the same --lambda, or ridge = Nλ, which the factor of --updatable needs")
	verb.Choices(cmd, "keep", []string{"lambda", "ridge"})
	f.files.Register(cmd)
	f.table.Register(cmd)
	f.passes.Register(cmd)
}

// rows is the change by which the rows of a table come or go, which are read in passes or at once.
func (f *changeFlags) rows(cmd *cobra.Command, inv *verb.Invocation, m *mercer.Model, path string, inPasses func(context.Context, data.Blocks) (*mercer.Update, error), atOnce func(*data.Table) (*mercer.Update, error)) (*mercer.Update, error) {
	f.table.Outcomes = m.Prep.Columns
	blocks, err := f.passes.Open(cmd.Context(), inv, path, &f.table, m.Prep.ID())
	if err != nil {
		return nil, err
	}
	if blocks != nil {
		return inPasses(cmd.Context(), blocks)
	}
	t, err := f.table.Read(cmd.Context(), inv, path, m.Prep.ID())
	if err != nil {
		return nil, err
	}
	return atOnce(t)
}

func (f *changeFlags) check() error {
	if f.out == "" {
		return verb.Usagef("name the model file to write with -o, such as -o new.mercer")
	}
	if f.keep != "lambda" && f.keep != "ridge" {
		return verb.Usagef("--keep %q is not known; there are lambda and ridge", f.keep)
	}
	return verb.CanWrite(f.out)
}

// change solves a change and writes the model.
func (f *changeFlags) change(cmd *cobra.Command, inv *verb.Invocation, from string, m *mercer.Model, c *mercer.Update) error {
	c.KeepRidge = f.keep == "ridge"
	inv.Notes(c.Notes)
	how, stop := inv.Compute()
	defer func() { stop() }()
	stay, come, gone := c.Rows()
	var planned int64
	if c.ByFactor() {
		inv.Note("plan: the factor of the model takes %d rows out and %d in, n² flops each", gone, come)
	} else {
		plan, err := c.Plan(cmd.Context(), how)
		if err != nil {
			return err
		}
		stop()
		planned = plan.Memory
		if err := compute.CheckMemory(plan, how.MaxMemory); err != nil {
			return err
		}
		if c.BySums() {
			inv.Note("plan: the sums of the model take %d rows out and %d in, peak memory %s", gone, come, compute.FormatBytes(plan.Memory))
		} else {
			inv.Note("plan: a new fit to %d rows, solver %s, peak memory %s, time about %s", stay+come, plan.Solver, compute.FormatBytes(plan.Memory), compute.FormatSeconds(plan.Seconds))
		}
	}
	if f.passes.Compiled != nil {
		defer verb.Hold(planned)()
	}
	changedModel, lacks, err := c.Solve(cmd.Context(), how)
	if err != nil {
		return err
	}
	stop()
	inv.Notes(changedModel.Report.Ran().Warnings)
	if err := inv.Save(cmd.Context(), changedModel, f.out); err != nil {
		return err
	}
	if len(lacks) > 0 {
		inv.Note("note: %s has no %s, which are of the rows of the first fit", f.out, strings.Join(lacks, ", no "))
	}
	return inv.EmitReport(changed{From: from, Model: f.out, Method: m.Method, Rows: stay + come, Added: come, Forgotten: gone, Factor: c.ByFactor(), Sums: c.BySums(),
		History: changedModel.History, Outputs: changedModel.Decision.Outputs, learned: changedModel.Decision.LearnedNames(changedModel.Prep.Targets()), Report: changedModel.Report, Lacks: lacks})
}

func NewUpdate(inv *verb.Invocation) *cobra.Command {
	f := &changeFlags{}
	cmd := &cobra.Command{
		Use:         "update MODEL TABLE -o NEW",
		Annotations: map[string]string{verb.InPlace: ""},
		Short:       "Add rows to a model: the fit to the old rows and the new ones",
		Long: `update gives a model of krr, gp or falkon more rows to learn from. The result is that of a fit to all rows, prepared as in the first fit: means,
scales, levels, landmarks and the kernel's parameters stay. The solver runs again, unless the model was fitted with --updatable and its ridge
stays (--keep ridge; always for gp): then a row takes n² flops. Models on landmarks or in features, and falkon, must have been fitted with
--updatable: they keep sums over their rows, to which the new ones are added, also from a table larger than memory (--out-of-core).`,
		Example: `  mercer update house.mercer more.csv -o house.mercer
  mercer update house.mercer more.csv --keep ridge -o new.mercer --json
  mercer update big.mercer year.parquet --out-of-core -o big.mercer`,
		Args: flags.ModelAndTable,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.check(); err != nil {
				return err
			}
			m, err := mercer.LoadWith(args[0], f.files.Files)
			if err != nil {
				return err
			}
			c, err := f.rows(cmd, inv, m, args[1], m.AddingBlocks, m.Adding)
			if err != nil {
				return err
			}
			return f.change(cmd, inv, args[0], m, c)
		},
	}
	f.register(cmd)
	return inv.Prints(inv.Cached(cmd), changed{})
}

func NewForget(inv *verb.Invocation) *cobra.Command {
	f, list, ids := &changeFlags{}, "", ""
	cmd := &cobra.Command{
		Use:         "forget MODEL [TABLE] [--rows LIST | --ids FILE] -o NEW",
		Annotations: map[string]string{verb.InPlace: ""},
		Short:       "Take rows out of a model, so that nothing of them is left in its file",
		Long: `forget takes training rows out of a model of krr, gp or falkon. The result is that of a fit to the other rows, prepared as in the first fit.
No number of a row that was forgotten is left: points, targets, weights, ids, coefficients, leave-one-out residuals, self-test rows,
the factor and the sums are those of the other rows; conformal scores and calibrated probabilities are left out. What stays is the
preparation (means and scales of the columns), the parameters of the kernel, the made up rows of the self-test and the landmarks, which were
found from all rows: fit again where that is too much. Names of levels and labels that no other row has go; in a model that keeps sums they stay. A model that keeps sums over its rows (--updatable on landmarks, in features, by falkon) has no row to be named: TABLE
gives the rows again, with their targets and weights. A row that is a landmark cannot be forgotten.`,
		Example: `  mercer forget house.mercer --rows 3,17,20-25 -o house.mercer
  mercer forget patients.mercer --ids withdrawn.txt --keep ridge -o patients.mercer
  mercer forget big.mercer withdrawn.csv -o big.mercer`,
		Args: cobra.RangeArgs(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.check(); err != nil {
				return err
			}
			given := 0
			for _, is := range []bool{list != "", ids != "", len(args) == 2} {
				if is {
					given++
				}
			}
			if given != 1 {
				return verb.Usagef("name the rows to forget by their numbers in the training table (--rows 3,17,20-25), or by a file of ids, one a line (--ids FILE), or give them again, where the model keeps sums over its rows")
			}
			m, err := mercer.LoadWith(args[0], f.files.Files)
			if err != nil {
				return err
			}
			var c *mercer.Update
			if len(args) == 2 {
				c, err = f.rows(cmd, inv, m, args[1], m.RemovingBlocks, m.RemovingRows)
			} else {
				c, err = f.named(inv, m, list, ids)
			}
			if err != nil {
				return err
			}
			return f.change(cmd, inv, args[0], m, c)
		},
	}
	f.register(cmd)
	cmd.Flags().StringVar(&list, "rows", "", "numbers of training rows, from 1, as explain names them: 3,17,20-25")
	cmd.Flags().StringVar(&ids, "ids", "", "file with ids of training rows, one a line; - is standard input")
	return inv.Prints(inv.Cached(cmd), changed{})
}

// named is the change by which rows that are named leave.
func (f *changeFlags) named(inv *verb.Invocation, m *mercer.Model, list, ids string) (*mercer.Update, error) {
	if list != "" && m.Prep.ID() != "" {
		return nil, verb.Usagef("the rows of this model have ids (column %s): name them by a file of ids, one a line (--ids FILE)", m.Prep.ID())
	}
	names, err := rowList(list)
	if ids != "" {
		names, err = readLines(inv, ids)
	}
	if err != nil {
		return nil, err
	}
	return m.Removing(names)
}

// mostListed is how many rows a range may have.
const mostListed = 1 << 24

// rowList reads 3,17,20-25.
func rowList(text string) ([]string, error) {
	if text == "" {
		return nil, nil
	}
	var names []string
	for part := range strings.SplitSeq(text, ",") {
		low, high, isRange := strings.Cut(strings.TrimSpace(part), "-")
		from, err := strconv.Atoi(low)
		to := from
		if err == nil && isRange {
			to, err = strconv.Atoi(high)
		}
		if err != nil || from < 1 || to < from || to-from >= mostListed {
			return nil, verb.Usagef("--rows: %q is no number of a row, nor a range of them: such as 3,17,20-25, counted from 1", part)
		}
		for n := from; n <= to; n++ {
			names = append(names, strconv.Itoa(n))
		}
	}
	return names, nil
}

// readLines returns the lines of a file that are not empty.
func readLines(inv *verb.Invocation, path string) ([]string, error) {
	from := inv.Stdin
	if path != "-" {
		file, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		defer file.Close()
		from = file
	}
	var lines []string
	scanner := bufio.NewScanner(inv.Budget().Reader(from, path, 24)) // a line is a string of its own
	for scanner.Scan() {
		lines = append(lines, strings.TrimRight(scanner.Text(), "\r"))
	}
	if err := scanner.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return slices.DeleteFunc(lines, func(line string) bool { return line == "" }), nil
}
