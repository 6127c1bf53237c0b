package learn

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"example.org/mercer/cmd/mercer/internal/figure"
	"example.org/mercer/cmd/mercer/internal/flags"
	"example.org/mercer/cmd/mercer/internal/verb"
	"example.org/mercer/compute"
	"example.org/mercer/learner/methods"
	"example.org/mercer/model"
	"example.org/mercer/search"
	"example.org/mercer/supervised/krr"
	"example.org/mercer/task"
)

// lambdaPath is what `mercer path` prints.
type lambdaPath struct {
	*search.LambdaPath
	Exact string `json:"exact,omitempty"` // the command that would not approximate
	Plot  string `json:"plot,omitempty"`
}

func (l lambdaPath) Text(w io.Writer) {
	fmt.Fprintf(w, "kernel %s\n", verb.Brief(l.Kernel))
	verb.Columns(w, slices.Concat(verb.LandmarkLines(l.Approximation, l.Exact), verb.FeatureMapLines(l.FeatureMap, l.Exact)))
	lines := [][]string{{"λ", "train RMSE", "leave-one-out RMSE", "√GCV", "degrees of freedom", "log evidence", ""}}
	for i, p := range l.Points {
		line := []string{verb.Num(p.Lambda), model.FormatNumbers(p.Train.RMSE), model.FormatNumbers(p.LOO.RMSE), verb.Num(math.Sqrt(p.GCV)), verb.Num(p.DOF), verb.Num(p.Evidence)}
		if i == l.Best {
			line = append(line, "← best by "+string(l.Criterion))
		}
		lines = append(lines, line)
	}
	verb.Columns(w, lines)
}

// pathFlags say which λ to go through.
type pathFlags struct {
	lambda      []float64
	count       int
	criterion   string
	noIntercept bool
	plot        string
}

// start returns the grid, once the picture can be drawn.
func (f *pathFlags) start() ([]float64, error) {
	if err := verb.CanDraw(f.plot); err != nil {
		return nil, err
	}
	return f.grid()
}

// grid returns λ from the largest to the smallest, in equal ratios.
func (f *pathFlags) grid() ([]float64, error) {
	if len(f.lambda) != 2 || !(f.lambda[0] > 0) || !(f.lambda[0] < f.lambda[1]) || math.IsInf(f.lambda[1], 1) {
		return nil, verb.Usagef("--lambda-range is %v; give the smallest and the largest λ, such as 1e-7,100", f.lambda)
	}
	if f.count < 2 {
		return nil, verb.Usagef("--count is %d; a path has at least 2 values", f.count)
	}
	out := make([]float64, f.count)
	for i := range out {
		out[i] = f.lambda[1] * math.Pow(f.lambda[0]/f.lambda[1], float64(i)/float64(f.count-1))
	}
	return out, nil
}

func NewPath(inv *verb.Invocation) *cobra.Command {
	cmd := newRidgePath(inv)
	cmd.Use, cmd.Short = "path [METHOD] TABLE", "Go through all λ of a method, kernel ridge regression if none is named"
	cmd.AddCommand(newRidgePath(inv), newLandmarkPath(inv))
	return inv.Prints(cmd, lambdaPath{}, landmarkPath{}, Planned{})
}

func newRidgePath(inv *verb.Invocation) *cobra.Command {
	f, p, dry := &flags.Problem{}, &pathFlags{}, false
	criteria := make([]string, len(krr.Criteria))
	for i, c := range krr.Criteria {
		criteria[i] = string(c)
	}
	cmd := &cobra.Command{
		Use:   methods.KRR{}.Name() + " TABLE",
		Short: "Go through all λ of kernel ridge regression: errors, leave-one-out errors, GCV, evidence",
		Long: `path decomposes the Gram matrix once and solves kernel ridge regression for many λ: the error on the training rows, the exact
leave-one-out error, generalised cross-validation, the effective degrees of freedom and the log evidence of each. With
--landmarks or --random-features, and for a kernel of few features such as linear, it decomposes the moments of the
features and holds nothing of the size of a Gram matrix; the leave-one-out errors are then exact for these features.
--plot draws the errors over λ and, for one numeric feature, the functions over the data.`,
		Example: `  mercer path motor.csv --target accel --kernel 'rbf(sigma=median)' --plot path.png
  mercer path big.csv --target price --landmarks 1000 --criterion gcv
  mercer path train.csv --target price --lambda-range 1e-9,1 --count 40 --json
  mercer path falkon big.csv --target price --landmarks 1000 --plot path.png`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			lambdas, err := p.start()
			if err != nil {
				return err
			}
			by := krr.Criterion(p.criterion)
			if by.Check() != nil {
				return verb.Usagef("--criterion %q is not known; there are %s", by, strings.Join(criteria, ", "))
			}
			problem, err := f.Task(cmd.Context(), inv, args[0])
			if err != nil {
				return err
			}
			return p.follow(inv, cmd, args, problem, lambdas, dry)
		},
	}
	f.Register(cmd)
	f.RegisterTreatment(cmd)
	f.Passes.Register(cmd)
	p.register(cmd, []float64{1e-7, 100})
	registerDryRun(cmd, &dry)
	set := cmd.Flags()
	set.StringVar(&p.criterion, "criterion", string(krr.LOO), "by which the best λ is named: "+strings.Join(criteria, ", "))
	set.BoolVar(&p.noIntercept, "no-intercept", false, "no free constant")
	verb.Choices(cmd, "criterion", criteria)
	return cmd
}

