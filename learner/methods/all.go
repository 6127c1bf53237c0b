package methods

import (
	"example.org/mercer/learner"
	"example.org/mercer/learner/clustering"
)

// All are the methods, in the order of the help.
var All = []*learner.Spec{
	krrSpec,
	falkonSpec,
	rfmSpec,
	klrSpec,
	gpSpec,
	gpcSpec,
	svcSpec,
	svrSpec,
	oneClassSpec,
	kpcaSpec,
	pcaSpec,
	isomapSpec,
	lleSpec,
	eigenmapSpec,
	diffusionMapSpec,
	mdsSpec,
	clustering.KMeansSpec,
	clustering.KernelKMeansSpec,
	clustering.SpectralSpec,
	clustering.GMMSpec,
	kfdaSpec,
	barycentreSpec,
	ermSpec,
	quantilesSpec,
	structuredSpec,
	lapRLSSpec,
	lapSVMSpec,
	propagateSpec,
}

// Named returns the method of a name in a model file; nil: there is none.
func Named(name string) *learner.Spec {
	for _, s := range All {
		if s.Name == name {
			return s
		}
	}
	if name == importedSpec.Name {
		return importedSpec
	}
	return nil
}
