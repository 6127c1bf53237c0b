package learner

import (
	"math"

	"gonum.org/v1/gonum/stat"

	"example.org/mercer/supervised/krr"
	"example.org/mercer/supervised/svm"
	"example.org/mercer/task"
	"example.org/mercer/tune"
)

// axes are none: λ is followed along its path.
func (KRR) Axes(*task.Task) []tune.Axis { return nil }

func (o KRR) With(values []float64) Tunable {
	o.Lambda, o.Ridge, o.LambdaBy = values[0], 0, ""
	return o
}

func (o KRR) PathOptions() krr.PathOptions { return krr.PathOptions{NoIntercept: o.NoIntercept} }

// axes are C, from a quarter to 2^10, or ν.
func (o SVC) Axes(*task.Task) []tune.Axis {
	if o.Type == svm.NuSVC {
		return []tune.Axis{{Name: "nu", Values: []float64{0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7}}}
	}
	return []tune.Axis{tune.Powers("C", 2, -2, 10, 2)}
}

func (o SVC) With(values []float64) Tunable {
	if o.Type == svm.NuSVC {
		o.Nu = values[0]
	} else {
		o.C = values[0]
	}
	return o
}

// axes are C and ε, or C and ν, in units of the spread of the target.
func (o SVR) Axes(p *task.Task) []tune.Axis {
	spread := 1.0
	if y, err := p.Number(); err == nil {
		if s := math.Sqrt(stat.PopVariance(y, p.Rows.W)); s > 0 {
			spread = s
		}
	}
	scaled := func(a tune.Axis) tune.Axis {
		for i := range a.Values {
			a.Values[i] *= spread
		}
		return a
	}
	c := scaled(tune.Powers("C", 2, -2, 10, 2))
	if o.Type == svm.NuSVR {
		return []tune.Axis{c, {Name: "nu", Values: []float64{0.2, 0.4, 0.6, 0.8}}}
	}
	return []tune.Axis{c, scaled(tune.Axis{Name: "epsilon", Log: true, Values: []float64{0.01, 0.03, 0.1, 0.3}})}
}

func (o SVR) With(values []float64) Tunable {
	o.C = values[0]
	if o.Type == svm.NuSVR {
		o.Nu = values[1]
	} else {
		o.Epsilon = values[1]
	}
	return o
}

// axes are λ in decades.
func (KLR) Axes(*task.Task) []tune.Axis { return []tune.Axis{tune.Powers("lambda", 10, -6, 0, 1)} }

func (o KLR) With(values []float64) Tunable {
	o.Lambda, o.Ridge = values[0], 0
	return o
}
