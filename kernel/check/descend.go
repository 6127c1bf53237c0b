package check

import (
	"cmp"
	"slices"
)

// starts is how many sets of the random search are kept for the local search.
const starts = 12

// steps is the number of moves of one local search.
const steps = 400

// ranked is a set of points with its smallest scaled eigenvalue.
type ranked struct {
	lambda float64
	points [][]float64
}

// descend lowers the smallest eigenvalue of the most promising sets: it moves one
// point at a time and keeps what does not raise it, with a step that grows on
// success and shrinks on failure (a (1+1) evolution strategy).
func (e *engine) descend(share float64) (*candidate, error) {
	for !e.spent(share) {
		best := e.promising(share)
		if len(best) == 0 {
			return nil, nil
		}
		for _, start := range best {
			if c, err := e.walk(start, share); c != nil || err != nil {
				return c, err
			}
		}
	}
	return nil, nil
}

// promising draws random sets of 3 to 6 points and returns those of smallest
// eigenvalue, fewer where the share of the budget is used up.
func (e *engine) promising(share float64) []ranked {
	var best []ranked
	for range 20 * starts {
		if e.spent(share) || e.ended() {
			break
		}
		points := e.randomSet(3 + e.rng.IntN(4))
		if lambda, _, ok := e.eigen(points); ok {
			best = append(best, ranked{lambda, points})
		}
	}
	slices.SortStableFunc(best, func(a, b ranked) int { return cmp.Compare(a.lambda, b.lambda) })
	return best[:min(len(best), starts)]
}

func (e *engine) walk(at ranked, share float64) (*candidate, error) {
	width := 0.25
	for range steps {
		if err := e.ctx.Err(); err != nil {
			return nil, err
		}
		if e.spent(share) {
			return nil, nil
		}
		moved := clone(at.points)
		i := e.rng.IntN(len(moved))
		moved[i] = e.near(moved[i], width)
		if e.defined(moved[i]) != nil || collides(moved, i) {
			continue
		}
		e.tell()
		lambda, a, ok := e.eigen(moved)
		if !ok {
			continue
		}
		if c := e.judge(lambda, moved, a); c != nil {
			return c, nil
		}
		if lambda <= at.lambda {
			at = ranked{lambda, moved}
			width = min(2*width, 4)
		} else {
			width = max(width*0.93, 0x1p-20)
		}
	}
	return nil, nil
}

// collides reports whether point i equals another one.
func collides(points [][]float64, i int) bool {
	for j, p := range points {
		if j != i && slices.Equal(p, points[i]) {
			return true
		}
	}
	return false
}