// follow plans the path and, unless it is dry, goes along it and prints it.
func (f *pathFlags) follow(inv *verb.Invocation, cmd *cobra.Command, args []string, problem *task.Task, lambdas []float64, dry bool) error {
	how, stop := inv.Compute()
	defer stop()
	plan, err := search.PlanLambdaPath(cmd.Context(), problem, len(lambdas), how)
	if err != nil {
		return err
	}
	if dry {
		stop()
		return errors.Join(inv.Emit(newPlanned(problem, plan)), compute.CheckMemory(plan, how.MaxMemory))
	}
	if err := compute.CheckMemory(plan, how.MaxMemory); err != nil {
		return err
	}
	defer verb.Hold(plan.Memory)()
	path, err := search.NewLambdaPath(cmd.Context(), problem, lambdas, krr.Criterion(f.criterion), f.noIntercept, how)
	if err != nil {
		return err
	}
	stop()
	if f.plot != "" {
		if err := verb.WritePicture(cmd, f.plot, pictureOf(path)); err != nil {
			return err
		}
	}
	out := lambdaPath{LambdaPath: path, Plot: f.plot}
	if path.Approximation != nil || path.FeatureMap != nil {
		out.Exact = flags.ExactCommand(cmd, args)
	}
	return inv.Emit(out)
}

// register adds the flags of every path.
func (f *pathFlags) register(cmd *cobra.Command, span []float64) {
	set := cmd.Flags()
	set.Float64SliceVar(&f.lambda, "lambda-range", span, "smallest and largest λ")
	set.Lookup("lambda-range").DefValue = fmt.Sprintf("%g,%g", span[0], span[1])
	set.IntVar(&f.count, "count", 19, "values of λ, in equal ratios")
	set.StringVar(&f.plot, "plot", "", "write a picture: a .png or .svg file")
}

// curvesShown is the number of functions in a picture: more cannot be told apart.
const curvesShown = 5

// pictureOf draws the first target.
func pictureOf(path *search.LambdaPath) figure.Path {
	pic := figure.Path{Best: path.Best, Score: "root mean squared error", Others: "leave one out"}
	for _, p := range path.Points {
		pic.Lambda = append(pic.Lambda, p.Lambda)
		pic.Train, pic.Held = append(pic.Train, p.Train.RMSE[0]), append(pic.Held, p.LOO.RMSE[0])
	}
	c := path.Curves
	if c == nil {
		return pic
	}
	pic.Curves = &figure.Curves{Title: path.Kernel, XLabel: c.Feature, YLabel: c.Target, X: c.X, Y: c.Y}
	last := len(c.F) - 1
	for k := range min(curvesShown, len(c.F)) {
		i := k * last / (min(curvesShown, len(c.F)) - 1)
		if i == path.Best { // drawn last, above the others
			continue
		}
		pic.Curves.Lines = append(pic.Curves.Lines, figure.Curve{Name: "λ = " + verb.Num(path.Points[i].Lambda), X: c.Grid, Y: c.F[i]})
	}
	pic.Curves.Lines = append(pic.Curves.Lines, figure.Curve{Name: "best λ = " + verb.Num(path.Points[path.Best].Lambda), X: c.Grid, Y: c.F[path.Best]})
	return pic
}
