package learn

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"example.org/mercer"
	"example.org/mercer/cmd/mercer/internal/figure"
	"example.org/mercer/cmd/mercer/internal/flags"
	"example.org/mercer/cmd/mercer/internal/verb"
	"example.org/mercer/compute"
	"example.org/mercer/data/prep"
	"example.org/mercer/outcome/tabular"
)

// denoiseFlags are those of the verb denoise.
type denoiseFlags struct {
	table flags.Table
	o     mercer.Denoising

	id, missing, noise string
	targets, drop      []string
	preImage, model    string
	clean              bool
	out, plot, shape   string
	ink                string
}

func NewDenoise(inv *verb.Invocation) *cobra.Command {
	f := &denoiseFlags{}
	cmd := &cobra.Command{
		Use:   "denoise CLEAN TABLE | --model FILE TABLE",
		Short: "Remove noise from rows: kernel principal components and pre-images",
		Long: `denoise learns from the rows of a clean table what rows look like, and moves those of another one there. The image of a row in
feature space is projected on the leading kernel principal components of the clean rows; the answer is the point whose image is
nearest to that, its pre-image. All numeric columns are used as they are.

The result is a table of rows without noise and of residuals, the distance between the image of the answer and the projection.

With --noise the number of components, and one parameter of the kernel that is written "?", are chosen: a tenth of the clean rows
is held out, the noise is added to them, and what brings them back with the smallest mean squared error is taken.

With --model the components are those of embed kpca --model, about the mean of the images, and there is no clean table.

With --clean the second table is clean, too: the noise is added to its rows and removed again, and the errors are compared with those of
principal component analysis, whose components are chosen by the same rule.`,
		Example: `  mercer denoise clean.csv noisy.csv --noise gaussian=0.5 -o denoised.csv
  mercer denoise clean.csv noisy.csv --kernel 'rbf(sigma=8)' --components 64 -o denoised.csv
  mercer denoise train.csv test.csv --clean --noise speckle=0.4 --target digit --plot panel.png --json
  mercer denoise clean.csv noisy.csv --kernel laplace1 --components 10 --pre-image candidates
  mercer denoise --model components.mercer noisy.csv --components 8`,
		Args: func(_ *cobra.Command, args []string) error {
			if f.model != "" {
				if len(args) != 1 {
					return fmt.Errorf("expected one table beside --model, such as: noisy.csv (got %d arguments)", len(args))
				}
				return nil
			}
			if len(args) != 2 {
				return fmt.Errorf("expected a clean table and one to denoise, such as: clean.csv noisy.csv (got %d arguments)", len(args))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, inv, args) },
	}
	f.register(cmd)
	return inv.Prints(cmd, denoised{})
}

func (f *denoiseFlags) register(cmd *cobra.Command) {
	f.table.Register(cmd)
	set := cmd.Flags()
	set.StringVar(&f.o.Kernel, "kernel", "rbf(sigma=?)", `kernel expression; one parameter may be "?"`)
	set.StringVar(&f.model, "model", "", "model of embed kpca, whose components are taken instead of those of a clean table")
	set.IntSliceVar(&f.o.Components, "components", nil, "number of components, or those to choose from; default: a ladder from 1 to 1024")
	set.StringVar(&f.noise, "noise", "", "noise to choose by: gaussian=STANDARD DEVIATION, or speckle=PROBABILITY that a number becomes the smallest or largest there is")
	set.Float64Var(&f.o.Held, "held", 0, "share of the clean rows to choose on; default 0.1, and at most 200 rows")
	set.BoolVar(&f.o.Mean, "about-mean", false, "components about the mean of the images instead of the origin of feature space")
	set.StringVar(&f.preImage, "pre-image", "", preImageNames()+"; default: fixed-point for rbf, descent for other kernels")
	set.BoolVar(&f.clean, "clean", false, "the second table is clean: add the noise, remove it, and compare with principal component analysis")
	set.StringSliceVar(&f.targets, "target", nil, "column that is no part of the rows, such as a label (repeatable)")
	set.StringSliceVar(&f.drop, "drop", nil, "columns to leave out (repeatable)")
	set.StringVar(&f.id, "id", "", "column that names the rows")
	set.StringVar(&f.missing, "missing", "refuse", "missing cells: refuse, drop or mean")
	set.StringVarP(&f.out, "output", "o", "", "CSV file to write; default: standard output")
	set.StringVar(&f.plot, "plot", "", "write a panel of rows as images, a .png or .svg file")
	set.StringVar(&f.ink, "ink", "", "what large numbers are in the images, dark as in a scan of ink or light as in a photograph; default: dark where most numbers are small")
	set.StringVar(&f.shape, "shape", "", "rows × columns of the images, such as 16x16; default: square")
	verb.Choices(cmd, "pre-image", strings.Split(preImageNames(), ", "))
}

