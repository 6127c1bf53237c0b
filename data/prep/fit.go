package prep

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"example.org/mercer/data"
)

// Fit learns the preparation of a training table and applies it. The error joins
// everything that is wrong with the Spec, or with the columns.
//
// Numbers are standardised by (x − m)/s with m = Σwᵢxᵢ/Σwᵢ and s² = Σwᵢ(xᵢ−m)²/Σwᵢ,
// over the kept rows after missing cells are filled in; without weights that is what
// scikit-learn's StandardScaler does after its SimpleImputer. A column without spread
// is only centred. Cost: O(cells).
func Fit(t *data.Table, s Spec) (*Pipeline, *Prepared, error) {
	if err := checkTable(t); err != nil {
		return nil, nil, err
	}
	return fitFrom(&source{Blocks: t, ctx: context.Background()}, s)
}

// FitBlocks is [Fit] of a table of which a block at a time is in memory, with the same results,
// bit for bit; the rows stay where they are, see [Prepared].Streamed. It makes six passes over the
// table, or fewer. Memory: a few blocks, and for each row its number, its targets and its weight.
func FitBlocks(ctx context.Context, b data.Blocks, s Spec) (*Pipeline, *Prepared, error) {
	return fitFrom(&source{Blocks: b, ctx: ctx, streamed: true}, s)
}

func fitFrom(from *source, s Spec) (*Pipeline, *Prepared, error) {
	t := from.Schema()
	roles, err := s.resolve(t)
	if err != nil {
		return nil, nil, err
	}
	p := &Pipeline{missing: s.Missing, headed: t.Headed, sparse: t.Sparse, levels: s.Levels, unlabelled: s.Unlabelled, columns: make([]column, len(roles))}
	if p.orders, err = s.orders(t, roles); err != nil {
		return nil, nil, err
	}
	raw, err := s.raw(t)
	if err != nil {
		return nil, nil, err
	}
	from.asWritten = s.AsWritten
	from.at = make([]int, len(roles))
	for j := range roles {
		p.columns[j] = column{Name: t.Columns[j].Name, Role: roles[j], Kind: s.kindOf(t.Columns[j].Kind, roles[j]), Raw: raw[j], Keep: s.Missing == Keep && roles[j] == feature}
		if roles[j] == target {
			p.columns[j].Form = s.Form
		}
		if p.columns[j].Kind == numeric {
			p.columns[j].Unit = t.Columns[j].Unit
		}
		from.at[j] = j
	}
	from.units = p.units()
	if !s.NoFeatures && !slices.Contains(roles, feature) && !slices.Contains(roles, cell) {
		return nil, nil, &data.Error{Source: t.Source, Reason: "has no column left as a feature: " + p.unused(t), Fix: "kernels on vectors need a numeric or categorical column that is not dropped"}
	}
	fits := make([]columnFit, len(p.columns))
	for j := range fits {
		fits[j] = p.fitOf(j)
	}
	learned, err := p.fit(from, fits)
	if err != nil {
		return nil, nil, err
	}
	prepared, err := p.encode(from)
	if err != nil {
		return nil, nil, err
	}
	transformed, err := p.transformTargets(from, prepared, s.Transform)
	if err != nil {
		return nil, nil, err
	}
	p.unlabelled, p.orders = false, nil
	prepared.Notes = slices.Concat(learned, transformed, prepared.Notes)
	return p, prepared, nil
}

// fit finds the rows that are kept, and stores what the columns learn from them.
func (p *Pipeline) fit(from *source, fits []columnFit) (notes []string, err error) {
	l, err := p.learn(from, fits)
	if err == nil {
		err = p.check(from, l)
	}
	if err != nil {
		return nil, err
	}
	notes, err = p.leftOut(from, l.Left)
	if err != nil {
		return nil, err
	}
	learned, err := p.finishColumns(from, l.Fits, l.problems)
	return append(notes, learned...), err
}

// kindOf says how the cells of a column are read. Free text that is a target is a
// set of labels like any other.
func (s Spec) kindOf(k data.Kind, r role) kind {
	switch {
	case r == weights:
		return numeric
	case r == cell:
		return text
	case r == target && (s.Labels || s.Form != One):
		return categorical
	case k == data.Numeric:
		return numeric
	case k == data.Categorical || r == target:
		return categorical
	}
	return text
}

// unused lists the columns that are no features, with the reason; of the first that is text also
// why it is.
func (p *Pipeline) unused(t *data.Table) string {
	const most = 12
	var list strings.Builder
	told := false
	for j, c := range p.columns {
		if j == most {
			fmt.Fprintf(&list, ", … (%s in all)", count(len(p.columns), "column"))
			break
		}
		if j > 0 {
			list.WriteString(", ")
		}
		why := string(c.Role)
		if c.Role == ignored {
			why = t.Columns[j].Kind.String()
			if reason := t.Columns[j].Why; !told && reason != "" {
				why, told = why+": "+reason, true
			}
		}
		fmt.Fprintf(&list, "#%d %s (%s)", j+1, data.Cut(c.Name), why)
	}
	return list.String()
}

// because repeats why the reader took a column for what it is.
func because(c *data.Column) string {
	if c.Why == "" {
		return ""
	}
	return " (" + c.Why + ")"
}

func sortedKeys(m map[string]float64) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
