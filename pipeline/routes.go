package pipeline

import (
	"context"
	"fmt"
	"strings"

	"mercer/gram"
	"mercer/kernel"
	"mercer/nystrom"
)

// offered are the numbers of landmarks that are offered instead of all rows, where these
// are at least four times as many.
var offered = []int{250, 500, 1000, 2000, 4000}

// Routes plans the same fit with the kernel approximated by landmarks, for several numbers
// of them: what each is expected to leave of the trace (see [nystrom.Forecast]) stands in
// Left, and in Hint what to ask for. Those that cost no less than the exact plan, in time
// and in memory, are left out; so are all where landmarks cannot stand for the kernel or
// for what the method says.
func (p *Problem) Routes(ctx context.Context, m Method, exact gram.Plan, o nystrom.Options) ([]gram.Plan, error) {
	n, _, _ := p.Dims()
	if p.Approximation != nil || p.FeatureMap != nil || p.InPasses() || n < 4*offered[0] || learnable(m) != nil ||
		p.Indefinite != "" || p.Derivation().Verdict == kernel.Indefinite {
		return nil, nil
	}
	if _, own := m.(Falkon); own { // it chooses landmarks itself
		return nil, nil
	}
	o.Weights = p.Rows.W
	forecast, err := p.points.forecast(ctx, o)
	if err != nil {
		return nil, err
	}
	var routes []gram.Plan
	for _, rank := range offered {
		if 4*rank > n {
			break
		}
		o.Rank = rank
		q, err := p.PlannedLowRank(ctx, o)
		if err != nil {
			return nil, err
		}
		plan, err := q.Plan(ctx, m)
		if err != nil {
			return nil, err
		}
		if plan.Memory < exact.Memory || plan.Seconds < exact.Seconds {
			plan.Hint, plan.Left = fmt.Sprintf("--landmarks %d", rank), forecast.At(rank)
			routes = append(routes, plan)
		}
	}
	return routes, nil
}

// forecastSeconds is what a forecast may take of the time of a plan.
const forecastSeconds = 2

// forecast tries landmarks on a sample, as many as a moment allows.
func (l learning[T]) forecast(ctx context.Context, o nystrom.Options) (*nystrom.Forecast, error) {
	rank := offered[len(offered)-1]
	rate, err := gram.PairRate(ctx, l.bind(), o.Compute)
	if err != nil {
		return nil, err
	}
	for rank > offered[0] && 2*float64(rank)*float64(rank) > forecastSeconds*rate {
		rank /= 2
	}
	return nystrom.NewForecast(ctx, l.kernel, l.points, min(rank, l.points.Len()/4), o)
}

// Choose returns the first plan within the limits: the exact one, then its exact
// alternatives, then the approximation that leaves least. Its Hint says what to ask for.
// Alternatives without flags to ask for are advice, and not chosen.
func Choose(exact gram.Plan, limits gram.Limits) (gram.Plan, bool) {
	if limits.Allow(exact) {
		return exact, true
	}
	var best gram.Plan
	found := false
	for _, a := range exact.Alternatives {
		if !limits.Allow(a) || !askable(a) {
			continue
		}
		if !found || a.Left < best.Left || a.Left == best.Left && a.Seconds < best.Seconds {
			best, found = a, true
		}
	}
	return best, found
}

// askable reports whether the hint of a plan is a list of flags.
func askable(p gram.Plan) bool { return strings.HasPrefix(p.Hint, "--") }
