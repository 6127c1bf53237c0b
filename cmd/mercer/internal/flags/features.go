package flags

import (
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"example.org/mercer/approx/randomfeatures"
	"example.org/mercer/cmd/mercer/internal/verb"
	"example.org/mercer/compute"
	"example.org/mercer/supervised/sckn"
)

// Features say by which explicit features to learn.
type Features struct {
	Count int
	by    string

	filters []int // of a kernel on images
	epochs  int   // in which the targets move them
	augment []string
}

// featureNames are the flags, which the command of the exact fit leaves out.
var featureNames = []string{"random-features", "frequencies", "filters", "filter-epochs", "augment"}

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
	f.registerFilters(cmd)
}

// registerFilters adds the flags of filters alone, for a method that has landmarks of its own: it
// may choose them for the kernel of the features.
func (f *Features) registerFilters(cmd *cobra.Command) {
	defer verb.ApproximationGroup.Claim(cmd.Flags())()
	set := cmd.Flags()
	set.IntSliceVar(&f.filters, featureNames[2], nil, "replace a ckn(…) of images, or a motif(…) of sequences, by features of so many filters in each layer, learned from patches or words")
	set.IntVar(&f.epochs, featureNames[3], 0, "let the targets move the filters in at most so many passes over the rows, of which a tenth is kept aside to say which is best; default: they see none")
	set.StringSliceVar(&f.augment, featureNames[4], nil, "change images by chance in these passes: shift=2 moves them by up to two pixels, flip mirrors half of them")
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

// training returns how the targets are to move the filters; nil: not at all.
func (f *Features) training(inv *verb.Invocation) (*sckn.Options, error) {
	o := &sckn.Options{Epochs: f.epochs, Seed: inv.Seed}
	for _, word := range f.augment {
		name, value, _ := strings.Cut(word, "=")
		pixels, err := strconv.Atoi(value)
		switch {
		case word == "flip":
			o.Augment.Flip = true
		case name == "shift" && err == nil && pixels >= 0:
			o.Augment.Shift = pixels
		default:
			return nil, verb.Usagef("--%s %q is not known: write shift=2, a number of pixels, or flip", featureNames[4], word)
		}
	}
	switch {
	case f.epochs < 0:
		return nil, verb.Usagef("--%s is %d: give the largest number of passes, such as 10", featureNames[3], f.epochs)
	case f.epochs == 0 && f.augment != nil:
		return nil, verb.Usagef("--%s changes images while filters move: give --%s", featureNames[4], featureNames[3])
	case f.epochs == 0:
		return nil, nil
	}
	return o, nil
}
