package task

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sort"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/prep"
	"example.org/mercer/pass"
)

// PrepareBlocks is [Prepare] of a table that may stay in its file.
func PrepareBlocks(ctx context.Context, b data.Blocks, s prep.Spec, text string) (PreparedTable, error) {
	if t, whole := b.(*data.Table); whole {
		return Prepare(t, s, text)
	}
	k, err := Parse(text)
	if err != nil {
		return PreparedTable{}, err
	}
	if k.Kind != OnVectors {
		return PreparedTable{}, fmt.Errorf("task: the kernel %s does not compare vectors, and only rows that become vectors are read in passes: read the table at once", text)
	}
	if s, err = k.suited(s, b.Schema()); err != nil {
		return PreparedTable{}, err
	}
	in := PreparedTable{Table: b.Schema(), Kernel: k, Blocks: b}
	in.Steps, in.Rows, err = prep.FitBlocks(ctx, b, s)
	return in, err
}

// Elsewhere gives the points the driver of their table, if it has one.
func (in PreparedTable) Elsewhere(points Points) (Points, error) {
	table, ok := in.Blocks.(pass.Table)
	vectors, are := VectorPoints(points)
	if !ok || !are || in.Rows.Streamed == nil {
		return points, nil
	}
	driver, err := table.Driver(in.Steps, in.Rows.Streamed)
	if err != nil {
		return Points{}, err
	}
	vectors.Set = pass.Over(in.Rows.Streamed, driver)
	return vectors.Any(), nil
}

// Streamed reports whether the rows stay in their file.
func (p *Task) Streamed() bool { return p.Rows.Streamed != nil }

// CancelOnReadError returns a context that ends when a row cannot be read, and a function that
// returns the error of reading in place of the one that it caused.
func (p *Task) CancelOnReadError(ctx context.Context) (context.Context, func(error) error) {
	return CancelOnReadError(ctx, p.Rows)
}

// CancelOnReadError is [Task.CancelOnReadError] of prepared rows.
func CancelOnReadError(ctx context.Context, rows *prep.Prepared) (context.Context, func(error) error) {
	if rows.Streamed == nil {
		return ctx, func(err error) error { return err }
	}
	ctx, cancel := context.WithCancelCause(ctx)
	before := rows.Streamed.OnError(cancel) // of whoever reads these rows around this
	return ctx, func(err error) error {
		rows.Streamed.OnError(before)
		cancel(nil)
		if failure := rows.Streamed.Err(); failure != nil {
			return failure
		}
		return err
	}
}

// blockOf returns the block that has a row.
func blockOf(t data.Blocks, row int) int { return sort.SearchInts(t.Starts(), row+1) - 1 }

// placeOf returns the file and the line that a row came from.
func placeOf(t data.Blocks, row int) (file string, line int) {
	block, err := t.Block(blockOf(t, row), []int{})
	if err != nil {
		return t.Schema().Source, 0
	}
	return block.Place(row - block.Before)
}

// LineOf returns the line that a row came from, 0 where that is not known.
func LineOf(t data.Blocks, row int) int {
	_, line := placeOf(t, row)
	return line
}

// PlanStreaming says in a plan where the rows are, and counts the blocks of them that are in
// memory.
func (p *Task) PlanStreaming(plan compute.Plan) compute.Plan {
	if !p.Streamed() {
		return plan
	}
	return WithBlocks(plan, p.Rows.Streamed)
}

// CountReading adds to the plan of a fit on streamed rows what reading them in so many passes
// takes, 0: not known; a pass over blocks that all stay in memory takes nothing.
func (p *Task) CountReading(plan compute.Plan, passes int) compute.Plan {
	if !p.Streamed() || passes == 0 {
		return plan
	}
	stages := slices.Clone(plan.Stages)
	at := slices.IndexFunc(stages, func(c compute.Cost) bool { return c.Stage == blocksStage })
	if at < 0 {
		return plan
	}
	if stages[at].Seconds = float64(passes) * p.Rows.Streamed.PassSeconds(); stages[at].Seconds > 0 {
		many := "one pass"
		if passes > 1 {
			many = fmt.Sprintf("%d passes", passes)
		}
		plan.Notes = append(slices.Clip(plan.Notes), "the time counts the reading of "+many)
	}
	return plan.WithStages(stages)
}

// PlanElsewhere returns the plan of a fit whose passes are made by others, if the rows have a
// driver that says what these cost.
func (p *Task) PlanElsewhere(plan compute.Plan, passes int) compute.Plan {
	vectors, ok := VectorPoints(p.Points)
	if !ok {
		return plan
	}
	rows, ok := vectors.Set.(pass.Rows)
	if !ok {
		return plan
	}
	costed, ok := rows.Driver().(pass.Costed)
	if !ok {
		return plan
	}
	cost, known := costed.Cost()
	if !known {
		return plan
	}
	if passes == 0 {
		plan.Notes = append(slices.Clip(plan.Notes), fmt.Sprintf("the method does not count its passes: times are those of this machine, and not of %s", cost.By))
		return plan
	}
	n, d, outputs := p.Dims()
	features := cmp.Or(p.FeatureCount(), d)
	if plan.Sent == (compute.Sent{}) { // moments of the features, values and their slopes
		plan.Sent = compute.Sent{Piece: features * (features + outputs), Row: 2*outputs + 1}
	}
	plan.Passes = passes
	held := p.Rows.Streamed.Bytes() + 8*int64(features)*int64(d)
	return plan.MadeElsewhere(cost, n, len(pass.Pieces(n, pass.BlockRows, pass.PieceBlocks)), held)
}

// MayHold returns the limit in bytes of what a method may hold of the values of rows: no byte of
// those that others make passes over.
func (p *Task) MayHold(limit int64) int64 {
	if vectors, ok := VectorPoints(p.Points); ok {
		if _, driven := vectors.Set.(pass.Rows); driven {
			return 1
		}
	}
	return limit
}

// LimitBeside returns what a limit in bytes (0: none) leaves beside the blocks of streamed rows.
func (p *Task) LimitBeside(limit int64) int64 {
	if limit == 0 || !p.Streamed() {
		return limit
	}
	return max(1, limit-p.Rows.Streamed.Bytes())
}

// blocksStage is the stage of a plan that has the blocks of streamed rows.
const blocksStage = "blocks"

// WithBlocks adds the memory of the blocks of streamed rows to a plan.
func WithBlocks(plan compute.Plan, rows *prep.Streamed) compute.Plan {
	n, d := rows.Len(), rows.Dim()
	bytes := rows.Bytes()
	return WithStages(plan, []compute.Cost{{Stage: blocksStage, Shared: true, Memory: bytes, Keeps: bytes}},
		fmt.Sprintf("the rows stay in their file and are read again in every pass: %d × %d numbers of %s, of which blocks are in memory; the time does not count the reading, unless another note does", n, d, compute.FormatBytes(8*int64(n)*int64(d))))
}
