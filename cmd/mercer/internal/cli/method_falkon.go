package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"example.org/mercer/approx/nystrom"
	"example.org/mercer/compute"
	"example.org/mercer/learner"
	"example.org/mercer/loss"
	"example.org/mercer/supervised/falkon"
	"example.org/mercer/task"
)

var falkonLearner = methodSpec{
	name:   "falkon",
	short:  "many rows on few landmarks",
	chosen: true,
	long: `Minimises (1/N) Σ wᵢ ℓ(yᵢ, f(xᵢ) + b) + (λ/2)‖f‖² over the functions f = Σ βⱼ k(·, cⱼ) on a few landmarks cⱼ: kernel ridge
regression for the squared loss, restricted to their span, by preconditioned conjugate gradients (Rudi, Carratino and Rosasco
2017); other losses by Newton's method on a falling sequence of penalties. Of more than two labels the largest output wins. The logistic loss
is that of all labels together, the softmax, and gives their probabilities; other losses, and --one-vs-rest, learn one label
against the rest. Memory does not grow with rows × landmarks, time does.
The approximation is measured and reported, and so is how far the objective is from its minimum.`,
	examples: []string{
		`covtype.csv --target kind --landmarks 5000 --kernel 'rbf(sigma=median)' --lambda 1e-7`,
		`skin.csv --target skin --loss logistic --landmarks 1000 --landmarks-by leverage`,
		`house.csv --target price --landmarks 500 --kernel 'rbf(sigma=3)' --lambda 1e-6 --descent 100`,
		`taxi.csv --target duration --landmarks 10000 --holdout 0.05`,
	},
	held:  heldOut{probabilities: true, conformal: true},
	flags: func() methodFlags { return &falkonFlags{} },
	tuned: []string{"lambda"},
}

// falkonFlags are the flags of functions on landmarks.
type falkonFlags struct {
	lambda, ridge float64
	noIntercept   bool
	landmarks     int
	scheme        string
	among         int
	loss          string
	oneVsRest     bool
	tolerance     float64
	passes        int
	holdout       float64
	precision     string
	updatable     bool
	descent       falkon.LandmarkOptions
}

func (f *falkonFlags) register(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.Float64Var(&f.lambda, "lambda", 0, "λ in (1/N)Σ w·loss + (λ/2)‖f‖², that of krr for the squared loss; default 1e-6")
	flags.Float64Var(&f.ridge, "ridge", 0, "Nλ instead of --lambda")
	flags.BoolVar(&f.noIntercept, "no-intercept", false, "no free constant")
	flags.IntVar(&f.landmarks, "landmarks", 0, "how many; default: ten times the root of the number of rows, at most all")
	flags.StringVar(&f.scheme, "landmarks-by", string(nystrom.Uniform), "how they are chosen: "+strings.Join(schemeNames(), ", "))
	flags.IntVar(&f.among, "landmarks-among", 0, "choose them from this many rows, drawn uniformly: pivoted and greedy hold as many columns; default for these: four times the landmarks")
	flags.StringVar(&f.loss, "loss", "squared", "squared, logistic or softmax (of two labels, or of more together), squared-hinge, or huber(k=1.345, scale=…)")
	flags.BoolVar(&f.oneVsRest, "one-vs-rest", false, "with the logistic loss and more than two labels: one function for each label against the others, without probabilities")
	flags.Float64Var(&f.tolerance, "tolerance", 0, "length of the gradient at the end beside that at the start; default 1e-4")
	flags.IntVar(&f.passes, "passes", 0, "most passes over the rows; default 200, for losses other than squared 1000")
	flags.Float64Var(&f.holdout, "holdout", 0, "share of the rows that are left out and end the iteration when they are predicted no better")
	flags.StringVar(&f.precision, "precision", compute.Single.String(), "of the passes: single, which a residual in double precision certifies, or double")
	flags.BoolVar(&f.updatable, "updatable", false, "keep sums over the rows in the model, 8m² bytes for m landmarks, so that update and forget need no other row; solves the squared loss from them instead of iterating, with 4m² multiplications for a row")
	flags.IntVar(&f.descent.Steps, "descent", 0, "move the landmarks, and the distance of the kernel, along the gradient of the objective, at most this many steps (100 is much); tune does so in the fit with -o alone")
	flags.StringVar((*string)(&f.descent.Of), "descent-of", string(falkon.MoveFull), "what --descent moves: landmarks, or with them the scales of the columns (diagonal) or a full metric")
	_ = cmd.RegisterFlagCompletionFunc("descent-of", cobra.FixedCompletions([]string{string(falkon.MoveLandmarks), string(falkon.MoveDiagonal), string(falkon.MoveFull)}, cobra.ShellCompDirectiveNoFileComp))
	_ = cmd.RegisterFlagCompletionFunc("precision", cobra.FixedCompletions(precisions, cobra.ShellCompDirectiveNoFileComp))
	_ = cmd.RegisterFlagCompletionFunc("landmarks-by", cobra.FixedCompletions(schemeNames(), cobra.ShellCompDirectiveNoFileComp))
}

