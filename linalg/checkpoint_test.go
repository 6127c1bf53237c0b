package linalg_test

import (
	"context"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/internal/checkpoint/checkpointtest"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/linalg"
)

// Factorizations and decompositions that are killed go on to the same bits.
func TestFactorsGoOn(t *testing.T) {
	const n = 587 // two whole tiles and one of 75 rows, an odd number
	rng := testkit.Rand(t, 9)
	points := make([]float64, n)
	for i := range points {
		points[i] = 8 * rng.Float64()
	}
	value := func(i, j int) float64 { d := points[i] - points[j]; return math.Exp(-d * d) }
	gram := func() *mat.SymDense {
		a := mat.NewSymDense(n, nil)
		for i := range n {
			for j := i; j < n; j++ {
				a.SetSym(i, j, value(i, j))
			}
		}
		return a
	}
	b := mat.NewDense(n, 1, slices.Clone(points))
	shift := slices.Repeat([]float64{0.1}, n)
	type factor interface {
		Solve(ctx context.Context, dst, b *mat.Dense) error
		Condition() float64
	}
	solved := func(f factor, err error) ([]float64, error) {
		if err != nil {
			return nil, err
		}
		var x mat.Dense
		err = f.Solve(t.Context(), &x, b)
		return append(x.RawMatrix().Data, f.Condition()), err
	}
	ones := slices.Repeat([]float64{1}, n)
	columns := func(_ context.Context, dst *mat.Dense, cols []int) error {
		for i, c := range cols {
			for j := range n {
				dst.Set(i, j, value(c, j))
			}
		}
		return nil
	}
	partly := func(rule linalg.PivotRule, o linalg.Options) ([]float64, error) {
		low, err := linalg.PivotedCholesky(t.Context(), ones, columns, linalg.LowRankOptions{Rank: 20, Pivots: rule, Seed: 3, Workers: o.Workers, Step: o.Step})
		if err != nil {
			return nil, err
		}
		out := append(low.Rest, low.LT.RawMatrix().Data...)
		for _, row := range low.Pivots {
			out = append(out, float64(row))
		}
		return out, nil
	}
	for name, find := range map[string]func(o linalg.Options) ([]float64, error){
		"dense": func(o linalg.Options) ([]float64, error) {
			f, err := linalg.FactorDiag(t.Context(), gram(), shift, o)
			return solved(f, err)
		},
		"packed": func(o linalg.Options) ([]float64, error) {
			p := linalg.NewPacked(n)
			fill(p, value)
			f, err := linalg.FactorPackedDiag(t.Context(), p, shift, o)
			return solved(f, err)
		},
		"single": func(o linalg.Options) ([]float64, error) {
			p := linalg.NewPackedSingle(n)
			fill(p, value)
			f, err := linalg.FactorPackedSingle(t.Context(), p, shift, o)
			return solved(f, err)
		},
		"eigen": func(o linalg.Options) ([]float64, error) {
			e, err := linalg.EigenSym(t.Context(), gram(), o)
			if err != nil {
				return nil, err
			}
			return append(e.Values, e.Vectors.RawMatrix().Data...), nil
		},
		"eigenvalues": func(o linalg.Options) ([]float64, error) {
			return linalg.EigenvaluesSym(t.Context(), gram(), o)
		},
		"greedy": func(o linalg.Options) ([]float64, error) { return partly(linalg.Greedy, o) },
		"random": func(o linalg.Options) ([]float64, error) { return partly(linalg.Random, o) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			plain, err := find(linalg.Options{Workers: 2})
			if err != nil {
				t.Fatal(err)
			}
			checkpointtest.Resumes(t, func(workers int, s *checkpointtest.Steps) ([]float64, error) {
				got, err := find(linalg.Options{Workers: workers, Step: s.Step})
				if err == nil && !slices.Equal(got, plain) {
					t.Error("with a checkpoint it has other bits than without")
				}
				return got, err
			})
		})
	}
}

// fill fills the tiles of a packed matrix of either width.
func fill[F float32 | float64](p interface {
	TileCount() int
	TileSize() int
	Tile(i, j int) (rows, cols, stride int, data []F)
}, value func(i, j int) float64) {
	for bi := range p.TileCount() {
		for bj := range bi + 1 {
			rows, cols, stride, data := p.Tile(bi, bj)
			for r := range rows {
				for c := range cols {
					data[r*stride+c] = F(value(bi*p.TileSize()+r, bj*p.TileSize()+c))
				}
			}
		}
	}
}
