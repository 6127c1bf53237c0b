package falkon

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/linalg"
)

// innerFloor is the relative residual that conjugate gradients are asked for in single
// precision at least.
const innerFloor = 1e-6

// refine solves the normal equations of the squared loss: conjugate gradients until their
// own residual claims the tolerance, a residual from scratch in double precision, and as
// many rounds as that takes. pre is the first preconditioner, nil: it is made.
func (j *job) refine(ctx context.Context, pt *point, ridge float64, pre linalg.Operator) (*point, error) {
	var err error
	if pre == nil {
		if pre, err = j.precondition(ctx, pt, ridge); err != nil {
			return nil, err
		}
		j.watch.Lap(&j.report.Run, "preconditioner")
	}
	rest := pt.negativeGradient(ridge)
	before := j.relative(rest)
	for j.passesLeft() > 0 && !(pt.precise && before <= j.report.Tolerance) {
		with, inner := j.k, j.report.Tolerance/2/before
		if j.k.Precision() == compute.Single {
			inner = max(inner, innerFloor)
		}
		step, err := j.direction(ctx, pt, ridge, rest, pre, min(inner, 0.5), false)
		if err != nil {
			return nil, err
		}
		pt = j.moved(pt, step.d, step.constants, 1)
		look := j.exact
		if !step.reached && j.passesLeft() > 0 {
			look = j.k
		}
		if err := j.pass(ctx, look, pt, false); err != nil {
			return nil, err
		}
		j.optimizeConstants(pt)
		rest = pt.negativeGradient(ridge)
		after := j.relative(rest)
		if step.enough || step.lost || step.reached && j.k == with && j.stalled(before, after) {
			break
		}
		switch {
		case step.reached || j.passesLeft() == 0: // nothing is left that another preconditioner could serve
		case j.growSample():
			if pre, err = j.precondition(ctx, pt, ridge); err != nil {
				return nil, err
			}
		case after > before/2:
			j.useDouble(min(before, after))
		}
		before = after
	}
	if pt.precise {
		return pt, nil
	}
	err = j.pass(ctx, j.exact, pt, false)
	j.optimizeConstants(pt)
	return pt, err
}

// stalled ends an iteration that does not come closer, and leaves single precision where that
// is what holds it up.
func (j *job) stalled(before, after float64) bool {
	if after <= j.report.Tolerance || after <= before/2 {
		return false
	}
	return !j.useDouble(min(before, after))
}

// useDouble goes on in double precision, and says whether it was in single before.
func (j *job) useDouble(residual float64) bool {
	if j.k == j.exact {
		return false
	}
	j.report.Warn("in single precision the residual falls to %.1e only, not %g: the rest is done in double precision", residual, j.report.Tolerance)
	j.k, j.report.Precision = j.exact, compute.Double.String()
	return true
}

// passesLeft returns how many passes conjugate gradients may still make.
func (j *job) passesLeft() int { return j.o.passes() - j.report.Passes }

// step is what conjugate gradients have found.
type step struct {
	d         *mat.Dense
	constants []float64 // that b moves by, beside what the mean of d over the rows takes away
	reached   bool      // the tolerance
	enough    bool      // for the rows left out
	lost      bool      // in rounding
}

// direction solves H·d = rest for the coordinates of a step, in a stint at most.
func (j *job) direction(ctx context.Context, at *point, ridge float64, rest *mat.Dense, pre linalg.Operator, tolerance float64, majorized bool) (*step, error) {
	out, before := new(step), j.relative(rest)
	var err error
	h := hessian{rows: j.rows, s: j.s, k: j.k, at: at, ridge: ridge, majorized: majorized}
	var a linalg.Operator = &h
	var joint *jointHessian
	m, p := rest.Dims()
	if j.class != nil {
		joint = newJointHessian(h)
		a, pre, rest = joint, jointInverse{joint, pre}, mat.NewDense(m*p+p, 1, append(slices.Clone(rest.RawMatrix().Data), at.slopes...))
		if !j.intercept {
			clear(rest.RawMatrix().Data[m*p:])
		}
	} else {
		out.constants = j.constants(at)
	}
	o := linalg.CGOptions{Tolerance: tolerance, Iterations: min(j.passesLeft(), passesPerDirection) + 1, Preconditioner: pre, Unchecked: true, Separate: !j.quadratic, Workers: j.o.Compute.Workers}
	o.Progress = func(_ string, done, _ int64) {
		if done < int64(o.Iterations) { // the end of a direction is not that of all passes
			j.told.Reach(share(int64(j.report.Passes)+done, plannedPasses(j.quadratic, j.o.Stop.Passes)))
		}
	}
	if j.held != nil && j.quadratic {
		o.Watch = func(x *mat.Dense) bool {
			var stop bool
			stop, err = j.held.try(ctx, j, j.moved(at, x, out.constants, 1))
			out.enough = out.enough || stop
			return stop || err != nil
		}
	}
	d, done, failure := linalg.CG(ctx, a, rest, o)
	out.d, out.reached = d, done.Converged
	if joint != nil {
		out.d, out.constants = joint.parts(d)
	}
	j.report.Passes += done.Iterations
	j.report.Steps++
	var slow *linalg.NotConverged
	var indefinite *linalg.NegativeCurvature
	switch {
	case err != nil:
		return nil, err
	case errors.As(failure, &indefinite) && j.k != j.exact:
		j.useDouble(before)
	case errors.As(failure, &indefinite):
		out.lost = true
		j.report.Warn("the penalty is lost in the rounding of the matrix, which is not positive definite to double precision: a larger λ would end the iteration")
	case failure != nil && !errors.As(failure, &slow):
		return nil, fmt.Errorf("falkon: %w", failure)
	}
	if out.enough {
		d.Sub(j.held.best.gamma, at.gamma)
	}
	return out, nil
}
