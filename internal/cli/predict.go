package cli

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/spf13/cobra"
	"gonum.org/v1/gonum/mat"

	"mercer/data"
	"mercer/internal/atomicfile"
	"mercer/krr"
	"mercer/pipeline"
)

// applyFlags say which model to apply to which table.
type applyFlags struct {
	table  tableFlags
	gram   string
	verify bool
}

func (f *applyFlags) register(cmd *cobra.Command) {
	f.table.register(cmd)
	cmd.Flags().StringVar(&f.gram, "gram", "", "Gram matrix of new rows against training rows, for a model on row ids")
	cmd.Flags().BoolVar(&f.verify, "verify", false, "let the model predict its golden rows first, and stop if they differ")
}

// load opens the model, reads the table of a verb "VERB MODEL TABLE" and predicts its
// rows; test says that its targets are wanted too.
func (f *applyFlags) load(cmd *cobra.Command, inv *invocation, args []string, test bool) (*pipeline.Model, *pipeline.Prediction, error) {
	m, err := pipeline.Load(args[0], f.gram)
	if err != nil {
		return nil, nil, err
	}
	t, err := f.read(cmd, inv, args[1], m.Prep.ID())
	if err != nil {
		return nil, nil, err
	}
	compute, stop := inv.compute()
	defer stop()
	if f.verify {
		v, err := m.Verify(cmd.Context(), compute)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", args[0], err)
		}
		inv.detail("%s: %d golden rows agree to %.2g", args[0], v.Rows, v.Worst)
	}
	apply := m.Predict
	if test {
		apply = m.Test
	}
	p, err := apply(cmd.Context(), t, compute)
	if err != nil {
		return nil, nil, err
	}
	inv.notes(p.Rows.Notes)
	return m, p, nil
}

// read reads a table to predict on. The column of ids is read as text, so that 007
// stays 007, but it may be missing there: then the table is read again without it.
func (f *applyFlags) read(cmd *cobra.Command, inv *invocation, path, id string) (*data.Table, error) {
	if path == "-" && id != "" {
		all, err := io.ReadAll(inv.stdin)
		if err != nil {
			return nil, fmt.Errorf("standard input: %w", err)
		}
		defer func(stdin io.Reader) { inv.stdin = stdin }(inv.stdin)
		inv.stdin = bytes.NewReader(all)
		t, err := f.table.read(cmd.Context(), inv, path, id)
		if !errors.Is(err, data.ErrNoColumn) {
			return t, err
		}
		inv.stdin = bytes.NewReader(all)
		return f.table.read(cmd.Context(), inv, path)
	}
	t, err := f.table.read(cmd.Context(), inv, path, id)
	if id != "" && errors.Is(err, data.ErrNoColumn) {
		return f.table.read(cmd.Context(), inv, path)
	}
	return t, err
}

// predictions is what `mercer predict` writes: one row per row of the table.
type predictions struct {
	Columns []string         `json:"columns"`
	Rows    []map[string]any `json:"rows"`
}

