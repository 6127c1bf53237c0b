package methods

import (
	"slices"
	"strings"

	"example.org/mercer/approx/nystrom"
	"example.org/mercer/compute"
	"example.org/mercer/learner"
	"example.org/mercer/learner/settings"
	"example.org/mercer/loss"
	"example.org/mercer/supervised/falkon"
	"example.org/mercer/task"
)

var falkonSpec = &learner.Spec{
	Name:  "falkon",
	Title: "many rows on few landmarks",
	Purpose: `Minimises (1/N) Σ wᵢ ℓ(yᵢ, f(xᵢ) + b) + (λ/2)‖f‖² over the functions f = Σ βⱼ k(·, cⱼ) on a few landmarks cⱼ: kernel ridge
regression for the squared loss, restricted to their span, by preconditioned conjugate gradients (Rudi, Carratino and Rosasco
2017); other losses by Newton's method on a falling sequence of penalties. Of more than two labels the largest output wins. The logistic loss
is that of all labels together, the softmax, and gives their probabilities; other losses, and --one-vs-rest, learn one label
against the rest. Memory does not grow with rows × landmarks, time does.
The approximation is measured and reported, and so is how far the objective is from its minimum.`,
	Examples: []string{
		`covtype.csv --target kind --landmarks 5000 --kernel 'rbf(sigma=median)' --lambda 1e-7`,
		`skin.csv --target skin --loss logistic --landmarks 1000 --landmarks-by leverage`,
		`house.csv --target price --landmarks 500 --kernel 'rbf(sigma=3)' --lambda 1e-6 --descent 100`,
		`house.csv --target price --landmarks 400 --kernel 'deep(of=rbf(sigma=median), widths=[64, 32])' --lambda 1e-8 --descent 500`,
		`taxi.csv --target duration --landmarks 10000 --holdout 0.05`,
	},
	Probabilities: true,
	Conformal:     true,
	Settings:      func() learner.Settings { return &falkonSettings{} },
	ReadReport:    learner.PlainReport[falkon.Report],
	ReadStates:    readFalkonStates,
	Tuned:         []string{"lambda"},
	Words: map[string][]string{
		"descent-of":   settings.Words(falkon.Movings...),
		"precision":    settings.Precisions,
		"landmarks-by": settings.Words(nystrom.Schemes...),
	},
	Exact: func(r learner.Report) (string, float64) {
		of := r.(*falkon.Report)
		switch of.Loss {
		case loss.Squared{}.String():
			return krrSpec.Name, of.Lambda
		case softmaxLoss, loss.Logistic{}.String():
			return klrSpec.Name, of.Lambda
		}
		return ermSpec.Name, of.Lambda
	},
}

// falkonSettings are the settings of functions on landmarks.
type falkonSettings struct {
	m               Falkon
	loss, precision string
}

func (s *falkonSettings) Flags(fs learner.Flags) {
	fs.Float64Var(&s.m.Lambda, "lambda", 0, "λ in (1/N)Σ w·loss + (λ/2)‖f‖², that of krr for the squared loss; default 1e-6")
	fs.Float64Var(&s.m.Ridge, "ridge", 0, "Nλ instead of --lambda")
	fs.BoolVar(&s.m.NoIntercept, "no-intercept", false, "no free constant")
	fs.IntVar(&s.m.Landmarks.Rank, settings.LandmarksFlag, 0, "how many; default: ten times the root of the number of rows, at most all")
	fs.StringVar((*string)(&s.m.Landmarks.Scheme), "landmarks-by", string(nystrom.Uniform), "how they are chosen: "+strings.Join(settings.Words(nystrom.Schemes...), ", "))
	fs.IntVar(&s.m.Landmarks.Among, "landmarks-among", 0, "choose them from this many rows, drawn uniformly: pivoted and greedy hold as many columns; default for these: four times the landmarks")
	fs.StringVar(&s.loss, "loss", "squared", "squared, logistic or softmax (of two labels, or of more together), squared-hinge, or huber(k=1.345, scale=…)")
	fs.BoolVar(&s.m.OneVsRest, "one-vs-rest", false, "with the logistic loss and more than two labels: one function for each label against the others, without probabilities")
	fs.Float64Var(&s.m.Stop.Tolerance, "tolerance", 0, "length of the gradient at the end beside that at the start; default 1e-4")
	fs.IntVar(&s.m.Stop.Passes, "passes", 0, "most passes over the rows; default 200, for losses other than squared 1000")
	fs.Float64Var(&s.m.Holdout, "holdout", 0, "share of the rows that are left out and end the iteration when they are predicted no better")
	fs.StringVar(&s.precision, "precision", compute.Single.String(), "of the passes: single, which a residual in double precision certifies, or double")
	fs.BoolVar(&s.m.Updatable, "updatable", false, "keep sums over the rows in the model, 8m² bytes for m landmarks, so that update and forget need no other row; solves the squared loss from them instead of iterating, with 4m² multiplications for a row")
	fs.IntVar(&s.m.Descent.Steps, "descent", 0, "move the landmarks, and the distance of the kernel or the network of deep(…), along the gradient of the objective, at most this many steps (100 is much, for a network 500); tune does so in the fit with -o alone")
	fs.IntVar(&s.m.Descent.Rows, "descent-rows", 0, "most rows that --descent looks at, a tenth of which judge it; default 20000")
	fs.StringVar((*string)(&s.m.Descent.Of), "descent-of", string(falkon.MoveFull), "what --descent moves: landmarks, or with them the scales of the columns (diagonal) or a full metric")
}

