package pass

import (
	"context"
	"encoding/gob"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/kernel"
	"example.org/mercer/linalg/level3"
)

func init() { gob.Register(workJob{}) }

// Sums are what a pass over rows of numbers finds: sums, and some numbers for each row.
type Sums struct {
	Work Work
	// Slabs is the number of runs of blocks with sums of their own, on which bits depend; 0:
	// [SlabsFor].
	Slabs int
	// In stores the numbers that go along with row i, and Out takes those that are made of the rows
	// of a block, from one on. Both are called from several goroutines; nil: there are none.
	In  func(numbers []float64, i int)
	Out func(made *mat.Dense, from int)
}

// Reduce makes a pass over rows, wherever they are, and returns the sums: those of the slabs, added
// up in their order.
func Reduce(ctx context.Context, xs data.Rows, r Sums, o compute.Options) ([]float64, error) {
	_, _, count := r.Work.Sizes(xs.Dim())
	if r.Slabs == 0 {
		r.Slabs = SlabsFor(xs.Len(), count)
	}
	if Elsewhere(xs) != nil {
		return r.send(ctx, xs)
	}
	total := InOrder{Total: make([]float64, count)} // of no rows
	if err := r.here(ctx, xs, &total, o); err != nil {
		return nil, err
	}
	return total.Total, nil
}

// here makes the pass where the rows are.
func (r Sums) here(ctx context.Context, xs data.Rows, total *InOrder, o compute.Options) error {
	n, dim, workers := xs.Len(), xs.Dim(), max(1, o.WorkerCount())
	_, _, count := r.Work.Sizes(dim)
	product := level3.Implementation{Workers: max(1, workers/r.Slabs)}
	type worker struct {
		do    func(Block)
		space *BlockSpace
	}
	all, sums, problems := make([]worker, workers), make([][]float64, r.Slabs), make([]error, r.Slabs)
	err := Each(ctx, xs, r.Slabs, workers, func(at, slab, b int, rows data.Vectors) {
		w := &all[at]
		if w.do == nil {
			*w = worker{r.Work.Worker(dim, product), new(BlockSpace)}
		}
		if sums[slab] == nil {
			sums[slab] = make([]float64, count)
		}
		from, _ := BlockRange(n, b)
		r.block(w.do, w.space.Block(dense(rows), r.Work, sums[slab]), from)
		if _, end := SlabBlocks(n, slab, r.Slabs); b == end-1 {
			problems[slab] = total.Add(slab, Result{Sums: sums[slab]})
			sums[slab] = nil
		}
	})
	for _, problem := range problems {
		if err == nil {
			err = problem
		}
	}
	return err
}

// dense returns rows as a matrix.
func dense(rows data.Vectors) *mat.Dense { return mat.NewDense(rows.Len(), rows.Dim(), rows.Raw()) }

// block does the work with a block whose first row is from.
func (r Sums) block(do func(Block), b Block, from int) {
	if b.In != nil {
		r.along(b.In, from)
	}
	do(b)
	if b.Out != nil {
		r.Out(b.Out, from)
	}
}

// along stores what goes along with rows from one on.
func (r Sums) along(numbers *mat.Dense, from int) {
	for i := range numbers.RawMatrix().Rows {
		r.In(numbers.RawRowView(i), from+i)
	}
}

// send has a driver make the pass, together with others where the rows are shared.
func (r Sums) send(ctx context.Context, xs data.Rows) ([]float64, error) {
	var sums []float64
	if c, shared := xs.(*sharedRows); shared {
		err := c.pass(&request{ctx: ctx, slabs: r.Slabs, sent: &r, sums: &sums})
		return sums, err
	}
	n, pieces := xs.Len(), make([]Piece, r.Slabs)
	for i := range pieces {
		first, end := SlabBlocks(n, i, r.Slabs)
		pieces[i] = Piece{first * BlockRows, min(n, end*BlockRows)}
	}
	return Elsewhere(xs).Blocks(ctx, workJob{r.Work}, r.Work, xs.Dim(), pieces, func(numbers *mat.Dense, from int) error {
		r.along(numbers, from)
		return nil
	}, func(made *mat.Dense, from int) error {
		r.Out(made, from)
		return nil
	})
}

// Blocks makes a pass of a job that does work with rows of dim numbers, and returns the sums. in
// stores what goes along with rows from one on, for a piece whenever it is sent, and out takes what
// is made of the rows of a block, from one on, in the order of the blocks; they are not called
// where there is nothing.
func (s *Sender) Blocks(ctx context.Context, job Job, w Work, dim int, pieces []Piece, in func(numbers *mat.Dense, from int) error, out func(made *mat.Dense, from int) error) ([]float64, error) {
	takes, makes, count := w.Sizes(dim)
	var along func(piece int) ([]float64, error)
	if takes > 0 {
		along = func(piece int) ([]float64, error) {
			p := pieces[piece]
			numbers := make([]float64, takes*(p.To-p.From))
			return numbers, in(mat.NewDense(p.To-p.From, takes, numbers), p.From)
		}
	}
	sums, err := s.Run(ctx, job, pieces, along, func(p Piece, made []float64) error {
		if len(made) != makes*(p.To-p.From) {
			return fmt.Errorf("pass: %d numbers are made of %d rows, not %d of each", len(made), p.To-p.From, makes)
		}
		for from := p.From; from < p.To && makes > 0; from += BlockRows {
			rows := min(BlockRows, p.To-from)
			if err := out(mat.NewDense(rows, makes, made[(from-p.From)*makes:][:rows*makes]), from); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil && len(sums) != count {
		err = fmt.Errorf("pass: workers add up %d numbers, and %d are wanted: they need the same program and the same kind of processor", len(sums), count)
	}
	return sums, err
}

// workJob is work on the rows, or on the features that a kernel has of them.
type workJob struct{ Work Work }

// Run does the work with a piece.
func (j workJob) Run(ctx context.Context, k kernel.Kernel[[]float64], rows data.Rows, p Piece, numbers []float64, o compute.Options) (Result, error) {
	xs, err := featuresOf(k, rows)
	if err != nil {
		return Result{}, err
	}
	in, out, count := j.Work.Sizes(xs.Dim())
	if len(numbers) != in*(p.To-p.From) {
		return Result{}, fmt.Errorf("pass: %d numbers go along with %d rows, not %d with each", len(numbers), p.To-p.From, in)
	}
	made := Result{Sums: make([]float64, count), Rows: make([]float64, out*(p.To-p.From))}
	r := Sums{
		In:  func(to []float64, i int) { copy(to, numbers[(i-p.From)*in:]) },
		Out: func(block *mat.Dense, from int) { copy(made.Rows[(from-p.From)*out:], block.RawMatrix().Data) },
	}
	do := j.Work.Worker(xs.Dim(), level3.Implementation{Workers: o.WorkerCount()})
	var space BlockSpace
	for from := p.From; from < p.To && ctx.Err() == nil; from += BlockRows {
		r.block(do, space.Block(dense(run(xs, from, min(from+BlockRows, p.To))), j.Work, made.Sums), from)
	}
	return made, ctx.Err()
}
