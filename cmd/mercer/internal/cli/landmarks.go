package cli

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"example.org/mercer/approx/nystrom"
	"example.org/mercer/compute"
	"example.org/mercer/task"
)

// landmarkFlags say by which low-rank kernel to learn.
type landmarkFlags struct {
	count, by string
	among     int
}

// landmarkNames are the flags, which the command of the exact fit leaves out.
var landmarkNames = []string{"landmarks", "landmarks-by", "landmarks-among"}

func (f *landmarkFlags) register(cmd *cobra.Command) {
	defer approxim.claim(cmd.Flags())()
	words := make([]string, len(nystrom.Schemes))
	for i, s := range nystrom.Schemes {
		words[i] = string(s)
	}
	flags := cmd.Flags()
	flags.StringVar(&f.count, landmarkNames[0], "", "approximate the kernel by landmarks (Nyström): their number, such as 1000, or the share of the trace that they may leave, such as 1e-3; default: exact")
	flags.StringVar(&f.by, landmarkNames[1], string(nystrom.Pivoted), "how landmarks are chosen: "+strings.Join(words, ", "))
	flags.IntVar(&f.among, landmarkNames[2], 0, "choose landmarks among so many random rows; default: all")
	_ = cmd.RegisterFlagCompletionFunc(landmarkNames[1], cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
}

// options returns what the flags ask for; ok is false where they ask for nothing.
func (f *landmarkFlags) options(inv *invocation, how compute.Options) (o nystrom.Options, ok bool, err error) {
	if f.count == "" {
		if f.among != 0 {
			return o, false, usagef("--landmarks-among needs --landmarks")
		}
		return o, false, nil
	}
	o = nystrom.Options{Scheme: nystrom.Scheme(f.by), Among: f.among, Seed: inv.seed, Compute: how}
	if !slices.Contains(nystrom.Schemes, o.Scheme) {
		return o, false, usagef("--landmarks-by %q is not known; there are %q", f.by, nystrom.Schemes)
	}
	value, err := strconv.ParseFloat(f.count, 64)
	switch {
	case err == nil && value >= 1 && value == float64(int(value)):
		o.Rank = int(value)
	case err == nil && value > 0 && value < 1:
		o.Tolerance = value
	default:
		return o, false, usagef("--landmarks is %q; give a number such as 1000, or a share of the trace between 0 and 1, such as 1e-3", f.count)
	}
	return o, true, nil
}

// describeApproximation lays out how a model approximates; nil where it is exact.
func describeApproximation(a *task.LandmarkMap, exact string) [][]string {
	if a == nil {
		return nil
	}
	landmarks := fmt.Sprintf("%d of %d rows, %s", a.Landmarks, a.Rows, a.Scheme)
	if a.Candidates < a.Rows {
		landmarks += fmt.Sprintf(" among %d", a.Candidates)
	}
	landmarks += fmt.Sprintf(" (seed %d)", a.Seed)
	if a.Dropped > 0 {
		landmarks += fmt.Sprintf("; %d more were explained by others", a.Dropped)
	}
	lines := [][]string{
		{"landmarks", landmarks},
		{"approximation", fmt.Sprintf("leaves %s of the trace; relative error %s on a block of %d kernel values, spectral norm %s per row", num(a.TraceError), num(a.Block), a.Compared(), num(a.Spectral))},
	}
	if exact != "" {
		lines = append(lines, []string{"exact", exact})
	}
	return lines
}
