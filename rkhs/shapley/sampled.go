package shapley

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/internal/parallel"
	"example.org/mercer/model"
)

// DefaultSamples is how many orders of the players are drawn for every row.
const DefaultSamples = 400

const (
	orderStream = 0x736861706c6579 // of the random numbers
	batch       = 1024             // points that are predicted together
)

// Sample estimates the Shapley values of any function at rows, in the game
//
//	v(S) = (1/N) Σ_b f(x_S, z_b outside of S)
//
// of the rows z_b of Options.Background: those players that are not in S have what a row of the
// background has, all from the same row. Unlike the game of [Explain] with a background it keeps
// what columns have to do with each other; they are the same game where f is a sum over players, or
// where the background has every combination of what its players have.
//
//  1. For every z_b draw R orders of the players, with Samples ≤ 2NR and R ≥ 2.
//  2. Begin at z_b and give the players what they have in x, one after the other. What f gains is
//     a draw of φ for the player. Do so in the reverse order, too: a player that came early comes
//     late, and the mean of both varies less.
//  3. φ is the mean of all draws, and has the variance Σ_b s_b²/(N²R), with the variance s_b² of
//     the R means of step 2 at z_b.
//
// What f gains on one way adds up to f(x) − f(z_b), so that Σφ = f(x) − v(∅) up to rounding. The
// draws of a sum over players are all alike at one z_b: the values are exact. A step that changes
// nothing is not evaluated, and gains 0. The orders depend on the seed alone: all rows have the
// same.
//
// 2NR·d evaluations of f for a row, and twice as many for pairs; the same bits for any number of
// workers. Errors: no background, sizes that do not fit, those of f and that of ctx.
//
// J. Castro, D. Gómez and J. Tejada, Polynomial calculation of the Shapley value based on sampling
// (2009); E. Štrumbelj and I. Kononenko, Explaining prediction models and individual predictions
// with feature contributions (2014), for drawing from v; R. Mitchell, J. Cooper, E. Frank and
// G. Holmes, Sampling permutations for Shapley value estimation (2022), for reverse orders.
func Sample(ctx context.Context, f model.Predictor[[]float64], rows data.Set[[]float64], o Options) (*Values, error) {
	s, err := o.sampler(ctx, f)
	if err != nil {
		return nil, err
	}
	if err := sameColumns("row", rows, len(o.Background.At(0))); err != nil {
		return nil, err
	}
	n, workers := rows.Len(), o.Compute.WorkerCount()
	s.inner = compute.Options{Workers: max(1, workers/max(1, n))}
	at, err := f.Predict(ctx, rows, compute.Options{Workers: workers})
	if err != nil {
		return nil, err
	}
	v := &Values{Base: make([]float64, s.outputs), Phi: make([]*mat.Dense, n), Error: make([]*mat.Dense, n), Samples: 2 * s.repeats * o.Background.Len()}
	for out := range v.Base {
		v.Base[out] = mat.Sum(s.there.ColView(out)) / float64(o.Background.Len())
	}
	if o.Pairs {
		v.Pairs = make([][][]Pair, n)
	}
	told := o.Compute.Meter("sampled Shapley values", int64(n*o.Background.Len()))
	defer told.End(ctx)
	failed := make([]error, n)
	err = parallel.Each(ctx, workers, n, func(_, i int) {
		d := s.newDraws(rows.At(i), at.RawRowView(i))
		if failed[i] = d.run(ctx, told.Add); failed[i] != nil {
			return
		}
		v.Phi[i], v.Error[i] = d.values()
		if o.Pairs {
			v.Pairs[i] = d.interactions()
		}
	})
	if err = errors.Join(err, firstOf(failed)); err != nil {
		return nil, err
	}
	return v, nil
}

func firstOf(failed []error) error {
	for _, err := range failed {
		if err != nil {
			return err
		}
	}
	return nil
}

// sampler is what all rows share.
type sampler struct {
	f       model.Predictor[[]float64]
	from    data.Set[[]float64]
	there   *mat.Dense // f at the background
	columns [][]int    // of every player
	outputs int
	repeats int // R
	seed    uint64
	pairs   bool
	inner   compute.Options
}

// sampler checks the options, and evaluates f at the background.
func (o Options) sampler(ctx context.Context, f model.Predictor[[]float64]) (*sampler, error) {
	if o.Background == nil || o.Background.Len() == 0 {
		return nil, errors.New("shapley: sampled values need a background of rows, from which players that are not there come")
	}
	if o.Samples < 0 {
		return nil, fmt.Errorf("shapley: %d samples; give a positive number of orders, or 0 for %d", o.Samples, DefaultSamples)
	}
	dim := len(o.Background.At(0))
	if err := sameColumns("background row", o.Background, dim); err != nil {
		return nil, err
	}
	players, count, err := o.players(dim)
	if err != nil {
		return nil, err
	}
	there, err := f.Predict(ctx, o.Background, compute.Options{Workers: o.Compute.Workers})
	if err != nil {
		return nil, err
	}
	samples := o.Samples
	if samples == 0 {
		samples = DefaultSamples
	}
	each := 2 * o.Background.Len()
	s := &sampler{f: f, from: o.Background, there: there, columns: make([][]int, count), outputs: f.Outputs(),
		repeats: max(2, (samples+each-1)/each), seed: o.Seed, pairs: o.Pairs}
	for j, p := range players {
		s.columns[p] = append(s.columns[p], j)
	}
	return s, nil
}

// draws are those of one row.
type draws struct {
	*sampler
	x    []float64
	here []float64 // f(x)
	// Sums over the background of the means of its draws and of s_b², outputs × players.
	mean, square *mat.Dense
	// The draws at one row of the background so far: how many, their means and sums of squares.
	seen         int
	soFar, apart *mat.Dense
	met          [][]moments // of the pairs, for every output
	gains, side  []float64
}

