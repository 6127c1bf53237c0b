package learn

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"example.org/mercer/cmd/mercer/internal/figure"
	"example.org/mercer/cmd/mercer/internal/flags"
	"example.org/mercer/cmd/mercer/internal/verb"
	"example.org/mercer/learner"
	"example.org/mercer/learner/methods"
	"example.org/mercer/search"
	"example.org/mercer/task"
)

// landmarkPath is what `mercer path falkon` prints.
type landmarkPath struct {
	*search.LandmarkPath
	Plot string `json:"plot,omitempty"`
}

func (l landmarkPath) Text(w io.Writer) {
	r := l.Points[0].Report
	fmt.Fprintf(w, "kernel %s, %d landmarks by %s, %d rows to learn from, %d left out\n", verb.Brief(l.Kernel), r.Landmarks, r.Scheme, l.Rows, l.HeldOut)
	lines := [][]string{{"λ", "train " + l.Score, "held-out " + l.Score, "gap", "residual at first", "at last", "passes", ""}}
	passes := 0
	for i, p := range l.Points {
		line := []string{verb.Num(p.Lambda), verb.Num(p.Train), verb.Num(p.HeldOut), verb.Num(p.Gap), verb.Num(p.Start), verb.Num(p.Residual), fmt.Sprint(p.Passes + p.Gradients)}
		if passes += p.Passes + p.Gradients; i == l.Best {
			line = append(line, "← best")
		}
		lines = append(lines, line)
	}
	verb.Columns(w, lines)
	fmt.Fprintf(w, "%d passes over the rows\n", passes)
}

func newLandmarkPath(inv *verb.Invocation) *cobra.Command {
	f, own := flags.For(methods.Named(methods.Falkon{}.Name()))
	p, kept, score := &pathFlags{}, &flags.Steps{}, ""
	cmd := &cobra.Command{
		Use:   methods.Falkon{}.Name() + " TABLE",
		Short: "Go through all λ of falkon on the same landmarks: errors of rows left out, passes",
		Long: `path falkon leaves out a share of the rows (--holdout), chooses landmarks among the others, and fits every λ from the largest on,
each from where the last one ended: one Gram matrix of the landmarks and, where they fit in memory, one evaluation of the kernel
serve all of them. The residual at first is 1 for a fit from f = 0; what it is below 1 is what the start saves.`,
		Example: `  mercer path falkon train.csv --target price --landmarks 1000 --lambda-range 1e-9,1e-2 --plot path.png
  mercer path falkon skin.csv --target skin --loss logistic --landmarks 500 --score log-loss --json`,
		Args: oneTable,
		RunE: func(cmd *cobra.Command, args []string) error {
			lambdas, err := p.start()
			if err != nil {
				return err
			}
			problem, err := f.Task(cmd.Context(), inv, args[0])
			if err != nil {
				return err
			}
			path, err := followLandmarks(cmd, inv, own, kept, problem, lambdas, score)
			if err != nil {
				return err
			}
			for _, point := range path.Points {
				for _, warning := range point.Warnings {
					inv.Note("λ = %s: %s", verb.Num(point.Lambda), warning)
				}
			}
			if p.plot != "" {
				if err := verb.WritePicture(cmd, p.plot, pictureOfLandmarks(path)); err != nil {
					return err
				}
			}
			return inv.Emit(landmarkPath{LandmarkPath: path, Plot: p.plot})
		},
	}
	f.Register(cmd)
	f.Passes.Register(cmd)
	own.Register(cmd)
	kept.Register(cmd)
	p.register(cmd, []float64{1e-9, 1e-2})
	set := cmd.Flags()
	set.StringVar(&score, "score", "", strings.Join(search.ScoreNames(), ", ")+"; default: accuracy for labels, rmse for numbers")
	for _, name := range []string{"lambda", "ridge"} {
		_ = set.MarkHidden(name) // the path goes through them
	}
	holdout := set.Lookup("holdout")
	holdout.Usage, holdout.DefValue = "share of the rows that are left out and score every λ", "0.2"
	_ = holdout.Value.Set(holdout.DefValue)
	return cmd
}

// followLandmarks goes through all λ with the steps of a file, if there is one.
func followLandmarks(cmd *cobra.Command, inv *verb.Invocation, own *flags.Method, kept *flags.Steps, p *task.Task, lambdas []float64, score string) (path *search.LandmarkPath, err error) {
	how, stop := inv.Compute()
	defer stop()
	m, err := own.Learner(cmd, inv.Silent(), p, how) // with notes it would name a default λ
	if err != nil {
		return nil, err
	}
	err = kept.Run(inv, func(file string, every time.Duration) (log *learner.Checkpoint, err error) {
		m, log, err = search.OpenLandmarkPath(p, m, lambdas, file, every)
		return log, err
	}, func() (err error) {
		path, err = search.NewLandmarkPath(cmd.Context(), p, m, lambdas, score)
		return err
	})
	return path, err
}

func pictureOfLandmarks(path *search.LandmarkPath) figure.Path {
	pic := figure.Path{Best: path.Best, Score: path.Score, Others: "rows left out"}
	for _, p := range path.Points {
		pic.Lambda = append(pic.Lambda, p.Lambda)
		pic.Train, pic.Held = append(pic.Train, p.Train), append(pic.Held, p.HeldOut)
	}
	return pic
}
