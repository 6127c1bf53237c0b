package node

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"sync"

	"example.org/mercer/data/graph"
)

// Network is an undirected weighted graph in the form that node kernels need. It is
// immutable but for what it keeps of earlier work, and safe for concurrent use.
type Network struct {
	name  string
	g     *graph.Graph
	start []int   // neighbours of node i: to[start[i]:start[i+1]], ascending
	to    []int32 // without i itself
	w     []float64
	loops []float64 // weight of the self loop of each node; nil without any

	component []int32   // of each node
	local     []int32   // its position there
	members   [][]int32 // nodes of each component, ascending

	negative int // an edge with a negative weight, −1 without any
	notes    []string
	digest   [sha256.Size]byte

	mu       sync.Mutex
	matrices [matrices]*sparse
	spectra  [matrices][]spectrum
}

// NewNetwork returns the network of a graph; name is how expressions call it.
//
// Directions are dropped. Of several edges between two nodes one counts where the graph
// has no weights, and their sum where it has. Edges of weight 0 are none. Self loops are
// part of A and cancel in L. [Network.Notes] says what of this occurred. An error names a
// node whose degree is not a finite number.
func NewNetwork(name string, g *graph.Graph) (*Network, error) {
	n := &Network{name: name, g: g, negative: -1}
	adj := g.Adjacency(false)
	parallel := n.join(adj)
	n.component, _ = graph.Adjacency{Start: n.start, Node: n.to}.Components()
	n.local = make([]int32, g.Len())
	for i, c := range n.component {
		if int(c) == len(n.members) {
			n.members = append(n.members, nil)
		}
		n.local[i] = int32(len(n.members[c]))
		n.members[c] = append(n.members[c], int32(i))
	}
	for i := range g.Len() {
		if d := n.degree(i); math.IsInf(d, 0) || math.IsNaN(d) {
			return nil, fmt.Errorf("node: %s: the weights of the edges of node %q add up to %v; scale them down", g.Source, g.IDs[i], d)
		}
	}
	n.note(parallel)
	n.digest = n.content()
	return n, nil
}

// join merges parallel edges and takes self loops aside. It returns the number of edges
// that were merged into others.
func (n *Network) join(adj graph.Adjacency) (parallel int) {
	size := n.g.Len()
	n.start = make([]int, size+1)
	for i := range size {
		for k := adj.Start[i]; k < adj.Start[i+1]; {
			j, w := adj.Node[k], 0.0
			for first := true; k < adj.Start[i+1] && adj.Node[k] == j; k++ {
				v := n.g.Weight(int(adj.Edge[k]))
				if v < 0 {
					n.negative = int(adj.Edge[k])
				}
				switch {
				case first:
					w, first = v, false
					continue
				case n.g.Weights != nil:
					w += v
				}
				if j >= int32(i) {
					parallel++
				}
			}
			switch {
			case w == 0:
			case int(j) == i:
				if n.loops == nil {
					n.loops = make([]float64, size)
				}
				n.loops[i] = w
			default:
				n.to, n.w = append(n.to, j), append(n.w, w)
			}
		}
		n.start[i+1] = len(n.to)
	}
	return parallel
}

// note says what of the graph is not as a simple connected graph.
func (n *Network) note(parallel int) {
	add := func(format string, values ...any) {
		n.notes = append(n.notes, n.g.Source+": "+fmt.Sprintf(format, values...))
	}
	if n.g.Directed {
		add("its edges have directions, which kernels between nodes do not see")
	}
	if parallel > 0 {
		how := "each pair of nodes counts once"
		if n.g.Weights != nil {
			how = "their weights are added"
		}
		add("%d edges join nodes that another edge joins already; %s", parallel, how)
	}
	if n.loops != nil {
		count := 0
		for _, w := range n.loops {
			if w != 0 {
				count++
			}
		}
		add("%d nodes have an edge to themselves, which changes the adjacency matrix but no Laplacian", count)
	}
	if c := len(n.members); c > 1 {
		isolated := 0
		for _, m := range n.members {
			if len(m) == 1 {
				isolated++
			}
		}
		add("it has %d components, %d of them single nodes; a kernel between nodes of two components is 0", c, isolated)
	}
}

// content returns a digest of ids and weights.
func (n *Network) content() (sum [sha256.Size]byte) {
	h := sha256.New()
	number := func(v uint64) { _ = binary.Write(h, binary.LittleEndian, v) } // a hash does not fail
	number(uint64(n.Len()))
	var buf []byte
	for i, id := range n.g.IDs {
		number(uint64(len(id)))
		_, _ = io.WriteString(h, id)
		loop := 0.0
		if n.loops != nil {
			loop = n.loops[i]
		}
		buf = binary.LittleEndian.AppendUint64(buf[:0], math.Float64bits(loop))
		buf = binary.LittleEndian.AppendUint64(buf, uint64(n.start[i+1]))
		for k := n.start[i]; k < n.start[i+1]; k++ {
			buf = binary.LittleEndian.AppendUint32(buf, uint32(n.to[k]))
			buf = binary.LittleEndian.AppendUint64(buf, math.Float64bits(n.w[k]))
		}
		_, _ = h.Write(buf)
	}
	return [sha256.Size]byte(h.Sum(nil))
}

// Name returns how expressions call the network.
func (n *Network) Name() string { return n.name }

// Graph returns the graph that the network was made of.
func (n *Network) Graph() *graph.Graph { return n.g }

// Len returns the number of nodes.
func (n *Network) Len() int { return n.g.Len() }

// Notes says what was left out or joined, and that the graph is not connected.
func (n *Network) Notes() []string { return n.notes }

// Digest returns the SHA-256 of the ids and weights: that of any file with the same
// nodes and edges in the same order of nodes.
func (n *Network) Digest() [sha256.Size]byte { return n.digest }

// Components returns the number of connected components.
func (n *Network) Components() int { return len(n.members) }

// largest returns the size of the largest component.
func (n *Network) largest() int {
	most := 0
	for _, m := range n.members {
		most = max(most, len(m))
	}
	return most
}

// degree returns Σⱼ wᵢⱼ over the neighbours j ≠ i.
func (n *Network) degree(i int) float64 {
	d := 0.0
	for _, w := range n.w[n.start[i]:n.start[i+1]] {
		d += w
	}
	return d
}
