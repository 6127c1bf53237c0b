package kernels

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"example.org/mercer/cmd/mercer/internal/flags"
	"example.org/mercer/cmd/mercer/internal/gallery"
	"example.org/mercer/cmd/mercer/internal/verb"
)

// drawnGallery is what `mercer gallery` prints.
type drawnGallery struct{ *gallery.Gallery }

func (g drawnGallery) Text(w io.Writer) {
	var lines [][]string
	for _, f := range g.Figures {
		lines = append(lines, []string{filepath.Join(g.Dir, f.PNG), f.Title})
	}
	verb.Columns(w, lines)
	fmt.Fprintf(w, "index: %s, %s\n", filepath.Join(g.Dir, g.HTML), filepath.Join(g.Dir, g.Markdown))
}

// figureList is what `mercer gallery --list` prints.
type figureList struct {
	Figures []gallery.Figure `json:"figures"`
}

func (l figureList) Text(w io.Writer) {
	lines := [][]string{{"figure", "takes", "title"}}
	for _, f := range l.Figures {
		lines = append(lines, []string{f.Name, string(f.Takes), f.Title})
	}
	verb.Columns(w, lines)
}

// galleryFlags say what to draw from what.
type galleryFlags struct {
	table   flags.Table
	columns gallery.Columns
	dir     string
	data    string
	list    bool
}

func NewGallery(inv *verb.Invocation) *cobra.Command {
	f := &galleryFlags{}
	cmd := &cobra.Command{
		Use:   "gallery [FIGURE…] [TABLE] -o DIR",
		Short: "Draw the figures of the lectures, or the same from your own table",
		Long: `gallery draws the figures that the lectures on kernel methods show or describe, computed by the methods of this
command: a .png and a .svg file for each, and an index (README.md, index.html) that says for every figure which formula
it shows, which lecture it belongs to, what to see, and how to draw the same from other data. Without names it draws all.

Points are generated from --seed. With --data, the folder of the public data sets, Old Faithful and the USPS digits are
the real ones; otherwise they are stand-ins, and the captions say so. A table after the name of a figure replaces its
points: --list says what each figure takes.`,
		Example: `  mercer gallery -o pictures
  mercer gallery --list
  mercer gallery krr kpca-clusters -o pictures --seed 7
  mercer gallery kpca-circles points.csv --x height --y weight --target kind -o pictures`,
		Args: cobra.ArbitraryArgs,
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return gallery.Names(), cobra.ShellCompDirectiveDefault
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			return drawFigures(inv, cmd, f, args)
		},
	}
	f.table.Register(cmd)
	set := cmd.Flags()
	set.StringVarP(&f.dir, "output", "o", "", "folder to write to; made if it is not there")
	set.StringVar(&f.data, "data", "", "folder with faithful.csv and usps-zip.train.gz; default: generated stand-ins")
	set.BoolVar(&f.list, "list", false, "list the figures, and what each takes")
	set.StringVar(&f.columns.X, "x", "", "first column of the table; default: the first that is numeric and not the target")
	set.StringVar(&f.columns.Y, "y", "", "second column of the table; default: the next one")
	set.StringVar(&f.columns.Target, "target", "", "column of labels, or of the numbers to predict")
	return inv.Prints(cmd, drawnGallery{}, figureList{})
}

// drawFigures draws what the arguments name.
func drawFigures(inv *verb.Invocation, cmd *cobra.Command, f *galleryFlags, args []string) error {
	names, table := figureArgs(args)
	figures, err := gallery.Choose(names)
	if err != nil {
		return verb.AsUsage(err)
	}
	if f.list {
		return inv.Emit(figureList{figures})
	}
	if f.dir == "" || f.dir == verb.Stdout {
		return verb.Usagef("name the folder with -o, such as -o pictures")
	}
	if table != "" && len(figures) != 1 {
		return verb.Usagef("%q is neither a figure nor a table after the name of one figure; the figures are %s", table, strings.Join(gallery.Names(), ", "))
	}
	how, stop := inv.Compute()
	defer stop()
	how.Progress = nil
	o := gallery.Options{Seed: inv.Seed, Data: f.data, Compute: how}
	if table != "" {
		t, err := f.table.Read(cmd.Context(), inv, table)
		if err != nil {
			return err
		}
		if o.Points, err = gallery.FromTable(t, figures[0].Takes, f.columns); err != nil {
			return err
		}
	}
	drawn, err := gallery.Draw(cmd.Context(), f.dir, figures, o, func(name string) { inv.Note("drawing %s", name) })
	if err != nil {
		return &verb.Unfinished{Err: err, Left: "figures that were drawn before are in " + f.dir}
	}
	return inv.EmitReport(drawnGallery{drawn})
}

// figureArgs splits arguments into names of figures and, if the last is not one, a table.
func figureArgs(args []string) (names []string, table string) {
	if n := len(args); n > 0 && !slices.Contains(gallery.Names(), args[n-1]) {
		return args[:n-1], args[n-1]
	}
	return args, ""
}
