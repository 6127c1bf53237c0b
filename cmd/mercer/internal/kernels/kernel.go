package kernels

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"example.org/mercer/cmd/mercer/internal/figure"
	"example.org/mercer/cmd/mercer/internal/verb"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/expr"
	"example.org/mercer/kernel/record"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/task"
)

// described is what `mercer kernel EXPR` prints.
type described struct {
	Kernel     string             `json:"kernel"` // canonical
	References []kernel.Reference `json:"kernels"`
	Verdict    string             `json:"definiteness"`
	Derivation kernel.Derivation  `json:"derivation"`
	Parameters []string           `json:"parameters,omitempty"`
	Between    *pairing           `json:"between,omitempty"`
}

func (d described) Text(w io.Writer) {
	fmt.Fprintln(w, d.Kernel)
	for _, c := range d.References {
		fmt.Fprintln(w)
		lines := [][]string{{c.Name, c.Title}, {"  k(x, y) =", c.Formula}, {"  domain", c.Domain}}
		for i, e := range c.Equivalents {
			name := ""
			if i == 0 {
				name = "  the same as"
			}
			lines = append(lines, []string{name, e})
		}
		if c.Source != "" {
			lines = append(lines, []string{"  source", c.Source})
		}
		if len(c.SeeAlso) > 0 {
			lines = append(lines, []string{"  see also", strings.Join(c.SeeAlso, ", ")})
		}
		verb.Columns(w, lines)
	}
	if len(d.Parameters) > 0 {
		fmt.Fprintf(w, "\nparameters to tune: %s\n", strings.Join(d.Parameters, ", "))
	}
	fmt.Fprintf(w, "\n%s:\n", d.Verdict)
	writeDerivation(w, d.Derivation, 1)
	if d.Between != nil {
		d.Between.Text(w)
	}
}

// writeDerivation prints a proof tree, one line per step.
func writeDerivation(w io.Writer, d kernel.Derivation, depth int) {
	fmt.Fprintf(w, "%s%s: %s. %s\n", strings.Repeat("  ", depth), d.Kernel, d.Verdict, d.Reason)
	for _, part := range d.From {
		writeDerivation(w, part, depth+1)
	}
}

// usage shows a name with its arguments and their defaults.
func usage(n expr.Name) string {
	var args []string
	for _, a := range n.Arguments {
		arg := a.Name
		if a.Default != "" {
			arg += "=" + a.Default
		}
		args = append(args, arg)
	}
	if args == nil {
		return n.Name
	}
	return n.Name + "(" + strings.Join(args, ", ") + ")"
}

// listed is what `mercer kernel` prints without an expression.
type listed struct {
	Kernels []expr.Name `json:"kernels"`
}

func (l listed) Text(w io.Writer) {
	var lines [][]string
	for _, n := range l.Kernels {
		lines = append(lines, []string{usage(n), n.Summary})
	}
	verb.Columns(w, lines)
	fmt.Fprintln(w, "\nCombine them: 0.5*rbf(sigma=1) + poly(degree=2)[age,bmi] * min[hist*]. Look one up: mercer kernel 'rbf(gamma=0.5)'")
}

// kernelFlags are those of `mercer kernel EXPR`.
type kernelFlags struct {
	plot, from string
	at         []float64
	between    []string
}

func NewKernel(inv *verb.Invocation) *cobra.Command {
	f := &kernelFlags{}
	cmd := &cobra.Command{
		Use:   "kernel [EXPR]",
		Short: "Explain a kernel: formula, equivalent parameters, domain, why it is positive definite; without EXPR: list all",
		Example: `  mercer kernel
  mercer kernel 'rbf(gamma=0.5)'
  mercer kernel '0.5*rbf(sigma=1) + poly(degree=2, offset=1)' --json
  mercer kernel min --at 0.25,0.5,0.8 --plot min.png
  mercer kernel 'rbf(sigma=2)' --between 1,0 --between 0,1
  mercer kernel 'spectrum(k=3)' --between ACGTTTACGA --between AGTTTACG --plot tries.png
  mercer kernel 'diffusion(graph="net.gml", t=1)' --from 1 --plot heat.png`,
		Args:              cobra.MaximumNArgs(1),
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := verb.CanDraw(f.plot); err != nil {
				return err
			}
			if n := len(f.between); n != 0 && n != 2 {
				return verb.Usagef("--between names %d points; a kernel compares two: give the flag twice", n)
			}
			if len(args) > 0 {
				d, err := f.describe(cmd, args[0])
				if err != nil {
					return err
				}
				return inv.Emit(d)
			}
			if f.plot != "" || f.between != nil {
				return verb.Usagef("--plot and --between ask of one kernel: name it, such as: mercer kernel 'rbf(sigma=1)' --plot k.png")
			}
			return inv.Emit(listed{Kernels: task.KernelNames()})
		},
	}
	cmd.Flags().StringVar(&f.plot, "plot", "", "draw K_x(t) = k(x, t) of numbers, its slope and the distance in feature space; k(x, ·) on the nodes of a graph; with --between the tries of two sequences or the product of two graphs; a .png or .svg file")
	cmd.Flags().Float64SliceVar(&f.at, "at", []float64{0.25, 0.5, 0.75}, "the numbers x of --plot, at most 6")
	cmd.Flags().StringVar(&f.from, "from", "", "the node x of --plot; default: the first")
	cmd.Flags().StringArrayVar(&f.between, "between", nil, "compare two points, one by each of two such flags: numbers with commas, a sequence, a graph as a line of JSON, or an id")
	return inv.Prints(cmd, described{}, listed{})
}

