package verb

import (
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Group is a set of flags that several verbs share. A flag joins it where it is registered
// ([Group.Claim]), so that its description stands in one place; the help of a verb names the
// group alone, and `mercer help GROUP` prints it.
type Group struct {
	Name, Title string
	Often       [3]string // the flags that are used most
}

// The groups of flags.
var (
	TableGroup         = &Group{"table", "How the table is read", [3]string{"format", "delimiter", "missing-token"}}
	PreparationGroup   = &Group{"preparation", "What the columns are for", [3]string{"target", "drop", "missing"}}
	KernelGroup        = &Group{"kernels", "The kernel", [3]string{"kernel", "psd"}}
	ApproximationGroup = &Group{"approximation", "Landmarks or random features in place of the exact kernel", [3]string{"landmarks", "random-features", "landmarks-by"}}
	SearchGroup        = &Group{"search", "How tune searches, and by which score it compares", [3]string{"search", "score", "folds"}}
	CalibrationGroup   = &Group{"calibration", "What fit adds from rows left out: probabilities, intervals, sets", [3]string{"probabilities", "conformal"}}
	LimitsGroup        = &Group{"limits", "Memory, time and cores", [3]string{"max-mem", "budget", "auto"}}
	ResumeGroup        = &Group{"resume", "Runs that are stopped, or made again", [3]string{"resume", "cache", "seed"}}
	ModelGroup         = &Group{"model", "The files that a model names", [3]string{"verify", "gram", "graph"}}
	OutputGroup        = &Group{"output", "What is written and printed", [3]string{"output", "plot", "json"}}
)

// Groups are all groups, in the order of the help.
var Groups = []*Group{TableGroup, PreparationGroup, KernelGroup, ApproximationGroup, SearchGroup, CalibrationGroup, LimitsGroup, ResumeGroup, ModelGroup, OutputGroup}

// MethodGroup is the mark of the flags of one method, which is no shared group.
var MethodGroup = &Group{Name: "method"}

// AllFlag is the flag that makes the help print everything.
const AllFlag = "all"

// groupMark is the annotation of a flag that names its group.
const groupMark = "mercer_group"

// Claim puts the flags into the group that are registered until the returned function is called:
//
//	defer limits.claim(cmd.Flags())()
//
// Flags that another group has claimed meanwhile stay there.
func (g *Group) Claim(flags *pflag.FlagSet) (done func()) {
	before := 0
	asRegistered(flags, func(*pflag.Flag) { before++ })
	return func() {
		at := 0
		asRegistered(flags, func(f *pflag.Flag) {
			if at++; at > before && f.Annotations[groupMark] == nil {
				_ = flags.SetAnnotation(f.Name, groupMark, []string{g.Name}) // it exists
			}
		})
	}
}

// asRegistered visits flags in the order in which they were registered.
func asRegistered(flags *pflag.FlagSet, visit func(f *pflag.Flag)) {
	sorted := flags.SortFlags
	flags.SortFlags = false
	flags.VisitAll(visit)
	flags.SortFlags = sorted
}

// GroupOf returns the name of the group of a flag, "" for one of a verb alone.
func GroupOf(f *pflag.Flag) string {
	if mark := f.Annotations[groupMark]; len(mark) > 0 {
		return mark[0]
	}
	return ""
}

// GroupNames returns the names of all groups.
func GroupNames() []string {
	var names []string
	for _, g := range Groups {
		names = append(names, g.Name)
	}
	return names
}

// FlagsOf returns the flags of a command, those that every verb has with them, by group and in the
// order in which they were registered; "" are those of the verb.
func FlagsOf(cmd *cobra.Command) map[string][]*pflag.Flag {
	cmd.InheritedFlags() // joins them to those of the command
	by := map[string][]*pflag.Flag{}
	asRegistered(cmd.Flags(), func(f *pflag.Flag) {
		if !f.Hidden && f.Name != "help" && f.Name != AllFlag {
			by[GroupOf(f)] = append(by[GroupOf(f)], f)
		}
	})
	return by
}

// Everywhere returns the flags of the group that any verb has, those used most first.
func (g *Group) Everywhere(root *cobra.Command) []*pflag.Flag {
	seen := map[string]*pflag.Flag{}
	var names []string
	Walk(root, func(cmd *cobra.Command) {
		for _, f := range FlagsOf(cmd)[g.Name] {
			if seen[f.Name] == nil {
				names = append(names, f.Name)
				seen[f.Name] = f
			}
		}
	})
	var flags []*pflag.Flag
	for _, name := range g.First(names) {
		flags = append(flags, seen[name])
	}
	return flags
}

// First puts the flags that are used most before the others.
func (g *Group) First(names []string) []string {
	var sorted []string
	for _, name := range g.Often {
		if slices.Contains(names, name) {
			sorted = append(sorted, name)
		}
	}
	for _, name := range names {
		if !slices.Contains(sorted, name) {
			sorted = append(sorted, name)
		}
	}
	return sorted
}

// Walk visits a command and all below it that the help offers.
func Walk(cmd *cobra.Command, visit func(cmd *cobra.Command)) {
	visit(cmd)
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() {
			Walk(sub, visit)
		}
	}
}
