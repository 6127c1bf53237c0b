package svm

import "fmt"

// classifier returns the program of C-SVC,
//
//	min ½‖f‖² + C Σ wᵢ max(0, 1 − yᵢ(f(xᵢ)+b))
//
// in its dual form ½αᵀQα − Σα, 0 ≤ αᵢ ≤ Cwᵢ, yᵀα = 0 (Cortes & Vapnik 1995), with
// β = y∘α. The first rows, as many as positive, have y = +1, all others −1.
func classifier(positive int, weights []float64, c float64) *program {
	p := newProgram(positive, segment{0, len(weights), 0, 0})
	p.levels = [2]float64{-1, 1}
	for t, w := range weights {
		p.width[t] = c * w
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
func nuClassifier(positive int, weights []float64, nu float64) (*program, error) {
	n, share := len(weights), [2]float64{}
	p := newProgram(positive, segment{0, positive, 0, 0}, segment{positive, n, positive, 1})
	copy(p.width, weights)
	for t, w := range weights {
		if t < positive {
			share[0] += w
		} else {
			share[1] += w
		}
	}
	total := share[0] + share[1]
	if most := 2 * min(share[0], share[1]) / total; nu > most {
		return nil, fmt.Errorf("svm: nu = %v is infeasible: with weights of %g and %g in the two classes it can be at most %.6g; lower nu, or balance the classes by weights", nu, share[0], share[1], most)
	}
	p.fill(0, nu*total/2)
	p.fill(1, nu*total/2)
	return p, nil
}

// regression returns the program of ε-SVR (Vapnik 1995),
//
//	min ½‖f‖² + C Σ wᵢ max(0, |yᵢ − f(xᵢ) − b| − ε),
//
// with β = α for the rows above the function and β = −α* for those below.
func regression(y, weights []float64, c, epsilon float64) *program {
	p := newProgram(len(y), segment{0, len(y), 0, 0}, segment{len(y), 2 * len(y), 0, 0})
	p.aboveAndBelow(y, weights, c, epsilon)
	return p
}

// nuRegression returns the program of ν-SVR (Schölkopf et al. 2000): ε is free and
// costs CνW, so that Σα = Σα* = CνW/2.
func nuRegression(y, weights []float64, c, nu float64) *program {
	n, total := len(y), 0.0
	p := newProgram(n, segment{0, n, 0, 0}, segment{n, 2 * n, 0, 1})
	p.aboveAndBelow(y, weights, c, 0)
	for _, w := range weights {
		total += w
	}
	p.fill(0, c*nu*total/2)
	p.fill(1, c*nu*total/2)
	return p
}

// aboveAndBelow sets the two variables of each row of a regression.
func (p *program) aboveAndBelow(y, weights []float64, c, epsilon float64) {
	n := len(y)
	p.linear = make([]float64, 2*n)
	for i, v := range y {
		p.width[i], p.linear[i] = c*weights[i], epsilon-v
		p.width[n+i], p.linear[n+i] = c*weights[i], -epsilon-v
	}
}

// novelty returns the program of the one-class problem (Schölkopf et al., Neural
// Computation 13, 2001),
//
//	min ½‖f‖² − ρνW + Σ wᵢ max(0, ρ − f(xᵢ)),  with the dual ½αᵀKα, 0 ≤ αᵢ ≤ wᵢ, Σα = νW.
func novelty(weights []float64, nu float64) *program {
	total := 0.0
	p := newProgram(len(weights), segment{0, len(weights), 0, 0})
	copy(p.width, weights)
	for _, w := range weights {
		total += w
	}
	p.fill(0, nu*total)
	return p
}

// formulate returns the program of a problem with the given weights of rows: of a
// classifier the first rows are positive, of a regression y are the targets.
func formulate(o *Options, positive int, y, weights []float64) (*program, error) {
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

// conclude reads the function off the solution. That of ν-SVC is divided by ρ, which
// puts the margin at ±1 as in C-SVC with C = 1/ρ, and the objective by ρ² (Chang & Lin,
// Neural Computation 13, 2001).
func (m *binaryProblem) conclude(t Type) (*outcome, error) {
	p, lambda := m.p, m.p.multipliers(m.beta, m.g)
	quadratic, linear := p.energy(m.beta, m.g)
	out := &outcome{coef: m.coef(), bias: -lambda[0], objective: 0.5*quadratic + linear}
	if p.bounded() {
		out.gap = p.gap(m.beta, m.g, lambda)
	} else {
		out.gap = p.separation(m.beta, m.g, lambda[0])
	}
	for t, b := range m.beta {
		if b == 0 {
			continue
		}
		out.support++
		if b == p.lo(t) || b == p.hi(t) {
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
