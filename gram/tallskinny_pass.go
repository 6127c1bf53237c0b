package gram

import (
	"context"
	"encoding/gob"
	"fmt"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/kernel"
	"example.org/mercer/pass"
)

func init() {
	gob.Register(momentsJob{})
	gob.Register(productJob{})
	gob.Register(adjointJob{})
	gob.Register(normalJob{})
}

// sectioned is a kernel with features on landmarks, of which it has the columns K_XC.
type sectioned interface {
	Sections(xs data.Set[[]float64], o compute.Options) *TallSkinny
}

// sectionsOf returns K_XC with m columns, for a job whose piece has as many numbers as it should.
func sectionsOf(k kernel.Kernel[[]float64], rows data.Rows, m int, p compute.Precision, has, should int, o compute.Options) (*TallSkinny, error) {
	if has != should {
		return nil, fmt.Errorf("gram: %d numbers come with the rows of a piece, which should have %d", has, should)
	}
	s, ok := k.(sectioned)
	if !ok {
		return nil, fmt.Errorf("gram: the kernel %s has no landmarks here, and %d where the pass comes from", k, m)
	}
	o.Precision, o.Progress, o.Store = p, nil, nil
	t := s.Sections(rows, o)
	if t.cols != m {
		return nil, fmt.Errorf("gram: the kernel %s has %d landmarks here, and %d where the pass comes from", k, t.cols, m)
	}
	return t, nil
}

// momentsJob is [TallSkinny.Moments] of a lane: targets and, where rows are weighted, a weight go
// along with each row.
type momentsJob struct {
	Columns, Outputs int
	Weighted         bool
	Precision        compute.Precision
	Minus            []float32 // in single precision
}

// Run sums up a lane.
func (j momentsJob) Run(ctx context.Context, k kernel.Kernel[[]float64], rows data.Rows, p pass.Piece, numbers []float64, o compute.Options) (pass.Result, error) {
	n, each := p.To-p.From, j.Outputs
	if j.Weighted {
		each++
	}
	t, err := sectionsOf(k, rows, j.Columns, j.Precision, len(numbers), n*each, o)
	if err != nil {
		return pass.Result{}, err
	}
	var w []float64
	if j.Weighted {
		w, numbers = numbers[:n], numbers[n:]
	}
	y := mat.NewDense(n, j.Outputs, numbers)
	if j.Precision == compute.Single {
		return pass.Result{Sums: newMomentSpace(t, j.Minus, o.WorkerCount()).lane(ctx, p.From, p.To, w, y, nil)}, ctx.Err()
	}
	return pass.Result{Sums: newMomentSpace[float64](t, nil, o.WorkerCount()).lane(ctx, p.From, p.To, w, y, nil)}, ctx.Err()
}

// sendMoments has a driver make the pass.
func sendMoments[F float](ctx context.Context, t *TallSkinny, minus []F, weights []float64, y *mat.Dense, cut lanes) ([]float64, error) {
	_, p := y.Dims()
	job := momentsJob{Columns: t.cols, Outputs: p, Weighted: weights != nil, Precision: t.o.Precision}
	job.Minus, _ = any(minus).([]float32)
	pieces := cut.pieces()
	return t.elsewhere.Run(ctx, job, pieces, func(i int) ([]float64, error) {
		from, to := pieces[i].From, pieces[i].To
		var along []float64
		if weights != nil {
			along = append(along, weights[from:to]...)
		}
		for i := from; i < to; i++ {
			along = append(along, y.RawRowView(i)...)
		}
		return along, nil
	}, nil)
}

// productJob is K·X.
type productJob struct {
	X         *mat.Dense
	Precision compute.Precision
}

// Run multiplies some rows.
func (j productJob) Run(ctx context.Context, k kernel.Kernel[[]float64], rows data.Rows, p pass.Piece, numbers []float64, o compute.Options) (pass.Result, error) {
	m, cols := j.X.Dims()
	t, err := sectionsOf(k, rows, m, j.Precision, len(numbers), 0, o)
	if err != nil {
		return pass.Result{}, err
	}
	r := pass.Result{Rows: make([]float64, (p.To-p.From)*cols)}
	f := foldPass{t: t, xt: transposed(j.X), p: cols, between: func(_, row int, u, _ blas64.General) {
		for i := range u.Rows {
			copy(r.Rows[(row+i-p.From)*cols:][:cols], u.Data[i*u.Stride:])
		}
	}}
	_, err = f.part(ctx, p)
	return r, err
}

// adjointJob is KᵀG; the rows of G go along.
type adjointJob struct {
	Landmarks, Columns int
	Precision          compute.Precision
}

// Run sums up a lane.
func (j adjointJob) Run(ctx context.Context, k kernel.Kernel[[]float64], rows data.Rows, p pass.Piece, numbers []float64, o compute.Options) (pass.Result, error) {
	t, err := sectionsOf(k, rows, j.Landmarks, j.Precision, len(numbers), (p.To-p.From)*j.Columns, o)
	if err != nil {
		return pass.Result{}, err
	}
	f := foldPass{t: t, q: j.Columns, between: func(_, row int, _, g blas64.General) {
		for i := range g.Rows {
			copy(g.Data[i*g.Stride:][:g.Cols], numbers[(row+i-p.From)*j.Columns:])
		}
	}}
	sums, err := f.part(ctx, p)
	return pass.Result{Sums: sums}, err
}

