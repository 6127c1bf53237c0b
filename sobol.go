package mercer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/data"
	"example.org/mercer/kernel/record"
	"example.org/mercer/rkhs/sobol"
	"example.org/mercer/task"
)

// SobolOutput is what share of the variance of one output each feature has, when the features are
// independent and normal with the mean and deviation of the centred kernel.
type SobolOutput struct {
	Output   string         `json:"output"`
	Variance float64        `json:"variance"`
	Features []SobolFeature `json:"features"` // the largest total first
	Others   int            `json:"others"`   // how many are not listed
	Pairs    []SobolPair    `json:"pairs"`    // the largest first, as many as features
}

// SobolFeature is the share of one feature alone, and that of all terms with it.
type SobolFeature struct {
	Name  string  `json:"name"`
	First float64 `json:"first"`
	Total float64 `json:"total"`
}

// SobolPair is the share of what two features do together, beyond what each does alone.
type SobolPair struct {
	First  string  `json:"first"`
	Second string  `json:"second"`
	Share  float64 `json:"share"`
}

// Sobol returns Sobol's indices of the outputs of a model in closed form, see [sobol.Of]. It takes
// O(n²d²) for n rows that the model keeps and d features. Errors: a kernel whose terms are not
// orthogonal, a model without training rows, and one on anything but columns.
func (m *Model) Sobol(ctx context.Context, e ExplainOptions) ([]SobolOutput, error) {
	if err := m.explainable(); err != nil {
		return nil, err
	}
	var f task.TypedFunction[[]float64]
	err := errors.New("mercer: the model does not compare columns of numbers, whose shares of a variance Sobol's indices are: explain it by features or by rows")
	m.Function.Visit(task.FunctionVisitor{
		Vectors: func(g task.TypedFunction[[]float64]) { f, err = g, nil },
		IDs:     func(task.TypedFunction[string]) {},
		Records: func(task.TypedFunction[record.Record]) {},
		Mixture: func(task.Mixture) { err = task.ErrMixture },
	})
	if err != nil {
		return nil, err
	}
	of, err := expansionOf(f, data.Range(0, len(m.Decision.Outputs)), data.Slice[[]float64]{})
	if err != nil {
		return nil, err
	}
	if e.Output != "" && !slices.Contains(m.Decision.Outputs, e.Output) {
		return nil, fmt.Errorf("mercer: the model has no output %q; it has %q", e.Output, m.Decision.Outputs)
	}
	names, _ := m.Prep.Features()
	var out []SobolOutput
	for j, name := range m.Decision.Outputs {
		if e.Output != "" && name != e.Output {
			continue
		}
		found, err := sobol.Of(ctx, of.Kernel, of.Points, mat.Col(nil, j, of.Coef))
		if err != nil {
			return nil, fmt.Errorf("mercer: %w", err)
		}
		out = append(out, sharesOf(name, names, found, e.Top))
	}
	return out, nil
}

// sharesOf lists the largest indices; top 0: all.
func sharesOf(output string, names []string, found *sobol.Indices, top int) SobolOutput {
	s := SobolOutput{Output: output, Variance: found.Variance, Pairs: []SobolPair{}}
	for j, name := range names {
		s.Features = append(s.Features, SobolFeature{name, found.First[j], found.Total[j]})
		for l := range j {
			if share := found.Pairs[j][l]; share > 0 {
				s.Pairs = append(s.Pairs, SobolPair{names[l], name, share})
			}
		}
	}
	slices.SortStableFunc(s.Features, func(a, b SobolFeature) int { return cmp.Compare(b.Total, a.Total) })
	slices.SortStableFunc(s.Pairs, func(a, b SobolPair) int { return cmp.Compare(b.Share, a.Share) })
	if top > 0 {
		s.Others = max(0, len(s.Features)-top)
		s.Features, s.Pairs = s.Features[:min(top, len(s.Features))], s.Pairs[:min(top, len(s.Pairs))]
	}
	return s
}
