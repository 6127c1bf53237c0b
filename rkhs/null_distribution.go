package rkhs

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mathext"
)

// Null names what a statistic is compared with.
type Null string

const (
	// Permutation is the statistic of the same rows in random order: with P permutations p =
	// (1 + #{T_π ≥ T})/(1 + P), which under the hypothesis is at most α with probability at
	// most α for every number of rows (Phipson and Smyth, 2010).
	Permutation Null = "permutation"
	// Gamma is the gamma distribution with the mean and the variance of T over all
	// permutations, which are exact, see [moments]. It takes no permutation and is close for
	// many rows (Gretton, Fukumizu, Harchaoui and Sriperumbudur, NIPS 2009).
	Gamma Null = "gamma"
	// Normal is that of a mean of independent terms, for the statistics that are one.
	Normal Null = "normal"
)

// permutationSums are what the distribution of ⟨K_c, L_c^π⟩ over the permutations π of the rows of
// L_c has to be known of either matrix: A₁ = Σ dᵢ², A₂ = (Σ dᵢ)² of the diagonal d, and
// A₃ = Σ cᵢⱼ². The rows add up to zero.
type permutationSums struct{ n, a1, a2, a3 float64 }

func permutationSumsOf(diagonal []float64, square float64) permutationSums {
	t, sum := permutationSums{n: float64(len(diagonal)), a3: square}, 0.0
	for _, d := range diagonal {
		t.a1 += d * d
		sum += d
	}
	t.a2 = sum * sum
	return t
}

// patterns returns one entry for each way in which four indices i, j, k, l can coincide: the number
// of ways of that kind, the number of different indices, and Σ cᵢⱼcₖₗ over indices that coincide so
// and in no other way. All follow from Σⱼ cᵢⱼ = 0: for example, with i = j and k, l different from
// it and from each other, Σᵢ dᵢ Σ cₖₗ = 2A₁ − A₂.
func (t permutationSums) patterns() [7]struct{ count, distinct, sum float64 } {
	return [7]struct{ count, distinct, sum float64 }{
		{1, 1, t.a1},                   // i = j = k = l
		{4, 2, -t.a1},                  // three equal
		{1, 2, t.a2 - t.a1},            // i = j, k = l
		{2, 2, t.a3 - t.a1},            // i = k, j = l, and i = l, j = k
		{2, 3, 2*t.a1 - t.a2},          // i = j, or k = l
		{4, 3, 2*t.a1 - t.a3},          // one of the first pair is one of the second
		{1, 4, t.a2 + 2*t.a3 - 6*t.a1}, // all different
	}
}

// moments returns the exact mean and variance of T_π = Σᵢⱼ aᵢⱼ b_π(i)π(j) over all n!
// permutations, n ≥ 4, of two symmetric matrices whose rows add up to zero:
//
//	E T_π = tr A · tr B/(n − 1),   E T_π² = Σ_patterns count · sum(A) · sum(B)/(n(n−1)…)
//
// as a pattern with r different indices goes to every such pattern with probability
// 1/(n(n−1)…(n−r+1)). (N. Mantel, 1967, and Kazi-Aoual et al., 1995, find the same.)
func moments(a, b permutationSums) (mean, variance float64) {
	mean = math.Sqrt(a.a2) * math.Sqrt(b.a2) / (a.n - 1)
	falling := [5]float64{1, a.n, a.n * (a.n - 1), a.n * (a.n - 1) * (a.n - 2), a.n * (a.n - 1) * (a.n - 2) * (a.n - 3)}
	second, of, with := 0.0, a.patterns(), b.patterns()
	for i, p := range of {
		second += p.count * p.sum * with[i].sum / falling[int(p.distinct)]
	}
	return mean, second - mean*mean
}

// GammaLaw is the gamma distribution with a given mean and variance.
type GammaLaw struct {
	Shape float64 `json:"shape"`
	Scale float64 `json:"scale"`
}

// gammaOf returns the law, or an error where a matrix is constant and T never changes.
func gammaOf(mean, variance float64) (*GammaLaw, error) {
	if !(mean > 0 && variance > 1e-14*mean*mean) {
		return nil, fmt.Errorf("rkhs: over all permutations the statistic has mean %.3g and variance %.3g: there is no gamma distribution with them; the null %q works for every kernel", mean, variance, Permutation)
	}
	return &GammaLaw{Shape: mean * mean / variance, Scale: variance / mean}, nil
}

// Survival returns P(T ≥ x).
func (g *GammaLaw) Survival(x float64) float64 {
	if x <= 0 {
		return 1
	}
	return mathext.GammaIncRegComp(g.Shape, x/g.Scale)
}

// Density returns the density at x > 0.
func (g *GammaLaw) Density(x float64) float64 {
	if x <= 0 {
		return 0
	}
	log, _ := math.Lgamma(g.Shape)
	return math.Exp((g.Shape-1)*math.Log(x/g.Scale)-x/g.Scale-log) / g.Scale
}

// exceeding returns (1 + #{T_π ≥ T})/(1 + P). Statistics that differ by rounding are equal.
func exceeding(statistic, scale float64, permuted []float64) float64 {
	count := 1
	for _, v := range permuted {
		if v >= statistic-1e-12*scale {
			count++
		}
	}
	return float64(count) / float64(1+len(permuted))
}

// normalSurvival returns P(Z ≥ z) of a standard normal Z.
func normalSurvival(z float64) float64 { return math.Erfc(z/math.Sqrt2) / 2 }
