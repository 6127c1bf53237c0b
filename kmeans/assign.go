package kmeans

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"

	"mercer/internal/parallel"
	"mercer/internal/simd"
)

// bounds are those of Hamerly, Making k-means even faster, SDM 2010: upper of the distance
// of a row to its centre, lower of that to any other. They are widened by the last
// movements of the centres when a row is looked at.
type bounds struct {
	upper, lower []float64
	steps        []float64 // how far the centres moved last
	most         int       // the centre that moved most
	next         float64   // the longest step of the others
}

func newBounds(n, k int) bounds {
	b := bounds{upper: make([]float64, n), lower: make([]float64, n), steps: make([]float64, k)}
	for i := range b.upper {
		b.upper[i] = math.Inf(1) // nothing is known
	}
	return b
}

// rank finds the longest steps.
func (b *bounds) rank() {
	b.most, b.next = floats.MaxIdx(b.steps), 0
	for j, step := range b.steps {
		if j != b.most {
			b.next = max(b.next, step)
		}
	}
}

// widen makes the bounds of row i, whose centre is j, those after the last step.
func (b *bounds) widen(i, j int) (upper, lower float64) {
	step := b.steps[b.most]
	if j == b.most {
		step = b.next
	}
	upper, lower = (b.upper[i]+b.steps[j])*(1+0x1p-51), (b.lower[i]-step)*(1-0x1p-51)
	b.upper[i], b.lower[i] = upper, lower
	return upper, lower
}

// buffer is what a worker computes in.
type buffer struct {
	rows  []int
	x     []float64 // rows of one panel
	panel []float64 // the same coordinate by coordinate
	near  simd.Near
}

func newBuffer(d int) *buffer {
	return &buffer{x: make([]float64, simd.PanelWidth*d), panel: make([]float64, simd.PanelWidth*d)}
}

// assign gives every row its nearest centre and returns how many changed. The distances
// to all centres are never written: of a panel of rows only the least two are kept.
func (l *lloyd) assign(ctx context.Context) (int, error) {
	half, largest := l.separations(), 0.0
	for j := range l.k {
		largest = max(largest, floats.Dot(l.centre(j), l.centre(j)))
	}
	l.packed.Pack(l.centres, l.d)
	full := make([]int, blocks(l.n))
	err := parallel.Each(ctx, l.workers, blocks(l.n), func(worker, b int) {
		buf := l.buffers[worker]
		l.collect(buf, b, half)
		moves := l.totals.moves[b][:0]
		for rest := buf.rows; len(rest) > 0; {
			rows := rest[:min(simd.PanelWidth, len(rest))]
			rest = rest[len(rows):]
			l.nearest(buf, rows)
			for lane, i := range rows {
				if was := l.labels[i]; l.choose(i, &buf.near, lane, largest) {
					moves = append(moves, move{i, was})
				}
			}
		}
		full[b], l.totals.moves[b] = len(buf.rows), moves
	})
	changed := 0
	for b, count := range full {
		changed += len(l.totals.moves[b])
		l.full += count
	}
	l.passes++
	return changed, err
}

// collect lists the rows of a block for which the bounds do not show that the nearest
// centre is still the same.
func (l *lloyd) collect(buf *buffer, b int, half []float64) {
	buf.rows = buf.rows[:0]
	for i, to := cut(l.n, b); i < to; i++ {
		j := l.labels[i]
		upper, lower := l.bounds.widen(i, j)
		if upper >= max(lower, half[j]) {
			buf.rows = append(buf.rows, i)
		}
	}
}

// nearest finds the nearest two centres of at most a panel of rows.
func (l *lloyd) nearest(buf *buffer, rows []int) {
	first, count := rows[0], len(rows)
	x := l.x[first*l.d:]
	if rows[count-1] != first+count-1 { // they do not follow one another
		x = buf.x
		for t, i := range rows {
			copy(x[t*l.d:(t+1)*l.d], l.row(i))
		}
	}
	simd.Transpose(buf.panel, simd.PanelWidth, x, l.d, count, l.d, 1)
	l.packed.Nearest(&buf.near, buf.panel)
}

// choose takes the nearest centre of row i, which is in a lane of near. The error of
// ‖x‖² + 2(‖c‖²/2 − ⟨x, c⟩) is below 2(d + 2)·2⁻⁵²(‖x‖² + ‖c‖²), which goes into the bounds.
func (l *lloyd) choose(i int, near *simd.Near, lane int, largest float64) bool {
	was, best := l.labels[i], int(near.Index[lane])
	slack := 2 * float64(l.d+2) * 0x1p-52 * (l.norms[i] + largest)
	l.bounds.upper[i] = math.Sqrt(max(0, l.norms[i]+2*near.First[lane]) + slack)
	l.bounds.lower[i] = math.Sqrt(max(0, l.norms[i]+2*near.Second[lane]-slack))
	l.labels[i] = best
	return best != was
}

// separations returns half of the distance of each centre to the nearest other: a row
// nearer to its centre has no nearer one.
func (l *lloyd) separations() []float64 {
	half := make([]float64, l.k)
	for j := range half {
		half[j] = math.Inf(1)
	}
	for j := range l.k {
		for m := range j {
			s := math.Sqrt(squaredDistance(l.centre(j), l.centre(m))) / 2 * (1 - float64(l.d+4)*0x1p-52)
			half[j], half[m] = min(half[j], s), min(half[m], s)
		}
	}
	return half
}
