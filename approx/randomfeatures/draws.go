package randomfeatures

import (
	"encoding/binary"
	"math"
	"math/rand/v2"

	"example.org/mercer/kernel/construction"
)

// draws hands a stream of random numbers to each part of a map, in the order in which they are
// built.
type draws struct {
	seed        uint64
	frequencies Frequencies
	streams     uint64
}

func (d *draws) next() stream {
	d.streams++
	return stream{d.seed, d.streams}
}

// stream is a numbered list of independent sources: what is drawn for an index does not
// depend on what is drawn for others.
type stream struct{ seed, number uint64 }

func (s stream) at(index int) *rand.Rand {
	var key [32]byte
	copy(key[:8], "features")
	binary.LittleEndian.PutUint64(key[8:], s.seed)
	binary.LittleEndian.PutUint64(key[16:], s.number)
	binary.LittleEndian.PutUint64(key[24:], uint64(index))
	return rand.New(rand.NewChaCha8(key))
}

// frequencies draws count frequencies of dim coordinates from a law, one after the other.
func (d *draws) frequenciesOf(law construction.Law, dim, count int) [][]float64 {
	own, directions := d.next(), d.next()
	out := make([][]float64, count)
	var unit [][]float64
	for i := range out {
		omega, r := make([]float64, dim), own.at(i)
		switch {
		case law.Each != nil:
			for j := range omega {
				omega[j] = law.Each(r)
			}
			if law.Radial != nil {
				scale(omega, law.Radial(r))
			}
		case d.frequencies == Independent || dim == 0:
			normal(omega, r)
			scale(omega, law.Radial(r))
		default:
			if i%dim == 0 {
				unit = orthogonal(dim, min(dim, count-i), directions.at(i/dim))
			}
			normal(omega, r)
			length := norm(omega)
			copy(omega, unit[i%dim])
			scale(omega, length*law.Radial(r))
		}
		for j := range omega {
			omega[j] *= law.Scale[min(j, len(law.Scale)-1)]
		}
		out[i] = omega
	}
	return out
}

// orthogonal returns the first rows of a random orthogonal matrix of n columns: normal vectors
// from which the projection on those before is taken, twice for rounding (Gram and
// Schmidt). As the triangular factor has a positive diagonal, the law is that of Haar.
func orthogonal(n, rows int, r *rand.Rand) [][]float64 {
	q := make([][]float64, 0, rows)
	for len(q) < rows {
		v := make([]float64, n)
		normal(v, r)
		for range 2 {
			for _, u := range q {
				c := dot(u, v)
				for j := range v {
					v[j] -= c * u[j]
				}
			}
		}
		scale(v, 1/norm(v))
		q = append(q, v)
	}
	return q
}

func normal(dst []float64, r *rand.Rand) {
	for j := range dst {
		dst[j] = r.NormFloat64()
	}
}

func scale(v []float64, by float64) {
	for j := range v {
		v[j] *= by
	}
}

func dot(u, v []float64) (sum float64) {
	for j, a := range u {
		sum += float64(a * v[j])
	}
	return sum
}

func norm(v []float64) float64 { return math.Sqrt(dot(v, v)) }
