package tile

import (
	"math"
	"slices"
	"testing"

	"example.org/mercer/data"
	"example.org/mercer/internal/testkit"
)

const normals = 6

// coded returns n points of standardised columns: normal numbers, then the one-hot codes of 30
// classes, of which the first has more than half of the points.
func coded(t testing.TB, n int) data.Vectors {
	const classes = 30
	r, xs := testkit.Rand(t, 5), data.MakeVectors(n, normals+classes)
	for i := range n {
		x := xs.At(i)
		for j := range normals {
			x[j] = r.NormFloat64()
		}
		class := 0
		if r.Float64() > 0.6 {
			class = r.IntN(classes)
		}
		x[normals+class] = 1
	}
	for j := normals; j < normals+classes; j++ {
		mean := 0.0
		for i := range n {
			mean += xs.At(i)[j] / float64(n)
		}
		for i := range n {
			xs.At(i)[j] = (xs.At(i)[j] - mean) / math.Sqrt(mean*(1-mean)+1e-3)
		}
	}
	return xs
}

// The centre is the value of most rows where there is one, else the mean; the mean square
// about it is at most twice the variance.
func TestCentreIsTheValueOfMost(t *testing.T) {
	const n = 256 // a power of two: the sample is all
	xs := coded(t, n)
	p := gather(&Statistic{Kind: SquaredDistance}, xs)
	for j, c := range p.centre(nil) {
		column, mean, about, variance := make([]float64, n), 0.0, 0.0, 0.0
		for i := range column {
			column[i] = xs.At(i)[j]
			mean += column[i] / n
		}
		for _, v := range column {
			about += (v - c) * (v - c) / n
			variance += (v - mean) * (v - mean) / n
		}
		if about > 2*variance*(1+1e-12) {
			t.Errorf("column %d: mean square %v about the centre, variance %v", j, about, variance)
		}
		slices.Sort(column)
		want := column[n/2] // the median is the value of most
		if j < normals {
			want = mean
		}
		testkit.Close(t, "centre", c, want, 1e-12)
	}
}

// Distances of such points leave coordinates out, and are those of the definition.
func TestCodedColumnsAreListed(t *testing.T) {
	xs := coded(t, 300)
	s := &Statistic{Kind: SquaredDistance, Weights: ones(xs.Dim())} // without weights they are categories
	f := bindStatistic(s, xs, xs, true)
	if groups := len(f.cols.listed) - 1; groups < 1 || len(f.cols.lists) > groups*xs.Dim()/2 {
		t.Errorf("%d coordinates are left in %d groups of points with %d each", len(f.cols.lists), groups, xs.Dim())
	}
	const columns = 19 // panels
	dst := make([]float64, columns*16)
	for i := range xs.Len() {
		f.fill(dst, len(dst), i, i+1, 0, columns)
		for j := range xs.Len() {
			want := s.squaredDistance(xs.At(i), xs.At(j))
			if !(math.Abs(dst[j]-want) <= 16*float64(xs.Dim()+3)*0x1p-53*want) { // see keptShare
				t.Fatalf("the squared distance of %d and %d is %v, want %v", i, j, dst[j], want)
			}
		}
	}
}
