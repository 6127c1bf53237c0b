package vec

import (
	"errors"
	"fmt"
	"math/big"
	"strings"

	"example.org/mercer/data"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/construction"
	"example.org/mercer/kernel/expr"
)

// Columns is a kernel on chosen coordinates: k(x, y) = Of(x[Index], y[Index]). It is
// positive definite where Of is, as k∘φ with φ a projection. [Select] makes one from
// names and patterns, with which it prints.
//
// It has the abilities of Of: a parameter, a map or an exact value where Of has one,
// and none, or an error, where Of has none.
type Columns struct {
	member
	Of       Kernel
	Patterns []string // as written; nil: the indices
	Index    []int    // coordinates, counted from 0
	Names    []string // of the chosen coordinates, for parameters; may be nil
}

// project returns the chosen coordinates of x.
func (k Columns) project(x []float64) []float64 {
	p := make([]float64, len(k.Index))
	for i, j := range k.Index {
		p[i] = x[j]
	}
	return p
}

// Eval returns Of(x[Index], y[Index]).
func (k Columns) Eval(x, y []float64) float64 { return k.Of.Eval(k.project(x), k.project(y)) }

// String returns the kernel followed by the selection: rbf(sigma=1)[age,bmi].
func (k Columns) String() string {
	patterns := k.Patterns
	if patterns == nil {
		patterns = make([]string, len(k.Index))
		for i, j := range k.Index {
			patterns[i] = fmt.Sprint(j)
		}
	}
	of := k.Of.String()
	switch k.Of.(type) {
	case leaf, Incomplete, Centred, ANOVA:
	default:
		of = "(" + of + ")"
	}
	return of + expr.FormatColumns(patterns)
}

// Contains refuses points without the chosen coordinates, and those whose chosen
// coordinates Of refuses.
func (k Columns) Contains(x []float64) error {
	for _, j := range k.Index {
		if j < 0 || j >= len(x) {
			return fmt.Errorf("column %d (counted from 0) is selected but the point has %d coordinates", j, len(x))
		}
	}
	if err := kernel.Contains(k.Of, k.project(x)); err != nil {
		return fmt.Errorf("among the columns [%s]: %w", strings.Join(k.names(), ","), err)
	}
	return nil
}

// names returns the names of the chosen coordinates, or their indices.
func (k Columns) names() []string {
	if k.Names != nil {
		return k.Names
	}
	names := make([]string, len(k.Index))
	for i, j := range k.Index {
		names[i] = fmt.Sprint(j)
	}
	return names
}

// Bind binds Of to the chosen coordinates, where the family cannot compile it.
func (k Columns) Bind(rows, cols data.Set[[]float64]) kernel.Pairs {
	left := k.projected(cols)
	if data.SameSlices(rows, cols) {
		return kernel.Bind(k.Of, left, left)
	}
	return kernel.Bind(k.Of, k.projected(rows), left)
}

func (k Columns) projected(xs data.Set[[]float64]) data.Set[[]float64] {
	out := data.MakeVectors(xs.Len(), len(k.Index))
	for i := range xs.Len() {
		x, p := xs.At(i), out.At(i)
		for c, j := range k.Index {
			p[c] = x[j]
		}
	}
	return out
}

// Parameters returns the parameters of Of; a parameter of one column, such as
// sigma[1], is named after that column: sigma[bmi].
func (k Columns) Parameters() []kernel.Parameter {
	of, ok := k.Of.(kernel.Tunable[[]float64])
	if !ok {
		return nil
	}
	ps := of.Parameters()
	names := k.names()
	for i := range ps {
		for j, name := range names {
			if base, ok := strings.CutSuffix(ps[i].Name, fmt.Sprintf("[%d]", j)); ok {
				ps[i].Name = base + "[" + name + "]"
				break
			}
		}
	}
	return ps
}

// With returns the selection of Of with other parameters.
func (k Columns) With(values []float64) (Kernel, error) {
	of, ok := k.Of.(kernel.Tunable[[]float64])
	if !ok {
		return k, count(k.String(), len(values), 0)
	}
	with, err := of.With(values)
	k.Of = with
	return k, err
}

// EvalGrad stores the gradient of Of at the chosen coordinates.
func (k Columns) EvalGrad(grad, x, y []float64) float64 {
	if of, ok := k.Of.(kernel.Differentiable[[]float64]); ok {
		return of.EvalGrad(grad, k.project(x), k.project(y))
	}
	return k.Eval(x, y)
}

// EvalBig returns the exact value of Of at the chosen coordinates, or an error where
// Of has none.
func (k Columns) EvalBig(x, y []float64, prec uint) (*big.Float, error) {
	of, ok := k.Of.(kernel.Exact[[]float64])
	if !ok {
		return nil, fmt.Errorf("%s cannot be evaluated exactly", k.Of)
	}
	if err := errors.Join(k.Contains(x), k.Contains(y)); err != nil {
		return nil, err
	}
	return of.EvalBig(k.project(x), k.project(y), prec)
}

// NotExact names Of where it can be evaluated in float64 only.
func (k Columns) NotExact() error {
	if kernel.IsExact(k.Of) {
		return nil
	}
	return fmt.Errorf("not exact: %s can be evaluated in 64-bit numbers only", k.Of)
}

// NotDifferentiable names Of where it has parameters but no gradient in them.
func (k Columns) NotDifferentiable() error {
	of, tunable := k.Of.(kernel.Tunable[[]float64])
	if _, ok := kernel.Gradient(k.Of); ok || !tunable || len(of.Parameters()) == 0 {
		return nil
	}
	return fmt.Errorf("%s has parameters, and no gradient in them", k.Of)
}

// Features returns the length of the map of Of, and false where it has none.
func (k Columns) Features(like []float64) (int, bool) {
	of, ok := k.Of.(kernel.Mapped[[]float64])
	if !ok {
		return 0, false
	}
	return of.Features(k.project(like))
}

// Map stores the features of the chosen coordinates.
func (k Columns) Map(phi, x []float64) {
	k.Of.(kernel.Mapped[[]float64]).Map(phi, k.project(x))
}

// FeatureConstruction is that of Of at the chosen coordinates.
func (k Columns) FeatureConstruction(like []float64) (construction.Features[[]float64], error) {
	of, err := kernel.FeatureConstructionOf(k.Of, k.project(like))
	if err != nil {
		return nil, err
	}
	return construction.Pull(of, k.project), nil
}

// Derive argues by the projection.
func (k Columns) Derive() kernel.Derivation {
	of := kernel.Derive(k.Of)
	reason := "k∘φ with φ the projection on the chosen columns"
	if of.Verdict == kernel.Indefinite {
		reason = "the projection on the chosen columns reaches every point of the part, which is not positive definite"
	}
	return kernel.Derivation{Kernel: k.String(), Verdict: of.Verdict, Reason: reason, From: []kernel.Derivation{of}}
}

// Reference describes Of and the columns.
func (k Columns) Reference() kernel.Reference {
	card := kernel.Reference{Name: k.Of.String(), Formula: k.Of.String()}
	if d, ok := k.Of.(kernel.Describer); ok {
		card = d.Reference()
	}
	card.Title += " on the columns " + strings.Join(k.names(), ", ")
	return card
}
