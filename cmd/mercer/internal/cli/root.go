package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"example.org/mercer/cmd/mercer/internal/flags"
	"example.org/mercer/cmd/mercer/internal/replaced"
	"example.org/mercer/cmd/mercer/internal/verb"
	"example.org/mercer/data"
	"example.org/mercer/internal/spelling"
	"example.org/mercer/learner"
	"example.org/mercer/learner/methods"
	"example.org/mercer/task"
)

// The exit codes of the command.
const (
	exitOK    = 0 // the work is done
	exitWork  = 1 // the work failed: bad data, too large
	exitUsage = 2 // the command line is wrong
	// As a shell says of a program that a signal ended: 128 and the number of the signal.
	exitInterrupt  = 130
	exitTerminated = 143
)

// Main runs the command with its arguments and returns the exit code.
func Main(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return MainOn(ctx, nil, args, stdin, stdout, stderr)
}

// MainOn is [Main] with the passes over tables made by an engine; nil: here.
func MainOn(ctx context.Context, e verb.Engine, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	inv := &verb.Invocation{Stdin: stdin, Stdout: stdout, Stderr: stderr, Engine: e}
	cmd, err := run(ctx, inv, args)
	if err == nil && inv.Next != nil {
		cmd, err = run(ctx, inv, inv.Next)
	}
	if err == nil {
		err = inv.NoHelp
	}
	if err == nil {
		return exitOK
	}
	inv.JSON = inv.JSON || slices.Contains(args, "--json") // what is wrong may stand before it
	code := exitWork
	switch {
	case verb.IsUsage(err):
		code = exitUsage
	case errors.Is(err, context.Canceled):
		code = exitInterrupt
		if cause := context.Cause(ctx); cause != nil && strings.Contains(cause.Error(), syscall.SIGTERM.String()) {
			code = exitTerminated
		}
	}
	fail(inv, cmd, err, code)
	return code
}

// run runs a command line, and returns the command that it was.
func run(ctx context.Context, inv *verb.Invocation, args []string) (*cobra.Command, error) {
	root := newRoot(inv)
	verb.Complete(root, args)
	args = flags.JoinResume(func() *cobra.Command { return newRoot(&verb.Invocation{Engine: inv.Engine}) }, args)
	root.SetArgs(args)
	root.SetIn(inv.Stdin)
	root.SetOut(inv.Stdout)
	root.SetErr(inv.Stderr)
	inv.Args = args
	return root.ExecuteContextC(ctx)
}

// fail reports an error: one line on stderr, with a pointer to the help where the
// command line was wrong; with --json also as an object on stdout, unless the
// result is there.
func fail(inv *verb.Invocation, cmd *cobra.Command, err error, code int) {
	message := err.Error()
	if errors.Is(err, context.Canceled) {
		lines := strings.Split(message, "\n") // several workers say the same
		slices.Sort(lines)
		message = "interrupted: nothing was written (" + strings.Join(slices.Compact(lines), "; ") + ")"
		if part := (*verb.Unfinished)(nil); errors.As(err, &part) {
			message = "interrupted: " + part.Error()
		}
	}
	message = data.Concise(verb.ShortLists(message))
	inv.EmitFailure(message, code)
	inv.Complain(strings.TrimPrefix(message, "mercer: ")) // errors of the package mercer say it already
	if kernel := (*task.KernelNeeded)(nil); errors.As(err, &kernel) {
		if f := cmd.Flag("kernel"); f != nil && !f.Changed {
			fmt.Fprintln(inv.Stderr, "Try: "+verb.Plain(flags.ShellLine(append(append([]string{inv.Program()}, inv.Args...), "--kernel", kernel.Kernel)...)))
		}
	}
	if code == exitUsage {
		fmt.Fprintf(inv.Stderr, "Run '%s --help' for usage and examples.\n", cmd.CommandPath())
	}
}

