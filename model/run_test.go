package model_test

import (
	"slices"
	"testing"
	"time"

	"example.org/mercer/model"
)

func TestStopwatchSplitsTime(t *testing.T) {
	var r model.Run
	began := time.Now()
	w := model.NewStopwatch()
	time.Sleep(2 * time.Millisecond)
	w.Lap(&r, "gram")
	w.Lap(&r, "factor")
	most := time.Since(began).Seconds()
	if len(r.Stages) != 2 || r.Stages[0].Name != "gram" || r.Stages[1].Name != "factor" {
		t.Fatalf("stages %v", r.Stages)
	}
	if sum := r.Stages[0].Seconds + r.Stages[1].Seconds; !(r.Stages[0].Seconds >= 2e-3) || sum > r.Seconds+1e-9 || sum < r.Seconds-1e-9 || r.Seconds > most {
		t.Errorf("stages %v of %v s, at most %v", r.Stages, r.Seconds, most)
	}
	r.Warn("condition %.1e", 1e12)
	if !slices.Equal(r.Ran().Warnings, []string{"condition 1.0e+12"}) {
		t.Errorf("warnings %q", r.Warnings)
	}
}
