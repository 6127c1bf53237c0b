package kfda

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/gram"
	"example.org/mercer/kernel"
	"example.org/mercer/model"
)

// BarycentreOptions say how to weigh the rows.
type BarycentreOptions struct {
	// Weights are the wᵢ ≥ 0, one per row; nil means all ones. Every class needs a row
	// of positive weight.
	Weights []float64
	// Compute says how to compute: workers, memory limit, progress.
	Compute compute.Options
}

// Barycentres are the functions f_c(x) = ⟨φ(x), m_c⟩ − ½‖m_c‖² = Σᵢ Coef[i,c] k(x, xᵢ) +
// Bias[c], one for each class, of which the largest is that of the nearest m_c:
//
//	‖φ(x) − m_c‖² = k(x, x) − 2 f_c(x).
type Barycentres struct {
	Coef *mat.Dense // n×m: wᵢ/N_c for the rows of class c, 0 for the others
	Bias []float64
	// Values are those of the training rows, n×m.
	Values *mat.Dense
}

// BarycentreReport says what the barycentres of the classes are like.
type BarycentreReport struct {
	N       int `json:"n"`
	Classes int `json:"classes"`
	// Norm2 is ‖m_c‖², Spread the mean of ‖φ(xᵢ) − m_c‖² over the class: zero where all
	// its points have the same features. [SolveBarycentres] does not know the spread.
	Norm2  []float64 `json:"norm2"`
	Spread []float64 `json:"spread,omitempty"`
	// Accuracy is the part of the weight of the training rows whose own barycentre is
	// the nearest.
	Accuracy float64 `json:"accuracy"`

	model.Run
}

func newBarycentreReport(n, classes int) *BarycentreReport {
	return &BarycentreReport{N: n, Classes: classes, Norm2: make([]float64, classes)}
}

// biases returns −½‖m_c‖².
func (r *BarycentreReport) biases() []float64 {
	return floats.ScaleTo(make([]float64, r.Classes), -0.5, r.Norm2)
}

// SolveBarycentres finds the functions for the symmetric operator k = K (n×n) and the
// classes y, numbers from 0 without gaps. It takes one product of K with m columns, 2n²m
// flops, and O(nm) memory; the matrix need not exist. Errors: every problem of the
// options, and fewer than two classes. Results have the same bits for any number of
// workers.
func SolveBarycentres(ctx context.Context, k gram.Operator, y []int, o BarycentreOptions) (*Barycentres, *BarycentreReport, error) {
	n, cols := k.Dims()
	if n != cols {
		return nil, nil, fmt.Errorf("kfda: the Gram matrix is %d×%d: training needs a square one", n, cols)
	}
	if c := model.NewChecks("kfda"); !c.Classes(n, y, o.Weights) {
		return nil, nil, c.Err()
	}
	watch, shares := model.NewStopwatch(), model.ClassWeights(y, o.Weights)
	m := len(shares)
	s := &Barycentres{Coef: mat.NewDense(n, m, nil), Values: new(mat.Dense)}
	for i, c := range y {
		s.Coef.Set(i, c, model.Weight(o.Weights, i)/shares[c])
	}
	if err := k.Mul(ctx, s.Values, s.Coef); err != nil {
		return nil, nil, err
	}
	r := newBarycentreReport(n, m)
	for i, c := range y {
		r.Norm2[c] += s.Coef.At(i, c) * s.Values.At(i, c)
	}
	s.Bias = r.biases()
	right, total := 0.0, 0.0
	for i, class := range y {
		row, w := s.Values.RawRowView(i), model.Weight(o.Weights, i)
		floats.Add(row, s.Bias)
		if total += w; floats.MaxIdx(row) == class {
			right += w
		}
	}
	r.Accuracy = right / total
	watch.Lap(&r.Run, "barycentres")
	return s, r, nil
}

// FitBarycentres is [SolveBarycentres] for points. Its errors are also those of points
// outside the domain of the kernel.
func FitBarycentres[T any](ctx context.Context, k kernel.Kernel[T], xs data.Set[T], y []int, o BarycentreOptions) (*model.Expansion[T], *BarycentreReport, error) {
	if c := model.NewChecks("kfda"); !c.Classes(xs.Len(), y, o.Weights) {
		return nil, nil, c.Err()
	}
	if err := kernel.Validate(k, xs); err != nil {
		return nil, nil, fmt.Errorf("kfda: %w", err)
	}
	s, r, err := SolveBarycentres(ctx, gram.Of(kernel.Bind(k, xs, xs), o.Compute), y, o)
	if err != nil {
		return nil, nil, err
	}
	r.Spread = make([]float64, r.Classes)
	for i, c := range y {
		x := xs.At(i)
		r.Spread[c] += s.Coef.At(i, c) * (k.Eval(x, x) - r.Norm2[c])
	}
	return &model.Expansion[T]{Kernel: k, Points: xs, Coef: s.Coef, Bias: s.Bias}, r, nil
}