// normalJob is KᵀG with gᵢⱼ = cᵢⱼ(uᵢⱼ − sⱼ), U = K·X; the rows of C go along, unless they are all
// the same.
type normalJob struct {
	X         *mat.Dense
	Shift     []float64
	Precision compute.Precision
	Same      []float64 // the rows of C; nil: they differ
}

// Run sums up a lane.
func (j normalJob) Run(ctx context.Context, k kernel.Kernel[[]float64], rows data.Rows, p pass.Piece, numbers []float64, o compute.Options) (pass.Result, error) {
	m, cols := j.X.Dims()
	along, curvature := (p.To-p.From)*cols, func(row, c int) float64 { return numbers[(row-p.From)*cols+c] }
	if j.Same != nil {
		along, curvature = 0, func(_, c int) float64 { return j.Same[c] }
	}
	t, err := sectionsOf(k, rows, m, j.Precision, len(numbers), along, o)
	if err != nil {
		return pass.Result{}, err
	}
	f := foldPass{t: t, xt: transposed(j.X), p: cols, q: cols, between: j.between(curvature)}
	sums, err := f.part(ctx, p)
	return pass.Result{Sums: sums}, err
}

// between makes rows of G.
func (j normalJob) between(c func(row, j int) float64) slopesOf {
	return func(_, row int, u, g blas64.General) {
		for i := range u.Rows {
			for a, s := range j.Shift {
				g.Data[i*g.Stride+a] = c(row+i, a) * (u.Data[i*u.Stride+a] - s)
			}
		}
	}
}

// Normal stores KᵀG in dst, gᵢⱼ = cᵢⱼ(uᵢⱼ − sⱼ), U = K·X: the product of normal equations, in one
// pass wherever the rows are. c is called from several goroutines, as what [TallSkinny.Fold] is
// given is.
func (t *TallSkinny) Normal(ctx context.Context, dst, x *mat.Dense, shift []float64, c func(row, j int) float64) error {
	job := normalJob{X: x, Shift: shift, Precision: t.o.Precision}
	if t.elsewhere == nil {
		return t.Fold(ctx, dst, x, job.between(c))
	}
	_, cols := x.Dims()
	f := foldPass{t: t, q: cols}
	pieces := lanes{n: t.rows, count: t.Lanes(cols)}.pieces()
	along := func(i int) ([]float64, error) {
		var along []float64
		for row := pieces[i].From; row < pieces[i].To; row++ {
			for j := range cols {
				along = append(along, c(row, j))
			}
		}
		return along, nil
	}
	if job.Same = sameRows(t.rows, cols, c); job.Same != nil {
		along = nil
	}
	sums, err := t.elsewhere.Run(ctx, job, pieces, along, nil)
	if err == nil {
		f.store(dst.RawMatrix(), sums)
	}
	return err
}

// sameRows returns the rows of C where they are all the same, as of a squared loss without weights;
// nil: they differ.
func sameRows(n, cols int, c func(row, j int) float64) []float64 {
	first := make([]float64, cols)
	for j := range first {
		first[j] = c(0, j)
	}
	for row := range n {
		for j, v := range first {
			if c(row, j) != v {
				return nil
			}
		}
	}
	return first
}

// part makes the pass for the rows of a lane alone, on one worker, and returns their sums.
func (f *foldPass) part(ctx context.Context, p pass.Piece) ([]float64, error) {
	sums := make([]float64, f.q*f.t.cols)
	f.cut, f.sums, f.progress = lanes{n: f.t.rows, count: 1}, [][]float64{sums}, nil
	if f.t.o.Precision == compute.Single {
		newFoldSpace(f, &f.t.single, roundRightSides(f.xt)).run(ctx, 0, p.From, p.To)
	} else {
		newFoldSpace(f, &f.t.double, f.doubles()).run(ctx, 0, p.From, p.To)
	}
	return sums, ctx.Err()
}

// send has a driver make the pass in two: U = K·X, then KᵀG. Between them G is made here.
func (f *foldPass) send(ctx context.Context, dst, x *mat.Dense) error {
	t, pieces := f.t, f.cut.pieces()
	u, g := make([]float64, t.rows*f.p), make([]float64, t.rows*f.q)
	if f.p > 0 {
		if _, err := t.elsewhere.Run(ctx, productJob{x, t.o.Precision}, pieces, nil, func(p pass.Piece, rows []float64) error {
			if len(rows) != (p.To-p.From)*f.p {
				return fmt.Errorf("gram: %d products of %d rows", len(rows), p.To-p.From)
			}
			copy(u[p.From*f.p:], rows)
			return nil
		}); err != nil {
			return err
		}
	}
	height := foldHeight(t.cols, t.o.Precision)
	for lane, p := range pieces {
		for row := p.From; row < p.To; row += height {
			rows := min(height, p.To-row)
			f.between(lane, row, blas64.General{Rows: rows, Cols: f.p, Stride: f.p, Data: u[row*f.p : (row+rows)*f.p]},
				blas64.General{Rows: rows, Cols: f.q, Stride: f.q, Data: g[row*f.q : (row+rows)*f.q]})
		}
	}
	if f.q == 0 {
		return ctx.Err()
	}
	sums, err := t.elsewhere.Run(ctx, adjointJob{t.cols, f.q, t.o.Precision}, pieces, func(i int) ([]float64, error) {
		return g[pieces[i].From*f.q : pieces[i].To*f.q], nil
	}, nil)
	if err == nil {
		f.store(dst.RawMatrix(), sums)
	}
	return err
}