// defaultSmoothing is the λ of many rows where none is given; it is said so.
const defaultSmoothing = 1e-6

func (s *falkonSettings) Learner(t *task.Task, g *learner.Given) (learner.Learner, error) {
	m, err := s.m, error(nil)
	if m.Loss, err = s.lossOf(); err != nil {
		return nil, err
	}
	if !g.Has("lambda") && !g.Has("ridge") {
		m.Lambda = defaultSmoothing
		settings.NoteLambda(g, m.Lambda)
	} else if m.Lambda, err = (&settings.Penalty{Lambda: m.Lambda, Ridge: m.Ridge}).Chosen(g); err != nil {
		return nil, err
	}
	if err := s.check(g); err != nil {
		return nil, err
	}
	if m.Compute, err = settings.InPrecision(g.Compute, s.precision); err != nil {
		return nil, err
	}
	if t != nil && m.Landmarks.Rank == 0 { // a search fits parts of the rows
		n, _, _ := t.Dims()
		g.Note("%d landmarks (default; give --landmarks)", defaultLandmarks(n))
	}
	m.Landmarks.Seed = g.Seed
	return m, nil
}

// check refuses numbers that cannot be meant.
func (s *falkonSettings) check(g *learner.Given) error {
	at, stop, descent := s.m.Landmarks, s.m.Stop, s.m.Descent
	switch {
	case at.Rank == 0 && g.Has(settings.LandmarksFlag):
		return settings.Errorf("--landmarks is 0; give a number such as 1000, or leave the flag out for ten times the root of the number of rows")
	case at.Rank < 0 || at.Among < 0 || stop.Passes < 0 || !(s.m.Holdout >= 0 && s.m.Holdout < 1) || !(stop.Tolerance >= 0 && stop.Tolerance < 1):
		return settings.Errorf("--landmarks is %d, --landmarks-among %d, --passes %d: none may be negative; --holdout is %g and --tolerance %g: both lie in [0, 1)",
			at.Rank, at.Among, stop.Passes, s.m.Holdout, stop.Tolerance)
	case descent.Steps < 0 || !slices.Contains(falkon.Movings, descent.Of):
		return settings.Errorf("--descent is %d: it must not be negative; --descent-of is %q: one of %q is meant", descent.Steps, descent.Of, falkon.Movings)
	case descent.Rows < 0:
		return settings.Errorf("--descent-rows is %d: it must not be negative", descent.Rows)
	case descent.Steps == 0 && (g.Has("descent-of") || g.Has("descent-rows")):
		return settings.Errorf("--descent-of and --descent-rows belong to --descent: give it steps, such as --descent 50")
	}
	return nil
}

// softmaxLoss is another name for the logistic loss, as it is called for many labels.
const softmaxLoss = "softmax"

// lossOf reads the loss.
func (s *falkonSettings) lossOf() (loss.Loss, error) {
	switch {
	case s.loss == softmaxLoss && s.m.OneVsRest:
		return nil, settings.Errorf("--loss softmax is that of all labels together, and --one-vs-rest asks for one at a time: give --loss logistic")
	case s.loss == softmaxLoss:
		return loss.Logistic{}, nil
	}
	return parseLoss(s.loss)
}
