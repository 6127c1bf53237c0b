package kernels

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/cmd/mercer/internal/figure"
	"example.org/mercer/cmd/mercer/internal/flags"
	"example.org/mercer/cmd/mercer/internal/verb"
	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/gram"
	"example.org/mercer/learner"
	"example.org/mercer/task"
)

// written is what `mercer gram` prints.
type written struct {
	File    string       `json:"file,omitempty"`
	Plot    string       `json:"plot,omitempty"`
	IDs     string       `json:"ids,omitempty"`
	Rows    int          `json:"rows"`
	Columns int          `json:"columns"`
	Form    string       `json:"form"`
	Type    string       `json:"type"`
	Bytes   int64        `json:"bytes"`
	Kernel  string       `json:"kernel"`
	Trace   *verb.Number `json:"trace,omitempty"`
}

func (g written) Text(w io.Writer) {
	if g.File == "" {
		fmt.Fprintf(w, "%s: %d × %d\n", g.Plot, g.Rows, g.Columns)
	} else {
		fmt.Fprintf(w, "%s: %d × %d, %s, %s, %s\n", g.File, g.Rows, g.Columns, g.Form, g.Type, compute.FormatBytes(g.Bytes))
	}
	lines := [][]string{{"kernel", g.Kernel}}
	if g.IDs != "" {
		lines = append(lines, []string{"row ids", g.IDs})
	}
	if g.Trace != nil {
		lines = append(lines, []string{"trace", verb.Num(float64(*g.Trace))})
	}
	verb.Columns(w, lines)
}

// gramFlags say which matrix to write, and how.
type gramFlags struct {
	flags.Problem
	form         task.GramOptions
	out, against string
	plot         string
	libsvm       bool
}

func NewGram(inv *verb.Invocation) *cobra.Command {
	f := &gramFlags{}
	cmd := &cobra.Command{
		Use:   "gram TABLE -o K.npy",
		Short: "Write the Gram matrix of a table as .npy, with the ids of its rows beside it",
		Long: `gram evaluates the kernel between all rows of a table and writes the matrix row by row, so that it may be larger
than memory. The ids of the rows (--id, otherwise their numbers from 1) go to a text file beside it: K.npy and
K.rows.txt. Such a matrix, from here or from anywhere, is a kernel on row ids: gram(file="K.npy").

With --against, the rows of TABLE are compared with those of another table, prepared as that one is; predict --gram
reads the result.`,
		Example: `  mercer gram train.csv --target price --id id --kernel 'rbf(sigma=2)' -o K.npy
  mercer gram train.csv --target price --kernel 'rbf(sigma=2)' --packed --float32 -o K.npy
  mercer gram train.csv --target price --kernel 'rbf(sigma=2)' --plot gram.png
  mercer gram new.csv --against train.csv --target price --id id --kernel 'rbf(sigma=2)' -o C.npy
  mercer fit krr train.csv --target price --id id --kernel 'gram(file="K.npy")' -o house.mercer`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if f.out == "" && f.plot == "" {
				return verb.Usagef("name the file to write with -o, such as -o K.npy, or a picture with --plot")
			}
			if f.plot != "" && f.against != "" {
				return verb.Usagef("--plot draws the matrix of one table, and --against compares two")
			}
			if f.form.Packed && f.against != "" {
				return verb.Usagef("--packed stores one triangle of a symmetric matrix, and --against makes a rectangular one")
			}
			if f.libsvm && (f.form.Packed || f.form.Float32 || f.form.Centred) {
				return verb.Usagef("--libsvm is a text format of its own: leave --packed, --float32 and --centre out")
			}
			if f.form.Centred && f.against != "" {
				return verb.Usagef("--centre takes the mean of the rows of one table, and --against compares two")
			}
			if f.out != "" {
				if err := verb.CanWrite(f.out); err != nil {
					return err
				}
			}
			if err := verb.CanDraw(f.plot); err != nil {
				return err
			}
			result, err := writeGram(inv, cmd, f, args[0])
			if err != nil {
				return err
			}
			return inv.EmitReport(result)
		},
	}
	f.Register(cmd)
	set := cmd.Flags()
	set.StringVarP(&f.out, "output", "o", "", ".npy file to write")
	set.StringVar(&f.plot, "plot", "", "draw the matrix and the centred one, a .png or .svg file; of more than 150 rows some, evenly chosen")
	set.StringVar(&f.against, "against", "", "compare the rows of TABLE with those of this table")
	set.BoolVar(&f.form.Packed, "packed", false, "write the lower triangle only, row by row, as a vector of n(n+1)/2")
	set.BoolVar(&f.form.Centred, "centre", false, "write HKH, H = I − 11ᵀ/n: the inner products of the points less their mean")
	set.BoolVar(&f.form.Float32, "float32", false, "write single precision")
	set.BoolVar(&f.libsvm, "libsvm", false, "write LIBSVM's text format of precomputed kernels (svm-train -t 4), with the target as label; default: that of a LIBSVM table, else 0")
	return inv.Prints(inv.Cached(cmd), written{})
}

