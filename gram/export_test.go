package gram

import (
	"errors"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/internal/testkit"
)

func TestExportGivesRowsInOrder(t *testing.T) {
	rows, cols := randomPoints(t, 60, 300, 2), randomPoints(t, 61, 170, 2)
	for _, workers := range []int{1, 3} {
		var got []float64
		keep := func(row []float64) error { got = append(got, row...); return nil }
		if err := Export(t.Context(), bind(gaussian{}, rows, cols), Full, compute.Options{Workers: workers}, keep); err != nil {
			t.Fatal(err)
		}
		testkit.CloseSlice(t, "full", got, explicit(gaussian{}, rows, cols).RawMatrix().Data, 0)
	}
}

func TestExportPacked(t *testing.T) {
	xs := randomPoints(t, 62, 300, 2)
	full := explicit(gaussian{}, xs, xs)
	var got, want []float64
	sizes := 0
	err := Export(t.Context(), bind(gaussian{}, xs, xs), PackedLower, compute.Options{Workers: 2}, func(row []float64) error {
		if sizes++; len(row) != sizes {
			t.Errorf("row %d has %d numbers", sizes-1, len(row))
		}
		got = append(got, row...)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 300 {
		want = append(want, full.RawRowView(i)[:i+1]...)
	}
	testkit.CloseSlice(t, "packed", got, want, 0)
	back, err := Unpack(got)
	if err != nil || !mat.Equal(back, full) {
		t.Errorf("the packed triangle does not unpack to the matrix (error %v)", err)
	}
	if n := PackedLower.Count(300, 300); n != int64(len(got)) {
		t.Errorf("Count says %d numbers, there were %d", n, len(got))
	}
	if err := Export(t.Context(), bind(gaussian{}, xs, randomPoints(t, 63, 2, 2)), PackedLower, compute.Options{}, nil); err == nil {
		t.Error("a 300×2 matrix was packed")
	}
}

func TestExportStopsAtTheSinksError(t *testing.T) {
	xs, full := randomPoints(t, 64, 10, 2), errors.New("disk full")
	calls := 0
	err := Export(t.Context(), bind(gaussian{}, xs, xs), Full, compute.Options{}, func([]float64) error {
		if calls++; calls == 4 {
			return full
		}
		return nil
	})
	if !errors.Is(err, full) || calls != 4 {
		t.Errorf("after %d calls: %v", calls, err)
	}
}

func TestUnpackWantsATriangle(t *testing.T) {
	for n := range 60 {
		k, err := Unpack(make([]float64, n))
		triangular := false
		for rows := range 12 {
			triangular = triangular || rows*(rows+1)/2 == n
		}
		if (err == nil) != triangular {
			t.Errorf("%d numbers: error %v", n, err)
		}
		if err == nil && k.RawMatrix().Rows*(k.RawMatrix().Rows+1)/2 != n {
			t.Errorf("%d numbers became %d rows", n, k.RawMatrix().Rows)
		}
	}
}
