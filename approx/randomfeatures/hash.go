package randomfeatures

import (
	"context"
	"math"
	"math/bits"

	"example.org/mercer/data"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/construction"
)

// hashed is the map of Σ_u m_u n_u(x) n_u(y), where n_u counts the occurrences of a word or a
// colour u. Each u is added to one of m places with a random sign; both are a hash of its name,
//
//	z_p(x) = Σ_{u: h(u) = p} s(u)·√m_u·n_u(x)
//
// (K. Weinberger, A. Dasgupta, J. Langford, A. Smola and J. Attenberg, Feature hashing for
// large scale multitask learning, ICML 2009). E⟨z(x), z(y)⟩ = k(x, y), and with a_u = √m_u n_u(x),
// b_u for y, the variance is (‖a‖²‖b‖² + ⟨a, b⟩² − 2 Σ a_u²b_u²)/m.
type hashed[T any] struct {
	construction.Counting[T]
	m    int
	keys [2]uint64
}

func newHashed[T any](r construction.Counting[T], m int, d *draws) *hashed[T] {
	source := d.next().at(0)
	return &hashed[T]{Counting: r, m: m, keys: [2]uint64{source.Uint64(), source.Uint64()}}
}

func (b *hashed[T]) dim() int { return b.m }

func (b *hashed[T]) rows(dst kernel.Tile, xs data.Set[T], from int) {
	for i := range dst.Rows {
		row := dst.Row(i)
		clear(row)
		b.list(xs.At(from+i), func(feature string, v float64) {
			place, sign := b.hash(feature)
			row[place] += sign * v
		})
	}
}

// list visits the occurrences of features with √m.
func (b *hashed[T]) list(x T, visit func(feature string, v float64)) {
	// The only error is that of a context, of which there is none.
	_ = b.List(context.Background(), x, func(feature string, m float64, _ []int) { visit(feature, math.Sqrt(m)) })
}

// hash returns h and s of a name: the hash of Fowler, Noll and Vo from a random start, mixed by the
// finisher of MurmurHash3 around a random key.
func (b *hashed[T]) hash(feature string) (place int, sign float64) {
	h := b.keys[0]
	for i := range len(feature) {
		h = (h ^ uint64(feature[i])) * 1099511628211
	}
	h = mixed(mixed(h) ^ b.keys[1])
	high, _ := bits.Mul64(h, uint64(b.m))
	return int(high), float64(1 - 2*int(mixed(h+1)&1))
}

func mixed(h uint64) uint64 {
	h = (h ^ h>>33) * 0xff51afd7ed558ccd
	h = (h ^ h>>33) * 0xc4ceb9fe1a85ec53
	return h ^ h>>33
}

// variance is the formula above, with the counts themselves.
func (b *hashed[T]) variance(x, y T, _, _ []float64) float64 {
	counts := func(x T) map[string]float64 {
		c := map[string]float64{}
		b.list(x, func(feature string, v float64) { c[feature] += v })
		return c
	}
	a, c := counts(x), counts(y)
	var aa, cc, ac, both float64
	for u, v := range a {
		w := c[u]
		aa, ac, both = aa+v*v, ac+v*w, both+v*v*w*w
	}
	for _, w := range c {
		cc += w * w
	}
	return (aa*cc + ac*ac - 2*both) / float64(b.m)
}
