package geometry

import (
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/cmd/mercer/internal/flags"
	"example.org/mercer/cmd/mercer/internal/verb"
	"example.org/mercer/gram"
	"example.org/mercer/rkhs"
	"example.org/mercer/task"
)

// measured is what `mercer geom points` prints.
type measured struct {
	Rows     int                     `json:"rows"`
	Kernel   string                  `json:"kernel"`
	Norms2   [3]float64              `json:"norms2"`           // ‖φ(x)‖²: least, mean, largest
	Norm2    float64                 `json:"barycentre_norm2"` // ‖μ‖²
	Variance float64                 `json:"variance"`         // Σ p‖φ(x) − μ‖²
	Central  string                  `json:"nearest_to_barycentre"`
	Outlying string                  `json:"farthest_from_barycentre"`
	Near2    float64                 `json:"nearest_distance2"`
	Far2     float64                 `json:"farthest_distance2"`
	Along    *along                  `json:"along,omitempty"`
	Spread   *rkhs.SpectralDimension `json:"spread,omitempty"`
}

// along is the variance along a combination of points.
type along struct {
	Column string `json:"column"`
	rkhs.ProjectedVariance
}

func (m measured) Text(w io.Writer) {
	lines := [][]string{
		{"rows", fmt.Sprint(m.Rows)},
		{"kernel", verb.Brief(m.Kernel)},
		{"norms ‖φ(x)‖", fmt.Sprintf("%s to %s, root mean square %s", rootOf(m.Norms2[0], m.Variance), rootOf(m.Norms2[2], m.Variance), rootOf(m.Norms2[1], m.Variance))},
		{"barycentre ‖μ‖", rootOf(m.Norm2, m.Norm2)},
		{"variance", fmt.Sprintf("%s, the mean of ‖φ(x) − μ‖²", verb.Num(m.Variance))},
		{"two rows", fmt.Sprintf("%s apart, root mean square", rootOf(2*m.Variance, m.Variance))},
		{"nearest to μ", fmt.Sprintf("row %s, at %s", m.Central, rootOf(m.Near2, m.Variance))},
		{"farthest from μ", fmt.Sprintf("row %s, at %s", m.Outlying, rootOf(m.Far2, m.Variance))},
	}
	if a := m.Along; a != nil {
		lines = append(lines, []string{"along v = Φ·" + a.Column, fmt.Sprintf("variance %s, ‖v‖ = %s; along v/‖v‖ %s", verb.Num(a.Variance), rootOf(a.Norm2, a.Norm2), verb.Num(a.Unit))})
	}
	if s := m.Spread; s != nil {
		lines = append(lines, []string{"rank", fmt.Sprintf("%d, spread as over %s equal directions", s.Rank, verb.Num(s.Participation))})
		for _, d := range s.Dimensions {
			lines = append(lines, []string{"dimension at λ = " + verb.Num(d.Lambda), verb.Num(d.Effective)})
		}
	}
	verb.Columns(w, lines)
}

func newGeomPoints(inv *verb.Invocation) *cobra.Command {
	var lambdas []float64
	var column string
	cmd := &cobra.Command{
		Use:   "points TABLE",
		Short: "Norms, barycentre, variance and dimension of the rows of a table in feature space",
		Long: `points measures the rows as points φ(x): their norms √k(x, x), the norm of their barycentre μ, their variance about it,
the rows nearest to it and farthest from it. Row weights (--weights) count.

--lambda adds the effective dimensions tr K(K + nλI)⁻¹, the degrees of freedom of a ridge regression with that λ, and the
rank; they take the eigenvalues of the Gram matrix. --along COLUMN takes the numbers a of a column for the direction
v = Σ aᵢφ(xᵢ) and gives the variance of the rows along it; the column is then no feature.`,
		Example: `  mercer geom points iris.csv --target last --lambda 1e-3,1e-1
  mercer geom points train.csv --along price --kernel 'poly(degree=2, offset=1)' --json`,
		Args: cobra.ExactArgs(1),
	}
	f := geomFlags(cmd)
	cmd.Flags().Float64SliceVar(&lambdas, "lambda", nil, "add the effective dimension for this λ (repeatable)")
	cmd.Flags().StringVar(&column, "along", "", "add the variance along the combination of rows with these coefficients, a numeric column")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		for _, l := range lambdas {
			if !(l > 0) {
				return verb.Usagef("--lambda is %g: the effective dimension needs a positive number", l)
			}
		}
		if column != "" {
			f.Prep.Targets = append(f.Prep.Targets, column)
		}
		result, err := measurePoints(cmd, inv, f, args[0], lambdas, column)
		if err != nil {
			return err
		}
		return inv.Emit(result)
	}
	return inv.Prints(inv.Cached(cmd), measured{})
}

