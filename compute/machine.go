package compute

import "math"

// Machine holds what a plan needs to know of the machine and of one bound kernel.
// [Calibrate] measures it.
type Machine struct {
	Workers  int     `json:"workers"`
	GemmRate float64 `json:"gemm_flops_per_second"` // matrix products
	CopyRate float64 `json:"bytes_per_second"`      // writing fresh memory
	// ColdRate is that of memory which no process of the machine has touched for long; 0: CopyRate.
	ColdRate float64 `json:"cold_bytes_per_second,omitempty"`
	ReadRate float64 `json:"bytes_read_per_second"` // reading it again
	// SingleGemmRate is GemmRate in single precision; 0: not known, and GemmRate counts.
	SingleGemmRate float64 `json:"single_gemm_flops_per_second,omitempty"`
	Cholesky       Rate    `json:"cholesky"`
	Eigen          Rate    `json:"eigen"` // counting 5n³ flops
	// PairRate is kernel evaluations per second over all workers. It belongs to one
	// bound kernel and is not calibrated: set it from [PairRate].
	PairRate float64 `json:"pairs_per_second"`
	// SinglePairRate is PairRate in single precision; 0: not known, and PairRate counts.
	SinglePairRate float64 `json:"single_pairs_per_second,omitempty"`
	// Share is the part of the processors that the measuring had; 0: unknown.
	Share    float64 `json:"share,omitempty"`
	Memory   int64   `json:"physical_memory"` // bytes; 0 where unknown
	Resident int64   `json:"resident"`        // bytes this process holds beside the buffers of a plan
}

// atHand is about how much memory a system gives without looking for it.
const atHand = 256 << 20

// FreshSeconds is the time to write fresh memory for the first time. What is beyond some hundred
// megabytes may have to come from the host of a virtual machine, at a tenth of the speed.
func (m Machine) FreshSeconds(bytes float64) float64 {
	cold := m.ColdRate
	if cold <= 0 {
		cold = m.CopyRate
	}
	return TimeAt(min(bytes, atHand), m.CopyRate) + TimeAt(max(0, bytes-atHand), cold)
}

// GemmRateAt returns the speed of products at a precision.
func (m Machine) GemmRateAt(p Precision) float64 {
	if p == Single && m.SingleGemmRate > 0 {
		return m.SingleGemmRate
	}
	return m.GemmRate
}

// PairRateAt returns the speed of kernel evaluations at a precision.
func (m Machine) PairRateAt(p Precision) float64 {
	if p == Single && m.SinglePairRate > 0 {
		return m.SinglePairRate
	}
	return m.PairRate
}

// CholeskyRateAt returns the speed of a factorisation at a precision: in single it is
// faster by the ratio of the products, and what delays small ones takes as long as in
// double.
func (m Machine) CholeskyRateAt(p Precision) Rate {
	r := m.Cholesky
	if p == Single && m.SingleGemmRate > 0 && m.GemmRate > 0 {
		faster := m.SingleGemmRate / m.GemmRate
		r.Asymptote *= faster
		r.HalfSize *= faster
	}
	return r
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
