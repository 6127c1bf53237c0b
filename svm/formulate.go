package svm

import (
	"fmt"
	"math"
)

// classifier returns the program of C-SVC,
//
//	min ½‖f‖² + C Σ wᵢ max(0, 1 − yᵢ(f(xᵢ)+b))
//
// in its dual form ½αᵀQα − Σα, 0 ≤ αᵢ ≤ Cwᵢ, yᵀα = 0 (Cortes & Vapnik 1995), with
// β = y∘α. positive says which rows have y = +1.
func classifier(positive []bool, weights []float64, c float64) *program {
	n := len(positive)
	p := newProgram(n, n, 0, n)
	for i, plus := range positive {
		if plus {
			p.set(i, i, 0, c*weights[i], -1)
		} else {
			p.set(i, i, -c*weights[i], 0, 1)
		}
	}
	return p
}

// nuClassifier returns the program of ν-SVC (Schölkopf et al., Neural Computation 12,
// 2000),
//
//	min ½‖f‖² − ρνW + Σ wᵢ max(0, ρ − yᵢ(f(xᵢ)+b)),  W = Σ wᵢ,
//
// whose dual is ½αᵀQα, 0 ≤ αᵢ ≤ wᵢ, with Σα = νW/2 in each of the classes. ν may not
// exceed twice the lighter class's share of the weight.
func nuClassifier(positive []bool, weights []float64, nu float64) (*program, error) {
	n, plus := len(positive), 0
	share := [2]float64{}
	for i, is := range positive {
		if is {
			plus++
			share[0] += weights[i]
		} else {
			share[1] += weights[i]
		}
	}
	total := share[0] + share[1]
	if most := 2 * min(share[0], share[1]) / total; nu > most {
		return nil, fmt.Errorf("svm: nu = %v is infeasible: with weights of %g and %g in the two classes it can be at most %.6g; lower nu, or balance the classes by weights", nu, share[0], share[1], most)
	}
	p := newProgram(n, n, 0, plus, n)
	next := [2]int{0, plus}
	for i, is := range positive {
		if is {
			p.set(next[0], i, 0, weights[i], 0)
			next[0]++
		} else {
			p.set(next[1], i, -weights[i], 0, 0)
			next[1]++
		}
	}
	p.fill(0, nu*total/2, 1)
	p.fill(1, nu*total/2, -1)
	return p, nil
}

// regression returns the program of ε-SVR (Vapnik 1995),
//
//	min ½‖f‖² + C Σ wᵢ max(0, |yᵢ − f(xᵢ) − b| − ε),
//
// with β = α for the rows below the function and β = −α* for those above.
func regression(y, weights []float64, c, epsilon float64) *program {
	n := len(y)
	p := newProgram(n, 2*n, 0, 2*n)
	for i, v := range y {
		p.set(i, i, 0, c*weights[i], epsilon-v)
		p.set(n+i, i, -c*weights[i], 0, -epsilon-v)
	}
	return p
}

// nuRegression returns the program of ν-SVR (Schölkopf et al. 2000): ε is free and
// costs CνW, so that Σα = Σα* = CνW/2.
func nuRegression(y, weights []float64, c, nu float64) *program {
	n, total := len(y), 0.0
	p := newProgram(n, 2*n, 0, n, 2*n)
	for i, v := range y {
		p.set(i, i, 0, c*weights[i], -v)
		p.set(n+i, i, -c*weights[i], 0, -v)
		total += weights[i]
	}
	p.fill(0, c*nu*total/2, 1)
	p.fill(1, c*nu*total/2, -1)
	return p
}

// novelty returns the program of the one-class machine (Schölkopf et al., Neural
// Computation 13, 2001),
//
//	min ½‖f‖² − ρνW + Σ wᵢ max(0, ρ − f(xᵢ)),  with the dual ½αᵀKα, 0 ≤ αᵢ ≤ wᵢ, Σα = νW.
func novelty(weights []float64, nu float64) *program {
	n, total := len(weights), 0.0
	p := newProgram(n, n, 0, n)
	for i, w := range weights {
		p.set(i, i, 0, w, 0)
		total += w
	}
	p.fill(0, nu*total, 1)
	return p
}

