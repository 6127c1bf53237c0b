package data_test

import (
	"slices"
	"strings"
	"testing"

	"example.org/mercer/data"
)

func TestWithout(t *testing.T) {
	if left, err := data.Without(5, []int{3, 0, 3}); err != nil || !slices.Equal(left, []int{1, 2, 4}) {
		t.Errorf("left are %v, %v", left, err)
	}
	for want, gone := range map[string][]int{"row 2 ": {0, 2}, "row -1 ": {-1}, "all 2 rows": {1, 0}} {
		if _, err := data.Without(2, gone); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("without %v: error %v", gone, err)
		}
	}
}
