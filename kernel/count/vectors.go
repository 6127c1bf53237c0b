package count

import "example.org/mercer/kernel"

// Vectors are points with explicit features, few enough to be stored: k(x, y) = ⟨φ(x), φ(y)⟩. Rows
// and Cols hold the features of one point after the other, Dim numbers each; N and M are the
// numbers of points, which say how many there are where Dim is 0.
type Vectors struct {
	Rows, Cols []float64
	N, M, Dim  int
}

// Dims returns the numbers of points.
func (p *Vectors) Dims() (rows, cols int) { return p.N, p.M }

// Tile stores inner products.
func (p *Vectors) Tile(dst kernel.Tile, row, col int) {
	d := p.Dim
	for i := range dst.Rows {
		x, out := p.Rows[(row+i)*d:(row+i+1)*d], dst.Row(i)
		for j := range out {
			out[j] = Inner(x, p.Cols[(col+j)*d:(col+j+1)*d])
		}
	}
}

// Norms stores k(x, x) of the rows and of the columns; see [kernel.Normed].
func (p *Vectors) Norms(rows, cols []float64) {
	for i := range rows {
		x := p.Rows[i*p.Dim : (i+1)*p.Dim]
		rows[i] = Inner(x, x)
	}
	for j := range cols {
		y := p.Cols[j*p.Dim : (j+1)*p.Dim]
		cols[j] = Inner(y, y)
	}
}

// Inner returns ⟨x, y⟩ of vectors of one length. Four sums run side by side.
func Inner(x, y []float64) float64 {
	y = y[:len(x)]
	var a, b, c, e float64
	i := 0
	for ; i+4 <= len(x); i += 4 {
		a += x[i] * y[i]
		b += x[i+1] * y[i+1]
		c += x[i+2] * y[i+2]
		e += x[i+3] * y[i+3]
	}
	for ; i < len(x); i++ {
		a += x[i] * y[i]
	}
	return (a + b) + (c + e)
}