// formulate returns the program of a machine: of a classifier where positive is not
// nil, else of a regression where y is not nil, else of one class.
func formulate(o *Options, positive []bool, y, weights []float64) (*program, error) {
	switch o.Type {
	case CSVC:
		return classifier(positive, weights, o.C), nil
	case NuSVC:
		return nuClassifier(positive, weights, o.Nu)
	case EpsilonSVR:
		return regression(y, weights, o.C, o.Epsilon), nil
	case NuSVR:
		return nuRegression(y, weights, o.C, o.Nu), nil
	default: // OneClass; validate has refused everything else
		return novelty(weights, o.Nu), nil
	}
}

// outcome is what a solved program says of the function f(x) = Σ coefᵢ k(x, xᵢ) + bias.
type outcome struct {
	coef           []float64
	bias           float64
	objective, gap float64
	rho, tube      float64 // of ν-SVC the margin ρ before scaling, of ν-SVR ε
	support, bound int
}

// conclude reads the function off the solution β, f = Kβ. That of ν-SVC is divided by
// ρ, which puts the margin at ±1 as in C-SVC with C = 1/ρ, and the objective by ρ²
// (Chang & Lin, Neural Computation 13, 2001).
func (p *program) conclude(t Type, beta, f []float64) (*outcome, error) {
	lambda := make([]float64, len(p.groups)-1)
	for g := range lambda {
		lambda[g] = p.multiplier(beta, f, g)
	}
	out := &outcome{coef: p.coef(beta), bias: -lambda[0], objective: p.objective(beta, f)}
	if p.bounded() {
		out.gap = p.gap(beta, f, lambda)
	} else {
		out.gap = p.separation(beta, f, lambda[0])
	}
	for t, b := range beta {
		if b == 0 {
			continue
		}
		out.support++
		if b == p.lo[t] || b == p.hi[t] {
			out.bound++
		}
	}
	switch t {
	case NuSVC:
		out.bias, out.rho = -(lambda[0]+lambda[1])/2, (lambda[0]-lambda[1])/2
		if !(out.rho > 0) {
			return nil, fmt.Errorf("svm: the margin of %s is %g: the classes overlap entirely at this nu; raise nu, or use another kernel", NuSVC, out.rho)
		}
		for i := range out.coef {
			out.coef[i] /= out.rho
		}
		out.bias /= out.rho
		out.objective /= out.rho * out.rho
		out.gap /= out.rho * out.rho
	case NuSVR:
		out.bias, out.tube = -(lambda[0]+lambda[1])/2, (lambda[1]-lambda[0])/2
	}
	return out, nil
}

// bounded reports whether all bounds are finite, as in everything but the hard margin.
func (p *program) bounded() bool {
	for t := range p.row {
		if math.IsInf(p.hi[t], 1) || math.IsInf(p.lo[t], -1) {
			return false
		}
	}
	return true
}

// separation returns the gap of the hard margin: f + b is feasible once it is divided
// by its smallest margin m, where it has the primal objective ½‖f‖²/m². It is infinite
// if a row is on the wrong side.
func (p *program) separation(beta, f []float64, lambda float64) float64 {
	margin := math.Inf(1)
	for t, row := range p.row {
		margin = min(margin, -p.q[t]*(f[row]-lambda))
	}
	if !(margin > 0) {
		return math.Inf(1)
	}
	return 0.5*p.norm2(beta, f)/(margin*margin) + p.objective(beta, f)
}

// NotSeparable is the error of a hard margin ([CSVC] with C = ∞) where there is none.
type NotSeparable struct {
	// Distance is that of two points of the feature space, one in the convex hull of
	// each class, relative to the longest point: the hulls meet, or come at least so
	// close.
	Distance float64
	// Positive and Negative are the classes.
	Positive, Negative int
}

// Error says how close the classes come, and what to do.
func (e *NotSeparable) Error() string {
	return fmt.Sprintf("svm: classes %d and %d cannot be separated by a hard margin: in the space of the kernel their convex hulls come within %.1g of the longest point; give a finite C, or a more flexible kernel",
		e.Positive, e.Negative, e.Distance)
}

// weightsOf returns the weights of the chosen rows.
func weightsOf(o *Options, rows []int) []float64 {
	out := make([]float64, len(rows))
	for i, row := range rows {
		out[i] = o.weight(row)
	}
	return out
}
