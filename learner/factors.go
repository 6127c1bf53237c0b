package learner

import (
	"context"
	"fmt"

	"example.org/mercer/approx/nystrom"
	"example.org/mercer/compute"
	"example.org/mercer/internal/checkpoint"
	"example.org/mercer/task"
)

const (
	// longFactor is the predicted time in seconds from which on a fit by one factorization keeps
	// its parts: what is written costs a tenth of the work of 10 000 rows, and less of more.
	longFactor = 180
	// freeShare of the disk that is free may be taken by them.
	freeShare = 0.25
)

// factored is a method that may be one factorization or decomposition of a matrix of all rows.
type factored interface {
	// factorBytes is what a checkpoint takes that keeps it, for the solver of a plan; 0: there is
	// none.
	FactorBytes(p *task.Task, solver string) int64
}

// DualFactorBytes is that of the Gram matrix, unless the fit is in explicit features.
func DualFactorBytes(p *task.Task) int64 {
	if _, explicit, _ := p.Design(); explicit {
		return 0
	}
	return p.TriangleBytes()
}

// keepFactors decides whether a checkpoint at a path has the factor of a method, what it takes, and
// why not where it would be worth it.
func keepFactors(p *task.Task, m Learner, plan compute.Plan, path string, asked bool) (bytes int64, why string) {
	by, ok := m.(factored)
	if !ok {
		return 0, ""
	}
	return worthKeeping(by.FactorBytes(p, plan.Solver), plan.Seconds, path, asked)
}

// keepColumns is [keepFactors] for the columns of the Gram matrix by which landmarks are
// chosen. To a tolerance alone nobody knows how many they are.
func keepColumns(ctx context.Context, p *task.Task, o nystrom.Options, path string, asked bool) (bytes int64, why string, err error) {
	cost := nystrom.SelectCost(p.Points.Size(), o, compute.Machine{})
	if !asked && (o.Rank == 0 || cost.Memory == 0) {
		return 0, "", nil
	}
	if !asked {
		machine, err := p.Machine(ctx, o.Compute)
		if err != nil {
			return 0, "", err
		}
		cost = nystrom.SelectCost(p.Points.Size(), o, machine)
	}
	bytes, why = worthKeeping(cost.Memory, cost.Seconds, path, asked)
	return bytes, why, nil
}

// worthKeeping decides for what takes so many bytes, and as many seconds to be found.
func worthKeeping(bytes int64, seconds float64, path string, asked bool) (kept int64, why string) {
	switch free, known := checkpoint.Free(path); {
	case bytes == 0 || asked:
		return bytes, ""
	case seconds < longFactor:
		return 0, ""
	case !known:
		return 0, fmt.Sprintf("the factor would take %s beside %s, and this system does not say what is free there: ask for it with --checkpoint-every 1m", compute.FormatBytes(bytes), path)
	case float64(bytes) > freeShare*float64(free):
		return 0, fmt.Sprintf("the factor would take %s, more than a quarter of the %s that are free beside %s: make room, or ask for it with --checkpoint-every 1m", compute.FormatBytes(bytes), compute.FormatBytes(free), path)
	}
	return bytes, ""
}
