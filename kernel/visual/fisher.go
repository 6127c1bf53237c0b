package visual

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
)

// Fisher is the improved Fisher vector of a mixture Σ_k π_k N(μ_k, diag σ_k²) of so many
// components. With the responsibilities γ_t(k) of the T descriptors x_t of a cell, the gradients of
// their mean log-likelihood, scaled by the diagonal of the Fisher information, are
//
//	g_π,k = (1/T) Σ_t (γ_t(k) − π_k)/√π_k
//	g_μ,k = (1/(T√π_k)) Σ_t γ_t(k)·(x_t − μ_k)/σ_k
//	g_σ,k = (1/(T√(2π_k))) Σ_t γ_t(k)·((x_t − μ_k)²/σ_k² − 1)
//
// one after another: all g_π, all g_μ, all g_σ. The code of a cell is sign(g)√|g| of each number,
// scaled to the length 1/√(number of cells), so that k(x, x) = 1 for the linear kernel unless a
// cell is 0 (Perronnin, Sánchez and Mensink 2010). The dictionary is the π_k, the μ_k, and the
// σ_k².
type Fisher int

// Name returns fisher.
func (Fisher) Name() string { return "fisher" }

// Size returns the number of components.
func (f Fisher) Size() int { return int(f) }

// Numbers returns 1 + 2d for each component.
func (f Fisher) Numbers(d int) int { return int(f) * (1 + 2*d) }

// Features returns 1 + 2d for each component.
func (f Fisher) Features(d int) int { return f.Numbers(d) }

func (Fisher) argument() string { return "components" }

func (Fisher) card() (title, formula, source string) {
	return "Fisher vectors of a mixture of Gaussians", "k₀(g(x), g(y)), g = signed roots of the gradients of the mean log-likelihood of the descriptors, of unit length",
		"Perronnin, Sánchez and Mensink, ECCV 2010"
}

func (f Fisher) check(numbers []float64, d int) error {
	k := int(f)
	for i, v := range numbers[:k] {
		if !(v > 0) {
			return fmt.Errorf("weight %d of the mixture (counted from 1) is %v, not above 0", i+1, v)
		}
	}
	for i, v := range numbers[k*(1+d):] {
		if !(v > 0) {
			return fmt.Errorf("variance %d of component %d (counted from 1) is %v, not above 0", i%d+1, i/d+1, v)
		}
	}
	return nil
}

func (f Fisher) of(numbers []float64, d int) coder {
	k := int(f)
	m := &mixture{k: k, d: d, weights: numbers[:k], means: numbers[k : k*(1+d)], variances: numbers[k*(1+d):],
		precisions: make([]float64, k*d), pulls: make([]float64, k*d), constants: make([]float64, k)}
	for j := range k {
		c := math.Log(m.weights[j])
		for t := j * d; t < (j+1)*d; t++ {
			m.precisions[t] = -1 / (2 * m.variances[t])
			m.pulls[t] = m.means[t] / m.variances[t]
			c -= (math.Log(2*math.Pi*m.variances[t]) + m.means[t]*m.pulls[t]) / 2
		}
		m.constants[j] = c
	}
	return m
}

// mixture makes Fisher vectors.
type mixture struct {
	k, d                      int
	weights, means, variances []float64
	// ln π_k N(x | μ_k, σ_k²) = ⟨precisions, x²⟩ + ⟨pulls, x⟩ + constants
	precisions, pulls, constants []float64
	x, squares, shares, second   []float64
	cell                         [3][]float64
	first, moments               []float64
}

// see finds the responsibilities of each descriptor.
func (m *mixture) see(x []float64, count int) {
	m.x, m.squares = x[:count*m.d], sized(m.squares, count*m.d)
	floats.MulTo(m.squares, m.x, m.x)
	m.shares, m.second = sized(m.shares, count*m.k), sized(m.second, count*m.k)
	products(false, count, m.k, m.d, m.x, m.pulls, m.shares)
	products(false, count, m.k, m.d, m.squares, m.precisions, m.second)
	floats.Add(m.shares, m.second)
	for t := range count {
		row := m.shares[t*m.k : (t+1)*m.k]
		floats.Add(row, m.constants)
		whole := floats.LogSumExp(row)
		for j, v := range row {
			row[j] = math.Exp(v - whole)
		}
	}
}

func (m *mixture) pool(dst []float64, members []int, _ float64, cells int) {
	clear(dst)
	if len(members) == 0 {
		return
	}
	shares, x, squares := m.gather(members)
	m.first, m.moments = sized(m.first, m.k*m.d), sized(m.moments, m.k*m.d)
	products(true, m.k, m.d, len(members), shares, x, m.first)
	products(true, m.k, m.d, len(members), shares, squares, m.moments)
	count := float64(len(members))
	for j, pi := range m.weights {
		sum := 0.0
		for t := j; t < len(shares); t += m.k {
			sum += shares[t]
		}
		dst[j] = (sum/count - pi) / math.Sqrt(pi)
		for t := j * m.d; t < (j+1)*m.d; t++ {
			mu, v := m.means[t], m.variances[t]
			centred := m.first[t] - sum*mu
			spread := m.moments[t] - 2*mu*m.first[t] + sum*mu*mu
			dst[m.k+t] = centred / (count * math.Sqrt(pi*v))
			dst[m.k*(1+m.d)+t] = (spread/v - sum) / (count * math.Sqrt(2*pi))
		}
	}
	for i, v := range dst {
		dst[i] = math.Copysign(math.Sqrt(math.Abs(v)), v)
	}
	if length := floats.Norm(dst, 2); length > 0 {
		floats.Scale(1/(length*math.Sqrt(float64(cells))), dst)
	}
}

// gather returns the responsibilities and the descriptors of a cell, and their squares.
func (m *mixture) gather(members []int) (shares, x, squares []float64) {
	if len(members)*m.d == len(m.x) {
		return m.shares, m.x, m.squares // a cell of all
	}
	for i, of := range [3]struct {
		from  []float64
		width int
	}{{m.shares, m.k}, {m.x, m.d}, {m.squares, m.d}} {
		m.cell[i] = m.cell[i][:0]
		for _, t := range members {
			m.cell[i] = append(m.cell[i], of.from[t*of.width:(t+1)*of.width]...)
		}
	}
	return m.cell[0], m.cell[1], m.cell[2]
}
