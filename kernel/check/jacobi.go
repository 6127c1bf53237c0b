package check

import "math"

// sweeps is more than the Jacobi method ever needs for matrices of this size.
const sweeps = 30

// smallest returns the smallest eigenvalue of the symmetric m×m matrix a (row-major,
// destroyed) and stores its eigenvector in v; w is scratch of m² numbers.
//
// It is the cyclic Jacobi method: for matrices of a dozen rows it is as fast as
// tridiagonalisation, and on matrices scaled to a unit diagonal it has small
// relative errors even in tiny eigenvalues (Demmel and Veselić, SIAM J. Matrix
// Anal. Appl. 13, 1992).
func smallest(a []float64, m int, v, w []float64) float64 {
	for i := range m * m {
		w[i] = 0
	}
	for i := range m {
		w[i*m+i] = 1
	}
	for range sweeps {
		rotated := false
		for p := range m {
			for q := p + 1; q < m; q++ {
				if math.Abs(a[p*m+q]) > 1e-17*math.Sqrt(math.Abs(a[p*m+p]*a[q*m+q])) {
					rotate(a, w, m, p, q)
					rotated = true
				}
			}
		}
		if !rotated {
			break
		}
	}
	least := 0
	for i := range m {
		if a[i*m+i] < a[least*m+least] {
			least = i
		}
	}
	for i := range m {
		v[i] = w[i*m+least]
	}
	return a[least*m+least]
}

// rotate annihilates a[p,q] by a plane rotation and applies it to the columns of w
// (Golub and Van Loan, Matrix Computations, section 8.5).
func rotate(a, w []float64, m, p, q int) {
	apq := a[p*m+q]
	tau := (a[q*m+q] - a[p*m+p]) / (2 * apq)
	t := 1 / (math.Abs(tau) + math.Sqrt(1+tau*tau))
	if tau < 0 {
		t = -t
	}
	c := 1 / math.Sqrt(1+t*t)
	s := t * c
	a[p*m+p] -= t * apq
	a[q*m+q] += t * apq
	a[p*m+q], a[q*m+p] = 0, 0
	for k := range m {
		if k != p && k != q {
			akp, akq := a[k*m+p], a[k*m+q]
			a[k*m+p] = c*akp - s*akq
			a[k*m+q] = s*akp + c*akq
			a[p*m+k], a[q*m+k] = a[k*m+p], a[k*m+q]
		}
		wp, wq := w[k*m+p], w[k*m+q]
		w[k*m+p] = c*wp - s*wq
		w[k*m+q] = s*wp + c*wq
	}
}
