package kmeans_test

import (
	"math"

	"mercer/data"
)

// waves are the points of the reference values: see the field "origin" of
// testdata/sklearn.json.
func waves(n, d int) data.Vectors {
	x := data.MakeVectors(n, d)
	for i := range n {
		for j := range d {
			x.At(i)[j] = 4*math.Cos(2.4*float64(i%5+1)*float64(j+1)) + math.Sin(12.9898*float64(i+1)*float64(j+1)+0.5*float64(j))
		}
	}
	return x
}

// rings are n points on circles of radius 1 and 3, alternately, with the ring of each.
func rings(n int) (data.Vectors, []int) {
	x, ring := data.MakeVectors(n, 2), make([]int, n)
	for i := range n {
		ring[i] = i % 2
		radius, angle := float64(1+2*ring[i])+0.1*math.Sin(float64(7*i)), 4*math.Pi*float64(i/2)/float64(n)
		x.At(i)[0], x.At(i)[1] = radius*math.Cos(angle), radius*math.Sin(angle)
	}
	return x, ring
}

// samePartition reports whether two labellings differ by the names of clusters alone.
func samePartition(a, b []int) bool {
	there, back := map[int]int{}, map[int]int{}
	for i := range a {
		t, ok := there[a[i]]
		u, ko := back[b[i]]
		if ok && t != b[i] || ko && u != a[i] {
			return false
		}
		there[a[i]], back[b[i]] = b[i], a[i]
	}
	return true
}
