package methods

import "example.org/mercer/learner"

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
	kmeansSpec,
	kernelKMeansSpec,
	spectralSpec,
	gmmSpec,
	kfdaSpec,
	barycentreSpec,
	ermSpec,
	quantilesSpec,
	structuredSpec,
}

// Named returns the method of a name; nil: there is none.
func Named(name string) *learner.Spec {
	for _, s := range All {
		if s.Name == name {
			return s
		}
	}
	return nil
}
