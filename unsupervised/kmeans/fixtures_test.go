package kmeans_test

import (
	"math"

	"example.org/mercer/data"
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
