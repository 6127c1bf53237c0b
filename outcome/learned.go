package outcome

import (
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/data/prep"
)

// InUnits returns the prediction in the units of the columns of the targets, where these are
// learned by functions of them ([prep.Target].Transform); any other prediction as it is. Its rows
// have targets in these units, too.
func (p *Prediction) InUnits() *Prediction {
	if !prep.IsTransformed(p.Targets) || !p.Decision.numeric() {
		return p
	}
	out, rows := *p, *p.Rows
	out.learned, out.Rows = p, &rows
	out.Values = p.Decision.inUnits(p.Targets, p.Values)
	if rows.Y != nil {
		rows.Y = mat.DenseCopyOf(rows.Y)
		prep.InUnits(p.Targets, rows.Y)
	}
	return &out
}

// Learned returns the prediction as the function of the model makes it: of the functions of the
// targets, where these are learned.
func (p *Prediction) Learned() *Prediction {
	if p.learned != nil {
		return p.learned
	}
	return p
}

// Bounded returns the bounds of intervals, which were found for what is [Prediction.Learned], in
// the units of the targets: a function that rises keeps their coverage.
func (p *Prediction) Bounded(lo, hi *mat.Dense) (*mat.Dense, *mat.Dense) {
	if p.learned == nil {
		return lo, hi
	}
	return p.Decision.inUnits(p.Targets, lo), p.Decision.inUnits(p.Targets, hi)
}

// numeric reports whether outputs may be numbers in the units of targets.
func (d Decision) numeric() bool { return d.Rule == Coded || d.Rule == Ordered }

// inUnits returns outputs in the units of the targets: one for each of these, or several quantiles
// of the first.
func (d Decision) inUnits(targets []prep.Target, outputs *mat.Dense) *mat.Dense {
	out := mat.DenseCopyOf(outputs)
	if d.Rule == Coded {
		prep.InUnits(targets, out)
		return out
	}
	out.Apply(func(_, _ int, z float64) float64 { return targets[0].Transform.Inverse(z) }, out)
	return out
}

// LearnedNames are the names of the outputs, with the functions of the targets around them by which
// these are learned, as in "log(price)".
func (d Decision) LearnedNames(targets []prep.Target) []string {
	if !d.numeric() || !prep.IsTransformed(targets) {
		return d.Outputs
	}
	var names []string
	for j, name := range d.Outputs {
		t := targets[0]
		if d.Rule == Coded {
			t = targetOf(targets, j)
		}
		if t.Transform != nil {
			name = t.Transform.Named(name)
		}
		names = append(names, name)
	}
	return names
}

// targetOf returns the target of an output of the rule Coded.
func targetOf(targets []prep.Target, output int) prep.Target {
	for _, t := range targets {
		if output < t.Outputs() {
			return t
		}
		output -= t.Outputs()
	}
	return prep.Target{}
}
