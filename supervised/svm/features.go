package svm

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/gram"
)

// Weights is the functions of all machines in D explicit features of the rows: f_j(x) = ⟨W[·,j],
// φ(x)⟩ + Bias[j].
type Weights struct {
	W    *mat.Dense // D×machines
	Bias []float64
	// Coef is the coefficients of the rows that have any in a machine, which are [Report.Support],
	// a column per machine.
	Coef *mat.Dense
}

// SolveFeatures learns a classifier as [Solve] does from the explicit features of the rows, K =
// ΦΦᵀ, which go by in blocks in every pass or are held where [compute.FitsInMemory] has room, by an
// interior point.
//
// Cost: 15 to 40 iterations of three passes, nD² flops each beside the features; some 70 bytes for
// each row and machine, twice as many for a regression, and 8·2D² for each machine. Errors: those
// of [Solve], and a hard margin. The bits are the same wherever the features are and for any number
// of workers.
func SolveFeatures(ctx context.Context, phi gram.Design, y []int, o Options) (*Weights, *Report, error) {
	j, err := classifierJob(nil, phi.Rows, y, o)
	return j.runFeatures(ctx, phi, err)
}

// SolveRegressionFeatures is [SolveRegression] as [SolveFeatures] is [Solve].
func SolveRegressionFeatures(ctx context.Context, phi gram.Design, y []float64, o Options) (*Weights, *Report, error) {
	j, err := regressionJob(nil, phi.Rows, y, o)
	return j.runFeatures(ctx, phi, err)
}

// SolveOneClassFeatures is [SolveOneClass] as [SolveFeatures] is [Solve].
func SolveOneClassFeatures(ctx context.Context, phi gram.Design, o Options) (*Weights, *Report, error) {
	j, err := oneClassJob(nil, phi.Rows, o)
	return j.runFeatures(ctx, phi, err)
}

// PlannedPasses is how many passes [SolveFeatures] is planned with for machines of so many rows
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
	thinSlower = 12
)

// FeaturesCost predicts the search of [SolveFeatures] for n rows of so many features, with so many
// coefficients for each row and machines; the features themselves are not counted.
//
// An iteration of a machine multiplies all rows of a block, of which it weighs those of other
// classes by 0: it takes nD² flops and D³/3 however few rows are its own. A machine holds ΦᵀVΦ, the
// factor of its system, and the factor before, which the collector has not found yet.
func FeaturesCost(n, features, eachRow, machines int, m compute.Machine) compute.Cost {
	each, dim := float64(n)*float64(eachRow), float64(features)
	iterations := float64(machines) * plannedIterations(min(n, n*eachRow/machines))
	products, thin := iterations*(float64(n)*dim*dim+dim*dim*dim/3), iterations*float64(n)*dim*thinFlops
	block := 8 * int64(blockHeight(features)) * int64(features)
	spaces := int64(min(machines, m.Workers)) * 8 * (int64(blockHeight(features))*spaceNumbers + gram.DesignRows*int64(features))
	return compute.Cost{Stage: "search", Memory: (barrierBytes+8)*int64(each) + 32*int64(n) + 3*8*int64(machines)*int64(features)*int64(features) + block + spaces,
		Flops: products + thin, Seconds: (products + thinSlower*thin) / m.GemmRate}
}

// runFeatures solves all machines in features; err is why there is no job.
func (j *job) runFeatures(ctx context.Context, phi gram.Design, err error) (*Weights, *Report, error) {
	if err != nil {
		return nil, nil, err
	}
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
		if err := j.judge(); err != nil {
			return nil, nil, err
		}
		j.watch.Lap(&j.report.Run, "exact gradient")
		if j.settled() {
			break
		}
	}
	ip.barriers, ip.spaces, ip.rows.held = nil, nil, nil // what follows has numbers of its own for each row
	return ip.weights()
}

// weights reads the functions off the machines.
func (ip *interior) weights() (*Weights, *Report, error) {
	j, coefs := ip.j, make([][]float64, len(ip.w))
	out := &Weights{W: mat.NewDense(ip.rows.design.Dim, len(ip.w), nil), Bias: make([]float64, len(ip.w))}
	in := make([]bool, len(j.order))
	err := j.conclude(func(c int, m *machine, found *outcome) {
		if found.rho != 0 { // of ν-SVC, whose coefficients were divided by it
			ip.w[c].ScaleVec(1/found.rho, ip.w[c])
		}
		out.W.SetCol(c, ip.w[c].RawVector().Data)
		out.Bias[c], coefs[c] = found.bias, found.coef
		for local, row := range m.each() {
			in[row] = in[row] || found.coef[local] != 0
		}
	})
	if err != nil {
		return nil, nil, err
	}
	var places []int
	places, out.Coef = j.columns(coefs, in)
	j.report.Support = j.rows(places)
	return out, j.report, nil
}
