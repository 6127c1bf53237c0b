package cli

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"example.org/mercer/approx/randomfeatures"
	"example.org/mercer/compute"
	"example.org/mercer/task"
)

// featureFlags say by which explicit features to learn.
type featureFlags struct {
	count int
	by    string
}

// featureNames are the flags, which the command of the exact fit leaves out.
var featureNames = []string{"random-features", "frequencies"}

func (f *featureFlags) register(cmd *cobra.Command) {
	defer approxim.claim(cmd.Flags())()
	words := make([]string, len(randomfeatures.AllFrequencies))
	for i, by := range randomfeatures.AllFrequencies {
		words[i] = string(by)
	}
	flags := cmd.Flags()
	flags.IntVar(&f.count, featureNames[0], 0, "replace the kernel by at most so many explicit features, random where none are known: frequencies, sketches, hashed words; default: exact")
	flags.StringVar(&f.by, featureNames[1], string(randomfeatures.Orthogonal), "how the frequencies of shift-invariant kernels are drawn: "+words[0]+" or "+words[1])
	_ = cmd.RegisterFlagCompletionFunc(featureNames[1], cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
}

// options returns what the flags ask for; ok is false where they ask for nothing.
func (f *featureFlags) options(inv *invocation, how compute.Options) (o randomfeatures.Options, ok bool, err error) {
	switch {
	case f.count < 0:
		return o, false, usagef("--%s is %d; give the number of features, such as 2000", featureNames[0], f.count)
	case f.count == 0 && f.by != "" && f.by != string(randomfeatures.Orthogonal): // "": a verb without these flags
		return o, false, usagef("--%s needs --%s", featureNames[1], featureNames[0])
	case f.count == 0:
		return o, false, nil
	}
	o = randomfeatures.Options{Dim: f.count, Frequencies: randomfeatures.Frequencies(f.by), Seed: inv.seed, Workers: how.Workers}
	if !slices.Contains(randomfeatures.AllFrequencies, o.Frequencies) {
		return o, false, usagef("--%s %q is not known; there are %q", featureNames[1], f.by, randomfeatures.AllFrequencies)
	}
	return o, true, nil
}

// describeFeatures lays out by which features a model was found; nil: by none.
func describeFeatures(m *task.FeatureMap, exact string) [][]string {
	if m == nil {
		return nil
	}
	expected := "nothing in them is drawn"
	if m.Expected > 0 {
		expected = num(m.Expected) + " expected"
	}
	lines := [][]string{
		{"feature map", fmt.Sprintf("%d features (seed %d, %s frequencies)", m.Features, m.Seed, m.Frequencies)},
		{"approximation", fmt.Sprintf("error %s of kernel values (root of the mean square; %s), largest %s, relative %s, on a block of %d", num(m.RMS), expected, num(m.Max), num(m.Block), m.Compared())},
	}
	if exact != "" {
		lines = append(lines, []string{"exact", exact})
	}
	return lines
}
