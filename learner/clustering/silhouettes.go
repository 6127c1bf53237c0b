package clustering

import (
	"context"
	"fmt"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/gram"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/model"
	"example.org/mercer/pass"
	"example.org/mercer/task"
	"example.org/mercer/unsupervised/kmeans"
)

// judgedRows is how many rows numbers of clusters are compared by where all rows stay in their
// file: a silhouette has the distances of all pairs.
const judgedRows = 4096

// silhouetteRows returns the rows whose silhouettes numbers of clusters are compared by, of those
// that are asked for, 0 for all: nil for all rows.
func silhouetteRows(p *task.Task, asked int, seed uint64) []int {
	if asked == 0 && p.Streamed() {
		asked = judgedRows
	}
	n, _, _ := p.Dims()
	if asked == 0 || asked >= n {
		return nil
	}
	return kmeans.SilhouetteRows(n, asked, seed)
}

// judging is the rows whose silhouettes numbers of clusters are compared by, among themselves.
type judging struct {
	rows    []int // nil: all
	pairs   kernel.Pairs
	weights []float64
}

// silhouettesAmong returns the given rows of vectors.
func silhouettesAmong(ctx context.Context, p *task.Task, rows data.Rows, judges []int, o compute.Options) (*judging, error) {
	var some data.Vectors
	if judges == nil {
		var err error
		if some, err = pass.Read(ctx, rows, o.WorkerCount()); err != nil {
			return nil, err
		}
	} else {
		some = data.Gather(rows, judges)
	}
	return &judging{rows: judges, pairs: kernel.Bind(vec.Linear{}, some, some), weights: judgesWeights(p, judges)}, ctx.Err()
}

// judgesWeights returns the weights of some rows.
func judgesWeights(p *task.Task, judges []int) []float64 {
	if judges == nil || p.Rows.W == nil {
		return p.Rows.W
	}
	return data.Pick(p.Rows.W, judges)
}

// choice is a number of clusters, those that it was compared with, and the work of that.
type choice struct {
	k      int
	tried  []kmeans.Candidate
	judges int // rows whose silhouettes were compared; 0: all
	run    model.Run
}

// bySilhouette chooses the number of clusters where a range of them is given; by are the rows that
// judge.
func bySilhouette(ctx context.Context, k kmeans.Range, o compute.Options, by func() (*judging, error), cluster func(k int) (labels []int, objective float64, err error)) (choice, error) {
	if k.Least == k.Most {
		return choice{k: k.Least}, nil
	}
	watch := model.NewStopwatch()
	j, err := by()
	if err != nil {
		return choice{}, err
	}
	c := choice{judges: len(j.rows)}
	c.k, c.tried, err = kmeans.BySilhouette(ctx, gram.Of(j.pairs, o), k, j.weights, o, func(k int) ([]int, float64, error) {
		labels, objective, err := cluster(k)
		if err == nil && j.rows != nil {
			labels = data.Pick(labels, j.rows)
		}
		return labels, objective, err
	})
	if err != nil && j.rows != nil {
		err = fmt.Errorf("%w (of %d rows that were drawn: more of them, --silhouette-rows, or name one number of clusters)", err, len(j.rows))
	}
	watch.Lap(&c.run, "choose k")
	return c, err
}

// tell puts the choice in the report of the fit with it.
func (c choice) tell(r *kmeans.Report) {
	r.Candidates, r.SilhouetteRows = c.tried, c.judges
	r.Stages = append(c.run.Stages, r.Stages...)
	r.Seconds += c.run.Seconds
}

// silhouettePower is that of the rows with which the time of a search grows that compares numbers
// of clusters or not.
func silhouettePower(p *task.Task, k kmeans.Range, asked int) float64 {
	if k.Most > k.Least && silhouetteRows(p, asked, 0) == nil {
		return 2
	}
	return 1
}
