package svm

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/gram/design"
)

// PlannedPasses is how many passes a [Primal] search is planned with for problems of so many rows
// each: three for each iteration, and those before and after.
func PlannedPasses(rows int) int { return 3*int(plannedIterations(rows)) + 3 }

// plannedIterations grow with the logarithm of the rows: a9a, of 32561, took 25, and pairs of
// letters, of 385 together, 10 in the mean.
func plannedIterations(rows int) float64 {
	return math.Round(max(8, 3.4*math.Log(float64(rows))-10))
}

const (
	// thinFlops of an iteration for each feature of a row are in products with one to three
	// columns: three functions of w, five right-hand sides, and the scaled row.
	thinFlops = 2*(3+5) + 1
	// thinSlower is how many times as long such a flop takes as one of a product of matrices,
	// measured with 200 and 300 features.
	thinSlower      = 12
	variableSeconds = 4e-7 // of an iteration, by one worker, measured with 4 and 15 features
)

// FeaturesCost predicts the search of a [Primal] problem for n rows of so many features, with so
// many coefficients for each row and problems; the features themselves are not counted.
//
// An iteration of a problem of r rows takes rD² flops and D³/3; that equal rows share a variable is
// not known before. A problem holds ΦᵀVΦ, the factor of its system, and the factor before, which
// the collector has not found yet, and the features of stiff rows with M⁻¹Φᵀ, at most as many. Sums
// are there twice where the rows are several pieces ([design.SumsBytes]).
func FeaturesCost(n, features, eachRow, problems int, m compute.Machine) compute.Cost {
	each, dim := float64(n)*float64(eachRow), float64(features)
	rows := min(n, n*eachRow/problems)
	iterations := float64(problems) * plannedIterations(rows)
	products, thin := iterations*(float64(rows)*dim*dim+dim*dim*dim/3), iterations*float64(rows)*dim*thinFlops
	square := int64(features) * int64(features)
	block := 8 * int64(blockHeight(features)) * int64(features)
	spaces := int64(min(problems, m.Workers)) * 8 * (int64(blockHeight(features))*(spaceNumbers+int64(features)) + design.BlockRows*int64(features))
	return compute.Cost{Stage: "search", Memory: (barrierBytes+8)*int64(each) + 32*int64(n) + int64(problems)*(3*8*square+design.SumsBytes(n, 2*int(square))) + block + spaces,
		Flops: products + thin, Seconds: (products+thinSlower*thin)/m.GemmRate + variableSeconds*each*plannedIterations(rows)}
}

// runPrimal solves all problems in features.
func (j *job) runPrimal(ctx context.Context, phi design.Matrix) (*Solution, *Report, error) {
	ip, err := newInterior(ctx, j, phi)
	if err != nil {
		return nil, nil, err
	}
	for range mostTightened {
		if err := ip.run(ctx); err != nil {
			return nil, nil, err
		}
		j.watch.Lap(&j.report.Run, "search")
		if err := ip.gradients(ctx); err != nil {
			return nil, nil, err
		}
		if err := j.checkKKT(); err != nil {
			return nil, nil, err
		}
		j.watch.Lap(&j.report.Run, "exact gradient")
		if j.finished() || ip.ended() {
			break
		}
	}
	ip.barriers, ip.rows = nil, nil // what follows has numbers of its own for each row
	return ip.weights()
}

// weights reads the functions off the problems.
func (ip *interior) weights() (*Solution, *Report, error) {
	w := mat.NewDense(ip.dim, len(ip.w), nil)
	s, r, err := ip.j.finish(func(c int, found *outcome) {
		if found.rho != 0 { // of ν-SVC, whose coefficients were divided by it
			ip.w[c].ScaleVec(1/found.rho, ip.w[c])
		}
		w.SetCol(c, ip.w[c].RawVector().Data)
	})
	if err != nil {
		return nil, nil, err
	}
	s.W = w
	return s, r, nil
}