func preImageNames() string {
	var names []string
	for _, p := range mercer.PreImages {
		names = append(names, string(p))
	}
	return strings.Join(names, ", ")
}

// check reports what is wrong with the command line, before anything is read.
func (f *denoiseFlags) check(cmd *cobra.Command, inv *verb.Invocation) (err error) {
	if f.o.Noise, err = mercer.ParseNoise(f.noise); err != nil {
		return verb.Usagef("--%w", err)
	}
	if f.o.PreImage = mercer.PreImage(f.preImage); f.preImage != "" && !slices.Contains(mercer.PreImages, f.o.PreImage) {
		return verb.Usagef("--pre-image %q is not known; there are %s", f.preImage, preImageNames())
	}
	slices.Sort(f.o.Components)
	chosen := f.o.Noise == (mercer.Noise{})
	switch {
	case len(f.o.Components) > 0 && f.o.Components[0] < 1:
		return verb.Usagef("--components %d: give numbers above 0", f.o.Components[0])
	case chosen && f.clean:
		return verb.Usagef("--clean compares on rows that noise is added to: say which with --noise, such as gaussian=0.5")
	case f.model != "":
		if err := f.checkModel(cmd); err != nil {
			return err
		}
	case chosen && len(f.o.Components) != 1:
		return verb.Usagef("give one number of --components, or let it be chosen: say with --noise what noise the rows have, such as gaussian=0.5")
	case chosen && strings.Contains(f.o.Kernel, "?"):
		return verb.Usagef("kernel %s has a parameter to be chosen: give its value (sigma=median is one), or say with --noise what noise the rows have", f.o.Kernel)
	case !(f.o.Held >= 0 && f.o.Held < 1):
		return verb.Usagef("--held is %g; give a share of the rows, such as 0.1", f.o.Held)
	}
	if f.ink != "" && f.ink != "dark" && f.ink != "light" {
		return verb.Usagef("--ink is %q; large numbers are drawn dark or light", f.ink)
	}
	f.o.Seed = inv.Seed
	for _, path := range []string{f.out, f.plot} {
		if path != "" {
			if err := verb.CanWrite(path); err != nil {
				return err
			}
		}
	}
	if e := verb.Ext(f.plot); f.plot != "" && e != ".png" && e != ".svg" {
		return verb.Usagef("picture %q: the name must end in .png or .svg", f.plot)
	}
	return nil
}

// checkModel refuses what a model has settled.
func (f *denoiseFlags) checkModel(cmd *cobra.Command) error {
	for _, name := range []string{"kernel", "noise", "held", "about-mean", "clean", "target", "drop", "missing"} {
		if cmd.Flags().Changed(name) {
			return verb.Usagef("--%s is settled by --model: leave one of them out", name)
		}
	}
	if len(f.o.Components) > 1 {
		return verb.Usagef("--model: nothing chooses among %d numbers of --components: give one", len(f.o.Components))
	}
	return nil
}

func (f *denoiseFlags) run(cmd *cobra.Command, inv *verb.Invocation, args []string) error {
	if err := f.check(cmd, inv); err != nil {
		return err
	}
	how, stop := inv.Compute()
	defer stop()
	f.o.Compute = how
	learn := f.learn
	if f.model != "" {
		learn = f.load
	}
	d, clean, err := learn(cmd, inv, args)
	if err != nil {
		return err
	}
	path := args[len(args)-1]
	table, err := f.table.Read(cmd.Context(), inv, path, d.Prep.ID())
	if err != nil {
		return err
	}
	result := &denoised{Clean: clean, Table: path, Report: d.Report, Plot: f.plot}
	var rows *mercer.Denoised
	if f.clean {
		if result.Comparison, err = d.Compare(cmd.Context(), table); err == nil {
			rows = result.Comparison.Denoised
		}
	} else {
		rows, err = d.Denoise(cmd.Context(), table)
	}
	stop()
	if err != nil {
		return err
	}
	inv.Notes(append(d.Report.Warnings, rows.Rows.Notes...))
	names, _ := d.Prep.Features()
	result.add(inv, rows, names)
	if f.plot != "" {
		pic, err := f.panel(d, rows, result.Comparison)
		if err != nil {
			return err
		}
		if err := verb.WritePicture(cmd, f.plot, pic); err != nil {
			return err
		}
	}
	return f.emit(cmd, inv, result)
}

