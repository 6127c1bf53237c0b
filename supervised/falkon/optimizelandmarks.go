package falkon

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/internal/lbfgs"
	"example.org/mercer/kernel"
	"example.org/mercer/linalg"
	"example.org/mercer/loss"
	"example.org/mercer/model"
	"example.org/mercer/rkhs/gradients"
)

// Moving says what a descent moves.
type Moving string

const (
	// MoveLandmarks moves landmarks, and the kernel stays as it is.
	MoveLandmarks Moving = "landmarks"
	// MoveDiagonal moves landmarks and a scale of each coordinate.
	MoveDiagonal Moving = "diagonal"
	// MoveFull moves landmarks and any linear map before the kernel.
	MoveFull Moving = "full"
)

// Movings are all of them.
var Movings = []Moving{MoveLandmarks, MoveDiagonal, MoveFull}

// MoveMap, in a report, says that landmarks and the numbers of [LandmarkOptions.Before] were moved.
const MoveMap Moving = "network"

// LandmarkOptions says how landmarks are moved. The zero value moves them and a full map.
type LandmarkOptions struct {
	Of Moving // "" is [MoveFull]
	// Start is the map L at the start, row after row: d·d numbers, of which those off the diagonal
	// are 0 for [MoveDiagonal]. nil is the identity.
	Start []float64
	// Before, if not nil, is the map that moves in the place of L.
	Before Map
	// Steps is the largest number of steps; 0: 100.
	Steps int
	// Rows is the largest number of rows that the objective is made from, spread evenly over
	// all; 0: 20000. Of these every tenth judges the steps instead.
	Rows int
	// Patience is how many steps in a row may not improve what is judged; 0: 10.
	Patience int
}

// OptimizedLandmarks are landmarks where the descent has brought them, and the map before the
// kernel, L row after row or the numbers of [LandmarkOptions.Before]: functions Σ βⱼ k(φ(x),
// φ(cⱼ)).
type OptimizedLandmarks struct {
	Landmarks data.Vectors
	Map       []float64
	Report    LandmarkReport
}

// LandmarkReport says how landmarks were moved.
type LandmarkReport struct {
	Of          Moving `json:"of"`
	Rows        int    `json:"rows"` // that the objective was made from
	Evaluations int    `json:"evaluations"`
	// Objectives has (1/N) Σ wᵢ(yᵢ − f(xᵢ))² + λ‖f‖², and Judged the mean squared error of the
	// rows that judge, at the start and after each step; Best is the step that was kept.
	Objectives []float64 `json:"objectives"`
	Judged     []float64 `json:"judged"`
	Best       int       `json:"best"`
}

// OptimizeLandmarks moves landmarks cⱼ in their space, and a linear map L or another one before the
// kernel, along the gradient of the objective of the squared loss,
//
//	J(L, C) = min_{β,b} (1/N) Σ wᵢ(yᵢ − b − Σⱼ βⱼ k(Lxᵢ, Lcⱼ))² + λ βᵀK_mmβ,
//
// by L-BFGS. Coefficients follow from L and C in every evaluation, so that only the direct
// derivative counts (variable projection: Golub and Pereyra, SIAM J. Numer. Anal. 10, 1973; for
// centres and widths Meanti, Carratino, De Vito and Rosasco, Efficient hyperparameter tuning
// for large scale kernel ridge regression, AISTATS 2022):
//
//	∂J/∂zᵢ = −(2/N) Σⱼ wᵢrᵢβⱼ ∇₁k(zᵢ, zⱼ),   ∂J/∂L = Σ (∂J/∂zᵢ) xᵢᵀ,   ∂J/∂c = Lᵀ ∂J/∂z,   z = Lx.
//
// Another map φ takes the place of L by its reverse pass, [Map.Pull]. Every step is judged by
// rows that the objective is not made from, and the best is kept, which may be the start.
//
// An evaluation for n rows, m landmarks, d coordinates of the images takes nm² + 4nm·d
// multiplications, 3nm values of the kernel and the passes of the map; memory is 8nm bytes. The
// bits do not depend on the number of workers. Errors are those of the options, of losses other
// than the squared one, and of ctx.
func OptimizeLandmarks(ctx context.Context, k kernel.Kernel[[]float64], slope gradients.Slope, xs, landmarks data.Set[[]float64], y *mat.Dense, o Options, d LandmarkOptions) (*OptimizedLandmarks, error) {
	if err := o.validate(xs.Len(), landmarks.Len(), y); err != nil {
		return nil, err
	}
	if err := d.validate(&o, xs); err != nil {
		return nil, err
	}
	p, err := newProjection(k, slope, xs, landmarks.Len(), y, o, d)
	if err != nil {
		return nil, err
	}
	s := &descent{ctx: ctx, p: p, compute: o.Compute, patience: cmp.Or(d.Patience, 10), report: LandmarkReport{Of: cmp.Or(d.Of, MoveFull), Rows: p.xs.Len()}}
	if d.Before != nil {
		s.report.Of = MoveMap
	}
	theta := p.start(landmarks)
	if err := s.run(theta, cmp.Or(d.Steps, 100)); err != nil {
		return nil, err
	}
	l, c := p.parts(s.best)
	if m, ok := p.by.(linear); ok {
		l = m.matrix(l)
	}
	return &OptimizedLandmarks{Landmarks: c, Map: l, Report: s.report}, nil
}

