package width

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"example.org/mercer/data"
	"example.org/mercer/kernel/expr"
	"example.org/mercer/kernel/median"
	"example.org/mercer/kernel/tile"
	"example.org/mercer/kernel/vec"
)

// Fill replaces the words that stand for a number computed from data and returns the
// expression with numbers; "?" and everything else stay. The words are
//
//   - median, for the width of rbf, laplace, laplace1, laplacepq, matern, rq and wendland: the
//     median distance between distinct points, in the norm of the kernel;
//   - scale, for the width of rbf: gamma = 1/(d·v) for d columns whose numbers, all
//     taken together, have the variance v (scikit-learn's gamma="scale").
//
// Either is converted where gamma is written instead of sigma. Only the columns that
// are selected for the kernel are seen. In anova, where a kernel compares one column at a time,
// both are those of one column: the median over the columns of their medians, and d = 1. More
// than 1000 points are represented by 1000 of them, chosen by a fixed seed, for the median.
//
// The error is a [*expr.SyntaxError] at the word: for an unknown word, for a kernel
// that has no such heuristic, for unknown columns, and where all points coincide.
func Fill(ctx context.Context, n expr.Node, xs data.Set[[]float64], schema vec.Schema) (expr.Node, error) {
	n, err := expr.Resolve(n, vec.Dictionary(schema))
	if err != nil {
		return n, err
	}
	return FillResolved(ctx, n, func(expr.Placeholder) (data.Set[[]float64], vec.Schema, error) { return xs, schema, nil })
}

// FillResolved is [Fill] of an expression that [expr.Resolve] has seen, with a dictionary
// that may know other kernels, too: their words are left as they are. points returns the
// vectors that the kernel of a placeholder compares, and their names.
func FillResolved(ctx context.Context, n expr.Node, points func(expr.Placeholder) (data.Set[[]float64], vec.Schema, error)) (filled expr.Node, err error) {
	d := vec.Dictionary(vec.Schema{})
	filled = n.Fill(func(p expr.Placeholder) []float64 {
		if err != nil || p.Word == "?" || !isNumeric(d.Kernels[p.Kernel].Arguments, p.Argument) {
			return nil
		}
		xs, schema, e := points(p)
		var v float64
		if e == nil {
			v, e = heuristic(ctx, p, xs, schema)
		}
		if e != nil {
			if err = ctx.Err(); err == nil {
				err = &expr.SyntaxError{Text: n.Text, Offset: p.Pos, Msg: e.Error(), Err: e}
			}
			return nil
		}
		return []float64{v}
	})
	if err != nil {
		return n, err
	}
	return filled, nil
}

// isNumeric reports whether the argument wants numbers, so that a word in its place
// stands for one.
func isNumeric(arguments []expr.Argument, name string) bool {
	for _, a := range arguments {
		if a.Name == name {
			return a.Kind == expr.NumberArg || a.Kind == expr.ListArg
		}
	}
	return false
}

// widthRule says how the width of a kernel is guessed from data.
type widthRule struct {
	metric tile.Kind                   // SquaredDistance, Manhattan or PowerDistance
	scale  bool                        // has the word scale
	gamma  func(sigma float64) float64 // nil: the kernel has no gamma
}

func halfInverse(sigma float64) float64 { return 1 / (2 * sigma * sigma) }
func inverse(sigma float64) float64     { return 1 / sigma }

// spellings are the arguments that give a width.
var spellings = []string{"sigma", "lengthscale", "gamma", "omega", "radius"}

var widthRules = map[string]widthRule{
	"rbf":       {tile.SquaredDistance, true, halfInverse},
	"gaussian":  {tile.SquaredDistance, true, halfInverse},
	"laplace":   {tile.SquaredDistance, false, inverse},
	"laplace1":  {tile.Manhattan, false, inverse},
	"laplacepq": {tile.PowerDistance, false, nil},
	"matern":    {tile.SquaredDistance, false, nil},
	"rq":        {tile.SquaredDistance, false, nil},
	"wendland":  {tile.SquaredDistance, false, nil},
}