// learn finds components in a clean table, and names it.
func (f *denoiseFlags) learn(cmd *cobra.Command, inv *verb.Invocation, args []string) (*mercer.Denoiser, string, error) {
	missing, err := prep.ParseMissing(f.missing)
	if err != nil {
		return nil, "", verb.Usagef("--missing: %w", err)
	}
	if args[0] == "-" && args[1] == "-" {
		return nil, "", verb.Usagef("only one of the tables can come from standard input")
	}
	clean, err := f.table.Read(cmd.Context(), inv, args[0], f.id)
	if err != nil {
		return nil, "", err
	}
	d, err := mercer.NewDenoiser(cmd.Context(), clean, prep.Spec{Targets: f.targets, ID: f.id, Drop: f.drop, Missing: missing}, f.o)
	return d, args[0], verb.Blame(err)
}

// load takes the components of a model, and names the table that it was made of.
func (f *denoiseFlags) load(cmd *cobra.Command, _ *verb.Invocation, _ []string) (*mercer.Denoiser, string, error) {
	m, err := mercer.Load(f.model)
	if err != nil {
		return nil, "", err
	}
	d, err := mercer.NewDenoiserOf(cmd.Context(), m, f.o)
	if err != nil {
		return nil, "", fmt.Errorf("%s: %w", f.model, err)
	}
	return d, m.Source, nil
}

// emit writes the table where it belongs, and the report.
func (f *denoiseFlags) emit(cmd *cobra.Command, inv *verb.Invocation, result *denoised) error {
	if f.out != "" {
		if err := inv.WriteFile(cmd.Context(), f.out, func(w io.Writer) error { return tabular.WriteCSV(w, result.header, result.lines) }); err != nil {
			return err
		}
		inv.Note("%s: %d rows", f.out, len(result.lines))
	}
	if f.out != "" {
		return inv.EmitReport(result)
	}
	if inv.JSON || f.clean {
		return inv.Emit(result)
	}
	inv.Note("%s", result.summary())
	return tabular.WriteCSV(inv.Stdout, result.header, result.lines)
}

// panel draws up to ten rows, evenly taken, as images.
func (f *denoiseFlags) panel(d *mercer.Denoiser, rows *mercer.Denoised, c *mercer.Comparison) (figure.Digits, error) {
	const shown = 10
	height, width, err := imageShape(f.shape, rows.Rows.X.Dim())
	if err != nil {
		return figure.Digits{}, err
	}
	pic := figure.Digits{Height: height, Width: width, Title: d.Report.Noise.String()}
	pic.White, pic.Black = d.Extremes()
	if f.light(rows, pic.White, pic.Black) {
		pic.White, pic.Black = pic.Black, pic.White
	}
	n := len(rows.PreImages)
	add := func(name string, at func(i int) []float64) {
		r := figure.DigitRow{Name: name}
		for k := range min(n, shown) {
			r.Images = append(r.Images, at(k*n/min(n, shown)))
		}
		pic.Rows = append(pic.Rows, r)
	}
	if c != nil {
		add("original", c.Clean.At)
		add("noisy", c.WithNoise.At)
		add(fmt.Sprintf("PCA, %d", d.Report.PCA), c.Linear.At)
	} else {
		add("as they came", rows.Rows.X.At)
	}
	add(fmt.Sprintf("kernel PCA, %d", d.Report.Components), func(i int) []float64 { return rows.PreImages[i].Point })
	return pic, nil
}

// mostInk is the largest mean of images, between their least and their largest number, that is
// taken for ink on paper: most pixels of a scan are paper.
const mostInk = 0.4

// light reports whether large numbers are drawn light.
func (f *denoiseFlags) light(rows *mercer.Denoised, least, most float64) bool {
	if f.ink != "" {
		return f.ink == "light"
	}
	sum, count := 0.0, 0
	for _, a := range rows.PreImages {
		for _, v := range a.Point {
			sum += v
			count++
		}
	}
	return sum/float64(count) > least+mostInk*(most-least)
}

// imageShape reads "16x16"; without it images are square.
func imageShape(text string, pixels int) (height, width int, err error) {
	if text == "" {
		for width*width < pixels {
			width++
		}
		if width*width != pixels {
			return 0, 0, verb.Usagef("--plot: %d columns make no square image: give its rows and columns, such as --shape 8x%d", pixels, pixels/8)
		}
		return width, width, nil
	}
	if n, err := fmt.Sscanf(text+"\n", "%dx%d\n", &height, &width); n != 2 || err != nil || height < 1 || width < 1 {
		return 0, 0, verb.Usagef("--shape %q: give rows and columns of an image, such as 16x16", text)
	}
	if height*width != pixels {
		return 0, 0, verb.Usagef("--shape %s is %d pixels, and the rows have %d", text, height*width, pixels)
	}
	return height, width, nil
}

