package nystrom

import (
	"math"
	"slices"

	"example.org/mercer/compute"
	"example.org/mercer/model"
)

// Scheme is a way to choose landmarks.
type Scheme string

const (
	// Pivoted draws rows one after another with probabilities proportional to what the
	// ones before leave of k(x, x): randomly pivoted Cholesky (Chen, Epperly, Tropp and
	// Webber 2025). Whatever the matrix, its expected trace error is near that of the
	// best approximation of a slightly smaller rank. It holds n·m numbers and takes nm²
	// multiplications.
	Pivoted Scheme = "pivoted"
	// Greedy takes the row of which the ones before leave most of k(x, x): Cholesky with
	// complete pivoting (Harbrecht, Peters and Schneider 2012). Outliers come first.
	// Memory and work are those of Pivoted.
	Greedy Scheme = "greedy"
	// Uniform draws rows with probabilities proportional to their weights, without
	// replacement. It computes nothing.
	Uniform Scheme = "uniform"
	// Leverage draws rows with probabilities proportional to approximate ridge leverage
	// scores, found along a falling λ: BLESS (Rudi, Calandriello, Carratino and Rosasco
	// 2018). It looks at min(n, 4κ²/λ) rows, κ² the largest k(x, x), and holds no n·m
	// numbers.
	Leverage Scheme = "leverage"
	// KMeans takes the centres of k-means on vectors, which need not be rows (Zhang, Tsang
	// and Kwok 2008).
	KMeans Scheme = "kmeans"
)

// Schemes are all of them.
var Schemes = []Scheme{Pivoted, Greedy, Uniform, Leverage, KMeans}

// Options say how to choose landmarks. A Rank or a Tolerance is required.
type Options struct {
	// Scheme is the way; "" is [Pivoted].
	Scheme Scheme
	// Rank is the largest number of landmarks; 0: as many as Tolerance asks for.
	Rank int
	// Tolerance ends the choice when tr(K − K̃) ≤ Tolerance·tr K, 0 ≤ Tolerance < 1. With
	// [Uniform] and [Leverage] this takes the memory and work of [Pivoted]; [KMeans]
	// cannot.
	Tolerance float64
	// Lambda is the λ of the leverage scores, the diagonal of K(K + nλI)⁻¹; 0: that at
	// which their sum is an eighth of Rank.
	Lambda float64
	// Among is the number of rows, drawn as by [Uniform], among which landmarks are
	// chosen; 0: all.
	Among int
	// Weights are the wᵢ ≥ 0 of the rows; nil means all ones. A row of weight 2 is two
	// rows, one of weight 0 is none.
	Weights []float64
	// Seed chooses everything that is drawn.
	Seed uint64
	// Compute says how to compute: workers, memory limit, progress.
	Compute compute.Options
}

// validate reports every problem of the options for n points.
func (o *Options) validate(n int) error {
	c := model.NewChecks("nystrom")
	if n == 0 {
		c.Add("there are no points to choose landmarks from")
	}
	if o.Scheme != "" && !slices.Contains(Schemes, o.Scheme) {
		c.Add("scheme %q is not known; one of %q is", o.Scheme, Schemes)
	}
	if o.Rank < 0 || o.Among < 0 {
		c.Add("rank = %d and among = %d: numbers of points are not negative", o.Rank, o.Among)
	}
	if !(o.Tolerance >= 0) || o.Tolerance >= 1 {
		c.Add("tolerance = %v is not in [0, 1)", o.Tolerance)
	}
	if o.Rank == 0 && o.Tolerance == 0 {
		c.Add("neither a rank nor a tolerance is given: say how many landmarks, or how much of the trace they may leave")
	}
	if !(o.Lambda >= 0) || math.IsInf(o.Lambda, 1) {
		c.Add("lambda = %v is not a finite number ≥ 0", o.Lambda)
	}
	switch {
	case o.Scheme == KMeans && (o.Tolerance > 0 || o.Rank == 0):
		c.Add("scheme %q knows the trace that it leaves only afterwards: give a rank instead of a tolerance", KMeans)
	case o.Scheme == Leverage && o.Rank == 0 && o.Lambda == 0:
		c.Add("scheme %q needs a rank or the lambda of its scores", Leverage)
	}
	c.Weights(n, o.Weights)
	return c.Err()
}

// scheme returns the effective scheme.
func (o *Options) scheme() Scheme {
	if o.Scheme == "" {
		return Pivoted
	}
	return o.Scheme
}

// factors reports whether the choice goes through a partial Cholesky factorization.
func (o *Options) factors() bool {
	s := o.scheme()
	return s == Pivoted || s == Greedy || s != KMeans && o.Tolerance > 0
}

// HoldsColumns reports whether landmarks are chosen by a factor of their columns in memory.
func (o Options) HoldsColumns() bool {
	return o.Tolerance > 0 || o.Scheme == Greedy || o.Scheme == Pivoted || o.Scheme == ""
}