// writeGram writes the matrix of a table, or of a table against another.
func writeGram(inv *verb.Invocation, cmd *cobra.Command, f *gramFlags, path string) (*written, error) {
	of := path
	if f.against != "" {
		of = f.against
	}
	f.Prep.Learns = learner.NoTarget
	p, err := f.Task(cmd.Context(), inv, of)
	if err != nil {
		return nil, err
	}
	how, stop := inv.Compute()
	defer stop()
	if f.plot != "" {
		if err := drawGram(cmd, p, how, f.plot); err != nil {
			return nil, err
		}
	}
	if f.out == "" {
		n, _, _ := p.Dims()
		return &written{Plot: f.plot, Rows: n, Columns: n, Form: "picture", Type: strings.TrimPrefix(verb.Ext(f.plot), "."), Kernel: p.Kernel()}, nil
	}
	if f.libsvm {
		return f.text(cmd, inv, p, path, how)
	}
	if _, err := p.Look(); err != nil {
		return nil, err
	}
	if note := p.RepeatedID(); note != "" {
		inv.Note("%s", note)
	}
	made, err := f.npy(cmd, inv, p, path, how)
	if err != nil {
		return nil, err
	}
	result := &written{File: f.out, Plot: f.plot, IDs: made.IDs, Rows: made.Rows, Columns: made.Columns, Form: "full", Type: "float64",
		Bytes: made.Bytes, Kernel: p.Kernel()}
	if f.form.Packed {
		result.Form = "packed lower triangle"
	}
	if f.form.Float32 {
		result.Type = "float32"
	}
	if f.against == "" {
		trace := verb.Number(made.Trace)
		result.Trace = &trace
	}
	return result, nil
}

// text writes the matrix in LIBSVM's format.
func (f *gramFlags) text(cmd *cobra.Command, inv *verb.Invocation, p *task.Task, path string, how compute.Options) (*written, error) {
	n, _, _ := p.Dims()
	rows, bytes := n, &counter{}
	write := p.WriteLIBSVMGram
	if f.against != "" {
		t, err := f.Table.Read(cmd.Context(), inv, path, f.Prep.ID)
		if err != nil {
			return nil, err
		}
		write = func(ctx context.Context, w io.Writer, how compute.Options) (err error) {
			rows, err = p.WriteLIBSVMCross(ctx, w, t, how)
			return err
		}
	}
	if err := inv.WriteFile(cmd.Context(), f.out, func(w io.Writer) error { return write(cmd.Context(), io.MultiWriter(w, bytes), how) }); err != nil {
		return nil, err
	}
	return &written{File: f.out, Plot: f.plot, Rows: rows, Columns: n, Form: "full", Type: "LIBSVM -t 4", Bytes: bytes.n, Kernel: p.Kernel()}, nil
}

// npy writes the matrix as .npy, and the ids of its rows beside it; to standard output it alone.
func (f *gramFlags) npy(cmd *cobra.Command, inv *verb.Invocation, p *task.Task, path string, how compute.Options) (made *task.GramFile, err error) {
	var t *data.Table
	if f.against != "" {
		if t, err = f.Table.Read(cmd.Context(), inv, path, f.Prep.ID); err != nil {
			return nil, err
		}
	}
	write := func(form task.GramOptions) (err error) {
		if t == nil {
			made, err = p.WriteGram(cmd.Context(), f.out, form, how)
		} else {
			made, err = p.WriteCrossGram(cmd.Context(), f.out, t, form, how)
		}
		return err
	}
	if f.out != verb.Stdout {
		err = write(f.form)
		return made, err
	}
	err = inv.WriteFile(cmd.Context(), f.out, func(w io.Writer) error {
		form := f.form
		form.To = w
		return write(form)
	})
	return made, err
}

// counter counts bytes.
type counter struct{ n int64 }

func (c *counter) Write(p []byte) (int, error) {
	c.n += int64(len(p))
	return len(p), nil
}

// drawGram draws the Gram matrix of rows, evenly chosen where there are many, and the same
// about their barycentre.
func drawGram(cmd *cobra.Command, p *task.Task, o compute.Options, plot string) error {
	n, _, _ := p.Dims()
	rows := figure.Thinned(n)
	k, err := gram.Dense(cmd.Context(), gram.RowsOf(p.Pairs()).Bind(rows, rows), o)
	if err != nil {
		return err
	}
	values := func() [][]float64 {
		out := make([][]float64, len(rows))
		for i := range out {
			out[i] = mat.Row(nil, i, k)
		}
		return out
	}
	title := "K, " + verb.Brief(p.Kernel())
	if len(rows) < n {
		title += fmt.Sprintf(", %d of %d rows", len(rows), n)
	}
	sheet := figure.Sheet{Panels: []figure.Panel{figure.MatrixPanel(title, values())}}
	if _, err := gram.Centre(cmd.Context(), k, o); err != nil {
		return err
	}
	sheet.Panels = append(sheet.Panels, figure.MatrixPanel("centred: Kᶜ", values()))
	return verb.WritePicture(cmd, plot, sheet)
}
