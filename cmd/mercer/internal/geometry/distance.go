package geometry

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"example.org/mercer"
	"example.org/mercer/cmd/mercer/internal/figure"
	"example.org/mercer/cmd/mercer/internal/flags"
	"example.org/mercer/cmd/mercer/internal/verb"
	"example.org/mercer/compute"
	"example.org/mercer/rkhs"
	"example.org/mercer/task"
)

// apart is what `mercer geom distance` prints: squared distances between rows.
type apart struct {
	Kernel   string          `json:"kernel"`
	Names    []string        `json:"rows"`
	Squared  []numbers       `json:"squared_distances"`
	Distance [][]verb.Number `json:"distances"`
}

type numbers []float64

func (a apart) Text(w io.Writer) {
	lines := [][]string{append([]string{"distance"}, a.Names...)}
	for i, name := range a.Names {
		line := []string{name}
		for j, d := range a.Distance[i] {
			if d != d {
				line = append(line, fmt.Sprintf("√%s", verb.Num(a.Squared[i][j])))
				continue
			}
			line = append(line, verb.Num(float64(d)))
		}
		lines = append(lines, line)
	}
	verb.Columns(w, lines)
}

// away is what `mercer geom distance --to` prints.
type away struct {
	Kernel string    `json:"kernel"`
	Set    string    `json:"set"`
	Rows   []awayRow `json:"rows"`
}

type awayRow struct {
	Name        string      `json:"row"`
	Barycentre  verb.Number `json:"barycentre"`
	Nearest     verb.Number `json:"nearest"`
	At          string      `json:"nearest_row"`
	Mean        verb.Number `json:"root_mean_square"`
	Barycentre2 float64     `json:"barycentre_squared"`
	Nearest2    float64     `json:"nearest_squared"`
}

func (a away) Text(w io.Writer) {
	lines := [][]string{{"row", "to the barycentre", "to the nearest row", "which is", "root mean square"}}
	for _, r := range a.Rows {
		lines = append(lines, []string{r.Name, verb.Num(float64(r.Barycentre)), verb.Num(float64(r.Nearest)), r.At, verb.Num(float64(r.Mean))})
	}
	verb.Columns(w, lines)
}

// mostRows is the number of rows between which all distances are printed.
const mostRows = 20

func newGeomDistance(inv *verb.Invocation) *cobra.Command {
	var wanted []string
	var to, plot string
	cmd := &cobra.Command{
		Use:   "distance TABLE",
		Short: "Distances ‖φ(x) − φ(y)‖ between rows, or from rows to the set of another table",
		Long: `distance gives √(k(x, x) + k(y, y) − 2k(x, y)) between the rows of a table: those of --rows, by their ids or their
numbers from 1, or the first 20.

With --to SET it gives for every row of TABLE its distance to the barycentre of the rows of SET, which is the lectures'
distance of a point to a set, to the nearest of them, and to all of them in root mean square. TABLE is prepared as SET is.`,
		Example: `  mercer geom distance iris.csv --target last --rows 1,51,101 --kernel 'rbf(sigma=1)'
  mercer geom distance new.csv --to normal.csv --kernel 'rbf(sigma=median)' --json
  mercer geom distance new.csv --to pairs.csv --kernel 'rbf(sigma=0.2)' --plot distance.png`,
		Args: cobra.ExactArgs(1),
	}
	f := geomFlags(cmd)
	cmd.Flags().StringSliceVar(&wanted, "rows", nil, "rows to measure, by id or number (repeatable); default: the first 20")
	cmd.Flags().StringVar(&to, "to", "", "measure the distance to the rows of this table")
	cmd.Flags().StringVar(&plot, "plot", "", "draw the distance to the barycentre over one or two numeric features of --to, or the matrix of distances between rows, a .png or .svg file")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := verb.CanDraw(plot); err != nil {
			return err
		}
		if to != "" {
			if wanted != nil {
				return verb.Usagef("--rows chooses among the rows of one table, and --to measures all rows of TABLE: give one of them")
			}
			return distanceTo(inv, cmd, f, args[0], to, plot)
		}
		return distanceBetween(inv, cmd, f, args[0], wanted, plot)
	}
	return inv.Prints(cmd, apart{}, away{})
}

