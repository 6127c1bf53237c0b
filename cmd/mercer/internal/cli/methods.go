package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"example.org/mercer/compute"
	"example.org/mercer/learner"
	"example.org/mercer/task"
)

// methodSpec is a method as the verbs plan, fit and tune offer it.
type methodSpec struct {
	name     string
	short    string   // what it is, in a few words
	long     string   // its problem and its source
	examples []string // of fit: what follows `mercer fit METHOD`
	answers  bool     // targets have parts, as --answer says
	labels   bool     // targets are labels, also where they look like numbers
	numbers  bool     // targets are numbers, and labels are refused
	noTarget bool     // it learns without a target
	aside    bool     // a target that is named is kept out of the features, and no more
	kernel   string   // the only one that it works with; "": any
	chosen   bool     // it chooses landmarks itself
	risk     bool     // it minimises losses by Newton's method, of which fit has pictures
	verb     string   // that it has beside fit and plan; "": none
	held     heldOut  // what fit can add from rows left out
	flags    func() methodFlags
	path     bool     // tune follows λ along its path
	tuned    []string // flags of parameters that tune searches, unless they are given; nil: it cannot
}

// methodFlags are the flags of one method.
type methodFlags interface {
	register(cmd *cobra.Command)
	// method returns the method that the flags describe, for a problem.
	method(cmd *cobra.Command, inv *invocation, p *task.Task, how compute.Options) (learner.Learner, error)
}

// learners are all methods, in the order of the help.
var learners = []methodSpec{
	ridgeLearner,
	falkonLearner,
	klrLearner,
	processLearner,
	latentLearner,
	svcLearner,
	svrLearner,
	oneClassLearner,
	componentLearner,
	vectorComponentLearner,
	meansLearner,
	kernelMeansLearner,
	spectralLearner,
	mixtureLearner,
	discriminantLearner,
	barycentreLearner,
	lossLearner,
	quantileLearner,
	structuredLearner,
}

// byMethod returns a verb "VERB METHOD TABLE": a command that has one below it for
// every method that child makes one for.
func byMethod(parent *cobra.Command, child func(l methodSpec) *cobra.Command) *cobra.Command {
	var names []string
	for _, l := range learners {
		if cmd := child(l); cmd != nil {
			names = append(names, fmt.Sprintf("%s (%s)", l.name, l.short))
			parent.AddCommand(cmd)
		}
	}
	// The flags belong to the methods: an unknown method is what to complain about.
	parent.FParseErrWhitelist.UnknownFlags = true
	parent.Args = func(_ *cobra.Command, args []string) error {
		if len(args) == 0 {
			return usagef("expected a method and a table, such as: krr train.csv (got 0 arguments)")
		}
		return usagef("method %q is not known; there are %s", args[0], strings.Join(names, ", "))
	}
	parent.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() } // never: Args refuses
	return parent
}

// oneTable is the argument rule "TABLE" of a verb with a method.
func oneTable(cmd *cobra.Command, args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("expected a method and a table, such as: %s train.csv (got %d arguments)", cmd.Name(), len(args)+1)
	}
	return nil
}

// columned are flags of a method that name columns which are no features.
type columned interface{ columns() []string }

// start returns the flags of a verb with this method: those of table, preparation and
// kernel, and its own.
func (l methodSpec) start() (*problemFlags, methodFlags) {
	own := l.flags()
	f := &problemFlags{fixed: l.kernel, chosen: l.chosen, prep: prepFlags{labels: l.labels, numbers: l.numbers, noTarget: l.noTarget, aside: l.aside, answers: l.answers}}
	f.prep.own, _ = own.(columned)
	return f, own
}

// fitExamples returns the examples of fit, whole commands.
func (l methodSpec) fitExamples() string {
	return strings.ReplaceAll(l.examplesOf("fit")+"\n", "\n", " -o "+l.name+".mercer\n")
}

// examplesOf returns the examples of a verb for a method.
func (l methodSpec) examplesOf(verb string) string {
	var lines []string
	for _, e := range l.examples {
		lines = append(lines, fmt.Sprintf("  mercer %s %s %s", verb, l.name, e))
	}
	return strings.Join(lines, "\n")
}
