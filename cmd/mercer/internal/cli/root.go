package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"example.org/mercer/cmd/mercer/internal/replaced"
	"example.org/mercer/compute"
	"example.org/mercer/gram/store"
	"example.org/mercer/kernel/expr"
	"example.org/mercer/learner"
)

// The exit codes of the command.
const (
	exitOK    = 0 // the work is done
	exitWork  = 1 // the work failed: bad data, too large, interrupted
	exitUsage = 2 // the command line is wrong
)

// invocation is one run of the command: its streams and the flags that every verb has.
type invocation struct {
	stdin          io.Reader
	stdout, stderr io.Writer

	json    bool
	quiet   bool
	verbose bool
	seed    uint64
	workers int
	maxMem  string
	all     bool         // --help prints every flag
	lost    error        // of a help that there is none of
	store   *store.Store // of tiles; nil: none
	noted   []string     // what note has said
	cache   string       // the folder of --cache; "": none
}

// usageError marks an error of the command line itself, which exits with 2.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

// usagef returns an error of the command line.
func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// blame marks an error in a kernel expression as one of the command line, where the
// expression was written.
func blame(err error) error {
	if syntax := (*expr.SyntaxError)(nil); errors.As(err, &syntax) {
		return usageError{err}
	}
	return err
}

// canWrite returns an error unless a file could be made under this name, so that no
// long work is done for a result that has no place.
func canWrite(path string) error {
	dir := filepath.Dir(path)
	info, err := os.Stat(dir)
	switch {
	case err != nil:
		return fmt.Errorf("cannot write %s: %w; make the folder first", path, err)
	case !info.IsDir():
		return fmt.Errorf("cannot write %s: %s is not a folder", path, dir)
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return fmt.Errorf("cannot write %s: it is a folder; name a file in it", path)
	}
	return nil
}

// Main runs the command with its arguments and returns the exit code.
func Main(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	inv := &invocation{stdin: stdin, stdout: stdout, stderr: stderr}
	root := newRoot(inv)
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	cmd, err := root.ExecuteContextC(ctx)
	if err == nil {
		err = inv.lost
	}
	if err == nil {
		return exitOK
	}
	inv.json = inv.json || slices.Contains(args, "--json") // what is wrong may stand before it
	code := exitWork
	usage, setting := usageError{}, (*learner.SettingError)(nil)
	if errors.As(err, &usage) || errors.As(err, &setting) {
		code = exitUsage
	}
	inv.fail(cmd, err, code)
	return code
}

// fail reports an error: one line on stderr, with a pointer to the help where the
// command line was wrong; with --json also as an object on stdout.
func (inv *invocation) fail(cmd *cobra.Command, err error, code int) {
	message := err.Error()
	if errors.Is(err, context.Canceled) {
		lines := strings.Split(message, "\n") // several workers say the same
		slices.Sort(lines)
		message = "interrupted: nothing was written (" + strings.Join(slices.Compact(lines), "; ") + ")"
		if part := (*unfinished)(nil); errors.As(err, &part) {
			message = "interrupted: " + part.Error()
		}
	}
	if inv.json {
		_ = json.NewEncoder(inv.stdout).Encode(map[string]any{"error": message, "exit": code})
	}
	fmt.Fprintln(inv.stderr, "mercer: "+message)
	if code == exitUsage {
		fmt.Fprintf(inv.stderr, "Run '%s --help' for usage and examples.\n", cmd.CommandPath())
	}
}

func newRoot(inv *invocation) *cobra.Command {
	root := &cobra.Command{
		Use:   "mercer",
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
		PersistentPreRunE: func(cmd *cobra.Command, args []string) error { return inv.admit(cmd, args) },
		RunE:              func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	flags := root.PersistentFlags()
	flags.BoolVar(&inv.all, allFlag, false, "with --help: print every flag")
	printing := output.claim(flags)
	flags.BoolVar(&inv.json, "json", false, "print the result as JSON")
	flags.BoolVarP(&inv.quiet, "quiet", "q", false, "print nothing but errors and what was asked for")
	flags.BoolVarP(&inv.verbose, "verbose", "v", false, "print more: every stage, every note")
	printing()
	again := resuming.claim(flags)
	flags.Uint64Var(&inv.seed, "seed", 1, "seed of everything random")
	again()
	defer limits.claim(flags)()
	flags.IntVar(&inv.workers, "workers", 0, "goroutines that compute; 0: one per core")
	flags.StringVar(&inv.maxMem, "max-mem", "", "hard limit on memory, such as 2GiB: larger work is refused before it starts")
	addVerbs(root, inv)
	root.SetHelpCommand(newHelp(inv))
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) { inv.lost = inv.help(cmd, cmd.Flags().Args()) })
	root.SetFlagErrorFunc(flagError)
	markUsage(root)
	return root
}

// inPlace marks commands whose output may be their first argument.
const inPlace = "in place"

// admit checks what every verb has in common: flags that say nothing, those of all verbs, and files
// that would be replaced.
func (inv *invocation) admit(cmd *cobra.Command, args []string) error {
	_, may := cmd.Annotations[inPlace]
	visit := func(use func(name, value string)) {
		cmd.Flags().Visit(func(f *pflag.Flag) { use(f.Name, f.Value.String()) })
	}
	if err := replaced.Check(args, may, visit); err != nil {
		return usageError{err}
	}
	return errors.Join(emptied(cmd), inv.validate())
}

// markUsage makes every complaint of cobra about arguments an error of usage.
func markUsage(cmd *cobra.Command) {
	if check := cmd.Args; check != nil {
		cmd.Args = func(cmd *cobra.Command, args []string) error {
			err := check(cmd, args)
			if usage := (usageError{}); err == nil || errors.As(err, &usage) {
				return err
			}
			if len(args) > 0 && cmd.HasSubCommands() {
				err = fmt.Errorf("%s has no verb %q; it has %s", cmd.CommandPath(), args[0], strings.Join(subverbs(cmd), ", "))
				if !cmd.HasParent() && slices.Contains(methodNames(), args[0]) {
					err = fmt.Errorf("%[1]s is a method: a verb comes before it, such as mercer fit %[1]s, or mercer help %[1]s", args[0])
				}
			}
			return usageError{err}
		}
	}
	for _, sub := range cmd.Commands() {
		markUsage(sub)
	}
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

// validate checks the flags that every verb has.
func (inv *invocation) validate() error {
	var problems []error
	if inv.workers < 0 {
		problems = append(problems, fmt.Errorf("--workers is %d; give a positive number, or 0 for one per core", inv.workers))
	}
	if inv.quiet && inv.verbose {
		problems = append(problems, errors.New("--quiet and --verbose exclude each other"))
	}
	if inv.maxMem != "" {
		if _, err := compute.ParseBytes(inv.maxMem); err != nil {
			problems = append(problems, fmt.Errorf("--max-mem: %w", err))
		}
	}
	if len(problems) > 0 {
		return usageError{errors.Join(problems...)}
	}
	return nil
}

// compute returns the computing options of this run; stop ends its progress bar.
func (inv *invocation) compute() (o compute.Options, stop func()) {
	bar := newBar(inv)
	o = compute.Options{Workers: inv.workers, MaxMemory: inv.limit(), Progress: bar.report}
	if inv.store != nil {
		o.Store = inv.store
	}
	return o, bar.stop
}
