package mercer

import (
	"context"

	"example.org/mercer/data"
	"example.org/mercer/data/prep"
	"example.org/mercer/learner"
	"example.org/mercer/search"
	"example.org/mercer/task"
)

// Task is a table turned into points with a kernel on them.
type Task = task.Task

// NewTask prepares a table and binds its rows to a kernel, which is written as an expression.
func NewTask(ctx context.Context, t *data.Table, s prep.Spec, kernel string) (*Task, error) {
	return task.New(ctx, t, s, kernel)
}

// Tune searches the free parameters ("?") of a kernel and those of a method on the rows of a
// table. It returns the task with the best kernel and the method with its best parameters, ready
// for [Fit].
func Tune(ctx context.Context, t data.Blocks, s prep.Spec, kernel string, m learner.Learner, o search.Search) (*Task, learner.Learner, *search.Tuned, error) {
	return search.Tune(ctx, t, s, kernel, m, o)
}
