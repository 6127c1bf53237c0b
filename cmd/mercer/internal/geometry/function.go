package geometry

import (
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/spf13/cobra"

	"example.org/mercer"
	"example.org/mercer/cmd/mercer/internal/figure"
	"example.org/mercer/cmd/mercer/internal/flags"
	"example.org/mercer/cmd/mercer/internal/verb"
	"example.org/mercer/data"
)

// sized is what `mercer geom function` prints.
type sized struct {
	Model   string           `json:"model"`
	Kernel  string           `json:"kernel"`
	Outputs []mercer.Element `json:"outputs"`
	Names   []string         `json:"-"`
	Pairs   [][2]string      `json:"steepest_rows,omitempty"`
}

func (s sized) Text(w io.Writer) {
	fmt.Fprintf(w, "%s: %s\n", s.Model, verb.Brief(s.Kernel))
	var lines [][]string
	for j, f := range s.Outputs {
		lines = append(lines, []string{f.Name, "norm ‖f‖", rootOf(f.Norm2, f.Norm2)})
		if p := f.Steepest; p != nil && p.I >= 0 {
			lines = append(lines, []string{"", "steepest", fmt.Sprintf("%s between rows %s and %s: %s over the distance %s", verb.Num(p.Ratio), s.Pairs[j][0], s.Pairs[j][1], verb.Num(p.Rise), rootOf(p.Run2, p.Run2))})
		}
	}
	verb.Columns(w, lines)
}

func newGeomFunction(inv *verb.Invocation) *cobra.Command {
	f, plot := &flags.Apply{}, ""
	cmd := &cobra.Command{
		Use:   "function MODEL [TABLE]",
		Short: "The norm of a fitted model in its space, and the pair of rows between which it rises most",
		Long: `function gives ‖f‖ of the outputs of a model without their constants, the smoothness that its penalty λ‖f‖² pays for. By the
Cauchy–Schwarz inequality |f(x) − f(x')| ≤ ‖f‖·‖φ(x) − φ(x')‖ for all x and x': ‖f‖ is a Lipschitz constant in the metric of the
kernel. The pair that comes nearest to it is sought among the rows of TABLE, or the training rows that the model keeps.`,
		Example: `  mercer geom function house.mercer
  mercer geom function house.mercer new.csv --json
  mercer geom function house.mercer new.csv --plot slopes.png`,
		Args: cobra.RangeArgs(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := verb.CanDraw(plot); err != nil {
				return err
			}
			m, err := mercer.LoadWith(args[0], f.Files.Files)
			if err != nil {
				return err
			}
			var t *data.Table
			if len(args) == 2 {
				if t, err = f.Read(cmd, inv, args[1], m.Prep.ID()); err != nil {
					return err
				}
			}
			how, stop := inv.Compute()
			defer stop()
			if f.Verify {
				if _, err := m.Verify(cmd.Context(), how); err != nil {
					return fmt.Errorf("%s: %w", args[0], err)
				}
			}
			result := sized{Model: args[0], Kernel: m.Kernel()}
			if result.Outputs, result.Names, err = m.Elements(cmd.Context(), t, how); err != nil {
				return err
			}
			stop()
			for _, o := range result.Outputs {
				pair := [2]string{}
				if s := o.Steepest; s == nil {
					inv.Note("note: the model is in primal form and keeps no training rows: give a TABLE to find the steepest pair")
				} else if s.I >= 0 {
					pair = [2]string{result.Names[s.I], result.Names[s.J]}
				}
				result.Pairs = append(result.Pairs, pair)
				warnIndefinite(inv, "‖f‖² of "+o.Name, o.Norm2, o.Norm2)
			}
			if plot != "" {
				if err := verb.WritePicture(cmd, plot, slopesOf(result.Outputs)); err != nil {
					return err
				}
			}
			return inv.Emit(result)
		},
	}
	f.Register(cmd)
	cmd.Flags().StringVar(&plot, "plot", "", "draw |f(x) − f(x')| over the distance of x and x' in feature space, and the bound ‖f‖; a .png or .svg file")
	return inv.Prints(cmd, sized{})
}

// slopesOf draws what bounds the first few outputs.
func slopesOf(outputs []mercer.Element) figure.Sheet {
	const most = 4
	var sheet figure.Sheet
	for _, f := range outputs[:min(most, len(outputs))] {
		var run, rise []float64
		for _, s := range f.Slopes {
			run, rise = append(run, s.Run), append(rise, s.Rise)
		}
		far, norm := 1.0, math.Sqrt(max(0, f.Norm2))
		if run != nil {
			far = slices.Max(run)
		}
		sheet.Panels = append(sheet.Panels, figure.Panel{Title: f.Name, X: "‖φ(x) − φ(x′)‖", Y: "|f(x) − f(x′)|", Layers: []figure.Layer{figure.Lattice{},
			figure.Dots{Name: "pairs of rows", X: run, Y: rise, Ink: 1, Size: 1.2},
			figure.Line{Name: "bound ‖f‖ = " + verb.Num(norm), X: []float64{0, far}, Y: []float64{0, norm * far}, Ink: 0}}})
	}
	return sheet
}
