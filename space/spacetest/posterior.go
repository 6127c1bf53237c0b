package spacetest

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/loss"
	"example.org/mercer/space"
)

// somePoints is the number of rows whose joint covariance is compared.
const somePoints = 12

// unitValues returns the values at the rows of the functions of unit coordinates, about the
// caller's origin: what a [space.Posterior] knows points by.
func (c Case) unitValues(t *testing.T) *mat.Dense {
	t.Helper()
	in := c.Make(t, 2)
	n, d := in.Dims()
	units, cross := mat.NewDense(d, d, nil), mat.NewDense(n, d, nil)
	for i := range d {
		units.Set(i, i, 1)
	}
	if err := in.Values(t.Context(), cross, units); err != nil {
		t.Fatal(err)
	}
	return cross
}

// checkPosterior compares the process behind the system at the rows themselves: R·φ̃ᵀH⁻¹φ̃.
func (s *system) checkPosterior(t *testing.T, f space.Factor) {
	p, ok := f.(space.Posterior)
	if !ok {
		return
	}
	cross, got, want := s.unitValues(t), make([]float64, s.rows()), make([]float64, s.rows())
	joint, all := mat.NewSymDense(somePoints, nil), mat.NewSymDense(somePoints, nil)
	for i := range want {
		got[i] = mat.Dot(s.Features.RowView(i), s.Features.RowView(i))
		want[i] = ridge * mat.Inner(s.features.RowView(i), s.inverse, s.features.RowView(i))
		for j := i; j < somePoints; j++ {
			joint.SetSym(i, j, mat.Dot(s.Features.RowView(i), s.Features.RowView(j)))
			all.SetSym(i, j, ridge*mat.Inner(s.features.RowView(i), s.inverse, s.features.RowView(j)))
		}
	}
	if _, err := p.VariancesAt(t.Context(), got, cross); err != nil {
		t.Fatal(err)
	}
	s.near(t, "variances given the rows", got, want)
	_, d := cross.Dims()
	if err := p.CovarianceAt(t.Context(), joint, cross.Slice(0, somePoints, 0, d).(*mat.Dense)); err != nil {
		t.Fatal(err)
	}
	s.near(t, "covariance given the rows", mat.DenseCopyOf(joint).RawMatrix().Data, mat.DenseCopyOf(all).RawMatrix().Data)
	apart, exact := []float64{0}, 0.0
	if s.constant {
		exact = ridge * s.inverse.At(0, 0)
	}
	if _, err := p.VariancesAt(t.Context(), apart, mat.NewDense(1, d, nil)); err != nil {
		t.Fatal(err)
	}
	s.near(t, "variance of the constant", apart, []float64{exact})
	if _, err := p.VariancesAt(t.Context(), got[:2], cross); err == nil {
		t.Error("the values of more points than there are variances were accepted")
	}
	if z, ok := f.(space.Inverter); ok && !s.Iterative {
		w := mat.NewDiagDense(len(s.v), s.v)
		s.checkInverse(t, z, s.curvatures(mat.DenseCopyOf(w), 1))
	}
}

// coupledModel is W of functions that a softmax couples, and M = R·I + Σᵢ Wᵢ ⊗ φᵢφᵢᵀ.
type coupledModel struct {
	functions int
	w         *mat.Dense // number ci of n functions: row i, function c
	phi       *mat.Dense // I ⊗ Φ
	inverse   mat.Dense  // M⁻¹
	logDet    float64    // ln|M/R|
}

func (c Case) curvatures(w *mat.Dense, functions int) *coupledModel {
	n, dim := c.Features.Dims()
	m := &coupledModel{functions: functions, w: w, phi: mat.NewDense(functions*n, functions*dim, nil)}
	for f := range functions {
		m.phi.Slice(f*n, (f+1)*n, f*dim, (f+1)*dim).(*mat.Dense).Copy(c.Features)
	}
	var h mat.Dense
	h.Product(m.phi.T(), w, m.phi)
	for d := range functions * dim {
		h.Set(d, d, h.At(d, d)+ridge)
	}
	if err := m.inverse.Inverse(&h); err != nil {
		panic(err) // no eigenvalue is below R
	}
	m.logDet, _ = mat.LogDet(&h)
	m.logDet -= float64(functions*dim) * math.Log(ridge)
	return m
}

