package cli

import (
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// flagGroup is a set of flags that several verbs share. A flag joins it where it is registered
// ([flagGroup.claim]), so that its description stands in one place; the help of a verb names the
// group alone, and `mercer help GROUP` prints it.
type flagGroup struct {
	name, title string
	often       [3]string // the flags that are used most
}

// The groups of flags.
var (
	tableGroup = &flagGroup{"table", "How the table is read", [3]string{"format", "delimiter", "missing-token"}}
	prepGroup  = &flagGroup{"preparation", "What the columns are for", [3]string{"target", "drop", "missing"}}
	kernels    = &flagGroup{"kernels", "The kernel", [3]string{"kernel", "psd"}}
	approxim   = &flagGroup{"approximation", "Landmarks or random features in place of the exact kernel", [3]string{"landmarks", "random-features", "landmarks-by"}}
	searching  = &flagGroup{"search", "How tune searches, and by which score it compares", [3]string{"search", "score", "folds"}}
	calibrated = &flagGroup{"calibration", "What fit adds from rows left out: probabilities, intervals, sets", [3]string{"probabilities", "conformal"}}
	limits     = &flagGroup{"limits", "Memory, time and cores", [3]string{"max-mem", "budget", "auto"}}
	resuming   = &flagGroup{"resume", "Runs that are stopped, or made again", [3]string{"resume", "cache", "seed"}}
	modelGroup = &flagGroup{"model", "The files that a model names", [3]string{"verify", "gram", "graph"}}
	output     = &flagGroup{"output", "What is written and printed", [3]string{"output", "plot", "json"}}
)

// flagGroups are all groups, in the order of the help.
var flagGroups = []*flagGroup{tableGroup, prepGroup, kernels, approxim, searching, calibrated, limits, resuming, modelGroup, output}

// ofMethod is the mark of the flags of one method, which is no shared group.
var ofMethod = &flagGroup{name: "method"}

// groupMark is the annotation of a flag that names its group.
const groupMark = "mercer_group"

// claim puts the flags into the group that are registered until the returned function is called:
//
//	defer limits.claim(cmd.Flags())()
//
// Flags that another group has claimed meanwhile stay there.
func (g *flagGroup) claim(flags *pflag.FlagSet) (done func()) {
	before := 0
	asRegistered(flags, func(*pflag.Flag) { before++ })
	return func() {
		at := 0
		asRegistered(flags, func(f *pflag.Flag) {
			if at++; at > before && f.Annotations[groupMark] == nil {
				_ = flags.SetAnnotation(f.Name, groupMark, []string{g.name}) // it exists
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

// groupOf returns the name of the group of a flag, "" for one of a verb alone.
func groupOf(f *pflag.Flag) string {
	if mark := f.Annotations[groupMark]; len(mark) > 0 {
		return mark[0]
	}
	return ""
}

// groupNames returns the names of all groups.
func groupNames() []string {
	var names []string
	for _, g := range flagGroups {
		names = append(names, g.name)
	}
	return names
}

// flagsOf returns the flags of a command, those that every verb has with them, by group and in the
// order in which they were registered; "" are those of the verb.
func flagsOf(cmd *cobra.Command) map[string][]*pflag.Flag {
	cmd.InheritedFlags() // joins them to those of the command
	by := map[string][]*pflag.Flag{}
	asRegistered(cmd.Flags(), func(f *pflag.Flag) {
		if !f.Hidden && f.Name != "help" && f.Name != allFlag {
			by[groupOf(f)] = append(by[groupOf(f)], f)
		}
	})
	return by
}

// everywhere returns the flags of the group that any verb has, those used most first.
func (g *flagGroup) everywhere(root *cobra.Command) []*pflag.Flag {
	seen := map[string]*pflag.Flag{}
	var names []string
	walk(root, func(cmd *cobra.Command) {
		for _, f := range flagsOf(cmd)[g.name] {
			if seen[f.Name] == nil {
				names = append(names, f.Name)
				seen[f.Name] = f
			}
		}
	})
	var flags []*pflag.Flag
	for _, name := range g.first(names) {
		flags = append(flags, seen[name])
	}
	return flags
}

// first puts the flags that are used most before the others.
func (g *flagGroup) first(names []string) []string {
	var sorted []string
	for _, name := range g.often {
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

// walk visits a command and all below it that the help offers.
func walk(cmd *cobra.Command, visit func(cmd *cobra.Command)) {
	visit(cmd)
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() {
			walk(sub, visit)
		}
	}
}