// rows returns how many of n rows a descent looks at.
func (d *LandmarkOptions) rows(n int) int { return min(n, cmp.Or(d.Rows, 20000)) }

func (d *LandmarkOptions) validate(o *Options, xs data.Set[[]float64]) error {
	c := model.NewChecks("falkon")
	if _, ok := o.lossOf().(loss.Squared); !ok {
		c.Add("landmarks are moved for the squared loss alone, and the loss is %s", o.lossOf())
	}
	if !slices.Contains(Movings, cmp.Or(d.Of, MoveFull)) {
		c.Add("a descent of %q is not known; there are %q", d.Of, Movings)
	}
	if d.Steps < 0 || d.Rows < 0 || d.Patience < 0 {
		c.Add("steps = %d, rows = %d, patience = %d: none may be negative", d.Steps, d.Rows, d.Patience)
	}
	if xs.Len() < 10 {
		c.Add("%d rows are too few to move landmarks: every tenth row judges the steps", xs.Len())
	}
	if xs.Len() > 0 {
		d.checkStart(c, len(xs.At(0)))
	}
	return c.Err()
}

// checkStart reports a map at the start that is no matrix of the coordinates, or that the descent
// would not move as a whole.
func (d *LandmarkOptions) checkStart(c *model.Checks, columns int) {
	if len(d.Start) != 0 && len(d.Start) != columns*columns {
		c.Add("the map at the start has %d numbers, and one of %d coordinates has %d", len(d.Start), columns, columns*columns)
		return
	}
	if d.Of != MoveDiagonal {
		return
	}
	for at, v := range d.Start {
		if i, j := at/columns, at%columns; i != j && v != 0 {
			c.Add("the map at the start has %v in row %d, column %d, and a descent of %q leaves nothing off the diagonal: give one scale for each coordinate, or move a map that is %q", v, i, j, MoveDiagonal, MoveFull)
			return
		}
	}
}

// descent is the state of a search.
type descent struct {
	ctx      context.Context
	p        *projection
	compute  compute.Options
	patience int
	last     *projected // the last evaluation
	best     []float64
	report   LandmarkReport
}

// at evaluates at θ. Where the normal equations are singular the value is +Inf, but at the start.
func (s *descent) at(theta []float64) (value float64, grad []float64, err error) {
	s.report.Evaluations++
	if s.last, err = s.recalled(theta); err != nil {
		return 0, nil, err
	}
	return s.last.value, s.last.grad, nil
}

// recalled is an evaluation as a step of a checkpoint: value, gradient, coefficients, and the
// jitter that the first one sets.
func (s *descent) recalled(theta []float64) (*projected, error) {
	_, outputs := s.p.y.Dims()
	q := &projected{grad: make([]float64, len(theta)), beta: mat.NewDense(s.p.m, outputs, nil), bias: make([]float64, outputs)}
	told := []float64{math.Inf(1), 0}
	err := s.compute.Step(s.ctx, "evaluation", [][]float64{told, q.grad, q.beta.RawMatrix().Data, q.bias}, func() error {
		found, err := s.p.at(s.ctx, theta)
		var singular *linalg.NotPositiveDefinite
		switch {
		case errors.As(err, &singular) && s.report.Evaluations > 1:
			told[1] = s.p.jitter
			return nil // the step was too long, and the line search turns back
		case err != nil:
			return err
		}
		copy(told, []float64{found.value, s.p.jitter})
		copy(q.grad, found.grad)
		q.beta.Copy(found.beta)
		copy(q.bias, found.bias)
		return nil
	})
	q.value, s.p.jitter = told[0], told[1]
	return q, err
}

// take judges a step, the last evaluation, and keeps the best.
func (s *descent) take(theta []float64) error {
	judged, err := s.p.validationError(s.ctx, theta, s.last)
	if err != nil {
		return err
	}
	s.report.Objectives, s.report.Judged = append(s.report.Objectives, s.last.value), append(s.report.Judged, judged)
	if step := len(s.report.Judged) - 1; step == 0 || judged < s.report.Judged[s.report.Best] {
		s.report.Best, s.best = step, slices.Clone(theta)
	}
	return nil
}

func (s *descent) run(theta []float64, steps int) error {
	// A line search that finds nothing better ends the descent, and is no failure.
	_, err := lbfgs.Minimize(theta, s.at, lbfgs.Options{Steps: steps, Relative: 1e-6, Unchanged: 5, Stepped: s.take,
		Enough: func() bool { return len(s.report.Judged)-1-s.report.Best >= s.patience }})
	return err
}