// measurePoints measures the rows of a table, with what the flags add.
func measurePoints(cmd *cobra.Command, inv *verb.Invocation, f *flags.Problem, table string, lambdas []float64, column string) (*measured, error) {
	p, err := f.Task(cmd.Context(), inv, table)
	if err != nil {
		return nil, err
	}
	how, stop := inv.Compute()
	defer stop()
	k := gram.Of(p.Pairs(), how)
	var spread *rkhs.SpectralDimension
	if len(lambdas) > 0 { // first: it alone needs a matrix in memory, and refuses one that is too large
		if spread, err = rkhs.EffectiveDimensions(cmd.Context(), k, lambdas, how); err != nil {
			return nil, err
		}
		if note := spread.Note; note != "" {
			inv.Note("warning: %s", note)
		}
	}
	b, err := rkhs.BarycentreOf(cmd.Context(), k, p.Rows.W)
	if err != nil {
		return nil, err
	}
	result := describePoints(p, b)
	result.Spread = spread
	if column != "" {
		if result.Along, err = varianceAlong(inv, cmd, p, column, k); err != nil {
			return nil, err
		}
	}
	stop()
	warnIndefinite(inv, "the least ‖φ(x)‖²", result.Norms2[0], b.Variance)
	warnIndefinite(inv, "‖μ‖²", b.Norm2, b.Variance)
	warnIndefinite(inv, "the least ‖φ(x) − μ‖²", result.Near2, b.Variance)
	return &result, nil
}

// describePoints finds the extremes among the rows.
func describePoints(p *task.Task, b *rkhs.Barycentre) measured {
	names, central, outlying, mean := p.Names(), 0, 0, 0.0
	for i, d := range b.Distances2 {
		if d < b.Distances2[central] {
			central = i
		}
		if d > b.Distances2[outlying] {
			outlying = i
		}
		mean += b.Shares[i] * b.Diagonal[i]
	}
	return measured{Rows: len(names), Kernel: p.Kernel(), Norm2: b.Norm2, Variance: b.Variance,
		Norms2:  [3]float64{slices.Min(b.Diagonal), mean, slices.Max(b.Diagonal)},
		Central: names[central], Outlying: names[outlying], Near2: b.Distances2[central], Far2: b.Distances2[outlying]}
}

// varianceAlong measures the variance along the combination whose coefficients are a target.
func varianceAlong(inv *verb.Invocation, cmd *cobra.Command, p *task.Task, column string, k *gram.Stream) (*along, error) {
	for j, t := range p.Prep.Targets() {
		if j == len(p.Prep.Targets())-1 && t.Labels != nil {
			return nil, verb.Usagef("--along %s: the column holds labels, and coefficients are numbers", column)
		}
	}
	_, m := p.Rows.Y.Dims()
	alpha := mat.DenseCopyOf(p.Rows.Y.ColView(m - 1))
	v, err := rkhs.ProjectedVariances(cmd.Context(), k, alpha, p.Rows.W)
	if err != nil {
		return nil, err
	}
	return &along{Column: p.Prep.Targets()[len(p.Prep.Targets())-1].Name, ProjectedVariance: v[0]}, nil
}
