package filters

import (
	"fmt"

	"example.org/mercer/compute"
	"example.org/mercer/model"
)

// Options say how many filters to learn, and from what.
type Options struct {
	// Filters is their number in each layer.
	Filters []int
	// Patches is the largest number of patches of a layer from which its filters are learned;
	// 0 is 100 000.
	Patches int
	// Epsilon is ε; 0 is 1e-6.
	Epsilon float64
	// Seed chooses the images, their patches and the first filters.
	Seed    uint64
	Compute compute.Options
}

const (
	defaultPatches = 100_000
	defaultEpsilon = 1e-6
	// mostImages bounds the images of which patches are taken: more patches of fewer images say
	// less, and each must be mapped by the layers below.
	mostImages = 10_000
	// rounds bounds those of k-means.
	rounds = 20
)

// PatchCount is the largest number of patches.
func (o Options) PatchCount() int {
	if o.Patches == 0 {
		return defaultPatches
	}
	return o.Patches
}

// Jitter is ε.
func (o Options) Jitter() float64 {
	if o.Epsilon == 0 {
		return defaultEpsilon
	}
	return o.Epsilon
}

// Validate reports every problem of the options for a kernel of so many layers.
func (o Options) Validate(k fmt.Stringer, layers int) error {
	c := model.NewChecks("filters")
	if len(o.Filters) != layers {
		c.Add("%s has %d layers, and there are %d numbers of filters: give one for each layer", k, layers, len(o.Filters))
	}
	for i, m := range o.Filters {
		if m < 1 || m > 1<<16 {
			c.Add("filters = %d of layer %d: give from 1 to %d", m, i+1, 1<<16)
		}
	}
	if o.Patches < 0 {
		c.Add("patches = %d: give at least 1", o.Patches)
	}
	if !(o.Epsilon >= 0) {
		c.Add("epsilon = %v must be above 0", o.Epsilon)
	}
	return c.Err()
}

// String names the options, for journals.
func (o Options) String() string {
	return fmt.Sprintf("filters %v of %d patches, seed %d", o.Filters, o.PatchCount(), o.Seed)
}
