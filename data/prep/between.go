package prep

import "gonum.org/v1/gonum/mat"

// Between returns the prepared rows from one on up to, and without, another: their targets,
// weights, ids and cells, without their features.
func (p *Prepared) Between(from, to int) *Prepared {
	out := &Prepared{Rows: p.Rows[from:to]}
	if p.Y != nil {
		_, outputs := p.Y.Dims()
		out.Y = p.Y.Slice(from, to, 0, outputs).(*mat.Dense)
	}
	if p.W != nil {
		out.W = p.W[from:to]
	}
	if p.IDs != nil {
		out.IDs = p.IDs[from:to]
	}
	for _, c := range p.Cells {
		cells := Cells{Name: c.Name, Text: c.Text[from:to]}
		if c.Missing != nil {
			cells.Missing = c.Missing[from:to]
		}
		out.Cells = append(out.Cells, cells)
	}
	return out
}
