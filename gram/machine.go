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

// rateThrough returns the law with the given asymptote and the speed s at size n. A
// speed above the asymptote is taken for the asymptote itself.
func rateThrough(n int, s, asymptote float64) Rate {
	asymptote = max(asymptote, s)
	return Rate{Asymptote: asymptote, HalfSize: (asymptote/s - 1) * float64(n)}
}
