package data

import "fmt"

// SparseVector is a vector of which only the listed coordinates may differ from zero.
// Index counts from 0 and rises.
type SparseVector struct {
	Index []int32
	Value []float64
}

// Sparse is a set of sparse vectors of one dimension in compressed rows: row i owns the
// entries from start[i] to start[i+1]. The zero value is the empty set. It costs 12 bytes
// an entry and 8 a row.
type Sparse struct {
	dim   int
	start []int
	index []int32
	value []float64
}

// Len returns the number of vectors.
func (s *Sparse) Len() int { return max(len(s.start)-1, 0) }

// Dim returns the length of every vector.
func (s *Sparse) Dim() int { return s.dim }

// Stored returns the number of entries held, explicit zeros among them.
func (s *Sparse) Stored() int { return len(s.index) }

// At returns vector i as a view into the storage.
func (s *Sparse) At(i int) SparseVector {
	a, b := s.start[i], s.start[i+1]
	return SparseVector{Index: s.index[a:b:b], Value: s.value[a:b:b]}
}

// Append adds one vector, whose entries are copied. The dimension grows to hold it. It
// returns an error unless the indices are not negative, rise, and match the values.
func (s *Sparse) Append(v SparseVector) error {
	if len(v.Index) != len(v.Value) {
		return fmt.Errorf("data: a sparse vector of %d indices has %d values", len(v.Index), len(v.Value))
	}
	last := int32(-1)
	for _, j := range v.Index {
		if j <= last {
			return fmt.Errorf("data: index %d of a sparse vector follows %d: indices must rise from 0", j, last)
		}
		last = j
	}
	if s.start == nil {
		s.start = []int{0}
	}
	s.index = append(s.index, v.Index...)
	s.value = append(s.value, v.Value...)
	s.start = append(s.start, len(s.index))
	s.dim = max(s.dim, int(last)+1)
	return nil
}

// Widen raises the dimension to dim, for files whose last features happen to be absent.
// A dimension below the present one is an error.
func (s *Sparse) Widen(dim int) error {
	if dim < s.dim {
		return fmt.Errorf("data: vectors with %d coordinates do not fit dimension %d", s.dim, dim)
	}
	s.dim = dim
	return nil
}

var _ Set[SparseVector] = (*Sparse)(nil)
