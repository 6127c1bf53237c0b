package nystrom

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"mercer/data"
	"mercer/gram"
	"mercer/kernel"
)

const (
	forecastRows  = 400  // rows on which landmarks are judged
	forecastRank  = 2000 // the most landmarks that are tried
	forecastShare = 2    // candidates for each of them
)

// Forecast says how much of the kernel so many landmarks will leave, before they are
// chosen: Left[m−1] is the mean of (k − k̃)(x, x) beside that of k(x, x), over rows that
// are not among the candidates, for the first m landmarks of [Pivoted] among a sample of
// the rows. More candidates than a sample's make better landmarks: what all rows would
// leave is rather less.
type Forecast struct {
	Left       []float64
	Candidates int
	Rows       int // that were judged
}

// NewForecast tries up to rank landmarks, or 2000, on a sample of the points xs of twice as
// many: c = 2·rank candidates take c·rank² multiplications, the judged rows less. Weights
// and seed are those of o, whose other fields are not used but for Compute.
func NewForecast[T any](ctx context.Context, k kernel.Kernel[T], xs data.Set[T], rank int, o Options) (*Forecast, error) {
	rank = min(rank, forecastRank)
	rng := rand.New(rand.NewPCG(o.Seed, 0x666f726563617374))
	drawn := draw(rng, o.weights(xs.Len()), forecastShare*rank+forecastRows)
	judged := min(forecastRows, len(drawn)/2)
	if judged == 0 {
		return nil, fmt.Errorf("nystrom: a forecast takes two points at least, there are %d of positive weight", len(drawn))
	}
	fresh, candidates := data.Subset(xs, drawn[:judged]), data.Subset(xs, drawn[judged:])
	plain := gram.Options{Workers: o.Compute.Workers}
	s, _, err := Landmarks(ctx, k, candidates, Options{Rank: min(rank, candidates.Len()), Seed: o.Seed, Compute: plain})
	if err != nil {
		return nil, err
	}
	low, err := New(ctx, k, s.Points, plain)
	if err != nil {
		return nil, err
	}
	phi := mat.NewDense(judged, low.Rank(), nil)
	if err := low.features(ctx, phi, fresh, plain.Workers); err != nil {
		return nil, err
	}
	diag := make([]float64, judged)
	kernel.Diag(kernel.Bind(k, fresh, fresh), diag)
	return &Forecast{Left: unexplained(phi, floats.Sum(diag)), Candidates: candidates.Len(), Rows: judged}, nil
}

// unexplained returns 1 − Σᵢ Σ_{j ≤ m} φⱼ(xᵢ)²/trace for every m: L is triangular, so that the
// first m features of a point are those that the first m landmarks alone would give.
func unexplained(phi *mat.Dense, trace float64) []float64 {
	n, m := phi.Dims()
	left := make([]float64, m)
	if trace == 0 {
		return left
	}
	explained := 0.0
	for j := range m {
		for i := range n {
			explained += phi.At(i, j) * phi.At(i, j)
		}
		left[j] = max(0, 1-explained/trace)
	}
	return left
}

// At returns what m landmarks leave, m ≥ 1: of more than were tried no more than of those.
func (f *Forecast) At(m int) float64 { return f.Left[min(m, len(f.Left))-1] }

// Landmarks returns the smallest number that leaves no more than a share of the trace;
// ok is false where none that was tried does.
func (f *Forecast) Landmarks(share float64) (m int, ok bool) {
	j := slices.IndexFunc(f.Left, func(v float64) bool { return v <= share })
	return j + 1, j >= 0
}
