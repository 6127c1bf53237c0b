package lab

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/supervised/gp"
	"gonum.org/v1/gonum/floats"
)

// workshopScreen shows what a kernel is: why it is one, its sections, and functions that a Gaussian
// process with this covariance draws.
var workshopScreen = screen("workshop", "Kernel", answerWorkshop)

type workshopRequest struct {
	Kernel string    `json:"kernel"`
	From   float64   `json:"from"`
	To     float64   `json:"to"`
	Grid   int       `json:"grid"`
	At     []float64 `json:"at"` // of the sections
	Draws  int       `json:"draws"`
	Seed   uint64    `json:"seed"`
}

type workshopAnswer struct {
	Kernel     string            `json:"kernel"`
	At         Numbers           `json:"at"`
	Sections   []Numbers         `json:"sections"` // k(x, ·)
	Draws      []Numbers         `json:"draws,omitempty"`
	NoDraws    string            `json:"no_draws,omitempty"` // why
	Derivation kernel.Derivation `json:"derivation"`
	Parameters []parameter       `json:"parameters"`
	Says       string            `json:"says"`
}

type parameter struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"`
}

func answerWorkshop(ctx context.Context, q workshopRequest, o compute.Options) (*workshopAnswer, error) {
	if q.Grid < 2 || q.Grid > 400 || !(q.To > q.From) || len(q.At) > 10 || q.Draws < 0 || q.Draws > 20 {
		return nil, invalid("%d numbers from %g to %g, %d sections and %d draws: there are 2 to 400, at most 10 and 20", q.Grid, q.From, q.To, len(q.At), q.Draws)
	}
	at := floats.Span(make([]float64, q.Grid), q.From, q.To)
	grid, err := line(at)
	if err != nil {
		return nil, err
	}
	k, err := kernelOn(ctx, q.Kernel, grid)
	if err != nil {
		return nil, err
	}
	out := &workshopAnswer{Kernel: k.String(), At: at, Derivation: kernel.Derive(k), Parameters: []parameter{}}
	if p, ok := k.(interface{ Parameters() []kernel.Parameter }); ok {
		for _, one := range p.Parameters() {
			out.Parameters = append(out.Parameters, parameter{one.Name, one.Value})
		}
	}
	for _, x := range q.At {
		if _, err := kernel.Outside(k, data.Slice[[]float64]{{x}}); err != nil {
			return nil, invalid("the section at %g: %v", x, err)
		}
		section := make(Numbers, len(at))
		for i := range at {
			section[i] = k.Eval([]float64{x}, grid.At(i))
		}
		out.Sections = append(out.Sections, section)
	}
	out.draw(ctx, k, at, q, o)
	out.Says = fmt.Sprintf("%s: %v. %s", out.Kernel, out.Derivation.Verdict, out.Derivation.Reason)
	return out, ctx.Err()
}

// draw draws functions, or says why there are none.
func (a *workshopAnswer) draw(ctx context.Context, k vec.Kernel, at []float64, q workshopRequest, o compute.Options) {
	if q.Draws == 0 {
		return
	}
	grid, _ := line(at)
	draws, err := gp.SamplePrior(ctx, k, grid, q.Draws, q.Seed, o)
	if err != nil {
		a.NoDraws = err.Error()
		return
	}
	for i := range q.Draws {
		a.Draws = append(a.Draws, mat.Col(nil, i, draws))
	}
}