func (s *sampler) newDraws(x, here []float64) *draws {
	d := len(s.columns)
	matrix := func() *mat.Dense { return mat.NewDense(s.outputs, d, nil) }
	out := &draws{sampler: s, x: x, here: here, mean: matrix(), square: matrix(), soFar: matrix(), apart: matrix(),
		gains: make([]float64, d), side: make([]float64, max(0, d-1))}
	if s.pairs {
		out.met = make([][]moments, s.outputs)
		for o := range out.met {
			out.met[o] = make([]moments, d*d)
		}
	}
	return out
}

// What a walk comes to that is evaluated already; other places are positions in the batch.
const (
	atStart = -1
	atEnd   = -2
)

// walk is one way from a row of the background to x: the order of the players, the places after
// each step, and for pairs those after a step that leaves out the one before it.
type walk struct {
	from   int
	order  []int
	places []int
	skips  []int
}

// run takes all walks, some in a batch.
func (d *draws) run(ctx context.Context, done func(int64)) error {
	var points []float64
	var walks []walk
	dim, told := len(d.x), 0
	end := func(next int) error {
		values := new(mat.Dense)
		if len(points) > 0 {
			xs, err := data.NewVectors(len(points)/dim, dim, points)
			if err != nil {
				return err
			}
			if values, err = d.f.Predict(ctx, xs, d.inner); err != nil {
				return fmt.Errorf("shapley: at rows that are partly a row of the background: %w", err)
			}
		}
		for w := 0; w < len(walks); w += 2 {
			d.take(walks[w], walks[w+1], values)
		}
		points, walks = points[:0], walks[:0]
		done(int64(next - told))
		told = next
		return ctx.Err()
	}
	for b := range d.from.Len() {
		for r := range d.repeats {
			random := rand.New(rand.NewPCG(d.seed, orderStream+uint64(b*d.repeats+r)))
			order := random.Perm(len(d.columns))
			points = d.walk(&walks, points, b, order)
			points = d.walk(&walks, points, b, reversed(order))
			if len(points) >= batch*dim {
				if err := end(b); err != nil {
					return err
				}
			}
		}
	}
	return end(d.from.Len())
}

func reversed(order []int) []int {
	out := make([]int, len(order))
	for i, p := range order {
		out[len(order)-1-i] = p
	}
	return out
}

// walk adds the places of one walk to the points of a batch.
func (d *draws) walk(walks *[]walk, points []float64, from int, order []int) []float64 {
	dim := len(d.x)
	w := walk{from: from, order: order, places: make([]int, len(order)+1)}
	w.places[0] = atStart
	now := append([]float64(nil), d.from.At(from)...)
	put := func(differs bool, otherwise int) int {
		if !differs {
			return otherwise
		}
		points = append(points, now...)
		return len(points)/dim - 1
	}
	for k, p := range order {
		if k > 0 && d.pairs {
			w.skips = append(w.skips, d.without(now, from, order[k-1], p, w.places[k-1], put))
		}
		changed := d.give(now, d.x, p)
		switch {
		case changed && k == len(order)-1:
			w.places[k+1] = atEnd
		default:
			w.places[k+1] = put(changed, w.places[k])
		}
		if k > 0 && d.pairs && w.places[k] == w.places[k-1] {
			w.skips[k-1] = w.places[k+1] // the one before changes nothing
		}
	}
	*walks = append(*walks, w)
	return points
}

// without puts the place of the players before last, and of this one without last, and leaves now
// as it was.
func (d *draws) without(now []float64, from, last, player, before int, put func(bool, int) int) int {
	z := d.from.At(from)
	d.give(now, z, last)
	place := put(d.give(now, d.x, player), before)
	d.give(now, z, player)
	d.give(now, d.x, last)
	return place
}

// give sets the columns of a player, and reports whether that changed any.
func (d *draws) give(now, of []float64, player int) bool {
	changed := false
	for _, j := range d.columns[player] {
		changed = changed || now[j] != of[j] && (now[j] == now[j] || of[j] == of[j])
		now[j] = of[j]
	}
	return changed
}

// take adds the gains of a walk and of its reverse.
func (d *draws) take(w, back walk, values *mat.Dense) {
	d.seen++
	for o := range d.outputs {
		at := func(w walk, place int) float64 {
			switch place {
			case atStart:
				return d.there.At(w.from, o)
			case atEnd:
				return d.here[o]
			}
			return values.At(place, o)
		}
		clear(d.gains)
		for _, w := range []walk{w, back} {
			for k, p := range w.order {
				d.gains[p] += (at(w, w.places[k+1]) - at(w, w.places[k])) / 2
			}
		}
		mean, apart := d.soFar.RawRowView(o), d.apart.RawRowView(o)
		for p, gain := range d.gains {
			off := gain - mean[p]
			mean[p] += off / float64(d.seen)
			apart[p] += off * (gain - mean[p])
		}
		if d.pairs {
			d.meet(o, w, back, at)
		}
	}
	if d.seen == d.repeats {
		d.mean.Add(d.mean, d.soFar)
		d.square.Add(d.square, d.apart)
		d.soFar.Zero()
		d.apart.Zero()
		d.seen = 0
	}
}

// values returns φ and its standard error, outputs × players.
func (d *draws) values() (phi, deviation *mat.Dense) {
	n, r := float64(d.from.Len()), float64(d.repeats)
	d.mean.Scale(1/n, d.mean)
	d.square.Apply(func(_, _ int, v float64) float64 { return math.Sqrt(v/(r-1)/r) / n }, d.square)
	return d.mean, d.square
}
