package manifold

import (
	"fmt"
	"math"

	"example.org/mercer/compute"
	"example.org/mercer/gram"
	"example.org/mercer/linalg"
	"example.org/mercer/model"
)

// Plan predicts memory and time of [Solve] for n points, from the stages of a search among fewer of
// them that was tried; no points: none was.
func Plan(n int, o Options, tried Tried, m compute.Machine) compute.Plan {
	square := 8 * int64(n) * int64(n)
	grown := math.Pow(float64(n)/float64(max(tried.Points, 1)), 2)
	logs := math.Log(float64(max(n, 2))) / math.Log(float64(max(tried.Points, 2)))
	took := func(stage string) float64 { return grown * tried.seconds(stage) }
	stages := []compute.Cost{{Stage: stageDistances, Memory: 2 * square, Keeps: 2 * square, Seconds: took(stageDistances)}}
	if tried.Points == 0 {
		stages[0].Seconds = gram.DenseGramCost(n, m).Seconds
	}
	if o.Method != Classical && o.Method != Stress {
		stages = append(stages, compute.Cost{Stage: stageNeighbours, Memory: square, Seconds: took(stageNeighbours)})
	}
	if o.Method == Isomap {
		stages = append(stages, compute.Cost{Stage: stagePaths, Memory: square, Seconds: logs * took(stagePaths)})
	}
	eigen := compute.EigenCost(n, m)
	if (&search{o: o}).few(n) {
		eigen = fewCost(n, o, m)
	}
	eigen.Stage, eigen.Memory = stageEigen, Bytes(n, o)-2*square
	stages = append(stages, eigen)
	if o.Method == Stress {
		stages = append(stages, compute.Cost{Stage: stageSteps, Seconds: took(stageSteps)})
	}
	plan := compute.NewPlan(string(o.Method), m, stages...)
	switch {
	case tried.Points == 0:
		plan.Notes = append(plan.Notes, "neighbours, paths and steps are not timed: the method cannot be tried on a sample of the rows")
	case o.Method == Stress:
		return plan.AsRough(fmt.Sprintf("as many steps are planned as on a sample of %d rows; close distances take more", tried.Points))
	}
	return plan
}

// Tried is a search among some points.
type Tried struct {
	Points int
	Stages []model.Stage
}

func (t Tried) seconds(stage string) float64 {
	for _, s := range t.Stages {
		if s.Name == stage {
			return s.Seconds
		}
	}
	return 0
}

// fewCost is that of a few eigenvectors by iteration.
func fewCost(n int, o Options, m compute.Machine) compute.Cost {
	_, block, products := linalg.TopDemand(n, o.Components+1)
	if inverse := o.Method == LLE || o.Method == Eigenmap || o.Method == DiffusionMap && o.Neighbours > 0; !inverse {
		return gram.ProductsCost(n, block, products, compute.Double, true, m)
	}
	factor, solve := compute.FactorCost(n, m), compute.SolveCost(n, block, m)
	factor.Flops += float64(products) * solve.Flops
	factor.Seconds += float64(products) * solve.Seconds
	return factor
}

// PlanSmooth predicts memory and time of [Smooth] for n points, l of which are labelled.
func PlanSmooth(n, l int, m compute.Machine) compute.Plan {
	square := 8 * int64(n) * int64(n)
	held := gram.DenseGramCost(n, m)
	distances := compute.Cost{Stage: stageDistances, Memory: 2 * square, Keeps: square, Seconds: held.Seconds + m.FreshSeconds(float64(square))}
	near := compute.Cost{Stage: stageNeighbours, Memory: square, Seconds: compute.TimeAt(8*float64(square), m.ReadRate)}
	factor, inverse, solve := compute.FactorCost(n, m), compute.SolveCost(n, n, m), compute.SolveCost(n, l, m)
	product := 2 * float64(n) * float64(l) * float64(l)
	smooth := compute.Cost{Stage: stageSmooth, Memory: SmoothBytes(n, l) - square + inverse.Memory - inverse.Keeps, Keeps: 8*int64(l)*int64(n+l) - square,
		Flops: 2*factor.Flops + inverse.Flops + solve.Flops + product, Seconds: 2*factor.Seconds + inverse.Seconds + solve.Seconds + compute.TimeAt(product, m.GemmRate)}
	return compute.NewPlan("smoothed", m, distances, near, smooth)
}
