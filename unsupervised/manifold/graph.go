package manifold

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/internal/parallel"
)

// nearest returns the k places of least values, nearest first, skip left out; of equal values those
// that stand first.
func nearest(values []float64, k, skip int) []int {
	order := make([]int, 0, k+1)
	for i, v := range values {
		if i == skip || len(order) == k && !(v < values[order[k-1]]) {
			continue
		}
		at := len(order)
		for at > 0 && v < values[order[at-1]] {
			at--
		}
		order = slices.Insert(order, at, i)[:min(k, len(order)+1)]
	}
	return order
}

// neighbours returns the nearest others of every point.
func (s *search) neighbours() ([][]int, error) {
	n := s.squares.SymmetricDim()
	near := make([][]int, n)
	meter := s.o.Compute.Meter("neighbours", int64(n))
	err := parallel.Each(s.ctx, s.o.Compute.WorkerCount(), n, func(_, i int) {
		near[i] = nearest(mat.Row(nil, i, s.squares), s.o.Neighbours, i)
		meter.Add(1)
	})
	meter.End(s.ctx)
	s.report.Neighbours = s.o.Neighbours
	return near, err
}

// edge leads to a point over a length.
type edge struct {
	to     int
	length float64
}

// graph joins every point with its neighbours, and them with it.
func (s *search) graph(near [][]int) [][]edge {
	joined := make([][]edge, len(near))
	for i, others := range near {
		for _, j := range others {
			if slices.Contains(near[j], i) && j < i {
				continue // which j has done
			}
			d := math.Sqrt(s.squares.At(i, j))
			joined[i], joined[j] = append(joined[i], edge{j, d}), append(joined[j], edge{i, d})
			s.report.Edges++
		}
	}
	return joined
}

// paths returns the lengths of the shortest paths, by Dijkstra's algorithm from every point. The
// error tells the parts into which the graph falls.
func (s *search) paths(joined [][]edge) (*mat.Dense, error) {
	n := len(joined)
	all := mat.NewDense(n, n, nil)
	meter := s.o.Compute.Meter("shortest paths", int64(n))
	err := parallel.Each(s.ctx, s.o.Compute.WorkerCount(), n, func(_, i int) {
		shortest(all.RawRowView(i), joined, i)
		meter.Add(1)
	})
	meter.End(s.ctx)
	if err != nil {
		return nil, err
	}
	if sizes := parts(all); len(sizes) > 1 {
		return nil, fmt.Errorf("manifold: the graph of %d neighbours falls into %d parts, of %v points, between which there is no path: take more neighbours, or one of the parts", s.o.Neighbours, len(sizes), sizes[:min(len(sizes), 8)])
	}
	for i := range n {
		for j := i + 1; j < n; j++ { // sums of the same lengths in the other order may differ in the last bit
			length := min(all.At(i, j), all.At(j, i))
			all.Set(i, j, length)
			all.Set(j, i, length)
		}
	}
	return all, nil
}

// parts returns the numbers of points that paths join, largest first.
func parts(lengths *mat.Dense) (sizes []int) {
	n, _ := lengths.Dims()
	seen := make([]bool, n)
	for i := range n {
		if seen[i] {
			continue
		}
		size := 0
		for j, v := range lengths.RawRowView(i) {
			if !math.IsInf(v, 1) {
				seen[j], size = true, size+1
			}
		}
		sizes = append(sizes, size)
	}
	slices.SortFunc(sizes, func(a, b int) int { return b - a })
	return sizes
}

// shortest stores the lengths of the shortest paths from a point; +Inf where there is none.
func shortest(dst []float64, joined [][]edge, from int) {
	for i := range dst {
		dst[i] = math.Inf(1)
	}
	dst[from] = 0
	open := frontier{{from, 0}}
	for len(open) > 0 {
		e := open.pop()
		if e.length > dst[e.to] {
			continue // a shorter one was found since
		}
		for _, next := range joined[e.to] {
			if d := e.length + next.length; d < dst[next.to] {
				dst[next.to] = d
				open.push(edge{next.to, d})
			}
		}
	}
}

// frontier is a heap of points with the lengths of paths to them, the shortest on top. That of
// package container/heap allocates for every element.
type frontier []edge

func (f *frontier) push(e edge) {
	h := append(*f, e)
	at := len(h) - 1
	for at > 0 {
		above := (at - 1) / 2
		if h[above].length <= e.length {
			break
		}
		h[at], at = h[above], above
	}
	h[at], *f = e, h
}

func (f *frontier) pop() edge {
	h := *f
	top, last := h[0], h[len(h)-1]
	h = h[:len(h)-1]
	*f = h
	if len(h) == 0 {
		return top
	}
	at := 0
	for below := 1; below < len(h); below = 2*at + 1 {
		if below+1 < len(h) && h[below+1].length < h[below].length {
			below++
		}
		if last.length <= h[below].length {
			break
		}
		h[at], at = h[below], below
	}
	h[at] = last
	return top
}
