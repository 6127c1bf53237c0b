package check

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/linalg"
)

// blockRows is the number of rows whose Gram matrix is decomposed at once.
const blockRows = 200

// overRows tests the given rows: the diagonal, all pairs, or as many of both as the
// budget allows, and the spectrum of the whole Gram matrix or of random
// blocks of it.
func (e *engine) overRows(r *Report) (*candidate, error) {
	n := e.domain.rows.Len()
	index := e.rng.Perm(n)[:min(n, max(blockRows, e.budget/8))]
	slices.Sort(index)
	all := make([][]float64, len(index))
	for i, row := range index {
		all[i] = e.domain.rows.At(row)
		if err := e.ctx.Err(); err != nil {
			return nil, err
		}
		if err := e.defined(all[i]); err != nil {
			return nil, fmt.Errorf("row %d: %w", row+1, err)
		}
	}
	e.dropExact(r, all)
	order := e.rng.Perm(len(all))
	shuffled := make([][]float64, len(all))
	for i, j := range order {
		shuffled[i] = all[j]
	}
	most := int(math.Sqrt(float64(e.budget) / 8)) // rows of which all pairs fit in a share of the budget
	some := shuffled[:min(len(all), most)]
	whole := len(all) <= blockRows && e.affords(2*len(all)*len(all), 1)
	if whole {
		some = all
	}
	height := min(blockRows, len(all), 1+int(math.Sqrt(float64(e.budget)/2)))
	r.Notes = append(r.Notes, coverage(whole, n, len(all), len(some), height))
	if c, err := e.symmetric(some, 1); c != nil || err != nil {
		return c, err
	}
	if c, err := e.try(subsets(all, 1), 1); c != nil || err != nil {
		return c, err
	}
	if c, err := e.try(subsets(some, 2), localShare); c != nil || err != nil {
		return c, err
	}
	if whole {
		if c, err := e.block(all); c != nil || err != nil {
			return c, err
		}
		return e.deepRows(all)
	}
	for !e.spent(localShare) {
		if c, err := e.block(e.someRows(all, height)); c != nil || err != nil {
			return c, err
		}
	}
	return e.deepRows(all)
}

// coverage says what the answer is worth.
func coverage(whole bool, n, used, paired, height int) string {
	const only = "the answer concerns the given rows only, not the kernel on other points"
	if whole {
		return fmt.Sprintf("all %d rows: every pair and the whole spectrum; %s", n, only)
	}
	return fmt.Sprintf("%d of %d rows: every pair among %d of them and the spectra of random blocks of %d; %s", used, n, paired, blockRows, only)
}

// block decomposes the Gram matrix of many rows; where its smallest eigenvalue is
// negative, the rows of largest weight are tried alone first.
func (e *engine) block(points [][]float64) (*candidate, error) {
	if err := e.ctx.Err(); err != nil {
		return nil, err
	}
	m := len(points)
	if !e.gram(points) {
		return nil, nil
	}
	s := scales(e.k0, m)
	k := mat.NewSymDense(m, nil)
	for i := range m {
		for j := i; j < m; j++ {
			k.SetSym(i, j, e.k0[i*m+j]*s[i]*s[j])
		}
	}
	eigen, err := linalg.EigenSym(e.ctx, k, linalg.Options{Workers: 1})
	if err != nil {
		return nil, err
	}
	e.tried.Sets++
	lambda := eigen.Values[0]
	if lambda >= -e.rounding*float64(m) {
		e.lowest(lambda, points)
	}
	if lambda >= -e.noise*float64(m) {
		return nil, nil
	}
	v := make([]float64, m)
	mat.Col(v, 0, eigen.Vectors)
	heavy := make([]int, m)
	for i := range heavy {
		heavy[i] = i
	}
	slices.SortStableFunc(heavy, func(i, j int) int { return -compareAbs(v[i], v[j]) })
	for size := 3; size < m && size <= 48; size += size / 2 {
		chosen := make([][]float64, size)
		for i := range chosen {
			chosen[i] = points[heavy[i]]
		}
		if c := e.falsify(chosen); c != nil || e.ctx.Err() != nil {
			return c, e.ctx.Err()
		}
	}
	for i := range s {
		s[i] *= v[i]
	}
	return e.judge(lambda, points, s), nil
}

func compareAbs(a, b float64) int {
	switch a, b = math.Abs(a), math.Abs(b); {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// deepRows factors Gram matrices of a few rows in arbitrary precision.
func (e *engine) deepRows(all [][]float64) (*candidate, error) {
	if e.exact == nil {
		return nil, nil
	}
	e.deep = true
	limit := e.tried.Exact + e.exactly
	most := min(maxFactor, int(math.Sqrt(2*float64(e.exactly))))
	return e.try(func(yield func([][]float64) bool) {
		for e.tried.Exact < limit {
			if !yield(e.someRows(all, most)) {
				return
			}
		}
	}, 2)
}

// someRows draws rows without repetition.
func (e *engine) someRows(all [][]float64, m int) [][]float64 {
	m = min(m, len(all))
	points := make([][]float64, m)
	for i, j := range e.rng.Perm(len(all))[:m] {
		points[i] = all[j]
	}
	return points
}

// rowOf returns the position of the first row equal to x.
func (e *engine) rowOf(x []float64) int {
	for i := range e.domain.rows.Len() {
		if slices.Equal(e.domain.rows.At(i), x) {
			return i
		}
	}
	return -1
}
