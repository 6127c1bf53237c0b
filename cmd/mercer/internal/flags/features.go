package flags

import (
	"slices"

	"github.com/spf13/cobra"

	"example.org/mercer/approx/randomfeatures"
	"example.org/mercer/cmd/mercer/internal/verb"
	"example.org/mercer/compute"
)

// Features say by which explicit features to learn.
type Features struct {
	Count int
	by    string

	filters []int // of a kernel on images
}

// featureNames are the flags, which the command of the exact fit leaves out.
var featureNames = []string{"random-features", "frequencies", "filters"}

func (f *Features) register(cmd *cobra.Command) {
	defer verb.ApproximationGroup.Claim(cmd.Flags())()
	words := make([]string, len(randomfeatures.AllFrequencies))
	for i, by := range randomfeatures.AllFrequencies {
		words[i] = string(by)
	}
	set := cmd.Flags()
	set.IntVar(&f.Count, featureNames[0], 0, "replace the kernel by at most so many explicit features, random where none are known: frequencies, sketches, hashed words; default: exact")
	set.StringVar(&f.by, featureNames[1], string(randomfeatures.Orthogonal), "how the frequencies of shift-invariant kernels are drawn: "+words[0]+" or "+words[1])
	verb.Choices(cmd, featureNames[1], words)
	set.IntSliceVar(&f.filters, featureNames[2], nil, "replace a ckn(…) of images by features of so many filters in each layer, learned from their patches")
}

// options returns what the flags ask for; ok is false where they ask for nothing.
func (f *Features) options(inv *verb.Invocation, how compute.Options) (o randomfeatures.Options, ok bool, err error) {
	switch {
	case f.Count < 0:
		return o, false, verb.Usagef("--%s is %d; give the number of features, such as 2000", featureNames[0], f.Count)
	case f.Count == 0 && f.by != "" && f.by != string(randomfeatures.Orthogonal): // "": a verb without these flags
		return o, false, verb.Usagef("--%s needs --%s", featureNames[1], featureNames[0])
	case f.Count == 0:
		return o, false, nil
	}
	o = randomfeatures.Options{Dim: f.Count, Frequencies: randomfeatures.Frequencies(f.by), Seed: inv.Seed, Workers: how.Workers}
	if !slices.Contains(randomfeatures.AllFrequencies, o.Frequencies) {
		return o, false, verb.Usagef("--%s %q is not known; there are %q", featureNames[1], f.by, randomfeatures.AllFrequencies)
	}
	return o, true, nil
}
