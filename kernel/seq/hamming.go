package seq

import (
	"math/big"
)

// Functions of the Hamming distance d(u, v) of words of l symbols out of b. The matrices
// h(d(u, v)) form a commutative algebra, the Hamming scheme; its eigenvalues are sums of
// Krawtchouk polynomials (Delsarte, An algebraic approach to the association schemes of
// coding theory, 1973). All is computed in whole numbers and fractions.

// choose is the binomial coefficient C(n, r), 0 outside of 0 ≤ r ≤ n.
func choose(n, r int) *big.Int {
	if r < 0 || r > n {
		return new(big.Int)
	}
	return new(big.Int).Binomial(int64(n), int64(r))
}

// times returns the product of whole numbers.
func times(factors ...*big.Int) *big.Int {
	product := big.NewInt(1)
	for _, f := range factors {
		product.Mul(product, f)
	}
	return product
}

// power returns bᵉ.
func power(b, e int) *big.Int {
	return new(big.Int).Exp(big.NewInt(int64(b)), big.NewInt(int64(e)), nil)
}

// krawtchouk returns K_i(d) = Σⱼ (−1)ʲ (b−1)^(i−j) C(d, j) C(l−d, i−j): the sum over the
// characters of weight i at a word of distance d from the origin, and as a function of i and d
// exchanged the eigenvalues of the matrix of distance i.
func krawtchouk(l, b, i, d int) *big.Int {
	sum := new(big.Int)
	for j := range i + 1 {
		term := times(power(b-1, i-j), choose(d, j), choose(l-d, i-j))
		if j%2 == 1 {
			term.Neg(term)
		}
		sum.Add(sum, term)
	}
	return sum
}

// common returns the number of words at distance p from u and q from v, for d(u, v) = d. Of
// the d places where u and v differ such a word agrees with u in d−p+s and with v in d−q+s,
// where s is the number of other places in which it differs from both.
func common(l, b, d, p, q int) *big.Int {
	sum := new(big.Int)
	for s := 0; s <= l-d; s++ {
		i, j := d-p+s, d-q+s
		if i < 0 || j < 0 || i+j > d {
			continue
		}
		sum.Add(sum, times(choose(l-d, s), power(b-1, s), choose(d, i), choose(d-i, j), power(b-2, d-i-j)))
	}
	return sum
}

// convolved returns the function of the matrix product of two functions of the distance.
func convolved(l, b int, f, g []*big.Rat) []*big.Rat {
	out := make([]*big.Rat, l+1)
	for d := range out {
		out[d] = new(big.Rat)
		for p, fp := range f {
			for q, gq := range g {
				if fp.Sign() == 0 || gq.Sign() == 0 {
					continue
				}
				term := new(big.Rat).SetInt(common(l, b, d, p, q))
				out[d].Add(out[d], term.Mul(term, fp).Mul(term, gq))
			}
		}
	}
	return out
}

// eigenvalues returns those of the matrix h(d(u, v)) over all words: λᵢ = Σ_d h(d) K_d(i).
func eigenvalues(l, b int, h []*big.Rat) []*big.Rat {
	out := make([]*big.Rat, l+1)
	for i := range out {
		out[i] = new(big.Rat)
		for d, hd := range h {
			term := new(big.Rat).SetInt(krawtchouk(l, b, d, i))
			out[i].Add(out[i], term.Mul(term, hd))
		}
	}
	return out
}
