package tile

import "example.org/mercer/internal/simd"

// FoldElementary adds a variable v to the elementary symmetric polynomials e₁, …, e_q of others,
// which are e[0], …, e[q−1]:
//
//	e_s ← e_s + v·e_{s−1},   s = q, …, 1,   e₀ = 1
//
// (Shawe-Taylor and Cristianini, Kernel Methods for Pattern Analysis, 2004, section 9.2).
func FoldElementary(e []float64, v float64) {
	if len(e) == 0 {
		return
	}
	for s := len(e) - 1; s > 0; s-- {
		e[s] += float64(v * e[s-1])
	}
	e[0] += v
}

// foldElementary is [FoldElementary] of every element of t, with e_s in e[s−1].
func foldElementary[F float](e [][]F, t []F, w *spare[F]) {
	for s := len(e) - 1; s > 0; s-- {
		for from := 0; from < len(t); from += chunk {
			to := min(from+chunk, len(t))
			u := w.s[:to-from]
			simd.Multiply(u, t[from:to], e[s-1][from:to])
			simd.Add(e[s][from:to], e[s][from:to], u)
		}
	}
	simd.Add(e[0], e[0], t)
}

// weightedSum stores Σ_s weights[s]·e[s] in dst, which may be e[0].
func weightedSum[F float](dst []F, e [][]F, weights []float64, w *spare[F]) {
	simd.Affine(dst, e[0], F(weights[0]), 0)
	for s := 1; s < len(weights); s++ {
		for from := 0; from < len(dst); from += chunk {
			to := min(from+chunk, len(dst))
			u := w.s[:to-from]
			simd.Affine(u, e[s][from:to], F(weights[s]), 0)
			simd.Add(dst[from:to], dst[from:to], u)
		}
	}
}
