package svm

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"mercer/gram"
)

const (
	// doubleRows is the largest set whose matrix is held in double precision.
	doubleRows = 2048
	// mostRounds bounds how often a search is taken up again after its exact gradient
	// was found to violate the tolerance.
	mostRounds = 20
	// reserve is the part of the tolerance that the search uses up, so that the exact
	// gradient is rarely found beyond it.
	reserve = 0.9
)

// run solves all machines and reads off their functions.
func (j *job) run(ctx context.Context) (*Solution, *Report, error) {
	var err error
	if j.n <= doubleRows {
		err = solveWhole[float64](ctx, j)
	} else {
		err = solveWhole[float32](ctx, j)
	}
	if err != nil {
		return nil, nil, err
	}
	return j.finish()
}

// solveWhole searches with the whole matrix in memory, and checks.
func solveWhole[F float32 | float64](ctx context.Context, j *job) error {
	k, err := newWhole[F](ctx, j.pairs, j.o.Compute.WorkerCount())
	if err != nil {
		return err
	}
	j.report.Evaluations += int64(j.n) * int64(j.n+1) / 2
	j.watch.Lap(&j.report.Run, "gram")
	searches := make([]*search[F], len(j.machines))
	for i, m := range j.machines {
		searches[i] = newSearch(m, part[F]{k, m.rows}, j.o.Compute.WorkerCount())
	}
	if err := j.exact(ctx); err != nil { // of the starting points
		return err
	}
	for range mostRounds {
		for i, s := range searches {
			if j.machines[i].converged {
				continue
			}
			if err := s.run(ctx, reserve*j.o.Tolerance); err != nil {
				return err
			}
		}
		j.watch.Lap(&j.report.Run, "search")
		if err := j.exact(ctx); err != nil {
			return err
		}
		j.watch.Lap(&j.report.Run, "exact gradient")
		if j.settled() {
			break
		}
	}
	return nil
}

// settled reports whether no machine has anything left to do.
func (j *job) settled() bool {
	for _, m := range j.machines {
		if !m.converged && !m.exhausted() {
			return false
		}
	}
	return true
}

// exact computes f = Kβ of all machines in double precision from the kernel itself,
// and notes which of them have converged by it.
func (j *job) exact(ctx context.Context) error {
	coef, any := mat.NewDense(j.n, len(j.machines), nil), false
	for c, m := range j.machines {
		for i, v := range m.p.coef(m.beta) {
			coef.Set(m.rows[i], c, v)
			any = any || v != 0
		}
	}
	if any {
		var product mat.Dense
		if err := gram.Of(j.pairs, j.o.Compute).Mul(ctx, &product, coef); err != nil {
			return err
		}
		j.report.Certified += int64(j.n) * int64(j.n+1) / 2
		for c, m := range j.machines {
			for i, row := range m.rows {
				m.f[i] = product.At(row, c)
			}
		}
	}
	for _, m := range j.machines {
		m.violation = m.p.violation(m.beta, m.f)
		if math.IsNaN(m.violation) || math.IsInf(m.violation, 0) {
			return fmt.Errorf("svm: the kernel has values that are not finite: check the rows and the kernel")
		}
		m.converged = m.violation <= j.o.Tolerance
	}
	return nil
}

// finish reads the functions off the machines.
func (j *job) finish() (*Solution, *Report, error) {
	sol := &Solution{Coef: mat.NewDense(j.n, len(j.machines), nil), Bias: make([]float64, len(j.machines))}
	r, support := j.report, make([]bool, j.n)
	r.Converged = true
	for c, m := range j.machines {
		if apart := m.apart(); apart < leastApart {
			return nil, nil, &NotSeparable{Distance: apart, Positive: m.positive, Negative: m.negative}
		}
		out, err := m.p.conclude(j.o.Type, m.beta, m.f)
		if err != nil {
			return nil, nil, err
		}
		for i, v := range out.coef {
			sol.Coef.Set(m.rows[i], c, v)
			support[m.rows[i]] = support[m.rows[i]] || v != 0
		}
		sol.Bias[c] = out.bias
		r.Machines = append(r.Machines, Machine{Positive: m.positive, Negative: m.negative, Rows: len(m.rows), Objective: out.objective, Gap: out.gap,
			Violation: m.violation, Converged: m.converged, Iterations: m.steps, Support: out.support, Bounded: out.bound, Bias: out.bias, Rho: out.rho, Tube: out.tube})
		if !m.converged {
			r.Converged = false
			r.Warn("machine %d stopped after %d steps at a violation of %.2g, above the tolerance %.2g: its duality gap is %.2g", c, m.steps, m.violation, j.o.Tolerance, out.gap)
		}
	}
	for _, is := range support {
		if is {
			r.SupportVectors++
		}
	}
	j.watch.Lap(&r.Run, "report")
	return sol, r, nil
}