// describe explains a kernel on points of any kind, and draws it where a picture is wanted.
func (f *kernelFlags) describe(cmd *cobra.Command, text string) (described, error) {
	parsed, err := task.Parse(text)
	if err != nil {
		return described{}, verb.Blame(err)
	}
	if parsed.Kind == task.OnRowIDs {
		k, err := task.IDKernel(cmd.Context(), parsed)
		if err != nil {
			return described{}, verb.Blame(err)
		}
		if err := drawHeat(cmd, k, f.from, f.plot); err != nil {
			return described{}, err
		}
		return describeBetween(k, f.between)
	}
	if f.from != "" {
		return described{}, verb.Usagef("--from is a node, and %s names no graph", text)
	}
	if parsed.Kind == task.OnRecords {
		k, cells, err := task.RecordKernel(parsed, f.between...)
		if err != nil {
			return described{}, verb.Blame(err)
		}
		if err := drawCells(cmd, k, cells, f.plot); err != nil || cells == nil {
			return describe(k), err
		}
		return describeBetween(k, []record.Record{cells.At(0), cells.At(1)})
	}
	k, err := expr.Build(parsed.Node, task.VectorLanguage(vec.Schema{}))
	if err != nil {
		return described{}, verb.Blame(err)
	}
	points, err := readPoints(f.between)
	if err != nil {
		return described{}, err
	}
	if f.plot != "" {
		if err := drawKernel(cmd, k, f.at, f.plot); err != nil {
			return described{}, err
		}
	}
	return describeBetween(k, points)
}

// drawKernel draws a kernel as functions of one number, as far as its domain reaches around
// the x.
func drawKernel(cmd *cobra.Command, k kernel.Kernel[[]float64], of []float64, plot string) error {
	const most, places = 6, 401
	if len(of) == 0 || len(of) > most {
		return verb.Usagef("--at names %d numbers; a picture shows 1 to %d", len(of), most)
	}
	one := func(x float64) error { return kernel.Contains(k, []float64{x}) }
	for _, x := range of {
		if err := one(x); err != nil {
			return verb.Usagef("--at %g: %w", x, err)
		}
	}
	low, high := slices.Min(of), slices.Max(of)
	room := high - low
	if room == 0 {
		room = 3
	}
	var at []float64
	for i := range places {
		if t := low - room + (high-low+2*room)*float64(i)/(places-1); one(t) == nil {
			at = append(at, t)
		}
	}
	s := figure.SectionsOf(func(x, t float64) float64 { return k.Eval([]float64{x}, []float64{t}) }, "t", of, at)
	return verb.WritePicture(cmd, plot, figure.Sheet{Panels: []figure.Panel{s.Panel(k.String()), s.Slopes("slope"), s.Distances("distance in feature space")}, Height: 8})
}

// describe collects what a kernel says of itself.
func describe[T any](k kernel.Kernel[T]) described {
	d := kernel.Derive(k)
	result := described{Kernel: k.String(), Verdict: d.Verdict.String(), Derivation: d, References: []kernel.Reference{}}
	seen := map[string]bool{}
	for _, c := range kernel.References(k) {
		if key := c.Name + strings.Join(c.Equivalents, ";"); !seen[key] {
			seen[key] = true
			result.References = append(result.References, c)
		}
	}
	if t, ok := k.(kernel.Tunable[T]); ok {
		for _, p := range t.Parameters() {
			result.Parameters = append(result.Parameters, fmt.Sprintf("%s = %s", p.Name, verb.Num(p.Value)))
		}
	}
	return result
}
