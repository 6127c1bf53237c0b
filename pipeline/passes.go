package pipeline

import (
	"context"
	"fmt"
	"sort"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/prep"
	"example.org/mercer/kernel/expr"
)

// passing is a method that learns from rows that stay in their file, a run of them at a time, to
// the same bits as from rows in memory.
type passing interface {
	Method
	// passes returns why it cannot with these options and this problem, "" if it can.
	passes(p *Problem) string
}

// gramOfRows is why a method with a kernel cannot, which in features could.
const gramOfRows = "without landmarks or random features (--landmarks, --random-features) has the Gram matrix of all rows, and needs all rows in memory"

// NewFiledProblem is [NewProblem] of a table of which a block at a time is in memory, for methods
// that make passes over the rows. The kernel is one on vectors.
func NewFiledProblem(ctx context.Context, b data.Blocks, s prep.Spec, text string) (*Problem, error) {
	n, err := expr.Parse(text)
	if err != nil {
		return nil, err
	}
	if kindOf(n) != onVectors {
		return nil, fmt.Errorf("pipeline: the kernel %s does not compare vectors, and only rows that become vectors are read in passes: read the table at once", text)
	}
	if s, err = suited(s, b.Schema(), text); err != nil {
		return nil, err
	}
	in := prepared{table: b.Schema(), blocks: b}
	if in.steps, in.rows, err = prep.FitBlocks(ctx, b, s); err != nil {
		return nil, err
	}
	watching, read := watched(ctx, in.rows)
	points, err := in.learner(watching, text)
	if err := read(err); err != nil {
		return nil, err
	}
	if in.golden, err = goldenRows(b, in.rows); err != nil {
		return nil, err
	}
	return in.problem(points), nil
}

// InPasses reports whether the rows stay in their file.
func (p *Problem) InPasses() bool { return p.Rows.Filed != nil }

// passable refuses methods that need all rows in memory, where these are not there.
func (p *Problem) passable(m Method) error {
	if !p.InPasses() {
		return nil
	}
	why := "needs all rows in memory"
	if method, ok := m.(passing); ok {
		why = method.passes(p)
	}
	if p.Indefinite != "" {
		why = "needs the Gram matrix of all rows for the treatment of the matrix (--psd)"
	}
	if why == "" {
		return nil
	}
	n, d, _ := p.Dims()
	others := "fit falkon, gp on landmarks, or krr, klr, erm, quantiles, svc, svr, one-class, kfda, barycentre, structured or gpc in features, which make passes"
	if p.Rows.Y == nil {
		others = "take pca, kmeans or gmm, or kpca, kernel-kmeans or spectral in features, which make passes"
	}
	return fmt.Errorf("pipeline: %s %s, %d × %d numbers of %s, and the table is read in passes: read it at once, with a larger --max-mem and without --out-of-core, or %s", m.Name(), why, n, d, compute.FormatBytes(8*int64(n)*int64(d)), others)
}

// watched returns a context that ends when a row of the problem cannot be read, and a function that
// turns what came of it into the error behind it.
func (p *Problem) watched(ctx context.Context) (context.Context, func(error) error) {
	return watched(ctx, p.Rows)
}

func watched(ctx context.Context, rows *prep.Prepared) (context.Context, func(error) error) {
	if rows.Filed == nil {
		return ctx, func(err error) error { return err }
	}
	ctx, cancel := context.WithCancelCause(ctx)
	rows.Filed.Watch(cancel)
	return ctx, func(err error) error {
		cancel(nil)
		if failure := rows.Filed.Err(); failure != nil {
			return failure
		}
		return err
	}
}

// blockOf returns the block that has a row.
func blockOf(t data.Blocks, row int) int { return sort.SearchInts(t.Starts(), row+1) - 1 }

// lineOf returns the line that a row came from, 0 where that is not known.
func lineOf(t data.Blocks, row int) int {
	block, err := t.Block(blockOf(t, row), []int{})
	if err != nil || block.Lines == nil {
		return 0
	}
	return block.Lines[row-block.Before]
}

const (
	// predictedRows is the most rows that are predicted at a time, predictedBytes what their
	// features may take.
	predictedRows  = 16384
	predictedBytes = 32 << 20
)

// PredictBlocks is [Model.Predict] of a table of which a block at a time is in memory: use is given
// the predictions of runs of rows, in their order. It returns what the user should know of the
// rows.
func (m *Model) PredictBlocks(ctx context.Context, b data.Blocks, o compute.Options, use func(*Prediction) error) (notes []string, err error) {
	rows, err := m.Prep.ApplyBlocks(ctx, b, false)
	if err != nil {
		return nil, err
	}
	err = m.eachRun(ctx, b, rows, o, use)
	return rows.Notes, err
}

