package lab

import (
	"context"
	"fmt"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/kernel/check"
)

// falsifierScreen looks for points that prove a function of x and y to be no kernel.
var falsifierScreen = screen("falsifier", "Falsifier", answerFalsifier)

// falsifierRequest is an expression, or a formula of x and y, and where x and y may lie: reals,
// positive, unit, naturals, integers, or an interval such as [0, 2].
type falsifierRequest struct {
	Kernel  string `json:"kernel"`
	Formula string `json:"formula"`
	Domain  string `json:"domain"`
	Dim     int    `json:"dim"`
	Seed    uint64 `json:"seed"`
}

type falsifierAnswer struct {
	*check.Report
	Text string `json:"report"`
	Says string `json:"says"`
}

// falsifierBudget is how often the kernel is evaluated: less than a second.
const falsifierBudget = 400_000

func answerFalsifier(ctx context.Context, q falsifierRequest, _ compute.Options) (*falsifierAnswer, error) {
	text := q.Kernel
	if q.Formula != "" {
		text = fmt.Sprintf("formula(%q)", q.Formula)
	}
	k, err := kernelOn(ctx, text, data.Vectors{})
	if err != nil {
		return nil, err
	}
	o := check.Options{Dim: q.Dim, Seed: q.Seed, Budget: falsifierBudget}
	if q.Dim < 0 || q.Dim > 10 {
		return nil, invalid("points of %d coordinates: there are 1 to 10", q.Dim)
	}
	if q.Domain != "" {
		if o.Domain, err = check.ParseDomain(q.Domain); err != nil {
			return nil, invalid("%v", err)
		}
	}
	r, err := check.Run(ctx, k, o)
	if err != nil {
		return nil, err
	}
	out := &falsifierAnswer{Report: r, Text: r.String(), Says: fmt.Sprintf("No counter-example was found in %d evaluations. %s", r.Tried.Evaluations, r.Derivation.Reason)}
	if r.Witness != nil {
		out.Says = fmt.Sprintf("This is no kernel; points that prove it: %d.", len(r.Witness.Points))
	}
	return out, nil
}
