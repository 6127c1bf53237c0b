package space

import "gonum.org/v1/gonum/mat"

// Function is a point of a space: coordinates, constants (nil without a constant)
// and the values of the rows without the constants.
type Function struct {
	Theta  *mat.Dense
	Bias   []float64
	Values *mat.Dense
}

// Zero returns the function f = 0 with m outputs, and b = 0 if there is a constant.
func Zero(s Space, m int, constant bool) *Function {
	n, d := s.Dims()
	f := &Function{Theta: mat.NewDense(d, m, nil), Values: mat.NewDense(n, m, nil)}
	if constant {
		f.Bias = make([]float64, m)
	}
	return f
}

// Predictor stores f(xᵢ) + b in dst (n×m).
func (f *Function) Predictor(dst *mat.Dense) {
	dst.Copy(f.Values)
	for i := range dst.RawMatrix().Rows {
		row := dst.RawRowView(i)
		for c, b := range f.Bias {
			row[c] += b
		}
	}
}

// Plus returns f + t·d.
func (f *Function) Plus(t float64, d *Function) *Function {
	out := &Function{Theta: mat.DenseCopyOf(f.Theta), Values: mat.DenseCopyOf(f.Values)}
	addScaled(out.Theta, t, d.Theta)
	addScaled(out.Values, t, d.Values)
	for c, b := range f.Bias {
		out.Bias = append(out.Bias, b+t*d.Bias[c])
	}
	return out
}

// addScaled adds t·x to dst.
func addScaled(dst *mat.Dense, t float64, x *mat.Dense) {
	for i := range dst.RawMatrix().Rows {
		row := dst.RawRowView(i)
		for c, v := range x.RawRowView(i) {
			row[c] += t * v
		}
	}
}

// elementwise returns Σ aᵢⱼbᵢⱼ.
func elementwise(a, b *mat.Dense) float64 {
	sum := 0.0
	for i := range a.RawMatrix().Rows {
		rb := b.RawRowView(i)
		for c, v := range a.RawRowView(i) {
			sum += v * rb[c]
		}
	}
	return sum
}

// columnSums returns 1ᵀa.
func columnSums(a *mat.Dense) []float64 {
	sums := make([]float64, a.RawMatrix().Cols)
	for i := range a.RawMatrix().Rows {
		for c, v := range a.RawRowView(i) {
			sums[c] += v
		}
	}
	return sums
}

// dot returns Σ aᵢbᵢ.
func dot(a, b []float64) float64 {
	sum := 0.0
	for i, v := range a {
		sum += v * b[i]
	}
	return sum
}
