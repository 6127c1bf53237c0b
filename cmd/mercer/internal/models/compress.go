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
	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/rkhs/compress"
)

// compression is what `mercer compress` prints.
type compression struct {
	From    string           `json:"from"`
	Model   string           `json:"model"`
	Outputs []string         `json:"outputs"`
	Report  *compress.Report `json:"report"`
	// Sample is the change on the rows of a table that is given.
	Sample *mercer.Sampled `json:"sample,omitempty"`
	Lacks  []string        `json:"lacks,omitempty"`
}

func (c compression) Text(w io.Writer) {
	fmt.Fprintf(w, "%s → %s: %d of %d rows\n", c.From, c.Model, c.Report.Points, c.Report.N)
	lines := [][]string{{"output", "‖f − g‖/‖f‖", "largest change at a row", "bound for every x"}}
	if c.Sample != nil {
		lines[0] = append(lines[0], fmt.Sprintf("largest change on %d rows of %s", c.Sample.Rows, c.Sample.Source))
	}
	for j, name := range c.Outputs {
		line := []string{name, verb.Num(c.Report.Distance[j]), verb.Num(c.Report.Difference[j]), verb.Num(c.Report.Bound[j])}
		if c.Sample != nil {
			line = append(line, verb.Num(c.Sample.Difference[j]))
		}
		lines = append(lines, line)
	}
	verb.Columns(w, lines)
	fmt.Fprintf(w, "time %s\n", compute.FormatSeconds(c.Report.Seconds))
}

// compressible checks what is asked for.
func compressible(out string, o compress.Options) error {
	if out == "" {
		return verb.Usagef("name the model file to write with -o, such as -o small.mercer")
	}
	if o.Points == 0 && o.Tolerance == 0 {
		return verb.Usagef("say how many rows may stay (--max-sv 500) or how far the function may move (--tol 1e-3)")
	}
	if o.Points < 0 || !(o.Tolerance >= 0 && o.Tolerance < 1) {
		return verb.Usagef("--max-sv is %d and --tol %g: a number of rows is at least 1, and a tolerance lies between 0 and 1", o.Points, o.Tolerance)
	}
	return verb.CanWrite(out)
}

func NewCompress(inv *verb.Invocation) *cobra.Command {
	files, table, out, o := &flags.ModelFiles{}, &flags.Table{}, "", compress.Options{}
	cmd := &cobra.Command{
		Use:         "compress MODEL [TABLE] -o SMALL",
		Annotations: map[string]string{verb.InPlace: ""},
		Short:       "Put a model on fewer of its training rows, with a certificate of what it loses",
		Long: `compress chooses training rows one after another, each so that the best function on the chosen ones comes nearest to that of the
model in the space of the kernel, until there are --max-sv of them or the distance is within --tol. It prints the distance that is
left, the largest change of an output among the rows of the model, and a bound on the change at every x whose k(x, x) is no larger
than theirs. With a table it also prints the largest change on its rows. Predictions take time in proportion to the rows. Intervals and removals need all rows and stay with the first model.`,
		Example: `  mercer compress house.mercer --tol 1e-3 -o small.mercer
  mercer compress house.mercer sample.csv --tol 1e-3 -o small.mercer
  mercer compress kinds.mercer --max-sv 500 -o small.mercer --json`,
		Args: cobra.RangeArgs(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := compressible(out, o); err != nil {
				return err
			}
			result, err := compressModel(cmd, inv, args, out, files, table, o)
			if err != nil {
				return err
			}
			return inv.EmitReport(result)
		},
	}
	cmd.Flags().StringVarP(&out, "output", "o", "", "model file to write")
	cmd.Flags().IntVar(&o.Points, "max-sv", 0, "the largest number of rows that stay; 0: as many as --tol asks for")
	cmd.Flags().Float64Var(&o.Tolerance, "tol", 0, "the largest ‖f − g‖/‖f‖ of an output, below 1")
	files.Register(cmd)
	table.Register(cmd)
	return inv.Prints(cmd, compression{})
}

// compressModel puts a model on fewer rows, writes it, and measures on a table that is given.
func compressModel(cmd *cobra.Command, inv *verb.Invocation, args []string, out string, files *flags.ModelFiles, table *flags.Table, o compress.Options) (*compression, error) {
	m, err := mercer.LoadWith(args[0], files.Files)
	if err != nil {
		return nil, err
	}
	var sample *data.Table
	if len(args) == 2 {
		table.Outcomes = m.Prep.Columns
		if sample, err = table.Read(cmd.Context(), inv, args[1], m.Prep.ID()); err != nil {
			return nil, err
		}
	}
	how, stop := inv.Compute()
	defer stop()
	o.Compute = how
	small, lacks, err := m.Compress(cmd.Context(), o)
	if err != nil {
		return nil, err
	}
	var changed *mercer.Sampled
	if sample != nil {
		if changed, err = m.Compare(cmd.Context(), small, sample, how); err != nil {
			return nil, err
		}
	}
	stop()
	if err := inv.Save(cmd.Context(), small, out); err != nil {
		return nil, err
	}
	for _, w := range small.Compression.Warnings {
		inv.Note("warning: %s", w)
	}
	if len(lacks) > 0 {
		inv.Note("note: %s has no %s, which speak of the function of all rows", out, strings.Join(lacks, ", no "))
	}
	return &compression{From: args[0], Model: out, Outputs: slices.Clone(small.Decision.Outputs), Report: small.Compression, Sample: changed, Lacks: lacks}, nil
}
