package cli

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/cmd/mercer/internal/figure"
	"example.org/mercer/compute"
	"example.org/mercer/gram"
	"example.org/mercer/internal/atomicfile"
	"example.org/mercer/learner"
	"example.org/mercer/task"
)

// written is what `mercer gram` prints.
type written struct {
	File    string  `json:"file,omitempty"`
	Plot    string  `json:"plot,omitempty"`
	IDs     string  `json:"ids,omitempty"`
	Rows    int     `json:"rows"`
	Columns int     `json:"columns"`
	Form    string  `json:"form"`
	Type    string  `json:"type"`
	Bytes   int64   `json:"bytes"`
	Kernel  string  `json:"kernel"`
	Trace   *number `json:"trace,omitempty"`
}

func (g written) text(w io.Writer) {
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
		lines = append(lines, []string{"trace", num(float64(*g.Trace))})
	}
	rows(w, lines)
}

// gramFlags say which matrix to write, and how.
type gramFlags struct {
	problemFlags
	form         task.GramOptions
	out, against string
	plot         string
	libsvm       bool
}

func newGram(inv *invocation) *cobra.Command {
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
				return usagef("name the file to write with -o, such as -o K.npy, or a picture with --plot")
			}
			if f.plot != "" && f.against != "" {
				return usagef("--plot draws the matrix of one table, and --against compares two")
			}
			if f.form.Packed && f.against != "" {
				return usagef("--packed stores one triangle of a symmetric matrix, and --against makes a rectangular one")
			}
			if f.libsvm && (f.form.Packed || f.form.Float32 || f.against != "") {
				return usagef("--libsvm is a text format of its own: leave --packed, --float32 and --against out")
			}
			if f.out != "" {
				if err := canWrite(f.out); err != nil {
					return err
				}
			}
			if err := canDraw(f.plot); err != nil {
				return err
			}
			result, err := inv.gram(cmd, f, args[0])
			if err != nil {
				return err
			}
			return inv.emit(result)
		},
	}
	f.register(cmd)
	flags := cmd.Flags()
	flags.StringVarP(&f.out, "output", "o", "", ".npy file to write")
	flags.StringVar(&f.plot, "plot", "", "draw the matrix and the centred one, a .png or .svg file; of more than 150 rows some, evenly chosen")
	flags.StringVar(&f.against, "against", "", "compare the rows of TABLE with those of this table")
	flags.BoolVar(&f.form.Packed, "packed", false, "write the lower triangle only, row by row, as a vector of n(n+1)/2")
	flags.BoolVar(&f.form.Float32, "float32", false, "write single precision")
	flags.BoolVar(&f.libsvm, "libsvm", false, "write LIBSVM's text format of precomputed kernels (svm-train -t 4), with the target as label; default: that of a LIBSVM table, else 0")
	return inv.cached(cmd)
}

// gram writes the matrix of a table, or of a table against another.
func (inv *invocation) gram(cmd *cobra.Command, f *gramFlags, path string) (*written, error) {
	of := path
	if f.against != "" {
		of = f.against
	}
	f.prep.learns = learner.NoTarget
	p, err := f.problem(cmd.Context(), inv, of)
	if err != nil {
		return nil, err
	}
	how, stop := inv.compute()
	defer stop()
	if f.plot != "" {
		if err := drawGram(cmd, p, how, f.plot); err != nil {
			return nil, err
		}
	}
	if f.out == "" {
		n, _, _ := p.Dims()
		return &written{Plot: f.plot, Rows: n, Columns: n, Form: "picture", Type: strings.TrimPrefix(ext(f.plot), "."), Kernel: p.Kernel()}, nil
	}
	if f.libsvm {
		write := func(w io.Writer) error { return p.WriteLIBSVMGram(cmd.Context(), w, how) }
		if err := atomicfile.Write(cmd.Context(), f.out, write); err != nil {
			return nil, err
		}
		n, _, _ := p.Dims()
		info, err := os.Stat(f.out)
		if err != nil {
			return nil, err
		}
		return &written{File: f.out, Plot: f.plot, Rows: n, Columns: n, Form: "full", Type: "LIBSVM -t 4", Bytes: info.Size(), Kernel: p.Kernel()}, nil
	}
	var made *task.GramFile
	if f.against == "" {
		made, err = p.WriteGram(cmd.Context(), f.out, f.form, how)
	} else {
		t, readErr := f.table.read(cmd.Context(), inv, path, f.prep.id)
		if readErr != nil {
			return nil, readErr
		}
		made, err = p.WriteCrossGram(cmd.Context(), f.out, t, f.form, how)
	}
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
		trace := number(made.Trace)
		result.Trace = &trace
	}
	return result, nil
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
	title := "K, " + brief(p.Kernel())
	if len(rows) < n {
		title += fmt.Sprintf(", %d of %d rows", len(rows), n)
	}
	sheet := figure.Sheet{Panels: []figure.Panel{figure.MatrixPanel(title, values())}}
	if _, err := gram.Centre(cmd.Context(), k, o); err != nil {
		return err
	}
	sheet.Panels = append(sheet.Panels, figure.MatrixPanel("centred: Kᶜ", values()))
	return writePicture(cmd, plot, sheet)
}
