package svm

import (
	"context"
	"encoding/binary"
	"errors"
	"slices"

	"example.org/mercer/compute"
	"example.org/mercer/internal/parallel"
	"example.org/mercer/internal/simd"
	"example.org/mercer/kernel"
)

// pairing searches problems of two classes each, as one against one makes them, block by
// block of the matrix. The block with the rows of one class and the columns of another
// serves a single problem, and makes room for the next when that is solved; only those of
// a class with itself, which serve many, are kept: of k equal classes 1/k of the matrix.
// No kernel value is computed twice.
type pairing struct {
	j      *job
	all    kernel.Pairs // the rows in the order of the job with themselves
	own    map[span][]float32
	in     *arena[float32]   // where these are
	beside []*arena[float32] // of each worker: where the other blocks of its problem are
}

// newPairing returns the search. It is nil where the problems are not of two classes each or one is
// on half of the rows (see [search.sampled]). It is nil for few rows and for a matrix that is bound
// already, which are computed as a whole. And it is nil where problems will be searched again,
// where nothing need be stored, and where the blocks do not fit into memory.
func newPairing(j *job) *pairing {
	p := &pairing{j: j, own: map[span][]float32{}, in: &arena[float32]{}}
	most, largest := int(j.memory()/int64(binary.Size(float32(0)))), 0
	for _, m := range j.problems {
		if len(m.spans) != 2 || 2*rowsOf(m.spans) >= len(j.order) {
			return nil
		}
		for _, class := range m.spans {
			if _, known := p.own[class]; !known {
				p.own[class] = nil
				p.in.most += class.rows() * class.rows()
			}
		}
		largest = max(largest, 2*m.spans[0].rows()*m.spans[1].rows())
	}
	if isBound(j.src) || j.again || len(j.order) <= doubleRows || p.in.most+largest > most || !j.stores() {
		return nil
	}
	for range min(j.o.Compute.WorkerCount(), len(j.problems), (most-p.in.most)/largest) {
		p.beside = append(p.beside, &arena[float32]{most: largest})
	}
	return p
}

// searching computes what is kept.
func (p *pairing) searching(ctx context.Context) (*searching, error) {
	if p.all = p.j.all; p.all == nil {
		p.all = p.j.src.Bind(p.j.order, p.j.order)
	}
	if err := p.keep(ctx); err != nil {
		p.leave()
		return nil, err
	}
	p.j.watch.Lap(&p.j.report.Run, "gram")
	return &searching{run: p.run, rounding: rounding[float32](), leave: p.leave}, nil
}

// keep computes the matrices of all classes, both triangles.
func (p *pairing) keep(ctx context.Context) error {
	type tile struct{ of, rows, cols span }
	var tiles []tile
	for of := range p.own {
		p.own[of] = p.in.take(of.rows() * of.rows())
		p.j.report.Evaluations += int64(of.rows()) * int64(of.rows()+1) / 2
		for i, rows := range of.tiles() {
			for _, cols := range of.tiles()[i:] {
				tiles = append(tiles, tile{of, rows, cols})
			}
		}
	}
	return parallel.Each(ctx, p.j.o.Compute.WorkerCount(), len(tiles), func(_, i int) {
		t := tiles[i]
		mirrored(p.all, p.own[t.of], p.own[t.of], t.of, t.of, t.rows, t.cols)
	})
}

// tiles cuts a span where tiles of the whole matrix end, at which packed points begin anew.
func (s span) tiles() []span {
	var out []span
	for from := s.from; from < s.to; {
		to := min((from/tileSide+1)*tileSide, s.to)
		out = append(out, span{from, to})
		from = to
	}
	return out
}

// mirrored computes the tile of the given rows and columns of a block with the rows of up
// and the columns of across, and its mirror in the transpose of the block.
func mirrored(p kernel.Pairs, block, transpose []float32, up, across, rows, cols span) {
	here := block[(rows.from-up.from)*across.rows()+cols.from-across.from:]
	computeTile(p, here, across.rows(), rows.from, cols.from, rows.rows(), cols.rows())
	if rows != cols {
		there := transpose[(cols.from-across.from)*up.rows()+rows.from-up.from:]
		simd.Transpose(there, up.rows(), here, across.rows(), rows.rows(), cols.rows(), 1)
	}
}

// run improves the problems that have not converged, side by side.
func (p *pairing) run(ctx context.Context) error {
	var left []*binaryProblem
	for _, m := range p.j.problems {
		if !m.converged && !m.exhausted() {
			left = append(left, m)
			p.j.report.Evaluations += int64(m.spans[0].rows()) * int64(m.spans[1].rows())
		}
	}
	errs := make([]error, len(left))
	err := parallel.Each(ctx, len(p.beside), len(left), func(worker, i int) {
		_, errs[i] = left[i].step(ctx, p.j.problemOptions(i), func() (float64, error) { return 0, p.search(ctx, left[i], p.beside[worker]) })
	})
	return errors.Join(append(errs, err)...)
}

// search improves one problem.
func (p *pairing) search(ctx context.Context, m *binaryProblem, in *arena[float32]) error {
	a, b := m.spans[0], m.spans[1]
	in.clear()
	ab, ba := in.take(a.rows()*b.rows()), in.take(a.rows()*b.rows())
	for _, rows := range a.tiles() {
		for _, cols := range b.tiles() {
			if err := ctx.Err(); err != nil {
				return err
			}
			mirrored(p.all, ab, ba, a, b, rows, cols)
		}
	}
	k := &facing{size: [2]int{a.rows(), b.rows()}, blocks: [2][2][]float32{{p.own[a], ab}, {ba, p.own[b]}}}
	diag := slices.Concat(p.j.diag[a.from:a.to], p.j.diag[b.from:b.to])
	return newSMO(m, k, []span{{0, a.rows()}, {a.rows(), len(diag)}}, diag).inSteps(ctx, compute.Options{}, toleranceMargin*p.j.o.Tolerance)
}

// leave gives the memory back.
func (p *pairing) leave() {
	held := int64(0)
	for _, in := range append(p.beside, p.in) {
		held += in.bytes()
		in.leave()
	}
	p.j.report.Matrix = max(p.j.report.Matrix, held)
}

// facing is the matrix of two classes, the rows and columns of the first and then those of
// the second.
type facing struct {
	size   [2]int
	blocks [2][2][]float32 // by the class of the row and that of the columns
}

func (f *facing) row(_ context.Context, i, block int) ([]float32, error) {
	of, first := f.blockOf(i)
	width := f.size[block]
	return f.blocks[of][block][(i-first)*width : (i-first+1)*width], nil
}

func (f *facing) blockOf(i int) (block, first int) {
	if i < f.size[0] {
		return 0, 0
	}
	return 1, f.size[0]
}
