package svm

import (
	"slices"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/gram/design"
)

// What the passes of a step are for a problem: the numbers that go along with its rows, which its
// state alone tells before the pass, and what becomes of those that are made.

// along stores what goes along with rows from one on: whether a row is one of the problem, and what
// each of its variables adds to the numbers behind.
func (b *barrier) along(add func(numbers []float64, v int32)) func(dst *mat.Dense, from int) error {
	return func(dst *mat.Dense, from int) error {
		dst.Zero()
		for i, v := range b.in(from, from+dst.RawMatrix().Rows) {
			numbers := dst.RawRowView(i)
			numbers[0] = 1
			add(numbers[1:], v)
		}
		return nil
	}
}

// made takes a number of each row of the problem.
func (b *barrier) made(take func(v int32, number float64)) func(made *mat.Dense, from, to int) error {
	return func(made *mat.Dense, from, to int) error {
		for i, v := range b.in(from, to) {
			take(v, made.At(i, 0))
		}
		return nil
	}
}

// combine stores Φᵀ of the coefficients in aimed.
func (b *barrier) combine(w []float64) design.Task {
	return design.Task{Work: combination{}, Sums: w, In: func(dst *mat.Dense, from int) error {
		dst.Zero()
		for i, v := range b.in(from, from+dst.RawMatrix().Rows) {
			dst.RawRowView(i)[0] += b.aimed[v]
		}
		return nil
	}}
}

// evaluate stores the function of w in aimed.
func (b *barrier) evaluate(w []float64) design.Task {
	return design.Task{Work: values{w}, In: b.along(func([]float64, int32) {}), Out: b.made(func(v int32, f float64) { b.aimed[v] = f })}
}

// weigh adds up I + ΦᵀVΦ, the predictor's right-hand side, Φᵀβ, what snapping the coefficients to
// their bounds changes of that, and h, and looks at how the problem stands.
func (b *barrier) weigh() (design.Task, [][]float64) {
	dim, groups := len(b.w), len(b.lambda)
	clear(b.aimed)
	b.chooseStiff(dim)
	work := system{W: b.w, Groups: groups, Stiff: len(b.stiff.rows)}
	_, _, count := work.Sizes(dim)
	b.sums = slices.Grow(b.sums[:0], count)[:count]
	square, wide := dim*dim, dim*(dim+work.sides())
	b.moments = mat.NewSymDense(dim, b.sums[:square])
	b.passed.sums = mat.NewDense(dim, work.sides(), b.sums[square:wide])
	if work.Stiff > 0 {
		b.stiff.phi = mat.NewDense(work.Stiff, dim, b.sums[wide:])
	}
	return design.Task{Work: work, Sums: b.sums, In: b.along(b.addSystem), Out: b.made(b.weighed)}, [][]float64{b.m.g}
}

// addSystem adds what goes along with a variable to the system, see [system].
func (b *barrier) addSystem(numbers []float64, t int32) {
	groups, group, v := len(b.lambda), int(b.group[t]), b.give(t)
	off, _, _ := b.toBound(t)
	numbers[1] += b.coef(t)
	numbers[2] += off
	if k, is := b.stiff.at(t, v); is {
		at := systemSides + groups
		if numbers[at] > 0 { // of the other variable of the row
			at++
		}
		numbers[at] = float64(k + 1)
		return
	}
	numbers[0] += v * (b.lambda[group] - b.q(t))
	numbers[systemSides+group] += v
}

// weighed takes the function of w at a variable.
func (b *barrier) weighed(t int32, f float64) {
	p, groups, group := &b.passed, len(b.lambda), int(b.group[t])
	b.m.g[t] = f + b.q(t)
	p.totals[2*groups+group] += b.coef(t)
	p.observe(b, t)
	v := b.give(t)
	if _, is := b.stiff.at(t, v); is {
		return
	}
	p.totals[group] += v * (b.lambda[group] - b.m.g[t])
	p.totals[groups+group] += v
}

// predict aims for the complementarity zero, and adds up what the corrector aims for: the part that
// does not depend on σμ, and the part that does.
func (b *barrier) predict() (design.Task, [][]float64) {
	dim := len(b.w)
	sums := make([]float64, dim*predictorSides)
	b.passed.sums = mat.NewDense(dim, predictorSides, sums)
	work := predictor{DW: b.dw, Variables: b.eachRow}
	return design.Task{Work: work, Sums: sums, In: b.along(b.addPredictor), Out: b.made(b.predicted)}, [][]float64{b.aimed}
}

// addPredictor adds what goes along with a variable to the predictor, see [predictor].
func (b *barrier) addPredictor(numbers []float64, t int32) {
	v, group := b.give(t), b.group[t]
	if _, is := b.stiff.at(t, v); is {
		return
	}
	x, slack, pull := b.x(t), b.slack(t), b.lambda[group]-b.m.g[t]
	at := numbers[predictorSides-1:]
	for at[0] != 0 { // of another variable of the row
		at = at[predictorNumbers:]
	}
	numbers[0] += v * (1/x - 1/slack)
	at[0], at[1], at[2], at[3] = v, pull+b.dl[group], v*pull, v*b.z[t]/x/x-v*b.t[t]/slack/slack
}

// predicted takes the function of Δw at a variable.
func (b *barrier) predicted(t int32, df float64) {
	p, groups, group, v := &b.passed, len(b.lambda), int(b.group[t]), b.give(t)
	dx := b.stepOf(t, df, 0)
	dz, dt := b.follow(t, dx, 0, false)
	p.step(b.x(t), b.slack(t), b.z[t], b.t[t], dx, dz, dt)
	b.aimed[t] = dx
	if _, is := b.stiff.at(t, v); is {
		return
	}
	p.totals[group] += v * b.pull(t, 0)
	p.totals[groups+group] += v * (1/b.x(t) - 1/b.slack(t))
}

// correct finds the step of every variable.
func (b *barrier) correct() (design.Task, [][]float64) {
	return design.Task{Work: values{b.dw}, In: b.along(func([]float64, int32) {}), Out: b.made(b.corrected)}, [][]float64{b.dx}
}

// corrected takes the function of Δw at a variable.
func (b *barrier) corrected(t int32, df float64) {
	dx := b.stepOf(t, df, b.target)
	dz, dt := b.follow(t, dx, b.target, true)
	b.passed.step(b.x(t), b.slack(t), b.z[t], b.t[t], dx, dz, dt)
	b.dx[t] = dx
}
