package kmeans

import (
	"context"
	"math"

	"example.org/mercer/internal/simd"
	"example.org/mercer/pass"
)

// assign gives every row its nearest centre and returns how many changed. The distances
// to all centres are never written: of a row only the least two are kept.
func (l *lloyd) assign(ctx context.Context) (int, error) {
	l.passes++
	if l.streamed {
		return l.assignStreamed(ctx)
	}
	l.setCentres()
	err := l.each(ctx, 0, func(buf *buffer, _, b int) { l.assignBlock(buf, b) })
	changed := 0
	for _, moves := range l.sums.moves {
		changed += len(moves)
	}
	for _, rows := range l.comparedIn {
		l.compared += rows
	}
	return changed, err
}

// setCentres makes the centres those that rows are compared with.
func (l *lloyd) setCentres() {
	l.bounds.setCentres(l.centres)
	l.exact.centres.Pack(l.centres, l.d)
}

// copyCost is how many comparisons with a centre take as long as the copy of a row to
// another panel.
const copyCost = 44

// assignBlock takes a panel as it is where many of its rows are due, and copies the rows of
// others together.
func (l *lloyd) assignBlock(buf *buffer, b int) {
	l.sums.moves[b] = l.sums.moves[b][:0]
	buf.copied, buf.norm, l.comparedIn[b] = buf.copied[:0], 0, 0
	for from, to := pass.BlockRange(l.n, b); from < to; from += lanes {
		buf.all = buf.all[:0]
		for i := from; i < min(from+lanes, to); i++ {
			buf.all = append(buf.all, i)
		}
		due := l.bounds.due(buf, buf.all, l.labels)
		if len(due) == 0 {
			continue
		}
		x, norm := l.panel(buf, from/lanes)
		if len(due)*(copyCost+l.k) > len(buf.all)*l.k {
			l.findNearest(buf, x, buf.all, norm, b)
			continue
		}
		if len(buf.copied)+len(due) > lanes {
			l.findNearestOfCopies(buf, b)
		}
		for _, i := range due {
			for c, t := 0, len(buf.copied); c < l.d; c++ {
				buf.single[c*lanes+t] = x[c*lanes+i%lanes]
			}
			buf.copied = append(buf.copied, i)
		}
		buf.norm = max(buf.norm, norm)
	}
	if len(buf.copied) > 0 {
		l.findNearestOfCopies(buf, b)
	}
}

// findNearestOfCopies takes the panel of copied rows, filled up with the last of them, and begins
// another.
func (l *lloyd) findNearestOfCopies(buf *buffer, b int) {
	count := len(buf.copied)
	for c := range l.d {
		row := buf.single[c*lanes : (c+1)*lanes]
		for t := count; t < lanes; t++ {
			row[t] = row[count-1]
		}
	}
	l.findNearest(buf, buf.single, buf.copied, buf.norm, b)
	buf.copied, buf.norm = buf.copied[:0], 0
}

// findNearest finds the nearest centres of rows of block b, which are the first lanes of x and
// have ‖x‖² ≤ norm. With s_j = ‖c_j‖²/2 − ⟨x, c_j⟩ a row is nearer to c_1 than to c_2 by
//
//	d_2 − d_1 = 2(s_2 − s_1)/(d_2 + d_1) ≥ (s_2 − s_1)/d_2,   d_2² = ‖x‖² + 2s_2.
//
// Where the rounding of single precision might change the sign of s_2 − s_1, double
// precision decides.
func (l *lloyd) findNearest(buf *buffer, x []float32, rows []int, norm float64, b int) {
	l.comparedIn[b] += len(rows)
	found, open := &buf.found, buf.open[:0]
	l.bounds.single.Nearest(found, x)
	slack := 2 * rounding(l.d, unit32, norm, l.bounds.largest)
	rate := (1 - 0x1p-50) / math.Sqrt(norm+2*float64(found.Far)+slack)
	for t, i := range rows {
		margin := float64(found.Second[t]-found.First[t])*(1-2*unit32) - slack
		if margin > 0 {
			l.setLabel(b, i, found.Index[t], margin*rate)
		} else {
			open = append(open, i)
		}
	}
	buf.open = open
	slack = 2 * rounding(l.d, unit64, norm, l.bounds.largest)
	for len(open) > 0 {
		some := open[:min(simd.PanelWidth, len(open))]
		open = open[len(some):]
		near := l.exact.nearest(buf, some)
		for t, i := range some {
			margin := (near.Second[t]-near.First[t])*l.panels.scale*l.panels.scale - slack
			l.setLabel(b, i, int32(near.Index[t]), margin*rate)
		}
	}
}

// setLabel gives row i of block b the label j, which stays for some time.
func (l *lloyd) setLabel(b, i int, j int32, time float64) {
	l.bounds.keepUntil(i, j, time)
	if was := l.labels[i]; was != j {
		l.sums.moves[b] = append(l.sums.moves[b], move{i, int(was)})
		l.labels[i] = j
	}
}
