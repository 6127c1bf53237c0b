package graph

// Adjacency lists the neighbours of every node in compressed rows (CSR): those of node i
// are Node[Start[i]:Start[i+1]], ascending, and Edge tells by which edge each is reached.
type Adjacency struct {
	Start []int
	Node  []int32
	Edge  []int32
}

// Adjacency returns the neighbours that every node has an edge to. Edges of an undirected
// graph, and all edges where directed is false, count in both directions; a self loop
// counts once, parallel edges one by one. Cost: O(nodes + edges) time and memory.
func (g *Graph) Adjacency(directed bool) Adjacency {
	directed = directed && g.Directed
	arcs := make([]arc, 0, 2*len(g.Edges))
	for e, ends := range g.Edges {
		arcs = append(arcs, arc{ends.From, ends.To, int32(e)})
		if !directed && ends.From != ends.To {
			arcs = append(arcs, arc{ends.To, ends.From, int32(e)})
		}
	}
	sorted := make([]arc, len(arcs))
	n := g.Len()
	bucket(sorted, arcs, n, func(a arc) int32 { return a.to })
	start := bucket(arcs, sorted, n, func(a arc) int32 { return a.from })
	adj := Adjacency{Start: start, Node: make([]int32, len(arcs)), Edge: make([]int32, len(arcs))}
	for k, a := range arcs {
		adj.Node[k], adj.Edge[k] = a.to, a.edge
	}
	return adj
}

// Merged leaves out what repeats: of several edges to the same node that have the same key it keeps
// the first. nil: all have the same. What has no repetitions is returned as it is.
func (a Adjacency) Merged(key func(e int32) string) Adjacency {
	n, repeated := len(a.Start)-1, false
	out, seen := Adjacency{Start: make([]int, n+1)}, map[string]bool{}
	for i := range n {
		for k := a.Start[i]; k < a.Start[i+1]; {
			end := k + 1
			for end < a.Start[i+1] && a.Node[end] == a.Node[k] {
				end++
			}
			clear(seen)
			for alone := end == k+1; k < end; k++ {
				name := ""
				if key != nil && !alone {
					name = key(a.Edge[k])
				}
				if seen[name] {
					repeated = true
					continue
				}
				seen[name] = true
				out.Node, out.Edge = append(out.Node, a.Node[k]), append(out.Edge, a.Edge[k])
			}
		}
		out.Start[i+1] = len(out.Node)
	}
	if !repeated {
		return a
	}
	return out
}

// Parallel returns how many edges join nodes that an edge before them joins already, in the same
// direction if they have one.
func (g *Graph) Parallel() int {
	seen, count := make(map[Edge]bool, len(g.Edges)), 0
	for _, e := range g.Edges {
		if !g.Directed && e.From > e.To {
			e.From, e.To = e.To, e.From
		}
		if seen[e] {
			count++
		}
		seen[e] = true
	}
	return count
}

// arc is one direction of an edge.
type arc struct{ from, to, edge int32 }

// bucket stores the arcs in dst in the order of a key below n, equal keys in their former
// order, and returns where each key begins.
func bucket(dst, arcs []arc, n int, key func(arc) int32) (start []int) {
	start = make([]int, n+1)
	for _, a := range arcs {
		start[key(a)+1]++
	}
	for i := range n {
		start[i+1] += start[i]
	}
	next := append([]int(nil), start[:n]...)
	for _, a := range arcs {
		k := key(a)
		dst[next[k]] = a
		next[k]++
	}
	return start
}

// Components numbers the connected components in the order of their first nodes, and
// returns the number of each node's component and how many there are. Edges must be
// listed in both directions.
func (a Adjacency) Components() (of []int32, count int) {
	n := len(a.Start) - 1
	of = make([]int32, n)
	for i := range of {
		of[i] = -1
	}
	var queue []int32
	for i := range int32(n) {
		if of[i] >= 0 {
			continue
		}
		of[i] = int32(count)
		for queue = append(queue[:0], i); len(queue) > 0; {
			u := queue[len(queue)-1]
			queue = queue[:len(queue)-1]
			for _, v := range a.Node[a.Start[u]:a.Start[u+1]] {
				if of[v] < 0 {
					of[v] = int32(count)
					queue = append(queue, v)
				}
			}
		}
		count++
	}
	return of, count
}
