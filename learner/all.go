package learner

// All are the methods, in the order of the help.
var All = []*Spec{
	krrSpec,
	falkonSpec,
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
func Named(name string) *Spec {
	for _, s := range All {
		if s.Name == name {
			return s
		}
	}
	return nil
}