func schemeNames() []string {
	var names []string
	for _, s := range nystrom.Schemes {
		names = append(names, string(s))
	}
	return names
}

// defaultSmoothing is the λ of many rows where none is given; it is said so.
const defaultSmoothing = 1e-6

func (f *falkonFlags) method(cmd *cobra.Command, inv *invocation, p *task.Task, how compute.Options) (learner.Learner, error) {
	l, err := f.lossOf()
	if err != nil {
		return nil, err
	}
	penalty := penaltyFlags{lambda: f.lambda, ridge: f.ridge}
	if !cmd.Flags().Changed("lambda") && !cmd.Flags().Changed("ridge") {
		penalty.lambda = defaultSmoothing
		inv.note("λ = %g (default; give --lambda or --ridge, or let mercer tune choose)", penalty.lambda)
	} else if penalty.lambda, err = penalty.chosen(cmd, inv); err != nil {
		return nil, err
	}
	if f.landmarks == 0 && cmd.Flags().Changed(landmarkNames[0]) {
		return nil, usagef("--landmarks is 0; give a number such as 1000, or leave the flag out for ten times the root of the number of rows")
	}
	if f.landmarks < 0 || f.among < 0 || f.passes < 0 || !(f.holdout >= 0 && f.holdout < 1) || !(f.tolerance >= 0 && f.tolerance < 1) {
		return nil, usagef("--landmarks is %d, --landmarks-among %d, --passes %d: none may be negative; --holdout is %g and --tolerance %g: both lie in [0, 1)", f.landmarks, f.among, f.passes, f.holdout, f.tolerance)
	}
	if f.descent.Steps < 0 || !slices.Contains(falkon.Movings, f.descent.Of) {
		return nil, usagef("--descent is %d: it must not be negative; --descent-of is %q: one of %q is meant", f.descent.Steps, f.descent.Of, falkon.Movings)
	}
	if f.descent.Steps == 0 && cmd.Flags().Changed("descent-of") {
		return nil, usagef("--descent-of belongs to --descent: give it steps, such as --descent 50")
	}
	if how, err = inPrecision(how, f.precision); err != nil {
		return nil, err
	}
	at := nystrom.Options{Scheme: nystrom.Scheme(f.scheme), Rank: f.landmarks, Among: f.among, Seed: inv.seed}
	if p != nil && f.landmarks == 0 { // a search fits parts of the rows
		n, _, _ := p.Dims()
		inv.note("%d landmarks (default; give --landmarks)", learner.DefaultLandmarks(n))
	}
	return learner.Falkon{Options: falkon.Options{Lambda: penalty.lambda, Ridge: f.ridge, NoIntercept: f.noIntercept, Loss: l,
		Stop: falkon.Stop{Tolerance: f.tolerance, Passes: f.passes}, Compute: how}, Landmarks: at, Holdout: f.holdout, OneVsRest: f.oneVsRest, Updatable: f.updatable, Descent: f.descent}, nil
}

// softmaxLoss is another name for the logistic loss, as it is called for many labels.
const softmaxLoss = "softmax"

// lossOf reads the loss.
func (f *falkonFlags) lossOf() (loss.Loss, error) {
	if f.loss == softmaxLoss {
		if f.oneVsRest {
			return nil, usagef("--loss softmax is that of all labels together, and --one-vs-rest asks for one at a time: give --loss logistic")
		}
		return loss.Logistic{}, nil
	}
	l, err := loss.Parse(f.loss)
	if err != nil {
		return nil, usageError{err}
	}
	return l, nil
}

// exactMethod is the method that fits all functions of the space by the loss of falkon.
func exactMethod(r *falkon.Report) string {
	switch r.Loss {
	case loss.Squared{}.String():
		return "krr"
	case softmaxLoss, loss.Logistic{}.String():
		return "klr"
	}
	return "erm"
}