// distanceBetween measures between rows of one table; nil wanted are the first of them.
func distanceBetween(inv *verb.Invocation, cmd *cobra.Command, f *flags.Problem, table string, wanted []string, plot string) error {
	p, err := f.Task(cmd.Context(), inv, table)
	if err != nil {
		return err
	}
	names := p.Names()
	if wanted == nil {
		wanted = names[:min(mostRows, len(names))]
		if len(names) > mostRows {
			inv.Note("note: the first %d of %d rows; choose others with --rows", mostRows, len(names))
		}
	}
	chosen, err := namedRows(p, wanted)
	if err != nil {
		return err
	}
	how, stop := inv.Compute()
	defer stop()
	d2, err := rkhs.Distances2(cmd.Context(), p.Pairs(), chosen, chosen, how)
	if err != nil {
		return err
	}
	stop()
	result, scale := apart{Kernel: p.Kernel(), Names: wanted}, 0.0
	for _, v := range d2.RawMatrix().Data {
		scale = max(scale, v)
	}
	for i := range chosen {
		line := make([]verb.Number, len(chosen))
		for j := range chosen {
			line[j] = rootNumber(d2.At(i, j), scale)
			if i < j {
				warnIndefinite(inv, fmt.Sprintf("the squared distance of rows %s and %s", wanted[i], wanted[j]), d2.At(i, j), scale)
			}
		}
		result.Squared, result.Distance = append(result.Squared, d2.RawRowView(i)), append(result.Distance, line)
	}
	if plot != "" {
		lines := make([][]float64, len(chosen))
		for i, line := range result.Distance {
			for _, d := range line {
				lines[i] = append(lines[i], float64(d))
			}
		}
		panel := figure.MatrixPanel("distances, "+verb.Brief(p.Kernel()), lines)
		if err := verb.WritePicture(cmd, plot, figure.Sheet{Panels: []figure.Panel{panel}}); err != nil {
			return err
		}
	}
	return inv.Emit(result)
}

// drawDistance draws the distance to the barycentre of the rows all over their features.
func drawDistance(cmd *cobra.Command, p *task.Task, o compute.Options, plot string) error {
	const side = 81
	l, err := mercer.DistanceMapOf(cmd.Context(), p, side, o)
	if err != nil {
		return err
	}
	if l == nil {
		return verb.Usagef("--plot with --to draws over one or two numeric features, and %s has others", p.Source)
	}
	title := verb.Brief(p.Kernel())
	panel := figure.Panel{}
	if len(l.Axes) == 1 {
		panel = figure.DistanceLine(title, l.Features[0], l.Axes[0], l.Values, l.Points[0])
	} else {
		panel = figure.DistanceField(title, l.Features[0], l.Features[1], figure.FieldOf(l.Axes[0], l.Axes[1], l.Values), l.Points[0], l.Points[1])
	}
	return verb.WritePicture(cmd, plot, figure.Sheet{Panels: []figure.Panel{panel}, Width: 12, Height: 10})
}

// distanceTo measures the rows of one table from the set of another.
func distanceTo(inv *verb.Invocation, cmd *cobra.Command, f *flags.Problem, path, set, plot string) error {
	if f.Prep.Weights != "" {
		return verb.Usagef("--weights: the distance to a set counts its rows alike: leave it out, and --drop %s", f.Prep.Weights)
	}
	p, err := f.Task(cmd.Context(), inv, set)
	if err != nil {
		return err
	}
	t, err := f.Table.Read(cmd.Context(), inv, path, f.Prep.ID)
	if err != nil {
		return err
	}
	how, stop := inv.Compute()
	defer stop()
	d, names, err := mercer.DistancesFrom(cmd.Context(), p, t, how)
	if err != nil {
		return err
	}
	if plot != "" {
		if err := drawDistance(cmd, p, how, plot); err != nil {
			return err
		}
	}
	stop()
	result, of := away{Kernel: p.Kernel(), Set: set}, p.Names()
	for i, name := range names {
		result.Rows = append(result.Rows, awayRow{Name: name, Barycentre: rootNumber(d.Barycentre[i], d.Mean[i]), Nearest: rootNumber(d.Nearest[i], d.Mean[i]),
			At: of[d.At[i]], Mean: rootNumber(d.Mean[i], d.Mean[i]), Barycentre2: d.Barycentre[i], Nearest2: d.Nearest[i]})
		warnIndefinite(inv, "the squared distance of row "+name+" to the barycentre", d.Barycentre[i], d.Mean[i])
	}
	return inv.Emit(result)
}