func newRoot(inv *verb.Invocation) *cobra.Command {
	root := &cobra.Command{
		Use:   inv.Program(),
		Short: "Kernel methods on tables: plan, tune, fit, embed, cluster, test, explain, predict",
		Long: `mercer learns with kernels. It reads a table, tells what the work will cost before it
starts, learns to predict numbers, labels and structures, finds components and clusters,
and writes one safe model file. Exact methods stay exact: what does not fit is refused.

A first tour:
  mercer demo
  mercer fit krr train.csv --target price --kernel 'rbf(sigma=median)' --lambda 1e-3 -o house.mercer
  mercer predict house.mercer new.csv -o predictions.csv`,
		SilenceErrors:     true,
		SilenceUsage:      true,
		Args:              cobra.NoArgs,
		PersistentPreRunE: func(cmd *cobra.Command, args []string) error { return admit(inv, cmd, args) },
		RunE:              func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	set := root.PersistentFlags()
	set.BoolVar(&inv.All, verb.AllFlag, false, "with --help: print every flag")
	printing := verb.OutputGroup.Claim(set)
	set.BoolVar(&inv.JSON, "json", false, "print the result as JSON")
	set.BoolVarP(&inv.Quiet, "quiet", "q", false, "print nothing but errors and what was asked for")
	set.BoolVarP(&inv.Verbose, "verbose", "v", false, "print more: every stage, every note")
	set.BoolVar(&inv.NoColour, "no-color", false, "no colours on terminals, as with NO_COLOR in the environment")
	printing()
	again := verb.ResumeGroup.Claim(set)
	set.Uint64Var(&inv.Seed, "seed", 1, "seed of everything random")
	set.StringVar(&inv.Config, "config", "", "file of flags in TOML, such as kernel = 'rbf(sigma=1)'; flags that are given override it")
	set.StringVar(&inv.WrittenConfig, "write-config", "", "file to write the flags to that were given, for --config")
	again()
	defer verb.LimitsGroup.Claim(set)()
	set.IntVar(&inv.Workers, "workers", 0, "goroutines that compute; 0: one per core")
	set.StringVar(&inv.MaxMem, "max-mem", "", "hard limit on memory, such as 2GiB: larger work is refused before it starts")
	inv.EngineFlags(set)
	inv.Prints(root, verb.Failure{})
	addVerbs(root, inv)
	root.SetHelpCommand(newHelp(inv))
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) { inv.NoHelp = printHelp(inv, cmd, cmd.Flags().Args()) })
	root.SetFlagErrorFunc(flagError)
	markUsage(root)
	return root
}

// admit sees to what every verb has in common: the file of flags, flags that say nothing, those of
// all verbs, and files that would be replaced.
func admit(inv *verb.Invocation, cmd *cobra.Command, args []string) error {
	if !cmd.FParseErrWhitelist.UnknownFlags { // its flags are those of the method that it will find
		if err := inv.Configure(cmd.Flags()); err != nil {
			return err
		}
	}
	_, may := cmd.Annotations[verb.InPlace]
	visit := func(use func(name, value string)) {
		cmd.Flags().Visit(func(f *pflag.Flag) { use(f.Name, f.Value.String()) })
	}
	if err := replaced.Check(args, may, visit); err != nil {
		return verb.AsUsage(err)
	}
	err := errors.Join(emptied(cmd), crowded(cmd, inv), inv.Check())
	if err != nil {
		return err
	}
	inv.HoldLimit()
	if cmd.FParseErrWhitelist.UnknownFlags { // see above
		return nil
	}
	if err := inv.CheckEngine(); err != nil {
		return err
	}
	return inv.WriteConfig(cmd.Context(), cmd.Flags())
}

// markUsage makes every complaint of cobra about arguments an error of usage.
func markUsage(cmd *cobra.Command) {
	if check := cmd.Args; check != nil {
		cmd.Args = func(cmd *cobra.Command, args []string) error {
			err := cmp.Or(verb.Swallowed(cmd.Flags()), check(cmd, args))
			if err == nil || verb.IsUsage(err) {
				return err
			}
			if len(args) > 0 && cmd.HasSubCommands() {
				return unknownVerb(cmd, args[0])
			}
			return verb.AsUsage(err)
		}
	}
	for _, sub := range cmd.Commands() {
		markUsage(sub)
	}
}

// unknownVerb is the error of a verb that does not exist.
func unknownVerb(cmd *cobra.Command, word string) error {
	if !cmd.HasParent() && slices.ContainsFunc(methods.All, func(s *learner.Spec) bool { return s.Called(word) }) {
		return verb.Usagef("%[1]s is a method: a verb comes before it, such as mercer fit %[1]s, or mercer help %[1]s", word)
	}
	names := subverbs(cmd)
	for _, sub := range cmd.Commands() {
		names = append(names, sub.Aliases...)
	}
	if near := spelling.Near(word, names); len(near) > 0 {
		return verb.Usagef("%s has no verb %q; did you mean %s?", cmd.CommandPath(), word, strings.Join(near, " or "))
	}
	return verb.Usagef("%s has no verb %q; it has %s", cmd.CommandPath(), word, strings.Join(subverbs(cmd), ", "))
}

func subverbs(cmd *cobra.Command) []string {
	var names []string
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() {
			names = append(names, sub.Name())
		}
	}
	return names
}