func newPredict(inv *invocation) *cobra.Command {
	f := &applyFlags{}
	var out string
	var level float64
	var method string
	cmd := &cobra.Command{
		Use:   "predict MODEL TABLE",
		Short: "Predict the rows of a table",
		Long: `predict applies a model to the rows of a table: columns are matched by name where both tables have names,
by position otherwise. The result is CSV with one line per row: its id or number, the prediction of every target
(and its label, for a target with labels), and with --interval a lower and an upper bound.

Intervals of a Gaussian process are those of its predictive distribution. Kernel ridge regression needs a model with leave-one-out
residuals (by default up to 4000 rows, beyond with fit --loo). The method jackknife+ refits without each training row in closed
form; "jackknife" widens the prediction by a quantile of the leave-one-out residuals and costs nothing.`,
		Example: `  mercer predict house.mercer new.csv -o predictions.csv
  mercer predict house.mercer new.csv --interval 0.9 --json
  cat new.csv | mercer predict house.mercer -`,
		Args: modelAndTable,
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("interval") && !(level > 0 && level < 1) {
				return usagef("--interval is %g; give the coverage wanted, such as 0.9", level)
			}
			if out != "" {
				if err := canWrite(out); err != nil {
					return err
				}
			}
			m, p, err := f.load(cmd, inv, args, false)
			if err != nil {
				return err
			}
			var lo, hi *mat.Dense
			if level > 0 {
				compute, stop := inv.compute()
				defer stop()
				if lo, hi, err = m.Intervals(cmd.Context(), p, level, krr.IntervalMethod(method), compute); err != nil {
					return err
				}
			}
			header, lines := tabulate(p, lo, hi)
			if out != "" {
				if err := atomicfile.Write(cmd.Context(), out, func(w io.Writer) error { return writeCSV(w, header, lines) }); err != nil {
					return err
				}
				inv.note("%s: %d predictions", out, len(lines))
				if !inv.json {
					return nil
				}
			}
			if inv.json {
				return inv.emit(jsonPredictions(header, lines))
			}
			return writeCSV(inv.stdout, header, lines)
		},
	}
	f.register(cmd)
	cmd.Flags().StringVarP(&out, "output", "o", "", "CSV file to write; default: standard output")
	cmd.Flags().Float64Var(&level, "interval", 0, "add prediction intervals with this coverage, such as 0.9")
	cmd.Flags().StringVar(&method, "interval-method", "jackknife+", "jackknife+ or jackknife")
	_ = cmd.RegisterFlagCompletionFunc("interval-method", cobra.FixedCompletions([]string{"jackknife+", "jackknife"}, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

// modelAndTable is the argument rule "MODEL TABLE".
func modelAndTable(_ *cobra.Command, args []string) error {
	if len(args) != 2 {
		return fmt.Errorf("expected a model file and a table, such as: house.mercer new.csv (got %d arguments)", len(args))
	}
	return nil
}

// tabulate lays predictions out in columns: row or id, then per target its label or
// value, and its bounds. A value is a float64, an int or a string.
func tabulate(p *pipeline.Prediction, lo, hi *mat.Dense) (header []string, lines [][]any) {
	header = []string{"row"}
	if p.Rows.IDs != nil {
		header[0] = "id"
	}
	for _, t := range p.Targets {
		if t.Labels != nil {
			header = append(header, t.Name)
		}
	}
	for _, name := range p.Outputs {
		if p.Labelled(name) {
			name = "score " + name
		}
		header = append(header, name)
		if lo != nil {
			header = append(header, name+" lower", name+" upper")
		}
	}
	probabilities := p.Probabilities()
	if probabilities != nil {
		for _, label := range p.Targets[0].Labels {
			header = append(header, "p("+label+")")
		}
	}
	n, outputs := p.Values.Dims()
	for i := range n {
		line := []any{p.Rows.Rows[i] + 1}
		if p.Rows.IDs != nil {
			line[0] = p.Rows.IDs[i]
		}
		for k, t := range p.Targets {
			if t.Labels != nil {
				line = append(line, p.Label(i, k))
			}
		}
		for j := range outputs {
			line = append(line, p.Values.At(i, j))
			if lo != nil {
				line = append(line, lo.At(i, j), hi.At(i, j))
			}
		}
		if probabilities != nil {
			for _, q := range probabilities.RawRowView(i) {
				line = append(line, q)
			}
		}
		lines = append(lines, line)
	}
	return header, lines
}

func writeCSV(w io.Writer, header []string, lines [][]any) error {
	out := csv.NewWriter(w)
	if err := out.Write(header); err != nil {
		return err
	}
	cells := make([]string, len(header))
	for _, line := range lines {
		for j, v := range line {
			if x, ok := v.(float64); ok {
				cells[j] = strconv.FormatFloat(x, 'g', -1, 64)
			} else {
				cells[j] = fmt.Sprint(v)
			}
		}
		if err := out.Write(cells); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

func jsonPredictions(header []string, lines [][]any) predictions {
	p := predictions{Columns: header, Rows: []map[string]any{}}
	for _, line := range lines {
		row := map[string]any{}
		for j, v := range line {
			if x, ok := v.(float64); ok {
				if math.IsInf(x, 0) || math.IsNaN(x) {
					v = nil
				}
			}
			row[header[j]] = v
		}
		p.Rows = append(p.Rows, row)
	}
	return p
}

func (p predictions) text(io.Writer) {} // written as CSV
