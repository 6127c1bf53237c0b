package randomfeatures

import (
	"slices"

	"example.org/mercer/model"
)

// Frequencies says how those of a shift-invariant kernel are drawn.
type Frequencies string

const (
	// Orthogonal draws frequencies whose directions, as many as there are coordinates at a
	// time, are orthogonal, with independent lengths (F. X. Yu, A. T. Suresh, K. Choromanski,
	// D. Holtmann-Rice and S. Kumar, Orthogonal random features, NIPS 2016). Each frequency has
	// the law of the kernel, so that nothing is biased, for laws that are spherical but for
	// the widths of columns: those of rbf, laplace, matern and rq. Others are drawn as by
	// Independent.
	Orthogonal Frequencies = "orthogonal"
	// Independent draws them independently (A. Rahimi and B. Recht, Random features for
	// large-scale kernel machines, NIPS 2007).
	Independent Frequencies = "independent"
)

// AllFrequencies are both.
var AllFrequencies = []Frequencies{Orthogonal, Independent}

// Options say which map to make.
type Options struct {
	// Dim is the largest number of features.
	Dim int
	// Frequencies is how they are drawn; "" is [Orthogonal].
	Frequencies Frequencies
	// Seed chooses everything that is drawn.
	Seed uint64
	// Workers is the number of goroutines that map many points; 0 means all cores.
	Workers int
}

// validate reports every problem of the options.
func (o *Options) validate() error {
	c := model.NewChecks("features")
	if o.Dim < 1 {
		c.Add("dim = %d is no number of features: give one of at least 1", o.Dim)
	}
	if o.Frequencies != "" && !slices.Contains(AllFrequencies, o.Frequencies) {
		c.Add("frequencies %q are not known; one of %q is", o.Frequencies, AllFrequencies)
	}
	return c.Err()
}