// checkInverse compares Z = (W − W(I ⊗ Φ)M⁻¹(I ⊗ Φ)ᵀW)/R, by Woodbury's formula.
func (c Case) checkInverse(t *testing.T, f space.Inverter, m *coupledModel) {
	t.Helper()
	n := c.rows()
	var left, z mat.Dense
	left.Mul(m.w, m.phi)
	z.Product(&left, &m.inverse, left.T())
	z.Sub(m.w, &z)
	z.Scale(1/ridge, &z)
	x := random(t, n, m.functions)
	flat, want := mat.NewVecDense(n*m.functions, nil), new(mat.VecDense)
	for i := range n {
		for j, v := range x.RawRowView(i) {
			flat.SetVec(j*n+i, v)
		}
	}
	want.MulVec(&z, flat)
	if err := f.Apply(t.Context(), x); err != nil {
		t.Fatal(err)
	}
	got := make([]float64, n*m.functions)
	sum := mat.NewDense(n, n, nil)
	for j := range m.functions {
		for i := range n {
			got[j*n+i] = x.At(i, j)
		}
		sum.Add(sum, z.Slice(j*n, (j+1)*n, j*n, (j+1)*n))
	}
	c.near(t, "Zx", got, want.RawVector().Data)
	blocks, err := f.Inverse(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	c.near(t, "blocks of Z", mat.DenseCopyOf(blocks).RawMatrix().Data, sum.RawMatrix().Data)
}

// checkCoupled compares functions that a softmax couples.
func (c Case) checkCoupled(t *testing.T) {
	in, ok := c.Make(t, 2).(space.Coupling)
	if !ok || c.Iterative {
		t.Skip("the space does not couple functions")
	}
	const functions = 3
	n, v, p := c.rows(), c.weights(t), random(t, c.rows(), functions)
	w := mat.NewDense(functions*n, functions*n, nil)
	for i := range n {
		q := p.RawRowView(i)
		loss.Softmax(q)
		for a := range q {
			for b := range q {
				w.Set(a*n+i, b*n+i, -v[i]*q[a]*q[b])
			}
			w.Set(a*n+i, a*n+i, v[i]*q[a]*(1-q[a]))
		}
	}
	m := c.curvatures(w, functions)
	f, err := in.WeighSoftmax(t.Context(), v, p, ridge)
	if err != nil {
		t.Fatal(err)
	}
	c.near(t, "log-determinant", []float64{f.LogDet()}, []float64{m.logDet})
	c.checkCovariances(t, f, m)
	if z, ok := f.(space.Inverter); ok {
		c.checkInverse(t, z, m)
	}
	for _, constant := range []bool{false, true} {
		c.checkRowCovariances(t, v, p, m, constant)
	}
	if _, err := in.WeighSoftmax(t.Context(), v[1:], p, ridge); err == nil {
		t.Error("weights of fewer rows than there are were accepted")
	}
}

// checkRowCovariances compares φ̃ᵢᵀH⁻¹φ̃ᵢ, where constants with the sum 0 are features too.
func (c Case) checkRowCovariances(t *testing.T, v []float64, p *mat.Dense, m *coupledModel, constant bool) {
	t.Helper()
	n, functions := p.Dims()
	_, weights := m.phi.Dims()
	size := weights
	if constant {
		size += functions - 1
	}
	all := mat.NewDense(functions*n, size, nil)
	all.Slice(0, functions*n, 0, weights).(*mat.Dense).Copy(m.phi)
	for b := range size - weights { // 1 of function b and −1 of the next
		for i := range n {
			all.Set(b*n+i, weights+b, 1)
			all.Set((b+1)*n+i, weights+b, -1)
		}
	}
	var h, inverse mat.Dense
	h.Product(all.T(), m.w, all)
	for d := range weights {
		h.Set(d, d, h.At(d, d)+ridge)
	}
	if err := inverse.Inverse(&h); err != nil {
		t.Fatal(err)
	}
	var got, want []float64
	s := c.Make(t, 2)
	err := space.SoftmaxCovariances(t.Context(), s, v, p, ridge, constant, func(i int, cov *mat.SymDense) error {
		for a := range functions {
			for b := range functions {
				got = append(got, cov.At(a, b))
				want = append(want, mat.Inner(all.RowView(a*n+i), &inverse, all.RowView(b*n+i)))
			}
		}
		return nil
	})
	if err != nil || len(got) != n*functions*functions {
		t.Fatalf("covariances of rows: %d of %d numbers, %v", len(got), n*functions*functions, err)
	}
	c.near(t, "covariances of rows", got, want)
}

// checkCovariances compares R·(I ⊗ φ)ᵀM⁻¹(I ⊗ φ) at the rows.
func (c Case) checkCovariances(t *testing.T, f space.Coupled, m *coupledModel) {
	t.Helper()
	n, prior := c.rows(), make([]float64, c.rows())
	for i := range prior {
		prior[i] = mat.Dot(c.Features.RowView(i), c.Features.RowView(i))
	}
	covs, _, err := f.CovariancesAt(t.Context(), prior, c.unitValues(t))
	if err != nil {
		t.Fatal(err)
	}
	if f.Functions() != m.functions || len(covs) != n {
		t.Fatalf("%d covariances of %d functions", len(covs), f.Functions())
	}
	var got, want []float64
	for i, cov := range covs {
		for a := range m.functions {
			for b := range m.functions {
				got = append(got, cov.At(a, b))
				want = append(want, ridge*mat.Inner(m.phi.RowView(a*n+i), &m.inverse, m.phi.RowView(b*n+i)))
			}
		}
	}
	c.near(t, "covariances of functions", got, want)
}
