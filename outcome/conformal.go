package outcome

import (
	"errors"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/data/prep"
	"example.org/mercer/outcome/conformal"
)

// ConformalIntervals is the name of the method of intervals by conformal scores, beside those of
// package krr.
const ConformalIntervals = "conformal"

// Conformal holds the conformal scores of training rows, from values that were learned without
// them.
type Conformal struct {
	// Values are rows × 1, for a target with labels beside the number of their class.
	Values  *mat.Dense
	Weights []float64 // of the rows; nil: all equal
}

// Nonconformity returns the conformal scores of the rows with targets y from values that were
// learned without them: of a number |y − f|, or how far it lies outside the lowest and the highest
// quantile; of a label one minus its probability, and the number of its class beside it.
func (d Decision) Nonconformity(targets []prep.Target, y, held *mat.Dense) (*mat.Dense, error) {
	n, width := held.Dims()
	t := targets[0]
	if t.Labels == nil {
		scores := mat.NewDense(n, 1, nil)
		for i := range n {
			y, f := y.At(i, 0), held.RawRowView(i)
			scores.Set(i, 0, conformal.Residual(y, f[0]))
			if d.Rule == Ordered {
				scores.Set(i, 0, conformal.Outside(y, slices.Min(f), slices.Max(f)))
			}
		}
		if d.Rule == Coded && width == 1 || d.Rule == Ordered {
			return scores, nil
		}
		return nil, fmt.Errorf("outcome: the decision rule %q has no conformal intervals", d.Rule)
	}
	q := d.probabilities(held, targets)
	if q == nil {
		return nil, errors.New("outcome: conformal label sets need probabilities: choose how to make them")
	}
	scores := mat.NewDense(n, 2, nil)
	for i := range n {
		c := t.Class(y.RawRowView(i))
		scores.SetRow(i, []float64{conformal.Unlikely(q.RawRowView(i), c), float64(c)})
	}
	return scores, nil
}

// Bounds returns an interval for the number that each row predicts, with the given
// coverage in (0, 1): the prediction ± a quantile of the conformal scores, or the lowest
// and the highest predicted quantile moved by it. It is unbounded where the model has
// fewer than level/(1−level) scores.
//
// The scores are of functions that were learned on a part of the rows, and the interval
// is around the function of all rows; the coverage is then not that of a theorem, as it
// is for scores of rows that were set aside, but near to it where leaving out a part of
// the rows changes little.
func (c Conformal) Bounds(p *Prediction, level float64) (lo, hi []float64, err error) {
	s, err := conformal.NewScores(mat.Col(nil, 0, c.Values), c.Weights)
	if err != nil {
		return nil, nil, err
	}
	q, err := s.Quantile(level)
	if err != nil {
		return nil, nil, err
	}
	n, width := p.Values.Dims()
	lo, hi = make([]float64, n), make([]float64, n)
	for i := range n {
		if row := p.Values.RawRowView(i); p.Decision.Rule == Ordered {
			lo[i], hi[i] = conformal.Widen(row[0], row[width-1], q)
		} else {
			lo[i], hi[i] = conformal.Around(row[0], q)
		}
	}
	return lo, hi, nil
}

// Sets returns for each row the labels that are not too unlikely, with the given
// coverage in (0, 1): all whose probability is at least one minus a quantile of the
// conformal scores, and always the label that is predicted. With perClass the scores of
// the rows of each label decide on that label, so that each is covered. What [Conformal.Bounds]
// says of its coverage holds here.
func (c Conformal) Sets(p *Prediction, level float64, perClass bool) ([][]string, error) {
	probabilities := p.Probabilities()
	if probabilities == nil {
		return nil, errors.New("outcome: the model holds conformal scores of labels and no probabilities: the file contradicts itself")
	}
	labels := p.Targets[0].Labels
	quantiles, err := c.labelQuantiles(level, len(labels), perClass)
	if err != nil {
		return nil, err
	}
	n, _ := p.Values.Dims()
	sets := make([][]string, n)
	for i := range sets {
		q := probabilities.RawRowView(i)
		for _, k := range conformal.SetByClass(quantiles, p.Class(i, 0), func(k int) float64 { return conformal.Unlikely(q, k) }) {
			sets[i] = append(sets[i], labels[k])
		}
	}
	return sets, nil
}

// labelQuantiles returns the largest score that each label may have.
func (c Conformal) labelQuantiles(level float64, labels int, perClass bool) ([]float64, error) {
	values, group := mat.Col(nil, 0, c.Values), make([]int, c.Values.RawMatrix().Rows)
	if perClass {
		for i := range group {
			group[i] = int(c.Values.At(i, 1))
		}
	}
	parts, err := conformal.ByGroup(values, group, labels, c.Weights)
	if err != nil {
		return nil, err
	}
	quantiles := make([]float64, labels)
	for k := range quantiles {
		part := parts[0]
		if perClass {
			part = parts[k]
		}
		if quantiles[k], err = part.Quantile(level); err != nil {
			return nil, err
		}
	}
	return quantiles, nil
}

// Check returns why the conformal scores of a model file cannot be those of its targets.
func (c Conformal) Check(targets []prep.Target) error {
	n, width := c.Values.Dims()
	want := 1
	if len(targets) == 1 && targets[0].Labels != nil {
		want = 2
	}
	if len(targets) != 1 || width != want || c.Weights != nil && len(c.Weights) != n {
		return fmt.Errorf("the model has %d×%d conformal scores with %d weights for %d targets", n, width, len(c.Weights), len(targets))
	}
	for i := range n {
		for j, v := range c.Values.RawRowView(i) {
			if v != v || j == 1 && !(v >= 0 && v < float64(len(targets[0].Labels))) {
				return fmt.Errorf("the conformal score %d is %v", i, v)
			}
		}
	}
	return nil
}
