package flags

import (
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"example.org/mercer/approx/nystrom"
	"example.org/mercer/cmd/mercer/internal/verb"
	"example.org/mercer/compute"
)

// Landmarks say by which low-rank kernel to learn.
type Landmarks struct {
	Count, by string
	among     int
}

// landmarkNames are the flags, which the command of the exact fit leaves out.
var landmarkNames = []string{"landmarks", "landmarks-by", "landmarks-among"}

func (f *Landmarks) register(cmd *cobra.Command) {
	defer verb.ApproximationGroup.Claim(cmd.Flags())()
	words := make([]string, len(nystrom.Schemes))
	for i, s := range nystrom.Schemes {
		words[i] = string(s)
	}
	set := cmd.Flags()
	set.StringVar(&f.Count, landmarkNames[0], "", "approximate the kernel by landmarks (Nyström): their number, such as 1000, or the share of the trace that they may leave, such as 1e-3; default: exact")
	set.StringVar(&f.by, landmarkNames[1], string(nystrom.Pivoted), "how landmarks are chosen: "+strings.Join(words, ", "))
	set.IntVar(&f.among, landmarkNames[2], 0, "choose landmarks among so many random rows; default: all")
	verb.Choices(cmd, landmarkNames[1], words)
}

// options returns what the flags ask for; ok is false where they ask for nothing.
func (f *Landmarks) options(inv *verb.Invocation, how compute.Options) (o nystrom.Options, ok bool, err error) {
	if f.Count == "" {
		if f.among != 0 {
			return o, false, verb.Usagef("--landmarks-among needs --landmarks")
		}
		return o, false, nil
	}
	o = nystrom.Options{Scheme: nystrom.Scheme(f.by), Among: f.among, Seed: inv.Seed, Compute: how}
	if !slices.Contains(nystrom.Schemes, o.Scheme) {
		return o, false, verb.Usagef("--landmarks-by %q is not known; there are %q", f.by, nystrom.Schemes)
	}
	value, err := strconv.ParseFloat(f.Count, 64)
	switch {
	case err == nil && value >= 1 && value == float64(int(value)):
		o.Rank = int(value)
	case err == nil && value > 0 && value < 1:
		o.Tolerance = value
	default:
		return o, false, verb.Usagef("--landmarks is %q; give a number such as 1000, or a share of the trace between 0 and 1, such as 1e-3", f.Count)
	}
	return o, true, nil
}
