package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"example.org/mercer"
	"example.org/mercer/supervised/falkon"
	"example.org/mercer/supervised/krr"
	"example.org/mercer/task"
)

// asideNames are flags that say how and where to work, and change no model.
var asideNames = []string{"output", "workers", "max-mem", "json", "quiet", "verbose", "cache", "cache-size", "resume", "checkpoint-every", "plot", "model"}

// exactFit is the command of the exact fit in place of an approximate one, with the same λ; ""
// where the fit was exact. It depends on what the model depends on alone, so that equal models have
// equal files.
func exactFit(cmd *cobra.Command, m *mercer.Model) string {
	args, without := cmd.Flags().Args(), slices.Clone(asideNames)
	var lambda float64
	switch r := m.Report.(type) {
	case *falkon.Report:
		verb := cmd.Parent()
		for _, method := range verb.Commands() {
			if method.Name() == exactMethod(r) {
				cmd.Flags().Visit(func(f *pflag.Flag) {
					if method.Flags().Lookup(f.Name) == nil && method.InheritedFlags().Lookup(f.Name) == nil || f.Name == "loss" && method.Name() != "erm" {
						without = append(without, f.Name)
					}
				})
				return exactWords(cmd, method.CommandPath(), args, append(without, "precision", "tolerance"), r.Lambda)
			}
		}
		return ""
	case *krr.Report:
		if r.LambdaBy != "" && !cmd.Flags().Changed("lambda-by") {
			lambda = r.Lambda
		}
	}
	if m.Approximation == nil && m.FeatureMap == nil {
		return ""
	}
	return exactWords(cmd, cmd.CommandPath(), args, without, lambda)
}

// exactWords is exactCommand of a fit, with a λ unless one was given or it is 0, and a place for
// the model.
func exactWords(cmd *cobra.Command, path string, args, without []string, lambda float64) string {
	text := commandWithout(cmd, path, args, without)
	if lambda > 0 && cmd.Parent().Name() == "fit" && !cmd.Flags().Changed("lambda") && !cmd.Flags().Changed("ridge") {
		text += fmt.Sprintf(" --lambda=%g", lambda)
	}
	if cmd.Flag("model") != nil { // where the output is a table
		return text + " --model=MODEL"
	}
	return text + " --output=MODEL"
}

// exactCommand is the command line without the flags that approximate, and read at once: what an
// approximation stands for has no passes.
func exactCommand(cmd *cobra.Command, args []string) string {
	return commandWithout(cmd, cmd.CommandPath(), args, nil)
}

// commandWithout is a command line without the flags that approximate, and without some others.
func commandWithout(cmd *cobra.Command, path string, args, without []string) string {
	auto := cmd.Flag(routeNames[0]) // nil where the verb has no routes
	without = slices.Concat(landmarkNames, featureNames, routeNames, afterNames, sparseNames, passNames, without)
	words := append(strings.Fields(path), args...)
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if slices.Contains(without, f.Name) || f.Name == "max-mem" && auto != nil && auto.Changed {
			return
		}
		value := f.Value.String()
		if list, ok := f.Value.(pflag.SliceValue); ok {
			value = strings.Join(list.GetSlice(), ",")
		}
		words = append(words, "--"+f.Name+"="+value)
	})
	for i, w := range words {
		words[i] = shellWord(w)
	}
	return strings.Join(words, " ")
}

// shellWord writes a word so that a shell reads it as it is.
func shellWord(w string) string {
	if w != "" && !strings.ContainsAny(w, " \t\n()*?[]{}$&|;<>!#~`'\"\\") {
		return w
	}
	return "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
}

// describeReduction lays out what a model has in place of the kernel, and the command that
// would not approximate.
func describeReduction(a *task.LandmarkMap, m *task.FeatureMap, exact string) [][]string {
	if a == nil && m == nil && exact != "" { // the method approximates by itself
		return [][]string{{"exact", exact}}
	}
	return slices.Concat(describeApproximation(a, exact), describeFeatures(m, exact))
}
