package count

import (
	"slices"
	"sort"
)

// Row is φ(x): the features that x has, in ascending order, and how often it has each.
type Row struct {
	Features []uint32
	Times    []uint32
}

// Tally returns the row of a list with one entry for each occurrence, which it sorts.
func Tally(occurrences []uint32) Row {
	slices.Sort(occurrences)
	distinct := 0
	for i, f := range occurrences {
		if i == 0 || f != occurrences[i-1] {
			distinct++
		}
	}
	r := Row{make([]uint32, 0, distinct), make([]uint32, 0, distinct)}
	for i, f := range occurrences {
		if i > 0 && f == occurrences[i-1] {
			r.Times[len(r.Times)-1]++
			continue
		}
		r.Features, r.Times = append(r.Features, f), append(r.Times, 1)
	}
	return r
}

// Weighted returns the row of features, all different, and how often each occurs; it sorts
// both lists.
func Weighted(features, times []uint32) Row {
	sort.Sort(byFeature{features, times})
	return Row{features, times}
}

type byFeature Row

func (r byFeature) Len() int           { return len(r.Features) }
func (r byFeature) Less(i, j int) bool { return r.Features[i] < r.Features[j] }
func (r byFeature) Swap(i, j int) {
	r.Features[i], r.Features[j] = r.Features[j], r.Features[i]
	r.Times[i], r.Times[j] = r.Times[j], r.Times[i]
}

// Dot returns ⟨φ(x), φ(y)⟩.
func (x Row) Dot(y Row) uint64 {
	sum, j := uint64(0), 0
	for i, f := range x.Features {
		for j < len(y.Features) && y.Features[j] < f {
			j++
		}
		if j == len(y.Features) {
			break
		}
		if y.Features[j] == f {
			sum += uint64(x.Times[i]) * uint64(y.Times[j])
		}
	}
	return sum
}

// Square returns ⟨φ(x), φ(x)⟩.
func (x Row) Square() uint64 {
	sum := uint64(0)
	for _, c := range x.Times {
		sum += uint64(c) * uint64(c)
	}
	return sum
}
