package tune

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/gram"
	"example.org/mercer/kernel"
	"example.org/mercer/supervised/krr"
)

// featured returns the path of a kernel in its features, which it computes.
func (s *search[T]) featured(ctx context.Context, k kernel.Kernel[T]) (*krr.PrimalPath, error) {
	if err := s.featuresOf(ctx, k); err != nil {
		return nil, err
	}
	return krr.NewPrimalPath(ctx, rowsIn(s.phi, nil), s.y, s.o.Fit)
}

// featuresOf computes the features of a kernel into s.phi.
func (s *search[T]) featuresOf(ctx context.Context, k kernel.Kernel[T]) error {
	s.phi = nil // for the memory
	op, err := s.space.Features(ctx, k, s.xs, s.o.Fit.Weights)
	if err == nil {
		s.phi = op.Features()
	}
	return err
}

// featureCurve is the curve of a kernel in its features, which all folds of [CV] share.
func (s *search[T]) featureCurve(ctx context.Context, k kernel.Kernel[T]) (curve, error) {
	if s.o.Criterion != CV {
		path, err := s.featured(ctx, k)
		if err != nil {
			return nil, err
		}
		return criterionOf(path, krr.Criterion(s.o.Criterion)), nil
	}
	if err := s.featuresOf(ctx, k); err != nil {
		return nil, err
	}
	return s.meanOverFolds(func(split Split, o krr.PathOptions) (fold, error) {
		path, err := krr.NewPrimalPath(ctx, rowsIn(s.phi, split.Train), rowsOf(s.y, split.Train), o)
		return fold{split: split, basis: rowsOf(s.phi, split.Test), solve: func(_ context.Context, lambdas []float64) ([]*mat.Dense, [][]float64, error) {
			return path.Weights(lambdas)
		}}, err
	})
}

// rowsIn presents rows of a matrix as features; nil are all of them.
func rowsIn(phi *mat.Dense, rows []int) gram.Design {
	n, dim := phi.Dims()
	if rows != nil {
		n = len(rows)
	}
	return gram.Design{Rows: n, Dim: dim, Fill: func(_ context.Context, dst *mat.Dense, from int) error {
		count, _ := dst.Dims()
		for i := range count {
			row := from + i
			if rows != nil {
				row = rows[row]
			}
			copy(dst.RawRowView(i), phi.RawRowView(row))
		}
		return nil
	}}
}
