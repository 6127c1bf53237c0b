package lbfgs_test

import (
	"errors"
	"math"
	"testing"

	"example.org/mercer/internal/lbfgs"
	"example.org/mercer/internal/testkit"
)

// valley is Rosenbrock's function, without a value where x > edge. It counts its evaluations.
func valley(edge float64, count *int) lbfgs.Function {
	return func(z []float64) (float64, []float64, error) {
		*count++
		x, y := z[0], z[1]
		if x > edge {
			return math.Inf(1), nil, nil
		}
		return (1-x)*(1-x) + 100*(y-x*x)*(y-x*x), []float64{-2*(1-x) - 400*x*(y-x*x), 200 * (y - x*x)}, nil
	}
}

func TestMinimize(t *testing.T) {
	for _, edge := range []float64{math.Inf(1), 1.01} {
		count, steps, last := 0, 0, []float64{}
		r, err := lbfgs.Minimize([]float64{-1.2, 1}, valley(edge, &count), lbfgs.Options{Gradient: 1e-8, Stepped: func(z []float64) error {
			last = append(last[:0], z...)
			steps++
			return nil
		}})
		if err != nil || r.Stuck != nil || r.Limit {
			t.Fatalf("%+v, %v", r, err)
		}
		testkit.CloseSlice(t, "minimum", last, []float64{1, 1}, 1e-6)
		if r.Steps < 10 || count < r.Steps || count > 3*r.Steps || steps != r.Steps+1 {
			t.Errorf("%d steps, %d were told with the start, and %d evaluations", r.Steps, steps, count)
		}
	}
}

func TestEnds(t *testing.T) {
	count, errBroken := 0, errors.New("broken")
	r, err := lbfgs.Minimize([]float64{-1.2, 1}, valley(9, &count), lbfgs.Options{Evaluations: 10})
	if err != nil || !r.Limit || count < 10 || count > 12 {
		t.Errorf("10 evaluations: %+v, %v after %d", r, err, count)
	}
	r, err = lbfgs.Minimize([]float64{-1.2, 1}, valley(9, &count), lbfgs.Options{Steps: 3})
	if err != nil || r.Limit || r.Steps != 3 {
		t.Errorf("3 steps: %+v, %v", r, err)
	}
	count = 0
	_, err = lbfgs.Minimize([]float64{-1.2, 1}, valley(9, &count), lbfgs.Options{Enough: func() bool { return count >= 5 }})
	if err != nil || count < 5 || count > 6 {
		t.Errorf("enough after 5 evaluations: %v after %d", err, count)
	}
	_, err = lbfgs.Minimize([]float64{0, 0}, func([]float64) (float64, []float64, error) { return 0, nil, errBroken }, lbfgs.Options{})
	if !errors.Is(err, errBroken) {
		t.Errorf("an evaluation that fails: %v", err)
	}
	_, err = lbfgs.Minimize([]float64{-1.2, 1}, valley(9, &count), lbfgs.Options{Stepped: func([]float64) error { return errBroken }})
	if !errors.Is(err, errBroken) {
		t.Errorf("a step that fails: %v", err)
	}
}