// TestBlocks is [Model.Test] of a table of which a block at a time is in memory: the predictions
// and the targets of all rows, without their features.
func (m *Model) TestBlocks(ctx context.Context, b data.Blocks, o compute.Options) (*Prediction, error) {
	rows, err := m.Prep.ApplyBlocks(ctx, b, true)
	if err != nil {
		return nil, err
	}
	return m.onAll(ctx, b, rows, o)
}

// onAll puts the predictions of all runs of rows together.
func (m *Model) onAll(ctx context.Context, b data.Blocks, rows *prep.Prepared, o compute.Options) (*Prediction, error) {
	var all *Prediction
	first := 0
	err := m.eachRun(ctx, b, rows, o, func(p *Prediction) error {
		if all == nil {
			whole := *p
			all = &whole
			all.Rows, all.Values, all.averaged = rows, grown(p.Values, len(rows.Rows)), grown(p.averaged, len(rows.Rows))
		}
		n, _ := p.Values.Dims()
		into(all.Values, p.Values, first)
		into(all.averaged, p.averaged, first)
		first += n
		return nil
	})
	return all, err
}

// grown returns a matrix of n rows as wide as another; nil for nil.
func grown(like *mat.Dense, n int) *mat.Dense {
	if like == nil {
		return nil
	}
	_, cols := like.Dims()
	return mat.NewDense(n, cols, nil)
}

// into copies a matrix into the rows of another, from one on.
func into(dst, src *mat.Dense, first int) {
	if src == nil {
		return
	}
	n, cols := src.Dims()
	dst.Slice(first, first+n, 0, cols).(*mat.Dense).Copy(src)
}

// eachRun predicts the rows of a table run by run.
func (m *Model) eachRun(ctx context.Context, b data.Blocks, rows *prep.Prepared, o compute.Options, use func(*Prediction) error) error {
	if m.noise.column != "" {
		return fmt.Errorf("pipeline: the model reads the noise of every row in column %s, and the table is read in passes: read it at once", m.noise.column)
	}
	ctx, read := watched(ctx, rows)
	n := len(rows.Rows)
	step := max(256, min(predictedRows, predictedBytes/8/max(1, rows.Filed.Dim())))
	for from := 0; from < n; from += step {
		run := runOf(rows, from, min(n, from+step))
		run.X = rows.Filed.Run(from, min(n, from+step)).(data.Vectors)
		p, err := m.apply(ctx, b, run, o)
		rows.Notes = append(rows.Notes, run.Notes...)
		if err == nil && rows.Filed.Err() == nil {
			err = use(p)
		}
		if err != nil {
			return read(err)
		}
	}
	return read(nil)
}

// Runs passes the predictions on in runs of rows, in their order.
func (p *Prediction) Runs(use func(*Prediction) error) error {
	n, outputs := p.Values.Dims()
	for from := 0; from < n; from += predictedRows {
		to := min(n, from+predictedRows)
		run := *p
		run.Rows, run.Values = runOf(p.Rows, from, to), p.Values.Slice(from, to, 0, outputs).(*mat.Dense)
		if p.noise != nil {
			run.noise = p.noise[from:to]
		}
		if p.averaged != nil {
			_, classes := p.averaged.Dims()
			run.averaged = p.averaged.Slice(from, to, 0, classes).(*mat.Dense)
		}
		if err := use(&run); err != nil {
			return err
		}
	}
	return nil
}

// runOf returns a run of prepared rows without their features.
func runOf(rows *prep.Prepared, from, to int) *prep.Prepared {
	out := &prep.Prepared{Rows: rows.Rows[from:to]}
	if rows.Y != nil {
		_, outputs := rows.Y.Dims()
		out.Y = rows.Y.Slice(from, to, 0, outputs).(*mat.Dense)
	}
	if rows.W != nil {
		out.W = rows.W[from:to]
	}
	if rows.IDs != nil {
		out.IDs = rows.IDs[from:to]
	}
	for _, c := range rows.Cells {
		cells := prep.Cells{Name: c.Name, Text: c.Text[from:to]}
		if c.Missing != nil {
			cells.Missing = c.Missing[from:to]
		}
		out.Cells = append(out.Cells, cells)
	}
	return out
}

// programBytes is what of the program itself comes into memory when a method begins to compute. In
// memory it is little beside the rows.
const programBytes = 8 << 20

// passed says in a plan where the rows are, and counts the blocks of them that are in memory.
func (p *Problem) passed(plan compute.Plan) compute.Plan {
	if !p.InPasses() {
		return plan
	}
	return inBlocks(plan, p.Rows.Filed)
}

func inBlocks(plan compute.Plan, rows *prep.Filed) compute.Plan {
	n, d := rows.Len(), rows.Dim()
	bytes := rows.Bytes() + programBytes
	return noted(plan, []compute.Cost{{Stage: "blocks", Memory: bytes, Keeps: bytes}},
		fmt.Sprintf("the rows stay in their file and are read again in every pass: %d × %d numbers of %s, of which blocks are in memory; the time does not count the reading", n, d, compute.FormatBytes(8*int64(n)*int64(d))))
}
