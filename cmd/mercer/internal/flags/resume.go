package flags

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"example.org/mercer/cmd/mercer/internal/verb"
	"example.org/mercer/learner"
)

// resumeHelp is the help of --resume, and checkpointHelp that of --checkpoint: of all verbs alike.
const (
	resumeHelp     = "go on where a run that was stopped left off, to the same bits, from the file of --checkpoint; without such a file begin. tune, path and mkl also take the file here: --resume FILE"
	checkpointHelp = "file that keeps what took long. Default: OUTPUT.checkpoint for fit, embed and cluster; with --resume OUTPUT.trials for tune; else none. tune keeps the scores of all that it tried there, in a file for each split of --nested, --assess and --train-per-class (FILE.1, FILE.2 …), for each round of --metric (FILE.0, FILE.1 …), and for each candidate of --kernel auto (FILE.1f3a09c2 …)"
)

// Steps are the checkpoint of a verb that keeps none unless it is asked to.
type Steps struct {
	file   string
	resume resumeValue
}

func (f *Steps) Register(cmd *cobra.Command) {
	defer verb.ResumeGroup.Claim(cmd.Flags())()
	cmd.Flags().Var(&f.resume, resumeFlag, resumeHelp)
	cmd.Flags().Lookup(resumeFlag).NoOptDefVal = "true"
	cmd.Flags().StringVar(&f.file, "checkpoint", "", checkpointHelp)
}

// File returns the name of the checkpoint, "" where there is none; beside is where it stands by
// default, if it is resumed.
func (f *Steps) File(beside string) (string, error) {
	file := f.file
	switch {
	case f.resume.file != "" && file != "":
		return "", verb.Usagef("--resume %s and --checkpoint %s name two files: leave one of them out", f.resume.file, file)
	case f.resume.file != "":
		return f.resume.file, nil
	case f.resume.on && file == "" && hasName(beside):
		return beside, nil
	case f.resume.on && file == "":
		return "", verb.Usagef("--resume needs a file to go on from: name it with --checkpoint FILE")
	case file == "" || f.resume.on:
		return file, nil
	}
	parts, _ := filepath.Glob(file + ".*") // of splits, rounds and families
	for _, name := range append([]string{file}, parts...) {
		if _, err := os.Stat(name); err == nil && partOf.MatchString(strings.TrimPrefix(name, file)) {
			return "", verb.Usagef("%s is there: --resume goes on from it, or remove it to begin anew", name)
		}
	}
	return file, verb.CanWrite(file)
}

// Run works with the steps of the file, if there is one, which open adds to the work.
func (f *Steps) Run(inv *verb.Invocation, open func(file string, every time.Duration) (*learner.Checkpoint, error), work func() error) error {
	file, err := f.File("")
	if err != nil {
		return err
	}
	if file == "" {
		return work()
	}
	log, err := open(file, time.Minute)
	if err != nil {
		return err
	}
	return closeCheckpoint(inv, log, file, work())
}

// partOf matches what follows the name of a checkpoint in those of its parts: numbers, and eight
// hexadecimal digits for a family of kernels.
var partOf = regexp.MustCompile(`^(\.\d+)*(\.[0-9a-f]{8})?$`)

const resumeFlag = "resume"

// resumeValue is the value of --resume: a switch, or a file by its old spelling.
type resumeValue struct {
	on   bool
	file string
}

// Set takes true, false, or the name of a file.
func (v *resumeValue) Set(text string) error {
	*v = resumeValue{on: text != "false"}
	if text != "true" && v.on {
		v.file = text
	}
	return nil
}

func (v *resumeValue) String() string {
	if v.file == "" {
		return strconv.FormatBool(v.on)
	}
	return v.file
}

// Type is that of the old spelling.
func (v *resumeValue) Type() string { return "string" }

// JoinResume returns a command line in which "--resume FILE" of a verb that takes it is one word.
// The word behind --resume is a file, as it was before there was --checkpoint, unless no table
// would be left. probe makes the command, whose flags are set here.
func JoinResume(probe func() *cobra.Command, args []string) []string {
	const flag = "--" + resumeFlag
	at := slices.Index(args, flag)
	given := slices.ContainsFunc(args, func(a string) bool { return a == "--checkpoint" || strings.HasPrefix(a, "--checkpoint=") })
	if at < 0 || at+1 == len(args) || strings.HasPrefix(args[at+1], "-") || given {
		return args
	}
	cmd, _, err := probe().Find(args)
	if err != nil {
		return args
	}
	of := cmd
	if of.Flag(resumeFlag) == nil { // the flags are those of methods
		for _, sub := range cmd.Commands() {
			if sub.Flag(resumeFlag) != nil {
				of = sub
				break
			}
		}
	}
	if f := of.Flag(resumeFlag); f == nil || !takesFile(f) {
		return args
	}
	joined := slices.Concat(args[:at], []string{flag + "=" + args[at+1]}, args[at+2:])
	if err := of.ParseFlags(joined); err == nil && len(of.Flags().Args()) <= strings.Count(cmd.CommandPath(), " ") {
		return args
	}
	return joined
}

func takesFile(f *pflag.Flag) bool {
	_, ok := f.Value.(*resumeValue)
	return ok
}
