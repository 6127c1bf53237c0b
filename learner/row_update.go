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

// Bordering is the rows that come: their kernel values with those that stay and with each other,
// their targets and their weights.
type Bordering struct {
	Cross   *mat.Dense
	Block   *mat.SymDense
	Y       *mat.Dense
	Weights []float64
}

// Follow takes the rows that go from a factor, or borders it by those that come. It returns the
// Gram matrix after the update.
func (u *RowUpdate) Follow(ctx context.Context, o compute.Options, remove func(context.Context, []int, compute.Options) error, add func(*Bordering) error) (gram.Operator, error) {
	pairs := u.Task.Pairs()
	k := gram.Of(pairs, o)
	if len(u.Gone) > 0 {
		return k, remove(ctx, u.Gone, o)
	}
	n, outputs := u.Task.Rows.Y.Dims()
	first := len(u.Stay)
	old, more := data.Range(0, first), data.Range(first, n)
	b := &Bordering{Cross: new(mat.Dense), Y: u.Task.Rows.Y.Slice(first, n, 0, outputs).(*mat.Dense)}
	if err := gram.Rect(ctx, b.Cross, gram.RowsOf(pairs).Bind(more, old), o); err != nil {
		return nil, err
	}
	var err error
	if b.Block, err = gram.Dense(ctx, gram.RowsOf(pairs).Bind(more, more), o); err != nil {
		return nil, err
	}
	if w := u.Task.Rows.W; w != nil {
		b.Weights = w[first:]
	}
	return k, add(b)
}

// RowFactor is what a state keeps of the training rows so that others come and go: their targets,
// and the Cholesky factor of the system that was solved. A state that embeds it is half of a
// [RowUpdater].
type RowFactor struct {
	Targets *mat.Dense              // rows × outputs; nil: not kept
	Factor  *linalg.UpdatableFactor // nil: not kept
}

// The names of the tensors in a model file.
const (
	tensorTargets = "targets" // n×m targets of the training rows, where rows can come and go
	tensorFactor  = "factor"  // n(n+1)/2: the Cholesky factor of the system row by row, optional
)

// Observed are the targets of the training rows.
func (r RowFactor) Observed() *mat.Dense { return r.Targets }

// Updatable says what the factor takes; nil: there is none.
func (r RowFactor) Updatable() *Updatable {
	if r.Factor == nil {
		return nil
	}
	return &Updatable{By: "factor", Rows: r.Factor.Dim(), Bytes: 8 * int64(len(r.Factor.Rows()))}
}

// Contents names the factor.
func (r RowFactor) Contents() []string {
	if r.Factor == nil {
		return nil
	}
	return []string{"factor of rows that come and go"}
}

// RowValues names targets and factor.
func (r RowFactor) RowValues() (names []string) {
	if r.Targets != nil {
		rows, _ := r.Targets.Dims()
		names = append(names, fmt.Sprintf("targets of %d rows", rows))
	}
	if r.Factor != nil {
		names = append(names, fmt.Sprintf("a factor of the Gram matrix of %d rows", r.Factor.Dim()))
	}
	return names
}

// CopyFactor copies the factor, which may be a view of a file.
func (r RowFactor) CopyFactor() (*linalg.UpdatableFactor, error) {
	return linalg.NewUpdatableFactor(r.Factor.Dim(), slices.Clone(r.Factor.Rows()))
}

// Store puts targets and factor among the tensors.
func (r RowFactor) Store(e *Entries) error {
	if r.Targets != nil {
		e.Tensors[tensorTargets] = model.Dense(r.Targets)
	}
	if r.Factor != nil {
		return e.Floats(tensorFactor, r.Factor.Rows())
	}
	return nil
}

// ReadRowFactor reads the targets of the training rows, and the factor, where the file has them.
func ReadRowFactor(s *Stored) (r RowFactor, err error) {
	n := s.TrainingRows
	if !s.File.Has(tensorTargets) {
		return r, nil
	}
	if r.Targets, err = s.File.Matrix(tensorTargets, n, len(s.Decision.Outputs)); err != nil || !s.File.Has(tensorFactor) {
		return r, err
	}
	rows, err := s.File.Floats(tensorFactor, n*(n+1)/2)
	if err != nil {
		return r, err
	}
	if r.Factor, err = linalg.NewUpdatableFactor(n, rows); err != nil {
		return r, fmt.Errorf("tensor %q: %w", tensorFactor, err)
	}
	return r, nil
}
