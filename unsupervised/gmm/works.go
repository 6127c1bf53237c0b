package gmm

import (
	"bytes"
	"encoding/gob"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/linalg/level3"
	"example.org/mercer/pass"
)

// What passes add up over the rows. Their weights go along.

func init() { pass.RegisterWork(scatter{}, expectation{}) }

// scatter is Σ wᵢ‖xᵢ − μ‖².
type scatter struct{ Mean []float64 }

// Sizes counts wᵢ and the sum.
func (scatter) Sizes(int) (in, out, sums int) { return 1, 0, 1 }

// Worker adds the rows one by one.
func (s scatter) Worker(int, level3.Implementation) func(pass.Block) {
	return func(b pass.Block) {
		for i := range b.X.RawMatrix().Rows {
			square := 0.0
			for j, v := range b.X.RawRowView(i) {
				square += (v - s.Mean[j]) * (v - s.Mean[j])
			}
			b.Sums[0] += b.In.At(i, 0) * square
		}
	}
}

// expectation is an E-step: see [fit.expectation].
type expectation struct {
	w    *whitening
	by   summation
	hard bool // labels go along, too
}

// Sizes counts weights and labels, the moments and the totals.
func (e expectation) Sizes(int) (in, out, sums int) {
	mass, first, second, stacked := e.w.numbers(e.by)
	in = 1
	if e.hard {
		in++
	}
	return in, 0, mass + first + second + stacked + 2
}

// Worker adds blocks to the moments.
func (e expectation) Worker(int, level3.Implementation) func(pass.Block) {
	buf, weights, labels := newBuffer(e.w.m), make([]float64, pass.BlockRows), make([]int, pass.BlockRows)
	return func(b pass.Block) {
		n := b.X.RawMatrix().Rows
		for i := range n {
			along := b.In.RawRowView(i)
			if weights[i] = along[0]; e.hard {
				labels[i] = int(along[1])
			}
		}
		s := e.w.momentsIn(b.Sums, e.by)
		if e.hard {
			e.w.block(s, buf, b.Vectors(), labels[:n], weights[:n], e.by)
		} else {
			e.w.block(s, buf, b.Vectors(), nil, weights[:n], e.by)
		}
		copy(b.Sums[len(b.Sums)-2:], []float64{s.likelihood, s.entropy})
	}
}

// sent is an E-step as it is sent: the numbers of the mixture, by their exact bits.
type sent struct {
	Shape            Shape
	Weights          []float64
	Means, Variances pass.Points
	Covariances      [][]float64
	By               summation
	Hard             bool
}

// GobEncode writes the mixture.
func (e expectation) GobEncode() ([]byte, error) {
	m := e.w.m
	s := sent{Shape: m.Shape, Weights: m.Weights, Means: pass.PointsOf(m.Means), By: e.by, Hard: e.hard}
	if m.Variances.Len() > 0 {
		s.Variances = pass.PointsOf(m.Variances)
	}
	for _, c := range m.Covariances {
		s.Covariances = append(s.Covariances, mat.DenseCopyOf(c).RawMatrix().Data)
	}
	var out bytes.Buffer
	err := gob.NewEncoder(&out).Encode(s)
	return out.Bytes(), err
}

// GobDecode reads the mixture, and whitens by it.
func (e *expectation) GobDecode(content []byte) error {
	var s sent
	if err := gob.NewDecoder(bytes.NewReader(content)).Decode(&s); err != nil {
		return err
	}
	m := &Mixture{Shape: s.Shape, Weights: s.Weights}
	var err error
	if m.Means, err = s.Means.Vectors(); err != nil {
		return err
	}
	if m.Variances, err = s.Variances.Vectors(); err != nil {
		return err
	}
	for _, c := range s.Covariances {
		m.Covariances = append(m.Covariances, mat.NewSymDense(s.Means.Dim, c))
	}
	e.by, e.hard = s.By, s.Hard
	if err := m.Check(); err != nil {
		return err
	}
	e.w, err = newWhitening(m)
	return err
}
