package learner

import (
	"context"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/prep"
	"example.org/mercer/gram"
	"example.org/mercer/linalg"
	"example.org/mercer/model"
	"example.org/mercer/task"
)

// RowUpdate says which training rows come to a model and which go from it.
type RowUpdate struct {
	// Task has the rows after the update: those that stay, then those that come.
	Task *task.Task
	Stay []int // training rows of before
	Gone []int
	// Come are the rows that come, prepared, of Table.
	Come  *prep.Prepared
	Table *data.Table
	// KeepRidge keeps R = Nλ of a ridge regression, and lets λ follow the number of rows. It
	// is needed where a kept factor is to be used. Otherwise λ stays, and R follows.
	KeepRidge bool
}

// RowUpdater is a state by which a model learns other rows as its first fit did.
type RowUpdater interface {
	// Observed are the targets of the training rows; nil: they were not kept, and no row can come
	// or go.
	Observed() *mat.Dense
	// Updatable says how rows come and go beside a new fit; nil: by none.
	Updatable() *Updatable
	// ByFactor reports whether the update follows a factor: n² flops for each row instead of
	// n³/3 for all.
	ByFactor(u *RowUpdate) bool
	PlanUpdate(ctx context.Context, f *Fitted, u *RowUpdate, o compute.Options) (compute.Plan, error)
	Update(ctx context.Context, f *Fitted, u *RowUpdate, o compute.Options) (*Fitted, error)
}

// Updatable says how rows come to a model and go from it beside a new fit.
type Updatable struct {
	By    string `json:"by"`    // "factor" or "sums"
	Rows  int    `json:"rows"`  // that are in
	Bytes int64  `json:"bytes"` // what this takes in the file
}

// updatableBy says what a factor takes.
func updatableBy(f *linalg.UpdatableFactor) *Updatable {
	if f == nil {
		return nil
	}
	return &Updatable{By: "factor", Rows: f.Dim(), Bytes: 8 * int64(len(f.Rows()))}
}

// contentsOf names a factor.
func contentsOf(f *linalg.UpdatableFactor) []string {
	if f == nil {
		return nil
	}
	return []string{"factor of rows that come and go"}
}

// copyFactor copies a factor, which may be a view of a file.
func copyFactor(f *linalg.UpdatableFactor) (*linalg.UpdatableFactor, error) {
	return linalg.NewUpdatableFactor(f.Dim(), slices.Clone(f.Rows()))
}

// bordering are the rows that come: their kernel values with those that stay and with each other,
// their targets and their weights.
type bordering struct {
	cross   *mat.Dense
	block   *mat.SymDense
	y       *mat.Dense
	weights []float64
}

// follow takes the rows that go from a factor, or borders it by those that come. It returns the
// Gram matrix after the update.
func (u *RowUpdate) follow(ctx context.Context, o compute.Options, remove func(context.Context, []int) error, add func(*bordering) error) (gram.Operator, error) {
	pairs := u.Task.Pairs()
	k := gram.Of(pairs, o)
	if len(u.Gone) > 0 {
		return k, remove(ctx, u.Gone)
	}
	n, outputs := u.Task.Rows.Y.Dims()
	first := len(u.Stay)
	old, more := data.Range(0, first), data.Range(first, n)
	b := &bordering{cross: new(mat.Dense), y: u.Task.Rows.Y.Slice(first, n, 0, outputs).(*mat.Dense)}
	if err := gram.Rect(ctx, b.cross, gram.RowsOf(pairs).Bind(more, old), o); err != nil {
		return nil, err
	}
	var err error
	if b.block, err = gram.Dense(ctx, gram.RowsOf(pairs).Bind(more, more), o); err != nil {
		return nil, err
	}
	if w := u.Task.Rows.W; w != nil {
		b.weights = w[first:]
	}
	return k, add(b)
}

// storeTargets puts the targets of the training rows and a factor among the tensors.
func storeTargets(e *Entries, targets *mat.Dense, factor *linalg.UpdatableFactor) error {
	if targets != nil {
		e.Tensors[tensorTargets] = model.Dense(targets)
	}
	if factor != nil {
		return e.Floats(tensorFactor, factor.Rows())
	}
	return nil
}

// readTargets reads the targets of the training rows, and the factor.
func readTargets(s *Stored) (targets *mat.Dense, factor *linalg.UpdatableFactor, err error) {
	n := s.TrainingRows
	if !s.File.Has(tensorTargets) {
		return nil, nil, nil
	}
	if targets, err = s.File.Matrix(tensorTargets, n, len(s.Decision.Outputs)); err != nil || !s.File.Has(tensorFactor) {
		return targets, nil, err
	}
	rows, err := s.File.Floats(tensorFactor, n*(n+1)/2)
	if err != nil {
		return nil, nil, err
	}
	if factor, err = linalg.NewUpdatableFactor(n, rows); err != nil {
		return nil, nil, fmt.Errorf("tensor %q: %w", tensorFactor, err)
	}
	return targets, factor, nil
}
