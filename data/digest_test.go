package data_test

import (
	"math"
	"testing"
	"time"

	"example.org/mercer/data"
)

// TestDigest: equal points have equal digests whatever set holds them, and no two of
// these sets have the same.
func TestDigest(t *testing.T) {
	vectors, err := data.NewVectors(2, 2, []float64{1, 2, 3, 4})
	if err != nil {
		t.Fatal(err)
	}
	seen := map[[32]byte]string{}
	add := func(name string, d [32]byte) {
		if other, ok := seen[d]; ok {
			t.Errorf("%s has the digest of %s", name, other)
		}
		seen[d] = name
	}
	add("vectors", data.Digest(vectors)(0, 2))
	add("one vector", data.Digest(vectors)(0, 1))
	add("no vector", data.Digest(vectors)(1, 1))
	add("one long vector", data.Digest(data.Slice[[]float64]{{1, 2, 3, 4}})(0, 1))
	add("exchanged", data.Digest(data.Slice[[]float64]{{3, 4}, {1, 2}})(0, 2))
	add("negative zero", data.Digest[float64](data.Slice[float64]{math.Copysign(0, -1)})(0, 1))
	add("zero", data.Digest[float64](data.Slice[float64]{0})(0, 1))
	add("the whole number zero", data.Digest[int](data.Slice[int]{0})(0, 1))
	add("ab, c", data.Digest[string](data.Slice[string]{"ab", "c"})(0, 2))
	add("a, bc", data.Digest[string](data.Slice[string]{"a", "bc"})(0, 2))
	add("sparse", data.Digest[data.SparseVector](data.Slice[data.SparseVector]{{Index: []int32{1}, Value: []float64{2}}})(0, 1))
	add("a time", data.Digest[time.Time](data.Slice[time.Time]{time.Unix(7, 0)})(0, 1))

	same := data.Digest(data.Slice[[]float64]{{0, 0}, {1, 2}, {3, 4}})(1, 3)
	if seen[same] != "vectors" {
		t.Error("the same vectors in another set have another digest")
	}
	if data.Digest[chan int](data.Slice[chan int]{nil}) != nil {
		t.Error("a channel has no content, but a digest")
	}
}