// denoised is what `mercer denoise` prints.
type denoised struct {
	Clean      string                  `json:"clean"`
	Table      string                  `json:"table"`
	Report     *mercer.DenoisingReport `json:"report"`
	Comparison *mercer.Comparison      `json:"comparison,omitempty"`
	Residual   verb.Number             `json:"mean_residual"`
	// NotConverged counts rows whose search ended by another criterion than its own.
	NotConverged int           `json:"not_converged"`
	Plot         string        `json:"plot,omitempty"`
	Rows         tabular.Table `json:"denoised"`

	header []string
	lines  [][]any
}

// add lays the rows out: their id or number, their numbers, and the residual; for
// candidates also which training row it is.
func (r *denoised) add(inv *verb.Invocation, rows *mercer.Denoised, names []string) {
	r.header = []string{"row"}
	if rows.Rows.IDs != nil {
		r.header[0] = "id"
	}
	r.header = append(append(r.header, names...), "residual")
	var notes []string
	sum := 0.0
	for i, a := range rows.PreImages {
		line := []any{rows.Rows.Rows[i] + 1}
		if rows.Rows.IDs != nil {
			line[0] = rows.Rows.IDs[i]
		}
		for _, v := range a.Point {
			line = append(line, v)
		}
		r.lines = append(r.lines, append(line, a.Residual))
		sum += a.Residual
		if !a.Converged {
			r.NotConverged++
		}
		if a.Note != "" {
			notes = append(notes, fmt.Sprintf("row %v: %s", line[0], a.Note))
		}
	}
	r.Residual = verb.Number(sum / float64(len(rows.PreImages)))
	r.Rows = tabular.TableOf(r.header, r.lines)
	inv.Notes(notes)
}

// summary says in a line how it was done.
func (r *denoised) summary() string {
	d := r.Report
	text := fmt.Sprintf("%s, %d components about the %s, pre-images by %s", verb.Brief(d.Kernel), d.Components, d.About, d.PreImage)
	if d.Held > 0 {
		text += fmt.Sprintf("; chosen on %d rows held out with noise %s: squared error %s, with PCA (%d components) %s", d.Held, d.Noise, verb.Num(d.Error), d.PCA, verb.Num(d.PCAError))
	}
	return text
}

func (r *denoised) Text(w io.Writer) {
	d := r.Report
	lines := [][]string{
		{"trained on", fmt.Sprintf("%d rows of %s, %d numbers each", d.Rows, r.Clean, d.Features)},
		{"kernel", verb.Brief(d.Kernel)},
		{"components", fmt.Sprintf("%d, about the %s", d.Components, d.About)},
		{"pre-images", d.PreImage},
		{"mean residual", verb.Num(float64(r.Residual))},
	}
	if d.Held > 0 {
		lines = append(lines, []string{"chosen by", fmt.Sprintf("squared error %s on %d rows held out, with noise %s", verb.Num(d.Error), d.Held, d.Noise)},
			[]string{"PCA", fmt.Sprintf("%d components by the same rule, squared error %s", d.PCA, verb.Num(d.PCAError))},
			[]string{"shrunk PCA", "all components, each shrunk as the noise asks for, squared error " + verb.Num(d.ShrunkPCAError)})
	}
	if d.Searched > 0 {
		lines = append(lines, []string{"searched", fmt.Sprintf("kernels on %d of %d rows, the number of components on all; give --kernel and --components to choose yourself", d.Searched, d.Rows)})
	}
	if r.NotConverged > 0 {
		lines = append(lines, []string{"not converged", fmt.Sprintf("%d rows", r.NotConverged)})
	}
	if d.Memory > 0 {
		lines = append(lines, []string{"planned memory", compute.FormatBytes(d.Memory)})
	}
	verb.Columns(w, lines)
	if c := r.Comparison; c != nil {
		fmt.Fprintf(w, "\nsquared error on %d rows of %s: %s with noise, %s after PCA, %s after shrunk PCA, %s after kernel PCA; ratio %s\n", c.Rows, r.Table, verb.Num(c.Noisy), verb.Num(c.PCA), verb.Num(c.Shrunk), verb.Num(c.Kernel), verb.Num(c.Ratio))
		if c.ByCountRows < c.Rows {
			fmt.Fprintf(w, "with the same number of components, on the first %d rows:\n", c.ByCountRows)
		}
		fmt.Fprintln(w)
		table := [][]string{{"components", "PCA", "kernel PCA", "ratio"}}
		for _, at := range c.ByCount {
			table = append(table, []string{fmt.Sprint(at.Components), verb.Num(at.PCA), verb.Num(at.Kernel), verb.Num(at.Ratio)})
		}
		verb.Columns(w, table)
	}
}
