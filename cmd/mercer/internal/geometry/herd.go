package geometry

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"example.org/mercer/cmd/mercer/internal/verb"
	"example.org/mercer/gram"
	"example.org/mercer/rkhs"
)

// herded is what `mercer geom herd` prints.
type herded struct {
	Kernel string        `json:"kernel"`
	Rows   []string      `json:"rows"`
	Gap2   []verb.Number `json:"squared_distances"` // ‖μ − mean of the rows so far‖²
	scale  float64
}

func (h herded) Text(w io.Writer) {
	lines := [][]string{{"row", "distance of the mean so far from that of all"}}
	for i, name := range h.Rows {
		lines = append(lines, []string{name, rootOf(float64(h.Gap2[i]), h.scale)})
	}
	verb.Columns(w, lines)
}

func newGeomHerd(inv *verb.Invocation) *cobra.Command {
	var size int
	cmd := &cobra.Command{
		Use:   "herd TABLE",
		Short: "Choose the few rows whose mean in feature space is nearest to that of all",
		Long: `herd chooses rows one after the other by kernel herding: representatives whose mean stays near the barycentre of all
rows, nearer than rows drawn at random. Row weights count.`,
		Example: `  mercer geom herd iris.csv --target last --size 10 --kernel 'rbf(sigma=median)'
  mercer geom herd big.csv.gz --id id --size 100 --json`,
		Args: cobra.ExactArgs(1),
	}
	f := geomFlags(cmd)
	cmd.Flags().IntVar(&size, "size", 10, "number of rows to choose")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if size < 1 {
			return verb.Usagef("--size is %d; choose at least one row", size)
		}
		p, err := f.Task(cmd.Context(), inv, args[0])
		if err != nil {
			return err
		}
		names := p.Names()
		if size > len(names) {
			return verb.Usagef("--size is %d, and the table has %d rows", size, len(names))
		}
		how, stop := inv.Compute()
		defer stop()
		chosen, gap2, err := rkhs.Herding(cmd.Context(), gram.Of(p.Pairs(), how), p.Rows.W, size, true, how)
		if err != nil {
			return err
		}
		stop()
		result := herded{Kernel: p.Kernel(), scale: gap2[0]}
		for i, row := range chosen {
			result.Rows, result.Gap2 = append(result.Rows, names[row]), append(result.Gap2, verb.Number(gap2[i]))
		}
		warnIndefinite(inv, fmt.Sprintf("the squared distance of the mean of %d rows from that of all", size), gap2[size-1], gap2[0])
		return inv.Emit(result)
	}
	return inv.Prints(inv.Cached(cmd), herded{})
}
