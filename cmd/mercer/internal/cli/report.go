package cli

import (
	"fmt"

	"example.org/mercer/compute"
	"example.org/mercer/pipeline"
	"example.org/mercer/supervised/erm"
	"example.org/mercer/supervised/falkon"
	"example.org/mercer/supervised/gp"
	"example.org/mercer/supervised/kfda"
	"example.org/mercer/supervised/klr"
	"example.org/mercer/supervised/krr"
	"example.org/mercer/supervised/sparsegp"
	"example.org/mercer/supervised/structured"
	"example.org/mercer/supervised/svm"
	"example.org/mercer/unsupervised/gmm"
	"example.org/mercer/unsupervised/kmeans"
	"example.org/mercer/unsupervised/kpca"
	"example.org/mercer/unsupervised/pca"
)

// summarize lays out the report of any method: names and what they are, form among
// them where it belongs.
func summarize(r pipeline.Report, outputs []string, form []string) [][]string {
	switch r := r.(type) {
	case *krr.Report:
		return describeRidge(r, outputs, form)
	case *falkon.Report:
		return describeFalkon(r, form)
	case *gp.Report:
		return describeProcess(r, form)
	case *sparsegp.Report:
		return describeSparse(r, form)
	case *gp.ClassReport:
		return describeLatent(r, form)
	case *klr.Report:
		return describeLogistic(r, form)
	case *kfda.Report:
		return describeDiscriminant(r, form)
	case *kfda.BarycentreReport:
		return describeBarycentres(r, form)
	case *erm.Report:
		return describeRisk(r, form)
	case *erm.QuantileReport:
		return describeQuantiles(r, form)
	case *kpca.Report:
		return describeComponents(r, form)
	case *pca.Report:
		return describeVectorComponents(r, form)
	case *kmeans.Report:
		return describeMeans(r, form)
	case *kmeans.SpectralReport:
		return describeSpectral(r, form)
	case *gmm.Report:
		return describeMixture(r)
	case *structured.Report:
		return describeStructured(r, form)
	case *svm.Report:
		return describeMachines(r, outputs, form)
	}
	return [][]string{form}
}

func describeRidge(r *krr.Report, outputs []string, form []string) [][]string {
	chosen := ""
	if r.LambdaBy != "" {
		chosen = fmt.Sprintf("; the least %s along its path", r.LambdaBy)
	}
	lines := [][]string{
		{"λ", fmt.Sprintf("%s (ridge Nλ = %s%s)", num(r.Lambda), num(r.Ridge), chosen)},
		{"rows", fmt.Sprint(r.N)},
		{"solver", fmt.Sprintf("%s (%s)", r.Solver, r.Why)},
		form,
		{"residual", residualOf(r)},
	}
	if r.Condition > 0 {
		lines = append(lines, []string{"condition", num(r.Condition)})
	}
	for j, name := range outputs {
		lines = append(lines, []string{"train RMSE " + name, fmt.Sprintf("%s, R² %s", num(r.Train.RMSE[j]), num(r.Train.R2[j]))})
		if r.Point != nil {
			lines = append(lines, []string{"leave-one-out RMSE " + name, fmt.Sprintf("%s, R² %s", num(r.Point.LOO.RMSE[j]), num(r.Point.LOO.R2[j]))})
		}
	}
	if r.Point != nil {
		lines = append(lines, []string{"degrees of freedom", num(r.Point.DOF)})
	}
	return lines
}

// residualOf says how the residual was reached where that took more than one solve.
func residualOf(r *krr.Report) string {
	text := num(r.Residual)
	switch {
	case r.Sample > 0:
		text += fmt.Sprintf(" after %d passes in double and %d in single precision, by the factor of a sample of %d rows", r.Iterations, r.SingleProducts, r.Sample)
	case r.SingleProducts > 0:
		text += fmt.Sprintf(" after %d products in double and %d in single precision", r.Iterations, r.SingleProducts)
	case r.Iterations > 0 && r.Precision == compute.Single.String():
		text += fmt.Sprintf(" after %d products in double precision that refine a factor in single precision", r.Iterations)
	case r.Iterations > 0:
		text += fmt.Sprintf(" after %d products", r.Iterations)
	}
	return text
}