// heuristic computes the number that a word stands for.
func heuristic(ctx context.Context, p expr.Placeholder, xs data.Set[[]float64], schema vec.Schema) (float64, error) {
	rule, ok := widthRules[p.Kernel]
	isWidth := slices.Contains(spellings, p.Argument)
	switch {
	case !ok || !isWidth:
		return 0, fmt.Errorf("%s: %s=%s: no number can be guessed from data for this parameter; write a number, or ? to tune it", p.Kernel, p.Argument, p.Word)
	case p.Word == "scale" && !rule.scale:
		return 0, fmt.Errorf("%s: scale is defined for rbf only; write median", p.Kernel)
	case p.Word != "median" && p.Word != "scale":
		return 0, fmt.Errorf("%s: unknown word %q: write a number, median, or ? to tune it", p.Kernel, p.Word)
	}
	var index []int
	if p.Columns != nil {
		var err error
		if index, err = schema.Indices(p.Columns); err != nil {
			return 0, err
		}
		if err := within(index, dimension(xs)); err != nil {
			return 0, err
		}
	}
	var sigma float64
	var err error
	switch s := (tile.Statistic{Kind: rule.metric, Columns: index, Exponent: exponentOf(p)}); {
	case p.Word == "median" && p.Single:
		sigma, err = median.OfColumns(ctx, s, xs)
	case p.Word == "median":
		sigma, err = median.Distance(ctx, s, xs)
	case p.Single:
		sigma, err = scaleWidth(xs, index)
		sigma /= math.Sqrt(float64(columnsSeen(index, xs))) // of one column, d = 1
	default:
		sigma, err = scaleWidth(xs, index)
	}
	if err != nil {
		return 0, fmt.Errorf("%s=%s: %w", p.Argument, p.Word, err)
	}
	switch p.Argument {
	case "gamma":
		return rule.gamma(sigma), nil
	case "omega":
		return sigma * math.Sqrt2, nil
	}
	return sigma, nil
}

// exponentOf returns the exponent of the norm in which a kernel measures distances, where it
// is one of its arguments.
func exponentOf(p expr.Placeholder) float64 { return cmp.Or(p.Numbers["p"], 1) }

// within returns an error for an index beyond the coordinates.
func within(index []int, d int) error {
	for _, j := range index {
		if j >= d {
			return fmt.Errorf("column %d (counted from 0) is selected but the points have %d coordinates", j, d)
		}
	}
	return nil
}

// dimension returns the number of coordinates.
func dimension(xs data.Set[[]float64]) int {
	if xs.Len() == 0 {
		return 0
	}
	return len(xs.At(0))
}

// columnsSeen returns the number of chosen coordinates, all of them for nil.
func columnsSeen(index []int, xs data.Set[[]float64]) int {
	if index == nil {
		return dimension(xs)
	}
	return len(index)
}

// scaleWidth returns σ = √(d·v/2), so that 1/(2σ²) = 1/(d·v). It goes through the points twice,
// and holds none of them.
func scaleWidth(xs data.Set[[]float64], index []int) (float64, error) {
	d := columnsSeen(index, xs)
	each := func(use func(v float64)) {
		for i := range xs.Len() {
			x := xs.At(i)
			if index == nil {
				for _, v := range x {
					use(v)
				}
			}
			for _, j := range index {
				use(x[j])
			}
		}
	}
	mean, variance, count := 0.0, 0.0, float64(xs.Len()*d)
	each(func(v float64) { mean += v / count })
	each(func(v float64) { variance += (v - mean) * (v - mean) / count })
	if sigma := math.Sqrt(float64(d) * variance / 2); sigma > 0 && !math.IsInf(sigma, 1) {
		return sigma, nil
	}
	return 0, fmt.Errorf("the %d points have no finite variance above 0", xs.Len())
}
