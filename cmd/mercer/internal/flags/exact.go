package flags

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"example.org/mercer"
	"example.org/mercer/cmd/mercer/internal/verb"
	"example.org/mercer/learner/methods"
)

// asideNames are flags that say how and where to work, and change no model.
var asideNames = []string{"output", "workers", "max-mem", "json", "quiet", "verbose", "cache", "cache-size", resumeFlag, "checkpoint", "checkpoint-every", "plot", "metric-plot", "model", "config", "write-config", "no-color"}

// ExactFit is the command of the exact fit in place of an approximate one, with the same λ; ""
// where the fit was exact. It depends on what the model depends on alone, so that equal models have
// equal files.
func ExactFit(cmd *cobra.Command, m *mercer.Model) string {
	args, without := cmd.Flags().Args(), slices.Clone(asideNames)
	method, lambda := "", 0.0
	if s := methods.Named(m.Method); s != nil && s.Exact != nil {
		method, lambda = s.Exact(m.Report)
	}
	for _, other := range cmd.Parent().Commands() {
		if other.Name() != method {
			continue
		}
		cmd.Flags().Visit(func(f *pflag.Flag) {
			if other.Flags().Lookup(f.Name) == nil && other.InheritedFlags().Lookup(f.Name) == nil {
				without = append(without, f.Name)
			}
		})
		return exactWords(cmd, other.CommandPath(), args, append(without, "precision", "tolerance"), lambda)
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
	chosen := cmd.Flags().Changed("lambda") || cmd.Flags().Changed("ridge") || cmd.Flags().Changed("lambda-by")
	if lambda > 0 && cmd.Parent().Name() == "fit" && !chosen {
		text += fmt.Sprintf(" --lambda=%g", lambda)
	}
	if cmd.Flag("model") != nil { // where the output is a table
		return text + " --model=MODEL"
	}
	return text + " --output=MODEL"
}

// FitCommand is the command line of a fit, without what changes no model.
func FitCommand(cmd *cobra.Command) string {
	text := commandLine(cmd, cmd.CommandPath(), cmd.Flags().Args(), slices.Concat(asideNames, routeNames, passNames))
	if cmd.Flag("model") != nil { // where the output is a table
		return text + " --model=MODEL"
	}
	return text + " --output=MODEL"
}

// ExactCommand is the command line without the flags that approximate, and read at once: what an
// approximation stands for has no passes.
func ExactCommand(cmd *cobra.Command, args []string) string {
	return commandWithout(cmd, cmd.CommandPath(), args, nil)
}

// commandWithout is a command line without the flags that approximate, and without some others.
func commandWithout(cmd *cobra.Command, path string, args, without []string) string {
	auto := cmd.Flag(routeNames[0]) // nil where the verb has no routes
	without = slices.Concat(landmarkNames, featureNames, routeNames, passNames, without)
	for _, s := range methods.All {
		without = append(without, s.Approximate...)
	}
	if auto != nil && auto.Changed {
		without = append(without, "max-mem")
	}
	return commandLine(cmd, path, args, without)
}

// commandLine is a command line of mercer without some flags, whichever program has run it: models
// are the same.
func commandLine(cmd *cobra.Command, path string, args, without []string) string {
	words := slices.Concat([]string{"mercer"}, strings.Fields(path)[1:], args)
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if slices.Contains(without, f.Name) || verb.OfEngine(f) {
			return
		}
		value := f.Value.String()
		if list, ok := f.Value.(pflag.SliceValue); ok {
			value = strings.Join(list.GetSlice(), ",")
		}
		words = append(words, "--"+f.Name+"="+value)
	})
	return ShellLine(words...)
}

// ShellLine writes words so that a shell reads them as they are.
func ShellLine(words ...string) string {
	line := make([]string, len(words))
	for i, w := range words {
		line[i] = shellWord(w)
	}
	return strings.Join(line, " ")
}

// shellWord writes a word so that a shell reads it as it is.
func shellWord(w string) string {
	if w != "" && !strings.ContainsAny(w, " \t\n()*?[]{}$&|;<>!#~`'\"\\") {
		return w
	}
	return "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
}
