package sklearn

import (
	"example.org/mercer/kernel/vec"
	"example.org/mercer/sklearn/skops"
)

// pairwise are the kernels of sklearn.metrics.pairwise, by their names, as functions of γ, the
// degree and c.
var pairwise = map[string]func(gamma float64, degree int, offset float64) vec.Kernel{
	"linear":     func(float64, int, float64) vec.Kernel { return vec.Linear{} },
	"poly":       polynomial,
	"polynomial": polynomial,
	"rbf":        func(gamma float64, _ int, _ float64) vec.Kernel { return vec.RBF{Sigma: widthOf(gamma)} },
	"laplacian":  func(gamma float64, _ int, _ float64) vec.Kernel { return vec.Laplace1{Sigma: 1 / gamma} },
	"sigmoid":    func(gamma float64, _ int, c float64) vec.Kernel { return vec.Tanh{Scale: gamma, Offset: c} },
	"cosine":     func(float64, int, float64) vec.Kernel { return vec.Cosine{} },
	"chi2":       func(gamma float64, _ int, _ float64) vec.Kernel { return vec.Chi2{Gamma: gamma} },
}

func polynomial(gamma float64, degree int, offset float64) vec.Kernel {
	return vec.Poly{Degree: degree, Offset: offset, Scale: gamma}
}

// pairwiseKernel reads the kernel of an estimator, with the γ that it used.
func (r *reader) pairwiseKernel(v *skops.Value, gamma float64) kernelOn {
	name := v.Get("kernel")
	if !name.IsString() {
		name.Failf("is %s, a function of Python, which is no data", name.Qualified())
		return nil
	}
	of, ok := pairwise[name.String()]
	if !ok {
		name.Failf("is %q, which has no expansion over rows of a table here: precomputed matrices are fitted as gram(file=…)", name.String())
		return nil
	}
	degree, offset := 0, 0.0
	switch name.String() {
	case "poly", "polynomial":
		degree = r.orElse(v.Get("degree"), 3).Int(r.ctx)
		if degree < 1 {
			v.Get("degree").Failf("is %d, and polynomial kernels have at least 1", degree)
		}
		offset = r.orElse(v.Get("coef0"), 1).Float(r.ctx)
	case "sigmoid":
		offset = r.orElse(v.Get("coef0"), 1).Float(r.ctx)
	}
	if scaled := name.String() != "linear" && name.String() != "cosine"; scaled && !(gamma > 0) {
		v.Get("gamma").Failf("is %v, and kernels have a positive one", gamma)
	}
	k := of(gamma, degree, offset)
	return func([]int) vec.Kernel { return k }
}
