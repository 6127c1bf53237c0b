package gram

import "math"

// Machine holds what a plan needs to know of the machine and of one bound kernel.
// [Calibrate] measures it.
type Machine struct {
	Workers  int     `json:"workers"`
	GemmRate float64 `json:"gemm_flops_per_second"` // matrix products
	CopyRate float64 `json:"bytes_per_second"`      // writing fresh memory
	ReadRate float64 `json:"bytes_read_per_second"` // reading it again
	Cholesky Rate    `json:"cholesky"`
	Eigen    Rate    `json:"eigen"` // counting 5n³ flops
	// PairRate is kernel evaluations per second over all workers. It belongs to one
	// bound kernel and is not calibrated: set it from [PairRate].
	PairRate float64 `json:"pairs_per_second"`
	Memory   int64   `json:"physical_memory"` // bytes; 0 where unknown
	Resident int64   `json:"resident"`        // bytes this process holds already
}

// Rate is the speed of a blocked algorithm as a function of its size n, by Hockney's
// law r(n) = r∞/(1 + n½/n) (R. W. Hockney and C. R. Jesshope, Parallel Computers,
// 1981, §1.3.2): half of the asymptotic speed is reached at n = n½.
type Rate struct {
	Asymptote float64 `json:"asymptote"` // flop/s for n → ∞
	HalfSize  float64 `json:"half_size"` // n½
}

// At returns the speed at size n in flop/s.
func (r Rate) At(n int) float64 { return r.Asymptote / (1 + r.HalfSize/math.Max(1, float64(n))) }

// fitRate returns the law through the speeds s1 at n1 and s2 at n2 > n1. Two noisy
// speeds say little about n → ∞: the asymptote is kept between s2 and the ceiling, and
// the law then passes through s2 alone.
func fitRate(n1 int, s1 float64, n2 int, s2, ceiling float64) Rate {
	// 1/r = 1/r∞ + (n½/r∞)/n is a straight line in 1/n.
	a, b := 1/float64(n1), 1/float64(n2)
	slope := (1/s1 - 1/s2) / (a - b)
	asymptote := max(ceiling, s2)
	if intercept := 1/s2 - slope*b; intercept > 1/asymptote {
		asymptote = max(1/intercept, s2)
	}
	return Rate{Asymptote: asymptote, HalfSize: (asymptote/s2 - 1) * float64(n2)}
}
