package svm

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

const (
	// stiffFrom is the V‖φ‖² from which a row is not eliminated: a half of the digits of I is lost
	// beside it.
	stiffFrom = 0x1p26
	// stiffBeside is how many rows may be kept beside as many as there are features. Where more
	// are as stiff, they have all directions, and I is not needed.
	stiffBeside = 8
)

// stiff are the rows of a system that are not eliminated. A coefficient between its bounds has a V
// that grows as 1/μ, until I and the rows at their bounds are lost to rounding beside VφφᵀV. Δβ of
// such rows, with the features Φ, is an unknown of its own. With M = I + ΦᵀVΦ and h of all others,
// U = M⁻¹h and E the groups of the rows, the augmented system is
//
//	⎛ V⁻¹ + ΦM⁻¹Φᵀ   ΦU − E ⎞ ⎛Δβ⎞   ⎛   r − ΦM⁻¹y         ⎞
//	⎝  (E − ΦU)ᵀ    S − hᵀU ⎠ ⎝Δλ⎠ = ⎝ miss − 1ᵀVr + hᵀM⁻¹y ⎠,  Δw = M⁻¹(y + ΦᵀΔβ + hΔλ).
//
// Where no row is stiff, it is the last line alone.
//
// Wright, Stability of augmented system factorizations in interior-point methods, SIAM J. Matrix
// Anal. 18, 1997.
type stiff struct {
	from  float64       // the least V of such a row, which others do not have
	place map[int32]int // of each variable, where it stands
	rows  []int32       // the variables
	phi   *mat.Dense    // their features, nil where there are none
	dx    []float64     // their steps

	solved *mat.Dense // M⁻¹Φᵀ
	memory []float64  // of M⁻¹Φᵀ, kept from step to step
}

// chooseStiff finds the rows that are not eliminated in the next step.
func (b *barrier) chooseStiff(dim int) {
	memory := b.stiff.memory
	b.stiff = stiff{from: math.Inf(1), memory: memory}
	most := dim + stiffBeside
	least := stiffFrom / (b.m.longest * b.m.longest)
	var rows []int32
	for i := range b.near {
		if v := b.give(int32(i)); v > least && !math.IsInf(v, 1) {
			if len(rows) == most {
				return
			}
			rows = append(rows, int32(i))
		}
	}
	if len(rows) == 0 {
		return
	}
	size := len(rows) * dim
	memory = slices.Grow(memory[:0], size)[:size]
	b.stiff = stiff{from: least, rows: rows, place: make(map[int32]int, len(rows)), dx: make([]float64, len(rows)), memory: memory,
		solved: mat.NewDense(dim, len(rows), memory)}
	for k, t := range rows {
		b.stiff.place[t] = k
	}
}

// at returns where a variable with this V stands among the stiff ones.
func (s *stiff) at(t int32, v float64) (k int, is bool) {
	if !(v > s.from) {
		return 0, false
	}
	k, is = s.place[t]
	return k, is
}

// direct finds Δw, Δλ and Δβ of the rows that are stiff. y is ΦᵀVr and what w lacks, totals is 1ᵀVr
// of each group, both of the other rows.
func (b *barrier) direct(ctx context.Context, y *mat.VecDense, totals []float64, target float64) error {
	solved := mat.NewDense(len(b.w), 1, nil)
	if err := b.factor.Solve(ctx, solved, mat.NewDense(len(b.w), 1, y.RawVector().Data)); err != nil {
		return err
	}
	dw := mat.NewVecDense(len(b.w), solved.RawMatrix().Data)
	count, groups := len(b.stiff.rows), len(b.lambda)
	rhs := mat.NewVecDense(count+groups, nil)
	for k, t := range b.stiff.rows {
		rhs.SetVec(k, b.pull(t, target)-mat.Dot(b.stiff.phi.RowView(k), dw))
	}
	for i := range groups {
		rhs.SetVec(count+i, b.miss[i]-totals[i]+mat.Dot(b.h.ColView(i), dw))
	}
	// By size, the unknowns of the stiff rows differ by many powers of ten.
	a := b.augmented()
	scale := make([]float64, count)
	for k := range scale {
		scale[k] = 1 / math.Sqrt(a.At(k, k))
		rhs.SetVec(k, scale[k]*rhs.AtVec(k))
	}
	a.Apply(func(i, k int, v float64) float64 {
		if i < count {
			v *= scale[i]
		}
		if k < count {
			v *= scale[k]
		}
		return v
	}, a)
	out := mat.NewVecDense(count+groups, nil)
	_ = out.SolveVec(a, rhs) // of a singular system come numbers that end the search
	for k := range scale {
		b.stiff.dx[k] = scale[k] * out.AtVec(k)
	}
	b.dl = slices.Clone(out.RawVector().Data[count:])
	dw.AddVec(dw, mulVec(b.u, mat.NewVecDense(groups, b.dl)))
	if count > 0 {
		dw.AddVec(dw, mulVec(b.stiff.solved, mat.NewVecDense(count, b.stiff.dx)))
	}
	b.dw = dw.RawVector().Data
	return nil
}

// augmented returns the matrix of the system of Δβ and Δλ.
func (b *barrier) augmented() *mat.Dense {
	count, groups := len(b.stiff.rows), len(b.lambda)
	a := mat.NewDense(count+groups, count+groups, nil)
	if count > 0 {
		a.Slice(0, count, 0, count).(*mat.Dense).Mul(b.stiff.phi, b.stiff.solved)
	}
	for k, t := range b.stiff.rows {
		a.Set(k, k, a.At(k, k)+1/b.give(t))
		for i := range groups {
			border := mat.Dot(b.stiff.phi.RowView(k), b.u.ColView(i))
			if int(b.group[t]) == i {
				border--
			}
			a.Set(k, count+i, border)
			a.Set(count+i, k, -border)
		}
	}
	for i := range groups {
		for k := range groups {
			a.Set(count+i, count+k, -mat.Dot(b.h.ColView(i), b.u.ColView(k)))
		}
		// By rounding alone it is less: a step of λ is then no longer than its precision.
		a.Set(count+i, count+i, max(a.At(count+i, count+i)+b.totals[i], 0x1p-46*b.totals[i]))
	}
	return a
}

// stepOf is the step of a variable whose function of Δw is df.
func (b *barrier) stepOf(t int32, df, target float64) float64 {
	v := b.give(t)
	if k, is := b.stiff.at(t, v); is {
		return b.stiff.dx[k]
	}
	return v * (b.pull(t, target) - df + b.dl[b.group[t]])
}

func mulVec(a mat.Matrix, x mat.Vector) *mat.VecDense {
	out := new(mat.VecDense)
	out.MulVec(a, x)
	return out
}
